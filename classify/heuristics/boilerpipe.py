"""Boilerpipe (Kohlschütter, Fankhauser and Nejdl, WSDM 2010): shallow text features, two published decision trees, and filters.

**Features** (section 3). The paper describes them and counts them in its Table 2: 23 of the block alone, 64 with those of the blocks before
and after and the quotients, 67 with three frequencies in the whole corpus, which a single page does not have. It does not number them. Here
19 are taken of all three blocks, 4 are positions, and 3 are quotients. Departure: in scripts that write no spaces 1.7 characters are a word
(`number_of_words`).

**Blocks.** The paper's atomic text blocks are text that no tag but `<a>` interrupts. Departure: on a `Page` the blocks are the page's own,
which inline tags do not separate, as in the authors' later program. Hidden blocks are left out, and never content.

**Filters** over blocks labelled content (section 4). Largest Content keeps the run of content blocks with the most words. Main Content
keeps the article, from its headline to where its comments begin. The rules of the second are ours, after the paper's purpose: all that
follows a line which opens comments is dropped, runs parted by few blocks are one, the one with the most words is kept with the text
between, and it is extended up to the block that reads like the page's title. Blocks that are mostly links are not taken in on the way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sightread.classify.model import Prediction, Published
from sightread.render.page import Block, Page
from sightread.render.page.array_types import Bools, Floats
from sightread.render.static.block_text import fold
from sightread.render.text.words import count_words, is_title

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")

ENCLOSING = {**dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "h"), "p": "p", "div": "div"}
"""The tags that are looked for around a block (section 3.1), with their names there."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """An atomic text block."""

    text: str
    """White space folded."""
    linked: float = 0.0
    """How many of its words are inside links."""
    enclosing: frozenset[str] = frozenset()
    """Which of h, p and div it is in."""


def words_of(text: str) -> list[str]:
    """Return the words of the paper (section 3.2): what white space separates and holds a letter or digit."""
    return [token for token in text.split() if token.isalnum() or _LETTER_OR_DIGIT.search(token)]


def number_of_words(text: str) -> float:
    """Return the number of words. In scripts that write no spaces, where the paper's have no meaning, 1.7 characters are one."""
    found = words_of(text)
    if text.isascii():
        return float(len(found))
    return sum(1.0 if word.isascii() else count_words("".join(filter(str.isalnum, word))) for word in found)


def page_blocks(page: Page) -> tuple[list[int], list[TextBlock]]:
    """Return the rows of the page's visible blocks, and these as atomic ones."""
    around: list[frozenset[str]] = []
    for element in page.elements:
        above = around[element.parent] if element.parent >= 0 else frozenset()
        name = ENCLOSING.get(element.tag)
        around.append(above | {name} if name and name not in above else above)
    rows = [row for row, block in enumerate(page.blocks) if not block.hidden]
    shown = [page.blocks[row] for row in rows]
    return rows, [TextBlock(fold(block.text), linked_words(block), around[block.element]) for block in shown]


def linked_words(block: Block) -> float:
    """Return how many words of a page's block are inside links; by characters where their ranges are not known."""
    links = [inline for inline in block.inlines if inline.kind == "link"]
    if links:
        return sum(number_of_words(block.text[link.start : link.end]) for link in links)
    return number_of_words(block.text) * block.link_chars / max(len(block.text), 1) if block.link_chars else 0.0


class Shallow(NamedTuple):
    """The three features that the published trees read of a block."""

    words: float
    link_density: float
    """Share of the words inside links."""
    text_density: float
    """Words a line when wrapped at 80 characters, the last line left out unless it is the only one."""


LINE = 80
"""Characters at which text density wraps lines (section 3.3)."""

OF_BLOCK = (
    *("words", "tokens", "link density", "text density", "mean word length", "mean sentence length", "sentences"),
    *("full stops a word", "capitalised words", "capitalised share", "upper-case words", "upper-case share"),
    *("dates and times", "dates and times share", "vertical bars", "in h", "in p", "in div", "in a"),
)
"""Taken of the block, of the one before and of the one after."""
OF_PLACE = ("place", "relative place", "words before", "relative words before")
QUOTIENTS = ("text density to the one before", "text density to the one after", "words to its neighbours")
LOCAL = (*OF_BLOCK, *OF_PLACE)
"""The 23 local features of a block."""
CONTEXT = (*LOCAL, *(f"previous {name}" for name in OF_BLOCK), *(f"next {name}" for name in OF_BLOCK), *QUOTIENTS)
"""The 64 that one page is enough for."""

