"""Selection: which blocks of a page the document keeps, and one reason per block.

The decision is a list of steps (`STEPS`), from the probabilities to the finished tree. Each step keeps blocks or leaves some out and
records its reason as it does so; nothing derives a reason afterwards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sightread.classify.evaluation import expected_f1
from sightread.classify.model import Prediction
from sightread.document.metadata.metadata import find_page_type
from sightread.document.metadata.posts import comment_rows
from sightread.document.reading_order import reading_order
from sightread.document.tree.builder import AbsorbedReason, Structure, build_structure
from sightread.document.tree.footnotes import footnote_rows
from sightread.document.tree.images import content_images
from sightread.document.tree.inlines import image_tex, repeated_formulas
from sightread.document.tree.nodes import Part, blocks_of, prune
from sightread.render.analysis.block_pages import script_notices
from sightread.render.labels import PART_KINDS, THRESHOLD, PartKind, Visible
from sightread.render.page import Hidden, Image, Page
from sightread.render.page.array_types import Bools, Floats
from sightread.render.page.parts import find_parts, navigation, part_blocks
from sightread.render.page.view import class_places, enclosing, find_headline, untagged_headline
from sightread.render.text.words import is_title

ORNAMENTS = frozenset("|·•/›»>,.;:")
"""Separators between the items of a line in which each item is a block of its own."""

COLLAPSED_THRESHOLD = 0.8
"""Least probability, relative to the prediction's level, of text that the browser did not lay out (docs/experiments/rendering.md, "Hidden
text")."""

DISCLOSURE_THRESHOLD = 0.7
"""The same in a closed `<details>`, whose summary offers it to the reader: the answer to a question."""

SHORTEST_DUPLICATE = 20
"""Least characters of a text that is compared: 10 is as good, 40 worse by .0002 (WCXB dev)."""

WHOLES = frozenset(("table", "pre"))
"""Elements of which no duplicates are left out alone. With lists among them word F1 on WCXB dev, by domain, is .0007 less; with these it is
the same."""

MOST_HIDDEN_SHARE = 0.75
"""Of the characters kept of a stored page: with more of them hidden, its scripts would have shown them (7 of 742 pages of WCXB dev, whose
scripts were removed; docs/experiments/rendering.md, "Sight")."""

_RULE = re.compile(r"[-_=*~•·.|–—\s]{2,}")
"""A drawn line, or three stars."""
_KEPT_WITHIN = frozenset(("td", "th", "pre"))

KeptReason = Literal["probability", "headline", "footnote", "recovered", "wanted"]
LeftOutReason = (
    Literal["hidden", "invisible", "overlay", "navigation", "duplicate", "script notice", "unwanted", "low probability", "corrected"]
    | AbsorbedReason
)
Reason = KeptReason | LeftOutReason
"""Why a block is in the document or not. In it: its probability reaches the level, it is the headline of what is kept or a footnote of it,
the page shows no text and all recovered text is kept, or it is a "wanted" part that its site keeps. Not in it: "hidden" blocks were not
laid out by the browser and have no clear probability; "invisible" text is seen by no person, or not without opening it (`Policy.visible`);
"overlay" blocks cover the page; "navigation" is links to the page before or after,
links of closed menus or for an action such as "Reply", and iframes at the side; "duplicate" texts occur twice in dissimilar places
or are a repeated heading or formula; an "ornament" is a separator, a bullet, a control of a heading or an unexpanded shortcode alone;
"line numbers" and a "code label" belong to code; a "script notice" states that the page requires scripts; "unwanted" parts were excluded
by the caller, or are left out on all pages of the site. "corrected" blocks are in it or not as a person decided for the site."""
LEVEL_REASONS: frozenset[Reason] = frozenset(("low probability", "hidden"))
"""Reasons of the level, which give way to those of a step that leaves out a whole part of the page."""


