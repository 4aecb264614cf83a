"""Features of a block by itself, and of its place on the page: what the network of the global model reads.

None of them is about a site: no class, id, colour or address, all relative to the page. They generalise to unseen sites, which names
do not: what a linear SVM over names learns on one site is lost on the next (Zhou and Mashuq 2013, Table 3, F1 0.31). Only a few words that
authors of sites use everywhere are looked for in names, as by Readability (arc90, 2009); those of comments, which are content on some pages
only, are not among them. The surroundings of a block are not measured here: the network learns what of them matters
(`sightread.classify.general.network`). The DOM alone is read: boxes and styles gained nothing (docs/experiments/global-model.md).

**Title**: a short notice amid columns of other text is recognised by its title: its blocks are close to the headline, and no others are
(compare Zhou and Mashuq 2013, who score text against descriptions); and so is what follows a line that ends in a colon.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from sightread.render.page.array_types import Bools, Features, Floats
from sightread.render.page.page_arrays import PageArrays, ratio, signed_log
from sightread.render.page.view import element_kinds
from sightread.render.text.words import title_parts, words

Columns = Mapping[str, NDArray[np.generic] | float]
"""Values of features, shape (blocks,), or one for all blocks of the page."""

TEXT = {
    "text.length": "logarithm of its characters",
    "text.unlinked": "logarithm of its characters outside links",
    "text.links": "share of its characters inside links",
    "text.share": "its part of the page's text outside links",
    "text.largest": "its text outside links against the page's longest",
    "text.digits": "digits a character",
    "text.commas": "commas a character",
    "text.stops": "sentence marks a character",
    "text.ends": "whether it ends as a sentence does",
    "text.heading": "its heading level, 0 for none",
    "text.hidden": "whether it is kept from view",
    "text.told": "whether the block before ends in a colon",
}
PLACE = {
    "place.share": "position among the page's blocks",
    "place.before": "share of the page's unlinked text before it",
    "place.depth": "steps from the body down to it",
    "place.blocks": "logarithm of the page's blocks",
    "place.text": "logarithm of the page's unlinked text",
}
TITLE = {
    "title.like": "words that it shares with the page's title, of those of both (Dice); 0 for a long block",
    "title.place": "blocks after the one that reads most like the title, as a signed logarithm; none if no heading does",
    "title.common": "depth of the lowest common ancestor with that headline, as part of the headline's",
    "title.rise": "steps from the block up to that ancestor",
    "title.text": "unlinked text of that ancestor as part of the page's",
    "title.links": "link density of that ancestor",
    "title.heading": "heading level of that headline, 0 for none",
    "title.sure": "how much that headline reads like the title",
    "title.described": "part of the words of the page's description that it holds; none without one",
    "title.describes": "part of its words that the description holds; none without one",
}
NAMED = {
    "named.weight": "names of its containers that indicate content, less those that indicate boilerplate",
    "named.near": "what the nearest of them indicates",
    "named.unlikely": "whether a container has an unlikely name",
}
WINNERS = {
    "winner": "the container that its paragraphs vote for",
    "likely": "the same, without the votes of paragraphs in containers of unlikely names",
}
WINNER = {
    "score": "the best score of a container around the block, against the winner's",
    "rise": "steps from the block up to their lowest common ancestor",
    "fall": "steps from it up to that ancestor",
    "rival": "the best score of a container apart from it, against its own",
    "text": "its unlinked text as part of the page's",
    "best": "logarithm of its score",
    "before": "logarithm of the number of blocks before its first; 0 from there on",
    "after": "logarithm of the number of blocks after its last; 0 until there",
}
TAGS = (
    *("p", "li", "a", "div", "span", "td", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "th", "pre", "button", "label", "figcaption"),
    *("blockquote", "strong", "body", "section", "article", "time", "summary", "caption", "option", "legend", "address"),
)
"""Tags of elements that hold text; all others count as none of these."""
WORDS: Mapping[str, str] = {
    **TEXT,
    **PLACE,
    **TITLE,
    **NAMED,
    **{f"{name}.{of}": f"{what}: {words}" for name, what in WINNERS.items() for of, words in WINNER.items()},
    **{f"tag.{tag}": f"whether its element is <{tag}>" for tag in TAGS},
}
"""Description of each column, in order."""
NAMES = tuple(WORDS)
LEAST_SIMILARITY = 0.5
"""Least Dice coefficient of the words of a headline and a title."""
MOST_CHARACTERS = 300
"""Characters of a headline, and of a title."""
MOST_WORDS = 60
"""Words read of a description."""
LEAST_PARAGRAPH_CHARACTERS = 25
"""Characters of a paragraph that votes."""
MOST_LENGTH_POINTS = 3.0
"""Points for length: one for each 100 characters."""
NAME_POINTS = 25.0
"""Points of a name."""
TAG_POINTS: Mapping[str, float] = {
    "div": 5.0,
    **dict.fromkeys(("blockquote", "pre", "td"), 3.0),
    **dict.fromkeys(("address", "dd", "dl", "dt", "form", "li", "ol", "ul"), -3.0),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "th"), -5.0),
}
COLONS = frozenset(":\uff1a")
MARKS = ("0123456789", ",\u060c\u3001\uff0c;\uff1b", ".!?\u2026\u3002\uff01\uff1f\u0964\u06d4\u061f", ",\uff0c\u3001")
"""Digits, commas and sentence marks; digits of other scripts count too. Last, the commas that give a paragraph points."""

_FOR = re.compile("article|blog|body|content|entry|main|page|post|story|text")
_AGAINST = re.compile("contact|foot|masthead|media|meta|outbrain|promo|related|scroll|shopping|shoutbox|sidebar|sponsor|tags|tool|widget")
_UNLIKELY = re.compile("ad-break|agegate|extra|foot|header|menu|pager|pagination|popup|remark|rss|shoutbox|sidebar|sponsor|tweet|twitter")
_STILL = re.compile("and|article|body|column|main|shadow")


def block_features(page: PageArrays, unseen: Collection[str] = ()) -> Features:
    """Return the features of every block of the page, shape (blocks, len(NAMES)); NaN if the page has no such title.

    Those of the title are not computed if "title" is among `unseen`, and are NaN.
    """
    if not page.count:
        return np.zeros((0, len(NAMES)), np.float32)
    *rates, commas = _marks(page)
    title = dict.fromkeys(TITLE, np.nan) if "title" in unseen else _title(page)
    columns = {**_text(page, rates), **_place(page), **title, **_named(page, commas), **_tags(page)}
    features = np.empty((len(NAMES), page.count), np.float32)
    for row, name in enumerate(NAMES):
        features[row] = columns[name]
    return features.T


@cache
def _kinds() -> NDArray[np.uint8]:
    """Return which of `MARKS` each character of the basic plane is, as bits."""
    kinds = np.zeros(1 << 16, np.uint8)
    kinds[[code for code in range(1 << 16) if chr(code).isdecimal()]] = 1
    for bit, marks in enumerate(MARKS):
        kinds[[ord(mark) for mark in marks]] |= 1 << bit
    return kinds


def _marks(page: PageArrays) -> list[Floats]:
    """Return how many of each of `MARKS` every block has."""
    codes = np.frombuffer("".join(page.texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = _kinds().take(codes, mode="clip")
    places = np.flatnonzero(kinds)
    block = np.searchsorted(np.cumsum([len(text) for text in page.texts]), places, side="right")
    return [np.bincount(block, (kinds[places] >> bit) & 1, page.count).astype(np.float64) for bit in range(len(MARKS))]


def _text(page: PageArrays, marks: Sequence[Floats]) -> Columns:
    digits, commas, stops = (ratio(count, page.length) for count in marks)
    return {
        "text.length": np.log1p(page.length),
        "text.unlinked": np.log1p(page.unlinked),
        "text.links": ratio(page.linked, page.length),
        "text.share": ratio(page.unlinked, page.unlinked.sum()),
        "text.largest": ratio(page.unlinked, page.unlinked.max()),
        "text.digits": digits,
        "text.commas": commas,
        "text.stops": stops,
        "text.ends": page.ends,
        "text.heading": page.heading,
        "text.hidden": np.array([bool(block.hidden) for block in page.page.blocks]),
        "text.told": np.array([False, *(mark in COLONS for mark in page.last[:-1])]),
    }


def _place(page: PageArrays) -> Columns:
    text = float(page.unlinked.sum())
    return {
        "place.share": np.arange(page.count) / page.count,
        "place.before": ratio(np.cumsum(page.unlinked) - page.unlinked, text),
        "place.depth": page.depth,
        "place.blocks": np.log1p(page.count),
        "place.text": np.log1p(text),
    }


def _tags(page: PageArrays) -> Columns:
    places = {tag: place for place, tag in enumerate(TAGS)}
    tags = np.array([places.get(tag, -1) for tag in page.tags])
    return {f"tag.{tag}": row for tag, row in zip(TAGS, tags == np.arange(len(TAGS))[:, None], strict=True)}


def _named(page: PageArrays, commas: Floats) -> Columns:
    kinds = element_kinds(page.page).kinds
    weighed = [_weigh(tag, classes, name) for tag, classes, name, _, _ in kinds]
    weight, points = (
        np.array(values)[page.kind] for values in ([each for each, _ in weighed], [TAG_POINTS.get(tag, 0.0) for tag, *_ in kinds])
    )
    weights = page.of_lineage(weight, 0)
    refused = page.of_lineage(np.array([unlikely for _, unlikely in weighed])[page.kind], none=False).max(axis=0)
    near = weights[(weights != 0).argmax(axis=0), np.arange(page.count)]
    found = (weights.sum(axis=0), near, refused)
    return {**dict(zip(NAMED, found, strict=True)), **_winners(page, NAME_POINTS * weight + points, commas, refused)}


def _winners(page: PageArrays, favour: Floats, commas: Floats, refused: Bools) -> Columns:
    """Return the columns of the containers that win by Readability's rule; `favour` are points of the elements themselves."""
    points = np.where(page.length >= LEAST_PARAGRAPH_CHARACTERS, 1.0 + commas + (page.length / 100).clip(max=MOST_LENGTH_POINTS), 0.0)
    unlinked, count = ratio(page.text_below, page.length_below), len(favour)
    columns: dict[str, NDArray[np.generic] | float] = {}
    for winner, given in zip(WINNERS, (points, points * ~refused), strict=True):
        votes = np.bincount(page.above(1), given, count) + np.bincount(page.above(2), given / 2, count)
        columns |= {f"{winner}.{name}": values for name, values in _relation(page, (votes + favour) * unlinked, votes > 0).items()}
    return columns


