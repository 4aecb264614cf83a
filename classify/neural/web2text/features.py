"""The 128 block features and 25 edge features of Web2Text (Vogels, Ganea and Eickhoff, ECIR 2018, section 3.2 and its appendix).

The appendix numbers some features twice and refers to others by a number that is not theirs; the list here is by name, in order:

    block   0..2    has_duplicate, has_10_duplicates, same_class_path
            3..26   of the leaf: LEAF
            27      has_parent
            28..47  of the parent: NODE
            48..67  tags of the parent: PARENT_TAGS
            68      has_grandparent
            69..88  of the grandparent: NODE
            89..108 of the root: NODE
            109..127 tags of the leaf: LEAF_TAGS
    edge    0..3    hops between two neighbours in the tree: 2, 3, 4, more
            4       line_break
            5..24   of the nearest common ancestor: NODE

Departures: the appendix lists `ul` twice among the parent's tags, and its second place goes to `article`, which pages of that time had not.
Positions and shares of the source code are counted in characters of text, for a `Page` has no source code. Shares are shares: the authors'
code divides whole numbers there. What replaces the logarithm of nothing is the clip's lower end. Numbers are standardised by the
training pages, not by constants, those of parents, grandparents and roots together; marks are 1 and -1, and 0 for a parent or grandparent
that is not there.

Text statistics of Web2Text, for all leaves of a page at once.

The counts add up, so those of any node are sums over its leaves. Words are runs of letters, digits and underscores of any script; a
sentence ends with its mark before white space, or with a mark of CJK, or with the leaf.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.classify.neural.web2text.tree import CollapsedTree, NodeRows, tag_bits
from sightread.render.page.array_types import Features

Counts = NDArray[np.float64]
"""One value per leaf, or a node."""

_FUNCTION_WORDS = """
    a an the this that these those some any each both all such no nor not only own same other few more most much many several
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
    itself they them their theirs themselves who whom whose which what where when why how
    about above across after against along among around as at before behind below beneath beside between beyond by down during
    except for from in inside into like near of off on onto out outside over past since through throughout to toward towards under
    until up upon with within without and but or if because although though while whereas unless than so yet
    am is are was were be been being have has had having do does did doing can cannot could may might must shall should will would
    again also already always ever here just never now often once quite rather still then there too very
