"""A document as TEI P5: a header of what is known of the page, and its content in TEI's elements for text.

Written after TEI's guidelines, well-formed always: characters that XML forbids are left out. TEI's own schema was not at hand to
check it by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from classify.inlines import Inlines, Span, plain
from classify.metadata import Metadata
from classify.nodes import Cell, Code, Definitions, Figure, Heading, List, Node, Paragraph, Quote, Table

RENDITIONS = {"strong": "bold", "emphasis": "italic", "deleted": "strikethrough", "subscript": "subscript", "superscript": "superscript"}
"""What `rend` says of marked text."""

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_NO_URI = re.compile(r"[\s<>\"{}|\\^`]")


def to_tei(nodes: Iterable[Node], metadata: Metadata, url: str) -> str:
    """Return the nodes as one TEI document, of UTF-8 text; headings part its body into divisions without nesting."""
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
    licence = f"<licence{_target(metadata.licence)}>{_text(metadata.licence)}</licence>" if metadata.licence else "<p>not stated</p>"
    address = metadata.canonical_url or url
    pointer = f"<ptr{_target(address)}/>" if address else ""
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
    """Yield the nodes in divisions, each begun by a heading; TEI wants a heading to stand first, and some content after it."""
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
            return f"<figure>{head}{alt}<graphic{_target(node.source, 'url')}/></figure>"
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
            told = (f'<item rend="{("said", "term")[entry.is_term]}">{_blocks(entry.children)}</item>' for entry in entries)
            return f'<list rend="definitions">{"".join(told)}</list>'
        case Table():
            return _table(node)


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
    return f'<hi rend="{RENDITIONS[span.kind]}">{_phrase(span.children)}</hi>'


def _target(url: str, name: str = "target") -> str:
    """Return a URL as an attribute; what is no URI is left out where TEI can do without it."""
    uri = _NO_URI.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), _allowed(url))
    return f" {name}={_quoted(uri)}"


def _when(date: str) -> str:
    return f" when={_quoted(date)}"


def _text(text: str) -> str:
    return escape(_allowed(text), quote=False)


def _allowed(text: str) -> str:
    return _FORBIDDEN.sub("", text)


def _quoted(value: str) -> str:
    return f'"{escape(value)}"'
