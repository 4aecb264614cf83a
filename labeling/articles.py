"""Extends the cluster of an article's paragraphs to the whole article: headline, lede, subheadings, lists, quotes, captions.

Ours, not the paper's. On each page the paragraphs determine the container, and the headline the beginning of the article. A cluster whose
blocks are there on page after page, and that is text rather than boilerplate, is part of the article. Those of its
blocks are content that are at the usual place and that no other page repeats.

Plain blogs set comments as they set the post, so that no signature parts them. Their containers do: the post has one on each page, and
behind it the comments have one each, all of a kind (`split_template`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sightread.labeling.evidence import MOST_CHARACTERS, Evidence, SiteTable
from sightread.labeling.geometry import Places, container, find_places, kind_of
from sightread.labeling.templates import Template, combine
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page.array_types import Bools, Labels, Rows
from sightread.render.page.view import block_ranges
from sightread.render.text.words import count_words, words

SENTENCE_ENDS = tuple(".!?。！？।॥؟۔")
QUOTES = "»”’\"'"
"""A sentence may end inside them."""
OPEN_ENDS, LABEL = ("…", ":", "：", *QUOTES), 5
"""Quotes, announcements and unfinished sentences end like this, and so do labels and buttons; these have fewer words than that."""
SENTENCES = 25
"""Words from which on a text is prose without a full stop: twice the length of a headline."""


def is_prose(text: str) -> bool:
    """Return whether a text is a sentence at least, in any script: by its end, or by its length."""
    end, length = text.rstrip(), count_words(text)
    return end.rstrip(QUOTES).endswith(SENTENCE_ENDS) or length >= SENTENCES or (end.endswith(OPEN_ENDS) and length >= LABEL)


@dataclass(frozen=True, slots=True)
class ArticleRules:
    """Thresholds of the articles of a template. Shares are 0 to 1."""

    most: float = 0.8
    """A condition on a cluster must hold for this share of its blocks."""
    most_linked: float = 0.5
    """A cluster with more of its characters inside links is navigation."""
    least_fresh: float = 0.5
    """If less than this share of its blocks has text that no other page repeats, a cluster belongs to the site."""
    least_varied: float = 0.5
    """With fewer different texts than this share of its blocks, a cluster is labels and buttons."""
    least_title_match: float = 0.6
    """A headline shares this part of its words with the page's title."""
    most_boilerplate: float = 0.1
    """An item that holds more than this share of boilerplate is a card of its own (a playlist, teasers), not an item of the article's
    list."""
    comments_behind: float = 0.8
    """Least share of the blocks of comments that are behind the article."""
    comments_per_page: float = 1.5
    """Least containers of comments per page, on average: a kind with one on each page is a part of the article."""


ARTICLE = ArticleRules()
CELLS = frozenset({"td", "th"})
ITEMS = frozenset({"li", "dt", "dd"})
HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
STRUCTURE = ITEMS | CELLS | {"pre", "code", "figcaption", "caption", "blockquote", "q", *HEADINGS}
"""Tags whose text belongs to an article however short it is, if it is in the paragraphs' container."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

Members = Mapping[int, Rows]
"""Blocks of each cluster."""


@dataclass(frozen=True, slots=True)
class Article:
    """The clusters of a template's articles; a block of them is content if it is at the usual place."""

    template: Template
    headlines: frozenset[int]
    """Headings ahead of the last paragraph that repeat the page's title."""
    leads: frozenset[int]
    """Prose between the headline and the first paragraph, wherever in the tree."""
    parts: frozenset[int]
    """Other blocks that belong to the text, in its container."""
    content: Bools
    """Which blocks of the site are content by these clusters, on any page that has such an article; shape (blocks,)."""

    @property
    def clusters(self) -> frozenset[int]:
        """All the clusters but that of the paragraphs."""
        return self.headlines | self.leads | self.parts


def grow_template(evidence: Evidence, template: Template) -> Article | None:
    """Return what the template's articles are made of; None if its paragraphs are those of cards, such as a playlist's."""
    table, cluster, places = evidence.table, evidence.cluster, find_places(evidence, template.cluster)
    originals = template.pages[np.unique(table.original[template.pages], return_index=True)[1]]
    paragraphs, counted = cluster == template.cluster, np.isin(table.page, originals)
    clusters = _by_cluster(evidence, np.flatnonzero(counted & ~paragraphs))
    headlines = {number for number, members in _own_texts(evidence, places, clusters).items() if _is_headline(evidence, places, members)}
    heading = np.isin(cluster, list(headlines)) & places.before
    lead = places.lead & ~places.inside & _behind(table, heading)
    others = {number: members for number, members in clusters.items() if number not in headlines}
    inside = _own_texts(evidence, places, {number: members[places.inside[members]] for number, members in others.items()})
    ahead = _own_texts(evidence, places, {number: members[lead[members]] for number, members in others.items()})
    parts = {number: members for number, members in inside.items() if _is_part(evidence, places, members)}
    kept = _without_cards(evidence, template, parts)
    if _in_cards(evidence, np.flatnonzero(paragraphs & counted), kept | {template.cluster}):
        return None
    leads = {number for number, members in ahead.items() if _is_prose(evidence, members)}
    fresh = ~evidence.repeated | places.heads | places.captions
    others_content = (np.isin(cluster, list(kept)) & places.inside) | (np.isin(cluster, list(leads)) & lead)
    content = (paragraphs & places.inside) | heading | (others_content & fresh)
    return Article(template, frozenset(headlines), frozenset(leads), frozenset(kept), content)


