"""Builds the viewer's records from the results of a job.

`build_site` and `build_page` are pure. A page is built on its own, so that the inspector of a large corpus builds only requested pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.document.document import Document
from sightread.labeling.labels import SiteLabels
from sightread.render.labels import CONTENT, THRESHOLD, UNKNOWN
from sightread.render.page import Box, Image, Page
from sightread.render.text.words import is_right_to_left
from sightread.render.visit.picture import Picture
from sightread.viewer.records import (
    Attention,
    BlockView,
    Difference,
    Direction,
    FailedPage,
    FoldScores,
    ImageView,
    JobSummary,
    PageSummary,
    PageView,
    SiteView,
    TemplateView,
)

Explain = Callable[[Page, int], Sequence[tuple[str, float]]]
"""A model's `explain(page, block)`: features and their contributions to the block's score, in any order."""


@dataclass(frozen=True, slots=True)
class ViewerLimits:
    """Limits of the viewer's lists."""

    uncertain: tuple[float, float] = (0.25, 0.75)
    """A probability strictly between these is drawn as uncertain; set by eye on the demo site."""
    low_confidence: float = 0.5
    """Confidence below which a page is listed for attention: less than half of its text, or of the certainty, is accounted for."""
    most_text_characters: int = 300
    """Characters of a block that are shown."""
    most_reasons: int = 8
    """Reasons per block."""
    most_attention: int = 12
    """Pages listed for attention."""
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
    kept: Sequence[Collection[int]] = ()
    """The rows of the kept blocks of each page; by default those with a probability of 0.5."""
    orders: Sequence[Sequence[int]] = ()
    """The rows of the blocks of each page's document, in reading order."""
    kept_images: Sequence[Collection[Image]] = ()
    """The images of each page that its document keeps."""
    confidence: Sequence[float] = ()
    """The confidence of each page's document, 0 to 1; without it, and without labels, the mean distance of its probabilities from 0.5."""
    expected_f1: Sequence[float] = ()
    """The expected F1 of each page's document."""
    markdown: Sequence[str] = ()
    """The extracted text."""
    models: Sequence[str] = ()
    """Names of the models that the documents are by."""
    explain: Explain | None = None

    def __post_init__(self) -> None:
        for name in ("pictures", "kept", "orders", "kept_images", "confidence", "expected_f1", "markdown", "models"):
            part = getattr(self, name)
            if part and len(part) != len(self.pages):
                raise ValueError(f"{name}: {len(part)} rows for {len(self.pages)} pages")
        parts = (("predictions", self.predictions), ("overall", self.overall), ("labels", self.labels.labels if self.labels else None))
        for name, rows in parts:
            if rows is not None and [len(row) for row in rows] != [len(page.blocks) for page in self.pages]:
                raise ValueError(f"{name}: not one for each block of each page")

    def with_documents(self, documents: Sequence[Document]) -> Findings:
        """Return the results with what the pages' documents keep, their text and their expected F1; unchanged without documents."""
        if not documents:
            return self
        return replace(
            self,
            kept=[document.rows for document in documents],
            orders=[document.rows for document in documents],
            kept_images=[frozenset(document.selection.images) for document in documents],
            expected_f1=[round(document.expected_f1, 4) for document in documents],
            markdown=[document.markdown for document in documents],
            models=[document.model for document in documents],
        )


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
        fold_means=FoldScores(*(float(np.mean(column)) for column in zip(*folds, strict=True))) if folds else None,
        clusters=labels.clusters if labels else (),
        pages=summaries,
        attention=_attention(findings, summaries),
        low_confidence=LIMITS.low_confidence,
        predicted=findings.predictions is not None,
        labelled=labels is not None,
        parts=tuple(decision.describe() for decision in labels.parts) if labels else (),
        templates=tuple(
            TemplateView(found.cluster, found.pages, found.value, found.agreement, found.margin, found.stability)
            for found in (labels.templates if labels else ())
        ),
    )


def build_page(findings: Findings, row: int, reasons: int = 0) -> PageView:
    """Return page `row` as drawn, with the `reasons` strongest contributions of each block if the model can explain."""
    page, decisions = findings.pages[row], block_decisions(findings, row)
    probabilities = None if findings.predictions is None else findings.predictions[row].round(4).tolist()
    tags, selectors = page.tag_paths(), page.selector_paths()
    kept_images = findings.kept_images[row] if findings.kept_images else frozenset[Image]()
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
        markdown=findings.markdown[row] if findings.markdown else None,
        order=tuple(findings.orders[row]) if findings.orders else (),
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
    if findings.kept:
        kept = np.isin(np.arange(len(probability)), list(findings.kept[row]))
    visible = np.array([not block.hidden for block in findings.pages[row].blocks], dtype=np.bool_)
    unsure = (probability > LIMITS.uncertain[0]) & (probability < LIMITS.uncertain[1])
    disagrees = nothing if label is None else (kept != content) & (label != UNKNOWN) & visible
    return BlockDecisions(kept, unsure & visible, disagrees)


