"""Pages that the global model learns from: those of a data set and of built sites, made ones, and those that a teacher labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from benchmarks.alignment.gold_labels import align_blocks, match_gold
from benchmarks.datasets.samples import at_even_distances, read_samples
from benchmarks.sites.built_sites import SiteStore
from benchmarks.training.made_pages import make_page
from sightread.classify.general.model import GlobalModel
from sightread.render.labels import PageType
from sightread.render.network.address import host_of
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.render.static.parse import read_html

COVERED = 0.5
"""Least share of a block's letters that the gold text holds, of a block to be learned as content; two thirds score the same."""
LEARNED_PARTS = ("choose", "calibrate")
"""The parts of the built sites that are learned from: folds by generator judge the model on them, and the part `final`."""
BUILT_PAGES = 4
"""Of each built site: pages of one template are much alike."""
BUILT_DOMAIN = "example"
"""Top level of the addresses of built pages, below it the generator, and below that the site."""
MOST_BLOCKS = 1000
"""Of a page of a built site."""
SHOWN = 0.8
"""Least share of the gold text that is in the HTML of such a page."""
PROSE = (120, 1500)
"""Least and most characters of a text whose words made pages have."""
UNLABELLED = ("cleaneval", "cleanportaleval", "dragnet", "readability", "scrapinghub")
"""Sets of which every second page is learned from without its gold text, from what a teacher makes of it."""


@dataclass(frozen=True, slots=True)
class Gold:
    """A page as it is read without a browser, with what a person chose of it."""

    page: Page
    labels: Labels
    text: str
    kind: PageType | None
    """None for a page of generated text."""


class Lessons(NamedTuple):
    """Pages that the models of all folds learn from."""

    made: Sequence[Gold] = ()
    pages: Sequence[Page] = ()
    """Without labels."""
    teacher: GlobalModel | None = None
    """Whose predictions replace these (distillation; Hinton et al. 2015)."""


def read_labelled(record: dict[str, str]) -> Gold:
    """Return a page of a data set."""
    return label(read_html(record["html"], record["url"] or ""), record)


def label(page: Page, record: dict[str, str]) -> Gold:
    """Return a page of a data set that was read before, in a browser perhaps."""
    shares = align_blocks([block.text for block in page.blocks], record["text"])
    return Gold(page, (shares >= COVERED).astype(np.int8), record["text"], cast("PageType", record["page_type"]))


def read_built(sites: SiteStore) -> list[Gold]:
    """Return pages of the built sites of `LEARNED_PARTS`, `BUILT_PAGES` of each at even distances, as they are read without a browser.

    Those of a generator are of one domain. Pages of over `MOST_BLOCKS` blocks, and those that show their text by scripts only, are left
    out. Raises `Rejected` if there is no site of these parts.
    """
    pages = []
    for site in sites.sites(LEARNED_PARTS):
        root = f"https://{site.name}.{site.generator}.{BUILT_DOMAIN}"
        sources = dict(sites.sources(site))
        read = [(page.gold, read_html(sources[page], f"{root}/{page.path}")) for page in site.pages if page in sources]
        fit = [(gold, page) for gold, page in read if 0 < len(page.blocks) <= MOST_BLOCKS]
        pages += [found for gold, page in at_even_distances(fit, BUILT_PAGES) if (found := _exact(page, gold))]
    return pages


def read_made(built: Sequence[Gold]) -> list[Gold]:
    """Return as many made pages as there are built ones, each with words of one of these sites and of a domain of its own."""
    of_sites: dict[str, list[str]] = defaultdict(list)
    for each in built:
        of_sites[host_of(each.page.url)] += [line for line in each.text.splitlines() if PROSE[0] <= len(line) <= PROSE[1]]
    texts = [of_site for of_site in of_sites.values() if of_site]
    made = [make_page(texts[seed % len(texts)], seed) for seed in range(len(built) if texts else 0)]
    pages = (_exact(read_html(html, f"https://made{seed}.{BUILT_DOMAIN}/"), gold) for seed, (html, gold) in enumerate(made))
    return [page for page in pages if page]


def read_lessons(data: Path, teacher: Path) -> tuple[list[Page], GlobalModel]:
    """Return every second page of the sets of `UNLABELLED` that are there, and the teacher. Raises `BadRecord` if its file is damaged."""
    samples = (sample for name in UNLABELLED if (data / name).is_dir() for sample in islice(read_samples(name, data), 0, None, 2))
    return [page for sample in samples if (page := read_html(sample.html, sample.url)).blocks], GlobalModel.load(teacher)


def _exact(page: Page, gold: str) -> Gold | None:
    """Return a page of generated text, whose gold text is exact; None if its blocks do not have that text."""
    match = match_gold([block.text for block in page.blocks], gold)
    return Gold(page, (match.shares >= COVERED).astype(np.int8), gold, None) if match.found >= SHOWN else None
