"""Features relating a block to the page's main text, to the container that wins by Readability's rule, and to title and description.

**Readability** (arc90, 2009), to which most extractors of articles go back: a paragraph gives points to its parent, and half of them to its
grandparent; tags and names count for or against a container, and so does its link density. Here the winner does not decide: the relation of
blocks to it, and its lead, are features. Names are read as there, except those of comments, which are content on some pages only.

**Title**: a short notice amid columns of other text is recognised by its title: its blocks are close to the headline, and no others are
(compare Zhou and Mashuq 2013, who score text against descriptions); and so is what follows a line that ends in a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from sightread.render.page.array_types import Bools, Floats
from sightread.render.page.page_arrays import PageArrays, ratio, signed_log
from sightread.render.text.words import title_parts, words

ANCHORS = {
    "main look": "the look of most unlinked text",
    "main container": "the element whose own and children's blocks hold most unlinked text",
    "half": "the lowest element that holds half of the page's unlinked text",
}
"""Three candidates for the main text; a model learns their weights."""
HALF = 0.5

ANCHOR_WORDS = {
    "in": "whether the block belongs to it",
    "before": "logarithm of the number of blocks before its first; 0 from there on",
    "after": "logarithm of the number of blocks after its last; 0 until there",
    "common": "depth of the lowest common ancestor with its longest block, as part of that block's",
    "rise": "steps from the block up to that ancestor",
}

HEADING_WORDS = {
    "heading.place": "blocks after the page's first highest heading, as a signed logarithm; none if the page has no such heading",
    "heading.common": "depth of the lowest common ancestor with it, as part of its own",
    "heading.last": "blocks since the last heading of any level, as a logarithm",
}

PAGE_WORDS = {
    "page.blocks": "logarithm of its blocks",
    "page.text": "logarithm of its unlinked text",
    "page.links": "its link density",
    "page.longest": "logarithm of its longest block's unlinked text",
    "page.looks": "logarithm of its number of looks",
    "page.main": "part of its unlinked text that has the main look",
    "page.place": "position of the block among the page's blocks",
    "page.text before": "share of the page's unlinked text before the block",
    "page.depth": "steps from the body down to the block",
    "page.deep": "these steps against those of the main look's longest block",
}


def anchors(page: PageArrays) -> dict[str, Floats]:
    """Return the features relating each block to each candidate for the main text: `main look.across` and so on."""
    look = page.looks == _main_look(page)
    text, blocks, near = page.text_below, page.blocks_below, page.near(page.unlinked)
    halves = np.flatnonzero((text >= HALF * text[0]) & (blocks > 0))  # if all text is linked, every element holds half of none
    container, half = int(near.argmax()), int(halves[page.depth[halves].argmax()])
    members = (look, (page.lineage == container).any(axis=1), (page.lineage == half).any(axis=1))
    return {
        f"{name}.{measure}": values
        for name, member in zip(ANCHORS, members, strict=True)
        for measure, values in zip(ANCHOR_WORDS, _relation(page, member), strict=True)
    }


def headings(page: PageArrays) -> dict[str, Floats]:
    """Return the features relating each block to the page's headline, and to the last heading before it."""
    level = np.array([block.heading or np.inf for block in page.page.blocks])
    place = np.arange(page.count)
    last = np.maximum.accumulate(np.where(np.isfinite(level), place, -1))
    since = np.where(last >= 0, np.log1p(place - last), np.nan)
    if not np.isfinite(level).any():
        return dict.fromkeys(HEADING_WORDS, np.full(page.count, np.nan))
    first = np.full(page.count, int(level.argmin()))
    found = (
        signed_log(place - first),
        ratio(page.common_depth(place, first), page.depth[page.element[first]]),
        since,
    )
    return dict(zip(HEADING_WORDS, found, strict=True))


def totals(page: PageArrays) -> dict[str, Floats]:
    """Return features of the page, the same for all of its blocks, and the position of each block in it."""
    text = page.unlinked.sum()
    main = page.looks == _main_look(page)
    depth = page.depth[page.element].astype(np.float64)
    longest = int(np.where(main, page.unlinked, -1.0).argmax())
    of_page = (
        np.log1p(page.count),
        np.log1p(text),
        1.0 - ratio(text, page.length.sum()),
        np.log1p(page.unlinked.max()),
        np.log1p(page.looks.max()),
        ratio(page.unlinked[main].sum(), text),
    )
    found = (
        *(np.full(page.count, value, np.float64) for value in of_page),
        np.arange(page.count) / page.count,
        ratio(np.cumsum(page.unlinked) - page.unlinked, text),
        depth,
        ratio(depth, depth[longest]),
    )
    return dict(zip(PAGE_WORDS, found, strict=True))


def _main_look(page: PageArrays) -> int:
    return int(np.bincount(page.looks, page.unlinked).argmax())


