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

from benchmarks.commands import Command
from benchmarks.report import grid
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

DOCS = Path(__file__).parents[2] / "docs"
PEERS = (
    *("trafilatura", "readability-lxml", "resiliparse", "justext", "boilerpy3", "newspaper4k"),
    *("crawl4ai", "playwright", "distributed", "pyarrow", "fastwarc"),
)
"""Packages that are measured, or that figures depend on."""
GROUPS = {
    "Batches and long runs": ("batches",),
    "The service": ("service",),
    "The browser": ("browser-pool", "rendering"),
    "Extraction": ("extractors", "static-reading", "global-model", "forecasts", "crawling"),
    "Learned sites": ("built-sites", "student", "labeling", "authors-sites", "trust"),
    "Other people's models, rebuilt": ("rebuilt-models",),
}
"""Pages of `docs/experiments` in the order of the report; others come at its end."""
_LONGEST = 14
"""Rows of a table that are shown."""
_COMMAND = re.compile(r"^Commands?: (.+?)\n\n", re.MULTILINE | re.DOTALL)


class Claim(NamedTuple):
    """A section of an experiment's page that names its command, as far as the report shows it."""

    title: str
    commands: str
    figures: str
    place: str
    """Its page, and its anchor there."""


def read_page(path: Path) -> list[Claim]:
    """Return the sections of a page that name a command, the page's beginning among them; only the beginning, if none does.

    Raises `Rejected` if it has no title.
    """
    text = re.sub(r"(?:<!--[^\n]*-->\n)?^```.*?^```$\n?", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    if not text.startswith("# "):
        raise Rejected(f"{path}: it has no title: begin it with '# Title'")
    sections = re.split(r"^#{1,2} (?=.)", text, flags=re.MULTILINE)[1:]
    claims = [_claim(section, path.name, is_first=not row) for row, section in enumerate(sections)]
    return [claim for claim in claims if claim.commands] or claims[:1]


def _claim(section: str, page: str, *, is_first: bool) -> Claim:
    title, _, body = section.partition("\n")
    declared = _COMMAND.search(body)
    body = body[declared.end() :] if declared else body
    anchor = "" if is_first else f"#{re.sub(r'[^a-z0-9 -]', '', title.lower()).replace(' ', '-')}"
    return Claim(title, declared[1] if declared else "", _first_figures(body), f"experiments/{page}{anchor}")


def _first_figures(body: str) -> str:
    """Return the first table with the paragraph before it; the first paragraph, if there is no table."""
    table = re.search(r"^\|.*(?:\n\|.*)*", body, re.MULTILINE)
    if table is None:
        return next((part.strip() for part in body.split("\n\n") if part.strip()), "")
    before = body[: table.start()].strip().split("\n\n")[-1]
    caption = before if not before.startswith(("#", "|")) else ""
    return f"{caption}\n\n{_shortened(table[0])}".strip()


def _shortened(table: str) -> str:
    lines = table.split("\n")
    return "\n".join(lines[: _LONGEST + 2])


def write_report(docs: Path, pythons: Sequence[Path]) -> None:
    """Write `performance.md` into the folder of the documents. Raises `Rejected` and `StorageFailed`."""
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
        for claim in (claim for page in known for claim in page):
            yield f"### {claim.title}\n"
            yield f"{claim.commands} ([all figures]({claim.place}))\n".lstrip()
            if claim.figures:
                yield re.sub(r"\]\((?!https?:|/)", "](experiments/", claim.figures) + "\n"
    yield "## Versions\n"
    yield from _versions(pythons)


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
    "write docs/performance.md: what the project claims, with commands and versions",
    _run,
    _add_options,
    needs_data=False,
)
