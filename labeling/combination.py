"""Combines two sources of evidence for what is content on a site: relevance, and a model's predictions.

Relevance to titles and descriptions, summed over clusters (`sightread.labeling.label_site`), rarely calls boilerplate content, but misses
what no description is like: on manuals it leaves out code, tables and definition lists. The predictions of a model for unseen sites err on
single pages, not on most blocks of one look. So the label of a block is the sign of a sum of log-odds:

- the mean prediction of the blocks of its look, over all pages of the site;
- for what relevance calls content, `WEIGHTS.content`: nearly always enough, less by labels of low confidence;
- for what relevance calls boilerplate, a penalty by the confidence of those labels: larger for texts that are the same on several pages,
  most before the first and after the last content of the page, and smaller for looks that few pages have, several times each: lists
  in some articles, since the boilerplate of a template is on all of its pages. Where relevance misses text that the model is sure about,
  as on references of programming interfaces, it is smaller, and below 0 for texts that are on one page. There is none for headings above
  content, several on a page: the titles of entries, which are links;
- where relevance does not call a look content, and the model keeps it on some pages and not on others, the prediction for the block itself:
  that no description resembles a text is weak evidence, and the mean of predictions that contradict each other is no better than each;
- half a unit for or against by the share of content in its parent element;
- for prose that is once on each page and in other words on each, as the summary of an article or the description of a product is,
  `WEIGHTS.prose`; nearly the same sentence on each page counts as the same text; what repeats the beginning of other text on its page is a
  preview, and left out (`sightread.labeling.slots`);
- for headlines, bylines and header fields of messages, what their looks on all pages show (`sightread.labeling.site_parts`).

Entries with a dateline each below a longer article are comments, if none on the site has a name.

A text that is the same on half of the pages, before the first or after the last content of each, is a look of its own, and boilerplate by
relevance with certainty: links to indexes and licences may share the style of paragraphs. No content by relevance either is a look that
is once on each page, as the tags below an article or the site's motto are, if the model is clear that it is boilerplate.

What each rule is worth is in docs/experiments/labeling.md. The constants were chosen on built sites of the parts choose and
calibrate (`python -m benchmarks site-scores`); word F1 changes little if they are halved or doubled. Ours, not the paper's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence import SiteTable, read_site
from sightread.labeling.known_clusters import (
    EVEN_SHARE,
    Groups,
    content_around,
    leading_content,
    means_of_groups,
    number_pairs,
    outside_content,
)
from sightread.labeling.labels import NO_CHOICES, Choices, Cluster, CombinedEvidence, SiteLabels
from sightread.labeling.site_parts import decide_parts, find_bylines, find_headlines, find_mail_fields, find_replies
from sightread.labeling.slots import find_previews, find_prose, find_single, find_slots
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN, PartKind
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Floats, Labels, Rows
from sightread.render.page.parts import part_blocks


@dataclass(frozen=True, slots=True)
class CombinationWeights:
    """How the two sources are weighed, in log-odds if nothing else is named."""

    content: float = 5.0
    """Log-odds for a block that relevance calls content, with labels of confidence 1."""
    uncertain_content: float = 2.0
    """The same with labels of confidence 0: they may take a dateline for a part of the article. Between them it is linear."""
    prose: float = 2.0
    """Log-odds for prose in a slot of the template, if relevance does not call it content."""
    boilerplate: float = 2.5
    """Log-odds against a block that relevance calls boilerplate, times the confidence of the labels, if relevance finds all text that the
    model is sure about: lists of other articles may be amid the content."""
    missed: float = -0.5
    """The same if relevance misses `clearly_missed` of that text; for the block, since what no other page repeats then mostly is content.
    Between both it is linear."""
    clearly_missed: float = 0.05
    """Share of that text."""
    repeated: float = 2.25
    """The same, times the share of the look's texts that are on `fewest_pages` pages, word for word."""
    repeated_outside: float = 1.0
    """The same, times that share and the share of the look's blocks before the first or after the last content of their page."""
    common: float = 0.75
    """Share of the pages on which a look must be for the whole penalty, if it is several times on each; below, it is smaller in
    proportion."""
    leading: float = 0.8
    """Share of a look's headings that are above content from which on there is no penalty, if they are several on a page: the entries of a
    list have linked titles."""
    certain_content: float = 1.5
    """Mean predicted log-odds of a look from which on its text counts as certain content."""
    undecided: float = 0.15
    """Least share of a look's text that is predicted content, and least share that is not, for a look whose predictions contradict each
    other; either share must be `undecided_on` pages' too."""
    undecided_on: tuple[int, int] = (2, 3)
    """Pages: of sites of up to `small_site` different pages, and of larger ones."""
    small_site: int = 12
    mostly_repeated: float = 0.5
    """Share of a look's texts that are on `fewest_pages` pages from which on it is boilerplate though predictions contradict each other."""
    least_recall: float = 0.75
    """Share of that text which relevance calls content, below which its penalties shrink in proportion."""
    named: float = 5.0
    """Log-odds for a block of a look of headlines, and against one of datelines or of navigation."""
    fewest_pages: int = 3
    """Different pages on which a look must be for its mean to count; 2 on sites with fewer pages."""
    most_pages: float = 0.5
    """Share of the pages on which a text must be, outside their content, to be a look of its own."""
    mostly_labelled: float = 0.5
    """Share of the text on pages with labels by relevance from which on the other pages stay without: they are of no template of the
    site."""
    weak: float = 1.0
    """Log-odds below which a label is a guess."""
    sharpness: float = 2.0
    """Slope of the share of a block that counts as content to the others in its parent."""


