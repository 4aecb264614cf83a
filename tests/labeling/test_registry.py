"""The labelers by name: ours over either clustering, and the paper's."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from sightread.labeling.label_site import label_site
from sightread.labeling.labels import SiteLabels
from sightread.labeling.registry import LABELERS, find_labeler
from sightread.render.errors import Rejected
from sightread.render.labels import CONTENT, UNKNOWN
from sightread.render.page import Page
from tests.labeling.sites import QUOTE, articles, insert, kept, lines_of, make_page, news_site, page_with


@pytest.mark.parametrize("name", LABELERS)
def test_every_labeler_finds_the_paragraphs_of_a_plain_site(name: str):
    pages = news_site()
    found = find_labeler(name)(pages)
    for article, texts in zip(articles(8), kept(found, pages), strict=True):
        assert set(article.paragraphs) <= set(texts)
    assert [len(of_page) for of_page in found.labels] == [len(page.blocks) for page in pages]


def test_the_published_way_takes_one_cluster_and_nothing_else():
    pages = [page_with(article, insert(lines_of(article), article.paragraphs[0], QUOTE(article.spare[0]))) for article in articles(8)]
    found = find_labeler("published")(pages)
    assert list(kept(found, pages)) == [list(article.paragraphs) for article in articles(8)]
    assert [cluster.role for cluster in found.clusters if cluster.role] == ["body"]


def test_the_published_way_leaves_no_page_unknown():
    pages = [*news_site(), make_page("https://x.test/empty", [QUOTE("Nothing of the kind.")])]
    labels = find_labeler("published")(pages).labels
    assert not any((of_page == UNKNOWN).any() for of_page in labels)
    assert (labels[-1] != CONTENT).all()


def test_the_published_way_states_how_sure_it_is_by_our_measure():
    found = find_labeler("published")(news_site())
    assert found.confidence.coverage == 1.0
    assert found.templates[0].pages == tuple(range(8))
    assert np.all(np.array(found.page_confidence) <= 1)


def test_pages_without_text_are_refused_by_all():
    for name in LABELERS:
        with pytest.raises(Rejected, match=r"none of the 1 pages (shows|has) text"):
            find_labeler(name)([make_page("https://x.test/", [])])


def test_a_labeler_is_a_function_and_a_line_of_the_registry(monkeypatch: pytest.MonkeyPatch):
    def first_block(pages: Sequence[Page], *, predictions: Sequence[np.ndarray] | None = None) -> SiteLabels:
        found = label_site(pages, predictions=predictions)
        return replace(found, labels=tuple((np.arange(len(page.blocks)) == 0).astype(np.int8) for page in pages))

    monkeypatch.setattr("sightread.labeling.registry.LABELERS", {**LABELERS, "first-block": first_block})
    found = find_labeler("first-block")(news_site())
    assert {int(of_page.argmax()) for of_page in found.labels} == {0}
    with pytest.raises(Rejected, match="first-block"):
        find_labeler("frst-block")


def test_a_wrong_name_is_reported_with_the_right_ones():
    with pytest.raises(Rejected, match="no labeler is called 'publishd'; did you mean published"):
        find_labeler("publishd")
