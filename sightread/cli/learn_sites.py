"""`sightread learn --sites`: learns each site of a list, as jobs of a queue that this process performs, and others that share its database.

A site is one job, found again by its address and options: the same command continues, and repeats the jobs that failed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import fields
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from sightread.cli.commands import LearnCommand, ManySitesOptions
from sightread.cli.progress import SitesProgress
from sightread.cli.run import print_json, print_message
from sightread.cli.stored import read_lines
from sightread.cli.visiting import egress
from sightread.crawler.urls import SECTION, parse_start_url
from sightread.reading.reader import Reader
from sightread.render.browser.limiter import cores
from sightread.render.errors import NotTrusted, PageFailed, Rejected, StorageFailed
from sightread.server.engine.engine import Engine, EnginePolicy
from sightread.server.jobs.database import open_database
from sightread.server.jobs.runner import COMMAND, JobRunner, LearnSite
from sightread.server.jobs.sites import learn
from sightread.server.jobs.store import HOUR, JobLimits, JobStore, NewJob
from sightread.server.schema.answers import FINAL, JobRecord, Outcome
from sightread.server.schema.requests import LearnRequest, ScopeRequest, convert
from sightread.sites.exchange import check_store
from sightread.sites.folders import home_folder

CALLER = "sightread learn"
"""No name of a token, which has no space."""
KEEP = 30 * 24 * HOUR
"""Seconds for which a site counts as done."""
STALLS = 5
"""Processes that may end in a row with a site and store none of its pages: an operator may kill as many."""
SITES_PER_CORE = 4
"""At once: a site takes half a second of a core per page, and a page per half second at most."""
TASKS_AHEAD = 2
"""Tasks per thread of a Dask cluster: none waits for the next."""
MOST_JOBS = 1_000_000
POLL_SECONDS = 1.0
_OF_MANY = {each.name for each in fields(ManySitesOptions)} | {
    *("json", "home", "browser", "tabs", "light", "local", "allow_network", "proxy"),
    *("pages", "delay", "refresh", "keep", "drop", "within", "include", "exclude", "depth", "language", "standard_input"),
}


async def learn_sites(options: LearnCommand) -> int:
    """Learn the sites of the list; the exit code is 3 if one failed, else 5 if one is not trusted."""
    requests = _requests(options)
    policy = EnginePolicy(learning=cores(), store=check_store(options.store), private=options.local)
    named: dict[str, Any] = {
        "home": options.home,
        "executable": options.browser,
        "tabs": options.tabs,
        "egress": egress(options),
        "light": options.light,
    }
    reader = Reader(**named)
    async with AsyncExitStack() as opened:
        places = SITES_PER_CORE * cores()
        learn_site: LearnSite = learn
        if options.dask:
            from sightread.cli.learn_over_dask import LearnOrder, dask_learner  # noqa: PLC0415  (an extra)

            order = LearnOrder(named | {"tabs": 1}, policy)
            learn_site, threads = await opened.enter_async_context(dask_learner(options.dask, order))
            places = TASKS_AHEAD * max(1, threads)
        else:
            await opened.enter_async_context(reader)
        state = (options.home or home_folder()) / "service"
        limits = JobLimits(keep=KEEP, per_caller=MOST_JOBS, stalls=STALLS, under_way=options.sites_at_once or places)
        store = JobStore(open_database(options.database or state / "sites.sqlite3"), limits)
        runner = JobRunner(Engine(reader, policy), store, state / "crawls", origin=COMMAND, learn_site=learn_site)
        await opened.enter_async_context(runner)
        jobs = await _create(store, requests, is_refresh=options.refresh)
        runner.wake()
        rows = await _results(store, jobs, options)
    if not options.json:
        _print_table(rows)
    failed, distrusted = (sum(row["state"] == state for row in rows) for state in ("failed", "not trusted"))
    if failed:
        print_message(f"{failed} of {len(rows)} sites failed; the same command tries them again")
    return PageFailed.exit_code if failed else NotTrusted.exit_code if distrusted else 0


def _requests(options: LearnCommand) -> list[LearnRequest]:
    """Return a request per site of the list. Raises `Rejected`, also for options that do not apply to many sites."""
    for each in fields(options):
        if each.name not in _OF_MANY and getattr(options, each.name) != each.default:
            raise Rejected(f"--sites learns all sites alike, without {_named(each.name)}: leave it out, or learn its site by itself")
    language = (options.language or "").lower().partition("-")[0]
    scope = ScopeRequest(
        within=options.within or SECTION, include=options.include, exclude=options.exclude, depth=options.depth, language=language
    )
    found: dict[str, None] = {}
    for number, line in enumerate(read_lines(options.sites or "", options.standard_input, "--sites"), 1):
        if (text := line.strip()) and not text.startswith("#"):
            try:
                found[parse_start_url(text).url] = None
            except Rejected as error:
                raise Rejected(f"--sites {options.sites}, line {number}: {error}") from error
    if not found:
        raise Rejected(f"--sites {options.sites}: the list is empty: give one site per line")
    named = {"scope": scope, "delay": options.delay, "keep": options.keep, "drop": options.drop}
    named |= {"pages": options.pages} if options.pages else {}
    return [convert({"kind": "learn", "url": url, **msgspec.to_builtins(named)}, LearnRequest) for url in found]


def _named(field: str) -> str:
    return "SITE" if field == "site" else f"--{field.replace('_', '-')}"


async def _create(store: JobStore, requests: Sequence[LearnRequest], *, is_refresh: bool) -> dict[str, str]:
    """Create the jobs that are not there; return the URLs of all by their ids. Those that failed are repeated.

    A refresh repeats all, once all are done: else it has begun before, and continues.
    """
    jobs: dict[str, str] = {}
    states = set()
    for request in requests:
        body = msgspec.json.encode(request)
        key = hashlib.sha256(body).hexdigest()
        record, _ = await store.create(NewJob("learn", body, CALLER, request.url, 1, key, COMMAND, keep=KEEP))
        jobs[record.id] = request.url
        states.add(record.state)
    is_round = is_refresh and states <= FINAL
    await store.repeat(jobs, ("failed", "cancelled", "done") if is_round else ("failed", "cancelled"))
    return jobs


async def _results(store: JobStore, jobs: dict[str, str], options: LearnCommand) -> list[dict[str, Any]]:
    """Wait until all jobs have ended, here or elsewhere; return a row per site, in the order of the list."""
    rows: dict[str, dict[str, Any]] = {}
    records: list[JobRecord] = []
    with SitesProgress(len(jobs), quiet=options.json) as progress:
        while len(rows) < len(jobs):
            try:
                records = await store.list_jobs(CALLER, MOST_JOBS, COMMAND)
                for record in records:
                    if record.id in jobs and record.id not in rows and record.state in FINAL:
                        row = rows[record.id] = await _row(store, record, jobs[record.id])
                        progress.on_site(row)
                        if options.json:
                            print_json(row)
            except StorageFailed as error:  # the runner waits for it too
                progress.print_line(str(error))
            progress.on_counts([record.state for record in records if record.id in jobs])
            await asyncio.sleep(POLL_SECONDS)
    return [rows[id] for id in jobs]


async def _row(store: JobStore, record: JobRecord, url: str) -> dict[str, Any]:
    for result in await store.results(record.id, limit=1):
        if learned := msgspec.json.decode(result.body, type=Outcome).learned:
            figures = {"version": learned.version_in_use, "pages": learned.pages, "expected_f1": learned.expected_f1}
            state = "trusted" if learned.trusted and learned.version == learned.version_in_use else "not trusted"
            return {"site": url, "state": state, "reason": learned.distrust_reason, **figures}
    reason = record.error.message if record.error else record.state
    return {"site": url, "state": "failed", "reason": reason, "version": "", "pages": 0, "expected_f1": None}


def _print_table(rows: Sequence[dict[str, Any]]) -> None:
    table = Table("site", "state", "pages", "expected F1", "reason", box=box.SIMPLE_HEAD)
    for row in rows:
        expected = "" if row["expected_f1"] is None else f"{row['expected_f1']:.2f}"
        table.add_row(row["site"], row["state"], str(row["pages"] or ""), expected, row["reason"])
    Console().print(table)
