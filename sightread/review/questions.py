"""Effects of corrections: questions, the look whose answer would change the most text on the most pages; and previews, which pages a
correction changes before it is saved, by which words, and which of them may get worse.

The value of a question is the text that an answer is expected to change: the characters of the blocks, times the probability that they are
decided wrongly, times the share of the pages that have some. The probability comes from three sources: the site's model on pages that it
was not trained on, the global model, and titles and descriptions. If they contradict each other it is near one half.

An answer may be a slip, as any may of a noisy oracle in active learning (Settles 2009, section 6.1). So one that changes much text of the
site, on blocks of its look or on others that the trained model then decides otherwise, needs a second one about another block of the look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Prediction, log_odds, sigmoid
from sightread.document.selection import select
from sightread.render.labels import BOILERPLATE, CONTENT, THRESHOLD, UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Floats
from sightread.render.text.words import plain_words
from sightread.review.workbench import Trained, Workbench
from sightread.sites.corrections.anchors import block_anchor
from sightread.sites.corrections.records import MOST_TEXTS, Correction, CorrectionScope

BlockPosition = tuple[int, int]
LookKey = tuple[str, str]
"""The digest of a look, and a key of its path."""


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
    answer_odds: float = 2.2
    """Log-odds of an answer: of a person who is right nine times in ten."""
    most_change: float = 0.001
    """Share of the kept text that one answer may change without another one that agrees: a slip costs no more F1 than that."""
    least_share: float = 0.005
    """Of the text of a look, below which it counts as none."""
    enough: float = 0.004
    """Expected share of the text that an answer changes, below which the answers are enough."""


LIMITS = QuestionLimits()


@dataclass(frozen=True, slots=True)
class Question:
    """Whether the blocks of one look at one path are content."""

    look: LookKey
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
    given: tuple[Correction, ...] = ()
    """Answers about the look so far, which do not decide it: too few, or they contradict each other."""

    @property
    def error_probability(self) -> float:
        """Probability that the blocks are decided wrongly now."""
        return self.kept * (1 - self.probability) + (1 - self.kept) * self.probability

    @property
    def priority(self) -> float:
        """The value times the error's probability once more: small ones are too large, and answers would confirm what is right."""
        return self.value * self.error_probability

    @property
    def is_enough(self) -> bool:
        """Whether even this question, the best one, would change almost nothing."""
        return self.value < LIMITS.enough

    @property
    def repeat_reason(self) -> str:
        """Reason of a repeated question; empty for the first one about the look."""
        if not self.given:
            return ""
        if len({each.is_content for each in self.given}) > 1:
            return "Your answers about blocks that look like this contradict each other. Is this one content?"
        return "Much text depends on your answer. Is this block, which looks the same, of the same kind?"

    def describe(self) -> str:
        """Return the reason for it, in two sentences."""
        blocks, pages = sum(map(len, self.blocks.values())), len(self.blocks)
        now = "all are left out" if self.kept < LIMITS.least_share else "all are kept" if self.kept > 1 - LIMITS.least_share else ""
        sides = {"content": True, "boilerplate": False}
        named = {
            side: " and ".join(f"{name} ({share:.2f})" for name, share in self.sources if (share >= THRESHOLD) is is_content)
            for side, is_content in sides.items()
        }
        by = "; ".join(f"{side} by {names}" for side, names in named.items() if names)
        where = f"{blocks} {'block looks' if blocks == 1 else 'blocks look'} like this, on {pages} {'page' if pages == 1 else 'pages'}"
        return f"{where}: {now or f'{self.kept:.0%} of their text is kept'} now. They are {by}."


def rank_questions(bench: Workbench, trained: Trained, limit: int = 1, page: int | None = None) -> tuple[Question, ...]:
    """Return the most valuable questions about the visible blocks of looks that no correction decides yet, best first.

    With a page, those about its own blocks.
    """
    groups: defaultdict[LookKey, list[BlockPosition]] = defaultdict(list)
    for row, anchors in enumerate(bench.anchors):
        for block, look in enumerate(anchors.looks):
            if trained.matching.labels[row][block] == UNKNOWN and not bench.pages[row].blocks[block].hidden:
                groups[look, anchors.element_key(block)].append((row, block))
    evidence, given = _Evidence.of(bench, trained), _given(bench, trained)
    groups_with_answers = ((key, members, given.get(key, {})) for key, members in groups.items())
    found = [
        _question(evidence, key, members, answers, page)
        for key, members, answers in groups_with_answers
        if page is None or (any(row == page for row, _ in members) and all(row != page for row, _ in answers))
    ]
    return tuple(sorted(found, key=lambda question: -question.priority)[:limit])


def evidence_for_content(bench: Workbench, trained: Trained) -> list[Floats]:
    """Return the log-odds of content of each block of each page, by all sources."""
    sources = _Evidence.of(bench, trained).sources.values()
    return [LIMITS.agreement * np.sum(of_page, axis=0) for of_page in zip(*sources, strict=True)]


