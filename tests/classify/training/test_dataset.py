"""Training data: rows of many pages, held out by site, with groups of columns left out."""

from dataclasses import replace

import numpy as np
import pytest

from classify.features.hashed_words import first_words
from classify.features.registry import BOXES, STYLES, VISUAL
from classify.training import dataset
from classify.training.dataset import Corpus, Example, learn
from render.labels import BOILERPLATE, CONTENT, UNKNOWN
from render.page import Box, Page
from render.static.parse import read_html
from tests.classify.sites_to_learn import LABELS, PAGES


def rendered(page: Page) -> Page:
    blocks = tuple(replace(block, style=0, box=Box(10, 30 * row, 300, 20)) for row, block in enumerate(page.blocks))
    return replace(page, source="browser", blocks=blocks, styles=({"font-size": "20px"},), body_style={"font-size": "16px"})


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.of([Example(rendered(page), labels) for page, labels in zip(PAGES, LABELS, strict=True)])


def test_an_augmented_copy_lacks_boxes_or_styles_or_both_or_nothing(corpus):
    groups = [[name in group for name in VISUAL] for group in (BOXES, STYLES)]
    seen = [
        tuple(bool(np.isfinite(corpus.visual[corpus.page == page][:, columns]).any()) for columns in groups)
        for page in range(len(corpus.pages))
    ]
    assert set(seen[: len(PAGES)]) == {(True, True)}, "pages stay as they are"
    assert {(True, False), (False, True), (False, False)} <= set(seen[len(PAGES) :])


def test_a_part_of_a_corpus_is_the_corpus_of_these_pages(corpus):
    chosen = np.arange(len(corpus.pages)) % 3 == 0
    part = corpus.part(chosen)
    rows = chosen[corpus.page]
    assert part.pages == tuple(np.array(corpus.pages, object)[chosen])
    np.testing.assert_array_equal(part.features, corpus.features[rows])
    np.testing.assert_array_equal(part.lengths, corpus.lengths[rows])
    assert np.bincount(part.page).tolist() == [len(page.blocks) for page in part.pages]


def test_of_long_pages_some_blocks_are_drawn_that_stand_for_all(corpus, monkeypatch):
    monkeypatch.setattr(dataset, "MOST_BLOCKS", 5)
    rows, importance = corpus.sample()
    count = np.bincount(corpus.page[rows], minlength=len(corpus.pages))
    assert count.max() == 5 and count.min() >= 1 and len(np.unique(rows)) == len(rows)
    sizes = np.bincount(corpus.page[corpus.known])
    np.testing.assert_allclose(importance, corpus.importance[rows] * np.maximum(sizes / 5, 1)[corpus.page[rows]])


def test_words_are_not_learned_from_text_that_was_put_into_a_template():
    built = [read_html(f"<body><p>Zebra crossing number {row}.</p><p>Imprint</p>", f"https://z{row}.example/") for row in range(6)]
    labels = [np.array([CONTENT, BOILERPLATE], np.int8)] * len(built)
    pages = [Example(page, of_page) for page, of_page in zip(PAGES, LABELS, strict=True)]
    page = first_words(read_html("<body><p>Zebra crossing number 7.</p>"))
    scores = []
    for allowed in (True, False):
        more = [Example(each, of_page, has_own_words=allowed) for each, of_page in zip(built, labels, strict=True)]
        scores.append(float(learn(Corpus.of(pages + more))[0].words.decide(page)[0]))
    assert scores[0] > scores[1] + 1


def test_blocks_that_only_css_separates_have_one_label():
    page = read_html("<body><p>A long paragraph of the text itself.</p><p>b</p>", "https://a.example/")
    first, last = page.blocks
    pieces = (replace(first, text="A long paragraph", style=0), replace(first, text="note", style=1, hidden="clip"), last)
    shown = replace(page, source="browser", blocks=pieces, styles=({}, {"color": "red"}))
    for labels, merged in (([1, 0, 0], [1, 0]), ([0, 1, 0], [0, 0]), ([UNKNOWN, UNKNOWN, 1], [UNKNOWN, 1])):
        found = Corpus.of([Example(shown, np.array(labels, np.int8))] * 2)
        kept = found.page == 0
        assert np.where(found.known, found.content, UNKNOWN)[kept].tolist() == merged
