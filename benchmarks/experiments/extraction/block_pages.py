"""False positives of block-page detection on every data set, read without a browser; each find is shown to be judged by eye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder, read_lines
from sightread.render.analysis.block_pages import find_wall
from sightread.render.errors import SightreadError
from sightread.render.static.parse import read_html

SETS = ("wcxb-dev", "cleaneval", "cleanportaleval", "l3s-gn1", "dragnet", "readability", "scrapinghub")
ARTICLE = 100
"""Words of gold text from which on a page that is called a wall is one too many; error pages have up to 70 in the gold of CleanEval."""
PROCESSES = 2


class Find(NamedTuple):
    """A page that is called a wall, and how much of it people chose as its text."""

    where: str
    kind: str
    words: str
    gold: int


def run(data: Path | None) -> int:
    """Print the counts and every find; return 1 if one has an article's worth of gold text."""
    counts: Counter[str] = Counter()
    finds: list[Find] = []
    with ProcessPoolExecutor(PROCESSES) as pool:
        for name, find in pool.map(_look, _pages(data_folder(data)), chunksize=16):
            counts[name] += 1
            if find:
                finds.append(find)
    for find in finds:
        print(f"  {find.where}: {find.kind} ({find.words!r}), {find.gold} words of gold text")
    for name, count in counts.items():
        print(f"{name:16} {count:5} pages, {sum(find.where.startswith(f'{name} ') for find in finds)} called a wall")
    wrong = sum(find.gold >= ARTICLE for find in finds)
    print(f"{counts.total()} pages, {len(finds)} called a wall, {wrong} of them with {ARTICLE} words of gold text or more")
    return int(wrong > 0)


def _pages(data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in SETS:
        path = data / name / "pages.jsonl.gz"
        if path.is_file():
            yield from ((name, page) for page in read_lines(path) if page["html"])


def _look(entry: tuple[str, dict[str, Any]]) -> tuple[str, Find | None]:
    name, page = entry
    try:
        wall = find_wall(read_html(page["html"], page.get("url") or ""))
    except SightreadError:  # damaged: not HTML
        return name, None
    return name, Find(f"{name} {page['id']}", wall.kind, wall.words, len((page["text"] or "").split())) if wall else None


COMMAND = Command("block-pages", "what is called a wall among pages that people read", lambda options: run(options.data))
