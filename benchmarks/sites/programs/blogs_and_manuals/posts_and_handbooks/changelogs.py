"""Change logs of programs by changelog-to-html, with a frame of ours around each."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from string import Template

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_markdown

_KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
"""Kinds of changes, after keepachangelog.com."""
_BODY = '<body class="markdown-body">'
_HEAD = Template("""<body><header class="bar"><a class="brand" href="/">$name</a><nav><a href="/docs">Docs</a>
<a href="/downloads">Downloads</a>
<a href="/changes">Changes</a><a href="/blog">Blog</a></nav><a href="/in">Sign in</a></header><div class="columns"><nav class="side">
<b>Versions</b><ul>$versions</ul><b>Other packages</b><ul>$others</ul></nav><main class="markdown-body">""")
_FOOT = Template("""</main></div><footer class="bar"><span>$name, free software since 2003</span><nav><a href="/licence">Licence</a>
<a href="/security">Report a vulnerability</a></nav></footer></body>""")
_STYLE = """
body { margin: 0; font-family: "Noto Sans", sans-serif } .bar { display: flex; gap: 32px; align-items: center; padding: 14px 32px;
background: #24292e; color: #ddd; font-size: 14px } .bar nav { flex: 1 } .bar a { color: #fff; margin-right: 16px; text-decoration: none }
.brand { font-weight: 600; font-size: 18px } .columns { display: flex; max-width: 1240px; margin: 0 auto }
main.markdown-body { flex: 1; margin: 0 }
.side { width: 230px; padding: 45px 20px; font-size: 14px; border-right: 1px solid #e1e4e8 } .side ul { list-style: none; padding: 0 }
.side li { margin: 6px 0 } .side a { color: #0366d6; text-decoration: none }
"""


def write_changelogs(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a change log per document, a version per section, and the frame around it."""
    del theme
    for number, document in enumerate(documents):
        text = f"# {document.title}\n\n{document.summary}\n\n"
        heads = []
        for place, (head, parts) in enumerate(_versions(document)):
            heads.append(head.split("]")[0].strip("["))
            link = f"[{heads[-1]}]: https://example.org/compare/{heads[-1]}"
            changes = to_markdown(replace(document, parts=tuple(parts)))
            text += f"{link}\n\n## {head}\n\n### {_KINDS[(number + place) % 6]}\n\n{changes}\n"
        write_text(project / f"source/{document.slug}/CHANGELOG.md", text)
        others = [documents[(number + step) % len(documents)] for step in range(1, 9)]
        links = "".join(f'<li><a href="{one.slug}.html">{html.escape(one.title)}</a></li>' for one in others)
        versions = "".join(f'<li><a href="#{head}">{head}</a></li>' for head in heads)
        write_text(project / f"source/{document.slug}/head.html", _HEAD.substitute(name=NAME, versions=versions, others=links))


def build_changelogs(project: Path) -> None:
    """Convert the change logs, and put each into its frame."""
    tools = project.parents[1].resolve()
    for folder in sorted((project / "source").iterdir()):
        run_program([str(tools / "node_modules/.bin/changelog-to-html")], folder, tools.parent)
        text = (folder / "changelog-dist/index.html").read_text("utf-8")
        text = text.replace(_BODY, (folder / "head.html").read_text("utf-8"), 1).replace("</body>", _FOOT.substitute(name=NAME), 1)
        write_text(project / f"html/{folder.name}.html", text.replace("</head>", f"<style>{_STYLE}</style></head>", 1))
        shutil.copy(folder / "changelog-dist/style.css", project / "html")


def changelog_gold(document: SourceDocument) -> str:
    """Return the gold text of a change log: its title, what it is about, and versions with their days and kinds of changes."""
    number = int(document.slug[-2:])
    lines = [document.title, document.summary]
    for place, (head, parts) in enumerate(_versions(document)):
        lines += [re.sub(r"[\[\]]", "", head), _KINDS[(number + place) % 6], *(line for part in parts for line in part_gold(part))]
    return "\n".join(lines)


def _versions(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return the heading of each version, which is its number and day, and its parts; headings of sections are paragraphs."""
    before, found = sections(document)
    listed = [before, *found] if before else found
    return [
        (
            f"[{3 + len(listed) - place}.{place % 3}.0] - {document.published - timedelta(days=40 * place)}",
            [replace(part, kind="paragraph") if part.kind == "heading" else part for part in parts],
        )
        for place, parts in enumerate(listed)
    ]