WEIGHTS = CombinationWeights()


@dataclass(frozen=True, slots=True)
class Combination:
    """The evidence for every block of a site, in page and document order; arrays of shape (blocks,)."""

    prediction: Floats
    """Mean predicted log-odds of the blocks of the look; the block's own if the look is rare."""
    odds: Floats
    """The sum of both sources, in log-odds; above 0 is content."""
    replies: Bools
    """Whether a block is in a comment without a name (`sightread.labeling.site_parts`)."""
    prose: Bools
    """Whether a block is prose in a slot of the template (`sightread.labeling.slots`)."""
    previews: Bools
    """Whether a block previews other text of its page."""


def combine_labels(pages: Sequence[Page], labels: SiteLabels, predictions: Sequence[Floats], choices: Choices = NO_CHOICES) -> SiteLabels:
    """Return the labels by both sources of evidence; the confidence stays that of the labels by relevance.

    Where relevance labels most of the text, the other pages stay without labels: they are of no template of the site.

    Parts of pages are decided by `choices`, else by the evidence (`sightread.labeling.site_parts`).

    `predictions` holds an array for each page: the log-odds of each block to be content, 0 at the level from which on it would be kept.
    Raises ValueError if their shapes do not fit the pages.
    """
    if [len(page.blocks) for page in pages] != [len(of_page) for of_page in predictions]:
        raise ValueError("predictions do not fit the pages: one number per block is required")
    table = read_site(pages)
    label = np.concatenate(labels.labels)
    parts_of_pages = [part_blocks(page) for page in pages]
    found = combine(table, label, labels.confidence.value, np.concatenate(predictions), parts_of_pages)
    combined = np.where(found.odds > 0, CONTENT, BOILERPLATE).astype(np.int8)
    shown = np.array([not block.hidden for page in pages for block in page.blocks], np.bool_)
    combined[~shown & (label != CONTENT)] = BOILERPLATE  # blocks that are not laid out have no look to learn
    assignments = np.concatenate(labels.assignments)
    text = (table.length + 1.0) * shown
    whole = max(float(text.sum()), 1.0)
    unlabelled = float(text[label == UNKNOWN].sum()) / whole
    if 1 - unlabelled >= WEIGHTS.mostly_labelled:
        combined[label == UNKNOWN] = UNKNOWN
    parts, by_page = decide_parts(pages, table.by_page(combined), choices, table.by_page(found.replies), parts_of_pages)
    combined = np.concatenate(by_page)
    return replace(
        labels,
        labels=by_page,
        parts=parts,
        clusters=tuple(
            _with_evidence(cluster, assignments == cluster.id, table.length, found, combined == CONTENT) for cluster in labels.clusters
        ),
        combined=CombinedEvidence(
            relevance=labels.labels,
            weak=float(text[np.abs(found.odds) < WEIGHTS.weak].sum()) / whole,
            prose=tuple(tuple(np.flatnonzero(of_page).tolist()) for of_page in table.by_page(found.prose)),
        ),
    )