NEEDLESS: frozenset[Hidden] = frozenset(("opacity", "offscreen", "clip", "size", "font", "contrast", "covered", "characters"))
"""How text is hidden that no design of a page needs, unless a person can open it: it may be meant for machines."""


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
    """Rows of blocks of the page that a person corrected: True to keep. They hold against probabilities, parts and
    overlays; a text that occurs twice is still kept once."""
    keep_repeated_prose: bool = False
    """Whether prose that a browser shows in two places is kept in both, as in the summary and in the details of a reference: for models
    that know the looks of teasers."""
    unwanted: frozenset[Part] = frozenset()
    """The parts of the document that the caller excluded; comments are dropped as by `drop`."""
    excluded: frozenset[int] = frozenset()
    """Rows of blocks that the caller excluded."""
    visible: Visible = "reachable"
    """Which hidden text may be kept. What a person corrected to content is kept in any case, and text of which a page without a browser
    does not show that it is hidden counts as visible."""


EVERY_PART = Policy()
"""By the model's probabilities alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The decision for a page: the kept blocks, the reason for each block, and the tree of the kept ones."""

    rows: tuple[int, ...]
    """The blocks that the document shows, in reading order."""
    reasons: tuple[Reason, ...]
    """One per block of the page."""
    expected_f1: float
    """The expected F1 by characters of the blocks that probabilities, structure and parts keep, 0 to 1; 0 if nothing is kept."""
    images: tuple[Image, ...]
    """The images that belong to the kept blocks, with their descriptions, in document order (`sightread.document.tree.images`)."""
    structure: Structure
    """The kept blocks as a tree, without the parts that the caller excluded."""
    levels: Floats
    """Least probability of each block to be kept by it, shape (blocks,)."""
    leftover: frozenset[int]
    """The rows that consist of leftover markup or controls, as given to `select`."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A block that is not in the document: its row in the page, its text, its probability, and the reason."""

    row: int
    text: str
    probability: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class HiddenText:
    """A text of the page that no person sees: its row, the text, and how it is hidden."""

    row: int
    text: str
    reason: Hidden


class Ledger:
    """The decision while the steps make it: which blocks are kept, and of each block the reason of the step that decided it last."""

    def __init__(self, page: Page, prediction: Prediction, policy: Policy, leftover: Collection[int]) -> None:
        self.page = page
        self.prediction = prediction
        self.policy = policy
        self.leftover = frozenset(leftover)
        self.confirmed = frozenset(row for row, keep in policy.corrected.items() if keep)
        """Rows of blocks that a person corrected to content; those corrected to boilerplate are never kept."""
        self.levels = find_levels(page, prediction, policy)
        self.kept: Bools = np.zeros(len(page.blocks), np.bool_)
        self.reasons: list[Reason] = ["low probability"] * len(page.blocks)
        self.expected_f1 = 0.0
        self.images: tuple[Image, ...] = ()
        self.order: tuple[int, ...] = ()
        self.structure = Structure((), {})

    @property
    def rows(self) -> list[int]:
        """The kept blocks, in document order."""
        return np.flatnonzero(self.kept).tolist()

    def keep(self, rows: Iterable[int], reason: Reason) -> None:
        """Keep blocks for this reason, but none that is kept already, is unwanted, invisible or was corrected to boilerplate."""
        for row in rows:
            if not self.kept[row] and self.reasons[row] not in ("corrected", "unwanted", "invisible"):
                self.kept[row], self.reasons[row] = True, reason

    def leave_out(self, rows: Iterable[int], reason: Reason) -> None:
        """Leave out blocks for this reason: kept ones, and those that only their probability left out."""
        for row in rows:
            if self.kept[row] or self.reasons[row] in LEVEL_REASONS:
                self.kept[row], self.reasons[row] = False, reason

    def leave_out_unless_all(self, rows: frozenset[int], reason: Reason) -> None:
        """Leave out blocks for this reason if others are kept; not those that a person corrected to content."""
        rows = rows - self.confirmed
        if not rows.issuperset(self.rows):
            self.leave_out(rows, reason)


def select(page: Page, prediction: Prediction, policy: Policy = EVERY_PART, leftover: Collection[int] = ()) -> Selection:
    """Decide which blocks of a page are kept, by the steps: the only place with this decision.

    `leftover` are the rows that consist of leftover markup or controls (`sightread.document.leftovers`), which are left out. Recovered
    text is kept whole, but for what was excluded: no model was trained on it.

    Raises ValueError if the prediction has not one probability per block, or one that is not between 0 and 1.
    """
    probabilities = prediction.probabilities
    if probabilities.shape != (len(page.blocks),):
        raise ValueError(f"probabilities: shape {probabilities.shape}, but the page has {len(page.blocks)} blocks")
    if not np.all((probabilities >= 0) & (probabilities <= 1)):
        raise ValueError("probabilities: not all of them are numbers from 0 to 1")
    ledger = Ledger(page, prediction, policy, leftover)
    for step in RECOVERED_STEPS if page.recovered else STEPS:
        step(ledger)
    rows = tuple(row for row in ledger.order if ledger.kept[row])
    expected = ledger.expected_f1 if rows else 0.0
    return Selection(rows, tuple(ledger.reasons), expected, ledger.images, ledger.structure, ledger.levels, ledger.leftover)


