"""Labels by relevance and by the predictions of a model together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.combination import WEIGHTS, combine_labels
from sightread.labeling.known_clusters import known_share
from sightread.labeling.label_site import label_site
from sightread.labeling.registry import LABELERS
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from tests.labeling.sites import (
    BODY,
    NAV,
    Look,
    articles,
    comments_of,
    insert,
    kept,
    lines_of,
    make_page,
    news_site,
    page_with,
    write_article,
)

ODD = Look("div/main/section/p", {"font-size": "31px"}, 333)
ASIDE = Look("aside/p", {"font-size": "12px"}, 300)


@pytest.fixture(scope="module")
def pages():
    return news_site(8)


def no_opinion(pages):
    return [np.zeros(len(page.blocks)) for page in pages]


def short(article):
    """Return a sentence that is too short for prose."""
    return " ".join(article.spare[0].split()[:8])


def where(pages, test, odds, other=0.0):
    return [np.array([odds if test(block) else other for block in page.blocks]) for page in pages]


def test_predictions_without_an_opinion_leave_the_labels_of_relevance(pages):
    alone, both = label_site(pages), label_site(pages, predictions=no_opinion(pages))
    assert list(kept(both, pages)) == list(kept(alone, pages))
    assert [label.tolist() for label in both.combined.relevance] == [label.tolist() for label in alone.labels]
    assert both.confidence == alone.confidence


def test_text_that_only_the_model_calls_content_on_every_page_is_content(pages):
    footer = pages[0].blocks[-1].text
    is_certain = where(pages, lambda block: block.text == footer, 6.0)
    assert not any(footer in texts for texts in kept(label_site(pages), pages))
    assert all(footer in texts for texts in kept(label_site(pages, predictions=is_certain), pages))


def test_an_error_of_the_model_on_one_page_is_outvoted_by_the_pages_that_look_alike(pages):
    before = list(kept(label_site(pages, predictions=no_opinion(pages)), pages))
    wrong = [np.full(len(page.blocks), 0.5 if row else -7.0) for row, page in enumerate(pages)]
    bodies = {text for texts in before for text in texts}
    found = list(kept(label_site(pages, predictions=wrong), pages))
    assert all(set(texts) & bodies == set(own) for texts, own in zip(found, before, strict=True))


def test_what_relevance_calls_content_stays_content_unless_the_model_is_very_sure(pages):
    alone = list(kept(label_site(pages), pages))
    doubts = [np.full(len(page.blocks), 1 - WEIGHTS.content) for page in pages]
    assert [set(texts) for texts in alone] <= [set(texts) for texts in kept(label_site(pages, predictions=doubts), pages)]


def test_relevance_counts_less_against_a_block_where_it_misses_text_that_the_model_is_sure_about():
    pages = [page_with(article, [*lines_of(article), *comments_of(article, 8), ASIDE(short(article))]) for article in articles(8)]
    aside = [short(article) for article in articles(8)]
    comments = {spot.text for article in articles(8) for spot in comments_of(article, 8)}
    for of_comments, is_kept in ((4.0, True), (-4.0, False)):
        odds = [
            np.array([0.3 if block.text in aside else of_comments * (block.text in comments) for block in page.blocks]) for page in pages
        ]
        found = kept(label_site(pages, predictions=odds), pages)
        assert [text in of_page for text, of_page in zip(aside, found, strict=True)] == [is_kept] * 8


@pytest.mark.parametrize(
    ("is_inside", "is_repeated", "misses_code", "is_kept"),
    [
        (True, False, True, True),
        (False, False, True, True),
        (True, True, True, False),
        (False, True, True, False),
        (True, False, False, False),
    ],
)
def test_where_relevance_misses_text_it_counts_less_but_not_against_repeated_text(is_inside, is_repeated, misses_code, is_kept):
    note, code = Look("main/article/div/p.note", {"font-size": "12px"}), Look("main/article/div/pre", {"font-family": "monospace"})
    notes = ["Added later" if is_repeated else f"Added in {article.title.split()[0]}" for article in articles(8)]
    pages, codes = [], {" ".join(article.spare) for article in articles(8)}
    for article, text in zip(articles(8), notes, strict=True):
        spots = insert(lines_of(article), article.paragraphs[1], code(" ".join(article.spare)))
        pages.append(page_with(article, insert(spots, article.paragraphs[0 if is_inside else -1], note(text))))
    relevance = label_site(pages)
    labels = []
    for page, of_page in zip(pages, relevance.labels, strict=True):
        is_note, is_code = (np.array([block.text in those for block in page.blocks]) for those in (notes, codes))
        labels.append(np.select([is_note, is_code], [BOILERPLATE, BOILERPLATE if misses_code else CONTENT], of_page).astype(np.int8))
    predictions = where(pages, lambda block: block.text in notes, 0.2, -3.0)
    predictions = [
        np.where([len(block.text) > 50 for block in page.blocks], 4.0, odds) for page, odds in zip(pages, predictions, strict=True)
    ]
    found = kept(combine_labels(pages, replace(relevance, labels=tuple(labels)), predictions), pages)
    assert [text in of_page for text, of_page in zip(notes, found, strict=True)] == [is_kept] * 8


def test_a_text_below_every_article_is_no_content_though_it_is_set_like_paragraphs():
    index = "Main index | Topics | Keywords | Full index"
    pages = [page_with(article, insert(lines_of(article), article.paragraphs[-1], BODY(index))) for article in articles(8)]
    assert all(index in of_page for of_page in kept(label_site(pages), pages))
    found = list(kept(label_site(pages, predictions=no_opinion(pages)), pages))
    assert found == [[text for text in of_page if text != index] for of_page in kept(label_site(pages), pages)]


def test_a_text_below_every_article_is_boilerplate_however_unsure_the_labels_are(pages):
    advice = "Subscribe to hear from us every Sunday morning"
    site = [page_with(article, [*lines_of(article), ASIDE(advice)]) for article in articles(8)]
    labels = label_site(site)
    unsure = replace(labels, confidence=replace(labels.confidence, value=0.0))
    predictions = [np.array([2.0 if block.text == advice else 4.0 * (len(block.text) > 50) for block in page.blocks]) for page in site]
    found = kept(combine_labels(site, unsure, predictions), site)
    assert not any(advice in of_page for of_page in found)


def test_copies_of_a_page_change_no_label_of_a_look_once_on_each_page(pages):
    asides = [article.spare[0] for article in articles(3)]
    site = [page_with(article, [*lines_of(article), *map(ASIDE, asides[row : row + 1])]) for row, article in enumerate(articles(8))]
    copied = [*site, *(replace(site[0], url=f"{site[0].url}?{number}", final_url="") for number in range(3))]
    alone, beside = (
        list(kept(label_site(of_site, predictions=where(of_site, lambda block: block.text in asides, 1.3)), of_site))
        for of_site in (site, copied)
    )
    assert beside[:8] == alone


def page_of_no_template(number):
    spots = [ODD(f"{number} {paragraph}") for paragraph in write_article(number).paragraphs]
    return make_page(f"https://x.test/odd/{number}", spots, ("",), ("",))


def test_a_page_of_no_template_stays_without_labels(pages):
    site = [*pages, make_page("https://x.test/contents", [NAV("Home"), NAV("Sports")], ("Contents",), ("",))]
    labels = label_site(site, predictions=where(site, lambda block: len(block.text) > 60, 3.0, -3.0))
    assert (labels.labels[-1] == UNKNOWN).all()
    assert all((label != UNKNOWN).all() for label in labels.labels[:-1])


def test_the_looks_of_a_page_of_no_template_are_not_known(pages):
    teasers = [ODD(page.titles[0]) for page in pages]
    site = [*pages, make_page("https://x.test/front", teasers, ("Front",), ("",))]
    labels = label_site(site, predictions=no_opinion(site))
    assert (labels.labels[-1] == UNKNOWN).all()
    assert [known_share(labels.known, page) for page in site] == [1.0] * len(pages) + [0.0]


def test_the_model_alone_labels_a_site_whose_titles_and_descriptions_choose_nothing(monkeypatch):
    site = [page_of_no_template(number) for number in range(6)]
    nothing = label_site(site)
    monkeypatch.setattr("sightread.labeling.label_site.label_laid_out", lambda *_: replace(nothing, labels=tuple(unknown(site))))
    labels = label_site(site, predictions=where(site, lambda block: block.text.startswith("1"), 0.0, 4.0))
    assert all((label != UNKNOWN).all() for label in labels.labels)


def unknown(pages):
    return [np.full(len(page.blocks), UNKNOWN, np.int8) for page in pages]


@pytest.mark.parametrize("name", LABELERS)
def test_every_labeler_takes_predictions_and_only_ours_use_them(name, pages):
    labels = LABELERS[name](pages, predictions=no_opinion(pages))
    assert (labels.combined is None) == (name == "published")


def test_predictions_that_do_not_fit_the_pages_are_refused(pages):
    with pytest.raises(ValueError, match="one number per block"):
        label_site(pages, predictions=no_opinion(pages)[1:])
    with pytest.raises(ValueError, match="one number per block"):
        combine_labels(pages, label_site(pages), [np.zeros(1) for _ in pages])


@pytest.fixture(scope="module")
def plain_site():
    """Pages of articles alone, and their labels by relevance."""
    pages = [page_with(write_article(number), lines_of(write_article(number))) for number in range(5)]
    return pages, label_site(pages)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_labels_do_not_depend_on_the_order_of_the_pages_and_stronger_predictions_against_relevance_never_lose_content(plain_site, data):
    pages, labels = plain_site
    values = st.floats(-20, 20, allow_nan=False)
    odds = [np.array(data.draw(st.lists(values, min_size=len(page.blocks), max_size=len(page.blocks)))) for page in pages]
    order = data.draw(st.permutations(range(5)))
    found = combine_labels(pages, labels, odds)
    raised = [each + (of_page == BOILERPLATE) for each, of_page in zip(odds, labels.labels, strict=True)]
    stronger = combine_labels(pages, labels, raised)
    assert all(((after == CONTENT) | (before == BOILERPLATE)).all() for before, after in zip(found.labels, stronger.labels, strict=True))
    shuffled = [pages[row] for row in order]
    again = combine_labels(shuffled, label_site(shuffled), [odds[row] for row in order])
    assert [again.labels[order.index(row)].tolist() for row in range(5)] == [label.tolist() for label in found.labels]
