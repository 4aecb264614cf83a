"""Selection: which blocks of a page the document keeps, and the reason for leaving out each other block."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation import expected_f1
from sightread.classify.model import Prediction
from sightread.document.duplicates import without_duplicates
from sightread.document.headline import untagged_headline
from sightread.document.postprocess import Addition, belonging
from sightread.document.reading_order import reading_order
from sightread.document.tree.footnotes import footnote_rows
from sightread.document.tree.images.images import content_images
from sightread.document.tree.math import repeated_formulas
from sightread.render.analysis.page_parts import find_parts, navigation, part_blocks
from sightread.render.analysis.script_notices import script_notices
from sightread.render.labels import PART_KINDS, THRESHOLD, PartKind
from sightread.render.page import Image, Page
from sightread.render.page.page_arrays import enclosing

ORNAMENTS = frozenset("|·•/›»>,.;:")
"""Separators between the items of a line in which each item is a block of its own."""

COLLAPSED_THRESHOLD = 0.8
"""Least probability, relative to the prediction's level, of text that the browser did not lay out (docs/experiments/rendering.md, "Hidden
text")."""

DISCLOSURE_THRESHOLD = 0.7
"""The same in a closed `<details>`, whose summary offers it to the reader: the answer to a question."""

_RULE = re.compile(r"[-_=*~•·.|–—\s]{2,}")
"""A drawn line, or three stars."""
_KEPT_WITHIN = frozenset(("td", "th", "pre"))

LeftOutReason = Literal[
    "hidden", "overlay", "navigation", "duplicate", "ornament", "script notice", "unwanted", "low probability", "corrected"
]
Reason = Literal["probability", "recovered", "wanted"] | Addition | LeftOutReason
"""Why a block is in the document or not. In it: its probability reaches the level, a rule of `sightread.document.postprocess` keeps it,
the page shows no text and all recovered text is kept, or it is a "wanted" part that its site keeps. Not in it: "hidden" blocks were not
laid out by the browser and have no clear probability; "overlay" blocks cover the page; "navigation" is links to the page before or after,
links of closed menus or for an action such as "Reply", and iframes at the side; "duplicate" texts occur twice in dissimilar places
(`sightread.document.duplicates`) or are a repeated heading or formula; an "ornament" is a separator, a control of a heading
or an unexpanded shortcode alone; a "script notice" states that the page requires scripts; "unwanted" parts were excluded
by the caller, or are left out on all pages of the site. "corrected" blocks are in it or not as a person decided for the site."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Options of the decision."""

    threshold: float = THRESHOLD
    """Least probability of a block to keep, relative to the prediction's level: above 0.5 it is more precise, below more complete."""
    keep: frozenset[PartKind] = frozenset()
    """Parts of pages, such as comments, that are kept regardless of their probability; but no navigation in them."""
    drop: frozenset[PartKind] = frozenset()
    """Parts of pages that are left out, unless nothing else is kept."""
    corrected: Mapping[int, bool] = field(default_factory=dict)
    """Rows of blocks of the page that a person corrected: True to keep. They hold against probabilities, parts, overlays and
    post-processing; a text that occurs twice is still kept once."""
    keep_repeated_prose: bool = False
    """Whether prose that a browser shows in two places is kept in both, as in the summary and in the details of a reference: for models
    that know the looks of teasers."""


EVERY_PART = Policy()
"""By the model's probabilities alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The decision for a page: the kept blocks, and the reason for each block."""

    rows: tuple[int, ...]
    """The blocks to keep, in reading order."""
    reasons: tuple[Reason, ...]
    """One per block of the page."""
    expected_f1: float
    """The expected F1 by characters of the kept blocks, by their probabilities, 0 to 1; 0 if nothing is kept."""
    headline: int
    """The row of an early block that resembles the page's title, if no kept block is a heading of level 1; else -1."""
    images: tuple[Image, ...] = ()
    """The images that belong to the kept blocks, with their descriptions, in document order (`sightread.document.tree.images.images`)."""

    def without(self, page: Page, rows: Collection[int]) -> Selection:
        """Return the selection without these rows, and without the images that belonged to them."""
        kept = tuple(row for row in self.rows if row not in rows)
        left_out = frozenset(self.rows) - frozenset(kept)
        reasons: list[Reason] = ["unwanted" if row in left_out else reason for row, reason in enumerate(self.reasons)]
        return replace(self, rows=kept, reasons=tuple(reasons), images=content_images(page, sorted(kept)))


class LeftOut(NamedTuple):
    """A block that is not in the document: its row in the page, its text, its probability, and the reason."""

    row: int
    text: str
    probability: float
    reason: Reason