def find_levels(page: Page, prediction: Prediction, policy: Policy) -> Floats:
    """Return the least probability of each block to be kept by it, shape (blocks,).

    It is the policy's; a higher one for text that the browser did not lay out (answers that open on a click, tabs, text that a script would
    have shown), unless nothing else is kept.
    """
    least = np.full(len(page.blocks), prediction.least(policy.threshold))
    collapsed = [row for row, block in enumerate(page.blocks) if block.hidden == "display" and page.source != "static"]
    if not collapsed:
        return least
    clear, disclosed = (prediction.least(max(policy.threshold, own)) for own in (COLLAPSED_THRESHOLD, DISCLOSURE_THRESHOLD))
    details = enclosing(page, ("details",))
    raised = least.copy()
    raised[collapsed] = [disclosed if details[page.blocks[row].element] >= 0 else clear for row in collapsed]
    return raised if (prediction.probabilities >= raised).any() else least


def invisible_rows(page: Page, visible: Visible = "reachable") -> frozenset[int]:
    """Return the rows of the blocks that a person does not see, or cannot open either; headings that repeat the page's title, which its
    tab shows, are not among the latter.
    """
    if visible == "all":
        return frozenset()
    if visible == "visible":
        return frozenset(row for row, block in enumerate(page.blocks) if block.hidden)
    return frozenset(
        row
        for row, block in enumerate(page.blocks)
        if block.hidden and block.reachable is False and not (block.heading and is_title(block.text, page.titles))
    )


# The steps.


def keep_by_level(ledger: Ledger) -> None:
    """Keep the blocks whose probability reaches their level."""
    kept = ledger.prediction.probabilities >= ledger.levels
    raised = ledger.levels > ledger.prediction.least(ledger.policy.threshold)
    ledger.keep(np.flatnonzero(kept).tolist(), "probability")
    ledger.leave_out(np.flatnonzero(raised & ~kept).tolist(), "hidden")


def keep_recovered(ledger: Ledger) -> None:
    """Keep all blocks of a page that shows no text."""
    ledger.keep(range(len(ledger.page.blocks)), "recovered")


def apply_corrections(ledger: Ledger) -> None:
    """Decide as a person did for the site; later steps respect it."""
    for row, keep in ledger.policy.corrected.items():
        ledger.kept[row], ledger.reasons[row] = keep, "corrected"


def keep_headline(ledger: Ledger) -> None:
    """Keep the headline of what is kept, if the model leaves that to the page's structure and the browser laid it out."""
    if ledger.prediction.needs_headline and ledger.kept.any():
        row = find_headline(ledger.page, ledger.rows)
        if row >= 0 and ledger.page.blocks[row].hidden != "display":
            ledger.keep([row], "headline")


def apply_parts(ledger: Ledger) -> None:
    """Keep the parts of pages that the site keeps, and leave out those that site or caller excluded, unless nothing else is kept."""
    page, policy = ledger.page, ledger.policy
    drop = policy.drop | {"comments"} if "comments" in policy.unwanted else policy.drop
    if not (policy.keep or drop) or not ledger.kept.any():
        return
    unwanted = np.isin(find_parts(page), [PART_KINDS.index(kind) for kind in drop])
    if "comments" in drop:
        by_level = frozenset(np.flatnonzero(ledger.prediction.probabilities >= ledger.levels).tolist())
        is_forum = find_page_type(page, ledger.prediction.page_types) == "forum"
        unwanted &= find_parts(page) != PART_KINDS.index("comments")
        unwanted[list(comment_rows(page, by_level, is_forum=is_forum))] = True
    left_out = frozenset(np.flatnonzero(unwanted & ledger.kept).tolist())
    ledger.leave_out_unless_all(left_out, "unwanted")
    for kind in policy.keep - drop:
        ledger.keep(np.flatnonzero(part_blocks(page)[kind]).tolist(), "wanted")


