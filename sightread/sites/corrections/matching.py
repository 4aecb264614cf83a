"""Matching of corrections with the blocks of pages: which apply, by which anchors, and which need a person.

A correction applies where look and path are both the same. After a change of the site one of the two may differ: then the correction
applies only if a text of its anchor is found whose style or path is still the same, and to the blocks with the look and path of that text.
Anything less needs a person: it is reported with what was found, and changes no block.

An answer that is not confirmed yet, or that other answers contradict, decides nothing (`Corrections.decisions`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Prediction, Probabilities
from sightread.classify.site.model import FeatureCache, SiteModel
from sightread.crawler.urls import matches
from sightread.labeling.labels import SiteLabels
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.sites.corrections.anchors import RULES, PageAnchors
from sightread.sites.corrections.records import Correction, Corrections, Decision, address_of

MatchState = Literal["matches", "needs you", "not here"]
CORRECTED_WEIGHT = 10.0
"""Weight of a corrected block when the site's model is trained, where another block has 1: the looks of a correction generalise."""


@dataclass(frozen=True, slots=True)
class Match:
    """The result of a correction on a set of pages."""

    correction: Correction
    state: MatchState
    """`not here` if none of the pages is in its scope."""
    anchors: tuple[str, ...]
    """By which of look, style, path and text it was matched, or of a correction that needs a person, what was found of them."""
    blocks: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """By row of the page: the rows of the blocks that it decides, or of one that needs a person, of the blocks that it may be about."""
    is_decisive: bool = True
    """False for an answer that is not confirmed, or that others contradict."""

    def describe(self) -> str:
        """Return the state in one sentence."""
        if not self.is_decisive:
            return "it decides nothing yet: another answer about its look must confirm it first, or contradicts it"
        count = sum(map(len, self.blocks.values()))
        where = f"{count} {'block' if count == 1 else 'blocks'} on {len(self.blocks)} {'page' if len(self.blocks) == 1 else 'pages'}"
        by = " and ".join(self.anchors)
        if self.state == "not here":
            return "none of the pages is in its scope"
        if self.state == "matches":
            exact = set(self.anchors) in ({"look", "path"}, {"path"})
            return f"{where}, by {by}" + ("" if exact else ": the rest has changed")
        return f"only its {by} is found ({where}): is it the same?" if by else "nothing of it is found on the pages"


@dataclass(frozen=True, slots=True)
class Matching:
    """The results of all corrections of a site on its pages."""

    matches: tuple[Match, ...]
    labels: tuple[Labels, ...]
    """One array per page: 1 content, 0 boilerplate, -1 for blocks that no correction decides."""
    site_labels: tuple[Labels, ...]
    """The same by the corrections that are not about a single page: evidence for other pages too."""

    @property
    def unconfirmed(self) -> tuple[Match, ...]:
        """Answers that decide nothing yet."""
        return tuple(match for match in self.matches if not match.is_decisive)

    @property
    def needing(self) -> tuple[Match, ...]:
        """Corrections that need a person."""
        return tuple(match for match in self.matches if match.state == "needs you")

    def describe(self) -> str:
        """Return how many match, in one clause; empty if there are none."""
        if not self.matches:
            return ""
        applied, needing = (sum(match.state == state for match in self.matches) for state in ("matches", "needs you"))
        changed = sum(match.state == "matches" and match.is_decisive and "text" in match.anchors for match in self.matches)
        absent = len(self.matches) - applied - needing
        parts = [f"{applied} of {len(self.matches)} corrections match"]
        parts += [f"{changed} of them by their text, since the site has changed"] if changed else []
        parts += [f"{needing} {'needs' if needing == 1 else 'need'} you"] if needing else []
        parts += [f"{absent} {'is' if absent == 1 else 'are'} about other pages"] if absent else []
        return ", ".join(parts)

    def weights(self) -> tuple[NDArray[np.float64], ...]:
        """Return one weight per block, for training: `CORRECTED_WEIGHT` if a correction decides that is not about a single page, else 1."""
        return tuple(np.where(own == UNKNOWN, 1.0, CORRECTED_WEIGHT) for own in self.site_labels)

    def overlay(self, labels: Sequence[Labels]) -> tuple[Labels, ...]:
        """Return labels with the corrections in place of what they contradict."""
        return tuple(np.where(own == UNKNOWN, other, own).astype(np.int8) for own, other in zip(self.labels, labels, strict=True))


