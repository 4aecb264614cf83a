"""History of a learned site: its versions, whether pages that were read since look like those learned from, and what two versions read
differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import numpy as np

from sightread.crawler.corpus import Corpus
from sightread.document.document import Document
from sightread.labeling.drift import has_drifted, known_share
from sightread.labeling.known_clusters import assign
from sightread.labeling.labels import SiteLabels
from sightread.labeling.looks import build_table
from sightread.render.errors import SightreadError
from sightread.render.page import Page
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.recent_pages import read_readings, read_recent
from sightread.sites.store import LearnedSite
from sightread.sites.versions import read_mark

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
    """The other one."""
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
