"""Papers in LaTeX, converted by TeX4ht and by TtH: an abstract, and sections with numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold

_HEAD = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{hyperref,textcomp}
\begin{document}
\title{TITLE}\author{Ada Quay}\date{DATE}
\maketitle
\begin{abstract}
SUMMARY
\end{abstract}
"""
_FRAME = r"""\Preamble{html5,fn-in}
\Configure{BODY}{\HCode{<body><div class="journal"><a href="/">NAME</a> \Hnewline <span>Vol. 3</span> <a href="/issues/">Issues</a>
<a href="/authors/">Authors</a> <a href="/submit/">Submit a paper</a></div><div class="paper">}}{\HCode{</div>
<div class="imprint">NAME, ISSN 0000-0000. <a href="/licence/">Licence</a> <a href="/contact/">Contact</a></div></body>}}
\Css{body { margin: 0; font-family: "Noto Serif", serif; line-height: 1.5; }}
\Css{.journal, .imprint { background: \#33424d; color: \#fff; padding: .8em 2em; } .journal a, .imprint a { color: \#fff;
margin-right: 1em; }}
\Css{.paper { max-width: 46em; margin: auto; padding: 1em; } pre { background: \#f1f1ee; padding: .6em; }}
\begin{document}
\EndPreamble
"""
_ABSTRACTS = {"de": "Zusammenfassung", "es": "Resumen", "fr": "Résumé", "pt": "Resumo"}
_ABSTRACT = "Abstract"
_ESCAPES = {letter: rf"\{letter}" for letter in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "'": r"\textquotesingle{}",
    '"': r"\textquotedbl{}",
    "-": "-{}",
}


def paper_gold(document: SourceDocument) -> str:
    """Return the gold text of a paper: title, abstract, and sections with their numbers."""
    lines = [document.title, _abstract(document), document.summary]
    section = subsection = 0
    for part in document.parts:
        found = part_gold(part)
        if part.kind == "heading":
            section, subsection = (section + 1, 0) if part.level == 2 else (section, subsection + 1)
            found = [f"{section}{f'.{subsection}' if subsection else ''} {found[0]}"]
        lines += found
    return "\n".join(lines)


def write_papers(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document as an article, and the page around those of TeX4ht."""
    del theme
    write_text(project / "frame.cfg", _FRAME.replace("NAME", NAME))
    for document in documents:
        head = _HEAD.replace("TITLE", _inline(document.title)).replace("DATE", f"{document.published:%d.%m.%Y}")
        head = head.replace("SUMMARY", _inline(document.summary))
        if (name := _abstract(document)) != _ABSTRACT:
            head = head.replace(r"\begin{document}", rf"\renewcommand{{\abstractname}}{{{name}}}" + "\n" + r"\begin{document}")
        body = "\n\n".join(_latex(part) for part in document.parts)
        write_text(project / f"{document.slug}.tex", f"{head}{body}\n\\end{{document}}\n")


def build_tex4ht(project: Path) -> None:
    """Convert all papers by TeX4ht."""
    for path in sorted(project.glob("*.tex")):
        run_tool([find_program("make4ht"), "-u", "-c", "frame.cfg", "-f", "html5", "-d", "html", path.name], project)


def _abstract(document: SourceDocument) -> str:
    return _ABSTRACTS.get(document.language, _ABSTRACT)


def _latex(part: Part) -> str:
    """Return a part in LaTeX."""
    if part.kind == "code":
        return "\\begin{verbatim}\n" + "\n".join(row[0] for row in part.rows) + "\n\\end{verbatim}"
    rows = [[_inline(cell) for cell in row] for row in part.rows]
    if part.kind == "heading":
        return rf"\{'section' if part.level == 2 else 'subsection'}{{{rows[0][0]}}}"
    if part.kind == "table":
        lines = " \\\\ \\hline\n".join(" & ".join(row) for row in rows)
        return f"\\begin{{tabular}}{{|p{{3cm}}|p{{2cm}}|p{{7cm}}|}}\\hline\n{lines} \\\\ \\hline\n\\end{{tabular}}"
    if part.kind in ("bullets", "steps"):
        name = "itemize" if part.kind == "bullets" else "enumerate"
        items = "\n".join(rf"\item {row[0]}" for row in rows)
        return f"\\begin{{{name}}}\n{items}\n\\end{{{name}}}"
    return f"\\begin{{quote}}\n{rows[0][0]}\n\\end{{quote}}" if part.kind == "quote" else rows[0][0]


def _inline(text: str) -> str:
    """Return inline Markdown in LaTeX, whose signs stay as they are written."""
    text = "".join(_ESCAPES.get(letter, letter) for letter in text)
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"\\href{\2}{\1}", text)
    return re.sub(r"`([^`]*)`", r"\\texttt{\1}", re.sub(r"\*\*([^*]*)\*\*", r"\\textbf{\1}", text))
