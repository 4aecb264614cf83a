"""Relevance to titles and descriptions, the measures of the labeler, signatures of looks, and pages that are copies."""

import json
import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.clusterings import dbscan
from sightread.labeling.evidence import (
    LEAST_OWN_SHARE,
    MOST_CHARACTERS,
    MOST_REFERENCES,
    MOST_TOKENS,
    REPEATED_ON,
    Evidence,
    character_relevance,
    declared_text,
    gather,
    read_site,
    token_relevance,
)
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import load_labels, save_labels
from sightread.labeling.looks import COPIES, Signature, build_table, find_copies
from sightread.render.page import Page
from tests.labeling.sites import (
    AD,
    BODY,
    HEADLINE,
    NAV,
    QUOTE,
    TEASER,
    Look,
    articles,
    insert,
    kept,
    lines_of,
    make_page,
    news_site,
    page_with,
    texts,
    whole,
    write_article,
)


def page(texts: list[str], *about: str) -> Page:
    """A page with that title and those descriptions."""
    return make_page("https://x.test/", [BODY(text) for text in texts], about[:1], about[1:])


STRANGER = page(["zzz"], "qqq")
"""Another page of the site, which shares nothing with the first."""


def score(text: str, about: str) -> float:
    return token_relevance([page([text], about), STRANGER])[0][0]


@pytest.mark.parametrize(
    ("text", "about", "length"),
    [("ABCBDAB", "BDCABA", 4), ("XMJYAUZ", "MZJAWXU", 4), ("abc", "abc", 3), ("abc", "xyz", 0), ("", "abc", 0)],
)
def test_the_papers_score_is_the_longest_common_subsequence_of_characters(text: str, about: str, length: int):
    assert character_relevance([page([text], about)])[0].tolist() == [length]


def test_the_papers_score_takes_the_nearest_title_or_description_and_knows_no_json_ld():
    assert character_relevance([page(["abcd", "wxyz"], "ab", "abcx", "xyz")])[0].tolist() == [3, 3]
    assert character_relevance([linked(page(["flood"]), headline="flood")])[0].tolist() == [0]


def test_words_count_in_their_order_and_not_characters():
    assert score("the flood took the old bridge", "old bridge lost to the flood") == 2
    assert score("never seen anywhere", "one more thing") == 0
    assert score("flood takes bridge", "flood takes bridge") == 3
    assert score("bridge takes flood", "flood takes bridge") == 1


def linked(page: Page, **values: object) -> Page:
    """The page with an article in JSON-LD."""
    return replace(page, json_ld=(json.dumps({"@type": "NewsArticle", **values}),))


def test_the_headline_and_description_of_json_ld_are_what_a_page_says_of_itself():
    page_with = linked(page(["flood took bridge", "cat saved from tree"]), headline="flood took bridge", description="cat saved by firemen")
    assert declared_text(page_with) == ("flood took bridge", "cat saved by firemen")
    assert token_relevance([page_with, STRANGER])[0].tolist() == [3, 2]


def test_what_a_page_declares_counts_once_and_broken_json_ld_not_at_all():
    assert declared_text(replace(page([], "flood"), json_ld=("{", "[[[]]]", '{"@type": "Article", "headline": {"a": []}}'))) == ("flood",)
    assert declared_text(linked(page([], "flood", "flood", "", "bridge"), headline="flood")) == ("flood", "bridge")


def test_of_a_page_that_says_too_much_of_itself_only_the_beginning_is_read():
    long = "word " * MOST_CHARACTERS
    assert declared_text(page([], long)) == (long[:MOST_CHARACTERS],)
    assert len(declared_text(page([], *(f"title {row}" for row in range(2 * MOST_REFERENCES))))) == MOST_REFERENCES
    late = " ".join(f"w{row}" for row in range(MOST_TOKENS + 1))
    assert score(f"w{MOST_TOKENS - 1}", late) == 1
    assert score(f"w{MOST_TOKENS}", late) == 0


