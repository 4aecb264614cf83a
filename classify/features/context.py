"""Context features: a block's containers, blocks of the same look, neighbours; and the same of a first model's scores.

The strongest features of all, in our runs and in the field's: the text of the containers against the page's largest (as in Readability),
the link density of all blocks of one look, and how much text is nearby (as in Boilerpipe, Kohlschütter et al. 2010).

Stacking features (Wolpert 1992) are first-stage scores aggregated over a block's context, always without the block itself: its column of
cards, its containers, the section under its heading, its neighbours; and the block is placed among the page's likeliest ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from sightread.classify.features.main_text import CONTAINER_WORDS as VOTED_WORDS
from sightread.classify.features.main_text import container_relation, vote
from sightread.render.page.array_types import Floats, Rows
from sightread.render.page.page_arrays import PageArrays, compressed, ratio

Columns = dict[str, Floats]

CONTAINERS = ("element", "parent", "second", "third", "fourth", "fifth")
"""The block's own element and those above it; for the body they equal the page's own."""

CONTAINER_WORDS = {
    "text": "its unlinked text as part of the page's",
    "largest": "its unlinked text against the largest of any block's at this height",
    "own": "unlinked text of its own and of its children, against the largest such",
    "links": "its link density",
    "blocks": "logarithm of the number of its blocks",
    "mean": "logarithm of the mean unlinked text of its blocks",
    "ends": "share of its blocks that end as sentences do",
}


def containers(page: PageArrays) -> Columns:
    """Return the columns of each container, `parent.text` and so on."""
    text, length, blocks = page.text_below, page.length_below, page.blocks_below
    ends, near = page.sum_elements(page.ends), page.near(page.unlinked)
    columns: Columns = {}
    for steps, name in enumerate(CONTAINERS):
        row = page.above(steps)
        found = (
            ratio(text[row], text[0]),
            ratio(text[row], text[row].max(initial=0.0)),
            ratio(near[row], near.max()),
            1.0 - ratio(text[row], length[row]),
            np.log1p(blocks[row]),
            np.log1p(ratio(text[row], blocks[row])),
            ratio(ends[row], blocks[row]),
        )
        columns.update({f"{name}.{measure}": values for measure, values in zip(CONTAINER_WORDS, found, strict=True)})
    return columns


GROUPS: dict[str, tuple[str, Callable[[PageArrays], Rows]]] = {
    "same look": ("tag path", lambda page: page.looks),
    "same style": ("page", lambda page: np.zeros(page.count, np.intp)),
    "same classes": ("tags and classes from the body down", lambda page: page.class_paths),
    "same column": ("page", lambda page: np.zeros(page.count, np.intp)),
}
"""Blocks of a page that have something in common. In the files of models, all blocks of the page have two names: those of equal style and
column, which the DOM alone does not divide."""

GROUP_WORDS = {
    "text": "their unlinked text as part of the page's",
    "largest": "their unlinked text against the largest group's",
    "rank": "logarithm of the number of groups with more unlinked text",
    "blocks": "logarithm of their number",
    "links": "their link density",
    "mean": "logarithm of their mean length",
    "longest": "the longest of them against the page's longest",
    "ends": "share of them that end as sentences do",
    "spread": "from the first to the last, as part of the page's blocks",
    "first": "position of the first of them among the page's blocks",
    "together": "how much of that stretch they fill",
}


def groups(page: PageArrays) -> Columns:
    """Return the columns of each kind of group, `same look.links` and so on."""
    return {
        f"{name}.{measure}": values
        for name, (_, group_of) in GROUPS.items()
        for measure, values in zip(GROUP_WORDS, _group(page, group_of(page)), strict=True)
    }


def _group(page: PageArrays, groups: Rows) -> tuple[Floats, ...]:
    group, total = compressed(groups)
    text, length = np.bincount(group, page.unlinked, total), np.bincount(group, page.length, total)
    blocks, ends = np.bincount(group, minlength=total).astype(np.float64), np.bincount(group, page.ends, total)
    longest, first, last = np.zeros(total), np.full(total, np.inf), np.zeros(total)
    place = np.arange(page.count, dtype=np.float64)
    np.maximum.at(longest, group, page.unlinked)
    np.minimum.at(first, group, place)
    np.maximum.at(last, group, place)
    rank = total - np.searchsorted(np.sort(text), text, side="right")
    span = last - first + 1
    of_group = (
        ratio(text, text.sum()),
        ratio(text, text.max(initial=0.0)),
        np.log1p(rank),
        np.log1p(blocks),
        1.0 - ratio(text, length),
        np.log1p(length / blocks),
        ratio(longest, page.unlinked.max(initial=0.0)),
        ends / blocks,
        span / max(page.count, 1),
        first / max(page.count, 1),
        blocks / span,
    )
    return tuple(values[group] for values in of_group)


WINDOWS = (1, 2, 4, 8, 16)
"""How many blocks to either side are summed."""

WINDOW_WORDS = {
    "text": "unlinked text around it, against the page's greatest such",
    "links": "link density around it",
    "looks": "share of the blocks around it that have its look",
}

NEIGHBOUR_WORDS = {
    "text": "logarithm of its unlinked text",
    "links": "its link density",
    "ends": "whether it ends as a sentence does",
    "look": "whether it has the same look",
    "common": "depth of the lowest common ancestor as part of this block's",
    "rise": "steps up to the lowest common ancestor",
}
NEIGHBOURS = {"previous": -1, "next": 1, "second previous": -2, "second next": 2}


def windows(page: PageArrays) -> Columns:
    """Return the columns of the blocks around, `window 4.text` and so on."""
    columns: Columns = {}
    looks = page.looks
    for reach in WINDOWS:
        text, length = _around(page.unlinked, reach), _around(page.length, reach)
        same, known = np.zeros(page.count), np.zeros(page.count)
        for step in range(1, min(reach, page.count - 1) + 1):
            alike = (looks[step:] == looks[:-step]).astype(np.float64)
            for side in (slice(step, None), slice(None, -step)):
                same[side] += alike
                known[side] += 1
        columns[f"window {reach}.text"] = ratio(text, text.max(initial=0.0))
        columns[f"window {reach}.links"] = 1.0 - ratio(text, length)
        columns[f"window {reach}.looks"] = ratio(same, known)
    return columns


def _around(values: Floats, reach: int) -> Floats:
    """Return the sum over each block and `reach` blocks to either side."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    place = np.arange(len(values))
    return np.asarray(total[(place + reach + 1).clip(max=len(values))] - total[(place - reach).clip(min=0)], np.float64)


