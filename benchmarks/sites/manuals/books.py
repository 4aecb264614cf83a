"""Converters of one book to a page per chapter: plasTeX from LaTeX, LinuxDoc-Tools from SGML. Every document is a chapter."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.recipe import Generator, Theme, flat
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold

_MARKS = re.compile(r"`([^`]*)`|\*\*([^*]*)\*\*|\[([^\]]*)\]\(([^)]*)\)")
_TEX_SIGNS = {sign: f"\\{sign}" for sign in "#$%&_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_TEX_HEAD = (
    f"\\documentclass{{book}}\n\\usepackage{{hyperref}}\n\\title{{{NAME}}}\n\\author{{Ada Quay}}\n\\begin{{document}}\n\\maketitle\n"
)
_PLASTEX = ("--renderer=HTML5", "--split-level=0", "--no-mathjax", "--disable-images", "--dir=html")
_SGML_HEAD = f"<!doctype linuxdoc system>\n<article>\n<title>{NAME}\n<author>Ada Quay\n<date>2024-01-08\n<toc>\n"


def chapter_number(document: SourceDocument) -> int:
    """Return the number of a document's chapter, from 1."""
    return int(document.slug.rpartition("-")[2]) + 1


@dataclass(frozen=True, slots=True)
class _Inline:
    """How a format writes plain text, code, strong text and links."""

    plain: Callable[[str], str]
    code: str
    strong: str
    link: str

    def write(self, text: str) -> str:
        """Return inline Markdown in the format."""
        written, end = "", 0
        for found in _MARKS.finditer(text):
            written += self.plain(text[end : found.start()]) + self._marked(found)
            end = found.end()
        return written + self.plain(text[end:])

    def _marked(self, found: re.Match[str]) -> str:
        if found[1] is not None:
            return self.code.format(self.plain(found[1]))
        return self.strong.format(self.plain(found[2])) if found[2] is not None else self.link.format(found[4], self.plain(found[3]))


_TEX = _Inline(lambda text: "".join(_TEX_SIGNS.get(sign, sign) for sign in text), r"\texttt{{{}}}", r"\textbf{{{}}}", r"\href{{{}}}{{{}}}")
_SGML = _Inline(
    lambda text: html.escape(text, quote=False).replace("[", "&lsqb;").replace("]", "&rsqb;"),
    "<tt>{}</tt>",
    "<bf>{}</bf>",
    '<url url="{}" name="{}">',
)