def combine(
    table: SiteTable,
    label: Labels,
    confidence: float,
    prediction: Floats,
    parts: Sequence[Mapping[PartKind, Bools]],
) -> Combination:
    """Return the evidence of all blocks, from labels by relevance and predicted log-odds.

    `confidence` in those labels is from 0 to 1. `parts` are the named parts of each page (`sightread.render.page.parts.part_blocks`).
    """
    weight = np.sqrt(table.length + 1)
    original = table.original[table.page]
    path = _class_paths(table)
    look = number_pairs(path, table.looks.signature)
    number_of_pages = len(np.unique(original))
    fewest = min(WEIGHTS.fewest_pages, max(2, number_of_pages))
    bylines, datelines = find_bylines(table, look, parts)
    headlines, dated_look = find_headlines(table, look), look
    excluded = datelines | find_mail_fields(table, look)
    is_content, is_boilerplate = (label == CONTENT) & ~bylines & ~excluded, (label == BOILERPLATE) & ~headlines

    outside = outside_content(table, is_content)  # a text outside on most pages is a look of its own
    pages_of_text = _pages_of(number_pairs(look, table.text), original)
    shared = (outside > EVEN_SHARE) & (pages_of_text >= max(fewest, WEIGHTS.most_pages * number_of_pages))
    is_content, is_boilerplate = is_content & ~shared, is_boilerplate | (is_content & shared)
    look = number_pairs(look, np.where(shared, table.text + 1, 0))

    mean = prediction
    for groups in (table.looks.signature, path, look):  # the finest that is common enough
        mean = np.where(_pages_of(groups, original) >= fewest, means_of_groups(groups, weight, prediction), mean)
    is_single = find_single(table, look)
    previews = find_previews(table, look, is_single, mean > 0) & ~headlines
    prose, templated = find_prose(table, look, is_single)
    prose &= ~(bylines | excluded | previews)
    is_content &= ~(find_slots(table, look, is_single) & (mean < -WEIGHTS.weak)) & ~(templated & (mean < 0)) & ~previews
    excluded, is_boilerplate = excluded | previews, is_boilerplate & ~prose
    share = 1 / (1 + np.exp(-WEIGHTS.sharpness * (mean + confidence * (is_content.astype(np.float64) - is_boilerplate))))
    around = content_around(table, look, weight, share)
    outside = means_of_groups(look, weight, outside)
    repeated = np.where(templated, 1.0, means_of_groups(look, weight, (pages_of_text >= fewest).astype(np.float64)))
    pages_of_look = _pages_of(look, original)
    common = np.where(is_single, 1.0, np.minimum(pages_of_look / (WEIGHTS.common * number_of_pages), 1.0))
    recall = _recall(label, mean, (table.length + 1).astype(np.float64))
    penalty = np.where(shared, 1.0, confidence) * common * _penalty(recall, outside, repeated) * is_boilerplate
    content = confidence * WEIGHTS.content + (1 - confidence) * WEIGHTS.uncertain_content
    odds = mean + np.where(is_content, content, WEIGHTS.prose * prose) - penalty + around - EVEN_SHARE
    odds = odds + WEIGHTS.named * (headlines.astype(np.float64) - excluded)
    kept = means_of_groups(look, weight, (prediction > 0).astype(np.float64))
    undecided_on = WEIGHTS.undecided_on[number_of_pages > WEIGHTS.small_site]
    is_undecided = np.minimum(kept, 1 - kept) >= np.maximum(WEIGHTS.undecided, undecided_on / pages_of_look)
    is_undecided &= (repeated < WEIGHTS.mostly_repeated) & is_boilerplate & ~excluded
    odds = np.where(is_undecided, prediction, odds)
    leads = means_of_groups(look, np.ones(len(look)), leading_content(table, odds > 0).astype(np.float64)) >= WEIGHTS.leading
    odds = odds + np.maximum(penalty, 0) * (leads & ~is_single)
    return Combination(mean, odds, find_replies(table, dated_look, datelines, odds > 0), prose, previews)


