"""Where learned sites live."""

from pathlib import Path

import msgspec
import pytest

from sightread.render.errors import BadRecord, Rejected
from sightread.sites.folders import SiteFolder, SiteHome, home_folder, site_address, site_key
from sightread.sites.trust import SiteEvaluation, UsualValues


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://courier.example/en/ferry?page=2#top", "courier.example"),
        ("https://www.courier.example/", "courier.example"),
        ("HTTP://Courier.Example", "courier.example"),
        ("http://courier.example:80/", "courier.example"),
        ("https://courier.example:443/", "courier.example"),
        ("http://courier.example:8080/", "courier.example_8080"),
        ("http://127.0.0.1:8417/", "127.0.0.1_8417"),
        ("http://[::1]:8417/", "--1_8417"),
        ("https://xn--bcher-kva.example/", "bücher.example"),
        ("https://bücher.example/", "bücher.example"),
        ("https://courier.example./", "courier.example"),
    ],
)
def test_pages_of_one_site_share_a_folder(url, key):
    assert site_key(url) == key


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8913/a", "127.0.0.1:8913"),
        ("http://[::1]:8913/", "[::1]:8913"),
        ("https://my_site_2.example/", "my_site_2.example"),
        ("https://www.a-b.example:8443/", "a-b.example:8443"),
    ],
)
def test_a_folder_is_shown_as_the_address_of_its_site(url, address):
    assert site_address(site_key(url)) == address


@pytest.mark.parametrize(
    "url", ["", "courier.example", "/etc/passwd", "http://", "http://[::1", "http://a:99999/", "http://../", "http://./"]
)
def test_what_has_no_host_has_no_folder(url):
    with pytest.raises(Rejected):
        site_key(url)


@pytest.mark.parametrize("url", ["http://../", "http://..%2f..%2fetc/", "http://a%2f..%2f..%2fb/", "http://www.../", "http://www./"])
def test_no_host_leads_out_of_the_home(tmp_path, url):
    try:
        path = SiteHome.of(url, tmp_path).path
    except Rejected:
        return
    assert path.resolve().parent == (tmp_path / "sites").resolve()


def test_the_home_is_the_setting_else_the_users_data_folder(monkeypatch):
    monkeypatch.setenv("SIGHTREAD_HOME", "/somewhere")
    assert home_folder() == Path("/somewhere")
    monkeypatch.delenv("SIGHTREAD_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert home_folder() == Path("/data/sightread")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/reader")
    assert home_folder() == Path("/home/reader/.local/share/sightread")


def test_a_standing_comes_back_as_it_was_written(tmp_path):
    folder = SiteFolder(tmp_path / "site")
    assert folder.read_evaluation() is None
    written = SiteEvaluation(pages=4, confidence=0.8, precision=1.0, recall=0.5, f1=0.6667, folds=((1.0, 0.5, 0.6667),), corpus="ab")
    written = msgspec.structs.replace(written, usual=UsualValues(known=0.9, expected_f1=0.8, odd=0.1))
    folder.save_evaluation(written)
    assert folder.read_evaluation() == written


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"pages": "many"}'])
def test_a_damaged_standing_states_what_to_do(tmp_path, content):
    folder = SiteFolder(tmp_path)
    folder.evaluation.write_bytes(content)
    with pytest.raises(BadRecord, match=r"evaluation\.json: .*; delete it and evaluate the site again"):
        folder.read_evaluation()


def test_a_site_that_was_never_crawled_has_no_version(tmp_path):
    assert SiteHome(tmp_path / "nowhere").current is None
    assert SiteHome(tmp_path / "nowhere").versions == ()


@pytest.mark.parametrize("target", ["../elsewhere", "..", ".", "versions", "12", "00012345678"])
def test_a_link_that_names_no_version_is_none(tmp_path, target):
    (tmp_path / "current").symlink_to(target)
    assert SiteHome(tmp_path).current is None


def test_versions_are_reported_in_the_order_of_their_numbers(tmp_path):
    for name in ("10000", "0002", "9999", "lock.d", "0002-old"):
        (tmp_path / name).mkdir()
    assert [version.path.name for version in SiteHome(tmp_path).versions] == ["0002", "9999", "10000"]
