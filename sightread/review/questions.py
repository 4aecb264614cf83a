"""Questions: the look whose answer would change the most text on the most pages.

The value of a question is the text that an answer is expected to change: the characters of the blocks, times the probability that they are
decided wrongly, times the share of the pages that have some. The probability comes from three sources: the site's model on pages that it
was not trained on, the global model, and titles and descriptions. If they contradict each other it is near one half.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from classify.calibration import log_odds, sigmoid
from render.array_types import Floats
from render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.review.workbench import Trained, Workbench
from sightread.sites.corrections.anchors import block_anchor
from sightread.sites.corrections.records import MOST_TEXTS, Correction, Scope


@dataclass(frozen=True, slots=True)
class QuestionLimits:
    """How the value of a question is computed, and when there are enough answers."""

    largest_odds: float = 3.0
    """Limit of each source in log-odds: none alone is certain about a look."""
    relevance_content: float = 2.0
    relevance_boilerplate: float = -0.5
    """Log-odds of a label by titles and descriptions: they rarely call boilerplate content, but miss much content."""
    agreement: float = 0.6
    """Weight of each source in the sum of their log-odds: they are not independent."""
    page_power: float = 0.25
    """Power of the share of the pages that have the look: an answer about many pages is worth more than the same text on one."""
    surprising: float = 0.2
    """Probability of an answer, by all sources, below which it is requested once more before it counts: a slip on the main text costs more
    than all other answers gain."""
    enough: float = 0.004
    """Expected share of the text that an answer changes, below which the answers are enough."""


LIMITS = QuestionLimits()


@dataclass(frozen=True, slots=True)
class Question:
    """Whether the blocks of one look at one path are content."""

    page: int
    block: int
    """The block that is shown: the longest text of the page with the most of them."""
    blocks: Mapping[int, tuple[int, ...]] = field(repr=False)
    """By row of the page: the rows of the blocks."""
    characters: int
    kept: float
    """Share of their text that is kept now."""
    probability: float
    """Of being content, by all sources."""
    value: float
    """Expected share of the site's text that an answer changes."""
    sources: tuple[tuple[str, float], ...]
    """Each source with its probability that the blocks are content."""

    @property
    def is_enough(self) -> bool:
        """Whether even this question, the best one, would change hardly anything."""
        return self.value < LIMITS.enough

    def describe(self) -> str:
        """Return the reason for it, in one sentence."""
        blocks = sum(map(len, self.blocks.values()))
        named = ", ".join(f"{name} {probability:.2f}" for name, probability in self.sources)
        return f"{blocks} blocks on {len(self.blocks)} pages, {self.characters:,} characters, {self.kept:.0%} kept; content by {named}"


def is_surprising(question: Question, *, is_content: bool) -> bool:
    """Whether all sources together contradict an answer, so that it needs confirmation."""
    return (question.probability if is_content else 1 - question.probability) < LIMITS.surprising


def rank_questions(bench: Workbench, trained: Trained, limit: int = 1) -> tuple[Question, ...]:
    """Return the most valuable questions that no correction answers yet, best first."""
    sources = _sources(bench, trained)
    groups: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for row, anchors in enumerate(bench.anchors):
        for block, look in enumerate(anchors.looks):
            if trained.matching.labels[row][block] == UNKNOWN and bench.pages[row].blocks[block].hidden != "display":
                groups[look, anchors.element_key(block)].append((row, block))
    lengths = [np.array([len(block.text) for block in page.blocks], np.float64) for page in bench.pages]
    whole = max(sum(float(of_page.sum()) for of_page in lengths), 1.0)
    found = [_question(bench, trained, members, sources, lengths, whole) for members in groups.values()]
    return tuple(sorted(found, key=lambda question: -question.value)[:limit])


def answer(bench: Workbench, question: Question, *, is_content: bool, by: str = "", at: str = "", model: str = "") -> Correction:
    """Return the correction that an answer to the question is."""
    page = bench.pages[question.page]
    further = (bench.pages[row].blocks[block].text for row, blocks in question.blocks.items() for block in blocks[:1])
    texts = [text for text, _ in zip(further, range(MOST_TEXTS), strict=False)]
    anchor = block_anchor(bench.anchors[question.page], question.block, bench.names, texts)
    return Correction(is_content, "look", anchor, Scope("site"), page.final_url or page.url, by, at, model)


def _sources(bench: Workbench, trained: Trained) -> dict[str, list[Floats]]:
    """Return by source the log-odds of content of each block of each page."""
    held_out = [
        found if found is not None else reading.prediction.relative
        for found, reading in zip(trained.evaluation.held_out, trained.readings, strict=True)
    ]
    relevance = trained.labels.combined.relevance if trained.labels.combined else trained.labels.labels
    return {
        "the site's model": [_clipped(found) for found in held_out],
        "the global model": [_clipped(found.relative) for found in bench.predictions],
        "titles and descriptions": [
            np.select([of_page == CONTENT, of_page == BOILERPLATE], [LIMITS.relevance_content, LIMITS.relevance_boilerplate], 0.0)
            for of_page in relevance
        ],
    }


def _clipped(probabilities: Floats) -> Floats:
    return np.clip(log_odds(probabilities), -LIMITS.largest_odds, LIMITS.largest_odds)


def _question(
    bench: Workbench,
    trained: Trained,
    members: Sequence[tuple[int, int]],
    sources: Mapping[str, Sequence[Floats]],
    lengths: Sequence[Floats],
    whole: float,
) -> Question:
    text = np.array([lengths[row][block] for row, block in members])
    weight = text + 1
    odds = {
        name: float(np.average([of_source[row][block] for row, block in members], weights=weight)) for name, of_source in sources.items()
    }
    probability = float(sigmoid(LIMITS.agreement * sum(odds.values())))
    kept_rows = [frozenset(reading.document.rows) for reading in trained.readings]
    kept = float(np.average([block in kept_rows[row] for row, block in members], weights=weight))
    wrong = kept * (1 - probability) + (1 - kept) * probability
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for row, block in members:
        blocks[row].append(block)
    page = max(blocks, key=lambda row: sum(lengths[row][block] for block in blocks[row]))
    return Question(
        page=page,
        block=max(blocks[page], key=lambda block: lengths[page][block]),
        blocks={row: tuple(of_page) for row, of_page in blocks.items()},
        characters=int(text.sum()),
        kept=kept,
        probability=probability,
        value=wrong * float(text.sum()) / whole * (len(blocks) / len(bench.pages)) ** LIMITS.page_power,
        sources=tuple((name, round(float(sigmoid(value)), 2)) for name, value in odds.items()),
    )
