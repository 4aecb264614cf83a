"""Scripted answers to the inspector's questions, from gold: what right answers gain, and what a wrong one among them costs.

A look is content if most of its characters are gold. The loss of a site is one minus the mean word F1 of its documents against the gold
text, as `auto` gives them of pages that the site's model was not trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.metrics.words import word_score
from sightread.classify.model import Prediction
from sightread.document.document import build_document
from sightread.document.selection import Policy
from sightread.render.labels import CONTENT
from sightread.render.page.array_types import Labels
from sightread.review.questions import Question, answer, rank_questions, settle
from sightread.review.workbench import Trained, Workbench
from sightread.sites.corrections.records import NO_CORRECTIONS, Corrections
from sightread.sites.parts import site_policy

ANSWERS = 10
WRONG_ANSWERS = (0, 2, 5, 9)
"""Numbers of the answer that is given wrongly, from 0: one draw each."""
SAME = 0.002
"""Loss by which a site counts as no worse."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Losses of a site."""

    name: str
    before: float
    after: float
    """All answers right."""
    with_wrong_answer: tuple[float, ...]
    """One wrong answer among them: one draw each."""
    oracle: float
    """If every block were decided by its gold label: no answer can do better."""
    corrections: Corrections
    """Of the right answers."""

    @property
    def worst(self) -> float:
        """The loss of the worst draw."""
        return max(self.with_wrong_answer)

    @property
    def is_worse(self) -> bool:
        """Whether a wrong answer made the site worse than before any answer."""
        return self.worst > self.before + SAME

    def line(self) -> str:
        """Return the figures as a row of the table."""
        losses = " ".join(f"{loss:.4f}" for loss in self.with_wrong_answer)
        return f"{self.name:28}{self.before:8.4f}{self.after:8.4f}{self.oracle:8.4f}  {losses}{'  worse' if self.is_worse else ''}"


HEADER = f"{'site':28}{'before':>8}{'after':>8}{'oracle':>8}  with the answer {', '.join(str(each + 1) for each in WRONG_ANSWERS)} wrong"


class ScriptedReview:
    """A site whose questions are answered from gold."""

    def __init__(self, name: str, bench: Workbench, gold: Sequence[Labels], texts: Sequence[str]) -> None:
        """`gold` has the labels of each page's blocks, `texts` the gold text of each page."""
        self.name = name
        self.bench = bench
        self._gold = gold
        self._texts = texts
        self.start = bench.train(NO_CORRECTIONS)
        self.before = self.loss(self.start)

    def run(self, answers: int = ANSWERS) -> Outcome:
        """Answer the questions rightly, and once with each of `WRONG_ANSWERS` wrong."""
        states = [self.start]
        for _ in range(answers):
            states.append(self._answer(states[-1], is_right=True))
        losses = []
        for wrong in WRONG_ANSWERS:
            state = self._answer(states[min(wrong, answers - 1)], is_right=False)
            for _ in range(wrong + 1, answers):
                state = self._answer(state, is_right=True)
            losses.append(self.loss(state))
        right = states[-1]
        return Outcome(self.name, self.before, self.loss(right), tuple(losses), self._oracle(), right.corrections)

    def _answer(self, state: Trained, *, is_right: bool) -> Trained:
        questions = rank_questions(self.bench, state)
        if not questions:
            return state
        return settle(self.bench, state, answer(self.bench, questions[0], is_content=self.truth(questions[0]) == is_right, by="script"))

    def truth(self, question: Question) -> bool:
        """Return whether most of the look's characters are gold."""
        members = [(row, block) for row, blocks in question.blocks.items() for block in blocks]
        lengths = np.array([len(self.bench.pages[row].blocks[block].text) + 1 for row, block in members], np.float64)
        return bool(np.average([self._gold[row][block] == CONTENT for row, block in members], weights=lengths) >= 1 / 2)

    def loss(self, trained: Trained) -> float:
        """Return the loss of what `auto` gives of held-out pages."""
        texts = []
        is_trusted = not trained.site_evaluation.distrust_reason
        for row, reading in enumerate(trained.readings):
            found = trained.evaluation.held_out[row]
            prediction = Prediction(found, needs_postprocessing=True) if is_trusted and found is not None else reading.prediction
            policy = site_policy([part for part in trained.labels.parts if part.is_chosen or is_trusted], is_learned=is_trusted)
            policy = replace(policy, corrected=reading.document.policy.corrected)
            texts.append(build_document(reading.page, prediction, policy=policy).text)
        return self._text_loss(texts)

    def _oracle(self) -> float:
        policies = [Policy(corrected={row: bool(label == CONTENT) for row, label in enumerate(of_page)}) for of_page in self._gold]
        pairs = zip(self.bench.pages, policies, strict=True)
        return self._text_loss([build_document(page, Prediction(np.zeros(len(page.blocks))), policy=policy).text for page, policy in pairs])

    def _text_loss(self, texts: Sequence[str]) -> float:
        return 1 - float(np.mean([word_score(text, gold).f1 for text, gold in zip(texts, self._texts, strict=True)]))


def summarise(outcomes: Sequence[Outcome]) -> bool:
    """Print the means, and return whether the mean loss falls by half and no wrong answer makes a site worse."""
    before, after, oracle = (float(np.mean([getattr(each, name) for each in outcomes])) for name in ("before", "after", "oracle"))
    with_wrong_answer = float(np.mean([each.with_wrong_answer for each in outcomes]))
    worst = float(np.mean([each.worst for each in outcomes]))
    fallen = f"{after:.4f} after ({1 - after / before:.0%} less)"
    print(f"mean loss {before:.4f} before, {fallen}, {oracle:.4f} at best")
    print(f"{with_wrong_answer:.4f} with one wrong answer, {worst:.4f} in the worst draws")
    worse = [f"{each.name} (by {each.worst - each.before:.4f})" for each in outcomes if each.is_worse]
    print(f"worse than before with one wrong answer: {', '.join(worse) or 'none'}")
    return after <= before / 2 and not worse
