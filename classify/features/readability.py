"""Readability-like features: the container that wins if paragraphs vote for their ancestors, and each block's relation to it.

The rule of arc90's Readability (2009), which most extractors of articles go back to: a paragraph gives points to its parent, and half of
them to its grandparent; tags and names count for or against a container, and so does its link density. Here the winner does not decide:
the relation of blocks to it, and its lead, are features. Names are read as there, except those of comments, which are content on some
pages only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from sightread.render.page.array_types import Bools, Floats
from sightread.render.page.page_arrays import PageArrays, ratio

WINNERS = {
    "likely winner": "the container with most points by the rule of Readability, none given in containers of unlikely names",
    "winner": "the container with most points by the rule of Readability",
}
CONTAINER_WORDS = {
    "score": "the best score of a container that holds the block, against its own",
    "rise": "steps from the block up to their lowest common ancestor",
    "fall": "steps from it up to that ancestor",
    "rival": "the best score of a container apart from it, against its own",
    "text": "its unlinked text as part of the page's",
    "best": "logarithm of its score",
    "before": "logarithm of the number of blocks before its first; 0 from there on",
    "after": "logarithm of the number of blocks after its last; 0 until there",
}
CANDIDATE_WORDS = {
    **{f"{name}.{measure}": f"{what}: {words}" for name, what in WINNERS.items() for measure, words in CONTAINER_WORDS.items()},
    "names.weight": "names of its containers that indicate content, less those that indicate boilerplate",
    "names.near": "what the nearest of them indicates",
    "names.unlikely": "whether a container has an unlikely name",
}
LEAST_PARAGRAPH_CHARACTERS = 25
"""Characters of a paragraph that votes."""
MOST_LENGTH_POINTS = 3.0
"""Points for length: one for each 100 characters."""
NAME_POINTS = 25.0
"""Points of a name."""
TAGS: Mapping[str, float] = {
    "div": 5.0,
    **dict.fromkeys(("blockquote", "pre", "td"), 3.0),
    **dict.fromkeys(("address", "dd", "dl", "dt", "form", "li", "ol", "ul"), -3.0),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "th"), -5.0),
}
_FOR = re.compile("article|blog|body|content|entry|main|page|post|story|text")
_AGAINST = re.compile("contact|foot|masthead|media|meta|outbrain|promo|related|scroll|shopping|shoutbox|sidebar|sponsor|tags|tool|widget")
_UNLIKELY = re.compile("ad-break|agegate|extra|foot|header|menu|pager|pagination|popup|remark|rss|shoutbox|sidebar|sponsor|tweet|twitter")
_STILL = re.compile("and|article|body|column|main|shadow")
_COMMA = re.compile("[,\uff0c\u3001]")


def candidates(page: PageArrays) -> dict[str, Floats]:
    """Return the columns of `CANDIDATE_WORDS`, each of shape (blocks,)."""
    elements = page.page.elements
    weighed = [_name_weight(element.tag, " ".join(element.classes), element.id) for element in elements]
    weight, unlikely = (np.array(values, np.float64) for values in zip(*weighed, strict=True))
    commas = np.array([len(_COMMA.findall(block.text)) for block in page.page.blocks])
    points = np.where(page.length >= LEAST_PARAGRAPH_CHARACTERS, 1.0 + commas + (page.length / 100).clip(max=MOST_LENGTH_POINTS), 0.0)
    favour = NAME_POINTS * weight + np.array([TAGS.get(element.tag, 0.0) for element in elements])
    unlinked = ratio(page.text_below, page.length_below)
    of_names, refused = _along(page, weight, 0.0), _along(page, unlikely, 0.0).any(axis=1)
    columns: dict[str, Floats] = {}
    for name, given in zip(WINNERS, (points * ~refused, points), strict=True):
        votes = vote(page, given)
        columns |= {f"{name}.{key}": values for key, values in container_relation(page, (votes + favour) * unlinked, votes > 0).items()}
    nearest = of_names.shape[1] - 1 - (of_names[:, ::-1] != 0).argmax(axis=1)
    found = (of_names.sum(axis=1), of_names[np.arange(page.count), nearest], refused.astype(np.float64))
    return columns | {f"names.{key}": values for key, values in zip(("weight", "near", "unlikely"), found, strict=True)}


def vote(page: PageArrays, points: Floats) -> Floats:
    """Return the points of each element: those of the blocks of its children, and half of those of its grandchildren's."""
    count = len(page.parent)
    return np.asarray(np.bincount(page.above(1), points, count) + np.bincount(page.above(2), points / 2, count), np.float64)


def container_relation(page: PageArrays, score: Floats, is_candidate: Bools) -> dict[str, Floats]:
    """Return the features relating each block to the candidate with the highest score: the columns of `CONTAINER_WORDS`.

    `score` and `is_candidate` (which elements are candidates) have shape (elements,); a candidate contains a block. NaN if there is none.
    """
    if not is_candidate.any():
        return dict.fromkeys(CONTAINER_WORDS, np.full(page.count, np.nan))
    of_candidates = np.where(is_candidate, score, -np.inf)
    winner = int(of_candidates.argmax())
    path = _path_to(page, winner)
    depth, highest = len(path) - 1, max(float(score[winner]), 1.0)
    common = np.cumprod(page.lineage[:, : depth + 1] == path, axis=1).sum(axis=1) - 1.0
    inside, place = np.flatnonzero(common == depth), np.arange(page.count)
    below = page.lineage[inside, depth:]
    others = is_candidate.copy()
    others[path] = others[below[below >= 0]] = False
    best = _along(page, of_candidates, -np.inf).max(axis=1)
    everywhere = np.ones(page.count)
    found = (
        np.where(np.isfinite(best), best / highest, np.nan),
        page.depth[page.element] - common,
        depth - common,
        everywhere * (float(score[others].max()) if others.any() else 0.0) / highest,
        everywhere * float(ratio(page.text_below[winner], page.text_below[0])),
        everywhere * np.log1p(max(float(score[winner]), 0.0)),
        np.log1p((inside[0] - place).clip(min=0)),
        np.log1p((place - inside[-1]).clip(min=0)),
    )
    return dict(zip(CONTAINER_WORDS, found, strict=True))


def _along(page: PageArrays, values: Floats, nothing: float) -> Floats:
    """Return the values of the elements from the body down to each block's own, and `nothing` below; shape of `PageArrays.lineage`."""
    return np.where(page.lineage >= 0, values[page.lineage], nothing)


def _path_to(page: PageArrays, element: int) -> list[int]:
    """Return the elements from the body down to this one."""
    path = [element]
    while path[-1]:
        path.append(int(page.parent[path[-1]]))
    return path[::-1]


@lru_cache(maxsize=20_000)
def _name_weight(tag: str, classes: str, name: str) -> tuple[float, bool]:
    """Return how many names of an element's class and id are evidence for content, less those against it, and whether they make content
    unlikely.
    """
    weight = sum((_FOR.search(each) is not None) - (_AGAINST.search(each) is not None) for each in (classes.lower(), name.lower()))
    whole = f"{classes} {name}".lower()
    return float(weight), tag != "body" and _UNLIKELY.search(whole) is not None and _STILL.search(whole) is None
