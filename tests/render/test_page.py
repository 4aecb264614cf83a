"""The page record: what goes in comes out, what does not fit together is refused; and the parts of a page besides its text."""

import json
import pickle
from dataclasses import replace
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.render.errors import BadRecord
from sightread.render.labels import PART_KINDS
from sightread.render.page import SCHEMA, Block, Box, Element, Image, Inline, Link, Meta, Page, Size, Timing, decode_page, encode_page, once
from sightread.render.page.parts import action_links, contents_lists, find_parts, part_blocks
from sightread.render.static.parse import read_html

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBER = st.floats(0, 1e6, allow_nan=False)
BOX = st.builds(Box, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), NUMBER, NUMBER)
STYLE = st.dictionaries(TEXT, TEXT, max_size=3)


@st.composite
def blocks(draw, elements, styles):
    text = draw(TEXT.filter(bool))
    start = draw(st.integers(0, len(text) - 1))
    inline = Inline(start, draw(st.integers(start + 1, len(text))), draw(st.sampled_from(["link", "code"])), draw(TEXT))
    return Block(
        text=text,
        element=draw(st.integers(0, elements - 1)),
        style=draw(st.none() | st.integers(0, styles - 1)) if styles else None,
        box=draw(st.none() | BOX),
        inlines=draw(st.sampled_from([(), (inline,)])),
        link_chars=draw(st.integers(0, len(text))),
        hidden=draw(st.sampled_from(["", "display", "clip"])),
        z=draw(st.integers(-(2**31), 2**31 - 1)),
        heading=draw(st.integers(0, 9)),
    )


@st.composite
def pages(draw):
    count = draw(st.integers(1, 5))
    parents = [-1, *(draw(st.integers(0, row - 1)) for row in range(1, count))]
    styles = tuple(draw(st.lists(STYLE, max_size=3)))
    found = tuple(draw(st.lists(blocks(count, len(styles)), max_size=4)))
    texts = tuple(draw(st.lists(TEXT, max_size=3)))
    return Page(
        url=draw(TEXT),
        final_url=draw(TEXT),
        source=draw(st.sampled_from(["browser", "stored", "static", "imported"])),
        elements=tuple(Element(draw(TEXT), parent, draw(TEXT), texts, draw(STYLE)) for parent in parents),
        blocks=found,
        styles=styles,
        body_style=draw(STYLE),
        titles=texts,
        descriptions=texts,
        metas=tuple(Meta(text, text) for text in texts),
        json_ld=texts,
        images=(Image(draw(TEXT), draw(TEXT), count - 1, len(found), draw(st.none() | BOX)),),
        links=(Link(draw(TEXT), draw(TEXT), draw(TEXT)),),
        viewport=draw(st.none() | st.builds(Size, NUMBER, NUMBER)),
        timing=draw(st.none() | st.builds(Timing, NUMBER, NUMBER)),
        status=draw(st.integers(0, 999)),
        truncated=draw(st.booleans()),
    )


@given(pages())
def test_a_page_survives_being_written_and_read(page):
    line = encode_page(page)
    assert b"\n" not in line
    assert decode_page(line) == page
    assert encode_page(decode_page(line)) == line


def small_page(**changes):
    fields = {
        "url": "http://site.test/",
        "final_url": "http://site.test/",
        "source": "browser",
        "elements": (Element("body", -1), Element("div", 0, "main", ("a", "b")), Element("p", 1)),
        "blocks": (
            Block("one", 2, 0, Box(1, 2, 3, 4), (Inline(0, 3, "link", "x"),), 3),
            Block("two", 1, 1, Box(5, 6, 7, 8), hidden="clip", z=2, heading=1),
        ),
        "styles": ({"color": "red"}, {}),
    }
    return Page(**{**fields, **changes})


MISFITS = {
    "no elements": ({"elements": ()}, "row 0 must be the body"),
    "no body": ({"elements": (Element("p", 0),)}, "row 0 must be the body"),
    "a parent after its child": ({"elements": (Element("body", -1), Element("p", 1))}, r"elements\[1\]\.parent is 1"),
    "an element that is not there": ({"blocks": (Block("x", 3),)}, r"blocks\[0\]\.element is 3, of 3"),
    "a style that is not there": ({"blocks": (Block("x", 0, 2),)}, r"blocks\[0\]\.style is 2, of 2"),
    "a range beyond the text": ({"blocks": (Block("x", 0, inlines=(Inline(0, 2, "code"),)),)}, "leaves the text of 1 characters"),
    "an empty range": ({"blocks": (Block("x", 0, inlines=(Inline(1, 1, "code"),)),)}, "leaves the text"),
    "an image of no element": ({"images": (Image("x", "", 3, 0),)}, r"images\[0\]"),
    "an image after too many blocks": ({"images": (Image("x", "", 0, 3),)}, r"images\[0\]"),
}


@pytest.mark.parametrize(("changes", "message"), MISFITS.values(), ids=MISFITS.keys())
def test_tables_that_do_not_fit_together_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        small_page(**changes)


def broken(change):
    record = json.loads(encode_page(small_page()))
    change(record)
    return json.dumps(record)


DAMAGED = {
    "half a line": encode_page(small_page())[:200],
    "no JSON": b"hello",
    "no UTF-8": b'{"schema": 1, "url": "\xff"}',
    "an empty line": b"",
    "a list": b"[]",
    "a field of another type": broken(lambda record: record.update(blocks=[{"text": 1, "element": 0}])),
    "a missing field": broken(lambda record: record.pop("elements")),
    "a negative width": broken(lambda record: record["blocks"][0].update(box=[0, 0, -1, 0])),
    "an unknown kind of hiding": broken(lambda record: record["blocks"][0].update(hidden="magic")),
    "a row that is not there": broken(lambda record: record["blocks"][0].update(element=9)),
}


@pytest.mark.parametrize("line", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_record_is_refused_in_one_line_that_states_where(line):
    with pytest.raises(BadRecord, match=r"^corpus\.jsonl:7: ") as raised:
        decode_page(line, "corpus.jsonl:7")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("schema", "says"), [(SCHEMA + 1, f"version {SCHEMA + 1}"), (None, "version missing")])
def test_another_schema_version_is_named(schema, says):
    def change(record):
        record.pop("schema") if schema is None else record.update(schema=schema)

    with pytest.raises(BadRecord, match=says):
        decode_page(broken(change))


@given(st.binary(max_size=60))
def test_any_other_bytes_are_a_bad_record_and_nothing_worse(line):
    with pytest.raises(BadRecord):
        decode_page(line)


def test_what_is_computed_of_a_page_is_kept_with_it_but_is_no_part_of_it():
    counted = []

    @once
    def blocks_of(page, tag):
        counted.append(tag)
        return sum(page.elements[block.element].tag == tag for block in page.blocks)

    page = read_html("<p>one<p>two<div>three</div>")
    plain = encode_page(page)
    assert [blocks_of(page, "p"), blocks_of(page, "div"), blocks_of(page, "p")] == [2, 1, 2]
    assert counted == ["p", "div"]
    assert encode_page(page) == plain and pickle.loads(pickle.dumps(page)) == page
    assert blocks_of(replace(page, blocks=page.blocks[1:]), "p") == 1
    assert blocks_of(pickle.loads(pickle.dumps(page)), "p") == 2 and len(counted) == 4


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
