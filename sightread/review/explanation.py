"""Explanations: for every block of a page, why it is in the document or not, and what would have changed that.

`explain_reading` is the one function behind `sightread explain` and the inspector. Contributions are exact: together with
`base` they sum to the block's log-odds as the model computed them, before a level or a rule was applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec
import numpy as np

from sightread.classify.model import Explains, Model, explain_blocks, log_odds
from sightread.classify.site.mixture import LARGEST_LOG_ODDS, SITE_WEIGHT
from sightread.classify.site.model import SiteModel
from sightread.document.document import RECOVERED
from sightread.document.selection import Reason
from sightread.reading import Reading
from sightread.render.page import Page

MOST_CONTRIBUTIONS = 12
"""Contributions listed per block; `others` is the sum of the rest."""
BLOCKS_MEASURED = 4
"""Blocks before and after a block whose effect on it is measured."""
LEAST_EFFECT = 0.1
"""Log-odds from which on the effect of a neighbour is listed."""
TEXT_CHARACTERS = 300


class Contribution(NamedTuple):
    """A feature with its value, and what it adds to the log-odds of content."""

    feature: str
    log_odds: float


_Evidence = tuple[float | None, tuple[Contribution, ...]]


class Neighbour(NamedTuple):
    """A block near another one: its row, its text, and by how much its absence would change the other's log-odds."""

    row: int
    text: str
    log_odds: float


@dataclass(frozen=True, slots=True)
class BlockExplanation:
    """The decision about one block."""

    row: int
    text: str
    kept: bool
    reason: Reason
    why: str
    """The decision and its cause, in a sentence or two."""
    probability: float
    threshold: float
    """The threshold, relative to the page's level, from which on the block's probability would not suffice; 0 to 1."""
    would_change: tuple[str, ...]
    """Changes of the page that would have changed the decision, one sentence each."""
    kept_copy: int | None = None
    """The row of the block that is kept in its place."""
    correction: bool | None = None
    """The decision of a person; None if there is none."""
    base: float | None = None
    """Log-odds without any feature; None if the model does not explain its predictions."""
    contributions: tuple[Contribution, ...] = ()
    others: float = 0.0
    """Sum of the contributions that are not listed."""
    neighbours: tuple[Neighbour, ...] = ()
    """Only if they were requested."""


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """The decisions about a page."""

    url: str
    model: str
    version: str
    level: float
    """Least probability of a block that the model keeps on this page."""
    expected_f1: float
    notes: tuple[str, ...]
    missing: tuple[str, ...]
    """Parts of the page that are in no block, and so were never candidates."""
    blocks: tuple[BlockExplanation, ...]

    def to_json(self) -> bytes:
        """Return the explanation as one JSON object."""
        return msgspec.json.encode(self)


def explain_reading(reading: Reading, rows: Sequence[int] | None = None, *, with_neighbours: bool = False) -> PageExplanation:
    """Return why each block of a page is in its document or not; `rows` limits it to some of them.

    With neighbours the model reads the page again without each of the nearest blocks: some tens of milliseconds per block.
    """
    page, document = reading.page, reading.document
    rows_explained = range(len(page.blocks)) if rows is None else rows
    evidence = _contributions(reading, rows_explained)
    return PageExplanation(
        url=document.url,
        model=reading.model.name,
        version=document.version,
        level=round(reading.prediction.level, 4),
        expected_f1=round(document.expected_f1, 4),
        notes=tuple(note.message for note in document.notes),
        missing=_missing(page),
        blocks=tuple(
            _explain(reading, row, of_block, with_neighbours=with_neighbours)
            for row, of_block in zip(rows_explained, evidence, strict=True)
        ),
    )


def neighbours_of(model: Model, page: Page, row: int) -> tuple[Neighbour, ...]:
    """Return the near blocks without which the block would be judged otherwise, the most effective first."""
    whole = float(_finite(model.predict(page).probabilities[row]))
    found = []
    for other in range(max(0, row - BLOCKS_MEASURED), min(len(page.blocks), row + BLOCKS_MEASURED + 1)):
        if other != row:
            rest = replace(page, blocks=page.blocks[:other] + page.blocks[other + 1 :], images=())
            without = float(_finite(model.predict(rest).probabilities[row - (other < row)]))
            if abs(whole - without) >= LEAST_EFFECT:
                found.append(Neighbour(other, _short(page.blocks[other].text), round(whole - without, 3)))
    return tuple(sorted(found, key=lambda each: -abs(each.log_odds)))


