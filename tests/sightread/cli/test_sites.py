"""Learned sites are listed, exported, imported and forgotten, hostile files change nothing; decisions are corrected."""

import asyncio
import json
import re
import shutil
import stat
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

from sightread.cli.commands import InspectCommand
from sightread.cli.inspect import inspected_app
from sightread.crawler.corpus import pack_line
from sightread.models.registry import MODELS
from sightread.render.labels import CONTENT
from sightread.sites.corrections.anchors import Names, PageAnchors, block_anchor
from sightread.sites.corrections.records import Correction, Corrections, load_corrections, save_corrections
from sightread.sites.exchange import export_site
from sightread.sites.folders import SiteHome
from sightread.sites.history import locked
from sightread.sites.learn import Site, label, learn_corpus, train
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


def test_every_model_reads_a_page_and_is_compared_with_the_one_that_was_requested(sightread, page):
    found = sightread("compare", page, "--static", "--json", "--model", "boilerpipe").json()
    by_name = {row["model"]: row for row in found["models"]}
    assert (found["reference"], found["pages"], list(by_name)) == ("boilerpipe", 1, list(MODELS))
    assert (by_name["boilerpipe"]["precision"], by_name["boilerpipe"]["recall"], by_name["boilerpipe"]["f1"]) == (1, 1, 1)
    assert all(0 <= row["f1"] <= 1 and row["milliseconds"] >= 0 for row in by_name.values())


def test_a_page_is_compared_block_by_block(sightread, page):
    ran = sightread("compare", page, "--static", "--blocks")
    found = sightread("compare", page, "--static", "--json").json()
    key = {line[0]: line[3:] for line in ran.out.splitlines() if line[1:3] == "  " and line[3:] in MODELS}
    assert list(key.values()) == list(MODELS)
    marks = [line[: len(MODELS)] for line in ran.out.rpartition("\n\n")[2].splitlines()]
    assert marks
    for place, (letter, row) in enumerate(zip(key, found["models"], strict=True)):
        assert {line[place] for line in marks} <= {letter, "·"}
        assert sum(line[place] == letter for line in marks) == row["blocks"]


def test_the_pages_of_a_site_are_compared_with_its_labels(sightread, store):
    corpus = store(news_site(4))
    for wrong in (("--model", "bte"), ("--blocks",)):
        ran = sightread("compare", corpus, *wrong)
        complaint = f"{corpus}: --blocks and --model are for a single page, and this is a corpus: leave them out"
        assert (ran.code, ran.complaint) == (2, complaint)
    assert sightread("compare", corpus).complaint.startswith(f"{corpus}: its pages have no labels")
    sightread("label", corpus)
    assert [row["model"] for row in sightread("compare", corpus, "--json").json()["models"]] == list(MODELS)
    sightread("train", corpus)
    found = sightread("compare", corpus, "--json").json()
    by_name = {row["model"]: row for row in found["models"]}
    assert (found["reference"], found["pages"], list(by_name)) == ("labels", 4, ["site", *MODELS])
    assert by_name["site"]["f1"] > 0.95


STORY = "<p>It has carried {} across the estuary for ninety years, and by now it runs half empty.</p>"
HTML = (
    f"<title>The ferry</title><nav><a href='/'>Home</a></nav><main><h1>The ferry</h1>"
    f"{STORY.format('smiths')}{STORY.format('tanners')}</main><footer>All rights reserved.</footer>"
)


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.html"
    path.write_text(HTML)
    return path


