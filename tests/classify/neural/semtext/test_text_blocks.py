from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.neural.semtext.input import MOST_WORDS, name_words, search_and_combine, tag_words, text_words
from sightread.classify.training.semtext_input import join_labels
from sightread.render.static.parse import read_html

MENU = "<ul><li><a href=/>Home</a><li><a href=/n>News</a><li>Contact us</ul>"
STORY = "<h1>Rain at last</h1><p>After nine dry weeks it rained in the valley.</p><p>Farmers had long waited for this day.</p>"


def texts(html):
    page = read_html(html)
    starts = search_and_combine(page).tolist()
    return [[block.text for block in page.blocks[start:stop]] for start, stop in pairwise(starts)]


def test_a_menu_is_one_text_block_and_each_paragraph_is_its_own():
    assert texts(MENU + STORY) == [
        ["Home", "News", "Contact us"],
        ["Rain at last"],
        ["After nine dry weeks it rained in the valley."],
        ["Farmers had long waited for this day."],
    ]


def test_short_blocks_of_another_parent_or_tag_stay_apart():
    assert texts("<ul><li>one</ul><ul><li>two</ul>") == [["one"], ["two"]]
    assert texts("<div><p>one</p><h2>two</h2></div>") == [["one"], ["two"]]


def test_a_page_without_text_has_no_text_blocks():
    assert search_and_combine(read_html("")).tolist() == [0]


def test_a_text_block_has_the_label_of_most_of_its_characters():
    page = read_html("<ul><li>a<li>long enough words<li>b</ul><p>One paragraph that has no label at all.</p>")
    labels = np.array([0, 1, 0, -1], np.int8)
    assert join_labels(page, search_and_combine(page), labels).tolist() == [1, -1]


@given(st.lists(st.sampled_from(["<p>one two</p>", "<p>one two three four five six seven</p>", "<ul><li>a<li>b</ul>", "<h2>x</h2>"])))
def test_every_block_is_in_one_text_block(parts):
    page = read_html("".join(parts))
    starts = search_and_combine(page)
    assert starts[0] == 0
    assert starts[-1] == len(page.blocks)
    assert (np.diff(starts) > 0).all()


def test_class_names_are_cut_at_case_and_delimiters_and_written_out():
    assert name_words("articleBody-txt_2") == ("article", "body", "text")
    assert name_words("mainNav") == ("main", "navigation")
    assert name_words("HTMLContent") == ("html", "content")
    assert name_words("col-md-6 x") == ("column", "medium")
    assert name_words("123") == ()


def test_tags_are_said_in_words():
    assert tag_words("ul") == ("unordered", "list")
    assert tag_words("article") == ("article",)


def test_text_is_read_in_small_letters_with_signs_and_digits_alike():
    assert text_words("© 2021 The Times, p. 3") == ["©", "0000", "the", "times", ",", "p", ".", "0"]
    assert len(text_words("word " * 1000)) == MOST_WORDS
    assert len(text_words("漢" * 1000)[0]) < 100
