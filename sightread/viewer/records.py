"""Records of the viewer, and their JSON.

`sightread.viewer.build` builds them; the report embeds their JSON, the inspector serves it, and the viewer's scripts read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec

from sightread.classify.evaluation import Score
from sightread.crawler.corpus import FailedVisit
from sightread.labeling.labels import Cluster, Confidence, TemplateConfidence
from sightread.render.page import Box, Hidden, Size, Style
from sightread.sites.student import StudentEvaluation

Direction = Literal["ltr", "rtl"]
Offer = Literal["why", "models", "documents", "html", "corrections", "history"]
Concern = Literal["failed", "empty", "unlabelled", "disagreement", "unsure"]


@dataclass(frozen=True, slots=True)
class WithoutBrowser:
    """How the pages of a learned site are read without a browser."""

    refusal: str
    """Why the global model reads all of them; empty if the student reads some."""
    agreement: StudentEvaluation | None
    """None without a student: then nothing of the rest is known."""
    needing: int = 0
    """Pages that need a browser."""
    least_f1: float = 0.0
    """Word F1 below which a template needs one."""
    examples: tuple[int | None, ...] = ()
    """Row of a page of each template; None if its HTML is damaged."""
    rendered_seconds: float | None = None
    """Wall time per page until it was rendered and collected, the median; None if it was not measured."""


@dataclass(frozen=True, slots=True)
class JobSummary:
    """The job: its site, time and model."""

    name: str
    """Of the site, or of the single page."""
    url: str
    model: str = ""
    made_at: str = ""
    """UTC, ISO 8601."""
    folds: tuple[Score, ...] = ()
    failures: tuple[FailedVisit, ...] = ()
    conclusion: tuple[str, str] | None = None
    """Whether the site's model is good, and why; None without one."""
    expected_f1: float | None = None
    """The expected word F1 of the site's model; None without one."""
    advice: tuple[str, ...] = ()
    without_browser: WithoutBrowser | None = None
    """None if it has no model."""


class Difference(NamedTuple):
    """How the laid-out text that the site's model keeps of a page differs from what the global model keeps."""

    f1: float
    """By characters, 0 to 1; 1 for the same text."""
    more: int
    """Characters that only the site's model keeps."""
    less: int
    """Characters that only the global model keeps."""


@dataclass(frozen=True, slots=True)
class PageSummary:
    """Summary of a page in the list of pages."""

    url: str
    title: str
    language: str
    direction: Direction
    blocks: int
    kept: int
    unsure: int
    disagreements: int
    """Number of visible blocks that differ from their label: kept against it, or dropped against it."""
    clusters: tuple[int, ...]
    """Ids of the clusters with blocks on the page."""
    tiles: int
    """Of its picture; 0 if it has none."""
    expected_f1: float | None = None
    """The model's own estimate of the F1 of its document; None if no model read it."""
    model: str = ""
    """Name of the model that its document is by; empty if no model read it."""
    template: int | None = None
    """Row in `SiteView.templates`; None if it is of none."""
    difference: Difference | None = None
    """From the global model; None if there is one model."""


@dataclass(frozen=True, slots=True)
class UnlearnedSite:
    """The site of a single page, which was not learned: the global model read the page."""

    name: str
    command: str
    can_learn: bool
    """Whether the server of the viewer can begin to learn it."""


class Attention(NamedTuple):
    """A page for attention."""

    concern: Concern
    page: int | None
    """Row of the page; None for a failed one."""
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class SiteView:
    """Overview of the site."""

    job: JobSummary
    confidence: Confidence | None
    fold_means: Score | None
    clusters: tuple[Cluster, ...]
    pages: tuple[PageSummary, ...]
    attention: tuple[Attention, ...]
    low_f1: float
    """Expected F1 below which a page is listed for attention."""
    predicted: bool
    labelled: bool
    offers: tuple[Offer, ...] = ()
    """Features of the viewer's server besides pages: whole explanations, all models, corrections."""
    parts: tuple[str, ...] = ()
    """Whether comments and other parts of the pages are content, one clause each."""
    templates: tuple[TemplateConfidence, ...] = ()
    unlearned: UnlearnedSite | None = None
    """Of a single page, its site if that could be learned."""
    waiting_for: str = ""
    """Results that are still being computed, in a sentence; empty if none are."""


@dataclass(frozen=True, slots=True)
class SiteMap:
    """All blocks of the site with a place, by columns: entry i of each is block i. Boxes are in whole CSS px."""

    page: tuple[int, ...]
    block: tuple[int, ...]
    x: tuple[int, ...]
    y: tuple[int, ...]
    width: tuple[int, ...]
    height: tuple[int, ...]
    characters: tuple[int, ...]
    cluster: tuple[int, ...]
    """-1 for noise, and without labels."""
    flags: tuple[int, ...]
    """Sum of 1 if it is kept, 2 if the model is unsure, 4 if it differs from its label, 8 if it is labelled content, 16 if it is
    labelled boilerplate, 32 if a reader cannot see it."""
    sizes: tuple[Size, ...]
    """Width and height of each page of the site: what its blocks are placed in."""
    total: int
    """Blocks of the site with a place; more than there are entries if the map holds a sample."""


@dataclass(frozen=True, slots=True)
class BlockView:
    """A block as drawn."""

    text: str
    """Cut at `ViewerLimits.most_text_characters` characters."""
    path: int
    """Row in `PageView.paths`."""
    style: int | None
    """Row in `PageView.styles`."""
    box: Box | None
    hidden: Hidden
    reachable: bool | None
    """Whether a person can open a hidden block; None if that is not known."""
    z: int
    """The effective z-index."""
    cluster: int | None
    label: int | None
    probability: float | None
    kept: bool
    unsure: bool
    disagrees: bool
    reasons: tuple[tuple[int, float], ...]
    """Row in `PageView.features` and contribution to the score, greatest first."""


@dataclass(frozen=True, slots=True)
class ImageView:
    """An image of the page, which the viewer never loads: it is part of the page's picture."""

    alt: str
    source: str
    box: Box | None
    before: int
    """How many blocks are before it."""
    kept: bool


@dataclass(frozen=True, slots=True)
class PageView:
    """A page as drawn. Tables are interned: blocks name rows."""

    document: Size | None
    viewport: Size | None
    """Its height is the fold."""
    truncated: bool
    paths: tuple[tuple[str, str], ...]
    """Tag path and selector path."""
    styles: tuple[Style, ...]
    features: tuple[str, ...]
    blocks: tuple[BlockView, ...]
    markdown: str | None
    order: tuple[int, ...] = ()
    """Rows of the blocks that the text is made of, in reading order; empty if no document was made."""
    images: tuple[ImageView, ...] = ()


def encode(record: Any) -> bytes:
    """Return the record as JSON that is inert anywhere in an HTML file: no `<`, `>`, `&` or line separator in it."""
    text = msgspec.json.encode(record)
    for character, escape in ((b"<", b"\\u003c"), (b">", b"\\u003e"), (b"&", b"\\u0026")):
        text = text.replace(character, escape)
    return text.replace("\u2028".encode(), b"\\u2028").replace("\u2029".encode(), b"\\u2029")
