"""`sightread compare`: every model side by side, on a page and on the pages of a site."""

import pytest

from sightread.crawler.corpus import Corpus
from sightread.models.registry import MODELS
from tests.labeling.sites import news_site
from tests.pages.stories import ARTICLE


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(ARTICLE)
    return path


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


def test_the_pages_of_a_site_are_compared_with_its_labels(sightread, tmp_path):
    corpus = tmp_path / "corpus"
    with Corpus.create(corpus, "https://x.test/") as written:
        for page in news_site(4):
            written.append(page)
    assert sightread("compare", corpus).complaint.startswith(f"{corpus}: its pages have no labels")
    sightread("label", corpus)
    assert [row["model"] for row in sightread("compare", corpus, "--json").json()["models"]] == list(MODELS)
    sightread("train", corpus)
    found = sightread("compare", corpus, "--json").json()
    by_name = {row["model"]: row for row in found["models"]}
    assert (found["reference"], found["pages"], list(by_name)) == ("labels", 4, ["site", *MODELS])
    assert by_name["site"]["f1"] > 0.95


@pytest.mark.parametrize("wrong", [("--model", "bte"), ("--blocks",)], ids=" ".join)
def test_a_corpus_is_compared_with_nothing_but_its_labels(sightread, tmp_path, wrong):
    corpus = tmp_path / "corpus"
    Corpus.create(corpus, "https://x.test/")
    ran = sightread("compare", corpus, *wrong)
    complaint = f"{corpus}: --blocks and --model are for a single page, and this is a corpus: leave them out"
    assert (ran.code, ran.complaint) == (2, complaint)