def _explain(reading: Reading, row: int, evidence: _Evidence, *, with_neighbours: bool) -> BlockExplanation:
    page, document, prediction = reading.page, reading.document, reading.prediction
    block, reason, kept = page.blocks[row], document.selection.reasons[row], row in document.rows
    probability, relative = float(prediction.probabilities[row]), float(prediction.relative[row])
    base, contributions = evidence
    kept_copy = _kept_copy(reading, row) if reason == "duplicate" else None
    return BlockExplanation(
        row=row,
        text=_short(block.text),
        kept=kept,
        reason=reason,
        why=_why(reading, row, kept_copy),
        probability=round(probability, 4),
        threshold=round(relative, 4),
        would_change=tuple(_would_change(reading, row, contributions, kept_copy)),
        kept_copy=kept_copy,
        correction=document.policy.corrected.get(row),
        base=base,
        contributions=contributions[:MOST_CONTRIBUTIONS],
        others=round(sum(each.log_odds for each in contributions[MOST_CONTRIBUTIONS:]), 4),
        neighbours=neighbours_of(reading.model, page, row) if with_neighbours else (),
    )


def _contributions(reading: Reading, rows: Sequence[int]) -> list[_Evidence]:
    """Return for each block the log-odds without any feature, and what each feature adds to them; nothing if the model does not explain."""
    model, page = reading.model, reading.page
    is_site = isinstance(model, SiteModel)
    if not isinstance(model, Explains):
        return [(None, ())] * len(rows)
    scale = model.slope if isinstance(model, SiteModel) else 1.0
    own = (model.predict(page) if is_site else reading.prediction).probabilities
    read = [row for row in rows if not (is_site and page.blocks[row].hidden == "display")]
    found: dict[int, _Evidence] = {}
    for row, features in zip(read, explain_blocks(model, page, read), strict=True):
        contributions = tuple(Contribution(feature, round(weight * scale, 4)) for feature, weight in features)
        found[row] = round(float(_finite(own[row])) - sum(each.log_odds for each in contributions), 4), contributions
    return [found.get(row, (None, ())) for row in rows]


def _why(reading: Reading, row: int, kept_copy: int | None) -> str:
    page, document = reading.page, reading.document
    reason, probability = document.selection.reasons[row], float(reading.prediction.probabilities[row])
    level = float(document.selection.levels[row])
    overlay = page.overlay_of(row)
    hidden = page.blocks[row].hidden
    causes: dict[str, str] = {
        "probability": f"Kept: its probability {probability:.2f} reaches the level {level:.2f}.",
        "recovered": "Kept: the page shows no text, or is not HTML, and all of its text is kept.",
        "wanted": "Kept: it is a part of the page that is kept on the whole site.",
        "headline": "Kept: it is the headline of what is kept.",
        "footnote": "Kept: a mark in kept text refers to this footnote.",
        "low probability": f"Dropped: its probability {probability:.2f} is below the level {level:.2f}.",
        "hidden": f"Dropped: the browser did not lay it out, and its probability {probability:.2f} is below the level {level:.2f}.",
        "invisible": f"Dropped: no person sees it ({hidden})"
        + (" without opening it." if page.blocks[row].reachable is not False else ", and nothing on the page opens it."),
        "overlay": f"Dropped: it is in an overlay of the page ({overlay.kind if overlay else 'overlay'}).",
        "navigation": "Dropped: navigation (a link to the page before or after, for an action or of a closed menu; an iframe at the side).",
        "duplicate": "Dropped: "
        + (f"block {kept_copy} has the same text and is kept." if kept_copy is not None else "the text before it is the same."),
        "ornament": "Dropped: it is a separator, a bullet, a control of a heading or a shortcode.",
        "line numbers": "Dropped: it numbers the lines of code beside it.",
        "code label": "Dropped: it is the button or the language of the code after it.",
        "script notice": "Dropped: it states only that the page requires scripts.",
        "unwanted": "Dropped: it is a part of the page that the caller excluded or that is left out on the whole site.",
        "corrected": f"{'Kept' if row in document.rows else 'Dropped'}: a person corrected it.",
    }
    where = f" A reader cannot see it ({hidden})." if hidden and reason not in ("hidden", "invisible") else ""
    return causes[reason] + where + _mixture(reading, row)


