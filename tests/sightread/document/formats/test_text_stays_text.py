"""The text of a page stays text in every format: no element, handler or address appears that the tree of a document does not have.

Markdown is read by two CommonMark parsers and by GitHub's. `pytest --hypothesis-profile thorough` on this file tries 100,000 documents.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from urllib.parse import unquote

import cmarkgfm
import numpy as np
import pytest
import yaml
from cmarkgfm.cmark import Options, markdown_to_html_with_extensions
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from sightread.document.document import build_document
from sightread.document.formats.html import to_html
from sightread.document.formats.markdown import to_markdown
from sightread.document.formats.tei import to_tei
from sightread.document.metadata.metadata import Metadata
from sightread.document.tree.inlines import Inlines, Span, SpanKind, edged, plain
from sightread.document.tree.nodes import Cell, Code, Definitions, Entry, Figure, Footnote, Heading, List, Node, Paragraph, Quote, Table
from sightread.reading.extraction import front_matter
from sightread.render.static.parse import read_html

GITHUB = ["table", "strikethrough", "autolink", "tasklist"]
PARSERS: dict[str, Callable[[str], str]] = {
    "markdown-it": MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"]).render,
    "cmark": lambda text: cmarkgfm.markdown_to_html(text, Options.CMARK_OPT_UNSAFE),
    "github": lambda text: markdown_to_html_with_extensions(text, Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES, GITHUB),
}
PIECES = re.findall(
    r"\S+",
    r"""` `` ``` $ $$ \ \\ \` \$ \| \[ \( < > <img/src=x/onerror=a()> <script>a()</script> <!-- --> <?x <![CDATA[ <t> [ ] ]( ) (
    ](javascript:a()) <a/href=javascript:a()>b</a> [x](javascript:a()) ![x](javascript:a()) [x]:javascript:a() ]: [x] [^1] [^1]:
    [!NOTE] [[x]] <javascript:a()> ! : | || |-| :-: * ** *** _ __ ~ ~~ ~~~ # ## > - + = === --- 1. 2) - a b 1 a* *a a_ _a é 汉 © "
    ' & &lt; &#60; lt; ; ^ { } \operatorname* \begin{align*} x_1 a<b x^2 www.e.org http://g https://e.org/ a@e.org mailto: , . /
    ? @ %""",
)
SPACES = (" ", " ", "  ", "    ", "\n", "\r", "\r\n", "\n\n", "a", "b", " a ", "\t", "\x0b", "\x0c", "\u00a0", "\u2028")
TARGETS = (
    *("https://e.org/a_(b)*?c=1&copy;#d", "https://e.org/", "#x", "mailto:a@e.org"),
    *('https://e.org/"<b>`[x](y)|\\', "http://e.org/\n\n# a"),
)
LANGUAGES = ("", "py", "c++", "a`b", "a b", "<b>", "~")
KINDS: tuple[SpanKind, ...] = ("link", "strong", "emphasis", "code", "deleted", "subscript", "superscript", "math", "display", "note")
TAGS: dict[object, str] = {
    Heading: "h1 h2 h3 h4 h5 h6", Code: "pre code", Figure: "img figure figcaption", Quote: "blockquote", List: "ul ol", Definitions: "dl",
    Table: "table", Footnote: "section ol sup div", "link": "a", "strong": "strong", "emphasis": "em", "code": "code", "deleted": "del s",
    "subscript": "sub", "superscript": "sup", "math": "code", "display": "code pre", "note": "a sup",
}  # fmt: skip
"""The elements that each node and mark may become, by its class or kind."""
PLAIN = {"html", "head", "body", "p", "br", "article", "li", "dt", "dd", "thead", "tbody", "tr", "th", "td", "caption"}
"""Elements that stand for no mark, or as often as their parent has children."""
ATTRIBUTES = {"href", "src", "alt", "class", "start", "align", "lang", "colspan", "rowspan", "id"}