def weigh_articles(evidence: Evidence, template: Template) -> tuple[float, float]:
    """Return the text, in characters, and the relevance, in tokens, of what the template's articles hold; nothing if they are cards.

    Headlines and ledes do not count.
    """
    article = grow_template(evidence, template)
    if article is None:
        return 0.0, 0.0
    held = article.content & np.isin(evidence.cluster, [template.cluster, *article.parts]) & np.isin(evidence.table.page, template.pages)
    return float(evidence.text[held].sum()), max(0.0, float(evidence.own_relevance[held].sum()))


def _behind(table: SiteTable, headings: Bools) -> Bools:
    """Return which blocks are behind the last of the headings on their page; none on a page without one."""
    last = np.full(len(table.pages), np.iinfo(np.int32).max)
    last[table.page[headings]] = table.row[headings]  # ascending
    return np.asarray(table.row > last[table.page])


def _by_cluster(evidence: Evidence, indices: Rows) -> dict[int, Rows]:
    indices = indices[np.argsort(evidence.cluster[indices], kind="stable")]
    groups = np.split(indices, np.flatnonzero(np.diff(evidence.cluster[indices])) + 1)
    return {int(evidence.cluster[members[0]]): members for members in groups if len(members) and evidence.cluster[members[0]] >= 0}


def _own_texts(evidence: Evidence, places: Places, clusters: Members) -> dict[int, Rows]:
    """Return the clusters that are not links, counts, or the same few texts, without those blocks whose text other pages share.

    Subheadings and credits may repeat.
    """
    found = {}
    for cluster, of_cluster in clusters.items():
        members = of_cluster[~evidence.repeated[of_cluster] | places.heads[of_cluster] | places.captions[of_cluster]]
        blocks = [evidence.table.block(index) for index in members]
        kinds = [_kind_of_text(evidence, index) for index in members]
        linked = sum(block.link_chars for block in blocks) > ARTICLE.most_linked * sum(len(block.text) for block in blocks)
        if (
            len(members) >= ARTICLE.least_fresh * len(of_cluster)
            and not linked
            and len(set(kinds)) >= ARTICLE.least_varied * len(kinds)
            and set(kinds) - {"0"}
        ):
            found[cluster] = members
    return found


def _kind_of_text(evidence: Evidence, index: np.intp) -> str:
    """Return the text with all numbers alike, so that "12 views" equals "7 views"; in a cell numbers are kept."""
    text = evidence.table.block(index).text
    return text if _within(evidence, index, CELLS) is not None else _NUMBER.sub("0", text)


def _is_headline(evidence: Evidence, places: Places, members: Rows) -> bool:
    """Return whether the blocks are the pages' own titles, set as headings before the text."""
    matches = 0
    for index in members[places.before[members]]:
        block = evidence.table.block(index)
        if block.heading and (block_words := set(words(block.text))):
            titles = evidence.table.pages[evidence.table.page[index]].titles
            title = set(words(" ".join(text[:MOST_CHARACTERS] for text in titles)))
            matches += len(block_words & title) >= ARTICLE.least_title_match * len(block_words)
    return matches >= ARTICLE.most * len(members)


def _is_prose(evidence: Evidence, members: Rows) -> bool:
    return sum(is_prose(evidence.table.block(index).text) for index in members) >= len(members) / 2


def _is_part(evidence: Evidence, places: Places, members: Rows) -> bool:
    if _is_prose(evidence, members):
        return True
    structured = np.array([_within(evidence, index, STRUCTURE) is not None for index in members], np.bool_)
    return bool(np.mean(places.column[members] | places.captions[members] | structured) >= ARTICLE.most)


def _within(evidence: Evidence, index: np.intp, tags: frozenset[str]) -> int | None:
    page = evidence.table.pages[evidence.table.page[index]]
    return next((row for row in page.ancestors(evidence.table.block(index).element) if page.elements[row].tag in tags), None)