def _relation(page: PageArrays, score: Floats, is_candidate: Bools) -> Columns:
    """Return the features relating each block to the candidate with the highest score: the columns of `WINNER`; NaN if there is none.

    `score` and `is_candidate` (which elements are candidates) have shape (elements,); a candidate contains a block.
    """
    if not is_candidate.any():
        return dict.fromkeys(WINNER, np.nan)
    of_candidates = np.where(is_candidate, score, -np.inf)
    winner = int(of_candidates.argmax())
    common, place = page.common_depth(winner), np.arange(page.count)
    depth, highest = int(common.max()), max(float(score[winner]), 1.0)
    inside = np.flatnonzero(common == depth)
    apart = np.append(of_candidates, -np.inf)  # a row more, for what is above the body
    apart[page.lineage[:, inside]] = -np.inf
    best, second = page.of_lineage(of_candidates, -np.inf).max(axis=0), float(apart.max())
    found = (
        np.where(np.isfinite(best), best / highest, np.nan),
        page.depth - common,
        depth - common,
        second / highest if np.isfinite(second) else 0.0,
        float(ratio(page.text_below[winner], page.text_below[0])),
        np.log1p(max(float(score[winner]), 0.0)),
        np.log1p((inside[0] - place).clip(min=0)),
        np.log1p((place - inside[-1]).clip(min=0)),
    )
    return dict(zip(WINNER, found, strict=True))


