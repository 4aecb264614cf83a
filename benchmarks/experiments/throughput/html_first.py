"""`sightread crawl --render auto` of a learned site on loopback beside the browser on every page: pages per second, CPU time, and whether
the articles are the same.

The commands run as programs of their own; the server is this process, and its time is not theirs. Pages per second are by the clock and
include the start of the program. No pictures are taken, since `--render auto` takes none.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import numpy as np

from benchmarks.commands import Command, add_pages
from benchmarks.metrics.cost import tree_seconds
from benchmarks.sites.local_site import LocalSite
from sightread.crawler.corpus import Corpus
from sightread.models.model_choice import DOM_ONLY, FALLBACK, Choice, choose_for
from sightread.reading.html_first import WAYS, HtmlFirst
from sightread.reading.reading import Reading, apply_model
from sightread.render.browser.browser import Browser, Rendered, RenderOptions
from sightread.render.errors import Rejected, Unusable
from sightread.render.network.egress import LOCAL
from sightread.render.page import Page
from sightread.render.static.charset import decode_html
from sightread.render.static.parse import read_html
from sightread.sites.learn import Site, read_articles, teach_student
from sightread.sites.store import LearnedSite, SiteStore
from sightread.sites.student import word_f1

LEARNED = 25
"""Pages that the site is learned from."""
SAMPLED = 200
"""Pages of which the time of a reading is measured."""
FURTHER = 10_000
"""Pages of another site of the same templates, of which it is decided by the HTML alone whether they need a browser."""
LEAST_RATIO = 8.0
"""Required of a static site: pages per second, to those of the browser."""
MOST_TO_GLOBAL, MOST_TO_RENDERED = 1.2, 0.1
"""Required of the CPU time of a page without a browser, to that of the global model's reading and of a rendered page."""
MOST_MISTAKES = 1e-3
"""Required: share of the pages that need scripts and were read without a browser."""
SAME = 0.99
"""Word F1 of two documents from which on articles count as the same but for their order or a label."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that ended."""

    printed: Mapping[str, Any]
    seconds: float
    cpu_seconds: float
    """Of the program and its browser."""


def run(count: int, *, is_mixed: bool) -> int:
    """Print the comparison; return 1 if a requirement is missed."""
    if count < 2 * LEARNED:
        raise Rejected(f"--pages {count}: {2 * LEARNED} are needed at least")
    with tempfile.TemporaryDirectory(prefix="html-first-") as folder:
        return asyncio.run(_run(LocalSite(count, is_mixed), Path(folder)))


async def _run(site: LocalSite, folder: Path) -> int:
    count, home = site.count, folder / "home"
    async with site.serve() as root:
        at_home = ("--home", home, "--json", "--local", "--delay", 0)
        learned = await _sightread("learn", root, *at_home, "--pages", LEARNED)
        store = SiteStore(home)
        if (version := store.find(root)) is None or version.by_html is None:
            raise Rejected(f"the site was learned without a student: {learned.printed}")
        _print_learned(version, learned)
        ran: dict[str, Ran] = {}
        for render in ("always", "auto"):
            crawl = ("crawl", root, *at_home, "--pages", count, "--out", folder / render, "--no-pictures", "--render", render)
            ran[render] = await _sightread(*crawl)
            each = ran[render]
            ways = ", ".join(f"{way} {each.printed[f'read_by_{way}']}" for way in WAYS if f"read_by_{way}" in each.printed)
            pages, failures = each.printed["pages"], each.printed["failures"]
            print(
                f"--render {render}: {pages} pages ({failures} failures) in {each.seconds:.1f} s: {pages / each.seconds:.2f} per second, "
                f"{1000 * each.cpu_seconds / pages:.0f} ms of CPU time per page{': ' if ways else ''}{ways}",
                flush=True,
            )
    pages = ran["auto"].printed["pages"], ran["always"].printed["pages"]
    ratio = (pages[0] / ran["auto"].seconds) / (pages[1] / ran["always"].seconds)
    cheaper = (ran["always"].cpu_seconds / pages[1]) / (ran["auto"].cpu_seconds / pages[0])
    print(f"auto: {ratio:.1f} times the pages per second of the browser, and a page for 1/{cheaper:.1f} of its CPU time")
    is_same = _compare(site, store.find(root) or version, folder)
    if site.is_mixed:
        is_same &= await _decide(LocalSite(FURTHER, is_mixed=True), store, root)
    is_cheap = _time_readings(site, store.find(root) or version, folder, ran["always"].cpu_seconds / pages[1])
    return int(not (is_same and is_cheap and (site.is_mixed or ratio >= LEAST_RATIO)))


async def _sightread(command: str, *arguments: object) -> Ran:
    """Run a command of sightread, and measure it with all that it starts. Raises `Rejected` if it fails."""
    began, pipe = time.perf_counter(), asyncio.subprocess.PIPE
    line = (sys.executable, "-m", "sightread.cli.parser", command, *map(str, arguments))
    program = await asyncio.create_subprocess_exec(*line, stdout=pipe, stderr=pipe)
    ending = asyncio.ensure_future(program.communicate())
    spent = 0.0
    while not ending.done():
        await asyncio.wait([ending], timeout=0.5)
        spent = max(spent, tree_seconds() - time.process_time())
    output, errors = await ending
    seconds = time.perf_counter() - began
    if program.returncode:
        raise Rejected(f"sightread {command}: exit code {program.returncode}: {errors.decode().strip()[-500:]}")
    return Ran(json.loads(output), seconds, spent)


