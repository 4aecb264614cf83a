"""Documents with known structure, written from known sentences; their Markdown and their gold text."""

from __future__ import annotations

import html
import random
import re
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from benchmarks.sites.texts.sentences import Language
from sightread.render.files import write_atomically

TableRows = tuple[tuple[str, ...], ...]
KINDS = ("article", "tutorial", "reference", "short", "guide")
"""Kinds of documents: prose with quotations; steps with code; signatures with tables of parameters; two paragraphs; sections of lists."""
TAG_WORDS = ("harbour", "release", "travel", "method", "field notes", "history")


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a document: heading (its `level`), paragraph, bullets, steps, table, code (its `language`), quote, figure, formula.

    Of a figure the row is its description, and `language` the name of its file; of a formula it is the TeX.
    """

    kind: str
    rows: TableRows
    level: int = 0
    language: str = ""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document before any theme has touched it."""

    slug: str
    title: str
    language: str
    published: date
    tags: tuple[str, ...]
    summary: str
    parts: tuple[Part, ...]


def write_documents(language: Language, count: int, seed: str) -> list[SourceDocument]:
    """Return documents of all kinds in turn; the same seed gives the same documents."""
    draw = random.Random(f"{seed} {language.code}")
    return [_write(language, KINDS[number % len(KINDS)], number, draw) for number in range(count)]


def with_media(document: SourceDocument) -> SourceDocument:
    """Return the document with a figure and a formula after some of its paragraphs; the others stay as they are."""
    draw = random.Random(f"media {document.slug} {document.title}")
    parts: list[Part] = []
    for part in document.parts:
        parts.append(part)
        if part.kind == "paragraph" and draw.random() < 0.2:
            parts.append(Part("figure", ((document.summary,),), language=f"figure-{draw.randrange(FIGURES)}.png"))
        if part.kind == "paragraph" and draw.random() < 0.2:
            parts.append(Part("formula", ((" ".join((*draw.choice(_FORMULAS), "=", draw.choice("uvw"))),),)))
    return replace(document, parts=tuple(parts))


def write_media(folder: Path) -> None:
    """Write the files of the figures."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(FIGURES):
        write_atomically(folder / f"figure-{number}.png", _picture(number))


def to_markdown(document: SourceDocument, tables: bool = True) -> str:
    """Return the body as CommonMark with GitHub's tables, or with `tables` false with tables in HTML, without the title."""
    forms = _MARKDOWN if tables else _MARKDOWN | {"table": _table_html}
    return "\n\n".join(forms[part.kind](part) for part in document.parts) + "\n"


def to_html(document: SourceDocument) -> str:
    """Return the body as plain HTML, without the title."""
    return "\n".join(part_html(part) for part in document.parts)


def part_html(part: Part) -> str:
    """Return one part as plain HTML."""
    return _HTML[part.kind](part)


def gold_text(document: SourceDocument) -> str:
    """Return the text that was put in, title included: one line per heading, paragraph, item, table row and line of code."""
    return "\n".join((document.title, *(line for part in document.parts for line in part_gold(part))))


def part_gold(part: Part) -> list[str]:
    """Return the lines of the gold text that one part has."""
    if part.kind == "figure":
        return []
    return [" ".join(_unmarked(cell) if part.kind != "code" else cell for cell in row) for row in part.rows]