def neighbours(page: PageArrays) -> Columns:
    """Return the columns of the blocks before and after, `next.links` and so on; NaN if the page ends."""
    columns: Columns = {}
    place = np.arange(page.count)
    depth = page.depth[page.element].astype(np.float64)
    for name, step in NEIGHBOURS.items():
        other = (place + step).clip(0, max(page.count - 1, 0))
        there = (place + step == other).astype(np.float64)
        common = page.common_depth(place, other)
        found = (
            np.log1p(page.unlinked[other]),
            ratio(page.linked, page.length)[other],
            page.ends[other],
            (page.looks[other] == page.looks).astype(np.float64),
            ratio(common, depth),
            depth - common,
        )
        missing = np.where(there > 0, 0.0, np.nan)
        columns.update({f"{name}.{measure}": values + missing for measure, values in zip(NEIGHBOUR_WORDS, found, strict=True)})
    return columns


# Stacking features.


SCORE_GROUPS = {
    "classes": "blocks with the same tags and classes from the body down",
    "class": "blocks whose element has the same tag and classes",
    "parent": "blocks whose parents have the same tag and classes",
    "path": "blocks with the same tags from the body down",
    "section": "blocks under the same heading",
}
ANCESTORS = ("parent", "second", "third", "fourth", "fifth", "sixth")
"""Elements above the block's own."""
REACHES = (1, 3, 8)
"""Blocks to either side."""
PLACE_WORDS = {
    "place.inside": "whether it is inside the container of the best expected F1",
    "place.best": "that container's expected F1",
    "place.highest": "the page's highest score",
    "place.mean": "the page's mean score",
    "place.expected": "the best F1 expected from the page's scores",
    "place.length": "part of the page's text with at least its score",
    "place.content": "part of the page's likely content with at least its score",
    "place.relative": "its score against the page's highest",
    "place.first": "blocks after the first likely one",
    "place.last": "blocks before the last likely one",
}
LEAST_RELATIVE_SCORE = 0.5
VOTES = {
    "votes": ("the container with most likely content in its children and grandchildren", 1.0),
    "even votes": ("the container with most likely content in its children and grandchildren, long blocks counting less", 0.5),
}
"""The power to which likely characters are raised in the vote for a container."""
VOTE_WORDS = {
    **VOTED_WORDS,
    "share": "part of the page's likely content that it holds",
    "mean": "its mean score",
    "outside": "the mean score of all that is outside",
}


def words_of(scores: Mapping[str, str]) -> dict[str, str]:
    """Return the description of each column by name, given the names of the scores with their descriptions."""
    found: dict[str, str] = {}
    for name, what in scores.items():
        found |= {f"{name}.{group}": f"{what}, mean over the other {blocks}" for group, blocks in SCORE_GROUPS.items()}
        found |= {f"{name}.{each}": f"{what}, mean over the rest of the {each} element above" for each in ANCESTORS}
        found |= {f"{name}.{reach}": f"{what}, mean over {reach} blocks to either side" for reach in REACHES}
        found |= {f"{name}.before": f"{what}, of the block before", f"{name}.after": f"{what}, of the block after"}
    found |= {f"{name}.{measure}": f"{what}: {words}" for name, (what, _) in VOTES.items() for measure, words in VOTE_WORDS.items()}
    return found | PLACE_WORDS


