"""Parts of a page besides its text, found by the names of their elements."""

from dataclasses import replace
from itertools import cycle, islice

import pytest

from sightread.render.labels import PART_KINDS
from sightread.render.page import Block, Element, Page
from sightread.render.page.parts import action_links, contents_lists, find_parts, part_blocks
from sightread.render.static.parse import read_html


def page(*elements, texts):
    """A page of these elements, below the body; `texts` are (text, row of its element, characters in links)."""
    blocks = tuple(Block(text, row, link_chars=linked) for text, row, linked in texts)
    return Page(url="", final_url="", source="imported", elements=(Element("body", -1), *elements), blocks=blocks, styles=())


def kinds(found):
    return [PART_KINDS[kind] if kind >= 0 else "" for kind in find_parts(found).tolist()]


@pytest.mark.parametrize(
    ("element", "linked", "kind"),
    [
        (Element("section", 0, id="comments"), 0, "comments"),
        (Element("ol", 0, classes=("commentlist",)), 0, "comments"),
        (Element("div", 0, classes=("wp-block-comments",)), 0, "comments"),
        (Element("div", 0, classes=("no-comments",)), 0, ""),
        (Element("a", 0, classes=("comments-link",)), 4, ""),
        (Element("main", 0, classes=("comments",)), 0, ""),
        (Element("div", 0, classes=("related-posts",)), 4, "related"),
        (Element("div", 0, classes=("related-posts",)), 0, ""),  # text about something related
        (Element("nav", 0, attributes={"role": "doc-toc"}), 4, "contents"),
        (Element("div", 0, classes=("contents",)), 0, ""),  # the page's content
        (Element("div", 0, classes=("stock",)), 4, ""),
        (Element("ul", 0, classes=("wy-breadcrumbs",)), 4, "breadcrumbs"),
        (Element("span", 0, attributes={"itemprop": "author"}), 0, "byline"),
        (Element("p", 0, classes=("entry-meta",)), 0, "byline"),
        (Element("div", 0, classes=("metadata",)), 0, ""),
    ],
)
def test_a_part_is_known_by_its_names_and_by_what_it_holds(element, linked, kind):
    assert kinds(page(element, texts=[("text", 1, linked)])) == [kind]


def test_what_is_in_a_part_belongs_to_it_and_of_nested_parts_to_the_outermost():
    found = page(
        Element("section", 0, id="comments"),
        Element("div", 1, classes=("author",)),
        Element("p", 1),
        texts=[("Ada", 2, 3), ("Well said.", 3, 0), ("Home", 0, 4)],
    )
    assert kinds(found) == ["comments", "comments", ""]


def test_links_alone_controls_and_hidden_text_are_no_text_of_comments():
    found = page(
        Element("section", 0, id="comments"),
        Element("button", 1),
        texts=[("Well said.", 1, 0), ("Reply", 1, 5), ("Send", 2, 0)],
    )
    assert part_blocks(found)["comments"].tolist() == [True, False, False]
    assert not any(which.any() for kind, which in part_blocks(found).items() if kind != "comments")


def found_in(find, html):
    """The texts that are found among the blocks of a page of example.org."""
    read = read_html(html, "https://example.org/page")
    return [block.text for block, is_found in zip(read.blocks, find(read), strict=True) if is_found]


@pytest.mark.parametrize(
    ("texts", "targets", "is_action"),
    [
        (["Reply"], ["/1", "/2", "/3", "/4"], True),
        (["[source]"], ["#"], True),
        (["String"], ["/types/string"], False),
        (["Reply", "Report"], ["/1", "/2", "/3", "/4"], False),
        (["Read all that the mayor said"], ["/1", "/2", "/3", "/4"], False),
    ],
    ids=["different places", "a script", "names of a type", "different words", "a sentence"],
)
def test_links_of_the_same_few_words_to_different_places_are_actions(texts, targets, is_action):
    links = [f"<li class=do><a href={target}>{text}</a>" for text, target in islice(zip(cycle(texts), cycle(targets), strict=False), 4)]
    assert found_in(action_links, f"<p>What happened.<ul>{''.join(links)}</ul>") == texts * 4 * is_action
    assert found_in(action_links, f"<p>What happened.<ul>{''.join(links[:3])}</ul>") == []


@pytest.mark.parametrize(
    ("html", "entries"),
    [
        ("<li><a href=#a>Harbour</a><li><a href=#b>Ferries</a><li><a href=#c>Winter!</a>", ["Harbour", "Ferries", "Winter!"]),
        ("<li><a href=#a>Harbour</a><li><a href=#b>Ferries</a>", []),
        ("<li><a href=/a#a>Harbour</a><li><a href=/b#b>Ferries</a><li><a href=/c#c>Winter!</a>", []),
        ("<li><a href=#a>Harbour</a> is old<li><a href=#b>Ferries</a><li><a href=#c>Winter!</a>", []),
    ],
    ids=["links to the headings", "two of them", "links to other pages", "text between them"],
)
def test_a_table_of_contents_without_a_name_is_found_by_the_headings_it_leads_to(html, entries):
    page = f"<ul>{html}</ul><h2 id=a>Harbour</h2><p>x<h2 id=b>Ferries</h2><p>y<h2 id=c>Winter</h2><p>z"
    assert found_in(contents_lists, page) == entries
    assert found_in(lambda read: contents_lists(replace(read, url="https://example.org/moved")), page) == entries
    assert found_in(lambda _: contents_lists(read_html(page)), page) == entries
    assert found_in(lambda read: [kind == "contents" for kind in kinds(read)], page) == entries