def _relation(page: PageArrays, member: Bools) -> tuple[Floats, ...]:
    place = np.arange(page.count)
    longest = np.full(page.count, int(np.where(member, page.unlinked, -1.0).argmax()))
    common = page.common_depth(place, longest)
    inside = np.flatnonzero(member)
    return (
        member.astype(np.float64),
        np.log1p((inside[0] - place).clip(min=0)),
        np.log1p((place - inside[-1]).clip(min=0)),
        ratio(common, page.depth[page.element[longest]]),
        page.depth[page.element] - common,
    )


# Readability.


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


# Title and description.


TITLE_WORDS = {
    "title.like": "words that it shares with the page's title, of those of both (Dice); 0 for a long block",
    "title.place": "blocks after the one that reads most like the title, as a signed logarithm; none if no heading does",
    "title.common": "depth of the lowest common ancestor with that headline, as part of the headline's",
    "title.rise": "steps from the block up to that ancestor",
    "title.text": "unlinked text of that ancestor as part of the page's",
    "title.links": "link density of that ancestor",
    "title.heading": "heading level of that headline, 0 for none",
    "title.sure": "how much that headline reads like the title",
    "description.like": "part of the words of the page's description that it holds; none without one",
    "description.words": "part of its words that the description holds; none without one",
    "told.colon": "whether the block before ends in a colon",
}
LEAST_SIMILARITY = 0.5
"""Least Dice coefficient of the words of a headline and a title."""
MOST_CHARACTERS = 300
"""Characters of a headline, and of a title."""
MOST_WORDS = 60
"""Words read of a block and of a description."""
COLONS = ":\uff1a"


def title_features(page: PageArrays) -> dict[str, Floats]:
    """Return the columns of `TITLE_WORDS`, each of shape (blocks,)."""
    texts = [block.text for block in page.page.blocks]
    nowhere = np.full(page.count, np.nan)
    columns = dict.fromkeys(TITLE_WORDS, nowhere)
    columns["told.colon"] = np.array([0.0, *(text.rstrip()[-1:] in COLONS and bool(text) for text in texts[:-1])])
    of_blocks = [first_words(text) for text in texts]
    if page.page.descriptions:
        described = frozenset(word for text in page.page.descriptions for word in first_words(text))
        shared = np.array([len(own & described) for own in of_blocks], np.float64)
        columns["description.like"] = ratio(shared, len(described))
        columns["description.words"] = ratio(shared, np.array([len(own) for own in of_blocks]))
    short = [own if len(text) <= MOST_CHARACTERS else frozenset() for text, own in zip(texts, of_blocks, strict=True)]
    similarity = _similarity(short, page.page.titles)
    columns["title.like"] = similarity
    if similarity.max(initial=0.0) >= LEAST_SIMILARITY:
        columns |= _headline_relation(page, similarity)
    return columns


def first_words(text: str) -> frozenset[str]:
    """Return the first words of a text (`sightread.render.text.words.words`)."""
    return frozenset(words(text[: MOST_WORDS * 8])[:MOST_WORDS])


def _similarity(of_blocks: Iterable[frozenset[str]], titles: Iterable[str]) -> Floats:
    """Return the similarity of words to one of the titles, or to a part of one that a separator divides from the site's name."""
    parts = {of_part for title in titles for part in title_parts(title[:MOST_CHARACTERS]) if (of_part := first_words(part))}
    known = frozenset(word for part in parts for word in part)
    scores = [0.0 if known.isdisjoint(own) else max(2 * len(own & part) / (len(own) + len(part)) for part in parts) for own in of_blocks]
    return np.array(scores, np.float64)


def _headline_relation(page: PageArrays, similarity: Floats) -> dict[str, Floats]:
    """Return the features relating each block to the headline: the heading (else the unlinked block) most similar to the title."""
    level = np.array([block.heading for block in page.page.blocks])
    unlinked = ratio(page.unlinked, page.length)
    order = np.lexsort((np.arange(page.count), np.where(level > 0, level, 9), -unlinked.round(), ~(level > 0), -similarity.round(1)))
    best = int(order[0])
    place = np.arange(page.count)
    first = np.full(page.count, best)
    common = page.common_depth(place, first)
    ancestor = page.lineage[place, common.astype(np.intp)]
    text, length = page.text_below, page.length_below
    return {
        "title.place": signed_log(place - best),
        "title.common": ratio(common, page.depth[page.element[first]]),
        "title.rise": page.depth[page.element] - common,
        "title.text": ratio(text[ancestor], text[0]),
        "title.links": 1.0 - ratio(text[ancestor], length[ancestor]),
        "title.heading": np.full(page.count, float(level[best])),
        "title.sure": np.full(page.count, float(similarity[best])),
    }
