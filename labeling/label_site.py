"""The labeler: signatures, clusters, relevance, templates, articles, confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.articles import Article, SiteArticles, grow_articles, label_blocks, weigh_articles
from sightread.labeling.clusterings import CLUSTERINGS, Clustering
from sightread.labeling.combination import combine_labels, decide_parts
from sightread.labeling.confidence import assess_pages, assess_site, assess_templates, label_stability
from sightread.labeling.evidence import Evidence, Relevance, gather, read_site, token_relevance
from sightread.labeling.known_clusters import KnownClusters, assign, remember
from sightread.labeling.labels import NO_CHOICES, Choices, Cluster, Role, SiteLabels, label_laid_out
from sightread.labeling.looks import build_table
from sightread.labeling.templates import choose_templates
from sightread.render.errors import Rejected
from sightread.render.labels import UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.render.page.view import laid_out

SAMPLES, SAMPLE = 3, 500
"""How many texts of a cluster are shown, and how many characters of each."""


@dataclass(frozen=True, slots=True)
class LabelingResult:
    """The clusters, articles and labels of a site; arrays have one value per block."""

    cluster: NDArray[np.int32]
    """By look alone; the articles' evidence may have split some."""
    found: SiteArticles
    labels: Labels

    def site_labels(self, stability: NDArray[np.float64]) -> SiteLabels:
        """Return the labels of the site with their confidence; `stability` has one value per page (`sightread.labeling.confidence`)."""
        evidence, labels = self.found.evidence, self.labels
        table = evidence.table
        templates = assess_templates(self.found, stability)
        return SiteLabels(
            clusters=_describe_clusters(evidence, self.found.articles),
            assignments=table.by_page(evidence.cluster),
            labels=table.by_page(labels),
            page_confidence=tuple(assess_pages(evidence, templates, labels).tolist()),
            templates=templates,
            confidence=assess_site(evidence, templates, labels),
            known=remember(table.looks, self.cluster),
        )


def _describe_clusters(evidence: Evidence, articles: Sequence[Article]) -> tuple[Cluster, ...]:
    chosen: dict[int, tuple[Role, int]] = {}
    for row, article in reversed(list(enumerate(articles))):
        chosen.update(dict.fromkeys(article.clusters, ("part", row)))
    chosen.update({article.template.cluster: ("body", row) for row, article in enumerate(articles)})
    order = np.argsort(evidence.cluster, kind="stable")
    bounds = np.searchsorted(evidence.cluster[order], np.arange(evidence.clusters + 1))
    return tuple(
        _describe(evidence, order[bounds[number] : bounds[number + 1]], chosen.get(number, ("", -1))) for number in range(evidence.clusters)
    )


def _describe(evidence: Evidence, members: NDArray[np.intp], chosen: tuple[Role, int]) -> Cluster:
    blocks = [evidence.table.block(index) for index in members]
    characters = sum(len(block.text) for block in blocks)
    looks = evidence.table.looks
    commonest = looks.signatures[Counter(looks.signature[members].tolist()).most_common(1)[0][0]]
    return Cluster(
        id=int(evidence.cluster[members[0]]),
        blocks=len(members),
        pages=len(np.unique(evidence.table.page[members])),
        characters=characters,
        link_share=sum(block.link_chars for block in blocks) / max(characters, 1),
        relevance=float(evidence.relevance[members].sum()),
        text_share=float(evidence.text[members].sum() / max(evidence.text.sum(), 1.0)),
        role=chosen[0],
        template=chosen[1],
        tag_path=commonest.tag_path,
        style=commonest.style,
        width=float(np.median(looks.width[members])),
        samples=_samples(evidence, members),
    )


def _samples(evidence: Evidence, members: NDArray[np.intp]) -> tuple[str, ...]:
    longest: dict[int, str] = {}
    for index in members:
        page, text = int(evidence.table.page[index]), evidence.table.block(index).text
        if len(text) > len(longest.get(page, "")):
            longest[page] = text
    return tuple(text[:SAMPLE] for text in sorted(dict.fromkeys(longest.values()), key=len, reverse=True)[:SAMPLES])


def label_site(
    pages: Sequence[Page],
    clustering: Clustering = CLUSTERINGS["dbscan"],
    *,
    predictions: Sequence[NDArray[np.float64]] | None = None,
    choices: Choices = NO_CHOICES,
) -> SiteLabels:
    """Label every block of the pages of one site as content, boilerplate or unknown.

    `predictions` are a second source of evidence (`sightread.labeling.combination`): for each page the log-odds of each block to be
    content, by a model for any site. Pages of no template stay without labels, unless most are: then predictions alone label them.
    `choices` keep or drop comments and other parts of pages, regardless of the evidence (`sightread.labeling.combination`).

    Raises `Rejected` if no page has text outside links: there is nothing to choose from.
    """
    if not any(not block.hidden and block.link_chars < len(block.text) for page in pages for block in page.blocks):
        raise Rejected(f"none of the {len(pages)} pages shows text outside links: start from a page that leads to articles")
    labels = label_laid_out(lambda shown: _label_shown(shown, clustering), pages)
    if predictions is not None:
        labels = combine_labels(pages, labels, predictions, choices)
    elif choices:
        parts, by_page = decide_parts(pages, labels.labels, choices)
        labels = replace(labels, labels=by_page, parts=parts)
    return replace(labels, known=_looks_of_templates(pages, labels))


def _looks_of_templates(pages: Sequence[Page], labels: SiteLabels) -> KnownClusters:
    """Return the known clusters of the pages with labels: a page whose text has other looks is of no template."""
    labelled = [laid_out(page)[0] for page, of_page in zip(pages, labels.labels, strict=True) if (of_page != UNKNOWN).any()]
    if len(labelled) == len(pages):
        return labels.known
    table = build_table(labelled)
    return remember(table, assign(labels.known, table))


def _label_shown(pages: Sequence[Page], clustering: Clustering) -> SiteLabels:
    found = _find(pages, clustering, token_relevance)
    evidence = found.found.evidence
    relevance = evidence.table.by_page(evidence.relevance)  # titles and descriptions need no second reading

    def relabel(rows: Sequence[int]) -> Labels:
        return _find([pages[row] for row in rows], clustering, lambda _: [relevance[row] for row in rows]).labels

    return found.site_labels(label_stability(evidence, found.labels, relabel))


def _find(pages: Sequence[Page], clustering: Clustering, relevance: Relevance) -> LabelingResult:
    table = read_site(pages)
    cluster = clustering(table.looks)
    evidence = gather(table, cluster, relevance)
    found = grow_articles(evidence, choose_templates(evidence, weigh_articles))
    return LabelingResult(cluster, found, label_blocks(found))
