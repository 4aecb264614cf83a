"""Combines two sources of evidence for what is content on a site: relevance, and a model's predictions.

Relevance to titles and descriptions, summed over clusters (`sightread.labeling.label_site`), rarely calls boilerplate content, but misses
what no description is like: on manuals it leaves out code, tables and definition lists. The predictions of a model for unseen sites err on
single pages, not on most blocks of one look. So the label of a block is the sign of a sum of log-odds: the mean prediction of its look, and
the measures of `sightread.labeling.measures`, each with one of the `WEIGHTS`.

What each part of the sum is worth, and what was removed from it, is in docs/experiments/labeling.md. Ours, not the paper's.

Whether comments, related links, tables of contents, breadcrumbs and bylines belong to the content is a question of the site, not of a
look: if nearly all of the text of such a kind has one label on all pages, the rest gets that label too; but for comments that are content,
as in a thread, whose dates, names and buttons keep their own. Comments below a longer article are its readers' and no content, even if they
look like it and read like it, unless the pages declare themselves as discussions. What the user chose overrides any evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence import SiteTable, read_site
from sightread.labeling.labels import NO_CHOICES, Choices, Cluster, CombinedEvidence, PartDecision, SiteLabels
from sightread.labeling.measures import (
    find_looks,
    frames_content,
    is_dateline,
    is_headline,
    is_prose,
    mean_prediction,
    number_pairs,
    repeated_share,
)
from sightread.render.analysis.jsonld import is_type, linked_nodes
from sightread.render.labels import BOILERPLATE, CONTENT, PART_KINDS, UNKNOWN, PartKind
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Floats, Labels, Rows
from sightread.render.page.parts import part_blocks


@dataclass(frozen=True, slots=True)
class CombinationWeights:
    """Weights of the measures, in log-odds. They were chosen on built sites of the parts choose and calibrate; word F1 changes little if
    they are halved or doubled.
    """

    prediction: float = 0.35
    """Of the mean predicted log-odds of a look: the global model is surer of a block than it is right about looks. With 1 labels of the
    demo site have an F1 of .97 to .99, with .7 of .98 and more, with .4 of 1."""
    content: float = 5.0
    """For what relevance calls content: nearly always enough."""
    prose: float = 2.0
    """For prose in a slot of the template, if relevance does not call it content."""
    boilerplate: float = 2.5
    """Against what relevance calls boilerplate, times the confidence of those labels, if relevance misses no text that the model is sure of
    (`_misses`): lists of other articles may be amid the content."""
    repeated: float = 2.25
    """Against the same, times that confidence and the share of the look's texts that several pages repeat."""
    named: float = 5.0
    """For headlines, and against datelines."""


WEIGHTS = CombinationWeights()
MOSTLY_LABELLED = 0.5
"""Share of the text on pages with labels by relevance from which on the other pages stay without: they are of no template of the site."""
CERTAIN = 1.5
"""Mean predicted log-odds of a look from which on its text counts as certain content."""
CLEARLY_MISSED = 0.1
"""Share of the certain content that relevance misses, from which on it is no evidence that it calls a block boilerplate."""
WEAK = 1.0
"""Log-odds below which a label is a guess."""


@dataclass(frozen=True, slots=True)
class Combination:
    """The evidence for every block of a site, in page and document order; arrays of shape (blocks,)."""

    prediction: Floats
    """Mean predicted log-odds of the blocks of the look; the block's own if the look is rare."""
    odds: Floats
    """The sum of both sources, in log-odds; above 0 is content."""
    prose: Bools


