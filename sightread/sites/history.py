"""History of a learned site: its versions, whether pages that were read since look like those learned from, and what two versions read
differently.

Versions of a learned site: the current one, the previous one, and one candidate of a refresh.

A version is promoted by one atomic replacement of the link `current`, so a killed process leaves the old one or the new one in use. The
content of a version does not change during the promotion, and the previous one is kept: processes that read it meanwhile can finish.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
import numpy as np

from sightread.crawler.corpus import Corpus
from sightread.document.document import Document
from sightread.labeling.known_clusters import assign, has_drifted, known_share
from sightread.labeling.labels import SiteLabels
from sightread.labeling.looks import build_table
from sightread.render.errors import Rejected, SightreadError
from sightread.render.files import storage_errors, write_atomically
from sightread.render.page import Page
from sightread.sites.folders import SiteFolder, SiteHome, site_address
from sightread.sites.store import LearnedSite, read_readings, read_recent

STALE_SECONDS = 24 * 3600.0
"""Seconds after which an unfinished refresh starts again: its pages are no longer fresh."""


class CandidateMark(msgspec.Struct, frozen=True):
    """The content of `refresh.json` in a version that is not in use."""

    start: str
    begun: float
    """Seconds since 1970."""
    known: tuple[str, ...]
    """URLs of the training pages of the version in use; the crawl prefers others."""
    rejected: str = ""
    """Why it was rejected; empty while it is being made."""


@contextmanager
def locked(site: SiteHome) -> Iterator[None]:
    """Keep other processes from crawling or learning the site; the lock ends with its process. Raises `Rejected` if it is taken.

    A site without any page is deleted afterwards.
    """
    with _lock(site):
        try:
            yield
        finally:
            _forget(site)


def _lock(site: SiteHome) -> BinaryIO:
    path = site.path / "lock"
    while True:
        with storage_errors(site.path):
            site.path.mkdir(parents=True, exist_ok=True)
            lock = path.open("ab")
        try:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise Rejected(f"{site_address(site.path.name)}: another process is learning this site: wait for it to end") from error
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock.fileno()), path.stat()):
                return lock
        lock.close()  # its previous holder has deleted the site meanwhile


def _forget(site: SiteHome) -> None:
    with suppress(OSError):  # a version that is not empty
        for version in site.versions:
            version.path.rmdir()
        site.link.unlink(missing_ok=True)
        (site.path / "lock").unlink()
        site.path.rmdir()


def open_current(site: SiteHome) -> SiteFolder:
    """Return the version in use; if the site has none, make the first one, empty."""
    current = site.current
    if current is None or not current.path.is_dir():
        current = _next(site)
        _use(site, current)
    return current


def open_candidate(site: SiteHome, start: str) -> SiteFolder:
    """Return the version that a refresh from the URL `start` is making: an unfinished one of a killed process, else a new one.

    Other versions not in use, rejected or no longer fresh, are deleted.
    """
    current = open_current(site)
    current.refresh.unlink(missing_ok=True)  # a kill came between the two steps of `promote`
    for version in reversed(site.versions):
        mark = read_mark(version)
        if mark and mark.start == start and not mark.rejected and 0 <= time.time() - mark.begun < STALE_SECONDS:
            return version
    candidate = _next(site)
    known = tuple(dict.fromkeys(url for page in Corpus.open(current.path) for url in (page.url, page.final_url)))
    _write_mark(candidate, CandidateMark(start, time.time(), known))
    _delete(version for version in site.versions if read_mark(version) and version != candidate)
    return candidate


def promote(site: SiteHome, candidate: SiteFolder) -> None:
    """Put the candidate into use, keep the previous version, and delete the others."""
    before = site.current
    _use(site, candidate)
    with storage_errors(candidate.refresh):
        candidate.refresh.unlink(missing_ok=True)
    _delete(version for version in site.versions if version not in (candidate, before))


def adopt(site: SiteHome, folder: Path) -> SiteFolder:
    """Put a complete folder into use as a new version, by renaming it; keep the previous version, and delete the others."""
    version = next_version(site)
    with storage_errors(version.path):
        folder.rename(version.path)
    promote(site, version)
    return version


def reject(candidate: SiteFolder, reason: str) -> None:
    """Record why the candidate was rejected; it stays until the next refresh, for inspection."""
    mark = read_mark(candidate) or CandidateMark("", time.time(), ())
    _write_mark(candidate, msgspec.structs.replace(mark, rejected=reason))


def read_mark(version: SiteFolder) -> CandidateMark | None:
    """Return the mark of a version that is not in use; None for any other."""
    try:
        return msgspec.json.decode(version.refresh.read_bytes(), type=CandidateMark)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        return CandidateMark("", 0.0, (), f"its refresh.json is damaged: {error}")


def next_version(site: SiteHome) -> SiteFolder:
    """Return the version with the next number, which does not exist yet."""
    return site.numbered(max((int(version.path.name) for version in site.versions), default=0) + 1)


def _next(site: SiteHome) -> SiteFolder:
    version = next_version(site)
    with storage_errors(version.path):
        version.path.mkdir(parents=True)
    return version


def _use(site: SiteHome, version: SiteFolder) -> None:
    part = site.path / f".current.{os.getpid()}.part"
    with storage_errors(site.link):
        part.unlink(missing_ok=True)
        part.symlink_to(version.path.name)
        part.replace(site.link)


def _write_mark(version: SiteFolder, mark: CandidateMark) -> None:
    write_atomically(version.refresh, msgspec.json.encode(mark) + b"\n")


def _delete(versions: Iterator[SiteFolder]) -> None:
    for version in list(versions):
        with storage_errors(version.path):
            shutil.rmtree(version.path)


VersionState = Literal["in use", "previous", "rejected", "unfinished"]


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One version of a site."""

    number: str
    """Four digits at least."""
    state: VersionState
    reason: str
    """Why it was rejected, or cannot be read; else empty."""
    crawled_at: str
    """When its last page was rendered: UTC, ISO 8601; empty if it is not known."""
    learned_at: str
    """When it was evaluated; empty if it was not."""
    pages: int
    failures: int
    expected_f1: float | None
    confidence: float | None
    """Of its labels, 0 to 1."""
    global_f1: float | None
    """The global model's F1 against the same labels."""
    distrust_reason: str
    """Why it is not trusted; empty if it is."""
    usual: float | None
    """Share of pages that look unlike the others without any change of the site, 0 to 1."""
    readings: tuple[bool, ...]
    """One entry per page read live with this version, the oldest first: whether it is evidence that the site has changed."""
    drifted: bool
    """Whether the last of them are evidence that the site has changed."""
    can_read: bool
    """Whether it has a model, so that other versions can be compared with it."""


