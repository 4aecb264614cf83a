"""All performance figures on one page, `docs/performance.md`: made of the experiments' pages, each with the command that measured it.

Figures are written once, in `docs/experiments`: this page shows of each its first table, or its first paragraph, and links to the rest.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.commands import Command
from benchmarks.report import grid
from benchmarks.soak.picture import picture
from benchmarks.soak.readings import Record
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

DOCS = Path(__file__).parents[2] / "docs"
PEERS = (
    *("trafilatura", "readability-lxml", "resiliparse", "justext", "boilerpy3", "goose3", "newspaper4k", "inscriptis", "html-text"),
    *("crawl4ai", "crawlee", "playwright", "distributed", "datatrove", "pyarrow", "fastwarc"),
)
"""Packages that are measured, or that figures depend on."""
GROUPS = {
    "Batches and long runs": ("batches", "long-runs", "killed-jobs", "job-speed"),
    "The service": ("service",),
    "The browser": ("browser-pool", "rendering", "wcxb-rendered", "hostile-pages"),
    "Extraction": ("extractors", "static-reading", "global-model", "gold-text", "paper-tables", "listings"),
    "Learned sites": (
        "built-sites",
        "labeler-ablation",
        "layout-clusters",
        "authors-sites",
        "label-confidence",
        "drift",
        "demo",
        "clusterings",
        "scale",
    ),
    "Other people's models, rebuilt": ("boilerpipe", "web2text", "semtext-boilernet"),
}
"""Pages of `docs/experiments` in the order of the report; others come at its end."""
_LONGEST = 14
"""Rows of a table that are shown."""


class Page(NamedTuple):
    """The page of an experiment, as far as the report shows it."""

    name: str
    title: str
    commands: str
    figures: str


def read_page(path: Path) -> Page:
    """Return title, commands and the first figures of a page. Raises `Rejected` if it has no title."""
    whole = path.read_text("utf-8")
    text = re.sub(r"(?:<!--[^\n]*-->\n)?^```.*?^```$\n?", "", whole, flags=re.MULTILINE | re.DOTALL)
    title = re.match(r"# (.+)", text)
    if not title:
        raise Rejected(f"{path}: it has no title: begin it with '# Title'")
    declared = re.search(r"^Commands?: (.+?)\n\n", text, re.MULTILINE | re.DOTALL)
    named = dict.fromkeys(re.findall(r"python -m benchmarks [a-z][\w-]+|make demo", whole))
    commands = declared[1] if declared else ", ".join(f"`{name}`" for name in named)
    body = text[(declared or title).end() :]
    table = re.search(r"^\|.*(?:\n\|.*)*", body, re.MULTILINE)
    paragraphs = [part.strip() for part in body.split("\n\n") if part.strip() and not part.strip().startswith(("#", "|"))]
    if table is None:
        return Page(path.stem, title[1], commands, paragraphs[0] if paragraphs else "")
    before = body[: table.start()].strip().split("\n\n")[-1]
    caption = before if not before.startswith(("#", "|")) else ""
    return Page(path.stem, title[1], commands, f"{caption}\n\n{_shortened(table[0])}".strip())


def _shortened(table: str) -> str:
    lines = table.split("\n")
    return "\n".join(lines[: _LONGEST + 2])


def write_report(docs: Path, pythons: Sequence[Path]) -> None:
    """Write `performance.md` into the folder of the documents, and the picture of the soak test. Raises `Rejected` and `StorageFailed`."""
    soaked = docs / "experiments" / "soak.json"
    if soaked.is_file():
        write_atomically(docs / "images" / "growth-soak.svg", picture(msgspec.json.decode(soaked.read_bytes(), type=Record)))
    write_atomically(docs / "performance.md", "\n".join(_report(docs, pythons)).encode())


def _report(docs: Path, pythons: Sequence[Path]) -> Iterator[str]:
    pages = {path.stem: read_page(path) for path in sorted((docs / "experiments").glob("*.md"))}
    grouped = {name for names in GROUPS.values() for name in names}
    rest = tuple(name for name in pages if name not in grouped)
    yield "# Performance\n"
    yield "The claims of the project, with the commands that measured them; `python -m benchmarks report` makes this page from those of the"
    yield "experiments. Two noisy cores measured the figures: trust the scores and the ratios, not the seconds.\n"
    for group, names in {**GROUPS, "Others": rest}.items():
        known = [pages[name] for name in names if name in pages]
        if known:
            yield f"## {group}\n"
        for page in known:
            yield f"### {page.title}\n"
            yield f"{page.commands} ([all figures](experiments/{page.name}.md))\n".lstrip()
            if page.figures:
                yield re.sub(r"\]\((?!https?:|/)", "](experiments/", page.figures) + "\n"
    yield from _pictures(docs)
    yield "## Versions\n"
    yield from _versions(pythons)


def _pictures(docs: Path) -> Iterator[str]:
    found = [*sorted(docs.glob("*.svg")), *sorted((docs / "images").glob("growth-*.svg"))]
    if found:
        yield "## Growth curves\n"
    for path in found:
        yield f"![{path.stem.removeprefix('growth-').replace('-', ' ')}]({path.relative_to(docs)})\n"


def _versions(pythons: Sequence[Path]) -> Iterator[str]:
    code = "import sys\nfrom importlib.metadata import distributions\nfor one in distributions(): print(one.name.lower(), one.version)"
    versions: dict[str, str] = {}
    for python in pythons:
        ran = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True)
        versions |= dict(line.split(" ", 1) for line in ran.stdout.splitlines())
    rows = [[name, versions[name]] for name in PEERS if name in versions]
    yield grid(("package", "version"), rows) + "\n"


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--docs", type=Path, default=DOCS, metavar="FOLDER", help="folder of the documents (default: the project's)")
    text = "an interpreter that has other extractors installed; repeatable"
    parser.add_argument("--python", type=Path, action="append", default=[], metavar="PATH", help=text)


def _run(options: argparse.Namespace) -> int:
    write_report(options.docs, (Path(sys.executable), *options.python))
    print(f"written: {options.docs / 'performance.md'}")
    return 0


COMMAND = Command(
    "report",
    "write docs/performance.md: what the project claims, with commands, versions and pictures",
    _run,
    _add_options,
    needs_data=False,
)
