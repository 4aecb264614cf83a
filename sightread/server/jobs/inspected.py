"""The corpus of a finished job, for the inspector: of a crawl its own pages, of a learning job the site."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from sightread.reading.archived import CORPUS
from sightread.render.errors import Rejected
from sightread.server.jobs.database import open_database
from sightread.server.jobs.store import JobStore
from sightread.server.schema.answers import JobRecord, Outcome
from sightread.sites.folders import SiteHome, home_folder

MOST_KEPT_PAGES = 200
"""Pages of a crawl whose corpus is kept until its results are deleted, some 50 kB each: what the inspector shows with ease."""
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_job_id(text: str) -> bool:
    """Return whether a text has the form of a job's id."""
    return _ID.fullmatch(text) is not None


def keeps_corpus(job: JobRecord) -> bool:
    """Return whether the corpus of a job that is done is kept for the inspector."""
    return job.kind == "crawl" and job.total <= MOST_KEPT_PAGES


async def job_corpus(store: JobStore, id: str, crawls: Path, home: Path | None) -> Path:
    """Return the folder of a finished job's corpus; `crawls` holds those of crawls.

    Raises `Rejected` if the job has none: it failed, has not ended, was a batch, or crawled more than `MOST_KEPT_PAGES` pages.
    """
    own = crawls / id
    if (own / CORPUS).is_file():
        return own
    for row in await store.results(id, limit=1):
        learned = msgspec.json.decode(row.body, type=Outcome).learned
        version = SiteHome((home or home_folder()) / "sites" / learned.site).current if learned else None
        if version is not None:
            return version.path
    remedy = "inspect one of its pages by its URL, or the site by its name"
    raise Rejected(f"job {id} has no pages to show: only learning jobs, and crawls of up to {MOST_KEPT_PAGES} pages, keep them; {remedy}")


async def find_job_folder(id: str, home: Path | None) -> Path:
    """Return the folder of the corpus of a job of this machine's service, as `job_corpus`."""
    state = (home or home_folder()) / "service"
    database = state / "jobs.sqlite3"
    if not database.is_file():
        raise Rejected(f"{id}: no service on this machine has jobs in {state}: open the job in the start page of its service")
    store = JobStore(open_database(str(database)))
    try:
        return await job_corpus(store, id, state / "crawls", home)
    finally:
        await store.close()
