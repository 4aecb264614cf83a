"""Converters of one text to one page: docutils, AsciiDoc in Python, Org mode, LaTeXML, xml2rfc and nbconvert."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import convert, find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold, to_markdown

_LATEX_HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{hyperref,longtable,booktabs,array,calc,fancyvrb}
\providecommand{\tightlist}{}
\providecommand{\passthrough}[1]{#1}
\setcounter{secnumdepth}{0}
"""
_LATEX_TABLE = r"\begin{longtable}{p{3cm}p{3cm}p{7cm}}\toprule"
"""Columns of fixed widths: those of pandoc need calculations, without which the lines of a table run out of the window."""
_ORG_EXPORT = """
(require 'ox-html)
(setq org-html-htmlize-output-type nil org-export-with-sub-superscripts nil org-export-with-smart-quotes nil
      org-export-with-section-numbers nil org-html-validation-link nil)
(dolist (file (file-expand-wildcards "*.org"))
  (with-current-buffer (find-file-noselect file) (org-html-export-to-html)))
"""


def write_docutils(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document with a contents list, a header and a footer."""
    del theme
    for document in documents:
        title = f"{document.title}\n{'=' * (4 * len(document.title))}\n\n"
        head = f":Author: Ada Quay\n:Date: {document.published}\n\n.. header:: {NAME}\n\n.. footer:: {document.tags[0].title()}\n\n"
        text = re.sub(r"^\.\. code:: .*$", ".. code-block::", convert(document, "rst", "--shift-heading-level-by=-1"), flags=re.M)
        write_text(project / f"{document.slug}.rst", f"{title}{head}.. contents:: Contents\n\n{text}")


def build_docutils(project: Path) -> None:
    """Convert all documents with the style sheets that come with docutils."""
    program = project.parents[1].resolve() / "bin/docutils"
    (project / "html").mkdir()
    for path in sorted(project.glob("*.rst")):
        options = ["--writer=html5", "--stylesheet-path=minimal.css,responsive.css", "--initial-header-level=2", "--smart-quotes=no"]
        run_tool([str(program), *options, path.name, f"html/{path.stem}.html"], project)


def write_asciidoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document with a contents list."""
    del theme
    for document in documents:
        body = re.sub(r"\[source,(\w+)\]", "[listing]", convert(document, "asciidoc"))
        write_text(project / f"{document.slug}.txt", f"= {document.title}\nAda Quay\n{document.published}\n\n{body}")


def build_asciidoc(project: Path) -> None:
    """Convert all documents, with the contents list that a script fills."""
    (project / "html").mkdir()
    for path in sorted(project.glob("*.txt")):
        options = ["-b", "xhtml11", "-a", "toc", "-a", "encoding=UTF-8", "-a", "max-width=55em"]
        run_tool([str(project.parents[1].resolve() / "bin/asciidoc"), *options, "-o", f"html/{path.stem}.html", path.name], project)


def write_org(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document as an outline."""
    del theme
    write_text(project / "export.el", _ORG_EXPORT)
    for document in documents:
        head = f"#+TITLE: {document.title}\n#+AUTHOR: Ada Quay\n#+DATE: {document.published}\n#+LANGUAGE: {document.language}\n"
        body = convert(document, "org", "--shift-heading-level-by=-1")
        body = re.sub(r"^ *:PROPERTIES:\n *:CUSTOM_ID:.*\n *:END:\n", "", body, flags=re.M)
        write_text(project / f"{document.slug}.org", f"{head}\n{re.sub(r'#.begin_src .*', '#+begin_src text', body)}")


def build_org(project: Path) -> None:
    """Export all outlines."""
    run_tool([find_program("emacs"), "--batch", "-Q", "-l", "export.el"], project, {"HOME": str(project)})
    (project / "html").mkdir()
    for path in sorted(project.glob("*.html")):
        path.rename(project / "html" / path.name)


def write_latexml(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document as an article with an abstract."""
    del theme
    for document in documents:
        title = _straight("".join(rf"\{letter}" if letter in "#$%&_{}" else letter for letter in document.title))
        body = convert(document, "latex-smart", "--shift-heading-level-by=-1", "--no-highlight")
        body = "".join(_straight(piece) for piece in re.split(r"(\\begin\{verbatim\}.*?\\end\{verbatim\})", body, flags=re.DOTALL))
        body = re.sub(r"\\begin\{longtable\}\[\]\{.*?\\toprule", lambda _: _LATEX_TABLE, body, flags=re.DOTALL)
        head = f"{_LATEX_HEAD}\\title{{{title}}}\\author{{Ada Quay}}\\date{{{document.published:%d %B %Y}}}\n"
        write_text(project / f"{document.slug}.tex", f"{head}\\begin{{document}}\\maketitle\n{body}\n\\end{{document}}\n")


def _straight(text: str) -> str:
    """Return LaTeX whose quotes stay as they are written, outside code."""
    if text.startswith("\\begin{verbatim}"):
        return text
    return text.replace("'", "\\textquotesingle{}").replace('"', "\\textquotedbl{}").replace("--", "-{}-")


def build_latexml(project: Path) -> None:
    """Convert all articles."""
    (project / "html").mkdir()
    for path in sorted(project.glob("*.tex")):
        run_tool([find_program("latexml"), "--quiet", f"--dest={path.stem}.xml", path.name], project)
        options = ["--quiet", "--format=html5", "--nodefaultresources", "--css=LaTeXML.css", "--css=ltx-article.css"]
        run_tool([find_program("latexmlpost"), *options, f"--dest=html/{path.stem}.html", f"{path.stem}.xml"], project)


def write_rfc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document as an Internet-Draft: the text before the first heading is the introduction."""
    del theme
    for document in documents:
        name = f"draft-quay-{document.slug}-00"
        head = f'<title>{html.escape(document.title)}</title><seriesInfo name="Internet-Draft" value="{name}"/>'
        head += '<author fullname="Ada Quay" initials="A." surname="Quay"><organization>Tide</organization></author>'
        head += f'<date year="{document.published:%Y}" month="{document.published:%B}" day="{document.published.day}"/>'
        head += f"<abstract><t>{html.escape(document.summary)}</t></abstract>"
        rfc = f'<rfc version="3" ipr="none" category="info" submissionType="independent" docName="{name}" tocInclude="true">'
        middle = "".join(_rfc_section(heading, parts) for heading, parts in _sections(document))
        write_text(project / f"{document.slug}.xml", f"{rfc}<front>{head}</front><middle>{middle}</middle></rfc>")


def build_rfc(project: Path) -> None:
    """Convert all drafts."""
    (project / "html").mkdir()
    for path in sorted(project.glob("*.xml")):
        program = project.parents[1].resolve() / "bin/xml2rfc"
        run_tool(
            [str(program), "--html", "--quiet", "--no-network", "--skip-config-files", "-o", f"html/{path.stem}.html", path.name], project
        )


def rfc_gold(document: SourceDocument) -> str:
    """Return the gold text of a draft: title, abstract, and sections with their numbers."""
    lines = [document.title, "Abstract", document.summary]
    for number, (heading, parts) in enumerate(_sections(document), 1):
        lines.append(f"{number}. {heading}")
        lines += [line for part in parts for line in part_gold(part)]
    return "\n".join(lines)


def write_notebooks(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document as a notebook: its code in cells that have run, with a line of output."""
    del theme
    for document in documents:
        cells = [_text_cell(f"# {document.title}")]
        count = 0
        for part in document.parts:
            if part.kind != "code":
                cells.append(_text_cell(to_markdown(SourceDocument(document.slug, "", "", document.published, (), "", (part,)))))
                continue
            count += 1
            output = {"output_type": "stream", "name": "stdout", "text": [_cell_output(part)]}
            source = "\n".join(row[0] for row in part.rows)
            cells.append({"cell_type": "code", "execution_count": count, "metadata": {}, "outputs": [output], "source": source})
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "language_info": {"name": "python"}}
        for number, cell in enumerate(cells):
            cell["id"] = f"cell-{number}"
        book = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        write_text(project / f"{document.slug}.ipynb", json.dumps(book))


def build_notebooks(project: Path) -> None:
    """Convert all notebooks."""
    program = project.parents[1].resolve() / "bin/jupyter-nbconvert"
    names = sorted(path.name for path in project.glob("*.ipynb"))
    run_tool([str(program), "--to=html", "--template=lab", "--output-dir=html", *names], project, {"HOME": str(project)})


def notebook_gold(document: SourceDocument) -> str:
    """Return the gold text of a notebook: the document, with a line of output after each piece of code."""
    lines = [document.title]
    for part in document.parts:
        lines += [*part_gold(part), *([_cell_output(part)] if part.kind == "code" else [])]
    return "\n".join(lines)


def _cell_output(part: Part) -> str:
    return f"{len(part.rows)} lines of {part.language} read"


def _text_cell(text: str) -> dict[str, object]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _sections(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return heading and parts of each section; headings below the second level are bold lines."""
    found: list[tuple[str, list[Part]]] = [("Introduction", [])]
    for part in document.parts:
        if part.kind == "heading" and part.level == 2:
            found.append((part_gold(part)[0], []))
        else:
            found[-1][1].append(part)
    return [section for section in found if section[1]]


def _rfc_section(heading: str, parts: Sequence[Part]) -> str:
    return f"<section><name>{html.escape(heading)}</name>{''.join(_RFC[part.kind](part) for part in parts)}</section>"


def _rfc_line(text: str) -> str:
    """Return inline Markdown in the vocabulary of RFCs."""
    text = re.sub(r'<a href="([^"]*)">(.*?)</a>', r'<eref target="\1">\2</eref>', inline_html(text))
    return text.replace("<code>", "<tt>").replace("</code>", "</tt>")


def _rfc_list(tag: str, part: Part) -> str:
    return f"<{tag}>{''.join(f'<li>{_rfc_line(row[0])}</li>' for row in part.rows)}</{tag}>"


def _rfc_table(part: Part) -> str:
    rows = [
        "".join(f"<{cell}>{_rfc_line(text)}</{cell}>" for text in row)
        for cell, row in zip(["th", *["td"] * len(part.rows)], part.rows, strict=False)
    ]
    return f"<table><thead><tr>{rows[0]}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows[1:])}</tbody></table>"


_RFC: dict[str, Callable[[Part], str]] = {
    "heading": lambda part: f"<t><strong>{_rfc_line(part.rows[0][0])}</strong></t>",
    "paragraph": lambda part: f"<t>{_rfc_line(part.rows[0][0])}</t>",
    "quote": lambda part: f"<blockquote><t>{_rfc_line(part.rows[0][0])}</t></blockquote>",
    "bullets": lambda part: _rfc_list("ul", part),
    "steps": lambda part: _rfc_list("ol", part),
    "table": _rfc_table,
    "code": lambda part: f"<sourcecode>{html.escape(chr(10).join(row[0] for row in part.rows))}</sourcecode>",
}
