"""Relevance scores: the paper's, in characters, and ours, in words and by contrast."""

import json
import unicodedata
from dataclasses import replace

import pytest

from sightread.labeling.evidence.relevance import (
    MOST_CHARACTERS,
    MOST_REFERENCES,
    MOST_TOKENS,
    character_relevance,
    declared_text,
    token_relevance,
)
from sightread.render.page import Page
from tests.labeling.sites import BODY, NAV, make_page


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


def test_the_papers_score_takes_the_nearest_title_or_description():
    assert character_relevance([page(["abcd", "wxyz"], "ab", "abcx", "xyz")])[0].tolist() == [3, 3]


def test_words_count_not_characters():
    assert score("the flood took the old bridge", "old bridge lost to the flood") == 2
    assert score("never seen anywhere", "one more thing") == 0


def test_words_count_in_their_order():
    assert score("flood takes bridge", "flood takes bridge") == 3
    assert score("bridge takes flood", "flood takes bridge") == 1


def linked(page: Page, **values: object) -> Page:
    """The page with an article in JSON-LD."""
    return replace(page, json_ld=(json.dumps({"@type": "NewsArticle", **values}),))


def test_the_headline_and_description_of_json_ld_are_what_a_page_says_of_itself():
    page_with = linked(page(["flood took bridge", "cat saved from tree"]), headline="flood took bridge", description="cat saved by firemen")
    assert declared_text(page_with) == ("flood took bridge", "cat saved by firemen")
    assert token_relevance([page_with, STRANGER])[0].tolist() == [3, 2]


def test_json_ld_that_is_broken_says_nothing():
    assert declared_text(replace(page([], "flood"), json_ld=("{", "[[[]]]", '{"@type": "Article", "headline": {"a": []}}'))) == ("flood",)


def test_the_papers_score_knows_no_json_ld():
    assert character_relevance([linked(page(["flood"]), headline="flood")])[0].tolist() == [0]


def test_what_a_page_says_of_itself_is_said_once():
    assert declared_text(linked(page([], "flood", "flood", "", "bridge"), headline="flood")) == ("flood", "bridge")


def test_of_a_page_that_says_too_much_of_itself_only_the_beginning_is_read():
    long = "word " * MOST_CHARACTERS
    assert declared_text(page([], long)) == (long[:MOST_CHARACTERS],)
    assert len(declared_text(page([], *(f"title {row}" for row in range(2 * MOST_REFERENCES))))) == MOST_REFERENCES
    late = " ".join(f"w{row}" for row in range(MOST_TOKENS + 1))
    assert score(f"w{MOST_TOKENS - 1}", late) == 1
    assert score(f"w{MOST_TOKENS}", late) == 0


def test_a_slogan_in_a_description_of_every_page_counts_nothing_for_a_block_that_shares_more():
    slogan = "all the news of the valley"
    pages = [page([f"{slogan} flood took bridge"], f"{slogan} flood took bridge"), page(["cat"], f"{slogan} cat saved")]
    assert token_relevance(pages)[0].tolist() == [3]


def test_a_slogan_that_every_page_repeats_counts_nothing():
    slogan = "all the news of the valley"
    pages = [page([slogan, "flood took bridge"], "flood took bridge", slogan), page([slogan, "cat saved"], "cat saved", slogan)]
    assert [scores.tolist() for scores in token_relevance(pages)] == [[0, 3], [0, 2]]


def test_a_block_that_speaks_of_another_page_scores_below_zero():
    first, second = token_relevance(
        [page(["cat saved from tree"], "flood took bridge"), page(["cat saved from tree"], "cat saved from tree")]
    )
    assert first.tolist() == [-4]
    assert second.tolist() == [4]


def test_pages_that_say_the_same_of_themselves_are_set_off_against_one_that_does_not():
    twin = page(["flood took bridge"], "flood took bridge")
    assert [scores.tolist() for scores in token_relevance([twin, twin, STRANGER])] == [[3], [3], [0]]


def test_pages_that_all_say_the_same_of_themselves_say_nothing():
    pages = [page([f"flood took bridge {number}"], "flood took bridge") for number in range(3)]
    assert [scores.tolist() for scores in token_relevance(pages)] == [[0]] * 3


def test_the_one_page_that_says_something_of_itself_is_heard():
    pages = [page(["flood took bridge"], "flood took bridge"), page(["cat saved"])]
    assert [scores.tolist() for scores in token_relevance(pages)] == [[3], [0]]


def test_text_inside_links_counts_for_nothing():
    text = "flood took bridge"
    linked = make_page("https://x.test/", [NAV(text), BODY(text)], [text])
    assert token_relevance([linked, STRANGER])[0].tolist() == [0, 3]


def test_a_text_partly_inside_links_counts_for_the_rest():
    plain = page(["flood ponds"], "flood ponds")
    half = replace(plain, blocks=(replace(plain.blocks[0], link_chars=len("flood ponds") // 2),))
    assert token_relevance([half, STRANGER])[0].tolist() == [pytest.approx(2 * 6 / 11)]


def test_scripts_without_spaces_count_by_the_character():
    assert score("昨日の洪水で橋が流された", "洪水で橋が") == 5
    assert score("ไฟไหม้บ้าน", "ไหม้บ้าน") == len("ไหม้บ้าน")


@pytest.mark.parametrize("word", ["বাংলাদেশের", "क्षेत्रीय", "தமிழ்நாடு"])
def test_vowel_signs_belong_to_their_word(word: str):
    assert score(word, word) == 1
    assert score(word, unicodedata.normalize("NFD", word)[:-2]) == 0


def test_right_to_left_scripts_count_by_the_word():
    assert score("جرفت الفيضانات الجسر القديم", "الفيضانات الجسر") == 2
    assert score("השיטפון סחף את הגשר", "סחף את הגשר") == 3
    assert score("كَتَبَ", "كَتَبَ") == 1


def test_width_case_and_composition_make_no_difference():
    assert score("ＦＬＯＯＤ Straße cafe\u0301 ﬁre", "flood STRASSE caf\u00e9 fire") == 4


def test_a_page_alone_has_nothing_to_be_set_off_against():
    assert token_relevance([page(["flood took bridge"], "flood took bridge")])[0].tolist() == [3]


def test_without_titles_and_descriptions_every_score_is_zero():
    for scores in (token_relevance, character_relevance):
        assert scores([page(["flood took bridge"]), STRANGER])[0].tolist() == [0]


def test_every_page_has_an_array_as_long_as_its_blocks():
    pages = [page([]), page(["a b", "c"], "a b"), page([])]
    for scores in (token_relevance, character_relevance):
        assert [len(of_page) for of_page in scores(pages)] == [0, 2, 0]