@dataclass(frozen=True, slots=True)
class PageChange:
    """Difference between the documents of two versions for one page. Lengths are in characters."""

    page: int
    """Row of the page in the version that is looked at."""
    f1: float
    """Between the texts that both keep, 0 to 1."""
    gained: int
    """Kept by the version that is looked at alone."""
    lost: int
    """Kept by the other version alone."""
    known: float
    """Share of its text whose look the other version knows, 0 to 1."""
    strange: bool
    """Whether it looks unlike the pages that the other version was learned from."""
    rendered_at: str


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """The version that is looked at against another one, on its own pages."""

    version: str
    pages: tuple[PageChange, ...]
    looks: dict[int, float]
    """Share of the blocks of each cluster whose look the other version knows, 0 to 1; empty if it has no labels."""


def home_of(folder: SiteFolder) -> SiteHome | None:
    """Return the site that a folder is a version of; None for a corpus of its own."""
    home = SiteHome(folder.path.parent)
    return home if folder.path.name.isdigit() and home.link.is_symlink() else None


def list_versions(home: SiteHome) -> tuple[VersionRecord, ...]:
    """Return all versions of a site, the oldest first; one that cannot be read has the reason."""
    return tuple(_record(home, version) for version in home.versions)


def _record(home: SiteHome, version: SiteFolder) -> VersionRecord:
    mark, current = read_mark(version), home.current
    state: VersionState = "previous"
    if current is not None and version.path == current.path:
        state = "in use"
    elif mark is not None:
        state = "rejected" if mark.rejected else "unfinished"
    reason, crawled_at, learned_at, pages, failures, evaluation = mark.rejected if mark else "", "", "", 0, 0, None
    try:
        corpus = Corpus.open(version.path)
        pages, failures = len(corpus), len(corpus.failures)
        crawled_at = corpus.page(pages - 1).rendered_at if pages else ""
        evaluation = version.read_evaluation()
        if evaluation is not None:
            learned_at = datetime.fromtimestamp(version.evaluation.stat().st_mtime, UTC).isoformat(timespec="seconds")
    except SightreadError as error:
        reason = reason or str(error)
    usual = evaluation.usual.odd if evaluation and evaluation.usual else None
    recent = read_recent(version.recent)
    return VersionRecord(
        number=version.path.name,
        state=state,
        reason=reason,
        crawled_at=crawled_at,
        learned_at=learned_at,
        pages=pages,
        failures=failures,
        expected_f1=round(evaluation.expected_f1, 4) if evaluation else None,
        confidence=evaluation.confidence if evaluation else None,
        global_f1=evaluation.global_f1 if evaluation else None,
        distrust_reason=evaluation.distrust_reason if evaluation else "",
        usual=usual,
        readings=read_readings(version.recent),
        drifted=usual is not None and has_drifted(recent.strange, recent.pages, usual),
        can_read=evaluation is not None and version.model.is_file(),
    )


def compare_version(
    pages: Sequence[Page], documents: Sequence[Document], other: LearnedSite, other_documents: Sequence[Document], labels: SiteLabels | None
) -> VersionComparison:
    """Compare the documents of a version's pages with those that another version gives of them; row i is page i everywhere."""
    changes = tuple(_changes(pages, documents, other, other_documents))
    looks: dict[int, float] = {}
    if labels is not None and other.known is not None:
        known = assign(other.known, build_table(pages)) >= 0
        cluster = np.concatenate(labels.assignments)
        looks = {found.id: round(float(known[cluster == found.id].mean()), 4) for found in labels.clusters if (cluster == found.id).any()}
    return VersionComparison(other.version, changes, looks)


def _changes(
    pages: Sequence[Page], documents: Sequence[Document], other: LearnedSite, other_documents: Sequence[Document]
) -> Iterator[PageChange]:
    for row, (page, one, two) in enumerate(zip(pages, documents, other_documents, strict=True)):
        kept, was = frozenset(one.rows), frozenset(two.rows)
        both, gained, lost = (sum(len(page.blocks[row].text) for row in rows) for rows in (kept & was, kept - was, was - kept))
        found = other.familiarity(page, other.model.predict(page).probabilities)
        yield PageChange(
            page=row,
            f1=round(2 * both / (2 * both + gained + lost), 4) if gained + lost else 1.0,
            gained=gained,
            lost=lost,
            known=round(known_share(other.known, page), 4) if other.known else 1.0,
            strange=found is not None and found.is_strange,
            rendered_at=page.rendered_at,
        )