_SENTENCE_END = re.compile(r"(?<![.!?;。！？；])[.!?;。！？；]+(?=\s|$|[^\x00-\x7f])")
_DATE = re.compile(
    r"\b(?:\d{1,2}[:.]\d{2}(?:[:.]\d{2})?|\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|(?:19|20)\d\d|[ap]\.?m|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?"
    r"|sun)(?:day)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?|gmt|utc|[ce][sd]t|p[sd]t)\b",
    re.IGNORECASE,
)


def shallow_of(block: TextBlock) -> Shallow:
    """Return the block's number of words, link density and text density."""
    words = number_of_words(block.text)
    linked = min(1.0, block.linked / words) if words else float(block.linked > 0)
    return Shallow(words, linked, text_density(block.text))


def text_density(text: str) -> float:
    """Return the words per line of the text wrapped at 80 characters, the last line left out unless it is the only one (section 3.3)."""
    lines = wrap(text)
    full = lines[:-1] or lines
    return sum(number_of_words(line) for line in full) / len(full) if full else 0.0


def wrap(text: str) -> list[str]:
    """Return the text in lines of at most 80 characters, no word broken; a longer word has a line of its own."""
    lines: list[list[str]] = []
    length = LINE
    for token in text.split():
        if length + 1 + len(token) > LINE:
            lines.append([])
            length = -1
        lines[-1].append(token)
        length += 1 + len(token)
    return [" ".join(line) for line in lines]


def shallow_features(blocks: Sequence[TextBlock]) -> Floats:
    """Return the features of a page's blocks, shape (blocks, 64), in the order of `CONTEXT`."""
    own = np.array([_of_block(block) for block in blocks], np.float64).reshape(-1, len(OF_BLOCK))
    words = own[:, 0]
    count, before = np.arange(len(own), dtype=np.float64), np.cumsum(words) - words
    place = np.column_stack([count, count / max(len(own) - 1, 1), before, before / max(words.sum(), 1.0)])
    above, below = _shifted(own)
    density = OF_BLOCK.index("text density")
    quotients = np.column_stack(
        [
            _quotient(own[:, density], above[:, density]),
            _quotient(own[:, density], below[:, density]),
            _quotient(words, (above[:, 0] + below[:, 0]) / 2),
        ]
    )
    return np.hstack([own, place, above, below, quotients])


def _of_block(block: TextBlock) -> tuple[float, ...]:
    text = block.text
    found = words_of(text)
    words, linked, density = shallow_of(block)
    many = max(len(found), 1)
    sentences = len(_SENTENCE_END.findall(text)) or 1
    capitalised = sum(word[0].isupper() for word in found)
    upper = sum(word.isupper() for word in found)
    dates = len(_DATE.findall(text))
    return (
        *(words, len(text.split()), linked, density, sum(map(len, found)) / many, words / sentences, sentences),
        *(text.count(".") / many, capitalised, capitalised / many, upper, upper / many, dates, dates / many, text.count("|")),
        *("h" in block.enclosing, "p" in block.enclosing, "div" in block.enclosing, linked >= 1),
    )


def _shifted(rows: Floats) -> tuple[Floats, Floats]:
    """Return the rows of the blocks before and after; zeros at the ends."""
    edge = np.zeros((1, rows.shape[1]))
    return np.vstack([edge, rows])[: len(rows)], np.vstack([rows, edge])[1 : len(rows) + 1]


def _quotient(values: Floats, others: Floats) -> Floats:
    """Return value / other, where 0 represents a tenth: a block without words is a tenth of one."""
    return np.asarray(np.maximum(values, 0.1) / np.maximum(others, 0.1))


@dataclass(frozen=True, slots=True)
class ArticleLimits:
    """Limits of the article that Main Content keeps.

    The first four were chosen on L3S-GN1 itself, with Algorithm 2: token F1 .967; with 3 blocks between two runs .967, with 120 words .966,
    with a headline 30 blocks above .966, with lists of links included .962.
    """

    most_blocks_between: int = 2
    """Blocks that may separate two runs of one article."""
    least_words_before: int = 60
    """Words of content before a line that ends an article."""
    most_words_of_line: int = 15
    """Words of such a line."""
    headline_blocks_above: int = 100
    """Blocks above the article that may be its headline."""
    headline_blocks_inside: int = 3
    """Blocks of the article itself that may be its headline."""
    most_link_density: float = 0.333333
    """Link density above which a block is a list of links, as in both published trees."""


LIMITS = ArticleLimits()

_OPENS_COMMENTS = re.compile(
    r"comments?\b|\d+ comments?\b|(?:post|add|leave|write) (?:a |an |your )?(?:comment|reply)|your comments"
    r"|readers?['’]?s? (?:comments|views)|have your say|what (?:do )?you think|(?:please )?rate this|discuss this|talkback"
    r"|kommentare?\b|comentarios?\b|commentaires?\b",
    re.IGNORECASE,
)


