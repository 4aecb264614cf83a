"""Sites and looks that give little, too much or nonsense: labels and low confidence with advice, or one line that says why not."""

import math
import tracemalloc
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.clusterings import CLUSTERINGS, dbscan
from sightread.labeling.known_clusters import assign, remember
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import TRUSTED, SiteLabels
from sightread.labeling.looks import build_table
from sightread.render.errors import Rejected
from sightread.render.labels import CONTENT
from sightread.render.page import Block, Box, Element, Page
from tests.labeling.sites import (
    BODY,
    HEADLINE,
    NAV,
    Look,
    articles,
    kept,
    lines_of,
    make_page,
    news_site,
    page_with,
    same_but_for_the_url,
    write_article,
)

Pages = Sequence[Page]


def with_blocks(pages: Pages, change: Callable[[int, Block], Block]) -> list[Page]:
    """Return the pages with each block changed; its row is given too."""
    return [replace(page, blocks=tuple(change(row, block) for row, block in enumerate(page.blocks))) for page in pages]


def with_boxes(*boxes: Box) -> list[Page]:
    """Return a plain site whose blocks have these boxes in turn."""
    return with_blocks(news_site(), lambda row, block: msgspec.structs.replace(block, box=boxes[row % len(boxes)]))


def with_text(pages: Pages, text: str) -> list[Page]:
    """Return the pages with a first paragraph that begins with the text."""
    return with_blocks(pages, lambda row, block: msgspec.structs.replace(block, text=f"{text} {block.text}") if row == 3 else block)


def texts_of(pages: Pages) -> list[list[str]]:
    return [[page.blocks[2].text, *(block.text for block in page.blocks[3:7])] for page in pages]


def check(found: SiteLabels, pages: Pages) -> None:
    """Fail unless there is a label for every block, and figures that are numbers."""
    assert (
        [len(labels) for labels in found.labels] == [len(numbers) for numbers in found.assignments] == [len(page.blocks) for page in pages]
    )
    figures = (found.confidence.value, found.confidence.coverage, found.confidence.agreement, found.confidence.text_share)
    assert all(0 <= figure <= 1 for figure in (*figures, *found.page_confidence))
    assert len(found.page_confidence) == len(pages)
    assert all(math.isfinite(cluster.width) and math.isfinite(cluster.relevance) for cluster in found.clusters)
    assert all("\n" not in advice and advice.endswith(".") for advice in found.confidence.advice)


POOR = {
    "one page": lambda: news_site(1),
    "one page of one block": lambda: [make_page("https://x.test/", [BODY("Only this one line stands here.")])],
    "pages of one block": lambda: [make_page(f"https://x.test/{n}", [BODY(f"Only line {n} stands here.")]) for n in range(8)],
    "identical pages": lambda: news_site(1) * 8,
    "pages identical but for the URL": lambda: same_but_for_the_url(8),
    "nothing but marks": lambda: [make_page(f"https://x.test/{n}", [BODY("!!! --- ..."), BODY("???")]) for n in range(8)],
    "titles of nothing": lambda: [replace(page, titles=("", "  ", "\u200b"), descriptions=("", "\n")) for page in news_site()],
}


@pytest.mark.parametrize("pages", [make() for make in POOR.values()], ids=POOR)
def test_a_site_that_gives_little_is_labelled_and_doubted_with_advice(pages: Pages):
    found = label_site(pages)
    check(found, pages)
    assert found.confidence.value < TRUSTED
    assert found.confidence.advice
    assert all((labels == CONTENT).any() for labels in found.labels)


NAN, INFINITY = math.nan, math.inf
ODD_BOXES = {
    "no width": (Box(0, 0, 0, 0),),
    "no number": (Box(NAN, NAN, NAN, NAN),),
    "no number here and there": (Box(0, 0, NAN, 20), Box(0, NAN, 700, NAN)),
    "no end": (Box(INFINITY, -INFINITY, INFINITY, INFINITY),),
    "no end here and there": (Box(0, 0, 700, 20), Box(0, 0, INFINITY, 20), Box(0, INFINITY, 700, 20)),
    "less than nothing": (Box(0, 0, -700, -20), Box(-1e9, -1e9, 700, 20)),
    "the largest and the smallest numbers": (Box(0, 0, 1e308, 1e308), Box(0, 1e308, 5e-324, 1e308)),
}