def _penalty(recall: float, outside: Floats, repeated: Floats) -> Floats:
    """Return the log-odds against a block that relevance calls boilerplate, with certainty, if relevance has that recall."""
    amid = WEIGHTS.boilerplate + (WEIGHTS.missed - WEIGHTS.boilerplate) * min(1.0, (1 - recall) / WEIGHTS.clearly_missed)
    copied = (WEIGHTS.repeated + WEIGHTS.repeated_outside * outside) * repeated
    return np.asarray((amid + copied) * min(1.0, recall / WEIGHTS.least_recall))


def _recall(label: Labels, mean: Floats, text: Floats) -> float:
    """Return the estimated recall of relevance, 0 to 1: the share of the certain content on labelled pages that it labels as content.

    1 if no text is certain content.
    """
    certain = text * ((mean > WEIGHTS.certain_content) & (label != UNKNOWN))
    return float((certain[label == CONTENT].sum() + 1) / (certain.sum() + 1))


def _class_paths(table: SiteTable) -> NDArray[np.int32]:
    """Return a number for the path of tags with classes of each block; equal paths of any page have the same number.

    Only classes of two different pages count, if there are two: "post-1234" names one page, and would give each its own looks.
    """
    shared = _shared_classes(table)
    numbers: dict[tuple[int, str, tuple[str, ...]], int] = {}
    found = []
    for page in table.pages:
        of_element: list[int] = []
        for element in page.elements:
            above = of_element[element.parent] if element.parent >= 0 else -1
            classes = tuple(sorted(shared.intersection(element.classes)))
            of_element.append(numbers.setdefault((above, element.tag, classes), len(numbers)))
        found += [of_element[block.element] for block in page.blocks]
    return np.array(found, np.int32)


def _shared_classes(table: SiteTable) -> frozenset[str]:
    """Return the classes of at least two different pages; all classes if there is one page."""
    on: defaultdict[str, set[int]] = defaultdict(set)
    originals = table.original.tolist()
    for page, original in zip(table.pages, originals, strict=True):
        for name in {name for element in page.elements for name in element.classes}:
            on[name].add(original)
    fewest = min(2, len(set(originals)))
    return frozenset(name for name, rows in on.items() if len(rows) >= fewest)


def _pages_of(groups: Groups, page: Rows) -> Rows:
    """Return for each block the number of different pages that have its group."""
    pairs = np.unique(np.stack([groups.astype(np.int64), page.astype(np.int64)]), axis=1)
    pages: Rows = np.bincount(pairs[0])[groups]
    return pages


def _with_evidence(cluster: Cluster, members: Bools, length: NDArray[np.int64], found: Combination, content: Bools) -> Cluster:
    """Return the cluster's record with the mean prediction of its blocks, what they are in slots, and how much of its text is content."""
    text = length[members] + 1

    def share(values: Bools | Floats) -> float:
        return float(np.average(values[members], weights=text))

    is_prose, is_preview = share(found.prose) >= EVEN_SHARE, share(found.previews) >= EVEN_SHARE
    return replace(
        cluster,
        prediction=share(found.prediction),
        kept=share(content),
        slot="prose" if is_prose else "preview" if is_preview else "",
    )