@lru_cache(maxsize=20_000)
def _weigh(tag: str, classes: tuple[str, ...], name: str) -> tuple[int, bool]:
    """Return how many names of an element's class and id are evidence for content, less those against it, and whether they make content
    unlikely.
    """
    both = [each.lower() for each in (" ".join(classes), name) if each]
    weight = sum((_FOR.search(each) is not None) - (_AGAINST.search(each) is not None) for each in both)
    whole = " ".join(both)
    return weight, tag != "body" and _UNLIKELY.search(whole) is not None and _STILL.search(whole) is None


# Title and description.


def _title(page: PageArrays) -> Columns:
    columns: dict[str, NDArray[np.generic] | float] = dict.fromkeys(TITLE, np.nan)
    of_blocks = [frozenset(own) for own in page.first_words]
    if page.page.descriptions:
        described = frozenset(word for text in page.page.descriptions for word in words(text)[:MOST_WORDS])
        shared = np.array([len(own & described) for own in of_blocks], np.float64)
        columns["title.described"] = ratio(shared, len(described))
        columns["title.describes"] = ratio(shared, np.array([len(own) for own in of_blocks]))
    similarity = _similarity(of_blocks, page.page.titles) * (page.length <= MOST_CHARACTERS)
    columns["title.like"] = similarity
    if similarity.max() >= LEAST_SIMILARITY:
        columns.update(_headline_relation(page, similarity))
    return columns


def _similarity(of_blocks: Iterable[frozenset[str]], titles: Iterable[str]) -> Floats:
    """Return the similarity of words to one of the titles, or to a part of one that a separator divides from the site's name."""
    parts = {frozenset(of_part) for title in titles for part in title_parts(title[:MOST_CHARACTERS]) if (of_part := words(part))}
    known = frozenset(word for part in parts for word in part)
    scores = [0.0 if known.isdisjoint(own) else max(2 * len(own & part) / (len(own) + len(part)) for part in parts) for own in of_blocks]
    return np.array(scores, np.float64)


def _headline_relation(page: PageArrays, similarity: Floats) -> Columns:
    """Return the features relating each block to the headline: the heading (else the unlinked block) most similar to the title."""
    level, place, unlinked = page.heading, np.arange(page.count), ratio(page.unlinked, page.length)
    best = int(np.lexsort((place, np.where(level > 0, level, 9), -unlinked.round(), level == 0, -similarity.round(1)))[0])
    element = int(page.element[best])
    common = page.common_depth(element)
    ancestor = np.array(page.page.ancestors(element)[::-1])[common]
    text, length = page.text_below, page.length_below
    return {
        "title.place": signed_log(place - best),
        "title.common": ratio(common, int(page.depth[best])),
        "title.rise": page.depth - common,
        "title.text": ratio(text[ancestor], text[0]),
        "title.links": 1.0 - ratio(text[ancestor], length[ancestor]),
        "title.heading": float(level[best]),
        "title.sure": float(similarity[best]),
    }
