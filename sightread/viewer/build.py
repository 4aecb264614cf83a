"""Builds the viewer's records from the results of a job: the site, its pages, and the map of all its blocks.

All functions are pure. A page is built on its own, so that the inspector of a large corpus builds only requested pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation import Score
from sightread.crawler.corpus import FailedVisit
from sightread.document.document import Document
from sightread.labeling.labels import SiteLabels
from sightread.render.labels import BOILERPLATE, CONTENT, THRESHOLD, UNKNOWN
from sightread.render.page import Box, Image, Page, Size
from sightread.render.text.words import is_right_to_left
from sightread.render.visit.picture import Picture
from sightread.viewer.records import (
    Attention,
    BlockView,
    Difference,
    Direction,
    ImageView,
    JobSummary,
    PageSummary,
    PageView,
    SiteMap,
    SiteView,
)

Explain = Callable[[Page, int], Sequence[tuple[str, float]]]
"""A model's `explain(page, block)`: features and their contributions to the block's score, in any order."""


@dataclass(frozen=True, slots=True)
class ViewerLimits:
    """Limits of the viewer's lists."""

    uncertain: tuple[float, float] = (0.25, 0.75)
    """A probability strictly between these is drawn as uncertain; set by eye on the demo site."""
    low_f1: float = 0.7
    """Expected F1 below which a page is listed for attention, as its document has a note then."""
    most_text_characters: int = 300
    """Characters of a block that are shown."""
    most_reasons: int = 8
    most_attention: int = 12
    most_failures: int = 4
    """Most failed pages listed by name; more would hide the others."""


LIMITS = ViewerLimits()


@dataclass(frozen=True, slots=True)
class Findings:
    """The results for the pages of a job. Row i is page i everywhere; an unknown part is empty or None.

    Raises `ValueError` if a part has another number of rows than there are pages or blocks.
    """

    job: JobSummary
    pages: Sequence[Page]
    pictures: Sequence[Picture | None] = ()
    """Pictures of the whole document at any one scale, possibly cut at the bottom."""
    labels: SiteLabels | None = None
    predictions: Sequence[NDArray[np.float64]] | None = None
    """One probability per block, relative to the model's level: blocks from 0.5 on are kept."""
    overall: Sequence[NDArray[np.float64]] | None = None
    """The same by the global model, which the site's model is compared with."""
    documents: Sequence[Document] = ()
    """The document of each page by `auto`; without documents blocks with a probability of 0.5 are kept."""
    explain: Explain | None = None

    def __post_init__(self) -> None:
        for name, part in (("pictures", self.pictures), ("documents", self.documents)):
            if part and len(part) != len(self.pages):
                raise ValueError(f"{name}: {len(part)} rows for {len(self.pages)} pages")
        parts = (("predictions", self.predictions), ("overall", self.overall), ("labels", self.labels.labels if self.labels else None))
        for name, rows in parts:
            if rows is not None and [len(row) for row in rows] != [len(page.blocks) for page in self.pages]:
                raise ValueError(f"{name}: not one for each block of each page")


class BlockDecisions(NamedTuple):
    """Labels and predictions of a page's blocks, one row per block."""

    kept: NDArray[np.bool_]
    unsure: NDArray[np.bool_]
    disagrees: NDArray[np.bool_]


def build_site(findings: Findings) -> SiteView:
    """Return the overview of the site: its figures, its clusters, a summary of each page, and the pages for attention."""
    templates = (
        {row: number for number, template in enumerate(findings.labels.templates) for row in template.pages} if findings.labels else {}
    )
    summaries = tuple(_summary(findings, row, templates.get(row)) for row in range(len(findings.pages)))
    labels, folds = findings.labels, findings.job.folds
    return SiteView(
        job=findings.job,
        confidence=labels.confidence if labels else None,
        fold_means=Score(*np.mean([astuple(fold) for fold in folds], axis=0).tolist()) if folds else None,
        clusters=labels.clusters if labels else (),
        pages=summaries,
        attention=_attention(findings, summaries),
        low_f1=LIMITS.low_f1,
        predicted=findings.predictions is not None,
        labelled=labels is not None,
        parts=tuple(decision.describe() for decision in labels.parts) if labels else (),
        templates=labels.templates if labels else (),
    )