def write_plastex(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a book of all documents in LaTeX."""
    chapters = [_chapter(rf"\chapter{{{_TEX.write(one.title)}}}\label{{{one.slug}}}", one, _TEX_FORMS) for one in documents]
    write_text(project / "book.tex", f"{_TEX_HEAD}{''.join(chapters)}\\end{{document}}\n")
    write_text(project / "theme.txt", theme)


def build_plastex(project: Path) -> None:
    """Convert the book with the style sheet of the theme's colour."""
    program = project.parents[1].resolve() / "bin/plastex"
    run_tool([str(program), *_PLASTEX, f"--theme-css={(project / 'theme.txt').read_text('utf-8')}", "book.tex"], project)


def plastex_gold(document: SourceDocument) -> str:
    """Return the gold text of a chapter: headings of all levels have numbers."""
    return _numbered(document, ("{} ", "{} ", "{} "))


def write_linuxdoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an article of all documents in LinuxDoc's SGML."""
    del theme
    chapters = [_chapter(f"<sect>{_SGML.write(one.title)}<p>", one, _SGML_FORMS) for one in documents]
    write_text(project / "html/tide.sgml", f"{_SGML_HEAD}{''.join(chapters)}</article>\n")


def build_linuxdoc(project: Path) -> None:
    """Convert the article, a page to each section, with its navigation in French."""
    options = ["-B", "html", "--charset=utf-8", "--language=fr", "--split=1"]
    run_tool([find_program("linuxdoc"), *options, "tide.sgml"], project / "html")
    (project / "html/tide.sgml").unlink()


def linuxdoc_gold(document: SourceDocument) -> str:
    """Return the gold text of a section: its heading and those below it have numbers, the third level has none."""
    return _numbered(document, ("{}. ", "{} ", ""))


def _numbered(document: SourceDocument, forms: tuple[str, str, str]) -> str:
    """Return the text of a chapter whose headings have numbers, by a form for each level."""
    counts = [chapter_number(document), 0, 0]
    lines = [forms[0].format(counts[0]) + document.title]
    for part in document.parts:
        found = part_gold(part)
        if part.kind == "heading":
            level = part.level - 1
            counts[level:] = [counts[level] + 1, *[0] * (2 - level)]
            found = [forms[level].format(".".join(map(str, counts[: level + 1]))) + found[0]]
        lines += found
    return "\n".join(lines)


def _chapter(heading: str, document: SourceDocument, forms: Mapping[str, Callable[[Part], str]]) -> str:
    return "\n\n".join((heading, *(forms[part.kind](part) for part in document.parts))) + "\n\n"


def _tex_list(name: str, part: Part) -> str:
    items = "\n".join(rf"\item {_TEX.write(row[0])}" for row in part.rows)
    return f"\\begin{{{name}}}\n{items}\n\\end{{{name}}}"


def _tex_table(part: Part) -> str:
    rows = "\n".join(" & ".join(_TEX.write(cell) for cell in row) + r" \\ \hline" for row in part.rows)
    return f"\\begin{{tabular}}{{|{'l|' * len(part.rows[0])}}}\n\\hline\n{rows}\n\\end{{tabular}}"


def _lines(part: Part) -> str:
    return "\n".join(row[0] for row in part.rows)


_TEX_FORMS: dict[str, Callable[[Part], str]] = {
    "heading": lambda part: rf"\{'sub' * (part.level - 2)}section{{{_TEX.write(part.rows[0][0])}}}",
    "paragraph": lambda part: _TEX.write(part.rows[0][0]),
    "quote": lambda part: f"\\begin{{quote}}\n{_TEX.write(part.rows[0][0])}\n\\end{{quote}}",
    "bullets": lambda part: _tex_list("itemize", part),
    "steps": lambda part: _tex_list("enumerate", part),
    "table": _tex_table,
    "code": lambda part: f"\\begin{{verbatim}}\n{_lines(part)}\n\\end{{verbatim}}",
}


def _sgml_list(name: str, part: Part) -> str:
    return f"<p><{name}>{''.join(f'<item>{_SGML.write(row[0])}' for row in part.rows)}</{name}>"


def _sgml_table(part: Part) -> str:
    rows = "<rowsep>".join("<colsep>".join(_SGML.write(cell) for cell in row) for row in part.rows)
    return f'<p><table loc="ht"><tabular ca="{"l" * len(part.rows[0])}">{rows}<rowsep></tabular></table>'


_SGML_FORMS: dict[str, Callable[[Part], str]] = {
    "heading": lambda part: f"<sect{part.level - 1}>{_SGML.write(part.rows[0][0])}<p>",
    "paragraph": lambda part: f"<p>{_SGML.write(part.rows[0][0])}",
    "quote": lambda part: f"<p><quote>{_SGML.write(part.rows[0][0])}</quote>",
    "bullets": lambda part: _sgml_list("itemize", part),
    "steps": lambda part: _sgml_list("enum", part),
    "table": _sgml_table,
    "code": lambda part: f"<p><tscreen><verb>\n{html.escape(_lines(part), quote=False)}\n</verb></tscreen>",
}
BOOK_GENERATORS = {
    "plastex": Generator("plastex", ("plasTeX==3.1",), write_plastex, build_plastex, "html", flat, gold=plastex_gold),
    "linuxdoc-tools": Generator(
        "linuxdoc-tools",
        (),
        write_linuxdoc,
        build_linuxdoc,
        "html",
        lambda document: f"tide-{chapter_number(document)}.html",
        "debian",
        gold=linuxdoc_gold,
    ),
}
BOOK_THEMES = (Theme("plastex", "blue", "MIT"), Theme("linuxdoc-tools", "html", "free, see the package"))