def stacking_features(page: PageArrays, scores: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the columns of `words_of`, each of shape (blocks,). Scores are chances, 0 to 1; the first of them places the blocks."""
    weight = page.length + 1.0
    columns: dict[str, Floats] = {}
    for name, score in scores.items():
        columns |= {f"{name}.{group}": _others(of, weight, score) for group, of in page.alike.items()}
        columns |= _above(page, name, weight, score)
        columns |= _scores_around(name, weight, score)
    first = next(iter(scores.values()))
    for name, (_, power) in VOTES.items():
        columns |= {f"{name}.{measure}": values for measure, values in _elected(page, first, power).items()}
    return columns | _places(page, first)


def _others(group: Rows, weight: Floats, score: Floats) -> Floats:
    """Return the mean score of the other blocks of each block's group, by weight; NaN if it is alone."""
    numbers, _ = compressed(group)
    whole, total = (np.bincount(numbers, values).astype(np.float64)[numbers] for values in (weight, weight * score))
    return _without(whole, total, weight, score)


def _without(whole: Floats, total: Floats, weight: Floats, score: Floats) -> Floats:
    rest = whole - weight
    return np.where(rest > 0.5, (total - weight * score) / np.where(rest > 0.5, rest, 1.0), np.nan)  # weights are whole numbers from 1 on


def _above(page: PageArrays, name: str, weight: Floats, score: Floats) -> dict[str, Floats]:
    whole, total = page.sum_elements(weight), page.sum_elements(weight * score)
    rows = [page.above(steps) for steps in range(1, len(ANCESTORS) + 1)]
    return {f"{name}.{each}": _without(whole[row], total[row], weight, score) for each, row in zip(ANCESTORS, rows, strict=True)}


def _scores_around(name: str, weight: Floats, score: Floats) -> dict[str, Floats]:
    count = len(score)
    whole, total = (np.append(0.0, np.cumsum(values)) for values in (weight, weight * score))
    place = np.arange(count)
    columns = {}
    for reach in REACHES:
        first, last = np.maximum(place - reach, 0), np.minimum(place + reach + 1, count)
        columns[f"{name}.{reach}"] = _without(whole[last] - whole[first], total[last] - total[first], weight, score)
    columns[f"{name}.before"] = np.concatenate([[np.nan], score[:-1]])
    columns[f"{name}.after"] = np.concatenate([score[1:], [np.nan]])
    return columns


def _elected(page: PageArrays, score: Floats, power: float) -> dict[str, Floats]:
    """Return the features relating the blocks to the container with most likely content: the columns of `VOTE_WORDS`."""
    votes = vote(page, score * page.length**power)
    winner, everywhere = int(votes.argmax()), np.ones(page.count)
    length, likely = page.length_below, page.sum_elements(page.length * score)
    return container_relation(page, votes, votes > 0) | {
        "share": everywhere * float(ratio(likely[winner], likely[0])),
        "mean": everywhere * float(ratio(likely[winner], length[winner])),
        "outside": everywhere * float(ratio(likely[0] - likely[winner], length[0] - length[winner])),
    }


def _places(page: PageArrays, score: Floats) -> dict[str, Floats]:
    length, content = page.length, page.length * score
    whole, likely = max(float(length.sum()), 1.0), max(float(content.sum()), 1e-9)
    promise = 2 * page.sum_elements(content) / np.maximum(page.length_below + likely, 1e-9)
    best, highest = int(promise.argmax()), max(float(score.max()), 1e-9)
    order = np.argsort(-score, kind="stable")
    reached, gained = np.cumsum(length[order]), np.cumsum(content[order])
    rank = np.empty(page.count, np.intp)
    rank[order] = np.arange(page.count)
    place, found = np.arange(page.count), np.flatnonzero(score >= LEAST_RELATIVE_SCORE * score.max())
    everywhere = np.ones(page.count)
    return {
        "place.inside": (page.lineage == best).any(axis=1).astype(np.float64),
        "place.best": everywhere * promise[best],
        "place.highest": everywhere * highest,
        "place.mean": everywhere * likely / whole,
        "place.expected": everywhere * float((2 * gained / (reached + likely)).max()),
        "place.length": reached[rank] / whole,
        "place.content": gained[rank] / likely,
        "place.relative": score / highest,
        "place.first": (place - found[0]).astype(np.float64),
        "place.last": (found[-1] - place).astype(np.float64),
    }