def combine_labels(
    pages: Sequence[Page],
    labels: SiteLabels,
    predictions: Sequence[Floats],
    choices: Choices = NO_CHOICES,
    measured: SiteMeasures | None = None,
) -> SiteLabels:
    """Return the labels by both sources of evidence; the confidence stays that of the labels by relevance.

    Where relevance labels most of the text, the other pages stay without labels: they are of no template of the site.

    Parts of pages are decided by `choices`, else by the evidence (`decide_parts`).

    `predictions` holds an array for each page: the log-odds of each block to be content, 0 at the level from which on it would be kept.
    `measured` is `SiteMeasures.of(pages, labels)`, for callers that combine these labels with several predictions.
    Raises ValueError if their shapes do not fit the pages.
    """
    if [len(page.blocks) for page in pages] != [len(of_page) for of_page in predictions]:
        raise ValueError("predictions do not fit the pages: one number per block is required")
    measured = measured or SiteMeasures.of(pages, labels)
    table, label = measured.table, measured.label
    found = measured.combine(np.concatenate(predictions))
    combined = np.where(found.odds > 0, CONTENT, BOILERPLATE).astype(np.int8)
    combined[~measured.shown & (label != CONTENT)] = BOILERPLATE  # blocks that are not laid out have no look to learn
    text = (table.length + 1.0) * measured.shown
    whole = max(float(text.sum()), 1.0)
    if 1 - float(text[label == UNKNOWN].sum()) / whole >= MOSTLY_LABELLED:
        combined[label == UNKNOWN] = UNKNOWN
    parts, by_page = decide_parts(pages, table.by_page(combined), choices, measured.parts)
    content, assignments = np.concatenate(by_page) == CONTENT, np.concatenate(labels.assignments)
    return replace(
        labels,
        labels=by_page,
        parts=parts,
        clusters=tuple(_with_evidence(cluster, assignments == cluster.id, table.length, found, content) for cluster in labels.clusters),
        combined=CombinedEvidence(
            relevance=labels.labels,
            weak=float(text[np.abs(found.odds) < WEAK].sum()) / whole,
            prose=tuple(tuple(np.flatnonzero(of_page).tolist()) for of_page in table.by_page(found.prose)),
        ),
    )


@dataclass(frozen=True, slots=True)
class SiteMeasures:
    """The evidence of a site besides predictions; arrays of shape (blocks,).

    Breadcrumbs end with the page's title, and bylines are in the article's container: relevance is no evidence for them. A text that
    frames the content of half of the pages is a look of its own, and boilerplate by relevance with certainty.
    """

    table: SiteTable
    parts: Sequence[Mapping[PartKind, Bools]]
    """The named parts of each page (`sightread.render.page.parts.part_blocks`)."""
    label: Labels
    """By relevance."""
    shown: Bools
    path: Rows
    look: Rows
    prose: Bools
    repeated: Floats
    against: Floats
    """Certainty of the labels by relevance, 0 to 1, of what they call boilerplate; else 0."""
    added: Floats
    """Sum of the terms that are the same with any predictions."""

    @classmethod
    def of(cls, pages: Sequence[Page], labels: SiteLabels) -> SiteMeasures:
        """Return the measures of a site with labels by relevance."""
        table, parts, label = read_site(pages), [part_blocks(page) for page in pages], np.concatenate(labels.labels)
        path, look = find_looks(table)
        named = np.concatenate([np.zeros(0, np.bool_), *(of_page["byline"] | of_page["breadcrumbs"] for of_page in parts)])
        excluded, headlines = is_dateline(table, look), is_headline(table, look)
        is_content, is_boilerplate = (label == CONTENT) & ~named & ~excluded, (label == BOILERPLATE) & ~headlines
        frames = frames_content(table, look, is_content)
        is_boilerplate |= is_content & frames
        is_content &= ~frames
        look = number_pairs(look, np.where(frames, table.text + 1, 0))
        prose = is_prose(table, look) & ~named & ~excluded
        return cls(
            table=table,
            parts=parts,
            label=label,
            shown=np.array([not block.hidden for page in pages for block in page.blocks], np.bool_),
            path=path,
            look=look,
            prose=prose,
            repeated=repeated_share(table, look),
            against=np.where(frames, 1.0, labels.confidence.value) * (is_boilerplate & ~prose),
            added=WEIGHTS.content * is_content
            + WEIGHTS.prose * (prose & ~is_content)
            + WEIGHTS.named * (headlines.astype(np.float64) - excluded),
        )

    def combine(self, prediction: Floats) -> Combination:
        """Return the evidence of all blocks, with their predicted log-odds."""
        mean = WEIGHTS.prediction * mean_prediction(self.table, self.path, self.look, prediction)
        missed = min(1.0, _misses(self.table, self.label, mean) / CLEARLY_MISSED)
        against = WEIGHTS.boilerplate * (1 - missed) + WEIGHTS.repeated * self.repeated
        odds = mean + self.added - self.against * against
        return Combination(mean, odds, self.prose)


