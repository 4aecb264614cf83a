"""Features relating a block to the page's title and description, and to a preceding line that ends in a colon.

A short notice amid columns of other text is recognised by its title: its blocks are close to the headline, and no others are
(compare Zhou and Mashuq 2013, who score text against descriptions).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays, ratio, signed_log
from sightread.render.text.titles import title_parts
from sightread.render.text.words import words

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
