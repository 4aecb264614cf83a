"""The structure of a text as HTML declares it (headings, lists, tables, code, images, links, formulas), and how well two agree.

Each kind is a score from 0 to 1, None if neither text has any. Headings, items, images, links and formulas: F1 over what is equal, each
as often as it occurs; texts are compared by their words, since themes change quotation marks. Tables: TEDS (Zhong, ShafieiBavani and Jimeno
Yepes 2020, section 4), 1 less the edit distance of the trees over the nodes of the larger tree; replacing a cell costs the normalised edit
distance of its text. Code: 1 less the normalised edit distance. Tables and code are paired greedily, the most alike first, averaged over
the more numerous side. Departures of TEDS: rows are children of the table, and a head cell is a cell, since Markdown has no more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import lxml.html
import numpy as np
from lxml import etree
from markdown_it import MarkdownIt
from rapidfuzz.distance import Levenshtein

KINDS = ("headings", "heading levels", "list items", "nested and numbered items", "tables", "code", "images", "links", "formulas")
_PARSER = MarkdownIt("commonmark", {"html": True, "maxNesting": 200}).enable(["table", "strikethrough"])
_HEADING = re.compile(r"h[1-6]")
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|(?<![\w$\\])\$(?=\S)([^$\n]+?)(?<=\S)\$(?![\w$])", re.DOTALL)
_WORD = re.compile(r"\w+")

TableRow = tuple[str, ...]
Table = tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """Structure of a text, in document order."""

    headings: tuple[tuple[int, str], ...] = ()
    """Level and text."""
    items: tuple[tuple[str, bool, int], ...] = ()
    """Text, whether it is numbered, and depth from 1 on."""
    tables: tuple[Table, ...] = ()
    code: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    """Names of their files."""
    links: tuple[tuple[str, str], ...] = ()
    """Text and address."""
    formulas: tuple[str, ...] = ()
    """TeX without white space."""


def structure_of_markdown(markdown: str, url: str = "") -> Structure:
    """Return the structure of Markdown with GitHub's tables."""
    formulas = _formulas(re.sub(r"```.*?```|`[^`\n]*`", "", markdown, flags=re.DOTALL))
    return structure_of_html(_PARSER.render(markdown), url, formulas)


def structure_of_html(markup: str, url: str = "", formulas: Sequence[str] | None = None) -> Structure:
    """Return the structure of an HTML fragment; addresses are resolved against `url`.

    Formulas are those given and those of MathML; without any given, those that the text has between TeX's delimiters as well.
    """
    if not markup.strip():
        return Structure()
    tree = lxml.html.fragment_fromstring(re.sub(r"<\?xml[^>]*>|\x00", "", markup), create_parent="div")
    etree.strip_tags(tree, etree.Comment, etree.ProcessingInstruction)
    declared = [*filter(None, map(_tex, tree.iter("math", "script")))]
    for element in [*tree.iter("math", "script", "style")]:
        element.drop_tree()
    found = [
        *declared,
        *(_formulas("".join(tree.xpath(".//text()[not(ancestor::pre or ancestor::code)]"))) if formulas is None else formulas),
    ]
    headings = [(int(each.tag[1]), text) for each in tree.iter() if _HEADING.fullmatch(str(each.tag)) and (text := _words(_text(each)))]
    code = ["".join(each.itertext()).strip("\n") for each in tree.iter("pre")]
    return Structure(
        tuple(headings),
        tuple(item for each in tree.iter("li") if (item := _item(each))[0]),
        tuple(table for each in tree.iter("table") if not each.xpath(".//table | .//pre") and (table := _table(each))),
        tuple(each for each in code if each.strip()),
        tuple(urlsplit(each.get("src", "")).path.rpartition("/")[2] for each in tree.iter("img") if each.get("src")),
        tuple((text, urljoin(url, each.get("href"))) for each in tree.iter("a") if each.get("href") and (text := _words(_text(each)))),
        tuple(map(_unspaced, found)),
    )


def compare(found: Structure, gold: Structure, title: str = "") -> dict[str, float | None]:
    """Return a score per kind. The title counts on neither side: some extractors give it apart."""
    own, expected = ([each for each in side.headings if each[1] != _words(title)] for side in (found, gold))
    return {
        "headings": _f1([text for _, text in own], [text for _, text in expected]),
        "heading levels": _f1(_ranked(own), _ranked(expected)),
        "list items": _f1([item[0] for item in found.items], [item[0] for item in gold.items]),
        "nested and numbered items": _f1(*([item for item in side.items if item[1] or item[2] > 1] for side in (found, gold))),
        "tables": _paired(found.tables, gold.tables, teds),
        "code": _paired(found.code, gold.code, Levenshtein.normalized_similarity),
        "images": _f1(found.images, gold.images),
        "links": _f1(found.links, gold.links),
        "formulas": _f1(found.formulas, gold.formulas),
    }