def _print_learned(version: LearnedSite, learned: Ran) -> None:
    """Print how the student agrees, by template, and its share of the time of learning."""
    assert version.by_html is not None
    evaluation = version.by_html.agreement
    assert evaluation is not None
    site = Site.open(version.folder.path)
    articles = read_articles(site)
    spent = []
    for _ in range(2):  # the first time imports what learning has imported already
        began = time.process_time()
        teach_student(site, articles)
        spent.append(time.process_time() - began)
    taught = spent[-1]
    print(
        f"learned from {len(site.pages)} pages in {learned.cpu_seconds:.1f} s of CPU time, {taught:.1f} s of it for the student: "
        f"{learned.cpu_seconds / (learned.cpu_seconds - taught):.3f} times as long as without; "
        f"agreement {evaluation.f1:.4f}, brought by scripts {evaluation.brought:.3f}, hidden {evaluation.hidden:.3f}"
    )
    for template in evaluation.templates:
        print(f"  template of {template.pages} pages: word F1 {template.f1:.4f}{', needs a browser' if template.needs_browser else ''}")


def _readings(version: LearnedSite, pages: Iterable[Page]) -> dict[str, Reading]:
    """Return the readings of the stored pages of a crawl by path, as `auto` reads them."""
    choices = {is_rendered: choose_for(version, rendered=is_rendered) for is_rendered in (False, True)}
    return {urlsplit(page.url).path: apply_model(choices[page.source == "browser"], page, is_new=False) for page in pages}


def _compare(site: LocalSite, version: LearnedSite, folder: Path) -> bool:
    """Print whether both crawls give the same articles, and what was read without a browser by mistake; return whether all is well."""
    always, auto = (_readings(version, Corpus.open(folder / render)) for render in ("always", "auto"))
    both = [path for path in always if path in auto]
    scores = {path: word_f1(always[path].document, auto[path].document) for path in both}
    equal = sum(always[path].document.text == auto[path].document.text for path in both)
    other = sorted((path for path in both if scores[path] < SAME), key=scores.__getitem__)
    mean = np.mean([*scores.values()])
    print(f"{len(both)} pages in both crawls ({len(always)} and {len(auto)}): {equal} texts are equal, word F1 {mean:.5f} on average")
    print(f"  {len(other)} below {SAME}: {', '.join(f'{path} {scores[path]:.3f}' for path in other[:5]) or 'none'}")
    needing = [path for path in auto if site.needs_scripts(path)]
    mistaken = [path for path in needing if auto[path].page.source != "browser"]
    silent = [path for path in mistaken if not auto[path].document.notes]
    print(f"{len(needing)} pages need scripts; {len(mistaken)} of them were read without a browser, {len(silent)} without a note")
    notes = Counter(note.code for reading in auto.values() for note in reading.document.notes)
    print(f"notes: {', '.join(f'{code} {number}' for code, number in notes.items()) or 'none'}")
    return len(both) == len(always) and not other and len(mistaken) <= MOST_MISTAKES * len(needing) and not silent


class _NoBrowser:
    """In place of a browser: counts as one that fails."""

    async def render_html(self, *_: object) -> Rendered:
        raise Unusable("left to the browser")


async def _decide(site: LocalSite, store: SiteStore, root: str) -> bool:
    """Print how many pages of another, larger site of the same templates are read from their HTML, rightly and by mistake; return whether
    mistakes are as few as required.
    """
    first, options = HtmlFirst(cast(Browser, _NoBrowser()), store, LOCAL), RenderOptions(render="auto")
    read: Counter[bool] = Counter()
    for row, path in enumerate(site.paths):
        with suppress(Unusable):
            await first.render_html(decode_html(site.html(row).encode()), root + path, options)
            read[site.needs_scripts(path)] += 1
    needing = sum(map(site.needs_scripts, site.paths))
    print(
        f"of {site.count} further pages, decided by their HTML alone: {needing} need scripts, and {read[True]} of them are read without a "
        f"browser; of the {site.count - needing} others {read[False]} are"
    )
    return read[True] <= MOST_MISTAKES * needing


def _time_readings(site: LocalSite, version: LearnedSite, folder: Path, rendering: float) -> bool:
    """Print the CPU time of a page from its HTML to the document, by the student and by the global model, and that of a rendered page, with
    `rendering` in seconds. Return whether it is as required.
    """
    rendered = [page for page in Corpus.open(folder / "always") if not site.needs_scripts(urlsplit(page.url).path)][-SAMPLED:]
    rows = {path: row for row, path in enumerate(site.paths)}
    choices = {"student": choose_for(version, rendered=False), "global": Choice(DOM_ONLY[FALLBACK]())}
    site_model = choose_for(version)
    spent: Counter[str] = Counter()
    for page in rendered:
        html = site.html(rows[urlsplit(page.url).path])
        for name, choice in choices.items():
            began = time.process_time_ns()
            apply_model(choice, read_html(html, page.url))
            spent[name] += time.process_time_ns() - began
        began = time.process_time_ns()
        apply_model(site_model, page, is_new=False)
        spent["site"] += time.process_time_ns() - began
    student, other, model = (spent[name] / len(rendered) / 1e6 for name in (*choices, "site"))
    whole = 1000 * rendering + model
    print(
        f"{len(rendered)} pages from their HTML to the document: student {student:.1f} ms of CPU time, global {other:.1f}: "
        f"{student / other:.2f} times; rendered {whole:.0f} ms, {model:.1f} of it after rendering: 1/{whole / student:.1f}"
    )
    return student <= MOST_TO_GLOBAL * other and student <= MOST_TO_RENDERED * whole


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 2000, "pages of the site")
    parser.add_argument("--mixed", action="store_true", help="half the pages are of templates that need scripts")


COMMAND = Command(
    "html-first",
    "crawl --render auto of a learned local site beside the browser on every page",
    lambda options: run(options.pages, is_mixed=options.mixed),
    _add_options,
    needs_data=False,
)
