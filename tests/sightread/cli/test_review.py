"""The commands that review decisions: models compared, blocks explained, and the corrections of a crawled site."""

import json
import shutil

import numpy as np
import pytest

from sightread.models.registry import MODELS
from sightread.render.labels import CONTENT
from sightread.sites.corrections.anchors import Names, PageAnchors, block_anchor
from sightread.sites.corrections.records import Correction, Corrections, load_corrections, save_corrections
from sightread.sites.learn import Site, label, train
from tests.labeling.sites import news_site, write_corpus


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


def test_a_block_that_the_page_lacks_is_refused(sightread, story):
    ran = sightread("explain", story, "--static", "--row", 99)
    assert ran.code == 2 and "--row 99: the page has" in ran.err


def test_a_model_that_explains_nothing_gives_the_decisions_alone(sightread, story):
    found = json.loads(sightread("explain", story, "--static", "--json", "--model", "bte").out)
    assert {block["base"] for block in found["blocks"]} == {None} and any(block["kept"] for block in found["blocks"])


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