def _unmarked(text: str) -> str:
    """Return inline Markdown as plain text."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("**", "").replace("`", "")


def _write(language: Language, kind: str, number: int, draw: random.Random) -> SourceDocument:
    title = language.title(draw)
    return SourceDocument(
        slug=f"{kind}-{number:02}",
        title=title,
        language=language.code,
        published=date(2024, 1, 8) + timedelta(days=11 * number),
        tags=tuple(draw.sample(TAG_WORDS, 2)),
        summary=language.sentence(draw),
        parts=tuple(_BODIES[kind](language, draw)),
    )


def _article(language: Language, draw: random.Random) -> list[Part]:
    parts = [_paragraph(language, draw) for _ in range(draw.randint(2, 4))]
    for _ in range(draw.randint(1, 4)):
        parts.append(_heading(language, draw, 2))
        parts += [_paragraph(language, draw) for _ in range(draw.randint(1, 4))]
        if draw.random() < 0.4:
            parts.append(Part("quote", ((language.sentence(draw),),)))
        if draw.random() < 0.4:
            parts.append(_list(language, draw))
    return parts


def _tutorial(language: Language, draw: random.Random) -> list[Part]:
    parts = [_paragraph(language, draw)]
    for _ in range(draw.randint(2, 5)):
        parts += [_heading(language, draw, 2), _paragraph(language, draw, 2), _code(draw)]
        if draw.random() < 0.5:
            parts.append(_paragraph(language, draw, 2))
        if draw.random() < 0.3:
            parts.append(Part("steps", tuple((language.sentence(draw),) for _ in range(draw.randint(3, 6)))))
    return parts


def _reference(language: Language, draw: random.Random) -> list[Part]:
    parts = [_paragraph(language, draw, 2)]
    for _ in range(draw.randint(3, 6)):
        name = draw.choice(_NAMES)
        parts += [
            Part("heading", ((f"`{name}({', '.join(draw.sample(_NAMES, 2))})`",),), 2),
            Part("paragraph", ((language.sentence(draw),),)),
            _table(language, draw),
        ]
        if draw.random() < 0.5:
            parts += [_heading(language, draw, 3), _code(draw)]
    return parts


def _short(language: Language, draw: random.Random) -> list[Part]:
    return [_paragraph(language, draw, draw.randint(1, 3)) for _ in range(draw.randint(1, 3))]


def _guide(language: Language, draw: random.Random) -> list[Part]:
    parts: list[Part] = []
    for _ in range(draw.randint(3, 6)):
        parts += [_heading(language, draw, 2), _paragraph(language, draw, 2), _list(language, draw)]
        if draw.random() < 0.3:
            parts.append(_table(language, draw))
    return parts


_BODIES: dict[str, Callable[[Language, random.Random], list[Part]]] = {
    "article": _article,
    "tutorial": _tutorial,
    "reference": _reference,
    "short": _short,
    "guide": _guide,
}


def _heading(language: Language, draw: random.Random, level: int) -> Part:
    return Part("heading", ((language.title(draw),),), level)


def _paragraph(language: Language, draw: random.Random, sentences: int = 4) -> Part:
    text = language.gap.join(language.sentence(draw) for _ in range(draw.randint(1, sentences)))
    words = text.split()
    if len(words) > 12 and draw.random() < 0.3:
        place = draw.randrange(2, len(words) - 2)
        word = words[place].strip("*`[]()_<>")
        if word.isalnum():
            words[place] = draw.choice((f"**{word}**", f"`{word}`", f"[{word}](https://example.org/{place})"))
            text = " ".join(words)
    return Part("paragraph", ((text,),))


def _list(language: Language, draw: random.Random) -> Part:
    write = language.sentence if draw.random() < 0.5 else language.title
    return Part("bullets", tuple((write(draw),) for _ in range(draw.randint(3, 7))))


def _table(language: Language, draw: random.Random) -> Part:
    rows = [tuple(language.title(draw) for _ in range(3))]
    rows += [(f"`{draw.choice(_NAMES)}`", str(draw.randint(1, 4096)), language.sentence(draw)) for _ in range(draw.randint(2, 6))]
    return Part("table", tuple(rows))


def _code(draw: random.Random) -> Part:
    language = draw.choice(tuple(_CODE))
    first, second = draw.sample(_NAMES, 2)
    lines = [line.format(a=first, b=second, n=draw.randint(2, 99)) for line in _CODE[language]]
    return Part("code", tuple((line,) for line in lines), language=language)


FIGURES = 4
"""Pictures of the documents."""
_FORMULAS = (("a", "+", "b"), ("x", "-", "y", "+", "z"), ("k", "<", "n"), ("p", "+", "q", "-", "r"))
"""Their TeX has the words of their MathML."""


def _picture(number: int) -> bytes:
    """Return a PNG of 640 by 360 pixels, a slope of colours."""
    rows = bytearray()
    colours = bytearray(3 * 640)
    colours[0::3], colours[2::3] = bytes(x * 255 // 640 for x in range(640)), bytes([60 * number]) * 640
    for y in range(360):
        colours[1::3] = bytes([y * 255 // 360]) * 640
        rows += b"\0" + colours

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 640, 360, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


_NAMES = ("harbour", "lantern", "ferry", "read_tide", "open_gate", "max_depth", "timeout", "anchor", "buoy", "chart", "signal", "route")
_CODE: dict[str, Sequence[str]] = {
    "python": ("from {a} import {b}", "", "def main(limit={n}):", "    for item in {b}(limit):", "        print(item)"),
    "bash": ("cd {a}", "make {b} JOBS={n}", "./run --{b} --limit {n} > {a}.log"),
    "json": ("{{", '  "{a}": {n},', '  "{b}": ["one", "two"]', "}}"),
    "c": ("int {a}(int {b}) {{", "    return {b} * {n};", "}}"),
}


def inline_html(text: str) -> str:
    """Return inline Markdown as HTML."""
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r'<a href="\2">\1</a>', html.escape(text, quote=False))
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", re.sub(r"\*\*([^*]*)\*\*", r"<strong>\1</strong>", text))


def _list_html(tag: str, part: Part) -> str:
    return f"<{tag}>{''.join(f'<li>{inline_html(row[0])}</li>' for row in part.rows)}</{tag}>"


def _table_html(part: Part) -> str:
    head, *rows = part.rows
    cells = "".join(f"<th>{inline_html(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{inline_html(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table class="table"><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>'


def _figure_html(part: Part) -> str:
    return f'<figure><img src="{part.language}" width="640" height="360" alt="{html.escape(part.rows[0][0])}"></figure>'


def _formula_html(part: Part) -> str:
    tokens = "".join(f"<mi>{token}</mi>" if token.isalpha() else f"<mo>{html.escape(token)}</mo>" for token in part.rows[0][0].split())
    tex = f'<annotation encoding="application/x-tex">{html.escape(part.rows[0][0])}</annotation>'
    return f'<p><math display="block"><semantics><mrow>{tokens}</mrow>{tex}</semantics></math></p>'


_HTML: dict[str, Callable[[Part], str]] = {
    "heading": lambda part: f"<h{part.level}>{inline_html(part.rows[0][0])}</h{part.level}>",
    "paragraph": lambda part: f"<p>{inline_html(part.rows[0][0])}</p>",
    "quote": lambda part: f"<blockquote><p>{inline_html(part.rows[0][0])}</p></blockquote>",
    "bullets": lambda part: _list_html("ul", part),
    "steps": lambda part: _list_html("ol", part),
    "table": _table_html,
    "figure": _figure_html,
    "formula": _formula_html,
    "code": lambda part: (
        f'<pre><code class="language-{part.language}">' + html.escape("\n".join(row[0] for row in part.rows)) + "</code></pre>"
    ),
}


def _table_markdown(part: Part) -> str:
    head, *rows = part.rows
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))


_MARKDOWN: dict[str, Callable[[Part], str]] = {
    "heading": lambda part: f"{'#' * part.level} {part.rows[0][0]}",
    "paragraph": lambda part: part.rows[0][0],
    "quote": lambda part: f"> {part.rows[0][0]}",
    "bullets": lambda part: "\n".join(f"- {row[0]}" for row in part.rows),
    "steps": lambda part: "\n".join(f"{number}. {row[0]}" for number, row in enumerate(part.rows, 1)),
    "table": _table_markdown,
    "figure": lambda part: f"![{part.rows[0][0]}]({part.language})",
    "formula": lambda part: f"$$\n{part.rows[0][0]}\n$$",
    "code": lambda part: f"```{part.language}\n" + "\n".join(row[0] for row in part.rows) + "\n```",
}