def _without_cards(evidence: Evidence, template: Template, parts: Members) -> set[int]:
    """Return the clusters but those that go with boilerplate: items that hold some, and headings of some.

    What is dropped is boilerplate to the others.
    """
    kept = set(parts)
    while True:
        content = kept | {template.cluster}
        headings = {number for number in kept if np.mean([_heads_boilerplate(evidence, row, content) for row in parts[number]]) > 1 / 2}
        dropped = headings | {number for number in kept if _in_cards(evidence, parts[number], content)}
        if not dropped:
            return kept
        kept -= dropped


def _in_cards(evidence: Evidence, members: Rows, content: set[int]) -> bool:
    in_cards = np.mean([_boilerplate_share(evidence, index, content) > ARTICLE.most_boilerplate for index in members])
    return bool(in_cards > 1 - ARTICLE.most)


def _heads_boilerplate(evidence: Evidence, index: np.intp, content: set[int]) -> bool:
    if not evidence.table.block(index).heading:
        return False
    return (
        index + 1 == len(evidence.table.page)
        or evidence.table.page[index + 1] != evidence.table.page[index]
        or int(evidence.cluster[index + 1]) not in content
    )


def _boilerplate_share(evidence: Evidence, index: np.intp, content: set[int]) -> float:
    """Return how much of the text of the block's item, if it is in one, is of other clusters."""
    item = _within(evidence, index, ITEMS)
    if item is None:
        return 0.0
    firsts, ends = block_ranges(evidence.table.pages[evidence.table.page[index]])
    begin = int(index - evidence.table.row[index])
    of_item = slice(begin + firsts[item], begin + ends[item])
    length = evidence.table.length[of_item]
    return float(length[~np.isin(evidence.cluster[of_item], list(content))].sum() / max(length.sum(), 1))


@dataclass(frozen=True, slots=True)
class SiteArticles:
    """The articles of a site, one for each template that has any, in the order in which the templates were chosen."""

    evidence: Evidence
    """With comments that look like the paragraphs as clusters of their own."""
    articles: tuple[Article, ...]


def grow_articles(evidence: Evidence, templates: Sequence[Template]) -> SiteArticles:
    """Return the articles that the templates' paragraphs lead to."""
    for template in templates:
        evidence = split_template(evidence, template)
    return SiteArticles(evidence, tuple(article for template in templates if (article := grow_template(evidence, template)) is not None))


def label_blocks(found: SiteArticles) -> Labels:
    """Return the label of each block. A page may hold what articles of several templates are made of; one of no template is unknown."""
    page = found.evidence.table.page
    content = np.logical_or.reduce([np.zeros(len(page), np.bool_), *(article.content for article in found.articles)])
    known = np.isin(page, [row for article in found.articles for row in article.template.pages])
    return np.where(known, np.where(content, CONTENT, BOILERPLATE), UNKNOWN).astype(np.int8)


# Comments that look like the article.


def split_template(evidence: Evidence, template: Template) -> Evidence:
    """Return the evidence with those blocks of the template's cluster that are not its article's moved to a new cluster, the last.

    They stay on a page without the article's own container: there nothing shows that they are comments.
    """
    table, kinds = evidence.table, _kinds(evidence, template)
    text, relevance = ([float(values[members].sum()) for members in kinds] for values in (evidence.text, evidence.relevance))
    whole, relevant = max(sum(text), 1.0), max(sum(relevance), 1.0)
    scores = [combine(own / whole, max(gain / relevant, 0.0)) for own, gain in zip(text, relevance, strict=True)]
    main = kinds[scores.index(max(scores))]
    others = [members for members in kinds if members is not main and _is_behind(table, members, main)]
    if not others:
        return evidence
    moved = np.concatenate(others)
    cluster = evidence.cluster.copy()
    cluster[moved[np.isin(table.page[moved], table.page[main])]] = evidence.clusters
    return replace(evidence, cluster=cluster)


def _kinds(evidence: Evidence, template: Template) -> list[Rows]:
    """Return the blocks of the template's cluster by tags and classes of the elements around them."""
    table = evidence.table
    kinds: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for index in np.flatnonzero((evidence.cluster == template.cluster) & np.isin(table.page, template.pages)):
        page = table.pages[table.page[index]]
        kinds[kind_of(page, page.elements[table.block(index).element].parent)].append(int(index))
    return [np.array(members, np.intp) for members in kinds.values()]


def _is_behind(table: SiteTable, members: Rows, main: Rows) -> bool:
    """Return whether the blocks have several containers per page, behind and outside of the one of the main kind."""
    of_main = {number: table.row[main[table.page[main] == number]] for number in np.unique(table.page[members]).tolist()}
    containers, behind = set(), 0
    for index in members:
        number, row = int(table.page[index]), int(table.row[index])
        page, rows = table.pages[number], of_main[number]
        parent = page.elements[table.block(index).element].parent
        containers.add((number, parent))
        behind += len(rows) > 0 and row > rows[-1] and container(page, rows) not in page.ancestors(parent)
    return behind >= ARTICLE.comments_behind * len(members) and len(containers) >= ARTICLE.comments_per_page * len(of_main)
