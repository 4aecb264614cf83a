"""The clusterings beside one another: the labels of the original authors' seven sites, whole, with noise, and on few of their pages.

The labels are judged by the sites' own article containers (`benchmarks.datasets.references`), by character.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.references import reference_labels
from benchmarks.datasets.spider import SITES, read_site
from sightread.classify.evaluation import character_score
from sightread.labeling.clusterings.base import CLUSTERINGS, Clustering
from sightread.labeling.label_site import label_site
from sightread.render.labels import CONTENT
from sightread.render.page import Page

Site = Mapping[str, Sequence[Page]]
DRAWS = 3
"""Of the noise, and of the pages."""


def run(data: Path | None) -> int:
    """Print the mean and the least character F1 over sites and draws, a row for each state that the sites are in."""
    folder = data_folder(data)
    whole = {name: [found.page for found in read_site(folder, name)] for name in SITES}
    print(f"{'character F1, mean and least':32}" + "".join(f"{name:>18}" for name in CLUSTERINGS))
    for title, sites in _states(whole):
        scores = [[_f1(name, pages, clustering) for name, pages in sites] for clustering in CLUSTERINGS.values()]
        print(f"{title:32}" + "".join(f"{fmean(of_sites):11.4f}{min(of_sites):7.3f}" for of_sites in scores), flush=True)
    return 0


def _f1(name: str, pages: Sequence[Page], clustering: Clustering) -> float:
    kept = np.concatenate(label_site(pages, clustering).labels) == CONTENT
    gold = np.concatenate([reference_labels(name, page) for page in pages])
    return character_score(kept, gold, [block.text for page in pages for block in page.blocks]).f1


def _states(whole: Site) -> Iterator[tuple[str, Sequence[tuple[str, Sequence[Page]]]]]:
    yield "as they are", list(whole.items())
    for styles, widths in ((0.02, 0.1), (0.1, 0.1), (0.3, 0.1), (0.0, 0.5)):
        changed = [
            (name, [_noisy(page, styles, widths, random.Random(f"{draw} {page.url}")) for page in pages])
            for name, pages in whole.items()
            for draw in range(DRAWS)
        ]
        yield f"{styles:.0%} of styles, {widths:.0%} of widths", changed
    for count in (10, 5, 3):
        yield f"{count} pages", [(name, part) for name, pages in whole.items() for part in _draws(pages, count)]


def _noisy(page: Page, styles: float, widths: float, chance: random.Random) -> Page:
    """Return the page with a share of its blocks in another colour, each its own, and a share as wide as before give or take 20 px."""
    tables = list(page.styles)
    blocks = []
    for block in page.blocks:
        box, style = block.box, block.style
        if box is not None and chance.random() < widths:
            box = box._replace(width=max(1.0, box.width + chance.gauss(0, 20)))
        if style is not None and chance.random() < styles:
            tables.append({**tables[style], "color": f"rgb({chance.randrange(256)}, 0, 0)"})
            style = len(tables) - 1
        blocks.append(replace(block, box=box, style=style))
    return replace(page, blocks=tuple(blocks), styles=tuple(tables))


def _draws(pages: Sequence[Page], count: int) -> Iterator[Sequence[Page]]:
    for draw in range(DRAWS):
        rows = sorted(random.Random(draw).sample(range(len(pages)), count))
        yield [pages[row] for row in rows]


COMMAND = Command("clusterings", "labels by DBSCAN and by HDBSCAN, with noise and on few pages", lambda options: run(options.data))