def _summary(findings: Findings, row: int, template: int | None) -> PageSummary:
    page, decisions = findings.pages[row], block_decisions(findings, row)
    return PageSummary(
        url=page.url,
        title=min(page.titles, key=len, default=page.url),  # longer titles add the site's name
        language=page.language,
        direction=_direction(page),
        blocks=len(page.blocks),
        kept=int(decisions.kept.sum()),
        unsure=int(decisions.unsure.sum()),
        disagreements=int(decisions.disagrees.sum()),
        confidence=_page_confidence(findings, row),
        clusters=tuple(np.unique(findings.labels.assignments[row]).tolist()) if findings.labels else (),
        tiles=len(picture.tiles) if findings.pictures and (picture := findings.pictures[row]) else 0,
        expected_f1=findings.expected_f1[row] if findings.expected_f1 else None,
        model=findings.models[row] if findings.models else "",
        template=template,
        difference=_difference(findings, row),
    )


def _direction(page: Page) -> Direction:
    stated: Mapping[str, str] = {"dir": page.body_style.get("direction", ""), **page.elements[0].attributes}
    if stated["dir"] in ("ltr", "rtl"):
        return "rtl" if stated["dir"] == "rtl" else "ltr"
    return "rtl" if is_right_to_left(page.language) else "ltr"


def _page_confidence(findings: Findings, row: int) -> float | None:
    if findings.labels is not None:
        return round(float(findings.labels.page_confidence[row]), 4)
    if findings.confidence:
        return round(findings.confidence[row], 4)
    characters = np.array([len(block.text) for block in findings.pages[row].blocks], dtype=np.float64)
    if findings.predictions is None or not characters.sum():
        return None
    return round(float(np.average(np.abs(2 * findings.predictions[row] - 1), weights=characters)), 4)


def _attention(findings: Findings, summaries: Sequence[PageSummary]) -> tuple[Attention, ...]:
    """Return each page with a concern once, by its gravest; without concerns, the three pages with the lowest confidence."""
    found = [*_failed(findings.job.failures), *_worrying(findings, summaries)]
    if found or len(summaries) < 2:
        return tuple(found[: LIMITS.most_attention])
    least = sorted((page.confidence, row) for row, page in enumerate(summaries) if page.confidence is not None)[:3]
    return tuple(
        Attention("unsure", row, summaries[row].title, f"no concern; among the lowest confidences, {confidence:.2f}")
        for confidence, row in least
    )


def _failed(failures: Sequence[FailedPage]) -> list[Attention]:
    named = [Attention("failed", None, failure.url, failure.reason) for failure in failures[: LIMITS.most_failures]]
    others = len(failures) - len(named)
    return [*named, Attention("failed", None, f"{others} more", "in the list of pages")] if others else named


def _worrying(findings: Findings, summaries: Sequence[PageSummary]) -> list[Attention]:
    graded = [grade for row, page in enumerate(summaries) if (grade := _concern(findings, row, page))]
    return [attention for _, attention in sorted(graded, key=lambda grade: grade[0])]


def _concern(findings: Findings, row: int, page: PageSummary) -> tuple[tuple[int, float], Attention] | None:
    """Return the page's gravest concern with its rank, gravest lowest; None if there is none."""
    if not (findings.orders[row] if findings.orders else page.kept):
        return (0, -page.blocks), Attention("empty", row, page.title, f"nothing was kept of {page.blocks} blocks")
    if findings.labels is not None and bool(np.all(findings.labels.labels[row] == UNKNOWN)):
        return (1, 0), Attention("unlabelled", row, page.title, "no content cluster reaches this page: its labels are unknown")
    if page.disagreements:
        differ = "block differs from its label" if page.disagreements == 1 else "blocks differ from their label"
        reason = f"{page.disagreements} {differ}, of {page.blocks}"
        return (2, -page.disagreements / page.blocks), Attention("disagreement", row, page.title, reason)
    if page.confidence is not None and page.confidence < LIMITS.low_confidence:
        return (3, page.confidence), Attention("unsure", row, page.title, f"confidence {page.confidence:.2f}")
    return None


def _difference(findings: Findings, row: int) -> Difference | None:
    """Return how the kept text of a page differs from what the global model keeps; None if there is one model."""
    if findings.overall is None or findings.predictions is None:
        return None
    length = np.array([0 if block.hidden else len(block.text) for block in findings.pages[row].blocks])
    own, other = findings.predictions[row] >= THRESHOLD, findings.overall[row] >= THRESHOLD
    both, more, less = (int(length[which].sum()) for which in (own & other, own & ~other, other & ~own))
    return Difference(round(2 * both / (2 * both + more + less), 4) if more + less else 1.0, more, less)