def largest_content(blocks: Sequence[Shallow], content: Bools) -> Bools:
    """Keep the run of content blocks with the most words; shape (blocks,)."""
    start, end = _largest(content, np.array([block.words for block in blocks]), 0)
    kept = np.zeros(len(content), np.bool_)
    kept[start:end] = content[start:end]
    return kept


def main_content(texts: Sequence[str], blocks: Sequence[Shallow], content: Bools, titles: Sequence[str]) -> Bools:
    """Keep the article of a page with these titles; row i of all is block i."""
    words = np.array([block.words for block in blocks])
    is_prose = np.array([block.link_density <= LIMITS.most_link_density for block in blocks], np.bool_)
    content = content.copy()
    content[_end_of_article(texts, words, content) :] = False
    start, end = _largest(content, words, LIMITS.most_blocks_between)
    kept = np.zeros(len(content), np.bool_)
    kept[start:end] = content[start:end] | is_prose[start:end]
    for row in range(min(start + LIMITS.headline_blocks_inside, end) - 1, max(start - LIMITS.headline_blocks_above, 0) - 1, -1):
        if is_title(texts[row], titles):
            kept[row:start] |= is_prose[row:start]
            kept[row] = True
            break
    return kept


def _end_of_article(texts: Sequence[str], words: Floats, content: Bools) -> int:
    """Return the first row that opens comments with an article before it; the number of rows if there is none."""
    before = np.cumsum(words * content) - words * content
    for row in np.flatnonzero((words <= LIMITS.most_words_of_line) & (before >= LIMITS.least_words_before)).tolist():
        if _OPENS_COMMENTS.match(texts[row]):
            return int(row)
    return len(texts)


def _largest(content: Bools, words: Floats, between: int) -> tuple[int, int]:
    """Return the run with the most words of content, (0, 0) where there is no content; of equal ones the first."""
    rows = np.flatnonzero(content)
    if not len(rows):
        return 0, 0
    runs = np.split(rows, np.flatnonzero(np.diff(rows) > between + 1) + 1)
    best = max(runs, key=lambda run: float(words[run].sum()))
    return int(best[0]), int(best[-1]) + 1


Rule = Callable[[Shallow, Shallow, Shallow], bool]

EDGE = Shallow(0.0, 0.0, 0.0)
"""The neighbour before the first and after the last block."""


class Boilerpipe(Published):
    """The published tree of numbers of words (Algorithm 2)."""

    name = "boilerpipe"

    def predict(self, page: Page) -> Prediction:
        """Return 1 for content and 0 for boilerplate, shape (blocks,)."""
        rows, blocks = page_blocks(page)
        shallow = [shallow_of(block) for block in blocks]
        content = apply_rule(by_density if self.name == BoilerpipeDensity.name else by_words, shallow)
        if self.name == BoilerpipeLargest.name:
            content = largest_content(shallow, content)
        elif self.name == BoilerpipeArticle.name:
            content = main_content([block.text for block in blocks], shallow, content, page.titles)
        probabilities = np.zeros(len(page.blocks))
        probabilities[rows] = content
        return Prediction(probabilities)


class BoilerpipeDensity(Boilerpipe):
    """The published tree of text densities (Algorithm 1)."""

    name = "boilerpipe-density"


class BoilerpipeLargest(Boilerpipe):
    """Algorithm 2 with the filter Largest Content."""

    name = "boilerpipe-largest"


class BoilerpipeArticle(Boilerpipe):
    """Algorithm 2 with the filter Main Content."""

    name = "boilerpipe-article"


def apply_rule(rule: Rule, blocks: Sequence[Shallow]) -> Bools:
    """Return which blocks of a page a published tree keeps, shape (blocks,)."""
    rows = [EDGE, *blocks, EDGE]
    return np.array([rule(*rows[at : at + 3]) for at in range(len(blocks))], np.bool_)


def by_density(before: Shallow, block: Shallow, after: Shallow) -> bool:
    """Algorithm 1: classifies by text and link density of a block and its neighbours."""
    if block.link_density > 0.333333:
        return False
    if before.link_density > 0.555556:
        return after.text_density > 11
    if block.text_density > 9:
        return after.text_density > 0
    return after.text_density > 10 or before.text_density > 4


def by_words(before: Shallow, block: Shallow, after: Shallow) -> bool:
    """Algorithm 2: classifies by number of words and link density of a block and its neighbours."""
    if block.link_density > 0.333333:
        return False
    if before.link_density > 0.555556:
        return block.words > 40 or after.words > 17
    return block.words > 16 or after.words > 15 or before.words > 4
