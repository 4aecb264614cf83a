"""What is known of each block: whose text it is, and how much of it stands outside links."""

from dataclasses import replace

from sightread.labeling.clusterings.dbscan import dbscan
from sightread.labeling.evidence.evidence import LEAST_OWN_SHARE, REPEATED_ON, Evidence, gather
from sightread.labeling.evidence.page_copies import COPIES
from sightread.labeling.evidence.relevance import token_relevance
from sightread.labeling.evidence.site_table import read_site
from sightread.render.page import Page
from tests.labeling.sites import AD, BODY, HEADLINE, NAV, TEASER, make_page, news_site

ADVERTISEMENT = "Buy the new lawn mower today."
assert len(ADVERTISEMENT) >= COPIES.least_text


def evidence_of(pages: list[Page]) -> Evidence:
    table = read_site(pages)
    return gather(table, dbscan(table.looks), token_relevance)


def repeated(pages: list[Page], text: str) -> list[bool]:
    """Of each block with that text, in order, whether it counts as repeated."""
    evidence = evidence_of(pages)
    return [bool(evidence.repeated[index]) for index in range(len(evidence.table.page)) if evidence.table.block(index).text == text]


def pages_with(look, texts: list[str]) -> list[Page]:
    return [make_page(f"https://x.test/{row}", [BODY(f"Own text of page {row}."), look(text)]) for row, text in enumerate(texts)]


def test_a_short_text_in_one_look_on_three_pages_is_boilerplate():
    assert repeated(pages_with(AD, ["Share", "Share", "x"]), "Share") == [False, False]
    assert repeated(pages_with(AD, ["Share"] * REPEATED_ON), "Share") == [True] * REPEATED_ON


def test_a_short_text_in_three_looks_is_not():
    pages = [make_page(f"https://x.test/{row}", [look("Spring")]) for row, look in enumerate((AD, BODY, TEASER))]
    assert repeated(pages, "Spring") == [False] * 3


def test_on_a_large_site_boilerplate_is_what_a_tenth_of_the_pages_say():
    texts = ["Share"] * 4 + [f"text {row}" for row in range(46)]
    assert not any(repeated(pages_with(AD, texts), "Share"))
    assert all(repeated(pages_with(AD, texts[:40]), "Share"))


def test_a_long_text_on_two_pages_belongs_to_neither():
    assert repeated(pages_with(AD, [ADVERTISEMENT, ADVERTISEMENT]), ADVERTISEMENT) == [True, True]


def test_a_teaser_belongs_to_the_page_that_it_speaks_of():
    headline = "Flood takes the old bridge at night"
    own = make_page("https://x.test/flood", [HEADLINE(headline)], [headline])
    other = make_page("https://x.test/cat", [BODY("Meow."), TEASER(headline)], ["Cat saved from a tree by firemen"])
    assert repeated([own, other], headline) == [False, True]


def test_a_page_fetched_twice_does_not_repeat_itself():
    assert not evidence_of(news_site(1) * 5).repeated.any()


def test_an_address_fetched_twice_is_one_page_though_it_changed_in_between():
    first, second = (make_page("https://x.test/1", [BODY(ADVERTISEMENT), AD(f"Seen {count} times.")]) for count in (3, 4))
    assert not evidence_of([first, second]).repeated.any()


def test_pages_without_an_address_are_distinguished_by_their_text():
    pages = [make_page("", [BODY(f"Own text {row}."), AD(ADVERTISEMENT)]) for row in range(2)]
    assert repeated(pages, ADVERTISEMENT) == [True, True]


def test_only_text_outside_links_that_is_the_pages_own_counts():
    pages = [make_page(f"https://x.test/{row}", [NAV("Home"), BODY(f"Own text {row}."), AD(ADVERTISEMENT)]) for row in range(2)]
    assert evidence_of(pages).text.tolist() == [0, 11, 0] * 2


def test_text_that_no_reader_sees_does_not_count():
    page = make_page("https://x.test/", [BODY("Seen by all."), BODY("Seen by none.")])
    hidden = replace(page, blocks=(page.blocks[0], replace(page.blocks[1], hidden="display")))
    assert evidence_of([hidden]).text.tolist() == [12, 0]


def test_what_is_said_of_a_page_counts_only_where_the_text_is_its_own():
    headline = "Flood takes the old bridge at night"
    own = make_page("https://x.test/flood", [HEADLINE(headline)], [headline])
    other = make_page("https://x.test/cat", [BODY("Meow."), TEASER(headline)], ["Cat saved from a tree by firemen"])
    evidence = evidence_of([own, other])
    assert evidence.relevance.tolist() == [7, 0, -7]
    assert evidence.own_relevance.tolist() == [7, 0, 0]


def test_a_shared_text_belongs_to_a_page_that_it_speaks_of_with_enough_of_its_words():
    text = "one two three four five six seven eight nine ten"
    for count, shared in ((3, False), (2, True)):
        assert (count < LEAST_OWN_SHARE * 10) == shared
        title = " ".join(text.split()[:count])
        pages = [make_page("https://x.test/a", [BODY(text)], [title]), make_page("https://x.test/b", [BODY(text), AD("x")], ["Elsewhere"])]
        assert repeated(pages, text) == [shared, True]


def test_a_copy_of_a_page_is_counted_with_its_original():
    first, second, third = (make_page(f"https://x.test/{row}", [BODY(f"Own text of page {row}."), AD("Share")]) for row in range(3))
    copy = replace(first, final_url="https://x.test/0?again")
    assert evidence_of([first, second, copy]).table.original.tolist() == [0, 1, 0]
    assert not any(repeated([first, second, copy], "Share"))
    assert all(repeated([first, second, third], "Share"))


def test_rows_and_pages_name_each_block_past_pages_without_any():
    empty = make_page("https://x.test/empty", [])
    evidence = evidence_of([empty, *news_site(2), empty])
    assert evidence.table.page.tolist() == [1] * 8 + [2] * 8
    assert evidence.table.row.tolist() == [*range(8), *range(8)]
    assert evidence.table.block(8).text == "Home"
    assert evidence.clusters == 4