"""
STOPWORDS = frozenset(_FUNCTION_WORDS.split())
"""Articles, pronouns, prepositions, conjunctions, auxiliaries and plain adverbs of English; the paper does not print its list."""

_END = "\n"
"""Behind every text."""
_WORD_OR_END = re.compile(r"\w+|\n")
_SENTENCE_END = re.compile(r"[.?!][\"'”’)\]]{0,3} ")
_CJK_SENTENCE_END = re.compile(r"[。？！](?![。？！\n])")
_EMAIL = re.compile(r"\w@\w")
_URL = re.compile(r"(?:https?|ftp)://[^\s/$.?#]")
_YEAR_LENGTH = 4
_PUNCTUATION, _QUESTIONS = (np.isin(np.arange(0x10000), [ord(sign) for sign in signs]) for signs in (".,?;:!。，、？；：！", "?？"))
"""Whether each character of the basic plane is one; all symbols are in it, and its last is no character."""


class TextCounts(NamedTuple):
    """Counts of each leaf; shape (leaves,)."""

    characters: Counts
    words: Counts
    word_characters: Counts
    capitals: Counts
    """Words that begin with a capital."""
    stopwords: Counts
    sentences: Counts
    punctuation: Counts
    digits: Counts
    copyrights: Counts
    emails: Counts
    urls: Counts
    years: Counts
    """Words of four digits."""
    linked: Counts
    """Characters in links."""


class Ends(NamedTuple):
    """How each leaf ends; shape (leaves,)."""

    punctuation: NDArray[np.bool_]
    question: NDArray[np.bool_]


def count_text(texts: Sequence[str], is_linked: NDArray[np.bool_]) -> tuple[TextCounts, Ends]:
    """Return the counts and the ends of texts that are not empty and hold no line break."""
    whole = _END.join([*texts, ""])
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    stops = np.cumsum(lengths + 1) - 1
    codes = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), np.uint32)

    def totals(leaves: NDArray[np.int64], weights: Counts | None = None) -> Counts:
        return np.bincount(leaves, weights, minlength=len(texts)).astype(np.float64)

    def by_leaf(places: Sequence[int] | NDArray[np.int64]) -> Counts:
        return totals(np.searchsorted(stops, np.asarray(places, np.int64)))

    def matches(pattern: re.Pattern[str], sign: str = "") -> Counts:
        """Return how often the pattern, which needs the sign, is found: looking for the sign first costs a tenth."""
        return by_leaf([match.start() for match in pattern.finditer(whole)] if sign in whole else [])

    words, of_leaf = _split_words(whole)
    letters = np.fromiter(map(len, words), np.int64, len(words))
    is_year = np.zeros(len(words), np.bool_)
    is_year[[row for row in np.flatnonzero(letters == _YEAR_LENGTH).tolist() if words[row].isdecimal()]] = True
    is_capital = np.fromiter(map(str.isupper, map(itemgetter(0), words)), bool, len(words))
    is_stopword = np.fromiter(map(STOPWORDS.__contains__, map(str.lower, words)), bool, len(words))
    within = np.minimum(codes, len(_PUNCTUATION) - 1)
    counts = TextCounts(
        characters=lengths.astype(np.float64),
        words=totals(of_leaf),
        word_characters=totals(of_leaf, letters.astype(np.float64)),
        capitals=totals(of_leaf[is_capital]),
        stopwords=totals(of_leaf[is_stopword]),
        sentences=matches(_SENTENCE_END) + matches(_CJK_SENTENCE_END) + 1,
        punctuation=by_leaf(np.flatnonzero(_PUNCTUATION[within])),
        digits=by_leaf(np.flatnonzero((codes >= ord("0")) & (codes <= ord("9")))),
        copyrights=by_leaf(np.flatnonzero(codes == ord("©"))),
        emails=matches(_EMAIL, "@"),
        urls=matches(_URL, "://"),
        years=totals(of_leaf[is_year]),
        linked=np.where(is_linked, lengths, 0).astype(np.float64),
    )
    last = within[stops - 1] if len(texts) else within[:0]
    return counts, Ends(_PUNCTUATION[last], _QUESTIONS[last])


def _split_words(whole: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return all words of texts that each end with a line break, and the number of each one's text."""
    found = _WORD_OR_END.findall(whole)
    is_end = np.fromiter(map(_END.__eq__, found), np.bool_, len(found))
    return [word for word in found if word != _END], (np.cumsum(is_end) - is_end)[~is_end]


LEAF = (
    *("has_word", "log_words", "average_word_length", "has_stopword", "stopword_ratio", "log_characters", "contains_punctuation"),
    *("punctuation", "log_punctuation_ratio", "has_numeric", "numeric_ratio", "log_sentence_length", "has_multiple_sentences"),
    *("relative_position", "relative_position^2", "ends_with_punctuation", "ends_with_question_mark", "contains_copyright"),
    *("contains_email", "contains_url", "contains_year", "capital_ratio", "capital_ratio^2", "capital_ratio^3"),
)
NODE = (
    *("text_share", "link_density", "average_word_length", "has_stopword", "stopword_ratio", "log_characters", "log_punctuation_ratio"),
    *("has_numeric", "numeric_ratio", "log_sentence_length", "ends_with_punctuation", "ends_with_question_mark", "contains_copyright"),
    *("contains_email", "contains_url", "contains_year", "capital_ratio", "capital_ratio^2", "capital_ratio^3", "contains_form"),
)
PARENT_TAGS = (
    *("td", "div", "p", "tr", "table", "body", "ul", "span", "li", "blockquote"),
    *("b", "small", "a", "ol", "article", "i", "form", "dl", "strong", "pre"),
)
LEAF_TAGS = (
    *("a", "p", "td", "b", "li", "span", "i", "tr", "div", "strong"),
    *("em", "h3", "h2", "table", "h4", "small", "sup", "h1", "blockquote"),
)
BLOCK_NAMES = (
    *("has_duplicate", "has_10_duplicates", "same_class_path", *LEAF),
    *("has_parent", *(f"parent_{name}" for name in NODE), *(f"parent_tag_{tag}" for tag in PARENT_TAGS)),
    *("has_grandparent", *(f"grandparent_{name}" for name in NODE)),
    *(*(f"root_{name}" for name in NODE), *(f"tag_{tag}" for tag in LEAF_TAGS)),
)
EDGE_NAMES = ("hops_2", "hops_3", "hops_4", "hops_more", "line_break", *(f"common_ancestor_{name}" for name in NODE))

