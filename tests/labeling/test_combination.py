"""Labels by relevance and by the predictions of a model together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.combination import WEIGHTS, combine_labels, decide_parts
from sightread.labeling.known_clusters import known_share
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import load_labels, load_parts, save_labels
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
    is_certain = where(pages, lambda block: block.text == footer, 7.0)
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
    for of_comments, is_kept in ((4.6, True), (-4.6, False)):
        odds = [
            np.array([0.4 if block.text in aside else of_comments * (block.text in comments) for block in page.blocks]) for page in pages
        ]
        found = kept(label_site(pages, predictions=odds), pages)
        assert [text in of_page for text, of_page in zip(aside, found, strict=True)] == [is_kept] * 8


def test_a_text_below_every_article_is_no_content_though_it_is_set_like_paragraphs():
    index = "Main index | Topics | Keywords | Full index"
    pages = [page_with(article, insert(lines_of(article), article.paragraphs[-1], BODY(index))) for article in articles(8)]
    assert all(index in of_page for of_page in kept(label_site(pages), pages))
    found = list(kept(label_site(pages, predictions=no_opinion(pages)), pages))
    assert found == [[text for text in of_page if text != index] for of_page in kept(label_site(pages), pages)]


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


BYLINE = Look("main/article/p.byline", {"font-size": "12px"})
ANSWER = Look("main/section.comments/div/p", {"font-size": "15px"}, 690)


def site(count=8):
    found = []
    for number in range(count):
        article = write_article(number)
        spots = [*lines_of(article), ANSWER(f"The {number}. answer disagrees."), ANSWER("Me too.")]
        found.append(page_with(article, [spots[0], BYLINE(f"By writer {number}"), *spots[1:]]))
    return found


PAGES = site()


DATED = Look("main/article/header/div", {"font-size": "12px"}, 690)


@pytest.mark.parametrize(
    ("line", "is_dateline"),
    [
        (lambda number: f"Ann Lee · {number + 1}. May 2024", True),
        (lambda number: f"٢٠٢٤/٥/{number + 1} كتبت آن", True),
        (lambda number: f"Posted by: Ann Lee {number + 2} years, {number} months ago", True),
        (lambda number: f"安娜 {number + 2} 天前 发布", True),
        (lambda number: f"vor {number + 2} Tagen von Anna Lehm", True),
        (lambda number: f"{number + 2} days ago {write_article(number).spare[0]}", False),
        (lambda number: f"In 2024 {write_article(number).spare[0]}", False),
        (lambda number: f"at {number}:0{number} {write_article(number).spare[0]}", False),
        (lambda number: f"Chapter {number + 1} of the book", False),
    ],
)
def test_lines_with_a_year_whose_words_recur_are_datelines_whatever_the_model_predicts(line, is_dateline):
    pages = []
    for number in range(6):
        spots = lines_of(write_article(number))
        pages.append(page_with(write_article(number), [spots[0], DATED(line(number)), *spots[1:]]))
    predictions = [np.array([7.5 if block.text == line(number) else 0.0 for block in page.blocks]) for number, page in enumerate(pages)]
    found = list(kept(label_site(pages, predictions=predictions), pages))
    assert [line(number) in of_page for number, of_page in enumerate(found)] == [not is_dateline] * 6


@pytest.mark.parametrize("title", ["{}", "News of a far away valley and of all the hills around it - {}"])
def test_a_heading_of_any_level_that_repeats_the_title_is_a_headline(title):
    second = Look("main/article/h2", {"font-size": "40px"})
    pages = [
        replace(page_with(article, [second(article.title), *lines_of(article)[1:]]), titles=(title.format(article.title),))
        for article in articles(8)
    ]
    predictions = [np.array([-2.0 if block.heading else 0.0 for block in page.blocks]) for page in pages]
    relevance = label_site(pages)
    missed = [np.where(of_odds < 0, BOILERPLATE, of_page) for of_odds, of_page in zip(predictions, relevance.labels, strict=True)]
    found = kept(combine_labels(pages, replace(relevance, labels=tuple(missed)), predictions), pages)
    assert all(article.title in of_page for article, of_page in zip(articles(8), found, strict=True))


def odds(test, value):
    return [np.array([value if test(block.text) else 0.0 for block in page.blocks]) for page in PAGES]


NOTHING = odds(lambda _: False, 0.0)


def texts(labels):
    return [set(of_page) for of_page in kept(labels, PAGES)]


@pytest.mark.parametrize(("path", "is_kept"), [("main/article/ul.breadcrumb", False), ("main/article/ul.path", True)])
def test_relevance_is_no_evidence_for_breadcrumbs_though_they_hold_the_title(path, is_kept):
    crumbs = Look(path, {"font-size": "12px"}, 690, linked=True)
    pages = [page_with(article, [crumbs(f"Home / {article.title}"), *lines_of(article)]) for article in articles(8)]
    is_crumb = [np.array([block.text.startswith("Home /") for block in page.blocks]) for page in pages]
    relevance = label_site(pages)
    chosen = [np.where(crumb, CONTENT, of_page) for crumb, of_page in zip(is_crumb, relevance.labels, strict=True)]
    slightly_against = [crumb * -1.0 for crumb in is_crumb]
    found = kept(combine_labels(pages, replace(relevance, labels=tuple(chosen)), slightly_against), pages)
    assert [any(text.startswith("Home /") for text in of_page) for of_page in found] == [is_kept] * 8


def test_without_a_choice_the_evidence_decides_and_is_reported():
    labels = label_site(PAGES, predictions=NOTHING)
    assert [(part.kind, part.keep, part.pages, part.is_chosen) for part in labels.parts] == [
        ("comments", False, 8, False),
        ("byline", False, 8, False),
    ]
    assert not any("Me too." in of_page for of_page in texts(labels))
    assert label_site(PAGES).parts == ()


def test_a_part_that_is_content_nearly_everywhere_is_content_everywhere():
    labels = label_site(PAGES, predictions=odds(lambda text: text.startswith("By writer"), 6.0))
    assert [part.keep for part in labels.parts if part.kind == "byline"] == [True]
    assert all(f"By writer {row}" in of_page for row, of_page in enumerate(texts(labels)))


def test_comments_that_are_content_keep_labels_of_their_own_for_dates_and_names():
    pages = []
    for article in articles(8):
        texts = [*article.spare[:6], *(text * 3 for text in article.spare[:6])]
        posts = [spot for text in texts for spot in (Look("main/section.comments/div/i")("J. Doe"), ANSWER(text))]
        pages.append(page_with(article, [*lines_of(article)[:-1], *posts]))
    predictions = [np.array([-2.0 if block.text == "J. Doe" else 4.0 for block in page.blocks]) for page in pages]
    labels = label_site(pages, predictions=predictions)
    assert [part.keep for part in labels.parts if part.kind == "comments"] == [None]
    for article, found in zip(articles(8), kept(labels, pages), strict=True):
        assert set(article.spare[:6]) <= set(found) and "J. Doe" not in found


@pytest.mark.parametrize(("posts", "is_kept"), [(1, False), (5, True)])
@pytest.mark.parametrize("is_behind", [True, False])
def test_comments_behind_a_longer_article_are_its_readers_whatever_the_evidence(posts, is_behind, is_kept):
    pages = []
    for article in articles(8):
        answers, lines = [ANSWER(text * posts) for text in article.spare[:posts]], lines_of(article)[:-1]
        pages.append(page_with(article, [*lines, *answers] if is_behind else [lines[0], *answers, *lines[1:]]))
    predictions = [np.full(len(page.blocks), 4.0) for page in pages]
    labels = label_site(pages, predictions=predictions)
    is_content = is_kept or not is_behind
    first = [article.spare[0] * posts for article in articles(8)]
    assert [text in found for text, found in zip(first, kept(labels, pages), strict=True)] == [is_content] * 8
    assert ["longer article" in part.describe() for part in labels.parts if part.kind == "comments"] == [not is_content]


@pytest.mark.parametrize("declared", ["DiscussionForumPosting", "BlogPosting"])
def test_comments_below_the_long_first_post_of_a_declared_discussion_are_content(declared):
    pages = [
        replace(page_with(article, [*lines_of(article)[:-1], ANSWER(article.spare[0])]), json_ld=(f'{{"@type": "{declared}"}}',))
        for article in articles(8)
    ]
    labels = label_site(pages, predictions=[np.full(len(page.blocks), 4.0) for page in pages])
    first = [article.spare[0] for article in articles(8)]
    is_kept = declared == "DiscussionForumPosting"
    assert [text in found for text, found in zip(first, kept(labels, pages), strict=True)] == [is_kept] * 8


@pytest.mark.parametrize("given", [NOTHING, None])
def test_a_choice_goes_before_the_evidence(given):
    before = texts(label_site(PAGES, predictions=given))
    labels = label_site(PAGES, predictions=given, choices={"comments": True})
    assert [of_page - old for of_page, old in zip(texts(labels), before, strict=True)] == [
        {f"The {row}. answer disagrees.", "Me too."} for row in range(8)
    ]
    back = label_site(PAGES, predictions=odds(lambda text: "answer" in text, 6.0), choices={"comments": False})
    assert [len(of_page & {f"The {row}. answer disagrees."}) for row, of_page in enumerate(texts(back))] == [0] * 8


def test_a_choice_is_kept_for_a_part_that_no_page_has():
    parts, labels = decide_parts(PAGES, label_site(PAGES).labels, {"breadcrumbs": False})
    assert [(part.kind, part.keep, part.pages, part.is_chosen) for part in parts if part.kind == "breadcrumbs"] == [
        ("breadcrumbs", False, 0, True)
    ]
    assert all((own == other).all() for own, other in zip(labels, label_site(PAGES).labels, strict=True))


def test_pages_without_labels_stay_without():
    unknown = [np.full(len(page.blocks), UNKNOWN, np.int8) for page in PAGES]
    parts, labels = decide_parts(PAGES, unknown, {"comments": True})
    assert all((of_page == UNKNOWN).all() for of_page in labels)
    assert [part.pages for part in parts] == [0]


def test_decisions_are_stored_with_the_labels(tmp_path):
    labels = label_site(PAGES, predictions=NOTHING, choices={"comments": True})
    save_labels(tmp_path / "labels.json", labels, "digest")
    assert load_parts(tmp_path / "labels.json") == labels.parts == load_labels(tmp_path / "labels.json", "digest").parts
    assert load_parts(tmp_path / "none.json") == ()


def test_the_papers_labels_know_no_parts():
    assert LABELERS["published"](PAGES, predictions=NOTHING, choices={"comments": True}).parts == ()
