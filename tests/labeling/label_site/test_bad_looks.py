"""Looks that no sane site has, through table, clusterings and labeler: clear behaviour, no crash, no warning, bounded memory."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace

import pytest

from sightread.labeling.clusterings import CLUSTERINGS, dbscan
from sightread.labeling.known_clusters import assign, remember
from sightread.labeling.label_site import label_site
from sightread.labeling.looks import WIDEST, build_table
from sightread.render.errors import BadRecord
from sightread.render.page import Block, Box, Element, Page, decode_page, encode_page
from tests.labeling.sites import BODY, articles, lines_of, make_page, news_site, page_with

every_clustering = pytest.mark.parametrize("name", CLUSTERINGS)
NOT_WIDTHS = (float("nan"), float("inf"), float("-inf"), -5.0, 1e300)


def with_widths(page: Page, widths: Sequence[float]) -> Page:
    """The page with the widths of its first blocks replaced."""
    new = [replace(block, box=block.box._replace(width=width)) for block, width in zip(page.blocks, widths, strict=False)]
    return replace(page, blocks=(*new, *page.blocks[len(new) :]))


def test_a_width_that_is_none_counts_as_not_measured_and_a_huge_one_as_the_widest():
    page = with_widths(make_page("https://x.test/", [BODY("a")] * 6), NOT_WIDTHS)
    assert build_table([page]).width.tolist() == [0, WIDEST, 0, 0, WIDEST, 700]


@pytest.mark.parametrize("width", NOT_WIDTHS[:4])
def test_a_stored_page_holds_no_such_width(width: float):
    page = with_widths(make_page("https://x.test/", [BODY("a")]), [width])
    with pytest.raises(BadRecord, match="not a page of schema"):
        decode_page(encode_page(page))


@every_clustering
def test_widths_that_are_none_leave_the_other_pages_labels_alone(name: str):
    clean = news_site(6)
    torn = [*clean, *(with_widths(page, NOT_WIDTHS) for page in news_site(8)[6:])]
    found, alone = label_site(torn, CLUSTERINGS[name]), label_site(clean, CLUSTERINGS[name])
    assert [labels.tolist() for labels in found.labels[:6]] == [labels.tolist() for labels in alone.labels]


@every_clustering
@pytest.mark.parametrize(
    "pages",
    [
        [make_page("https://x.test/", [BODY("One sentence alone.")])],
        [make_page(f"https://x.test/{row}", [BODY(f"Sentence number {row}.")] * 5) for row in range(4)],
        [news_site(1)[0]] * 12,
        [make_page("https://x.test/empty", []), *news_site(2)],
    ],
    ids=["one block", "one look", "identical pages", "a page without blocks"],
)
def test_a_site_with_little_to_tell_gets_a_label_for_every_block(name: str, pages: list[Page]):
    found = label_site(pages, CLUSTERINGS[name])
    assert [len(labels) for labels in found.labels] == [len(page.blocks) for page in pages]
    assert assign(found.known, build_table(pages)).min(initial=0) >= 0


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
