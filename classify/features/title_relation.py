"""Features relating a block to the page's title and description, and to a preceding line that announces it.

A short notice amid columns of other text is recognised by its title: its blocks are close to the headline, and no others are
(compare Zhou and Mashuq 2013, who score text against descriptions).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from render.page_arrays import Floats, PageArrays, ratio, signed_log
from render.titles import title_parts

TITLE_WORDS = {
    "title.like": "words that it shares with the page's title, of those of both (Dice); 0 for a long block",
    "title.place": "blocks after the one that reads most like the title, as a signed logarithm; NaN where none does",
    "title.common": "depth of the lowest common ancestor with that headline, as part of the headline's",
    "title.rise": "steps from the block up to that ancestor",
    "title.text": "unlinked text of that ancestor as part of the page's",
    "title.links": "link density of that ancestor",
    "title.heading": "heading level of that headline, 0 for none",
    "title.sure": "how much that headline reads like the title",
    "description.like": "part of the words of the page's description that it holds; NaN without one",
    "description.words": "part of its words that the description holds; NaN without one",
    "told.colon": "whether the block before ends in a colon",
}
ALIKE = 0.5
"""Least Dice of words of a headline and a title."""
LONGEST = 300
"""Characters of a headline, and of a title."""
WORDS_READ = 60
"""Of a block and a description."""
_WORD = re.compile(r"\w+")
_LETTER = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Of scripts that put no spaces between words."""
COLONS = ":\uff1a"


def title_features(page: PageArrays) -> dict[str, Floats]:
    """Return the columns of `TITLE_WORDS`, each of shape (blocks,)."""
    texts = [block.text for block in page.page.blocks]
    nowhere = np.full(page.count, np.nan)
    columns = dict.fromkeys(TITLE_WORDS, nowhere)
    columns["told.colon"] = np.array([0.0, *(text.rstrip()[-1:] in COLONS and bool(text) for text in texts[:-1])])
    found = [words_of(text) for text in texts]
    if page.page.descriptions:
        described = frozenset(word for text in page.page.descriptions for word in words_of(text))
        shared = np.array([len(words & described) for words in found], np.float64)
        columns["description.like"] = ratio(shared, len(described))
        columns["description.words"] = ratio(shared, np.array([len(words) for words in found]))
    alike = _alike([words if len(text) <= LONGEST else frozenset() for text, words in zip(texts, found, strict=True)], page.page.titles)
    columns["title.like"] = alike
    if alike.max(initial=0.0) >= ALIKE:
        columns |= _from(page, alike)
    return columns


def words_of(text: str) -> frozenset[str]:
    """Return the first words of a text, in lower case; in scripts without spaces each letter is a word."""
    cut = text[: WORDS_READ * 8].lower()
    if cut.isascii():
        return frozenset(_WORD.findall(cut)[:WORDS_READ])
    return frozenset(_WORD.findall(_LETTER.sub(r" \g<0> ", cut))[:WORDS_READ])


def _alike(found: Iterable[frozenset[str]], titles: Iterable[str]) -> Floats:
    """Return the similarity of words to one of the titles, or to a part of one that a separator divides from the site's name."""
    parts = {words for title in titles for part in title_parts(title[:LONGEST]) if (words := words_of(part))}
    known = frozenset(word for part in parts for word in part)
    scores = [
        0.0 if known.isdisjoint(words) else max(2 * len(words & part) / (len(words) + len(part)) for part in parts) for words in found
    ]
    return np.array(scores, np.float64)


def _from(page: PageArrays, alike: Floats) -> dict[str, Floats]:
    """Return the features relating each block to the headline: the likest heading, or if there is none the likest block outside links."""
    level = np.array([block.heading for block in page.page.blocks])
    unlinked = ratio(page.unlinked, page.length)
    order = np.lexsort((np.arange(page.count), np.where(level > 0, level, 9), -unlinked.round(), ~(level > 0), -alike.round(1)))
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
        "title.sure": np.full(page.count, float(alike[best])),
    }