def select(page: Page, prediction: Prediction, policy: Policy = EVERY_PART, leftover: Collection[int] = ()) -> Selection:
    """Decide which blocks of a page are kept: the only place with this decision.

    `leftover` are the rows that consist of leftover markup or controls (`sightread.document.leftovers`), which are left out.

    Blocks of overlays and navigation (`sightread.render.analysis.page_parts.navigation`) are left out, unless nothing else is kept. Other
    blocks that a browser did not lay out are kept if their probability is clear, or nothing else is kept: answers that open on a click,
    tabs, text that a script would have shown. Of texts that repeat in dissimilar places one is kept. Recovered text is kept whole: no
    model was trained on it.

    Raises ValueError if the prediction has not one probability per block, or one that is not between 0 and 1.
    """
    probabilities = prediction.probabilities
    if probabilities.shape != (len(page.blocks),):
        raise ValueError(f"probabilities: shape {probabilities.shape}, but the page has {len(page.blocks)} blocks")
    if not np.all((probabilities >= 0) & (probabilities <= 1)):
        raise ValueError("probabilities: not all of them are numbers from 0 to 1")
    lengths = np.array([len(block.text) for block in page.blocks], np.float64)
    kept = probabilities >= least_probabilities(page, prediction, policy)
    if not kept.any():
        kept = probabilities >= prediction.least(policy.threshold)
    if page.recovered:
        rows = tuple(range(len(page.blocks)))
        everything: tuple[Reason, ...] = tuple("recovered" for _ in rows)
        found = content_images(page, rows)
        return Selection(rows, everything, expected_f1(probabilities, lengths, kept), untagged_headline(page, rows), found)
    confirmed, refused = (frozenset(row for row, keep in policy.corrected.items() if keep is kind) for kind in (True, False))
    kept[list(confirmed)], kept[list(refused)] = True, False
    added = belonging(page, kept) if prediction.needs_postprocessing else {}
    kept[list(added)] = True
    requested, unwanted = _parts(page, policy, kept)
    kept = (kept | requested) & ~unwanted
    kept[list(confirmed)], kept[list(refused)] = True, False
    chosen = np.flatnonzero(kept).tolist()
    beneath = [row for row in chosen if page.overlay_of(row) is None or row in confirmed] if page.overlays else chosen
    leads_elsewhere = navigation(page)
    leads_elsewhere[list(confirmed)] = False
    read = [row for row in beneath or chosen if not leads_elsewhere[row]]
    notices = script_notices(page) - confirmed
    plain = [row for row in read or beneath or chosen if row not in notices.union(leftover) and not _is_ornament(page, row)]
    single = _undoubled(page, without_duplicates(page, plain, probabilities, keep_prose=policy.keep_repeated_prose))
    noted = footnote_rows(page, single) - refused - frozenset(leftover)
    single = tuple(sorted(noted.union(single)))
    added |= dict.fromkeys(noted.difference(np.flatnonzero(kept).tolist()), "footnote")
    images = content_images(page, single)
    doubled = repeated_formulas(page, single, images)
    rows = reading_order(page, [row for row in single if row not in doubled])
    held = frozenset(rows)
    reasons: list[Reason] = [
        _reason_to_keep(row, added, requested)
        if row in held
        else "unwanted"
        if unwanted[row]
        else "script notice"
        if row in notices
        else _reason_to_drop(page, row, bool(kept[row]), bool(leads_elsewhere[row]))
        if row not in leftover
        else "ornament"
        for row in range(len(page.blocks))
    ]
    for row in (confirmed & held) | refused:
        reasons[row] = "corrected"
    settled = probabilities.copy()
    settled[list(confirmed)], settled[list(refused)] = 1.0, 0.0  # for what the choice promises alone
    return Selection(rows, tuple(reasons), expected_f1(settled, lengths, kept), untagged_headline(page, rows), images)


def least_probabilities(page: Page, prediction: Prediction, policy: Policy) -> NDArray[np.float64]:
    """Return the least probability of each block to be kept by it: the policy's, or a higher one of text that the browser did not lay out.

    Shape (blocks,).
    """
    least = np.full(len(page.blocks), prediction.least(policy.threshold))
    collapsed = [row for row, block in enumerate(page.blocks) if block.hidden == "display" and page.source != "static"]
    if not collapsed:
        return least
    levels = [prediction.least(max(policy.threshold, own)) for own in (COLLAPSED_THRESHOLD, DISCLOSURE_THRESHOLD)]
    disclosed = enclosing(page, ("details",))
    least[collapsed] = [levels[disclosed[page.blocks[row].element] >= 0] for row in collapsed]
    return least


def _parts(page: Page, policy: Policy, kept: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which blocks of a page are added, and which are left out, for the part of the page that they are in."""
    nothing = np.zeros(len(page.blocks), np.bool_)
    if not (policy.keep or policy.drop) or not kept.any():
        return nothing, nothing
    texts, kinds = part_blocks(page), find_parts(page)
    requested = np.logical_or.reduce([nothing, *(texts[kind] & ~kept for kind in policy.keep)])
    unwanted = np.isin(kinds, [PART_KINDS.index(kind) for kind in policy.drop]) & kept
    return requested, unwanted if (kept & ~unwanted).any() else nothing


def _reason_to_keep(row: int, added: Mapping[int, Addition], requested: NDArray[np.bool_]) -> Reason:
    return "wanted" if requested[row] else added.get(row, "probability")


def _reason_to_drop(page: Page, row: int, is_chosen: bool, is_navigation: bool) -> LeftOutReason:
    if page.overlay_of(row) is not None:
        return "overlay"
    if not is_chosen:
        return "hidden" if page.blocks[row].hidden == "display" and page.source != "static" else "low probability"
    if is_navigation:
        return "navigation"
    return "ornament" if _is_ornament(page, row) else "duplicate"


def _is_ornament(page: Page, row: int) -> bool:
    """Return whether the block consists of separators alone; in a table such text is a value, and in code it is code."""
    block = page.blocks[row]
    if block.text in ORNAMENTS:
        return page.elements[block.element].tag not in ("td", "th")
    return bool(_RULE.fullmatch(block.text)) and all(page.elements[each].tag not in _KEPT_WITHIN for each in page.ancestors(block.element))


def _undoubled(page: Page, rows: Iterable[int]) -> tuple[int, ...]:
    """Return the rows without headings that repeat the heading right before them, a link around one or not."""
    kept: list[int] = []
    for row in rows:
        block = page.blocks[row]
        before = page.blocks[kept[-1]] if kept else None
        if before is None or not block.heading or (before.text, before.heading) != (block.text, block.heading):
            kept.append(row)
    return tuple(kept)
