"""Which containers of a page are its article."""

import pytest

from sightread.labeling.articles import LABEL, SENTENCES, is_prose
from sightread.render.page import Page
from tests.labeling.sites import (
    AD,
    BODY,
    CAPTION,
    FORMULA,
    ITEM,
    LEDE,
    PAGES,
    QUOTE,
    RELATED,
    SHARE,
    SUBHEAD,
    TEASER,
    Article,
    Look,
    Spot,
    articles,
    insert,
    lines_of,
    page_with,
    texts,
    whole,
    with_middle,
)


@pytest.mark.parametrize(
    "text",
    [
        "The river took the bridge.",
        "Who was it?",
        "Help!",
        "And then it all began anew…",
        "“We saw it coming.”",
        'He said: "Run!"',
        'He turned round and said: "Run"',
        "河上建了新的桥。",
        "नदी पर नया पुल बना।",
        "تم بناء جسر جديد على النهر؟",
        "پل بن گیا۔",
        "It is done.  \n",
    ],
)
def test_what_ends_like_a_sentence_is_prose(text: str):
    assert is_prose(text)


@pytest.mark.parametrize(
    "text", ["", "  ", "Share", "Flood takes the old bridge", "Read more »", "Share…", "“Next”", "12 views", "河上建了新的桥", "Next,"]
)
def test_titles_and_buttons_are_not(text: str):
    assert not is_prose(text)


@pytest.mark.parametrize("colon", [":", "："])
def test_a_colon_ends_an_announcement_of_enough_words_but_not_a_label(colon: str):
    assert is_prose(" ".join(["word"] * LABEL) + colon)
    assert not is_prose(" ".join(["word"] * (LABEL - 1)) + colon)


def test_a_long_text_is_prose_whatever_it_ends_with():
    assert is_prose(" ".join(["word"] * SENTENCES))
    assert not is_prose(" ".join(["word"] * (SENTENCES - 1)))


def test_in_scripts_without_spaces_a_text_is_long_by_its_characters():
    assert is_prose("桥" * 2 * SENTENCES)
    assert not is_prose("桥" * SENTENCES)


NOTICE = Look("div.notice/p", {"position": "fixed"}, 1600)
KICKER = Look("main/article/div.kicker", {"text-transform": "uppercase"})
PULLED = Look("main/article/div/div.pulled", {"float": "right"}, 250)


def site_with(look: Look, *numbers: int) -> tuple[list[Page], list[list[str]]]:
    """A site whose articles hold, behind their second paragraph, spare sentences of their own in that look; and what they hold."""

    def spare(article: Article) -> list[str]:
        return [article.spare[number] for number in numbers]

    pages = with_middle(lambda article: map(look, spare(article)))
    return pages, [[article.title, *article.paragraphs[:2], *spare(article), *article.paragraphs[2:]] for article in articles(PAGES)]


@pytest.mark.parametrize("look", [QUOTE, CAPTION, FORMULA, ITEM, SUBHEAD, PULLED], ids=lambda look: look.path.rpartition("/")[2])
def test_sentences_between_the_paragraphs_belong_to_the_article(look: Look):
    pages, expected = site_with(look, 0, 1)
    assert texts(pages) == expected


@pytest.mark.parametrize("look", [CAPTION, ITEM, SUBHEAD, QUOTE, FORMULA], ids=lambda look: look.path.rpartition("/")[2])
def test_short_texts_of_an_articles_structure_belong_to_it_without_a_full_stop(look: Look):
    pages = with_middle(lambda article: [look(article.spare[0][:12])])
    assert [found[3] for found in texts(pages)] == [article.spare[0][:12] for article in articles(PAGES)]


@pytest.mark.parametrize("look", [SHARE, PULLED], ids=["span", "narrow box"])
def test_short_texts_of_no_structure_and_less_width_do_not(look: Look):
    pages = with_middle(lambda article: [look(article.spare[0][:12])])
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


def test_the_lede_under_the_headline_belongs_to_the_article():
    pages = [page_with(article, insert(lines_of(article), article.title, LEDE(article.spare[0]))) for article in articles(PAGES)]
    assert [found[:2] for found in texts(pages)] == [[article.title, article.spare[0]] for article in articles(PAGES)]


def test_what_stands_above_the_headline_does_not():
    pages = [page_with(article, [NOTICE(article.spare[0]), *lines_of(article)]) for article in articles(PAGES)]
    assert [found[0] for found in texts(pages)] == [article.title for article in articles(PAGES)]


def test_a_heading_that_is_not_the_title_is_no_headline():
    def with_heading(article: Article) -> Page:
        return page_with(article, insert(lines_of(article), "Sports", Look("header/h1", width=300)(article.spare[0][:14])))

    assert texts([with_heading(article) for article in articles(PAGES)]) == [
        [article.title, *article.paragraphs] for article in articles(PAGES)
    ]


def test_a_title_that_is_not_set_as_a_heading_is_no_headline():
    pages = [page_with(article, lines_of(article, headline=KICKER)) for article in articles(PAGES)]
    assert texts(pages) == [list(article.paragraphs) for article in articles(PAGES)]


def repeated_ad(article: Article) -> list[Spot]:
    return [AD(f"Buy the new electric lawn mower number {article.number % 2} and save a lot of money today.")]


def teasers(article: Article) -> list[Spot]:
    """The descriptions of the two articles that follow."""
    return [TEASER(articles(PAGES)[(article.number + step) % PAGES].description) for step in (1, 2)]


def related(article: Article) -> list[Spot]:
    return [RELATED(article.spare[number]) for number in range(3)]


def share_labels(article: Article) -> list[Spot]:
    return [SHARE(text) for text in ("Share.", "Print.", "Send to a friend.")]


@pytest.mark.parametrize("furniture", [repeated_ad, teasers, related, share_labels], ids=lambda furniture: furniture.__name__)
def test_boilerplate_among_the_paragraphs_stays_out(furniture):
    assert texts(with_middle(furniture)) == [whole(article) for article in articles(PAGES)]


def test_sentences_behind_the_article_stay_out():
    authors = Look("main/article/section.author/p", {"font-style": "italic"}, 500)
    pages = [
        page_with(article, insert(lines_of(article), article.paragraphs[-1], authors(article.spare[0]))) for article in articles(PAGES)
    ]
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


def test_one_paragraph_astray_is_not_of_the_article_and_does_not_widen_it():
    note = Look("main/section.notes/div/p", {"color": "gray"}, 500)
    pages = [
        page_with(article, insert(lines_of(article), article.paragraphs[-1], note(article.spare[0]), BODY(f"Stray {article.number}.")))
        for article in articles(PAGES)
    ]
    assert texts(pages) == [whole(article) for article in articles(PAGES)]
