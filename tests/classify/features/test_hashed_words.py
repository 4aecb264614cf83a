"""What words say: of blocks by their first words, and by the names of what holds them."""

import numpy as np
import pytest

from sightread.classify.features.hashed_words import Bags, container_names, first_words, fit_lexicon
from sightread.render.static.parse import read_html

SITES = [
    f"""<body class=home{number}><nav class="main-menu"><p>Home page</p></nav><div id=articleBody{number}><p>Rain fell on {town}.</p>
    <p>Nobody in {town} was surprised.</p></div><div class=side-{number}><p>Subscribe to our letter</p></div></body>"""
    for number, town in enumerate(("Ashby", "Brome", "Corby", "Derby", "Elham", "Foxley"))
]
PAGES = [read_html(html) for html in SITES]
CONTENT = np.tile([False, True, True, False], len(PAGES))
NEW = read_html(
    "<div class='side_menu'><p>Home</p></div><div id=main-article><p>Snow fell</p></div><div class=sidebar-2><p>Subscribe</p></div>"
)


def learned(read):
    bags = Bags.joined([read(page) for page in PAGES])
    return fit_lexicon(bags, CONTENT, np.ones(len(CONTENT)))


def test_first_words_that_other_sites_use_tell_content():
    message = learned(first_words).decide(first_words(NEW))
    assert message.argmax() == 1
    assert message[2] < message[1]


def test_names_are_cut_up_where_case_and_delimiters_are():
    menu, story, side = learned(container_names).decide(container_names(NEW))
    assert story > max(menu, side) + 0.1


@pytest.mark.parametrize("read", [first_words, container_names])
def test_pages_say_together_what_each_says_alone(read):
    lexicon = learned(read)
    apart = np.concatenate([lexicon.decide(read(page)) for page in PAGES])
    np.testing.assert_allclose(lexicon.decide(Bags.joined([read(page) for page in PAGES])), apart, atol=1e-6)


@pytest.mark.parametrize("read", [first_words, container_names])
def test_some_blocks_are_explained_as_among_all(read):
    lexicon, bags = learned(read), Bags.joined([read(page) for page in PAGES])
    rows = np.arange(len(CONTENT)) % 3 == 1
    some = bags.of_rows(rows)
    np.testing.assert_allclose(lexicon.decide(some), lexicon.decide(bags)[rows], atol=1e-6)
    assert len(some.words) < len(bags.words)


def test_blocks_of_one_element_have_one_bag_of_names():
    page = read_html("<div class=a>one<p>two</p>three</div>")
    bags = container_names(page)
    assert bags.bag[0] == bags.bag[2] != bags.bag[1]
    assert len(bags.values) == 2


@pytest.mark.parametrize("html", ["", "<p>1234 \ud83d</p>", "<p class='é ß 你好'>你好</p>", f"<p id={'x' * 5000}>{'y' * 5000}</p>"])
def test_any_page_has_bags(html):
    page = read_html(html)
    for read in (first_words, container_names):
        assert learned(read).decide(read(page)).shape == (len(page.blocks),)
