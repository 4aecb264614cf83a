"""Which blocks of a page are its article: containers, columns, captions; and what only looks like a part of it: cards, counts, labels."""

from dataclasses import replace

import pytest

from sightread.labeling.articles import LABEL, SENTENCES, is_prose
from sightread.labeling.geometry import PLACE
from sightread.labeling.label_site import label_site
from sightread.render.page import Image, Page
from tests.labeling.sites import (
    AD,
    BODY,
    CAPTION,
    CELL,
    FORMULA,
    HEADLINE,
    ITEM,
    LEDE,
    NAV,
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
    kept,
    lines_of,
    middles,
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


def test_in_scripts_without_spaces_a_text_is_long_by_its_characters():
    assert is_prose("桥" * 2 * SENTENCES)
    assert not is_prose("桥" * SENTENCES)


NOTICE = Look("div.notice/p", {"position": "fixed"}, 1600)
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


CARD_TITLE = Look("main/article/div/ul/li/div.title", {"font-weight": "700"}, 300)
CARD_COUNT = Look("main/article/div/ul/li/span", {"color": "gray"}, 60)


def card(look: Look, row: int, text: str) -> Spot:
    """A block of an item of its own."""
    return replace(look, path=look.path.replace("/li/", f"/li#i{row}/"))(text)


def playlist(article: Article) -> list[Spot]:
    """Items of a title and a count each."""
    return [
        spot
        for row in range(3)
        for spot in (card(CARD_TITLE, row, f"{article.spare[row][:20]}."), card(CARD_COUNT, row, f"{7 * row + 3} songs by us"))
    ]


def test_a_playlist_is_no_list_of_the_article():
    assert middles(with_middle(playlist)) == [[]] * PAGES


def test_a_list_with_a_title_in_every_item_is():
    pages = with_middle(lambda article: [card(CARD_TITLE, row, article.spare[row][:20]) for row in range(3)])
    assert middles(pages) == [[text[:20] for text in article.spare[:3]] for article in articles(PAGES)]


def test_a_subheading_ahead_of_content_is_of_the_article_though_it_may_repeat():
    names = ("Background", "What now?")
    pages = with_middle(lambda a: [AD("Advertisement"), SUBHEAD(names[a.number % 2] if a.number < 6 else a.spare[0][:9])])
    assert [found[0] for found in middles(pages)[:6]] == [*names] * 3


def test_a_heading_that_all_pages_share_is_of_the_site():
    assert middles(with_middle(lambda _: [SUBHEAD("Background")])) == [[]] * PAGES


def test_a_heading_ahead_of_boilerplate_is_boilerplate():
    pages = with_middle(lambda article: [SUBHEAD(f"More on {article.spare[3][:9]}"), *map(RELATED, article.spare[:3])])
    assert middles(pages) == [[]] * PAGES


def test_a_heading_at_the_very_end_is_boilerplate():
    pages = [page_with(a, [*lines_of(a)[:-1], SUBHEAD(f"More on {a.spare[3][:9]}")]) for a in articles(PAGES)]
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


def test_a_label_that_ends_in_a_colon_is_no_sentence_but_an_announcement_is():
    label = replace(SHARE, width=200)
    announcement = "What they found in the {} of the old town:"
    names = [article.title.split()[0] for article in articles(PAGES)]
    assert middles(with_middle(lambda article: [label(f"{names[article.number]}:")])) == [[]] * PAGES
    assert middles(with_middle(lambda article: [label(announcement.format(names[article.number]))])) == [
        [announcement.format(name)] for name in names
    ]


@pytest.mark.parametrize("text", ["{}", "{} views", "{} of 12 people liked this text."])
def test_counts_are_boilerplate_whatever_the_numbers(text: str):
    assert middles(with_middle(lambda article: [FORMULA(text.format(17 * article.number + 3))])) == [[]] * PAGES


def test_numbers_in_the_cells_of_a_table_are_of_the_article():
    def cells(article: Article) -> list[Spot]:
        return [CELL(str(1000 * (article.number + 1) + 17 * row)) for row in range(4)]

    assert middles(with_middle(cells)) == [[spot.text for spot in cells(article)] for article in articles(PAGES)]


def test_a_block_that_other_pages_say_too_is_no_content_among_those_that_are_the_pages_own():
    notice = "Read all about the flood of the year in our dossier."
    pages = with_middle(lambda article: [QUOTE(article.spare[0]), *([QUOTE(notice)] if article.number < 3 else [])])
    assert middles(pages) == [[article.spare[0]] for article in articles(PAGES)]


def test_blocks_that_repeat_have_no_vote_but_make_their_look_the_sites_where_they_are_most():
    labels = ("Top story", "In the valley", "Today")
    assert middles(with_middle(lambda article: [PULLED(article.spare[0]), PULLED(labels[0])])) == [
        [article.spare[0]] for article in articles(PAGES)
    ]
    assert middles(with_middle(lambda article: [PULLED(article.spare[0]), *map(PULLED, labels)])) == [[]] * PAGES


def test_ledes_may_stand_outside_of_the_container_and_be_of_several_looks():
    second = Look("main/div.intro/p", {"font-weight": "700"}, 650)
    pages = [page_with(a, insert(lines_of(a), a.title, LEDE(a.spare[0]), second(a.spare[1]))) for a in articles(PAGES)]
    assert [found[:3] for found in texts(pages)] == [[article.title, *article.spare[:2]] for article in articles(PAGES)]


def test_a_label_between_headline_and_text_is_no_lede():
    pages = [page_with(a, insert(lines_of(a), a.title, LEDE(f"By {a.spare[0][:14]}"))) for a in articles(PAGES)]
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


CREDIT = Look("main/article/div/div.picture/span", {"color": "gray"}, 380)
WIDE = (400, 250)
"""CSS px of a picture that is one of the article's."""


def pictured(*spots: Spot) -> list[Spot]:
    """The blocks, under a picture."""
    return [spots[0].under(*WIDE), *spots[1:]]


def short(article: Article, row: int = 0) -> str:
    """A few words without a full stop."""
    return article.spare[row][:14]


def test_a_short_caption_beneath_a_picture_is_of_the_article_whatever_its_tags():
    assert middles(with_middle(lambda a: pictured(CREDIT(short(a))))) == [[short(article)] for article in articles(PAGES)]


def test_a_credit_follows_its_caption_and_may_repeat():
    credit = Look("main/article/div/div.picture/em", {"font-size": "10px"}, 200)
    agencies = ("Photo by Ann Lee", "Photo by Bo Sand", "Valley Press", "Hill Agency")
    pages = with_middle(lambda a: pictured(CREDIT(short(a)), credit(agencies[a.number % 4])))
    assert middles(pages) == [[short(article), agencies[article.number % 4]] for article in articles(PAGES)]


@pytest.mark.parametrize("size", [(PLACE.picture_width - 1, 250), (400, PLACE.picture_height - 1)], ids=["narrow", "low"])
def test_a_thumbnail_has_no_caption(size: tuple[int, int]):
    look = replace(CREDIT, width=100)
    assert middles(with_middle(lambda a: [look(short(a)).under(*size)])) == [[]] * PAGES
    assert middles(with_middle(lambda a: [look(short(a)).under(PLACE.picture_width, PLACE.picture_height)])) == [
        [short(a)] for a in articles(PAGES)
    ]


def moved(page: Page, by: float) -> Page:
    """The page with its pictures further down, or up."""
    boxes = [image.box for image in page.images]
    return replace(
        page, images=tuple(image._replace(box=box._replace(y=box.y + by)) for image, box in zip(page.images, boxes, strict=True) if box)
    )


def test_a_caption_is_set_right_beneath_its_picture_and_no_wider():
    pages, kept = with_middle(lambda a: pictured(CREDIT(short(a)))), [[short(article)] for article in articles(PAGES)]
    wider = [replace(CREDIT, width=WIDE[0] + PLACE.caption_slack + more) for more in (0, 1)]
    bare = [replace(page, images=tuple(image._replace(box=None) for image in page.images)) for page in pages]
    outside = [replace(page, images=tuple(Image(i.source, i.alt, 0, i.before, i.box) for i in page.images)) for page in pages]
    assert middles([moved(page, WIDE[1] / 2) for page in pages]) == [[]] * PAGES  # laid over it
    assert middles([moved(page, 11 - PLACE.caption_gap) for page in pages]) == kept
    assert middles([moved(page, -PLACE.caption_gap) for page in pages]) == [[]] * PAGES
    assert middles(with_middle(lambda a: pictured(wider[0](short(a))))) == kept
    assert middles(with_middle(lambda a: pictured(wider[1](short(a))))) == [[]] * PAGES
    assert middles(bare) == middles(outside) == [[]] * PAGES


def test_what_follows_a_paragraph_under_the_picture_is_no_caption():
    narrow = Look("main/article/div/p", width=380)

    def middle(article: Article) -> list[Spot]:
        return [narrow(article.spare[3]).under(*WIDE), replace(CREDIT, width=200)(short(article))]

    pages = [page_with(a, [NAV("Home"), HEADLINE(a.title), *middle(a), *map(narrow, a.paragraphs)]) for a in articles(PAGES)]
    assert texts(pages) == [[article.title, article.spare[3], *article.paragraphs] for article in articles(PAGES)]


def test_the_usual_container_corrects_a_page_where_comments_have_widened_it():
    """On one page two comments are set like paragraphs, in a single container: no split tells them apart."""
    comment = replace(BODY, path="main/section/div/p")
    body = replace(BODY, path="main/section.story/div/p")
    chatter = Look("main/aside/p", {"font-size": "12px"}, 300)

    def page(article: Article) -> Page:
        more = [*map(comment, article.spare[6:9])] if article.number == 0 else []
        spots = [*lines_of(article, body)[:-1], *more, chatter(article.spare[0])]
        return page_with(article, spots)

    assert texts([page(article) for article in articles(PAGES)]) == [whole(article) for article in articles(PAGES)]


def test_where_the_paragraphs_are_elsewhere_a_page_keeps_its_own_container():
    elsewhere = replace(BODY, path="main/section/div/p")
    pages = [
        page_with(a, lines_of(a, elsewhere if a.number == 0 else replace(BODY, path="main/section.story/div/p"))) for a in articles(PAGES)
    ]
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


def test_a_line_in_the_usual_container_is_too_little_for_a_page_to_have_it():
    usual, elsewhere = replace(BODY, path="main/section.story/div/p"), replace(BODY, path="main/section/div/p")
    pages = [page_with(article, lines_of(article, usual)) for article in articles(PAGES)]
    first = articles(PAGES)[0]
    pages[0] = page_with(first, insert(lines_of(first, elsewhere), first.paragraphs[-1], usual("One line more.")))
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


@pytest.mark.parametrize("path", ["ul/li", "ol/li", "table/tr/td", "dl/dd", "blockquote"])
def test_a_structure_is_no_container_and_what_stands_around_it_is_of_the_article(path: str):
    """The paragraphs are set in a list, a table or a quote; what is set between two such is of the article too."""
    body = Look(f"main/article/div/{path}/p")
    between = Look("main/article/div/p", {"font-style": "italic"}, 620)

    def page(article: Article) -> Page:
        return page_with(article, [*lines_of(article, body)[:-1], between(article.spare[0])])

    assert texts([page(article) for article in articles(PAGES)]) == [[*whole(article), article.spare[0]] for article in articles(PAGES)]


def test_of_one_look_inside_and_outside_of_the_article_only_the_inside_is_content():
    """Captions and, behind the article, the titles of others."""
    outside = replace(CREDIT, path="main/article/section/div/span")
    inside = replace(CREDIT, path="main/article/section.story/div/span")
    body = replace(BODY, path="main/article/section.story/p")

    def page(article: Article) -> Page:
        spots = insert(lines_of(article, body), article.paragraphs[1], *pictured(inside(short(article))))
        return page_with(article, insert(spots, article.paragraphs[-1], *(outside(short(article, row)) for row in (1, 2, 3))))

    pages = [page(article) for article in articles(PAGES)]
    found = label_site(pages)
    assert len({number for numbers in found.assignments for number in numbers[[5, 8, 9, 10]].tolist()}) == 1
    assert [texts[3] for texts in kept(found, pages)] == [short(article) for article in articles(PAGES)]
    assert [len(texts) for texts in kept(found, pages)] == [6] * PAGES
