"""Extends the cluster of an article's paragraphs to the whole article: headline, lede, subheadings, lists, quotes, captions.

Ours, not the paper's. On each page the paragraphs determine the container, and the headline the beginning of the article. A cluster whose
blocks are there on page after page, and that is text rather than boilerplate, is part of the article. Those of its
blocks are content that are at the usual place and that no other page repeats.

Boxes inside an article that do not belong to it: advertisements, appeals, teasers.

Ours, not the paper's. On many pages their text repeats. On few pages it does not, but such a box is composed like a page of its own: it
holds none of the article's paragraphs, but a title or label and then blocks of another look.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.comments import split_template
from sightread.labeling.evidence import MOST_CHARACTERS, ArticlePlace, Evidence
from sightread.labeling.geometry import find_places
from sightread.labeling.templates import LocalScores, Template, cluster_scores, local_scores
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
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


LEAST_BOXED_SHARE = 0.8
"""Share of a cluster's blocks that are in such boxes."""
FLOW = frozenset({"ul", "ol", "dl", "table", "figure", "blockquote", "details", "pre"})
"""Structures of an article, which may hold several looks."""


def is_inserted(evidence: Evidence, members: NDArray[np.intp], article: NDArray[np.intp], places: Mapping[int, ArticlePlace]) -> bool:
    """Return whether the blocks are in boxes put into the articles.

    `article` counts the articles' headlines and paragraphs ahead of each block, shape (blocks + 1,).
    """
    boxed = [_in_box(evidence, int(index), article, places[int(evidence.table.page[index])]) for index in members]
    return sum(boxed) >= LEAST_BOXED_SHARE * len(boxed)


def _in_box(evidence: Evidence, index: int, article: NDArray[np.intp], place: ArticlePlace) -> bool:
    """Return whether the block's box is titled and of several looks: the largest element around it without the article's own blocks."""
    page, row = evidence.table.pages[evidence.table.page[index]], int(evidence.table.row[index])
    if not place.inside[row] or place.captions[row]:
        return False
    box = index, index
    for element in page.ancestors(page.blocks[row].element):
        low, high = (place.extent[element] + (index - row)).tolist()
        if article[high] > article[low]:
            break
        if page.elements[element].tag in FLOW:
            return False
        box = low, high
    return len(set(evidence.cluster[slice(*box)].tolist())) > 1 and not is_prose(evidence.table.block(box[0]).text)


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


ARTICLE = ArticleRules()
CELLS = frozenset({"td", "th"})
ITEMS = frozenset({"li", "dt", "dd"})
HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
STRUCTURE = ITEMS | CELLS | {"pre", "code", "figcaption", "caption", "blockquote", "q", *HEADINGS}
"""Tags whose text belongs to an article however short it is, if it is in the paragraphs' container."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

Members = Mapping[int, NDArray[np.intp]]
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

    @property
    def clusters(self) -> frozenset[int]:
        """All the clusters but that of the paragraphs."""
        return self.headlines | self.leads | self.parts


def grow_template(evidence: Evidence, template: Template) -> Article | None:
    """Return what the template's articles are made of; None if its paragraphs are those of cards, such as a playlist's."""
    sites = _Sites(evidence, find_places(evidence, template.cluster, template.pages.tolist()))
    pages = template.pages[
        np.unique(evidence.table.original[template.pages], return_index=True)[1]
    ]  # of pages that are the same only the first
    clusters = _by_cluster(evidence, np.flatnonzero(np.isin(evidence.table.page, pages) & (evidence.cluster != template.cluster)))
    headlines = frozenset(cluster for cluster, members in _without_boilerplate(sites, clusters).items() if _is_headline(sites, members))
    sites.begin_behind(np.concatenate([clusters.pop(cluster) for cluster in headlines] or [np.zeros(0, np.intp)]))
    leads = {cluster: members[sites.at("lead", members) & ~sites.at("inside", members)] for cluster, members in clusters.items()}
    parts = {cluster: members[sites.at("inside", members)] for cluster, members in clusters.items()}
    own = np.append(0, np.cumsum(np.isin(evidence.cluster, [template.cluster, *headlines])))
    parts = {
        cluster: members
        for cluster, members in _without_boilerplate(sites, parts).items()
        if _is_part(sites, members) and not is_inserted(evidence, members, own, sites.places)
    }
    kept = _without_cards(sites, template, parts)
    if _in_cards(
        sites, np.flatnonzero((evidence.cluster == template.cluster) & np.isin(evidence.table.page, pages)), kept | {template.cluster}
    ):
        return None
    leads = {cluster: members for cluster, members in _without_boilerplate(sites, leads).items() if _is_prose(evidence, members)}
    return Article(template, headlines, frozenset(leads), frozenset(kept))


def content_of(evidence: Evidence, article: Article) -> NDArray[np.bool_]:
    """Return for each block whether it is content by the clusters of the template's articles, on any page that has such an article."""
    cluster = article.template.cluster
    members = np.flatnonzero(np.isin(evidence.cluster, [cluster, *article.clusters]))
    pages = np.unique(evidence.table.page[(evidence.cluster == cluster) & (evidence.text > 0)])
    members = members[np.isin(evidence.table.page[members], pages)]
    sites = _Sites(evidence, find_places(evidence, cluster, pages.tolist()))
    own = evidence.cluster[members]
    heading = np.isin(own, list(article.headlines)) & sites.at("before", members)
    sites.begin_behind(members[heading])
    inside = sites.at("inside", members)
    fresh = ~evidence.repeated[members] | sites.at("heads", members) | sites.at("captions", members)
    part = (np.isin(own, list(article.parts)) & inside) | (np.isin(own, list(article.leads)) & sites.at("lead", members) & ~inside)
    found = np.zeros(len(evidence.cluster), np.bool_)
    found[members] = ((own == cluster) & inside) | heading | (part & fresh)
    return found


