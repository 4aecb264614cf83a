"""Texts that are once on each page: prose of the page is content, sentences of the template and previews are not."""

from dataclasses import replace

import numpy as np
import pytest

from sightread.labeling.label_site import label_site
from sightread.labeling.labels import load_labels, save_labels
from tests.labeling.sites import Look, articles, kept, lines_of, make_page, page_with

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


def test_a_preview_of_the_articles_text_is_no_content_though_the_model_keeps_it():
    previews = [(article.paragraphs[1][:90],) for article in articles(PAGES)]
    pages = site_with(previews)
    predictions = [np.full(len(page.blocks), 1.5) for page in pages]
    found = label_site(pages, predictions=predictions)
    texts = list(kept(found, pages))
    assert not any(text in of_page for (text,), of_page in zip(previews, texts, strict=True))
    assert all(article.paragraphs[1] in of_page for article, of_page in zip(articles(PAGES), texts, strict=True))
    assert "preview" in {cluster.slot for cluster in found.clusters}


def test_a_headline_that_a_longer_text_of_its_page_repeats_is_no_preview():
    headline, citation = Look("main/article/div.title", {"font-size": "40px"}), Look("main/article/div/p")
    titles = [article.spare[0] for article in articles(PAGES)]
    pages = [
        replace(
            make_page(
                f"https://x.test/{article.number}",
                [headline(title), *lines_of(article)[1:], citation(f"To cite: {title} Two editions of it are kept in the library.")],
                (title,),
                (article.description,),
            ),
            body_style={"font-size": "16px"},
        )
        for article, title in zip(articles(PAGES), titles, strict=True)
    ]
    predictions = [np.array([1.5 if block.text.startswith("To cite") else 0.0 for block in page.blocks]) for page in pages]
    found = kept(label_site(pages, predictions=predictions), pages)
    assert all(title in of_page for title, of_page in zip(titles, found, strict=True))


@pytest.mark.parametrize("is_own", [True, False], ids=["prose of its page", "a sentence of the template"])
def test_a_sentence_of_the_template_is_left_out_on_the_pages_where_the_model_keeps_it_too(is_own):
    licence = "To the extent possible the editors of {} waive all rights that they have in it, and write that in the head of every page"
    texts = [article.paragraphs[0] if is_own else licence.format(article.title.split()[0]) for article in articles(PAGES)]
    pages = site_with([(f"{text} Seen.",) for text in texts])
    predictions = [
        np.array([(2.0 if row < PAGES / 2 else -2.3) * block.text.endswith(" Seen.") for block in page.blocks])
        for row, page in enumerate(pages)
    ]
    found = kept(label_site(pages, predictions=predictions), pages)
    assert [any(text.endswith(" Seen.") for text in of_page) for of_page in found] == [is_own] * PAGES


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