_NUMBERS = frozenset(
    (
        *("same_class_path", "log_words", "average_word_length", "stopword_ratio", "log_characters", "punctuation", "numeric_ratio"),
        *("log_punctuation_ratio", "log_sentence_length", "relative_position", "relative_position^2", "text_share", "link_density"),
        *("capital_ratio", "capital_ratio^2", "capital_ratio^3"),
    )
)
_PREFIXES = ("parent_", "grandparent_", "root_", "common_ancestor_")
LEAF_LENGTHS, NODE_LENGTHS = (2.5, 5.5), (2.5, 10.0)
"""Between what the logarithm of the number of characters is clipped (appendix)."""
MANY_DUPLICATES = 10
"""Copies of a text from which on it has_10_duplicates."""


class PageFeatures(NamedTuple):
    """The features of one page, not yet standardised; NaN represents an ancestor that is not there."""

    blocks: Features
    """Shape (leaves, 128)."""
    edges: Features
    """Between each leaf and the next, shape (leaves - 1, 25); (0, 25) without leaves."""


def number_kind(name: str) -> str:
    """Return what the feature measures, the same for a parent, a grandparent, the root and a common ancestor; empty for a mark."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            base = name.removeprefix(prefix)
            return f"node_{base}" if base in _NUMBERS else ""
    return name if name in _NUMBERS else ""


def page_features(tree: CollapsedTree) -> PageFeatures:
    """Return the features of a page's leaves and of the edges between them, in time linear in its text."""
    if not tree.texts:
        return PageFeatures(np.zeros((0, len(BLOCK_NAMES)), np.float32), np.zeros((0, len(EDGE_NAMES)), np.float32))
    counts, ends = count_text(tree.texts, tree.linked)
    nodes = _node_features(tree, counts, ends)
    parent = tree.parent[tree.leaves]
    grandparent = np.where(parent >= 0, tree.parent[parent], -1)
    blocks = np.column_stack(
        (
            _copies(tree),
            _leaf_features(counts, ends),
            _marks(parent >= 0),
            _of(nodes, parent),
            _of(_tag_marks(tree, PARENT_TAGS), parent),
            _marks(grandparent >= 0),
            _of(nodes, grandparent),
            np.repeat(nodes[:1], len(parent), axis=0),
            _tag_marks(tree, LEAF_TAGS)[tree.leaves],
        )
    )
    ancestor = tree.parent[tree.leaves[:-1] + 1]  # what opens behind a leaf is the next child of the common ancestor
    edges = np.column_stack((_hop_marks(tree, ancestor), _marks(tree.breaks[1:]), nodes[ancestor]))
    return PageFeatures(blocks.astype(np.float32), edges.astype(np.float32))


def _copies(tree: CollapsedTree) -> Counts:
    """Return how often the leaf's text occurs on the page, as marks, and the share of leaves with its class path."""
    numbers: dict[str, int] = {}
    texts = np.array([numbers.setdefault(text, len(numbers)) for text in tree.texts])
    copies = np.bincount(texts)[texts]
    alike = np.bincount(tree.paths)[tree.paths] if tree.paths.min() >= 0 else np.ones(1)
    return np.column_stack((_marks(copies > 1), _marks(copies > MANY_DUPLICATES), alike / len(texts)))