@dataclass(frozen=True, slots=True)
class Trees:
    """Random documents: any text under any marks in any blocks."""

    random: Random

    def some(self, most: int) -> range:
        return range(self.random.randint(1, most))

    def text(self) -> str:
        return "".join(self.random.choice(PIECES if self.random.random() < 0.7 else SPACES) for _ in self.some(6))

    def inlines(self, depth: int = 3) -> Inlines:
        """Inlines as `read_inlines` gives them: no white space at the edges, no empty text."""
        found: Inlines = tuple(self.inline(depth) for _ in self.some(3))
        while found != (found := edged(found)):
            pass
        return found or ("a",)

    def inline(self, depth: int) -> str | Span:
        kind = self.random.choice([*KINDS, *[""] * len(KINDS)] if depth else [""])
        if kind in ("math", "display"):
            return Span(kind, (self.text().strip() or "x",))
        if kind == "note":
            return Span("note", ("1",), "1")
        depth = 0 if kind == "code" else depth - 1
        return Span(kind, self.inlines(depth), self.random.choice(TARGETS) if kind == "link" else "") if kind else self.text()

    def blocks(self, depth: int) -> tuple[Node, ...]:
        return tuple(self.block(depth) for _ in self.some(3))

    def block(self, depth: int) -> Node:
        chance = self.random.random
        match self.random.choice("ppphcf" + "qldt" * bool(depth)):
            case "p":
                return Paragraph(self.inlines())
            case "h":
                return Heading(self.random.randint(1, 6), self.inlines())
            case "c":
                return Code(self.text(), self.random.choice(LANGUAGES))
            case "f":
                return Figure(self.random.choice(TARGETS), self.text(), self.inlines() if chance() < 0.5 else ())
            case "q":
                return Quote(self.blocks(depth - 1))
            case "l":
                return List(tuple(self.blocks(depth - 1) for _ in self.some(3)), self.random.choice([None, 0, 1, 9]))
            case "d":
                return Definitions(tuple(Entry(chance() < 0.5, self.blocks(depth - 1)) for _ in self.some(3)))
        rows = tuple(tuple(Cell(self.blocks(depth - 1), columns=self.random.choice([1, 1, 2])) for _ in self.some(3)) for _ in self.some(3))
        return Table(rows, self.random.randint(0, 1), self.inlines() if chance() < 0.5 else ())

    def document(self) -> list[Node]:
        notes = [Footnote("1", self.text(), self.blocks(0))] if self.random.random() < 0.2 else []
        return [*self.blocks(2), *notes]


def parts(value: object) -> Iterator[object]:
    """Everything in a tree: its nodes, spans and texts."""
    if isinstance(value, tuple | list):
        for each in value:
            yield from parts(each)
        return
    yield value
    for name in () if isinstance(value, str | int | None) else value.__slots__:
        yield from parts(getattr(value, name))


def is_shown(address: str, text: str) -> bool:
    """Whether a link is one that GitHub makes of an address in the text: it shows where it leads, and runs nothing."""
    return bool(re.fullmatch(r"(?:https?://|mailto:|ftp://)?" + re.escape(unquote(text)), unquote(address), re.DOTALL))


def intruders(html: str, nodes: list[Node]) -> list[str]:
    """The elements of parsed HTML that the tree does not have, and those with attributes or addresses of their own."""
    known = list(parts(nodes))
    addresses = {unquote(part.target if isinstance(part, Span) else part.source) for part in known if isinstance(part, Span | Figure)}
    left = Counter(tag for part in known for tag in TAGS.get(getattr(part, "kind", type(part)), "").split())
    left["code"] += sum(len(part.text.splitlines()) for part in known if isinstance(part, Code))
    for tag in ("pre", "code"):  # what plain parsers make of lists and code in a note
        left[tag] += sum(len(part.children) for part in known if isinstance(part, Footnote))
    left["strong"] += sum(len(part.children) for part in known if isinstance(part, Entry) and part.is_term)
    found = []
    for node in LexborHTMLParser(html).css("*"):
        address = node.attributes.get("href") or node.attributes.get("src") or ""
        is_marker = node.attributes.get("class") in ("footnote-ref", "footnote-backref")
        if is_marker or (node.tag == "a" and not address.startswith("#") and is_shown(address, node.text())):
            continue
        left[node.tag] -= 1
        names = {name for name in node.attributes if not name.startswith(("data-footnote", "aria-"))}
        is_own = not address or unquote(address) in addresses or address.startswith(("#fn", "#note-"))
        if (left[node.tag] < 0 and node.tag not in PLAIN) or not names <= ATTRIBUTES or not is_own:
            found.append(node.html or "")
    return found


def letters(text: str) -> str:
    """Text without white space, and without what a plain parser takes from TeX."""
    return re.sub(r"[\\~]", "", "".join(text.split()))


def shown(html: str) -> tuple[str, list[str]]:
    """The text that parsed HTML shows, and the descriptions of its images."""
    tree = LexborHTMLParser(html)
    return letters(tree.root.text() if tree.root else ""), [letters(node.attributes.get("alt") or "") for node in tree.css("img")]


