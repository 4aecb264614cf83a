"""Lecture notes converted by TtH, the translator of TeX to HTML; the frame of the course around them is ours."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from string import Template

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publications.papers import numbered_gold, sections
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold

_PAPER = Template(r"""\documentclass{article}
\title{$title}
\author{Ada Quay and Bela Moore\\ Institute of Ports}
\date{$day}
\begin{document}
\maketitle
\begin{abstract}
$summary
\end{abstract}
$body
\end{document}
""")
_SPECIAL = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "~": r"\~{}"}
_HEAD = Template("""<body><div class="course"><a class="name" href="/">$name: a course on ports</a><span><a href="/timetable">Timetable</a>
<a href="/exercises">Exercises</a><a href="/exam">Exam</a><a href="/staff">Staff</a></span></div><div class="sheet"><div class="lectures">
<h4>Lectures</h4><ol start="$first">$near</ol><h4>Downloads</h4><p><a href="$slug.pdf">PDF</a> <a href="$slug.tex">TeX</a></p></div>
<div class="notes">""")
_FOOT = Template("""</div></div><div class="course"><span>
<a href="$before.html">Previous lecture</a><a href="$next.html">Next lecture</a></span>
<span>Institute of Ports, 12 Quay Street. <a href="/imprint">Imprint</a></span></div></body></html>""")
_STYLE = """<style>body { margin: 0 }
.course { display: flex; justify-content: space-between; background: #23395d; color: #fff; padding: 12px 30px }
.course a { color: #fff; margin-right: 20px; text-decoration: none } .course .name { font-weight: bold } .sheet { display: flex }
.lectures { width: 240px; padding: 20px 30px; background: #eef1f6; font-family: sans-serif; font-size: 14px }
.lectures ol { padding-left: 24px }
.notes { max-width: 820px; padding: 10px 50px 40px } pre { background: #f4f4f4; padding: 8px }
td { padding: 2px 10px }</style>"""


def write_lectures(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a paper per document in LaTeX, and the frame of the course around it."""
    del theme
    for number, document in enumerate(documents):
        text = _PAPER.substitute(
            title=_escaped(document.title),
            day=f"{document.published:%d.%m.%Y}",
            summary=_inline(document.summary),
            body="\n\n".join(_latex(part) for part in document.parts),
        )
        write_text(project / f"source/{document.slug}.tex", text)
        first = max(0, min(number - 4, len(documents) - 10))
        near = "".join(f'<li><a href="{one.slug}.html">{html.escape(one.title)}</a></li>' for one in documents[first : first + 10])
        head = _HEAD.substitute(name=NAME, near=near, first=first + 1, slug=document.slug)
        write_text(project / f"source/{document.slug}.head", head)
        foot = _FOOT.substitute(before=documents[number - 1].slug, next=documents[(number + 1) % len(documents)].slug)
        write_text(project / f"source/{document.slug}.foot", foot)
        write_text(project / f"source/{document.slug}.language", document.language)


def build_lectures(project: Path) -> None:
    """Convert the papers, and put each into its frame. Raises `Rejected` if the program is missing."""
    program = str(find_program("tth"))
    for path in sorted((project / "source").glob("*.tex")):
        run_tool([program, "-e2", "-u2", path.name], path.parent)
        language, head, foot = (path.with_suffix(end).read_text("utf-8") for end in (".language", ".head", ".foot"))
        begin, title, text = path.with_suffix(".html").read_text("utf-8").partition("</title>")
        begin = begin.replace("<html>", f'<html lang="{language}"><head><meta charset="utf-8">', 1)
        write_text(project / f"html/{path.stem}.html", f"{begin}{title}{_STYLE}</head>{head}{text.replace('</html>', foot, 1)}")


def lecture_gold(document: SourceDocument) -> str:
    """Return the gold text of a lecture: title, abstract with its heading, and numbered sections."""
    before, found = sections(document)
    lines = [document.title, "Abstract", document.summary, *(line for part in before for line in part_gold(part))]
    for number, parts in enumerate(found, 1):
        lines += numbered_gold(parts, number)
    return "\n".join(lines)


def _latex(part: Part) -> str:
    rows = [[_inline(cell) for cell in row] for row in part.rows]
    if part.kind == "heading":
        return f"\\{'sub' * (part.level - 2)}section{{{rows[0][0]}}}"
    if part.kind == "code":
        return "\\begin{verbatim}\n" + "\n".join(row[0] for row in part.rows) + "\n\\end{verbatim}"
    if part.kind in ("bullets", "steps"):
        kind = "itemize" if part.kind == "bullets" else "enumerate"
        return f"\\begin{{{kind}}}\n" + "\n".join(f"\\item {row[0]}" for row in rows) + f"\n\\end{{{kind}}}"
    if part.kind == "table":
        lines = " \\\\\n".join(" & ".join(row) for row in rows)
        return f"\\begin{{tabular}}{{lrl}}\n{lines} \\\\\n\\end{{tabular}}"
    return f"\\begin{{quote}}{rows[0][0]}\\end{{quote}}" if part.kind == "quote" else rows[0][0]


def _inline(text: str) -> str:
    """Return inline Markdown in LaTeX."""
    found = html.unescape(re.sub(r"</?(a|strong|code)\b[^>]*>", lambda tag: f"\0{tag[0]}\0", inline_html(text)))
    pieces = found.split("\0")
    return "".join(_tag(piece) if place % 2 else _escaped(piece) for place, piece in enumerate(pieces))


def _tag(tag: str) -> str:
    address = re.search('href="([^"]*)"', tag)
    return f"\\href{{{address[1]}}}{{" if address else {"<strong>": "\\textbf{", "<code>": "\\texttt{"}.get(tag, "}")


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(sign, sign) for sign in text)
