"""TEI P5 output: a header with metadata, and the content in TEI's text elements.

Valid by TEI's own schema of all its modules (`tei_all.rng`, P5 4.3.0), by which the documents of 300 pages of WCXB dev were checked.
Characters that XML forbids are left out, and so are dates and addresses that are invalid by XML Schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from sightread.document.formats import Format
from sightread.document.metadata.metadata import Metadata
from sightread.document.tree.inlines import Inlines, Span, plain
from sightread.document.tree.nodes import Cell, Code, Definitions, Figure, Footnote, Heading, List, Node, Paragraph, Quote, Table

RENDITIONS = {"strong": "bold", "emphasis": "italic", "deleted": "strikethrough", "subscript": "subscript", "superscript": "superscript"}
"""Value of `rend` for each mark."""
FORMULAS = {"math": "inline", "display": "display"}

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_NO_URI = re.compile(r"[\s<>\"{}|\\^`]|%(?![0-9A-Fa-f]{2})")
_AUTHORITY = re.compile(
    r"[a-z][a-z0-9+.-]*:(?://(?:[^@/?#[\]]*@)?(?:\[[0-9a-f:.]+\]|[^@:/?#[\]]*)(?::\d{1,5})?(?![^/?#])|(?!//))", re.IGNORECASE
)
"""Scheme and host of a URI (RFC 3986, section 3)."""
_RESERVED = str.maketrans({"[": "%5B", "]": "%5D", "#": "%23"})


def to_tei(nodes: Iterable[Node], metadata: Metadata, url: str) -> str:
    """Return the nodes as one TEI document, in UTF-8; headings divide its body into divisions without nesting."""
    language = f' xml:lang="{metadata.language}"' if _LANGUAGE.fullmatch(metadata.language) else ""
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"{language}>',
        *_header(metadata, url),
        "<text>",
        "<body>",
        *_divisions(nodes),
        "</body>",
        "</text>",
        "</TEI>",
    ]
    return "\n".join(parts)


def _header(metadata: Metadata, url: str) -> list[str]:
    title = _text(metadata.title or "Untitled")
    authors = [f"<author>{_text(author)}</author>" for author in metadata.authors]
    site = _text(metadata.site_name) or "unknown"
    published = f"<date{_when(metadata.published)}>{_text(metadata.published)}</date>" if metadata.published else ""
    licensed = _target(metadata.licence) if metadata.licence.startswith(("http://", "https://")) else ""
    licence = f"<licence{licensed}>{_text(metadata.licence)}</licence>" if metadata.licence else "<p>not stated</p>"
    target = _target(metadata.canonical_url or url)
    pointer = f"<ptr{target}/>" if target else ""
    modified = f"<change{_when(metadata.modified)}>modified</change>" if metadata.modified else ""
    kind = f'<textClass><keywords><term type="page">{_text(metadata.page_type)}</term></keywords></textClass>' if metadata.page_type else ""
    abstract = f"<abstract><p>{_text(metadata.description)}</p></abstract>" if metadata.description else ""
    profile = f"<profileDesc>{abstract}{kind}</profileDesc>" if abstract or kind else ""
    return [
        "<teiHeader>",
        "<fileDesc>",
        f"<titleStmt><title>{title}</title>{''.join(authors)}</titleStmt>",
        f"<publicationStmt><publisher>{site}</publisher>{published}<availability>{licence}</availability></publicationStmt>",
        f"<sourceDesc><bibl><title>{title}</title>{''.join(authors)}<publisher>{site}</publisher>{published}{pointer}</bibl></sourceDesc>",
        "</fileDesc>",
        *([profile] if profile else []),
        *([f"<revisionDesc>{modified}</revisionDesc>"] if modified else []),
        "</teiHeader>",
    ]


def _divisions(nodes: Iterable[Node]) -> Iterable[str]:
    """Yield the nodes in divisions, each begun by a heading; TEI requires a heading to come first, and content after it."""
    opened, filled = False, False
    for node in nodes:
        if isinstance(node, Heading):
            if opened:
                yield "</div>" if filled else "<p/></div>"
            yield f'<div type="section" n="{node.level}"><head>{_phrase(node.text)}</head>'
            opened, filled = True, False
            continue
        if not opened:
            yield '<div type="section">'
            opened = True
        yield _block(node)
        filled = True
    if not opened:
        yield "<div><p/></div>"
    else:
        yield "</div>" if filled else "<p/></div>"


def _block(node: Node) -> str:
    match node:
        case Heading(text=text):  # inside an item, a cell or a quotation, where TEI has no headings
            return f'<p rend="heading">{_phrase(text)}</p>'
        case Paragraph(text=text):
            return f"<p>{_phrase(text)}</p>"
        case Code(text=code, language=language):
            name = f" lang={_quoted(_allowed(language))}" if language else ""
            return f'<ab type="code" xml:space="preserve"><code{name}>{_text(code)}</code></ab>'
        case Figure(caption=caption):
            head = f"<head>{_phrase(caption)}</head>" if caption else ""
            alt = f"<figDesc>{_text(node.alt)}</figDesc>" if node.alt else ""
            source = _target(node.source, "url")
            return f"<figure>{head}{alt}{f'<graphic{source}/>' if source else ''}</figure>"
        case Quote(children=children):
            return f"<quote>{_blocks(children)}</quote>"
        case List(items=items, start=start):
            rend = "bulleted" if start is None else "numbered"
            numbers = range(start or 0, (start or 0) + len(items))
            marked = (f'<item n="{number}">' if start is not None else "<item>" for number in numbers)
            return (
                f'<list rend="{rend}">{"".join(f"{mark}{_blocks(item)}</item>" for mark, item in zip(marked, items, strict=True))}</list>'
            )
        case Definitions(entries=entries):
            items_of = (f'<item rend="{("definition", "term")[entry.is_term]}">{_blocks(entry.children)}</item>' for entry in entries)
            return f'<list rend="definitions">{"".join(items_of)}</list>'
        case Table():
            return _table(node)
        case Footnote(label=label, mark=mark, children=children):
            return f'<note xml:id="note-{label}" n={_quoted(_allowed(mark))}>{_blocks(children)}</note>'


def _blocks(nodes: Iterable[Node]) -> str:
    return "".join(map(_block, nodes))


def _table(table: Table) -> str:
    head = f"<head>{_phrase(table.caption)}</head>" if table.caption else ""
    rows = (
        f'<row role="{"label" if place < table.headers else "data"}">{"".join(map(_cell, row)) or "<cell/>"}</row>'
        for place, row in enumerate(table.rows)
    )
    return f"<table>{head}{''.join(rows)}</table>"


def _cell(cell: Cell) -> str:
    role = ' role="label"' if cell.is_header else ""
    columns = f' cols="{cell.columns}"' if cell.columns > 1 else ""
    rows = f' rows="{cell.rows}"' if cell.rows > 1 else ""
    return f"<cell{role}{columns}{rows}>{_blocks(cell.children)}</cell>"


def _phrase(inlines: Inlines) -> str:
    return "".join(_text(part).replace("\n", "<lb/>") if isinstance(part, str) else _span(part) for part in inlines)


def _span(span: Span) -> str:
    if span.kind == "link":
        return f"<ref{_target(span.target)}>{_phrase(span.children)}</ref>"
    if span.kind == "code":
        return f"<code>{_text(plain(span.children))}</code>"
    if span.kind == "note":
        return f'<ref type="note" target="#note-{span.target}">{_phrase(span.children)}</ref>'
    if span.kind in ("math", "display"):
        return f'<formula notation="TeX" rend="{FORMULAS[span.kind]}">{_text(plain(span.children))}</formula>'
    return f'<hi rend="{RENDITIONS[span.kind]}">{_phrase(span.children)}</hi>'


def _target(url: str, name: str = "target") -> str:
    """Return a URL as an attribute; nothing if it is not absolute."""
    uri = _NO_URI.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), _allowed(url).strip())
    host = _AUTHORITY.match(uri)
    if not host:
        return ""
    before, mark, fragment = uri[host.end() :].partition("#")
    return f" {name}={_quoted(host[0] + before.translate(_RESERVED) + mark + fragment.translate(_RESERVED))}"


def _when(date: str) -> str:
    return f" when={_quoted(date)}" if _DATE.fullmatch(date) else ""


def _text(text: str) -> str:
    return escape(_allowed(text), quote=False)


def _allowed(text: str) -> str:
    return _FORBIDDEN.sub("", text)


def _quoted(value: str) -> str:
    return f'"{escape(value)}"'


FORMAT = Format(lambda document, _: document.tei, "application/tei+xml", aliases=("xmltei",), holds_metadata=True)