def build_page(findings: Findings, row: int, reasons: int = 0) -> PageView:
    """Return page `row` as drawn, with the `reasons` strongest contributions of each block if the model can explain."""
    page, decisions = findings.pages[row], block_decisions(findings, row)
    probabilities = None if findings.predictions is None else findings.predictions[row].round(4).tolist()
    tags, selectors = page.tag_paths(), page.selector_paths()
    document = findings.documents[row] if findings.documents else None
    kept_images = frozenset(document.selection.images) if document else frozenset[Image]()
    paths: dict[tuple[str, str], int] = {}
    features: dict[str, int] = {}
    blocks = []
    for number, block in enumerate(page.blocks):
        why = explain_block(findings, row, number, reasons) if reasons else ()
        blocks.append(
            BlockView(
                text=block.text if len(block.text) <= LIMITS.most_text_characters else block.text[: LIMITS.most_text_characters - 1] + "…",
                path=paths.setdefault((tags[block.element], selectors[block.element]), len(paths)),
                style=block.style,
                box=None if block.box is None else Box(*(round(side, 1) for side in block.box)),
                hidden=block.hidden,
                reachable=block.reachable,
                z=block.z,
                cluster=int(findings.labels.assignments[row][number]) if findings.labels else None,
                label=int(findings.labels.labels[row][number]) if findings.labels else None,
                probability=probabilities[number] if probabilities else None,
                kept=bool(decisions.kept[number]),
                unsure=bool(decisions.unsure[number]),
                disagrees=bool(decisions.disagrees[number]),
                reasons=tuple((features.setdefault(feature, len(features)), round(weight, 4)) for feature, weight in why),
            )
        )
    return PageView(
        document=page.document,
        viewport=page.viewport,
        truncated=page.truncated,
        paths=tuple(paths),
        styles=page.styles,
        features=tuple(features),
        blocks=tuple(blocks),
        markdown=document.markdown if document else None,
        order=document.rows if document else (),
        images=tuple(
            ImageView(image.alt[: LIMITS.most_text_characters], image.source, image.box, image.before, image in kept_images)
            for image in page.images
        ),
    )


def explain_block(findings: Findings, row: int, block: int, limit: int = LIMITS.most_reasons) -> tuple[tuple[str, float], ...]:
    """Return the features with the greatest contributions to the block's prediction, greatest first; empty if the model cannot explain."""
    if findings.explain is None:
        return ()
    weights = findings.explain(findings.pages[row], block)
    return tuple(sorted(((name, float(weight)) for name, weight in weights), key=lambda pair: -abs(pair[1]))[:limit])


def block_decisions(findings: Findings, row: int) -> BlockDecisions:
    """Return which blocks of page `row` are kept, on which the model is unsure, and which differ from their label.

    A block differs from its label if it is kept although labelled boilerplate, or dropped although labelled content. Blocks that a reader
    cannot see are neither unsure nor different: there is nothing to look at.
    """
    nothing = np.zeros(len(findings.pages[row].blocks), dtype=np.bool_)
    label = None if findings.labels is None else findings.labels.labels[row]
    content = nothing if label is None else label == CONTENT
    if findings.predictions is None:
        return BlockDecisions(content, nothing, nothing)
    probability = findings.predictions[row]
    kept = probability >= THRESHOLD
    if findings.documents:
        kept = np.isin(np.arange(len(probability)), findings.documents[row].rows)
    visible = np.array([not block.hidden for block in findings.pages[row].blocks], dtype=np.bool_)
    unsure = (probability > LIMITS.uncertain[0]) & (probability < LIMITS.uncertain[1])
    disagrees = nothing if label is None else (kept != content) & (label != UNKNOWN) & visible
    return BlockDecisions(kept, unsure & visible, disagrees)


def _summary(findings: Findings, row: int, template: int | None) -> PageSummary:
    page, decisions = findings.pages[row], block_decisions(findings, row)
    document = findings.documents[row] if findings.documents else None
    return PageSummary(
        url=page.url,
        title=min(page.titles, key=len, default=page.url),  # longer titles add the site's name
        language=page.language,
        direction=_direction(page),
        blocks=len(page.blocks),
        kept=int(decisions.kept.sum()),
        unsure=int(decisions.unsure.sum()),
        disagreements=int(decisions.disagrees.sum()),
        clusters=tuple(np.unique(findings.labels.assignments[row]).tolist()) if findings.labels else (),
        tiles=len(picture.tiles) if findings.pictures and (picture := findings.pictures[row]) else 0,
        expected_f1=round(document.expected_f1, 4) if document else None,
        model=document.model if document else "",
        template=template,
        difference=_difference(findings, row),
    )


def _direction(page: Page) -> Direction:
    stated: Mapping[str, str] = {"dir": page.body_style.get("direction", ""), **page.elements[0].attributes}
    if stated["dir"] in ("ltr", "rtl"):
        return "rtl" if stated["dir"] == "rtl" else "ltr"
    return "rtl" if is_right_to_left(page.language) else "ltr"


def _attention(findings: Findings, summaries: Sequence[PageSummary]) -> tuple[Attention, ...]:
    """Return each page with a concern once, by its gravest; without concerns, three pages: those that the global model reads
    most differently, else those with the lowest expected F1.
    """
    found = [*_failed(findings.job.failures), *_worrying(findings, summaries)]
    if found or len(summaries) < 2:
        return tuple(found[: LIMITS.most_attention])
    unlike = sorted((page.difference.f1, row) for row, page in enumerate(summaries) if page.difference and page.difference.f1 < 1)[:3]
    if unlike:
        reason = "no concern; among those that the global model reads most differently, by {:.1%}"
        return tuple(Attention("unsure", row, summaries[row].title, reason.format(1 - f1)) for f1, row in unlike)
    least = sorted((page.expected_f1, row) for row, page in enumerate(summaries) if page.expected_f1 is not None)[:3]
    return tuple(Attention("unsure", row, summaries[row].title, f"no concern; among the lowest expected F1, {f1:.3f}") for f1, row in least)