SLOGAN = "all the news of the valley"
TWIN = page(["flood took bridge"], "flood took bridge")


@pytest.mark.parametrize(
    ("pages", "scores"),
    [
        ([page([f"{SLOGAN} flood took bridge"], f"{SLOGAN} flood took bridge"), page(["cat"], f"{SLOGAN} cat saved")], [[3], [1]]),
        (
            [page([SLOGAN, "flood took bridge"], "flood took bridge", SLOGAN), page([SLOGAN, "cat saved"], "cat saved", SLOGAN)],
            [[0, 3], [0, 2]],
        ),
        ([page(["cat saved from tree"], "flood took bridge"), page(["cat saved from tree"], "cat saved from tree")], [[-4], [4]]),
        ([TWIN, TWIN, STRANGER], [[3], [3], [0]]),
        ([page([f"flood took bridge {number}"], "flood took bridge") for number in range(3)], [[0], [0], [0]]),
        ([TWIN, page(["cat saved"])], [[3], [0]]),
    ],
    ids=["more than a slogan", "a slogan", "text of another page", "two pages alike", "all pages alike", "one page with a title"],
)
def test_relevance_is_set_off_against_what_other_pages_declare(pages: list[Page], scores: list[list[int]]):
    assert [found.tolist() for found in token_relevance(pages)] == scores


def test_text_inside_links_counts_for_nothing():
    text = "flood took bridge"
    linked = make_page("https://x.test/", [NAV(text), BODY(text)], [text])
    assert token_relevance([linked, STRANGER])[0].tolist() == [0, 3]


def test_scripts_without_spaces_count_by_the_character():
    assert score("昨日の洪水で橋が流された", "洪水で橋が") == 5
    assert score("ไฟไหม้บ้าน", "ไหม้บ้าน") == len("ไหม้บ้าน")


@pytest.mark.parametrize("word", ["বাংলাদেশের", "क्षेत्रीय", "தமிழ்நாடு"])
def test_vowel_signs_belong_to_their_word(word: str):
    assert score(word, word) == 1
    assert score(word, unicodedata.normalize("NFD", word)[:-2]) == 0


def test_width_case_and_composition_make_no_difference():
    assert score("ＦＬＯＯＤ Straße cafe\u0301 ﬁre", "flood STRASSE caf\u00e9 fire") == 4


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


def test_an_address_fetched_twice_is_one_page_though_it_changed_in_between():
    first, second = (make_page("https://x.test/1", [BODY(ADVERTISEMENT), AD(f"Seen {count} times.")]) for count in (3, 4))
    assert not evidence_of([first, second]).repeated.any()


def test_only_text_outside_links_that_is_the_pages_own_counts():
    pages = [make_page(f"https://x.test/{row}", [NAV("Home"), BODY(f"Own text {row}."), AD(ADVERTISEMENT)]) for row in range(2)]
    assert evidence_of(pages).text.tolist() == [0, 11, 0] * 2


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
    assert kept_of(prose, odds=-7.5) == [[False]] * PAGES


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


def test_blocks_of_one_path_and_style_share_a_signature_across_pages():
    table = build_table([make_page("https://x.test/1", [BODY("a"), QUOTE("b")]), make_page("https://x.test/2", [QUOTE("c"), BODY("d")])])
    assert table.signatures == (
        Signature("body/main/article/div/p", {}),
        Signature("body/main/article/div/blockquote/p", {"font-style": "italic"}),
    )
    assert table.signature.tolist() == [0, 1, 1, 0]
    assert table.width.tolist() == [700, 620, 620, 700]
    assert table.page.tolist() == [0, 0, 1, 1]


PRINTED = Look("div.print/p", {"font-family": "serif"}, 600)
PRINTED_HEADLINE = Look("div.print/h1", {"font-family": "serif"}, 600)
SENTENCES = [sentence for number in range(40) for sentence in write_article(number, 1).spare]
"""More than enough different ones of about 70 characters."""


