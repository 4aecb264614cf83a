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

from sightread.cli.commands import InspectCommand
from sightread.cli.inspect import inspected_app
from sightread.crawler.corpus import pack_line
from sightread.sites.exchange import export_site
from sightread.sites.folders import SiteHome
from sightread.sites.history import locked
from sightread.sites.learn import learn_corpus
from sightread.viewer.report import write_site_report
from tests.labeling.sites import html_of, news_site, write_corpus

MOST_JSON, MOST_BYTES = 1 << 20, 4 << 20
"""Limits of an import in these tests, in bytes."""


NAME = "x.test"


@pytest.fixture(scope="module")
def learned_home(tmp_path_factory) -> Path:
    """A home with one learned site, and an export of it; only to be copied."""
    home = tmp_path_factory.mktemp("learned")
    pages = news_site(6)
    version = write_corpus(home / "sites" / NAME / "0001", pages, sources=map(html_of, pages))
    write_site_report(learn_corpus(version).results)
    (version.parent / "current").symlink_to("0001")
    export_site(SiteHome(version.parent), home / "site.zip")
    return home


@pytest.fixture
def home(learned_home, tmp_path) -> Path:
    """The home of the commands of a test, with one learned site."""
    return shutil.copytree(learned_home, tmp_path / "home", symlinks=True)


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name not in ("report.html", "recent", "lock")
    }


def test_sites_are_listed_and_found_by_name_or_any_of_their_urls(sightread, home, tmp_path):
    (site,) = map(json.loads, sightread("sites", "--json").out.splitlines())
    assert (site["name"], site["pages"], site["versions"], site["version"]) == (NAME, 6, 1, "0001")
    assert site["state"] in ("trusted", "not trusted")
    table = sightread("sites").out
    assert NAME in table and site["state"] in table
    shown, other = (sightread("sites", "show", each, "--json").json() for each in (NAME, "http://www.x.test/en/some/page"))
    assert shown == other == site and Path(shown["report"]).is_file() and Path(shown["articles"]).is_file()
    way = shown["without_browser"]
    assert (way["reason"], way["f1"], way["pages"], way["pages_needing_browser"]) == ("", 1.0, 6, 0)
    line = "without browser  F1 1.0000 with the rendered pages, 0 of 6 pages need a browser\n"
    assert line in sightread("sites", "show", NAME).out
    assert sightread("corrections", "list", NAME).code == 0
    assert asyncio.run(inspected_app(InspectCommand(target=NAME, home=home)))
    empty = ("--home", tmp_path / "empty")
    assert sightread("sites", *empty).out == "no site is learned yet: sightread learn SITE\n"
    assert sightread("sites", "--json", *empty).out == ""


def test_an_exported_site_is_imported_whole_and_replaces_a_known_one_only_on_request(sightread, home, tmp_path):
    assert sightread("sites", "export", NAME, tmp_path / "site.zip").code == 0
    before = files_of(home / "sites" / NAME / "0001")
    refused = sightread("sites", "import", tmp_path / "site.zip")
    assert (refused.code, refused.complaint.partition(": add")[0]) == (2, f"{NAME} is known already")
    assert (home / "sites" / NAME / "current").readlink().name == "0001"
    assert sightread("sites", "import", tmp_path / "site.zip", "--replace").code == 0
    assert (home / "sites" / NAME / "current").readlink().name == "0002"
    assert (home / "sites" / NAME / "0001" / "model.json").is_file()
    assert sightread("sites", "forget", NAME).code == 0
    assert not (home / "sites" / NAME).exists()
    ran = sightread("sites", "import", tmp_path / "site.zip", "--json")
    assert (ran.code, ran.json()["name"], ran.json()["version"]) == (0, NAME, "0001")
    assert files_of(home / "sites" / NAME / "0001") == before
    assert (home / "sites" / NAME / "0001" / "report.html").is_file()


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
def test_a_file_that_is_no_export_changes_nothing(sightread, home, tmp_path, changes, complaint, monkeypatch):
    monkeypatch.setattr("sightread.sites.exchange.MOST_JSON", MOST_JSON)
    monkeypatch.setattr("sightread.crawler.corpus.MOST_BYTES", MOST_BYTES)
    bad = rewritten(home / "site.zip", tmp_path / "bad.zip", changes)
    before = sorted(str(path) for path in home.rglob("*"))
    ran = sightread("sites", "import", bad, "--replace")
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.complaint
    assert sorted(str(path) for path in home.rglob("*") if path.name != "lock") == [path for path in before if not path.endswith("/lock")]


@pytest.mark.parametrize("form", ["lzma", "bzip2", "link", "twice", "folder", "none", "cut"])
def test_an_archive_of_another_form_writes_nothing_outside_of_the_home(sightread, home, tmp_path, form):
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(home / "site.zip") as old, zipfile.ZipFile(bad, "w") as new, warnings.catch_warnings(action="ignore"):
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
    assert (ran.code, (home / "sites" / NAME / "current").readlink().name) == ((0, "0002") if form == "link" else (2, "0001")), ran.err
    assert ran.err.count("\n") <= 1


def test_a_site_that_is_being_learned_is_not_touched(sightread, home, tmp_path):
    with locked(SiteHome(home / "sites" / NAME)):
        for arguments in (("forget", NAME), ("export", NAME, tmp_path / "site.zip")):
            ran = sightread("sites", *arguments)
            assert (ran.code, "another process is learning this site" in ran.complaint) == (2, True)
    assert (home / "sites" / NAME / "0001" / "model.json").is_file()
    assert not (tmp_path / "site.zip").exists()
