"""HTML output: known tags only, all text and attributes escaped, no scripts or styles.

No ids except those of footnotes (`note-1`), and no classes except those that name the language of code (`language-math` for formulas in
TeX).
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from sightread.document.formats import Format
from sightread.document.tree.inlines import Inlines, Span, plain, without
from sightread.document.tree.nodes import Cell, Code, Definitions, Figure, Footnote, Heading, List, Node, Paragraph, Quote, Table
from sightread.render.static.tags import INLINE_TAGS


def to_html(nodes: Iterable[Node], language: str = "") -> str:
    """Return the nodes as one `<article>`, one block per line; links and images keep their absolute URLs."""
    lang = f' lang="{escape(language)}"' if language else ""
    return "\n".join([f"<article{lang}>", *map(_block, nodes), "</article>"])


def _block(node: Node) -> str:
    match node:
        case Heading(level=level, text=text):
            return f"<h{level}>{_phrase(text)}</h{level}>"
        case Paragraph(text=(Span(kind="display", children=children),)):
            return f'<pre><code class="language-math">{escape(plain(children), quote=False)}</code></pre>'
        case Paragraph(text=text):
            return f"<p>{_phrase(text)}</p>"
        case Code(text=code, language=language):
            name = f' class="language-{escape(language)}"' if language else ""
            return f"<pre><code{name}>{escape(code, quote=False)}</code></pre>"
        case Figure(caption=caption):
            image = f'<img src="{escape(node.source)}" alt="{escape(node.alt)}">'
            return f"<figure>{image}{f'<figcaption>{_phrase(caption)}</figcaption>' if caption else ''}</figure>"
        case Quote(children=children):
            return f"<blockquote>{_blocks(children)}</blockquote>"
        case List(items=items, start=None):
            return f"<ul>{''.join(f'<li>{_content(item)}</li>' for item in items)}</ul>"
        case List(items=items, start=start):
            number = "" if start == 1 else f' start="{start}"'
            return f"<ol{number}>{''.join(f'<li>{_content(item)}</li>' for item in items)}</ol>"
        case Definitions(entries=entries):
            tags = ((("dd", "dt")[entry.is_term], entry) for entry in entries)
            return f"<dl>{''.join(f'<{tag}>{_content(entry.children)}</{tag}>' for tag, entry in tags)}</dl>"
        case Table():
            return _table(node)
        case Footnote(label=label, children=children):
            return f'<div id="note-{label}">{_marked(f"<sup>{escape(node.mark)}</sup> ", children)}</div>'


def _marked(mark: str, nodes: tuple[Node, ...]) -> str:
    if nodes and isinstance(nodes[0], Paragraph):
        return f"<p>{mark}{_phrase(nodes[0].text)}</p>{_blocks(nodes[1:])}"
    return f"<p>{mark.strip()}</p>{_blocks(nodes)}"


def _blocks(nodes: Iterable[Node]) -> str:
    return "".join(map(_block, nodes))


def _content(nodes: tuple[Node, ...]) -> str:
    """Return the content of an item, cell or entry; its first paragraph needs no tag if no other follows."""
    if nodes and isinstance(nodes[0], Paragraph) and not any(isinstance(node, Paragraph) for node in nodes[1:]):
        return _phrase(nodes[0].text) + _blocks(nodes[1:])
    return _blocks(nodes)


def _table(table: Table) -> str:
    caption = f"<caption>{_phrase(table.caption)}</caption>" if table.caption else ""
    rows = [f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows]
    head = f"<thead>{''.join(rows[: table.headers])}</thead>" if table.headers else ""
    return f"<table>{caption}{head}<tbody>{''.join(rows[table.headers :])}</tbody></table>"


def _cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    rows = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    return f"<{tag}{columns}{rows}>{_content(cell.children)}</{tag}>"


def _phrase(inlines: Inlines) -> str:
    return "".join(escape(part, quote=False).replace("\n", "<br>") if isinstance(part, str) else _span(part) for part in inlines)


def _span(span: Span) -> str:
    if span.kind == "link":
        text = tuple(without(without(span.children, "link"), "note"))  # a link in a link would end it
        return f'<a href="{escape(span.target)}">{_phrase(text)}</a>'
    if span.kind == "note":
        return f'<sup><a href="#note-{span.target}">{_phrase(span.children)}</a></sup>'
    if span.kind in ("math", "display"):
        return f'<code class="language-math">{escape(plain(span.children), quote=False)}</code>'
    tag = INLINE_TAGS[span.kind]
    return f"<{tag}>{_phrase(span.children)}</{tag}>"


FORMAT = Format(lambda document, _: document.html, "text/html")