def printed(number: int) -> Page:
    """The print version of an article: another address, another look, no navigation."""
    page = page_with(write_article(number), lines_of(write_article(number), PRINTED, PRINTED_HEADLINE)[2:])
    return replace(page, url=f"{page.url}/print", final_url=f"{page.url}/print")


def page_of(name: str, sentences: list[str], look: Look = BODY) -> Page:
    return make_page(f"https://x.test/{name}", [look(text) for text in sentences])


def originals(*pages: Page) -> list[int]:
    return find_copies(pages).original.tolist()


def test_an_address_fetched_twice_is_one_page():
    first, second = (make_page("https://x.test/1", [BODY(f"Seen {count} times.")]) for count in (3, 4))
    assert originals(first, second) == [0, 0]


def test_a_text_under_two_addresses_is_one_page():
    page = news_site(1)[0]
    assert originals(page, replace(page, final_url="https://x.test/0?from=mail")) == [0, 0]


def test_a_print_version_is_a_copy_though_it_looks_different_and_lacks_the_navigation():
    assert originals(*news_site(3), printed(1)) == [0, 1, 2, 1]


def test_a_page_of_teasers_is_a_copy_of_none_that_it_teases():
    written = [write_article(number) for number in range(4)]
    hub = page_of("hub", [text for article in written for text in (f"{article.title} is news.", article.description)], TEASER)
    pages = [page_with(article, insert(lines_of(article), article.title, BODY(article.description))) for article in written]
    assert originals(hub, *pages) == [0, 1, 2, 3, 4]


def test_short_texts_and_links_make_no_copies():
    short = [f"{row:04} short line." for row in range(40)]
    assert len(short[0]) < COPIES.least_text
    assert originals(page_of("a", ["First.", *short]), page_of("b", ["Second.", *short])) == [0, 1]
    assert originals(page_of("a", SENTENCES[:9], NAV), page_of("b", SENTENCES[:10], NAV)) == [0, 1]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from(SENTENCES[:30]), min_size=1, max_size=12, unique=True), max_size=6))
def test_an_original_stands_at_or_ahead_of_its_copies_and_is_its_own(pages: list[list[str]]):
    found = originals(*(page_of(f"{row}", sentences) for row, sentences in enumerate(pages)))
    assert all(original <= row and found[original] == original for row, original in enumerate(found))


PARTS = page_of("1", SENTENCES[:8]), page_of("2", SENTENCES[8:16])
ALL_OF_IT = page_of("all", SENTENCES[:16])


@pytest.mark.parametrize(("order", "whole_page"), [((0, 1, 2), 0), ((1, 0, 2), 1), ((1, 2, 0), 2)])
def test_a_page_that_holds_several_others_is_a_copy_of_none(order, whole_page):
    found = find_copies([(ALL_OF_IT, *PARTS)[row] for row in order])
    assert found.original.tolist() == [0, 1, 2]
    assert np.flatnonzero(found.is_collection).tolist() == [whole_page]


def test_an_article_on_two_fronts_is_no_collection():
    fronts = page_of("front", SENTENCES[:24]), page_of("archive", [*SENTENCES[:8], *SENTENCES[24:32]])
    articles_of_both = [page_of(f"{row}", SENTENCES[8 * row : 8 * row + 8]) for row in range(4)]
    found = find_copies([*fronts, *articles_of_both])
    assert found.original.tolist() == list(range(6))
    assert np.flatnonzero(found.is_collection).tolist() == [0, 1]


def test_a_front_with_whole_articles_does_not_make_their_text_repeated():
    written = articles(8)
    entry = Look("main/article/h2", {"font-size": "20px"}, 690)
    front = page_with(write_article(8), [spot for article in written[:4] for spot in lines_of(article, headline=entry)[:-1]])
    found = texts([*(page_with(article, lines_of(article)) for article in written), front])
    assert found[:8] == [whole(article) for article in written]
