"""The main job on the whole demo site, against the gold labels that only tests read."""

import json
import re
from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest
import pytest_asyncio
from lxml import html
from numpy.typing import NDArray

from classify.metrics import block_score
from classify.site import SiteModel
from crawler.corpus import Corpus
from data.demo import HELD_OUT, ODD_PAGES, article_paths
from labeling.stored import load_labels
from render.egress import LOCAL
from render.page import Page
from sightread.learn import Site, evaluate, label, learn_corpus, train
from sightread.reader import Reader

TEMPLATES = ("news", "feature", "report")
LANGUAGES = ("en", "zh", "bn", "ar", "hi")
Labels = NDArray[np.int8]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reader(demo) -> AsyncIterator[Reader]:
    async with Reader(home=demo.home, egress=LOCAL) as opened:
        yield opened


def gold_labels(page: Page) -> Labels:
    """1 for each block in an element that the markup calls content, else 0."""
    return np.array(
        [any("data-gold" in page.elements[row].attributes for row in page.ancestors(block.element)) for block in page.blocks], np.int8
    )


def gold_texts(body: bytes) -> list[str]:
    """The texts of the elements that the markup calls content, as the HTML has them."""
    return [squeeze(element.text_content()) for element in html.document_fromstring(body.decode()).xpath("//*[@data-gold]")]


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def f1(found: Sequence[Labels], gold: Sequence[Labels]) -> float:
    return block_score(np.concatenate(found), np.concatenate(gold)).f1


def test_the_corpus_holds_every_article_and_no_forbidden_page_was_asked_for(demo):
    assert {page.url for page in demo.pages} == {demo.site.url(path) for path in article_paths()}
    assert ODD_PAGES["private"] not in demo.site.requests


def test_the_job_leaves_labels_model_evaluation_articles_and_report(demo):
    folder = demo.learned.folder
    assert load_labels(folder.labels, Corpus.open(folder.path).digest()) is not None
    assert SiteModel.load(folder.model).pages == len(demo.pages)
    assert json.loads(folder.evaluation.read_bytes())["pages"] == len(demo.pages)
    assert len(list(folder.articles.glob("*.md"))) == len(demo.pages)
    assert folder.report.read_text("utf-8").endswith("</html>\n")
    assert [path for path in folder.path.rglob("*") if path.name.endswith(".part")] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", TEMPLATES)
def test_labels_found_without_help_agree_with_gold(demo, template, language):
    rows = [
        row
        for row, page in enumerate(demo.pages)
        if page.url.startswith(demo.site.url(f"/{language}/")) and template in page.elements[0].classes
    ]
    assert len(rows) >= 3
    assert f1([demo.learned.labels.labels[row] for row in rows], [gold_labels(demo.pages[row]) for row in rows]) >= 0.98


def test_the_model_agrees_with_labels_and_gold_on_pages_it_was_not_trained_on(demo):
    evaluation = evaluate(Site.open(demo.learned.folder.path))
    assert demo.learned.standing.f1 == evaluation.score.f1 >= 0.99
    assert min(fold.f1 for fold in evaluation.folds) >= 0.98
    held_out = [(probabilities >= 0.5).astype(np.int8) for probabilities in evaluation.held_out if probabilities is not None]
    assert f1(held_out, [gold_labels(page) for page in demo.pages]) >= 0.99


def test_the_model_is_trusted(demo):
    assert demo.learned.standing.doubt == ""


@pytest.mark.parametrize("path", HELD_OUT)
async def test_a_new_page_is_extracted_with_all_its_paragraphs_and_nothing_else(demo, reader, path):
    document = await reader.extract(demo.site.url(path))
    assert document.model == "site"
    assert [squeeze(block.text) for block in document.blocks] == gold_texts(demo.site.pages[path][2])


def test_an_article_begins_with_its_headline(demo):
    for number, page in enumerate(demo.pages, 1):
        markdown = (demo.learned.folder.articles / f"{number:04}.md").read_text("utf-8")
        (headline,) = (block.text for block in page.blocks if block.heading == 1)
        assert markdown.splitlines()[0].removeprefix("# ").replace("\\", "") == headline


def test_labelling_and_training_again_write_the_same_files(demo):
    folder = demo.learned.folder
    before = folder.labels.read_bytes(), folder.model.read_bytes()
    site = Site.open(folder.path)
    label(site)
    train(site)
    assert (folder.labels.read_bytes(), folder.model.read_bytes()) == before


def test_the_steps_are_told_in_their_order(corpus):
    steps: list[str] = []
    learn_corpus(corpus, steps.append)
    assert steps == [
        "reading the corpus",
        "labelling blocks",
        "training the site's model",
        "evaluating on held-out pages",
        "extracting articles",
        "writing the report",
    ]