def answer(bench: Workbench, question: Question, *, is_content: bool, by: str = "", at: str = "", model: str = "") -> Correction:
    """Return the correction that an answer to the question is: until it is settled, another one must agree."""
    page = bench.pages[question.page]
    further = (bench.pages[row].blocks[block].text for row, blocks in question.blocks.items() for block in blocks[:1])
    texts = [text for text, _ in zip(further, range(MOST_TEXTS), strict=False)]
    anchor = block_anchor(bench.anchors[question.page], question.block, bench.names, texts)
    if question.given:  # the same anchors, by which answers are counted
        first = question.given[0].anchor
        anchor = msgspec.structs.replace(anchor, look=first.look, path=first.path)
    return Correction(is_content, "look", anchor, CorrectionScope("site"), page.final_url or page.url, by, at, model, needs=2)


def settle(bench: Workbench, before: Trained, made: Correction) -> Trained:
    """Return the site with an answer: with it alone if that changes little text, else it waits for another one that agrees."""
    if not any(each.needs and each.look_key == made.look_key for each in before.corrections.active):
        alone = bench.train(before.corrections.with_answer(msgspec.structs.replace(made, needs=1)))
        if changed_share(bench, before, alone) <= LIMITS.most_change:
            return alone
    return bench.train(before.corrections.with_answer(made))


def changed_share(bench: Workbench, before: Trained, after: Trained) -> float:
    """Return the share of the text that one state keeps and the other drops, of what they keep: the mean over the pages.

    By the site's models on pages that they were not trained on: on others even a wrong answer may change nothing.
    """
    shares = []
    for row, page in enumerate(bench.pages):
        old, new = _kept(before, row), _kept(after, row)
        changed, kept = (sum(len(page.blocks[block].text) + 1 for block in blocks) for blocks in (old ^ new, (*old, *new)))
        shares.append(changed / max(kept, 1))
    return sum(shares) / len(shares)


def _kept(trained: Trained, row: int) -> frozenset[int]:
    """Return the rows of the blocks that `auto` keeps of a page, by a model that was not trained on it."""
    reading, found = trained.readings[row], trained.evaluation.held_out[row]
    prediction = reading.prediction
    if found is not None and not trained.site_evaluation.distrust_reason:
        prediction = Prediction(found, needs_headline=True)
    return frozenset(select(reading.page, prediction, reading.document.policy).rows)


def _given(bench: Workbench, trained: Trained) -> dict[LookKey, dict[BlockPosition, list[Correction]]]:
    """Return the answers that decide no look, by the look and the block that they are about."""
    found: defaultdict[LookKey, defaultdict[BlockPosition, list[Correction]]] = defaultdict(lambda: defaultdict(list))
    for match in trained.matching.unconfirmed:
        for row, blocks in match.blocks.items():
            anchors = bench.anchors[row]
            for block in blocks[:1]:
                found[anchors.looks[block], anchors.element_key(block)][row, block].append(match.correction)
    return {key: dict(places) for key, places in found.items()}


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    """Evidence per block; row i is page i."""

    sources: Mapping[str, Sequence[Floats]]
    """By source the log-odds of content."""
    lengths: Sequence[Floats]
    """Characters."""
    kept: Sequence[frozenset[int]]
    """Rows of the blocks of each document."""

    @classmethod
    def of(cls, bench: Workbench, trained: Trained) -> _Evidence:
        held_out = [
            found if found is not None else reading.prediction.relative
            for found, reading in zip(trained.evaluation.held_out, trained.readings, strict=True)
        ]
        relevance = trained.labels.combined.relevance if trained.labels.combined else trained.labels.labels
        sources = {
            "the site's model": [_clipped(found) for found in held_out],
            "the global model": [_clipped(found.relative) for found in bench.predictions],
            "titles and descriptions": [
                np.select([of_page == CONTENT, of_page == BOILERPLATE], [LIMITS.relevance_content, LIMITS.relevance_boilerplate], 0.0)
                for of_page in relevance
            ],
        }
        lengths = [np.array([len(block.text) for block in page.blocks], np.float64) for page in bench.pages]
        return cls(sources, lengths, [frozenset(reading.document.rows) for reading in trained.readings])

    @property
    def characters(self) -> float:
        return max(sum(float(of_page.sum()) for of_page in self.lengths), 1.0)


def _clipped(probabilities: Floats) -> Floats:
    return np.clip(log_odds(probabilities), -LIMITS.largest_odds, LIMITS.largest_odds)


def _question(
    evidence: _Evidence,
    look: LookKey,
    members: Sequence[BlockPosition],
    given: Mapping[BlockPosition, Sequence[Correction]],
    of_page: int | None,
) -> Question:
    lengths = evidence.lengths
    text = np.array([lengths[row][block] for row, block in members])
    weight = text + 1
    odds = {
        name: float(np.average([of_source[row][block] for row, block in members], weights=weight))
        for name, of_source in evidence.sources.items()
    }
    answers = tuple(each for of_place in given.values() for each in of_place)
    known = LIMITS.agreement * sum(odds.values()) + LIMITS.answer_odds * sum(1 if each.is_content else -1 for each in answers)
    probability = float(sigmoid(np.float64(known)))
    kept = float(np.average([block in evidence.kept[row] for row, block in members], weights=weight))
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for row, number in members:
        blocks[row].append(number)
    share = float(text.sum()) / evidence.characters * (len(blocks) / len(lengths)) ** LIMITS.page_power
    page, block = _shown(blocks if of_page is None else {of_page: blocks[of_page]}, lengths, given)
    question = Question(
        look=look,
        page=page,
        block=block,
        blocks={row: tuple(of_page) for row, of_page in blocks.items()},
        characters=int(text.sum()),
        kept=kept,
        probability=probability,
        value=0.0,
        sources=tuple((name, round(float(sigmoid(value)), 2)) for name, value in odds.items()),
        given=answers,
    )
    return replace(question, value=question.error_probability * share)