def _leaf_features(counts: TextCounts, ends: Ends) -> Counts:
    total = counts.characters.sum()
    position = (np.cumsum(counts.characters) - counts.characters / 2) / total
    words = np.maximum(counts.words, 1)
    capital = counts.capitals / words
    return np.column_stack(
        (
            _marks(counts.words > 0),
            np.clip(np.log(words), 0, 3.5),
            np.clip(counts.word_characters / words, 3, 15),
            _marks(counts.stopwords > 0),
            counts.stopwords / words,
            np.clip(np.log(counts.characters), *LEAF_LENGTHS),
            _marks(counts.punctuation > 0),
            np.clip(counts.punctuation, 0, 10),
            _log_ratio(counts.punctuation, counts.characters),
            _marks(counts.digits > 0),
            counts.digits / counts.characters,
            np.clip(np.log(counts.characters / counts.sentences), 2, 5),
            _marks(counts.sentences > 1),
            position,
            position**2,
            _marks(ends.punctuation),
            _marks(ends.question),
            *_presence(counts, capital),
        )
    )


def _node_features(tree: CollapsedTree, of_leaves: TextCounts, ends: Ends) -> Counts:
    """Return the features `NODE` of every node, shape (nodes, 20)."""
    counts = TextCounts(*(_sums(column, tree) for column in of_leaves))
    words = np.maximum(counts.words, 1)
    capital = counts.capitals / words
    last = tree.stop - 1
    return np.column_stack(
        (
            counts.characters / counts.characters[0],
            counts.linked / counts.characters,
            np.clip(counts.word_characters / words, 3, 15),
            _marks(counts.stopwords > 0),
            counts.stopwords / words,
            np.clip(np.log(counts.characters), *NODE_LENGTHS),
            _log_ratio(counts.punctuation, counts.characters),
            _marks(counts.digits > 0),
            counts.digits / counts.characters,
            np.clip(np.log(counts.characters / counts.sentences), 2, 5),
            _marks(ends.punctuation[last]),
            _marks(ends.question[last]),
            *_presence(counts, capital),
            _marks(tree.has_input),
        )
    )


def _presence(counts: TextCounts, capital: Counts) -> tuple[Counts, ...]:
    """Return the features that leaves and nodes share: texts of a kind that are present, and powers of the share of capitals."""
    present = (counts.copyrights, counts.emails, counts.urls, counts.years)
    return (*(_marks(number > 0) for number in present), capital, capital**2, capital**3)


def _sums(column: Counts, tree: CollapsedTree) -> Counts:
    """Return the sum of a leaf's count over the leaves under each node; whole numbers, so exact."""
    before = np.zeros(len(column) + 1)
    np.cumsum(column, out=before[1:])
    return before[tree.stop] - before[tree.first]


def _hop_marks(tree: CollapsedTree, ancestor: NodeRows) -> Counts:
    """Return which of 2, 3, 4 and more hops lead from each leaf over the common ancestor to the next."""
    hops = _steps(tree, tree.leaves[:-1], ancestor) + _steps(tree, tree.leaves[1:], ancestor)
    return np.column_stack([_marks(hops == 2), _marks(hops == 3), _marks(hops == 4), _marks(hops > 4)])


def _steps(tree: CollapsedTree, rows: NodeRows, ancestor: NodeRows) -> NodeRows:
    """Return how many steps lead up to the ancestor; 4 for more than 3."""
    steps = np.full(len(rows), 4)
    for count in (1, 2, 3):
        rows = np.where(rows > 0, tree.parent[rows], 0)
        steps[(rows == ancestor) & (steps == 4)] = count
    return steps


def _tag_marks(tree: CollapsedTree, tags: tuple[str, ...]) -> Counts:
    return _marks((tree.tags[:, np.newaxis] & tag_bits(tags)) != 0)


def _of(features: Counts, rows: NodeRows) -> Counts:
    """Return the features of these rows, NaN if a row is -1."""
    return np.where((rows >= 0)[:, np.newaxis], features[rows], np.nan)


def _log_ratio(part: Counts, whole: Counts) -> Counts:
    """Return the logarithm of the share of punctuation, clipped as in the appendix."""
    return np.clip(np.log(np.maximum(part, 1e-9) / whole), -4, -2.5)


def _marks(values: NDArray[np.bool_]) -> Counts:
    return np.where(values, 1.0, -1.0)