def match_corrections(pages: Sequence[PageAnchors], corrections: Corrections) -> Matching:
    """Match all active corrections with the pages of a site."""
    matches = tuple(_match(pages, decision) for decision in corrections.decisions)
    shared = [match for match in matches if match.correction.scope.kind != "page"]
    return Matching(matches, _decide(pages, matches), _decide(pages, shared))


def decide_page(page: Page, corrections: Corrections) -> dict[int, bool]:
    """Return the blocks of one page that corrections decide: True for content.

    A page of its own can show no change of a site, so only exact matches count, and texts at the same path or in the same style.
    """
    if not corrections.active:
        return {}
    found = match_corrections([PageAnchors(page)], corrections).labels[0]
    return {row: bool(found[row] == CONTENT) for row in np.flatnonzero(found != UNKNOWN).tolist()}


def _match(pages: Sequence[PageAnchors], decision: Decision) -> Match:
    correction = decision.shown
    rows = [row for row, each in enumerate(pages) if in_scope(each, correction)]
    if not rows:
        return Match(decision.correction, "not here", (), is_decisive=decision.is_decisive)
    match = (_match_place if correction.target == "place" else _match_blocks)(pages, rows, correction)
    return replace(match, correction=decision.correction, is_decisive=decision.is_decisive)


def _match_blocks(pages: Sequence[PageAnchors], rows: Sequence[int], correction: Correction) -> Match:
    anchor, is_look = correction.anchor, correction.target == "look"
    texts = frozenset(anchor.texts)
    exact: dict[int, list[int]] = {}
    by_text: dict[int, list[int]] = {}
    partly: dict[int, list[int]] = {}
    kinds: set[str] = set()
    found_by: set[str] = set()
    moved: set[tuple[str, str]] = set()
    for row in rows:
        page = pages[row]
        if anchor.look not in page.looks and anchor.style not in page.styles and texts.isdisjoint(page.texts):
            continue
        at = page.rows_at(anchor.path)
        for block, (look, style, text) in enumerate(zip(page.looks, page.styles, page.texts, strict=True)):
            known = {
                name
                for name, is_same in (
                    ("look", look == anchor.look),
                    ("style", style == anchor.style and look != anchor.look),
                    ("path", block in at),
                    ("text", text in texts),
                )
                if is_same
            }
            if {"look", "path"} <= known and (is_look or "text" in known):
                exact.setdefault(row, []).append(block)
            elif "text" in known and len(known) > 1:
                by_text.setdefault(row, []).append(block)
                found_by |= known
                moved.add((look, page.element_key(block)))
            elif known & {"text", "look"}:
                partly.setdefault(row, []).append(block)
                kinds |= known
    if exact:
        return Match(correction, "matches", ("look", "path"), _frozen(exact))
    if by_text:
        blocks = _all_like(pages, rows, moved) if is_look else _frozen(by_text)
        return Match(correction, "matches", tuple(sorted(found_by)), blocks)
    return Match(correction, "needs you", tuple(sorted(kinds)), _frozen(partly))


def _match_place(pages: Sequence[PageAnchors], rows: Sequence[int], correction: Correction) -> Match:
    anchor = correction.anchor
    exact = {row: sorted(below) for row in rows if (below := pages[row].rows_below(anchor.path))}
    if exact:
        return Match(correction, "matches", ("path",), _frozen(exact))
    texts = frozenset(anchor.texts)
    partly = {row: found for row in rows if (found := [block for block, text in enumerate(pages[row].texts) if text in texts])}
    return Match(correction, "needs you", ("text",) if partly else (), _frozen(partly))