def test_every_block_has_its_reason_and_one_its_contributions(sightread, story):
    found = json.loads(sightread("explain", story, "--static", "--json").out)
    assert found["model"] == "global" and [block["row"] for block in found["blocks"]] == list(range(len(found["blocks"])))
    kept = next(block for block in found["blocks"] if "tanners" in block["text"])
    assert kept["kept"] and kept["reason"] == "probability" and kept["contributions"] and kept["would_change"]
    listed = sightread("explain", story, "--static").out
    assert "low probability" in listed and listed.count("kept") >= 2
    detail = sightread("explain", story, "--static", "--row", kept["row"]).out
    assert "contributions to its log-odds of content" in detail and "without any feature" in detail


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A corpus with labels and a model; only to be copied."""
    folder = write_corpus(tmp_path_factory.mktemp("trained") / "corpus", news_site(8))
    site = Site.open(folder)
    label(site)
    train(site)
    return folder


@pytest.fixture
def corrected(trained, tmp_path):
    """A learned corpus, with a correction of the look of a block that is boilerplate."""
    corpus = shutil.copytree(trained, tmp_path / "corpus")
    site = Site.open(corpus)
    row = next(row for row, label in enumerate(site.labels().labels[0]) if label == 0 and not site.pages[0].blocks[row].hidden)
    anchor = block_anchor(PageAnchors(site.pages[0]), row, Names.of(site.pages))
    save_corrections(site.folder.corrections, Corrections((Correction(True, "look", anchor, by="ada"),)))
    return corpus, row


def test_corrections_go_out_and_in_and_are_learned(corrected, sightread, tmp_path):
    corpus, row = corrected
    assert "1 of 1 corrections match" in sightread("corrections", "list", corpus).out
    for name in ("corrections", "gold", "label-studio"):
        assert sightread("corrections", "export", corpus, tmp_path / name, "--format", name, "--json").code == 0
    gold = [json.loads(line) for line in (tmp_path / "gold").read_text().splitlines()]
    assert gold[0]["labels"][row] == CONTENT and row in gold[0]["by_hand"]
    assert sightread("corrections", "undo", corpus, "--json").code == 0
    assert sightread("corrections", "list", corpus).out.startswith("no corrections yet")
    again = json.loads(sightread("corrections", "import", corpus, tmp_path / "corrections", "--json").out)
    assert again == {"imported": 1, "matching": "1 of 1 corrections match", "need you": []}
    assert sightread("label", corpus).code == 0
    assert Site.open(corpus).labels().labels[0][row] == CONTENT
    unchanged = sightread("corrections", "import", corpus, tmp_path / "label-studio", "--format", "label-studio", "--json")
    assert json.loads(unchanged.out)["imported"] == 0
    tasks = json.loads((tmp_path / "label-studio").read_text())
    other = next(task for task in tasks if "predictions" in task)
    kept = other["predictions"][0]["result"][0]["value"]["choices"] == ["content"]
    opposite = {"choices": ["boilerplate" if kept else "content"]}
    other["annotations"] = [{"completed_by": 7, "result": [{"type": "choices", "value": opposite}]}]
    (tmp_path / "label-studio").write_text(json.dumps(tasks))
    imported = json.loads(sightread("corrections", "import", corpus, tmp_path / "label-studio", "--format", "label-studio", "--json").out)
    assert imported["need you"] == [] and imported["imported"] == 1
    made = load_corrections(Site.open(corpus).folder.corrections).active
    assert {each.by for each in made} >= {"ada", "7"} and {each.target for each in made} == {"look", "block"}


def test_wrong_files_and_sites_are_refused_in_a_line(corrected, sightread, tmp_path):
    corpus, _ = corrected
    (tmp_path / "tasks.json").write_text(
        '[{"data": {"text": "nowhere", "url": "https://x.test/", "row": 1}, "annotations": '
        '[{"result": [{"value": {"choices": ["content"]}}]}]}]'
    )
    for arguments, message in (
        (("import", corpus), "needs a file"),
        (("list", corpus, tmp_path / "x"), "takes no file"),
        (("import", corpus, tmp_path / "none.json"), "cannot be read"),
        (("import", corpus, tmp_path / "tasks.json"), "no corrections of sightread"),
        (("import", corpus, tmp_path / "tasks.json", "--format", "label-studio"), "task 1 is about a text that is not on https://x.test/"),
        (("import", corpus, tmp_path / "tasks.json", "--format", "gold"), "gold is only exported"),
        (("list", tmp_path / "nowhere"), "nowhere"),
    ):
        ran = sightread("corrections", *arguments)
        assert ran.code == 2 and message in ran.err and ran.err.count("\n") == 1


def test_the_site_s_archive_takes_its_corrections_along(trained, sightread, tmp_path):
    home = tmp_path / "home" / "sites" / "x.test"
    shutil.copytree(trained, home / "0001")
    (home / "current").symlink_to("0001")
    assert sightread("evaluate", "x.test", "--json").code == 0
    site = Site.open(home / "0001")
    anchor = block_anchor(PageAnchors(site.pages[0]), 0, Names.of(site.pages))
    made = Corrections((Correction(False, "look", anchor),))
    save_corrections(site.folder.corrections, made)
    assert site.folder.corrections == home / "corrections.json" and np.any(site.matching().labels[0] == 0)
    assert sightread("sites", "export", "x.test", tmp_path / "site.zip").code == 0
    assert sightread("sites", "forget", "x.test").code == 0
    assert sightread("sites", "import", tmp_path / "site.zip").code == 0
    assert load_corrections(home / "corrections.json") == made
