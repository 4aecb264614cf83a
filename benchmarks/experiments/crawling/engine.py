"""Crawls of whole sites without extraction: the content of a page is the text of its `<main>`. A program, so that it can be killed.

`python -m benchmarks.experiments.crawling.engine FOLDER [--update] URL...` writes a line per document to `FOLDER/documents`;
`… FILE --fill N` and `… FILE --continue N` measure a state of N known URLs.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
import time
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from sightread.crawler.answers import Change, PageAnswer, WholeSiteOptions
from sightread.crawler.bookkeeping import Bookkeeping
from sightread.crawler.discovery import page_key
from sightread.crawler.fetch import Fetched, Fetcher, Robots
from sightread.crawler.journal import AppendFile, RobotsRead
from sightread.crawler.signatures import signature_of
from sightread.crawler.site_state import Found, SiteState
from sightread.crawler.urls import site_of
from sightread.crawler.whole_site import WholeSiteCrawl
from sightread.reading.site_pages import HtmlPages
from sightread.render.errors import Unusable
from sightread.render.network.egress import LOCAL
from sightread.render.page import Element, Page
from sightread.render.static.head import Resolver, base_url, read_head, read_links

CYCLES = 2_000
"""Pages that are chosen and committed."""
OPERATIONS = 15
"""On the state, for one of them: ten links, the choice, the search for nearly its text, its signature, the commit, the choice's end."""


def read(url: str, body: bytes) -> PageAnswer[Any]:
    """Read the head, the links and the main text of a page."""
    tree = LexborHTMLParser(body)
    if (main := tree.css_first("main")) is None:
        raise Unusable(f"{url}: no text on the page")
    resolver = Resolver(base_url(tree, url))
    page: Page = read_head(tree, url, resolver)(elements=(Element("body", -1),), blocks=(), links=read_links(tree, resolver)[1])
    return PageAnswer(page, main.text(separator=" "), None, body.decode("utf-8", "replace"))


class MainText(HtmlPages):
    """Reads the main text of pages."""

    def _read(self, url: str, answer: Fetched) -> PageAnswer[Any]:
        found = read(url, answer.body)
        return PageAnswer(found.page, found.text, None, found.html, answer.headers)


class Lines:
    """Keeps a line per document."""

    def __init__(self, file: AppendFile, path: Path) -> None:
        self._file, self._path = file, path

    def add(self, change: Change, result: object) -> str:
        """Write a line."""
        self._file.append(json.dumps([change.url, change.change, change.document]).encode() + b"\n", sync=False)
        return change.document or f"{change.url}.md"

    def end(self) -> str:
        """Return the size of the file."""
        self._file.sync()
        return str(self._path.stat().st_size)


async def run(folder: Path, starts: list[str], *, update: bool) -> str:
    """Crawl, or continue; return how it ended."""
    with AppendFile(folder / "documents") as file, SiteState(folder / "state") as state:
        file.cut(int(state.fact("store", "0")))
        with state.transaction():
            for start in starts:
                state.add_site(site_of(start), start)
            if update and not state.has_unread():
                state.begin_round(time.time())
        options = WholeSiteOptions(width=16, delay=0.0, egress=LOCAL)
        async with Fetcher(LOCAL) as fetcher:
            return await WholeSiteCrawl(state, MainText(fetcher).read, Lines(file, folder / "documents"), options, lambda _: None).run()


def _url(number: int) -> str:
    return f"https://e.com/{number % 97}/story-{number}-of-the-harbour"


def _text(number: int) -> str:
    return " ".join(map(str, random.Random(number).choices(range(5000), k=40)))


def measure(path: Path, size: int, *, is_new: bool) -> dict[str, float]:
    """Fill a state, or continue it and commit pages with ten links each; return figures."""
    began = time.time()
    with SiteState(path) as state:
        if is_new:
            with state.transaction():
                state.add_site("e.com", "https://e.com/")
                for number in range(size):
                    state.add(1, Found(_url(number), page_key(_url(number)), "sitemap"), 1, 0)
                state.set_fact("added", size / (time.time() - began))
            with state.transaction():
                for number in range(size):
                    known = state.by_key(page_key(_url(number)))
                    assert known
                    state.set_signature(known, signature_of(_text(number)))
            return {}
        with AppendFile(path.with_suffix(".lines")) as file:
            books = Bookkeeping(state, Lines(file, path.with_suffix(".lines")), WholeSiteOptions(), state.sites()[0])
            books.robots["https://e.com"] = Robots(RobotsRead("https://e.com/", 404, ""))
            books.choose()
            seconds, cycles, cpu = time.time() - began, min(CYCLES, size // 2), 0.0
            for number in range(cycles):
                links = "".join(f"<a href='{_url(size + 10 * number + each)}'>Story</a>" for each in range(10))
                row = books.pending[0]
                answer = read(row.url, f"{links}<main>{_text(size + number)}</main>".encode())
                started = time.process_time()
                books.commit([(row, answer)])
                books.choose()
                cpu += time.process_time() - started
        figures = {"URLs/s added": round(float(state.fact("added"))), "s to continue": round(seconds, 2)}
        megabytes = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return {**figures, "MB": megabytes, "us per page": round(1e6 * cpu / cycles), "operations/s": round(OPERATIONS * cycles / cpu)}


if __name__ == "__main__":
    where, *arguments = sys.argv[1:]
    if arguments[0] in ("--fill", "--continue"):
        print(json.dumps(measure(Path(where), int(arguments[1]), is_new=arguments[0] == "--fill")))
    else:
        Path(where).mkdir(exist_ok=True)
        print(asyncio.run(run(Path(where), [each for each in arguments if each != "--update"], update="--update" in arguments)))