def expect_score(ledger: Ledger) -> None:
    """Compute the expected F1 of what is kept so far: later steps leave out what probabilities do not know."""
    lengths = np.array([len(block.text) for block in ledger.page.blocks], np.float64)
    settled = ledger.prediction.probabilities.copy()
    for row, keep in ledger.policy.corrected.items():
        settled[row] = keep
    ledger.expected_f1 = expected_f1(settled, lengths, ledger.kept)


def leave_out_invisible(ledger: Ledger) -> None:
    """Leave out text that no person sees, or that is to be opened first, by the policy, unless nothing else is kept."""
    rows = invisible_rows(ledger.page, ledger.policy.visible)
    if ledger.policy.visible != "reachable" or not is_mostly_hidden(ledger.page, ledger.rows, rows):
        ledger.leave_out_unless_all(rows, "invisible")


def is_mostly_hidden(page: Page, rows: Sequence[int], invisible: Collection[int]) -> bool:
    """Return whether most of these rows of a stored page seem to be hidden: its content may wait for a script that was not stored."""
    if page.source == "browser":
        return False
    blocks = [(row, page.blocks[row]) for row in rows]
    hidden = sum(len(block.text) for row, block in blocks if row in invisible or block.hidden in NEEDLESS)
    return hidden > MOST_HIDDEN_SHARE * sum(len(block.text) for _, block in blocks)


def leave_out_overlays(ledger: Ledger) -> None:
    """Leave out consent layers, dialogs and banners, unless nothing else is kept."""
    if ledger.page.overlays:
        covering = frozenset(row for row in range(len(ledger.page.blocks)) if ledger.page.overlay_of(row) is not None)
        ledger.leave_out_unless_all(covering, "overlay")


def leave_out_navigation(ledger: Ledger) -> None:
    """Leave out navigation by what page and browser declare (`sightread.render.page.parts.navigation`), unless nothing else is kept."""
    ledger.leave_out_unless_all(frozenset(np.flatnonzero(navigation(ledger.page) & ledger.kept).tolist()), "navigation")


def leave_out_script_notices(ledger: Ledger) -> None:
    """Leave out what states only that the page requires scripts."""
    ledger.leave_out(script_notices(ledger.page) - ledger.confirmed, "script notice")


def leave_out_ornaments(ledger: Ledger) -> None:
    """Leave out unexpanded shortcodes and controls of headings, and kept separators."""
    ledger.leave_out(ledger.leftover, "ornament")
    ledger.leave_out([row for row in ledger.rows if _is_ornament(ledger.page, row)], "ornament")


def leave_out_excluded(ledger: Ledger) -> None:
    """Leave out the blocks that the caller excluded."""
    ledger.leave_out(ledger.policy.excluded, "unwanted")


def leave_out_duplicates(ledger: Ledger) -> None:
    """Leave out the copies of texts that repeat in dissimilar places."""
    duplicates = find_duplicates(ledger.page, ledger.rows, ledger.prediction.probabilities, keep_prose=ledger.policy.keep_repeated_prose)
    ledger.leave_out(duplicates, "duplicate")


def leave_out_repeated_headings(ledger: Ledger) -> None:
    """Leave out headings that repeat the kept block right before them, a link around one or not."""
    before = None
    for row in ledger.rows:
        block = ledger.page.blocks[row]
        if before is not None and block.heading and (before.text, before.heading) == (block.text, block.heading):
            ledger.leave_out([row], "duplicate")
        else:
            before = block


def keep_footnotes(ledger: Ledger) -> None:
    """Keep the footnotes to which kept blocks refer."""
    ledger.keep(footnote_rows(ledger.page, ledger.rows) - ledger.leftover, "footnote")


def find_images(ledger: Ledger) -> None:
    """Find the images that belong to the kept blocks."""
    if ledger.page.images:
        ledger.images = content_images(ledger.page, ledger.rows)


def leave_out_repeated_formulas(ledger: Ledger) -> None:
    """Leave out hidden text that repeats the formula of an image."""
    if ledger.images:
        ledger.leave_out(repeated_formulas(ledger.page, ledger.rows, ledger.images), "duplicate")


