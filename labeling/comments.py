"""Comments that look like the article: splits one cluster by the position of its blocks.

Ours, not the paper's. Plain blogs set comments as they set the post, so that no signature parts them. Their containers do: the post has one
on each page, and behind it the comments have one each, all of a kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sightread.labeling.evidence import Evidence
from sightread.labeling.geometry import container
from sightread.labeling.templates import Template, combine
from sightread.render.page import Page

LEAST_SHARE_BEHIND = 0.8
"""Share of a kind's blocks that are behind the article."""
LEAST_CONTAINERS = 1.5
"""Least containers per page, on average: a kind with one on each page is a part of the article."""


@dataclass(slots=True)
class _Kind:
    """Blocks of one cluster in containers of one kind."""

    indices: list[int] = field(default_factory=list)
    text: float = 0.0
    relevance: float = 0.0


def split_template(evidence: Evidence, template: Template) -> Evidence:
    """Return the evidence with those blocks of the template's cluster that are not its article's moved to a new cluster, the last.

    They stay on a page without the article's own container: there nothing shows that they are comments.
    """
    kinds = _kinds(evidence, template)
    main = max(kinds.values(), key=lambda kind: combine(kind.text, max(kind.relevance, 0.0)))
    others = [kind for kind in kinds.values() if kind is not main and _is_behind(evidence, kind, main)]
    if not others:
        return evidence
    with_article = set(evidence.table.page[main.indices].tolist())
    moved = [index for kind in others for index in kind.indices if int(evidence.table.page[index]) in with_article]
    cluster = evidence.cluster.copy()
    cluster[moved] = evidence.clusters
    return replace(evidence, cluster=cluster)


def _kinds(evidence: Evidence, template: Template) -> dict[tuple[str, ...], _Kind]:
    """Return the blocks of the template's cluster by tags and classes of the elements around them."""
    kinds: defaultdict[tuple[str, ...], _Kind] = defaultdict(_Kind)
    of_cluster = np.flatnonzero(evidence.cluster == template.cluster)
    of_cluster = of_cluster[np.isin(evidence.table.page[of_cluster], template.pages)]
    texts, relevances = evidence.text[of_cluster], evidence.relevance[of_cluster]
    for index, text, relevance in zip(of_cluster.tolist(), texts / max(texts.sum(), 1), relevances / max(relevances.sum(), 1), strict=True):
        page = evidence.table.pages[evidence.table.page[index]]
        kind = kinds[_surroundings(page, evidence.table.block(index).element)]
        kind.indices.append(index)
        kind.text += text
        kind.relevance += relevance
    return kinds


def _surroundings(page: Page, element: int) -> tuple[str, ...]:
    return tuple(".".join((page.elements[row].tag, *page.elements[row].classes)) for row in page.ancestors(element)[1:])


def _is_behind(evidence: Evidence, kind: _Kind, main: _Kind) -> bool:
    """Return whether the kind's blocks have several containers per page, behind and outside of the one of the main kind."""
    of_main, of_kind = _by_page(evidence, main.indices), _by_page(evidence, kind.indices)
    behind = containers = 0
    for number, rows in of_kind.items():
        page = evidence.table.pages[number]
        parents = [page.elements[page.blocks[row].element].parent for row in rows]
        containers += len(set(parents))
        if number in of_main:
            article = container(page, np.array(of_main[number], np.int32))
            behind += sum(
                row > of_main[number][-1] and article not in page.ancestors(parent) for row, parent in zip(rows, parents, strict=True)
            )
    return behind >= LEAST_SHARE_BEHIND * len(kind.indices) and containers >= LEAST_CONTAINERS * len(of_kind)


def _by_page(evidence: Evidence, indices: Sequence[int]) -> dict[int, list[int]]:
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for index in indices:
        rows[int(evidence.table.page[index])].append(int(evidence.table.row[index]))
    return dict(rows)