def _misses(table: SiteTable, label: Labels, mean: Floats) -> float:
    """Return the share of the certain content on labelled pages that relevance does not label as content; 0 if there is none."""
    certain = (table.length + 1.0) * ((mean > CERTAIN) & (label != UNKNOWN))
    return float(certain[label != CONTENT].sum() / (certain.sum() + 1))


def _with_evidence(cluster: Cluster, members: Bools, length: NDArray[np.int64], found: Combination, content: Bools) -> Cluster:
    """Return the cluster's record with the mean prediction of its blocks, how much of them is content, and whether they are prose."""
    weights = length[members] + 1
    prediction, kept, prose = (float(np.average(values[members], weights=weights)) for values in (found.prediction, content, found.prose))
    return replace(cluster, prediction=prediction, kept=kept, slot="prose" if prose >= 1 / 2 else "")


# Parts of pages.

LEAST_BEFORE_COMMENTS = 0.9
"""Share of the other content that is before the first comment of its page where comments are an article's: a thread's posts are among
them, or little text is outside of them."""
CLEAR_SHARE = 0.8
"""Share of the text of a kind with one label from which on the rest gets that label; between, each look keeps its own."""
_DISCUSSION = re.compile("DiscussionForumPosting")


def decide_parts(
    pages: Sequence[Page], labels: Sequence[Labels], choices: Choices, parts: Sequence[Mapping[PartKind, Bools]] | None = None
) -> tuple[tuple[PartDecision, ...], tuple[Labels, ...]]:
    """Return a decision for each kind that is on the pages or was chosen, and the labels that follow from them.

    Pages without labels count for nothing and stay as they are. `parts` are those of each page
    (`sightread.render.page.parts.part_blocks`), looked for here if they are not given.
    """
    parts = [part_blocks(page) for page in pages] if parts is None else parts
    decisions = []
    for kind in PART_KINDS:
        decision = _decide(kind, pages, labels, [of_page[kind] for of_page in parts])
        if kind in choices:
            decisions.append(replace(decision, keep=choices[kind], is_chosen=True, below_article=False))
        elif decision.pages:
            decisions.append(decision)
    return tuple(decisions), tuple(_apply(of_page, blocks, decisions) for of_page, blocks in zip(labels, parts, strict=True))


def _decide(kind: PartKind, pages: Sequence[Page], labels: Sequence[Labels], blocks: Sequence[Bools]) -> PartDecision:
    """Return what the evidence decides about the parts of one kind, by their characters and those of the other content."""
    on = characters = content = others = others_before = 0
    for page, of_page, is_part in zip(pages, labels, blocks, strict=True):
        rows = np.flatnonzero(is_part & (of_page != UNKNOWN))
        if not len(rows):
            continue
        length = np.array([len(block.text) for block in page.blocks])
        outside = length * (of_page == CONTENT) * ~is_part
        on += 1
        characters += int(length[rows].sum())
        content += int(length[rows][of_page[rows] == CONTENT].sum())
        others += int(outside.sum())
        others_before += int(outside[: rows[0]].sum())
    share = content / max(characters, 1)
    below_article = (
        kind == "comments" and characters < others and others_before >= LEAST_BEFORE_COMMENTS * others and not _are_discussions(pages)
    )
    is_kept = share >= CLEAR_SHARE and kind != "comments"  # the posts of a thread have dates, names and buttons beside their text
    keep = True if is_kept else False if share <= 1 - CLEAR_SHARE or below_article else None
    return PartDecision(kind, keep, on, share, below_article=below_article)


def _are_discussions(pages: Sequence[Page]) -> bool:
    """Return whether most pages declare a discussion (schema.org): its first post may be longer than all comments."""
    declare = sum(any(is_type(node, _DISCUSSION) for node in linked_nodes(page)) for page in pages)
    return 2 * declare > len(pages)


def _apply(labels: Labels, blocks: Mapping[PartKind, Bools], decisions: Sequence[PartDecision]) -> Labels:
    found = labels.copy()
    for decision in decisions:
        if decision.keep is not None:
            found[blocks[decision.kind] & (labels != UNKNOWN)] = CONTENT if decision.keep else BOILERPLATE
    return found