def weigh_articles(evidence: Evidence, template: Template) -> tuple[float, float]:
    """Return the text, in characters, and the relevance, in tokens, of what the template's articles hold; nothing if they are cards."""
    article = grow_template(evidence, template)
    if article is None:
        return 0.0, 0.0
    held = content_of(evidence, replace(article, headlines=frozenset(), leads=frozenset()))
    held &= np.isin(evidence.table.page, template.pages)
    return float(evidence.text[held].sum()), max(0.0, float(evidence.own_relevance[held].sum()))


@dataclass(frozen=True, slots=True)
class _Sites:
    """The places of the articles of several pages."""

    evidence: Evidence
    places: Mapping[int, ArticlePlace]
    _masks: dict[str, NDArray[np.bool_]] = field(default_factory=dict)

    def at(self, mask: str, members: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return a mask of the places as one value per block."""
        if mask not in self._masks:
            of_site = np.zeros(len(self.evidence.table.page), np.bool_)
            for page, place in self.places.items():
                low, high = self.evidence.table.range_of(page)
                of_site[low:high] = getattr(place, mask)
            self._masks[mask] = of_site
        found: NDArray[np.bool_] = self._masks[mask][members]
        return found

    def begin_behind(self, headlines: NDArray[np.intp]) -> None:
        """Let each page's article begin behind its last headline: nothing before it leads to the article, nor does anything without one."""
        table = self.evidence.table
        begins = np.full(len(table.pages), -1)
        np.maximum.at(begins, table.page[headlines], table.row[headlines] + 1)
        begin = begins[table.page]
        self._masks["lead"] = self.at("lead", np.arange(len(begin))) & (begin >= 0) & (table.row >= begin)


def _by_cluster(evidence: Evidence, indices: NDArray[np.intp]) -> dict[int, NDArray[np.intp]]:
    indices = indices[np.argsort(evidence.cluster[indices], kind="stable")]
    groups = np.split(indices, np.flatnonzero(np.diff(evidence.cluster[indices])) + 1)
    return {int(evidence.cluster[members[0]]): members for members in groups if len(members) and evidence.cluster[members[0]] >= 0}


def _without_boilerplate(sites: _Sites, clusters: Members) -> dict[int, NDArray[np.intp]]:
    """Return the clusters that are not links, counts, or the same few texts, without those blocks whose text other pages share.

    Subheadings and credits may repeat.
    """
    found = {}
    for cluster, of_cluster in clusters.items():
        is_exempt = sites.at("heads", of_cluster) | sites.at("captions", of_cluster)
        members = of_cluster[~sites.evidence.repeated[of_cluster] | is_exempt]
        blocks = [sites.evidence.table.block(index) for index in members]
        kinds = [_kind_of_text(sites.evidence, index) for index in members]
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
    block, page = evidence.table.block(index), evidence.table.pages[evidence.table.page[index]]
    return block.text if _within(page, block.element, CELLS) is not None else _NUMBER.sub("0", block.text)


def _is_headline(sites: _Sites, members: NDArray[np.intp]) -> bool:
    """Return whether the blocks are the pages' own titles, set as headings before the text."""
    evidence, matches = sites.evidence, 0
    for index in members[sites.at("before", members)]:
        block = evidence.table.block(index)
        if block.heading and (block_words := set(words(block.text))):
            titles = evidence.table.pages[evidence.table.page[index]].titles
            title = set(words(" ".join(text[:MOST_CHARACTERS] for text in titles)))
            matches += len(block_words & title) >= ARTICLE.least_title_match * len(block_words)
    return matches >= ARTICLE.most * len(members)


def _is_prose(evidence: Evidence, members: NDArray[np.intp]) -> bool:
    return sum(is_prose(evidence.table.block(index).text) for index in members) >= len(members) / 2


def _is_part(sites: _Sites, members: NDArray[np.intp]) -> bool:
    """Return whether blocks that are in the articles read like text, or are set as a part of it."""
    if _is_prose(sites.evidence, members):
        return True
    structured = np.array([_structured(sites.evidence, index) for index in members], np.bool_)
    return bool(np.mean(sites.at("column", members) | sites.at("captions", members) | structured) >= ARTICLE.most)


def _structured(evidence: Evidence, index: np.intp) -> bool:
    return _within(evidence.table.pages[evidence.table.page[index]], evidence.table.block(index).element, STRUCTURE) is not None


def _within(page: Page, element: int, tags: frozenset[str]) -> int | None:
    """Return the nearest element of one of the tags, from the element upwards."""
    return next((row for row in page.ancestors(element) if page.elements[row].tag in tags), None)


def _without_cards(sites: _Sites, template: Template, parts: Members) -> set[int]:
    """Return the clusters but those that go with boilerplate: items that hold some, and headings of some.

    What is dropped is boilerplate to the others.
    """
    kept = set(parts)
    while dropped := {cluster for cluster in kept if _belongs_to_boilerplate(sites, parts[cluster], kept | {template.cluster})}:
        kept -= dropped
    return kept


def _belongs_to_boilerplate(sites: _Sites, members: NDArray[np.intp], content: set[int]) -> bool:
    headings = np.mean([_heads_boilerplate(sites.evidence, index, content) for index in members])
    return bool(headings > 1 / 2) or _in_cards(sites, members, content)


def _in_cards(sites: _Sites, members: NDArray[np.intp], content: set[int]) -> bool:
    return bool(
        np.mean([_boilerplate_share(sites, int(index), content) > ARTICLE.most_boilerplate for index in members]) > 1 - ARTICLE.most
    )


def _heads_boilerplate(evidence: Evidence, index: np.intp, content: set[int]) -> bool:
    """Return whether the block is a heading and the next block is no content."""
    if not evidence.table.block(index).heading:
        return False
    return (
        index + 1 == len(evidence.table.page)
        or evidence.table.page[index + 1] != evidence.table.page[index]
        or int(evidence.cluster[index + 1]) not in content
    )


def _boilerplate_share(sites: _Sites, index: int, content: set[int]) -> float:
    """Return how much of the text of the block's item, if it is in one, is of other clusters."""
    evidence = sites.evidence
    number, row = int(evidence.table.page[index]), int(evidence.table.row[index])
    page = evidence.table.pages[number]
    item = _within(page, page.blocks[row].element, ITEMS)
    if item is None:
        return 0.0
    low, high = (sites.places[number].extent[item] + (index - row)).tolist()
    length = evidence.table.length[low:high]
    return float(length[~np.isin(evidence.cluster[low:high], list(content))].sum() / max(length.sum(), 1))


@dataclass(frozen=True, slots=True)
class TemplateScores:
    """The clusters on the pages of one template; arrays of one value per cluster."""

    score: NDArray[np.float64]
    text: NDArray[np.float64]
    """Characters outside links that no other page repeats."""
    relevance: NDArray[np.float64]
    """Tokens."""


@dataclass(frozen=True, slots=True)
class SiteArticles:
    """The articles of a site, one for each template that has any, in the order in which the templates were chosen."""

    evidence: Evidence
    """With comments that look like the paragraphs as clusters of their own."""
    articles: tuple[Article, ...]
    scores: tuple[TemplateScores, ...]
    """One for each article."""
    local: LocalScores
    """Of each page alone: the paper's local choice."""


def grow_articles(evidence: Evidence, templates: Sequence[Template]) -> SiteArticles:
    """Return the articles that the templates' paragraphs lead to."""
    for template in templates:
        evidence = split_template(evidence, template)
    return gather_articles(evidence, tuple(article for template in templates if (article := grow_template(evidence, template)) is not None))


def gather_articles(evidence: Evidence, articles: tuple[Article, ...]) -> SiteArticles:
    """Return the record of these articles, with their scores."""
    return SiteArticles(evidence, articles, tuple(_scores(evidence, article.template) for article in articles), local_scores(evidence))


def label_blocks(found: SiteArticles) -> Labels:
    """Return the label of each block. A page may hold what articles of several templates are made of; one of no template is unknown."""
    evidence = found.evidence
    nothing = np.zeros(len(evidence.table.page), np.bool_)
    content = np.logical_or.reduce([nothing, *(content_of(evidence, article) for article in found.articles)])
    known = np.isin(evidence.table.page, [page for article in found.articles for page in article.template.pages])
    return np.where(known, np.where(content, CONTENT, BOILERPLATE), UNKNOWN).astype(np.int8)


def _scores(evidence: Evidence, template: Template) -> TemplateScores:
    among = np.isin(evidence.table.page, template.pages) & (evidence.cluster >= 0)
    cluster = evidence.cluster[among]
    text, relevance = (np.bincount(cluster, values[among], evidence.clusters) for values in (evidence.text, evidence.own_relevance))
    return TemplateScores(cluster_scores(evidence, among), np.asarray(text, np.float64), np.asarray(relevance, np.float64))
