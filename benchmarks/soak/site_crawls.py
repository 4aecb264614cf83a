"""The crawler's part of a soak test: one process that crawls and learns local sites one after another, politely, as `sightread learn` does.

The sites are the editions of the bundled demo site: of each, its articles are known, and a crawl must find each once and end with the same
articles as the other crawls of it (in `different`, crawls are counted, and `errors` names their editions). The records of articles are
compared without `version`: each crawl has its own folder, and articles by a trusted site model have the folder's name as their version.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from hashlib import blake2b
from itertools import cycle
from pathlib import Path
from typing import IO

import msgspec

from benchmarks.soak.readings import Account, other_than_usual
from benchmarks.soak.test_bed import TestBed
from sightread.batch.outcome import ArticleText
from sightread.crawler.corpus import Corpus
from sightread.data.demo import article_paths
from sightread.render.errors import Unequipped
from sightread.server.local.demo_site import serve_demo
from sightread.sites.folders import SiteFolder

LEARNED = (0, 5)
"""Exit codes of a crawl that was learned: trusted, and not trusted."""
_PROGRAM = """
import json, sys
from sightread.cli import parser
for line in sys.stdin:
    print("exit", parser.main(json.loads(line)), flush=True)
"""


async def crawl_sites(test_bed: TestBed) -> Account:
    """Crawl and learn one site after another until the end of the time, and return the account of their pages."""
    counts = CrawlCounts()
    async with serve_demo() as front:
        with (test_bed.work / "crawls.log").open("wb") as log:
            process = await _start(test_bed, log)
            end_readings = test_bed.watch.add("crawler", process.pid)
            try:
                for number, edition in enumerate(cycle(sorted({path.split("/")[1] for path in article_paths()}))):
                    folder = test_bed.work / f"crawl-{number}"
                    requested = {f"{front}{path[1:]}" for path in article_paths() if path.startswith(f"/{edition}/")}
                    counts.add(edition, requested, folder, await _crawl(process, requested, folder, test_bed.paces.delay))
                    shutil.rmtree(folder, ignore_errors=True)
                    if not await test_bed.wait(test_bed.paces.crawl_pause):
                        break
            finally:
                end_readings()
                assert process.stdin is not None
                process.stdin.close()
                await process.wait()
    return counts.account()


async def _start(test_bed: TestBed, log: IO[bytes]) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM), stdin=pipe, stdout=pipe, stderr=log, env=dict(test_bed.environment), limit=1 << 20
    )


async def _crawl(process: asyncio.subprocess.Process, urls: Collection[str], folder: Path, delay: float) -> int:
    """Have the pages of a list crawled and learned; return the exit code."""
    listed = folder.with_suffix(".txt")
    listed.write_text("\n".join(sorted(urls)))
    options = ("--urls", str(listed), "--out", str(folder), "--delay", str(delay), "--tabs", "1", "--local", "--json")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(["learn", *options]).encode() + b"\n")
    await process.stdin.drain()
    async for line in process.stdout:
        if line.startswith(b"exit "):
            return int(line.split()[1])
    raise Unequipped("the program that crawls ended: see crawls.log in the output")


class CrawlCounts:
    """Counts of the pages of all crawls."""

    def __init__(self) -> None:
        self._articles: dict[str, Counter[bytes]] = {}
        self._found: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()

    def add(self, edition: str, requested: set[str], folder: Path, code: int) -> None:
        """Count the pages of one crawl."""
        urls, failures = list(_urls(folder)), _failures(folder)
        found = requested & set(urls)
        self._found["crawls"] += 1
        self._found["requested"] += len(requested)
        self._found["extracted"] += len(found)
        self._found["failed"] += len(requested & failures - found)
        self._found["lost"] += len(requested - found - failures)
        self._found["twice"] += len(urls) - len(set(urls))
        if others := len(set(urls) - requested):
            self._errors["pages that are no articles"] += others
        if code not in LEARNED:
            self._errors[f"learning ended with {code}"] += 1
            return
        self._articles.setdefault(edition, Counter())[_articles_digest(SiteFolder(folder))] += 1

    def account(self) -> Account:
        """Return the account of all crawls."""
        found = self._found
        different = {edition: other_than_usual([articles]) for edition, articles in self._articles.items()}
        counts = (found["requested"], found["extracted"], found["failed"], found["lost"], found["twice"], sum(different.values()))
        others = {f"crawls of {edition} with other articles": count for edition, count in different.items() if count}
        return Account(*counts, {"crawls": found["crawls"], **others, **self._errors})


def _articles_digest(folder: SiteFolder) -> bytes:
    """Return a digest of the articles' records and text, without the version, which is the name of the folder."""
    digest = blake2b(digest_size=8)
    for line in folder.article_lines.read_bytes().splitlines():
        article = msgspec.json.decode(line, type=ArticleText)
        digest.update(msgspec.json.encode(msgspec.structs.replace(article, version="")) + b"\n")
    return digest.digest()


def _urls(folder: Path) -> Iterator[str]:
    if (folder / "corpus.json").is_file():
        yield from (page.url for page in Corpus.open(folder))


def _failures(folder: Path) -> set[str]:
    return {failure.url for failure in Corpus.open(folder).failures} if (folder / "corpus.json").is_file() else set()