def _all_like(pages: Sequence[PageAnchors], rows: Sequence[int], moved: set[tuple[str, str]]) -> dict[int, tuple[int, ...]]:
    found = {}
    for row in rows:
        page = pages[row]
        blocks = tuple(block for block, look in enumerate(page.looks) if (look, page.element_key(block)) in moved)
        if blocks:
            found[row] = blocks
    return found


def in_scope(page: PageAnchors, correction: Correction) -> bool:
    """Whether the correction is about pages like this one."""
    scope, address = correction.scope, address_of(page.page.final_url or page.page.url)
    match scope.kind:
        case "page":
            return address == scope.value
        case "pattern":
            return matches(scope.value, address)
        case "template":
            return len(page.marks.intersection(scope.marks)) >= RULES.least_marks_matched * len(scope.marks)
        case _:
            return True


def _decide(pages: Sequence[PageAnchors], matches: Sequence[Match]) -> tuple[Labels, ...]:
    """Return the label of each block by the most special correction about it, of equals by the latest."""
    labels = tuple(np.full(len(each.page.blocks), UNKNOWN, np.int8) for each in pages)
    for match in sorted(matches, key=lambda match: match.correction.rank):  # stable, so later ones are written later
        if match.state == "matches" and match.is_decisive:
            for row, blocks in match.blocks.items():
                labels[row][list(blocks)] = CONTENT if match.correction.is_content else BOILERPLATE
    return labels


def _frozen(found: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    return {row: tuple(blocks) for row, blocks in found.items()}


def confirmed(predictions: Sequence[Probabilities], corrected: Sequence[Labels] | None) -> list[Probabilities]:
    """Return predictions with certainty where corrections decide: `Matching.labels`, or `Matching.site_labels` as evidence for other pages.

    One array per page, of shape (blocks,).
    """
    if corrected is None:
        return list(predictions)
    return [
        np.where(labels == UNKNOWN, found, (labels == CONTENT).astype(np.float64))
        for found, labels in zip(predictions, corrected, strict=True)
    ]


def correct_labels(pages: Sequence[Page], labels: SiteLabels, matching: Matching | None) -> SiteLabels:
    """Return the labels with the corrections in place of what they contradict, and the clusters' shares of content with them."""
    if matching is None or not matching.matches:
        return labels
    corrected = matching.overlay(labels.labels)
    number = np.concatenate(labels.assignments)
    content = np.concatenate(corrected) == CONTENT
    text = np.array([len(block.text) + 1 for page in pages for block in page.blocks], np.float64)
    shares = {
        cluster.id: float(np.average(content[number == cluster.id], weights=text[number == cluster.id])) for cluster in labels.clusters
    }
    clusters = (replace(cluster, kept=shares[cluster.id]) for cluster in labels.clusters)
    return replace(labels, labels=corrected, clusters=tuple(clusters))


class CorrectedLearner:
    """The site model with the weights of corrections, for cross-validation."""

    def __init__(self, weights: Mapping[int, NDArray[np.float64]], cache: FeatureCache | None = None) -> None:
        self._weights = weights
        self._model = SiteModel(cache=cache)

    @classmethod
    def maker(cls, pages: Sequence[Page], matching: Matching, cache: FeatureCache | None = None) -> Callable[[], CorrectedLearner]:
        """Return what makes a learner for any of these pages."""
        weights = {id(page): of_page for page, of_page in zip(pages, matching.weights(), strict=True)}
        return lambda: cls(weights, cache)

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Fit to some of the pages."""
        self._model.fit(pages, labels, [self._weights[id(page)] for page in pages])
        return self

    def predict(self, page: Page) -> Prediction:
        """Return the site model's prediction of the page."""
        return self._model.predict(page)
