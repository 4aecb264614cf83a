"""Texts that are once on each page: prose of the page is content, sentences of the template and previews are not."""

from dataclasses import replace

import numpy as np
import pytest

from sightread.labeling.label_site import label_site
from sightread.labeling.labels import load_labels, save_labels
from tests.labeling.sites import Look, articles, kept, lines_of, page_with

SLOT = Look("main/section/p", {"font-size": "13px"}, 400)
PAGES = 8


def site_with(texts, look=SLOT):
    """Return a site with these texts below its articles, a tuple for each page."""
    return [page_with(article, [*lines_of(article), *map(look, of_page)]) for article, of_page in zip(articles(PAGES), texts, strict=True)]


def label(pages, texts, odds):
    """Return the labels if a model predicts `odds` for these texts and has no opinion on others."""
    ours = {text for of_page in texts for text in of_page}
    return label_site(pages, predictions=[np.array([odds if block.text in ours else 0.0 for block in page.blocks]) for page in pages])


def kept_of(texts, odds=-1.3, look=SLOT):
    """Return for each page which of these texts are labelled content."""
    pages = site_with(texts, look)
    return [[text in found for text in of_page] for of_page, found in zip(texts, kept(label(pages, texts, odds), pages), strict=True)]


def test_prose_once_on_each_page_is_content_unless_the_model_is_sure_that_it_is_none():
    prose = [(article.spare[0],) for article in articles(PAGES)]
    assert kept_of(prose) == [[True]] * PAGES
    assert kept_of(prose, odds=-3.0) == [[False]] * PAGES


@pytest.mark.parametrize(
    "text",
    [
        "Seen by {number} readers in the harbour, and written by the crew of boat {number} of the town",
        "{word} of the boats",
        "{number} {word} 12 {number} of 24 {word} on 19 May {number} at 08:04 from 11 {word} or 90",
    ],
    ids=["a sentence of the template with gaps", "few words", "numbers"],
)
def test_other_text_once_on_each_page_is_no_content(text):
    texts = [(text.format(number=article.number, word=article.title.split()[0]),) for article in articles(PAGES)]
    assert kept_of(texts) == [[False]] * PAGES


def test_prose_in_links_several_times_on_a_page_or_on_few_pages_is_no_content():
    prose = [article.spare for article in articles(PAGES)]
    assert kept_of([spare[:1] for spare in prose], look=replace(SLOT, linked=True)) == [[False]] * PAGES
    assert kept_of([spare[:2] for spare in prose]) == [[False] * 2] * PAGES
    assert kept_of([spare[: row < PAGES / 2] for row, spare in enumerate(prose)]) == [[False]] * 4 + [[]] * 4


def test_a_text_in_the_language_of_each_page_is_no_prose_of_its_page():
    adverts = [article.spare[0] for article in articles(3)]
    assert kept_of([(adverts[row % 3],) for row in range(PAGES)]) == [[False]] * PAGES


def test_two_pages_are_too_few_to_tell_prose_from_the_template():
    pages = site_with([(article.spare[0],) for article in articles(PAGES)])[:2]
    texts = [(article.spare[0],) for article in articles(2)]
    assert not any(text in found for (text,), found in zip(texts, kept(label(pages, texts, -1.3), pages), strict=True))


def test_what_a_slot_holds_is_stored_with_the_labels(tmp_path):
    prose = [(article.spare[0],) for article in articles(PAGES)]
    pages = site_with(prose)
    labels = label(pages, prose, -1.3)
    of_rows = [tuple(page.blocks[row].text for row in rows) for page, rows in zip(pages, labels.combined.prose, strict=True)]
    assert of_rows == prose
    assert {cluster.slot for cluster in labels.clusters if not cluster.role} >= {"prose"}
    save_labels(tmp_path / "labels.json", labels, "digest")
    again = load_labels(tmp_path / "labels.json", "digest")
    assert again.combined.prose == labels.combined.prose
    assert again.clusters == labels.clusters


def test_copies_of_a_page_change_nothing_of_its_prose():
    prose = [(article.spare[0],) for article in articles(PAGES)]
    pages = site_with(prose)
    copied = [*pages, *(replace(pages[0], url=f"{pages[0].url}?{number}", final_url="") for number in range(12))]
    alone, beside = (list(kept(label(of_site, prose, -1.3), of_site))[:PAGES] for of_site in (pages, copied))
    assert beside == alone
