"""`sightread corrections` on a crawled site: from an answer to another tool and back, and to the extracted text."""

import json
import shutil

import numpy as np
import pytest

from sightread.render.labels import CONTENT
from sightread.sites.corrections.anchors import Names, PageAnchors, block_anchor
from sightread.sites.corrections.file import load_corrections, save_corrections
from sightread.sites.corrections.records import Correction, Corrections
from sightread.sites.learn import Site, label, train


@pytest.fixture(scope="module")
def trained(crawled, tmp_path_factory):
    """A corpus with labels and a model; only to be copied."""
    folder = shutil.copytree(crawled, tmp_path_factory.mktemp("trained") / "corpus")
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
    home = tmp_path / "home" / "sites" / "127.0.0.1_1"
    shutil.copytree(trained, home / "0001")
    card = json.loads((home / "0001" / "corpus.json").read_text())
    (home / "0001" / "corpus.json").write_text(json.dumps(card | {"start_url": "http://127.0.0.1:1/"}))
    (home / "current").symlink_to("0001")
    assert sightread("evaluate", "http://127.0.0.1:1/", "--json").code == 0
    site = Site.open(home / "0001")
    anchor = block_anchor(PageAnchors(site.pages[0]), 0, Names.of(site.pages))
    made = Corrections((Correction(False, "look", anchor),))
    save_corrections(site.folder.corrections, made)
    assert site.folder.corrections == home / "corrections.json" and np.any(site.matching().labels[0] == 0)
    assert sightread("sites", "export", "http://127.0.0.1:1/", tmp_path / "site.zip").code == 0
    assert sightread("sites", "forget", "http://127.0.0.1:1/").code == 0
    assert sightread("sites", "import", tmp_path / "site.zip").code == 0
    assert load_corrections(home / "corrections.json") == made