def order_for_reading(ledger: Ledger) -> None:
    """Bring the kept blocks into reading order."""
    ledger.order = reading_order(ledger.page, ledger.rows)


def build_tree(ledger: Ledger) -> None:
    """Build the document tree, and leave out the blocks that it absorbs: line numbers and labels of code, bullets."""
    images = ledger.images
    if "images" in ledger.policy.unwanted:
        images = tuple(filter(image_tex, images))
    ledger.structure = build_structure(ledger.page, ledger.order, images, untagged_headline(ledger.page, ledger.order))
    for row, reason in ledger.structure.absorbed.items():
        ledger.leave_out([row], reason)


def prune_tree(ledger: Ledger) -> None:
    """Remove tables, images and links from the tree if the caller excluded them; the text of links and captions stays."""
    if ledger.policy.unwanted:
        before = ledger.structure.nodes
        ledger.structure = ledger.structure._replace(nodes=prune(before, ledger.policy.unwanted))
        ledger.leave_out(set(blocks_of(before)).difference(blocks_of(ledger.structure.nodes)), "unwanted")


Step = Callable[[Ledger], None]
_ARRANGEMENT: tuple[Step, ...] = (find_images, leave_out_repeated_formulas, order_for_reading, build_tree, prune_tree)
STEPS: tuple[Step, ...] = (
    keep_by_level,
    apply_corrections,
    keep_headline,
    apply_parts,
    expect_score,
    leave_out_invisible,
    leave_out_overlays,
    leave_out_navigation,
    leave_out_script_notices,
    leave_out_ornaments,
    leave_out_excluded,
    leave_out_duplicates,
    leave_out_repeated_headings,
    keep_footnotes,
    *_ARRANGEMENT,
)
RECOVERED_STEPS: tuple[Step, ...] = (keep_recovered, apply_parts, expect_score, leave_out_excluded, *_ARRANGEMENT)
"""The decision for a page that shows no text."""


# Separators and duplicates.


def _is_ornament(page: Page, row: int) -> bool:
    """Return whether the block consists of separators alone; in a table such text is a value, and in code it is code."""
    block = page.blocks[row]
    if block.text in ORNAMENTS:
        return page.elements[block.element].tag not in ("td", "th")
    return bool(_RULE.fullmatch(block.text)) and enclosing(page, _KEPT_WITHIN)[block.element] < 0


def find_duplicates(page: Page, rows: Collection[int], probabilities: Floats, *, keep_prose: bool = False) -> frozenset[int]:
    """Return the rows of blocks that repeat a likelier block in another place of the page: versions for wide and narrow screens, teasers.

    A reader sees one of them. A place is the tags and classes from the body down; of equally likely blocks the first is kept. Text that
    repeats in similar places is no duplicate: the plans of a price table and the steps of a recipe repeat each other. On WCXB dev, by
    domain, word F1 is .8769 without duplicates, .8722 with them; also removing text that repeats in similar places costs the pages of
    mozilla/readability, which consist of such repetition, .03 of ROUGE-LSum. A table stays whole, unless all that is kept of it is a
    duplicate: without a few cells its meaning changes. `keep_prose` keeps text that is shown twice and that is neither heading nor
    mostly link.
    """

    def is_shown_prose(row: int) -> bool:
        block = page.blocks[row]
        return not block.hidden and not block.heading and 2 * block.link_chars <= len(block.text)

    rows_of = defaultdict(list)
    for row in rows:
        text = page.blocks[row].text
        if len(text) >= SHORTEST_DUPLICATE:
            is_folded = text.isprintable() and "  " not in text  # as most texts are
            rows_of[text.strip() if is_folded else " ".join(text.split())].append(row)
    repeated = [same for same in rows_of.values() if len(same) > 1 and not (keep_prose and all(map(is_shown_prose, same)))]
    if not repeated:
        return frozenset()
    places = class_places(page)
    duplicates: set[int] = set()
    for same in repeated:
        likeliest = max(same, key=lambda row: probabilities[row])
        duplicates.update(row for row in same if places[page.blocks[row].element] != places[page.blocks[likeliest].element])
    within = enclosing(page, WHOLES)
    whole = {row: within[page.blocks[row].element] for row in rows}
    torn = {whole[row] for row in rows if row not in duplicates} - {-1}
    return frozenset(row for row in duplicates if whole[row] not in torn)
