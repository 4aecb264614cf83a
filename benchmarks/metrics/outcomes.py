"""Scores of extractions against gold text, and their summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.metrics.measures import rouge_lsum, word_score
from sightread.classify.evaluation import Score
from sightread.labeling.labels import SiteLabels


class Subject(NamedTuple):
    """A page of a data set."""

    data: str
    site: str
    page: str
    gold: str
    is_live: bool = True
    """Whether there is a gold text, and the page is not an error page or the wrong one."""


class LabelConfidence(NamedTuple):
    """The labeler's confidence, 0 to 1."""

    site: float
    page: float


class Outcome(NamedTuple):
    """Result of one method on one page."""

    subject: Subject
    method: str
    words: Score
    rouge: float
    """ROUGE-LSum F1; NaN if it was not requested."""
    confidence: LabelConfidence | None = None
    failure: str = ""
    """The error raised; the text counts as empty then."""


class MethodResult(NamedTuple):
    """A method's result for a page: its text, or why there is none, and its confidence."""

    text: str
    failure: str = ""
    confidence: LabelConfidence | None = None


def score_page(subject: Subject, method: str, result: MethodResult) -> Outcome:
    """Score a text by words."""
    return Outcome(subject, method, word_score(result.text, subject.gold), np.nan, result.confidence, result.failure)


def score_sentences(subject: Subject, method: str, result: MethodResult) -> Outcome:
    """Score a text by words, and by ROUGE-LSum."""
    return score_page(subject, method, result)._replace(rouge=rouge_lsum(result.text, subject.gold).f1)


def label_confidence(labels: SiteLabels, row: int) -> LabelConfidence:
    """Return how sure the labels are of page `row`."""
    return LabelConfidence(labels.confidence.value, labels.page_confidence[row])


def mean_f1(outcomes: Sequence[Outcome]) -> float:
    """Return the mean over pages of the F1 by words; NaN without pages."""
    return float(np.mean([outcome.words.f1 for outcome in outcomes])) if outcomes else np.nan


def of(outcomes: Sequence[Outcome], method: str, site: str = "") -> list[Outcome]:
    """Return the outcomes of one method, on one site if it is named."""
    return [each for each in outcomes if each.method == method and site in ("", each.subject.site)]


def live(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes of live pages."""
    return [outcome for outcome in outcomes if outcome.subject.is_live]