def _failed(failures: Sequence[FailedVisit]) -> list[Attention]:
    named = [Attention("failed", None, failure.url, failure.reason) for failure in failures[: LIMITS.most_failures]]
    others = len(failures) - len(named)
    return [*named, Attention("failed", None, f"{others} more", "in the list of pages")] if others else named


def _worrying(findings: Findings, summaries: Sequence[PageSummary]) -> list[Attention]:
    graded = [grade for row, page in enumerate(summaries) if (grade := _concern(findings, row, page))]
    return [attention for _, attention in sorted(graded, key=lambda grade: grade[0])]


def _concern(findings: Findings, row: int, page: PageSummary) -> tuple[tuple[int, float], Attention] | None:
    """Return the page's gravest concern with its rank, gravest lowest; None if there is none."""
    if not (findings.documents[row].rows if findings.documents else page.kept):
        return (0, -page.blocks), Attention("empty", row, page.title, f"nothing was kept of {page.blocks} blocks")
    if findings.labels is not None and bool(np.all(findings.labels.labels[row] == UNKNOWN)):
        return (1, 0), Attention("unlabelled", row, page.title, "no content cluster reaches this page: its labels are unknown")
    if page.disagreements:
        differ = "block differs from its label" if page.disagreements == 1 else "blocks differ from their label"
        reason = f"{page.disagreements} {differ}, of {page.blocks}"
        return (2, -page.disagreements / page.blocks), Attention("disagreement", row, page.title, reason)
    if page.expected_f1 is not None and page.expected_f1 < LIMITS.low_f1:
        return (3, page.expected_f1), Attention("unsure", row, page.title, f"expected F1 {page.expected_f1:.2f}")
    return None


def _difference(findings: Findings, row: int) -> Difference | None:
    """Return how the kept text of a page differs from what the global model keeps; None if there is one model."""
    if findings.overall is None or findings.predictions is None:
        return None
    length = np.array([0 if block.hidden else len(block.text) for block in findings.pages[row].blocks])
    own, other = findings.predictions[row] >= THRESHOLD, findings.overall[row] >= THRESHOLD
    both, more, less = (int(length[which].sum()) for which in (own & other, own & ~other, other & ~own))
    return Difference(round(2 * both / (2 * both + more + less), 4) if more + less else 1.0, more, less)


MOST_POINTS = 60_000
"""Blocks of a map: beyond it an even sample is drawn, which looks the same, so that the browser need not hold millions."""
LARGEST_COORDINATE = 2.0**53
"""CSS px: stored boxes can be larger than any integer of an array."""
KEPT, UNCERTAIN, DISAGREES, LABELLED_CONTENT, LABELLED_BOILERPLATE, HIDDEN = (1 << bit for bit in range(6))
_COLUMNS = 9


def build_map(findings: Findings) -> SiteMap:
    """Return the map of the blocks that have a box; without any box it is empty."""
    rows = np.array([point for row in range(len(findings.pages)) for point in _points(findings, row)], np.int64).reshape(-1, _COLUMNS)
    total = len(rows)
    if total > MOST_POINTS:
        rows = rows[np.linspace(0, total - 1, MOST_POINTS).astype(np.int64)]
    page, block, x, y, width, height, characters, cluster, flags = (tuple(column.tolist()) for column in rows.T)
    sizes = tuple(map(_size, findings.pages))
    return SiteMap(page, block, x, y, width, height, characters, cluster, flags, sizes, total)


def _points(findings: Findings, row: int) -> Iterator[tuple[int, ...]]:
    page, decisions = findings.pages[row], block_decisions(findings, row)
    labels = findings.labels
    for number, block in enumerate(page.blocks):
        if block.box is None or not block.box.width * block.box.height:
            continue
        label = labels.labels[row][number] if labels else None
        flags = (
            KEPT * bool(decisions.kept[number]) + UNCERTAIN * bool(decisions.unsure[number]) + DISAGREES * bool(decisions.disagrees[number])
        )
        flags += LABELLED_CONTENT * (label == CONTENT) + LABELLED_BOILERPLATE * (label == BOILERPLATE) + HIDDEN * bool(block.hidden)
        cluster = int(labels.assignments[row][number]) if labels else -1
        yield row, number, *(_whole(side) for side in block.box), len(block.text), cluster, int(flags)


def _size(page: Page) -> Size:
    """Return the extent of the page's visible blocks, of its window at least, in whole CSS px; zeros if it has no boxes."""
    boxes = [block.box for block in page.blocks if block.box and not block.hidden]
    if not boxes:
        return Size(0, 0)
    width = max(page.viewport.width if page.viewport else 0, *(box.x + box.width for box in boxes))
    return Size(_whole(width), _whole(max(box.y + box.height for box in boxes)))


def _whole(side: float) -> int:
    """Return whole CSS px, of a size that JavaScript's numbers keep exact."""
    return round(min(max(side, -LARGEST_COORDINATE), LARGEST_COORDINATE))
