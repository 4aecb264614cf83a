"""Stacking features: first-stage scores aggregated over a block's context (Wolpert 1992).

A first model judges each block by itself. Here its scores are gathered over everything that the block belongs to, always without the
block itself: its column of cards, its containers, the section under its heading, its neighbours; and the block is placed among the
page's likeliest ones.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sightread.classify.features.readability import CONTAINER_WORDS, container_relation, vote
from sightread.render.page.array_types import Floats, Rows
from sightread.render.page.page_arrays import PageArrays, compressed, ratio

GROUPS = {
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
    **CONTAINER_WORDS,
    "share": "part of the page's likely content that it holds",
    "mean": "its mean score",
    "outside": "the mean score of all that is outside",
}


def words_of(scores: Mapping[str, str]) -> dict[str, str]:
    """Return the description of each column by name, given the names of the scores with their descriptions."""
    found: dict[str, str] = {}
    for name, what in scores.items():
        found |= {f"{name}.{group}": f"{what}, mean over the other {blocks}" for group, blocks in GROUPS.items()}
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
        columns |= _around(name, weight, score)
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


def _around(name: str, weight: Floats, score: Floats) -> dict[str, Floats]:
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
