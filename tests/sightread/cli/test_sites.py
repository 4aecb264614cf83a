"""`sightread sites`: learned sites are listed, shown, exported, imported and forgotten; a bad or hostile file changes nothing."""

import asyncio
import json
import re
import shutil
import stat
import warnings
import zipfile
from pathlib import Path

import pytest
import pytest_asyncio

from sightread.cli.commands import InspectCommand
from sightread.cli.servers import inspected_app
from sightread.crawler.corpus import pack_line
from sightread.sites.folders import SiteHome, site_address, site_key
from sightread.sites.history import locked
from sightread.sites.learn import learn_corpus
from sightread.viewer.report import write_site_report

MOST_JSON, MOST_BYTES = 1 << 20, 4 << 20
"""Limits of an import in these tests, in bytes."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def learned_home(crawled, small_site, tmp_path_factory) -> Path:
    """A home with one learned site; only to be copied."""
    home = tmp_path_factory.mktemp("learned")
    version = home / "sites" / name_of(small_site) / "0001"
    shutil.copytree(crawled, version)
    write_site_report(learn_corpus(version).results)
    (version.parent / "current").symlink_to("0001")
    return home


@pytest.fixture
def home(learned_home, tmp_path) -> Path:
    """The home of the commands of a test, with one learned site."""
    return shutil.copytree(learned_home, tmp_path / "home", symlinks=True)


@pytest.fixture
def name(small_site) -> str:
    return name_of(small_site)


@pytest.fixture
def address(small_site) -> str:
    """How people write the name of the site, whose folder has no colon."""
    return small_site.root.removeprefix("http://")


def name_of(site) -> str:
    return site.root.removeprefix("http://").replace(":", "_")


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name not in ("report.html", "recent", "lock")
    }


def test_sites_are_listed_by_their_addresses(sightread, home, address):
    (site,) = map(json.loads, sightread("sites", "--json").out.splitlines())
    assert (site["name"], site["pages"], site["versions"], site["version"]) == (address, 13, 1, "0001")
    assert site["state"] in ("trusted", "not trusted")
    shown = sightread("sites").out
    assert address in shown and site["state"] in shown


def test_without_a_site_the_list_names_the_next_step(sightread):
    assert sightread("sites").out == "no site is learned yet: sightread learn SITE\n"
    assert sightread("sites", "--json").out == ""


def test_a_site_is_found_by_its_address_its_folder_or_any_of_its_urls(sightread, home, name, address, small_site):
    shown, *others = (sightread("sites", "show", each, "--json").json() for each in (address, name, small_site.url("/en/some/page")))
    assert others == [shown, shown]
    for each in (address, name):
        assert sightread("corrections", "list", each).code == 0
        assert asyncio.run(inspected_app(InspectCommand(target=each, home=home)))
    assert Path(shown["report"]).is_file() and Path(shown["articles"]).is_file()


def test_a_site_is_crawled_on_by_its_name(sightread, home, name, address, small_site):
    ran = sightread("crawl", name, "--pages", 13, "--local", "--json")
    assert (ran.code, ran.json()["folder"]) == (0, str(home / "sites" / name / "0001")), ran.err
    assert sightread("crawl", name, "--pages", 13, "--local").err.startswith(f"{address} is a learned site: {small_site.url('/en/')}\n")


def test_an_exported_site_is_imported_whole_and_reads_on(sightread, home, name, address, tmp_path):
    assert sightread("sites", "export", name, tmp_path / "site.zip").code == 0
    before = files_of(home / "sites" / name / "0001")
    assert sightread("sites", "forget", name).code == 0
    assert not (home / "sites" / name).exists()
    ran = sightread("sites", "import", tmp_path / "site.zip", "--json")
    assert (ran.code, ran.json()["name"], ran.json()["version"]) == (0, address, "0001")
    assert files_of(home / "sites" / name / "0001") == before
    assert (home / "sites" / name / "0001" / "report.html").is_file()


def test_an_import_replaces_a_known_site_only_on_request_and_keeps_the_version_before(sightread, home, name, address, tmp_path):
    sightread("sites", "export", name, tmp_path / "site.zip")
    refused = sightread("sites", "import", tmp_path / "site.zip")
    assert (refused.code, refused.complaint.partition(": add")[0]) == (2, f"{address} is known already")
    assert (home / "sites" / name / "current").readlink().name == "0001"
    assert sightread("sites", "import", tmp_path / "site.zip", "--replace").code == 0
    assert (home / "sites" / name / "current").readlink().name == "0002"
    assert (home / "sites" / name / "0001" / "model.json").is_file()


def rewritten(source: Path, target: Path, changes: dict[str, bytes | None]) -> Path:
    """Copy a ZIP file with other content of some members; None leaves one out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        contents = {member: old.read(member) for member in old.namelist()}
        for member, content in (contents | changes).items():
            if content is not None:
                new.writestr(member, content(contents[member]) if callable(content) else content)
    return target


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"../evil.json": b"{}"}, "it holds '../evil.json'"),
        ({"/etc/evil": b"{}"}, "it holds '/etc/evil'"),
        ({"report.html": b"<script>"}, "it holds 'report.html'"),
        ({"pictures/../../model.json": b"{}"}, "it holds 'pictures/../../model.json'"),
        ({"model.json": None}, "it has no model.json"),
        ({"model.json": b"{}"}, "its model.json is damaged: export the site again"),
        ({"corpus.json": b"[]"}, "its corpus.json is damaged"),
        ({"pages.jsonl.gz": b"\x1f\x8b\x08\x00broken"}, "its pages.jsonl.gz is damaged: export the site again"),
        ({"evaluation.json": b"\xff"}, "its evaluation.json is damaged"),
        (
            {"corpus.json": b'{"start_url": "http://127.0.0.1/../../x", "version": "1", "schema": 2}'},
            "its corpus.json is damaged",
        ),
        ({"corpus.json": b'{"start_url": "file:///etc/passwd", "version": "1"}'}, "file:///etc/passwd"),
        ({"corpus.json": b" " * MOST_JSON + b"{}"}, "larger than 20,000 files of 4 GiB, and 1 MiB of JSON in one"),
        ({f"pictures/{number}.webp": b"" for number in range(20_001)}, "larger than 20,000 files"),
        ({"labels.json": lambda old: old.replace(b'"labels":[[', b'"labels":[[9,')}, "its labels.json is damaged"),
        ({"labels.json": lambda old: old.replace(b'"assignments":[[', b'"assignments":[[[],')}, "its labels.json is damaged"),
        ({"model.json": lambda old: re.sub(rb"\d+\.\d+", b"1e999", old)}, "its model.json is damaged"),
        ({"pages.jsonl.gz": pack_line(b" " * (MOST_BYTES + 1))}, "its pages.jsonl.gz is damaged"),
        ({"pages.jsonl.gz": lambda old: old + pack_line(b"[" * 100_000)}, "its pages.jsonl.gz is damaged"),
    ],
)
def test_a_file_that_is_no_export_changes_nothing(sightread, home, name, tmp_path, changes, complaint, monkeypatch):
    monkeypatch.setattr("sightread.sites.exchange.MOST_JSON", MOST_JSON)
    monkeypatch.setattr("sightread.crawler.corpus.MOST_BYTES", MOST_BYTES)
    sightread("sites", "export", name, tmp_path / "site.zip")
    bad = rewritten(tmp_path / "site.zip", tmp_path / "bad.zip", changes)
    before = sorted(str(path) for path in home.rglob("*"))
    ran = sightread("sites", "import", bad, "--replace")
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.complaint
    assert sorted(str(path) for path in home.rglob("*") if path.name != "lock") == [path for path in before if not path.endswith("/lock")]