def _mixture(reading: Reading, row: int) -> str:
    """Return how two models made the probability of a block at a place that the site's model has not seen; else empty."""
    model = reading.model
    if not isinstance(model, SiteModel) or not model.unknown(reading.page)[row]:
        return ""
    own = float(model.predict(reading.page).relative[row])
    if own == float(reading.prediction.relative[row]):
        return " The site's model has not seen this place."
    return (
        f" The site's model has not seen this place: its {own:.2f} counts {SITE_WEIGHT:g} (limit {LARGEST_LOG_ODDS:g} in "
        "log-odds), and the global model's prediction is added."
    )


def _would_change(reading: Reading, row: int, contributions: Sequence[Contribution], kept_copy: int | None) -> list[str]:
    document = reading.document
    reason, kept = document.selection.reasons[row], row in document.rows
    relative = float(reading.prediction.relative[row])
    found = []
    if reason == "corrected":
        found.append("Without the correction the model's probability would decide.")
    elif reason == "duplicate" and kept_copy is not None:
        found.append(f"It would be kept if block {kept_copy} were dropped.")
    elif reason == "low probability" and relative > 0:
        found.append(f"It would be kept with a threshold of {relative:.2f} or less (the default is 0.50).")
    elif reason == "probability":
        found.append(f"It would be dropped with a threshold above {relative:.2f} (the default is 0.50).")
    if reason in ("probability", "low probability", "hidden"):
        found += _decisive(reading, row, contributions, kept=kept)
    if reason != "corrected":
        found.append(f"A correction of its look as {'boilerplate' if kept else 'content'} would change it on all pages of the site.")
    return found


def _decisive(reading: Reading, row: int, contributions: Sequence[Contribution], *, kept: bool) -> list[str]:
    """Return the fewest contributions without which the other decision would be made, in a sentence; nothing if all do not suffice."""
    level = _finite(reading.document.selection.levels[row])
    distance = float(_finite(reading.prediction.probabilities[row])) - level
    taken: list[str] = []
    for feature, weight in sorted(contributions, key=lambda each: -each.log_odds if kept else each.log_odds):
        if (weight > 0) != kept or len(taken) == 3:
            break
        taken.append(f"“{feature}” ({weight:+.2f})")
        distance -= weight
        if (distance < 0) == kept:
            return [f"Without {' and '.join(taken)} it would be {'dropped' if kept else 'kept'}."]
    return []


def _kept_copy(reading: Reading, row: int) -> int | None:
    blocks = reading.page.blocks
    text = " ".join(blocks[row].text.split())
    return next((other for other in reading.document.rows if other != row and " ".join(blocks[other].text.split()) == text), None)


def _missing(page: Page) -> tuple[str, ...]:
    found = []
    if page.truncated:
        found.append(f"the page exceeds a limit of its collection: what follows block {len(page.blocks) - 1} was not read")
    if page.unfinished:
        found.append(f"the page looked unfinished when it was read: {page.unfinished}")
    if page.recovered_from in RECOVERED:
        found.append("the page shows no text: its blocks are from its JSON-LD, its scripts or its <noscript>")
    return tuple(found)


def _finite(probability: float | np.floating) -> float:
    """Return the log-odds of a probability, for 0 and 1 of the nearest number that has some."""
    return float(log_odds(float(np.clip(probability, 1e-12, 1 - 1e-12))))


def _short(text: str) -> str:
    return text if len(text) <= TEXT_CHARACTERS else f"{text[: TEXT_CHARACTERS - 1]}…"