def _shown(
    blocks: Mapping[int, Sequence[int]], lengths: Sequence[Floats], given: Mapping[BlockPosition, Sequence[Correction]]
) -> BlockPosition:
    """Return the longest text of the page with the most of them, on a page without an answer if there is one, else not answered itself."""
    pages = [row for row in blocks if all(row != answered for answered, _ in given)] or list(blocks)
    page = max(pages, key=lambda row: sum(lengths[row][block] for block in blocks[row]))
    here = [block for block in blocks[page] if (page, block) not in given] or blocks[page]
    return page, max(here, key=lambda block: lengths[page][block])


SHOWN_TEXTS = 6
"""Texts listed per page and direction, longest first."""
TEXT_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class PagePreview:
    """The changes on one page."""

    page: int
    title: str
    gained: int
    """Words that its document gains."""
    lost: int
    against_evidence: int
    """Words among them that change against the evidence, as it was before: with some, the page may get worse."""
    gained_texts: tuple[str, ...]
    lost_texts: tuple[str, ...]
    blocks: Mapping[int, bool]
    """Rows of the blocks that change: True for those that are kept then."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The changes on all pages; pages that may get worse come first."""

    pages: tuple[PagePreview, ...]
    all_pages: int
    may_get_worse: int
    """Pages that change against the evidence."""
    decided: int
    """Blocks that the correction decides."""
    expected_before: float
    expected_after: float
    trusted_before: bool
    trusted_after: bool
    is_trained: bool
    """False if only the decided blocks are known to change: others may follow when the model is trained with the correction."""

    @property
    def changed(self) -> int:
        """How many pages change."""
        return len(self.pages)


def compare(bench: Workbench, before: Trained, after: Trained) -> Preview:
    """Return what changes between two states of a site; if the second one is not trained, the blocks that corrections decide."""
    evidence = evidence_for_content(bench, before)
    changes = [_page_change(bench.pages[row], before, after, row, evidence[row] > 0) for row in range(len(bench.pages))]
    changed = [change for change in changes if change.blocks]
    labels = zip(before.matching.labels, after.matching.labels, strict=True)
    decided = sum(int(((new != UNKNOWN) & (new != old)).sum()) for old, new in labels)
    return Preview(
        pages=tuple(sorted(changed, key=lambda change: (-change.against_evidence, -(change.gained + change.lost), change.page))),
        all_pages=len(changes),
        may_get_worse=sum(change.against_evidence > 0 for change in changed),
        decided=decided,
        expected_before=round(before.expected_f1, 4),
        expected_after=round(after.expected_f1, 4),
        trusted_before=not before.site_evaluation.distrust_reason,
        trusted_after=not after.site_evaluation.distrust_reason,
        is_trained=after.model is not before.model,
    )


def _page_change(page: Page, before: Trained, after: Trained, row: int, expected: NDArray[np.bool_]) -> PagePreview:
    old, new = (frozenset(state.readings[row].document.rows) for state in (before, after))
    if after.model is before.model:
        decided = after.matching.labels[row]
        new = new - frozenset(np.flatnonzero(decided == BOILERPLATE).tolist()) | frozenset(np.flatnonzero(decided == CONTENT).tolist())
    against = [block for block in new ^ old if bool(expected[block]) != (block in new)]
    return PagePreview(
        page=row,
        title=min(page.titles, key=len, default=page.url),
        gained=_words(page, new - old),
        lost=_words(page, old - new),
        against_evidence=_words(page, against),
        gained_texts=_texts(page, new - old),
        lost_texts=_texts(page, old - new),
        blocks={block: block in new for block in sorted(new ^ old)},
    )


def _words(page: Page, rows: Iterable[int]) -> int:
    return sum(len(plain_words(page.blocks[row].text)) for row in rows)


def _texts(page: Page, rows: frozenset[int]) -> tuple[str, ...]:
    longest = sorted(dict.fromkeys(page.blocks[row].text for row in sorted(rows)), key=len, reverse=True)[:SHOWN_TEXTS]
    return tuple(text if len(text) <= TEXT_CHARACTERS else f"{text[: TEXT_CHARACTERS - 1]}…" for text in longest)


def changed_pages(before: Trained, after: Trained) -> int:
    """Return on how many pages the document differs."""
    pairs = zip(before.readings, after.readings, strict=True)
    return int(np.sum([old.document.rows != new.document.rows for old, new in pairs]))