@pytest.mark.parametrize("boxes", ODD_BOXES.values(), ids=ODD_BOXES)
def test_boxes_that_measure_nothing_leave_what_styles_and_paths_tell(boxes: tuple[Box, ...]):
    pages = with_boxes(*boxes)
    found = label_site(pages)
    check(found, pages)
    assert all(set(texts) & set(own) for texts, own in zip(kept(found, pages), texts_of(pages), strict=True))


def test_ten_thousand_blocks_on_one_page_do_not_outvote_the_other_pages():
    article = write_article(99)
    long = page_with(article, [NAV("Home"), HEADLINE(article.title), *(BODY(f"{article.spare[n % 12]} {n}.") for n in range(10_000))])
    pages = [long, *news_site(8)]
    found = label_site(pages)
    check(found, pages)
    assert list(kept(found, pages))[1:] == texts_of(pages[1:])
    assert found.labels[0].sum() == 10_001


@pytest.mark.parametrize("letter", ["x", "x ", "江", "ا"], ids=["one word", "many words", "no spaces", "right to left"])
def test_hundreds_of_thousands_of_one_letter_are_a_paragraph_even_where_the_title_is_the_same(letter: str):
    long = letter * (300_000 // len(letter))
    pages = [replace(page, titles=(*page.titles, long)) for page in with_text(news_site(3), long)]
    found = label_site(pages)
    check(found, pages)
    assert next(kept(found, pages))[-3:] == texts_of(pages)[0][-3:]


@pytest.mark.parametrize("field", ["titles", "descriptions"])
@pytest.mark.parametrize("make", ["megabytes", "thousands"])
def test_titles_and_descriptions_beyond_all_measure_do_no_harm(field: str, make: str):
    long = " ".join(write_article(50, 3000).paragraphs)
    pages = [
        replace(page, **{field: (*getattr(page, field), long[1000 * row :])})
        if make == "megabytes"
        else replace(page, **{field: tuple(f"{getattr(page, field)[0]} {number}" for number in range(2000))})
        for row, page in enumerate(news_site())
    ]
    found = label_site(pages)
    check(found, pages)
    assert [texts[-4:] for texts in kept(found, pages)] == [texts[-4:] for texts in texts_of(pages)]


def test_a_megabyte_of_json_ld_and_json_too_deep_to_read_do_no_harm():
    scripts = ("[" * 100_000 + "]" * 100_000, '{"@type": "NewsArticle", "headline": "' + "x " * 500_000 + '"}', '{"@type": [[[{}]]]}')
    pages = [replace(page, json_ld=scripts) for page in news_site(5)]
    assert [texts[-4:] for texts in kept(label_site(pages), pages)] == [texts[-4:] for texts in texts_of(pages)]


@pytest.mark.parametrize(
    "odd",
    ["\x00\x01\x1b[31m\x7f\x85", "\ud800", "\udfff\ud83d", "\u202e\u2066\ufeff\u200b", "\ufffe\uffff", "\U000e0001\U0010ffff"],
    ids=lambda odd: "-".join(unicodedata.category(character) for character in odd[:2]),
)
def test_characters_that_no_text_has_change_nothing(odd: str):
    pages = [replace(page, titles=tuple(odd + title for title in page.titles)) for page in news_site()]
    pages = with_blocks(pages, lambda _, block: msgspec.structs.replace(block, text=odd + block.text + odd, inlines=()))
    assert list(kept(label_site(pages), pages)) == texts_of(pages)


def test_a_tree_a_thousand_elements_deep_is_read():
    deep = "/".join(["div"] * 1000)
    body, headline = Look(f"{deep}/p"), Look(f"{deep}/h1", {"font-size": "40px"})
    pages = [page_with(article, lines_of(article, body, headline)) for article in articles(5)]
    assert list(kept(label_site(pages), pages)) == [[article.title, *article.paragraphs] for article in articles(5)]


NOTHING = {
    "no pages": [],
    "pages without blocks": [make_page(f"https://x.test/{number}", []) for number in range(3)],
    "pages of empty blocks": with_blocks(news_site(3), lambda _, block: msgspec.structs.replace(block, text="", inlines=(), link_chars=0)),
    "pages that show nothing": with_blocks(news_site(3), lambda _, block: msgspec.structs.replace(block, hidden="display")),
    "nothing but links": with_blocks(news_site(3), lambda _, block: msgspec.structs.replace(block, link_chars=len(block.text))),
    "more characters in links than there are": with_blocks(news_site(3), lambda _, block: msgspec.structs.replace(block, link_chars=10**9)),
}


@pytest.mark.parametrize("pages", NOTHING.values(), ids=NOTHING)
def test_a_site_without_text_is_rejected_in_one_line_with_advice(pages: Pages):
    with pytest.raises(Rejected, match=rf"^none of the {len(pages)} pages .*: start from a page that leads to articles$"):
        label_site(pages)


NUMBERS = st.floats(allow_nan=True, allow_infinity=True)
BLOCKS = st.builds(
    Block,
    text=st.text(max_size=60) | st.sampled_from(["The flood took the old bridge.", "Home", "\ud800"]),
    element=st.integers(0, 4),
    style=st.none() | st.integers(0, 1),
    box=st.none() | st.builds(Box, NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    link_chars=st.integers(0, 80),
    hidden=st.sampled_from(["", "", "", "display", "offscreen"]),
    heading=st.integers(0, 6),
)
ELEMENTS = (Element("body", -1), Element("div", 0), Element("p", 1), Element("li", 1), Element("h1", 0))
SITES = st.lists(
    st.builds(
        lambda blocks, about, url: Page(url, url, "imported", ELEMENTS, tuple(blocks), ({}, {"color": "red"}), {}, *about),
        st.lists(BLOCKS, max_size=8),
        st.tuples(*[st.lists(st.text(max_size=40), max_size=2).map(tuple)] * 2),
        st.sampled_from(["", "https://x.test/1", "https://x.test/2", "https://x.test/3"]),
    ),
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(SITES)
def test_whatever_the_pages_hold_they_are_labelled_or_rejected(pages: list[Page]):
    try:
        found = label_site(pages)
    except Rejected:
        return
    check(found, pages)
    assert all(set(np.unique(labels).tolist()) <= {-1, 0, 1} for labels in found.labels)


every_clustering = pytest.mark.parametrize("name", CLUSTERINGS)
NOT_WIDTHS = (float("nan"), float("inf"), float("-inf"), -5.0, 1e300)


def with_widths(page: Page, widths: Sequence[float]) -> Page:
    """The page with the widths of its first blocks replaced."""
    new = [msgspec.structs.replace(block, box=block.box._replace(width=width)) for block, width in zip(page.blocks, widths, strict=False)]
    return replace(page, blocks=(*new, *page.blocks[len(new) :]))


@every_clustering
def test_widths_that_are_none_leave_the_other_pages_labels_alone(name: str):
    clean = news_site(6)
    torn = [*clean, *(with_widths(page, NOT_WIDTHS) for page in news_site(8)[6:])]
    found, alone = label_site(torn, CLUSTERINGS[name]), label_site(clean, CLUSTERINGS[name])
    assert [labels.tolist() for labels in found.labels[:6]] == [labels.tolist() for labels in alone.labels]


def hostile_page(styles: int, properties: int, number: int = 0) -> Page:
    """A page whose every block has a style of its own, of that many properties."""
    names = [f"--property-{row}" for row in range(properties)]
    blocks = tuple(Block(f"Words of block {row}.", 1, row, Box(0, 30.0 * row, 700, 20)) for row in range(styles))
    tables = tuple(dict.fromkeys(names, f"{number}-{row}") for row in range(styles))
    return Page("https://x.test/", "https://x.test/", "browser", (Element("body", -1), Element("p", 0)), blocks, tables)


@every_clustering
def test_thousands_of_properties_are_labelled_like_a_few(name: str):
    pages = [*(page_with(article, lines_of(article)) for article in articles(5)), hostile_page(60, 2000)]
    found = label_site(pages, CLUSTERINGS[name])
    assert [labels.tolist() for labels in found.labels[:5]] == [[0, 0, 1, 1, 1, 1, 1, 0]] * 5


def test_a_property_takes_no_memory_but_its_pages():
    pages = [hostile_page(100, 2000, number) for number in range(2)]
    tracemalloc.start()
    table = build_table(pages)
    clusters = dbscan(table)
    assigned = assign(remember(table, clusters), table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert assigned.tolist() == clusters.tolist() == list(range(200))
    assert peak < 4 * 200 * 2000, "bytes, of properties that take a hundred each in the pages"
