"""Which words tell what kind of page it is."""

import numpy as np
import pytest

from sightread.classify.general.page_type import HASHED_WORDS, SOURCES, PageTypes, fit_page_types, page_words
from sightread.render.labels import PAGE_TYPES
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html

THREAD = """<html><head><meta property="og:type" content="website"><script type="application/ld+json">{"@type": "DiscussionForumPosting"}
</script></head><body class="topic-page"><h1>Which boat?</h1><div class="post-body">A small one?</div></body></html>"""


def words_of(html, url="", sources=SOURCES):
    outline = PageArrays(read_html(html, url))
    return page_words(outline, np.full(outline.count, 0.5), sources)


def test_the_address_is_read_or_left_out():
    here, there, nowhere = (words_of(THREAD, url) for url in ("https://forum.example/t/boat/12", "https://shop.example/p/boat", ""))
    assert here != there
    assert words_of(THREAD, "https://forum.example/t/boat/12", SOURCES[1:]) == nowhere


def test_what_the_page_declares_and_how_its_elements_are_called_are_read():
    plain = words_of(THREAD)
    for old, new in (
        ("DiscussionForumPosting", "Product"),
        ("website", "article"),
        ("post-body", "price-tag"),
        ("Which boat", "Buy a boat"),
    ):
        assert words_of(THREAD.replace(old, new)) != plain


def test_each_source_counts_alike_however_many_words_it_has():
    few, many = (
        sum(value**2 for _, value in words_of(THREAD.replace("post-body", names))) for names in ("a-post", " ".join(map(str, range(900))))
    )
    assert few == pytest.approx(many, rel=0.2)


def test_a_type_is_predicted_by_what_pages_of_it_have_in_common():
    pages = [
        words_of(f"<body class='{name} site{n}'><p>{n} words", f"https://s{n}.example/") for n in range(8) for name in ("thread", "cart")
    ]
    types = fit_page_types(pages, ["forum", "product"] * 8)
    chances = types.chances(words_of("<body class='cart elsewhere'><p>Other words", "https://new.example/"))
    assert PAGE_TYPES[int(chances.argmax())] == "product"
    assert chances.sum() == pytest.approx(1)


def test_any_page_has_chances():
    types = PageTypes(np.zeros((HASHED_WORDS, len(PAGE_TYPES))), np.zeros(len(PAGE_TYPES)))
    for html, url in (
        ("", ""),
        ("<p>1 \ud83d</p>", "https://\ud83d/"),
        ("<p class='é 你好'>x", "not an address"),
        ("<p>x", "data:text/html,x"),
    ):
        assert types.chances(words_of(html, url)) == pytest.approx(1 / len(PAGE_TYPES))


def test_damaged_weights_are_refused():
    with pytest.raises(ValueError, match="damaged"):
        PageTypes.of(np.zeros((3, len(PAGE_TYPES))), np.zeros(len(PAGE_TYPES)))
