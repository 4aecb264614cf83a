"""Learns the sites of a batch before it is extracted: groups its pages by site, and learns each site that has enough of them.

A learned site is kept as any other (`sightread.sites`): versions, trust and drift are those of `sightread learn`. For its rendered pages
`auto` then takes the site's own model if it is trusted, and the global model for all others.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from sightread.batch.inputs.files import InputRecord
from sightread.batch.job.plan import Plan, read_records
from sightread.batch.storage import Storage
from sightread.crawler.corpus import Corpus
from sightread.reading.reader import Reader
from sightread.render.browser.browser import STORED, RenderOptions
from sightread.render.errors import PageFailed, Rejected
from sightread.render.page import Page, decode_page
from sightread.render.static.charset import decode_html
from sightread.render.visit.capture import CaptureOptions
from sightread.sites.folders import SiteHome, site_key
from sightread.sites.history import locked, open_current
from sightread.sites.learn import Learned, learn_corpus

PAGES = 40
"""Pages of a site to learn from, at even distances among those of the input: more gain little (docs/experiments/labeling.md)."""


@dataclass(frozen=True, slots=True)
class SiteResult:
    """The result of learning a site."""

    site: str
    pages: int
    learned_from: int
    """Pages that could be rendered; 0 if it was not learned."""
    outcome: str
    """trusted, not trusted with the reason, known already, or why it was not learned."""
    learned: Learned | None = None
    """Results for the site's report, if it was learned."""


def count_sites(plan: Plan, storage: Storage) -> Counter[str]:
    """Return the number of pages per site in the input of a plan."""
    return Counter(site for _, site in _pages(plan, storage))


async def learn_sites(
    plan: Plan, storage: Storage, least: int, reader: Reader, home: Path | None, shard: tuple[int, int] = (0, 1)
) -> AsyncGenerator[SiteResult, None]:
    """Learn each site with at least the given number of pages that is not learned yet; of several shards those of one. The reader is open.

    Yields what became of each, the largest first. Raises `Rejected` and `StorageFailed`.
    """
    counts = await asyncio.to_thread(count_sites, plan, storage)
    chosen = {site: pages for site, pages in counts.most_common() if pages >= least and _is_in(site, shard)}
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory(prefix="sightread-")))
        await asyncio.to_thread(_collect, plan, storage, chosen, folder)
        for site, pages in chosen.items():
            yield await _learn(folder / site, pages, reader, home)
            (folder / site).unlink(missing_ok=True)


def _is_in(site: str, shard: tuple[int, int]) -> bool:
    number, shards = shard
    return int.from_bytes(blake2b(site.encode(), digest_size=8).digest()) % shards == number


def _pages(plan: Plan, storage: Storage) -> Iterator[tuple[InputRecord, str]]:
    for partition in plan.partitions:
        for record in read_records(partition, partition.start, plan.options, storage):
            if record.url and not (record.other or record.skipped or record.failed):
                try:
                    yield record, site_key(record.url)
                except Rejected:  # no URL of the web
                    continue


def _collect(plan: Plan, storage: Storage, chosen: dict[str, int], folder: Path) -> None:
    """Write up to `PAGES` pages of each site, at even distances, to a file of its name."""
    seen: Counter[str] = Counter()
    for record, site in _pages(plan, storage):
        if site not in chosen:
            continue
        pages, number = chosen[site], seen[site]
        seen[site] += 1
        if number * PAGES // pages != (number - 1) * PAGES // pages:
            content = msgspec.msgpack.encode(record)
            with (folder / site).open("ab") as file:
                file.write(len(content).to_bytes(8) + content)


def _collected(path: Path) -> Generator[InputRecord, None, None]:
    with path.open("rb") as file:
        while head := file.read(8):
            yield msgspec.msgpack.decode(file.read(int.from_bytes(head)), type=InputRecord)


async def _learn(path: Path, pages: int, reader: Reader, home: Path | None) -> SiteResult:
    """Render the collected pages of a site, of `pages` in the input, and learn it."""
    with closing(_collected(path)) as records:
        first = next(records)
        site = SiteHome.of(first.url, home)
        if site.current and site.current.model.is_file():
            return SiteResult(path.name, pages, 0, "known already")
        try:
            with locked(site):
                folder = open_current(site)
                number = await _render(folder.path, first, records, reader)
                try:
                    learned = await asyncio.to_thread(learn_corpus, folder.path)
                except Rejected:
                    shutil.rmtree(site.path, ignore_errors=True)
                    raise
        except Rejected as error:
            return SiteResult(path.name, pages, 0, f"not learned: {error}")
    reason = learned.site_evaluation.distrust_reason
    return SiteResult(path.name, pages, number, f"not trusted: {reason}" if reason else "trusted", learned)


async def _render(folder: Path, first: InputRecord, others: Iterable[InputRecord], reader: Reader) -> int:
    """Write the pages that can be rendered into a new corpus; return how many."""
    number = 0
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was killed
    with await asyncio.to_thread(Corpus.create, folder, first.url) as corpus:
        for record in (first, *others):
            try:
                page, source = await _page(record, reader)
            except (PageFailed, Rejected):
                continue  # the extraction records its error
            await asyncio.to_thread(corpus.append, page, html=source)
            number += 1
    return number


async def _page(record: InputRecord, reader: Reader) -> tuple[Page, str]:
    """Return a page as it is rendered, and its HTML as it came from the server; empty if that is not known."""
    if record.page:
        return decode_page(record.page, record.url), ""
    if not record.html:
        rendered = await reader.render(record.url, options=RenderOptions(capture=CaptureOptions(source=True)))
        return rendered.page, rendered.source
    html = decode_html(record.html, record.charset)
    return (await reader.render_html(html, record.url, options=STORED)).page, html.text
