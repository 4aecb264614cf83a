"""Folders of pages: mirrors, saved pages with their files, and the ways out of them that lead nowhere."""

import os

import pytest

from sightread.render.archives.base import MOST_DECODED
from sightread.render.archives.open import SavedPage, open_archive
from sightread.render.errors import Unusable


@pytest.fixture
def tree(tmp_path):
    """Write files below a folder that is not the whole of the test's; return it."""

    def tree(files: dict[str, str | bytes]):
        for name, body in files.items():
            path = tmp_path / "kept" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body if isinstance(body, bytes) else body.encode())
        return tmp_path / "kept"

    return tree


def body(archive, url):
    answer = archive.find(url)
    return answer and answer.body.decode()


MIRROR = {
    "courier.example/index.html": "front",
    "courier.example/news/ferry.html": "ferry",
    "courier.example/news/tides": "tides",
    "courier.example/page?id=1": "one",
    "courier.example/list.php@id=2.html": "two",
    "courier.example/a b/ü.css": "css",
    "courier.example:8080/x.html": "port",
    "127.0.0.1+81/x.html": "windows",
    "cdn.example/logo.svg": "svg",
    "notes.txt": "mine",
}


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://courier.example/", "front"),
        ("http://courier.example/news/ferry.html#top", "ferry"),
        ("http://courier.example/news/ferry", "ferry"),
        ("http://courier.example/news/tides", "tides"),
        ("http://courier.example/page?id=1", "one"),
        ("http://courier.example/page?id=2", None),
        ("http://courier.example/list.php?id=2", "two"),
        ("http://courier.example/a%20b/%C3%BC.css", "css"),
        ("http://courier.example:8080/x.html", "port"),
        ("http://127.0.0.1:81/x.html", "windows"),
        ("https://cdn.example/logo.svg", "svg"),
        ("https://courier.example/cdn.example/logo.svg", "svg"),
        ("https://elsewhere.example/news/ferry.html", None),
        ("http://courier.example/notes.txt", None),
        ("http://stored.invalid/notes.txt", "mine"),
    ],
)
def test_files_of_a_mirror_are_found_by_host_path_and_query(tree, url, text):
    assert body(open_archive(tree(MIRROR)), url) == text


def test_pages_of_a_mirror_have_the_addresses_that_they_came_from(tree):
    pages = open_archive(tree(MIRROR)).pages()
    assert "http://courier.example/news/ferry.html" in pages and "http://127.0.0.1:81/x.html" in pages
    assert len(pages) == 5
    assert all(open_archive(tree(MIRROR)).find(page) for page in pages)


@pytest.mark.parametrize(
    "path",
    [
        "../secret",
        "%2e%2e/secret",
        "%2E%2E%2Fsecret",
        "..%2fsecret",
        "a/..%2f..%2fsecret",
        "a/..%5c..%5csecret",
        "%00/../secret",
        "secret%00.html",
        "link",
        "linked/secret",
        "%2e",
        "/" * 50 + "etc/passwd",
        "x" * 300,
        "loop",
        "pipe",
        "a",
    ],
)
def test_no_path_leads_out_of_the_folder(tree, path):
    folder = tree({"a/page.html": "page", "b.html": "page"})
    (folder.parent / "secret").write_text("secret")
    (folder / "link").symlink_to(folder.parent / "secret")
    (folder / "linked").symlink_to(folder.parent)
    (folder / "loop").symlink_to(folder / "loop")
    os.mkfifo(folder / "pipe")
    (folder / "inside").symlink_to(folder / "b.html")
    archive = open_archive(folder)
    assert archive.find(f"http://stored.invalid/{path}") is None
    assert archive.find(f"http://stored.invalid/a/{path}") is None
    assert body(archive, "http://stored.invalid/inside") == "page"


def test_a_file_beyond_the_cap_costs_only_itself(tree):
    archive = open_archive(tree({"a.html": "page", "b.css": bytes(MOST_DECODED + 1)}))
    with pytest.raises(Unusable, match="more than 20000000 bytes"):
        archive.find("http://stored.invalid/b.css")
    assert body(archive, "http://stored.invalid/a.html") == "page"


@pytest.mark.parametrize("suffix", ["_files", "-Dateien"])
def test_a_saved_page_is_served_with_its_own_files_and_nothing_beside_them(tree, suffix):
    folder = tree({"ferry.html": "page", f"ferry{suffix}/a.css": "p {}", "taxes.html": "secret", "taxes_files/a.css": "secret"})
    archive = open_archive(folder / "ferry.html", "https://courier.example/news/1")
    assert isinstance(archive, SavedPage)
    assert (archive.pages(), body(archive, "https://courier.example/news/1")) == (["https://courier.example/news/1"], "page")
    assert body(archive, f"https://courier.example/news/ferry{suffix}/a.css") == "p {}"
    for other in ("taxes.html", "taxes_files/a.css", f"ferry{suffix}/../taxes.html", f"ferry{suffix}%2f..%2ftaxes.html", "ferry.html"):
        assert archive.find(f"https://courier.example/news/{other}") is None


def test_a_saved_page_without_an_address_has_the_one_that_its_browser_noted_or_none_of_the_web(tree):
    noted = "<!DOCTYPE html>\n<!-- saved from url=(0031)https://courier.example/news/1#top -->\n<html>page"
    folder = tree({"a.html": noted, "a_files/x": "", "b c.html": "page", "b c_files/x.css": "p {}"})
    assert open_archive(folder / "a.html").pages() == ["https://courier.example/news/1"]
    bare = open_archive(folder / "b c.html")
    assert bare.pages() == ["http://stored.invalid/b%20c.html"]
    assert body(bare, "http://stored.invalid/b%20c_files/x.css") == "p {}"


def test_a_frame_of_another_site_is_sent_to_its_own_origin(tree):
    frame = "<!-- saved from url=(0024)https://ads.example/frame -->ad"
    folder = tree({"a.html": "page", "a_files/ad.html": frame, "a_files/own.html": frame.replace("ads", "courier")})
    archive = open_archive(folder / "a.html", "https://courier.example/news/1")
    moved = archive.find("https://courier.example/news/a_files/ad.html")
    assert moved.leads_to("https://courier.example/") == "https://ads.example/news/a_files/ad.html"
    assert body(archive, "https://ads.example/news/a_files/ad.html") == frame
    assert archive.find("https://courier.example/news/a_files/own.html").status == 200