@pytest.mark.parametrize("form", ["lzma", "bzip2", "link", "twice", "folder", "none", "cut"])
def test_an_archive_of_another_form_writes_nothing_outside_of_the_home(sightread, home, name, tmp_path, form):
    sightread("sites", "export", name, tmp_path / "site.zip")
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(tmp_path / "site.zip") as old, zipfile.ZipFile(bad, "w") as new, warnings.catch_warnings(action="ignore"):
        kind = {"lzma": zipfile.ZIP_LZMA, "bzip2": zipfile.ZIP_BZIP2}.get(form, zipfile.ZIP_DEFLATED)
        for member in set(old.namelist()) - {"crawl.jsonl" * (form == "link")}:
            new.writestr(member, old.read(member), kind)
        if form == "twice":
            new.writestr("model.json", b"{}")
        if form == "link":
            link = zipfile.ZipInfo("crawl.jsonl")
            link.external_attr = (stat.S_IFLNK | 0o777) << 16
            new.writestr(link, str(tmp_path / "outside"))
    if form == "folder":
        bad = tmp_path
    elif form in ("none", "cut"):
        bad.write_bytes(b"" if form == "none" else bad.read_bytes()[:5_000])
    ran = sightread("sites", "import", bad, "--replace")
    assert not [path for path in home.rglob("*") if path.is_symlink() and path.name != "current"] and not (tmp_path / "outside").exists()
    assert (ran.code, (home / "sites" / name / "current").readlink().name) == ((0, "0002") if form == "link" else (2, "0001")), ran.err
    assert ran.err.count("\n") <= 1


def test_a_site_that_is_being_learned_is_not_touched(sightread, home, name, tmp_path):
    with locked(SiteHome(home / "sites" / name)):
        for arguments in (("forget", name), ("export", name, tmp_path / "site.zip")):
            ran = sightread("sites", *arguments)
            assert (ran.code, "another process is learning this site" in ran.complaint) == (2, True)
    assert (home / "sites" / name / "0001" / "model.json").is_file()
    assert not (tmp_path / "site.zip").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["lst"], "argument ACTION: nothing is called 'lst'; did you mean list?"),
        (["show"], "sites show needs a site: sightread sites lists the learned ones"),
        (["import"], "sites import needs a file"),
        (["list", "courier.example"], "sites list takes no name: to see one site, run: sightread sites show courier.example"),
        (["show", "a", "b"], "sites show takes one name, and 'b' is one more: leave it out"),
        (["forget", "courier.example"], "no learned site is called 'courier.example'; none is known yet: sightread learn"),
        (["show", ".."], "no learned site is called '..'; "),
        (["show", "courier.example", "--replace"], "--replace is for sites import: leave it out of sites show"),
        (["import", "missing.zip"], "missing.zip: there is no such file: check its name"),
    ],
)
def test_wrong_arguments_are_named(sightread, arguments, complaint):
    ran = sightread("sites", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(complaint)


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