def teds(one: Table, other: Table) -> float:
    """Return the similarity of two tables."""
    nodes = [1 + sum(1 + len(row) for row in table) for table in (one, other)]
    return 1 - _tree_distance(_postorder(one), _postorder(other)) / max(nodes)


Node = tuple[str | None, int]
"""The text of a cell, None for a row and the table; and the place of its leftmost leaf."""


def _postorder(table: Table) -> list[Node]:
    nodes: list[Node] = []
    for row in table:
        first = len(nodes)
        nodes += [(cell, first + column) for column, cell in enumerate(row)]
        nodes.append((None, first))
    return [*nodes, (None, 0)]


def _tree_distance(one: Sequence[Node], other: Sequence[Node]) -> float:
    """Return the edit distance of two ordered trees (Zhang and Shasha 1989), nodes in postorder."""
    distance = np.zeros((len(one), len(other)))
    for root in _key_roots(one):
        for other_root in _key_roots(other):
            start, other_start = one[root][1], other[other_root][1]
            forest = np.zeros((root - start + 2, other_root - other_start + 2))
            forest[:, 0], forest[0, :] = np.arange(len(forest)), np.arange(forest.shape[1])
            for row, node in enumerate(range(start, root + 1), 1):
                for column, other_node in enumerate(range(other_start, other_root + 1), 1):
                    both = one[node][1] == start and other[other_node][1] == other_start
                    before = (row - 1, column - 1) if both else (one[node][1] - start, other[other_node][1] - other_start)
                    change = _replacing(one[node][0], other[other_node][0]) if both else distance[node, other_node]
                    forest[row, column] = min(forest[row - 1, column] + 1, forest[row, column - 1] + 1, forest[before] + change)
                    if both:
                        distance[node, other_node] = forest[row, column]
    return float(distance[-1, -1])


def _key_roots(nodes: Sequence[Node]) -> list[int]:
    """Return the nodes that are the last with their leftmost leaf."""
    return sorted({first: place for place, (_, first) in enumerate(nodes)}.values())


def _replacing(one: str | None, other: str | None) -> float:
    if one is None or other is None:
        return float(one is not other)
    return Levenshtein.normalized_distance(one, other)


def _paired(found: Sequence[Hashable], gold: Sequence[Hashable], alike: Callable[..., float]) -> float | None:
    """Return the mean likeness of pairs over the more numerous side."""
    if not found and not gold:
        return None
    pairs = sorted(((alike(one, other), row, column) for row, one in enumerate(found) for column, other in enumerate(gold)), reverse=True)
    total, rows, columns = 0.0, set[int](), set[int]()
    for value, row, column in pairs:
        if row not in rows and column not in columns:
            total += value
            rows.add(row)
            columns.add(column)
    return total / max(len(found), len(gold))


def _f1(found: Sequence[Hashable], gold: Sequence[Hashable]) -> float | None:
    if not found and not gold:
        return None
    return 2 * (Counter(found) & Counter(gold)).total() / (len(found) + len(gold))


def _ranked(headings: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return headings with the rank of their level among those of the text, since themes move all levels by one."""
    levels = sorted({level for level, _ in headings})
    return [(levels.index(level), text) for level, text in headings]


def _item(element: lxml.html.HtmlElement) -> tuple[str, bool, int]:
    """Return a list item without the lists in it."""
    above = [each.tag for each in element.iterancestors("ul", "ol")]
    inner = "".join(_pieces(element))
    return _words(inner), above[:1] == ["ol"], len(above)


def _pieces(element: lxml.html.HtmlElement) -> list[str]:
    found = [element.text or ""]
    for child in element:
        if child.tag not in ("ul", "ol"):
            found.append("".join(child.itertext()))
        found.append(child.tail or "")
    return found


def _table(element: lxml.html.HtmlElement) -> Table:
    rows = (tuple(_text(cell) for cell in row if cell.tag in ("td", "th")) for row in element.iter("tr"))
    return tuple(row for row in rows if any(row))


def _tex(element: lxml.html.HtmlElement) -> str:
    """Return the TeX that MathML or a script of MathJax declares."""
    if element.tag == "script":
        return (element.text or "") if element.get("type", "").startswith("math/tex") else ""
    annotation = element.find(".//annotation")
    return element.get("data-latex") or element.get("alttext") or ((annotation.text or "") if annotation is not None else "")


def _formulas(text: str) -> list[str]:
    return [next(filter(None, found)) for found in _FORMULA.findall(text)]


def _text(element: lxml.html.HtmlElement) -> str:
    return " ".join("".join(element.itertext()).split())


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _unspaced(tex: str) -> str:
    return "".join(tex.split())