def text_of(value: object, is_markdown: bool, in_link: bool = False) -> str:
    """The text of a tree in order; in Markdown formulas are between dollars, unless they are in code, and notes are labels."""
    match value:
        case str():
            return value
        case tuple() | list():
            return "".join(text_of(each, is_markdown, in_link) for each in value)
        case Span(kind="code", children=children):
            return plain(children)
        case Span(kind="math" | "display" as kind, children=children) if is_markdown:
            return f"{'$' * (1 + (kind == 'display'))}{plain(children)}{'$' * (1 + (kind == 'display'))}"
        case Span(kind="note", target=label) if is_markdown and not in_link:
            return f"[^{label}]"
        case Span(kind=kind, children=children):
            return text_of(children, is_markdown, in_link or kind == "link")
        case Heading(text=text) | Paragraph(text=text) | Code(text=text) | Figure(caption=text):
            return text_of(text, is_markdown)
        case Quote(children=inner) | Entry(children=inner) | Cell(children=inner) | List(items=inner) | Definitions(entries=inner):
            return text_of(inner, is_markdown)
        case Table(caption=caption, rows=rows):
            return text_of((caption, rows), is_markdown)
        case Footnote(mark=mark, children=children):
            return mark + text_of(children, is_markdown)
    raise AssertionError(value)


THOROUGHLY = settings(max_examples=max(150, settings.default.max_examples if settings.default else 0))


@THOROUGHLY
@given(st.integers(0, 2**64))
def test_markdown_shows_the_text_of_the_tree_and_no_element_that_it_does_not_have(seed: int) -> None:
    nodes = Trees(Random(seed)).document()
    markdown = to_markdown(nodes)
    has_notes, has_table = (any(isinstance(part, kind) for part in parts(nodes)) for kind in (Footnote, Table))
    alts = [letters(part.alt) for part in parts(nodes) if isinstance(part, Figure)]
    for name, render in PARSERS.items():
        html = render(markdown)
        assert intruders(html, nodes) == [], (name, markdown)
        if not has_notes and not (name == "cmark" and has_table):
            text, found = shown(html)
            assert text == letters(text_of(nodes, is_markdown=True)), (name, markdown)
            assert has_table or found == alts, (name, markdown)


@THOROUGHLY
@given(st.integers(0, 2**64))
def test_clean_html_and_tei_show_the_text_of_the_tree_and_no_element_that_it_does_not_have(seed: int) -> None:
    nodes = Trees(Random(seed)).document()
    html = to_html(nodes, seed % 2 * '"><script>')
    assert intruders(html, nodes) == [], html
    text, alts = shown(html)
    assert text == letters(text_of(nodes, is_markdown=False)), html
    assert alts == [letters(part.alt) for part in parts(nodes) if isinstance(part, Figure)]
    tei = etree.fromstring(to_tei(nodes, Metadata(title="<a>", licence="javascript://a()"), "").encode())
    assert not any(value.startswith("javascript:") for element in tei.iter() for value in element.attrib.values())
    for description in list(tei.iter("{*}teiHeader", "{*}figDesc")):
        description.clear(keep_tail=True)
    wanted = text_of([node for node in nodes if not isinstance(node, Footnote)], is_markdown=False)
    assert letters("".join(tei.itertext())).startswith(letters(re.sub("[\x0b\x0c]", "", wanted)))


def test_front_matter_is_read_as_the_metadata_of_the_page() -> None:
    title = "a\x85---\u2028---\n: 'b' \"c\" #d <img onerror=a()> \x7f\x9f\ufeff\uffff\U0001f600 {{x}} &e *f"
    page = read_html(f"<title>{title.replace('<', '&lt;')}</title><p>text", "https://example.org/")
    document = build_document(page, np.ones(len(page.blocks)))
    _, head, body = re.split("^---$", f"{front_matter(document)}{document.markdown}", maxsplit=2, flags=re.MULTILINE)
    assert yaml.safe_load(head)["title"] == document.metadata.title
    assert body == "\n\ntext"


LIVE = "<img src=x onerror=alert(1)>"
SHOWN = LIVE.replace("<", "&lt;").replace(">", "&gt;")


@pytest.mark.parametrize(
    "body",
    [
        f"<p>by <math><annotation encoding=application/x-tex>a`b</annotation></math> and <code>{SHOWN}</code>",
        f"<p>see https://e.org/<code>{SHOWN}</code>",
        f"<p>see https://e.org/{SHOWN} and www.e.org/`{SHOWN}",
        f"<pre class='brush: a`b'>a\n\n{SHOWN}</pre>",
        f"<blockquote><pre>a&#13;&#13;{SHOWN}</pre></blockquote>",
        f"<table><tr><th>a<th>b<tr><td>\\(\\|a`\\|\\)<td>x *b <code>\\|`{SHOWN}</code><br>c* d</table>",
    ],
    ids=["formula", "code behind an address", "tag behind an address", "language", "carriage return", "cell"],
)
def test_code_that_a_page_shows_is_never_live(body: str) -> None:
    page = read_html(f"<html><body>{body}</body></html>", "https://example.org/")
    document = build_document(page, np.ones(len(page.blocks)))
    for html in (document.html, *(render(document.markdown) for render in PARSERS.values())):
        assert LexborHTMLParser(html).css_first("img") is None
        assert LIVE in LexborHTMLParser(html).text()
