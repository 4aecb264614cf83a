"""Labelling a large site: seconds and memory against the number of blocks, with plain DBSCAN beside it as far as it can go.

The blocks are drawn from real signatures (datasets/spider) with noise: pages of the authors' sites, every one changed a little. One in ten
blocks gets another width, one in a hundred another style, and a fifth of the words of every text outside links are replaced.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from benchmarks.datasets import data_folder
from benchmarks.spider import SITES, read_site
from labeling.auto import label_site
from labeling.signature import SignatureTable, build_table
from render.page import Block, Page

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
NAIVE_LIMIT = 30_000
"""Beyond this plain DBSCAN wants minutes and gigabytes."""
ASKED = {100_000: (10.0, 1024.0), 1_000_000: (120.0, 4096.0)}
"""Blocks to seconds and MiB."""
MIB = 1024.0


def run(data: Path | None, most: int) -> int:
    """Print one row a size, each measured in a process of its own; return 1 where a figure asked for is missed."""
    folder = data_folder(data)
    missed = 0
    print(f"{'blocks':>9}{'pages':>8}{'signatures':>11}{'clusters':>9}{'label s':>9}{'MiB':>8}{'of it pages':>12}{'plain DBSCAN s':>15}")
    for size in (size for size in SIZES if size <= most):
        row = _in_child(folder, size)
        print(
            f"{size:9}{row[0]:8.0f}{row[1]:11.0f}{row[2]:9.0f}{row[3]:9.1f}{row[4]:8.0f}{row[5]:12.0f}"
            f"{f'{row[6]:.1f}' if row[6] >= 0 else '-':>15}",
            flush=True,
        )
        seconds, mebibytes = ASKED.get(size, (np.inf, np.inf))
        missed += row[3] > seconds or row[4] > mebibytes
    return int(missed > 0)


def _in_child(folder: Path, size: int) -> tuple[float, ...]:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("spawn").Process(target=_measure, args=(folder, size, sender))
    child.start()
    sender.close()
    row: tuple[float, ...] = receiver.recv()
    child.join()
    return row


def _measure(folder: Path, size: int, sender: Connection) -> None:
    pages = noisy_site(folder, size)
    held = _peak()
    started = time.perf_counter()
    labels = label_site(pages)
    seconds = time.perf_counter() - started
    peak = _peak()
    table = build_table(pages)
    naive = -1.0
    if size <= NAIVE_LIMIT:
        started = time.perf_counter()
        _plain_dbscan(table)
        naive = time.perf_counter() - started
    sender.send((len(pages), len(table.signatures), len(labels.clusters), seconds, peak, held, naive))


def noisy_site(folder: Path, size: int) -> list[Page]:
    """Return pages of `size` blocks in all, the same for the same size."""
    chance = random.Random(size)
    real = [found.page for name in SITES for found in read_site(folder, name)]
    words = [word for page in real for block in page.blocks for word in block.text.split()]
    pages: list[Page] = []
    left = size
    while left > 0:
        page = chance.choice(real)
        blocks = tuple(_noisy(block, words, chance) for block in page.blocks[:left])
        styles = tuple(
            {**style, "color": f"rgb({chance.randrange(256)}, 0, 0)"} if chance.random() < 0.01 else style for style in page.styles
        )
        pages.append(replace(page, blocks=blocks, styles=styles, url=f"{page.url}?{len(pages)}"))
        left -= len(blocks)
    return pages


def _noisy(block: Block, words: Sequence[str], chance: random.Random) -> Block:
    box = block.box
    if box is not None and chance.random() < 0.1:
        box = box._replace(width=max(1.0, box.width + chance.gauss(0, 20)))
    if block.link_chars:
        return replace(block, box=box)
    text = " ".join(chance.choice(words) if chance.random() < 0.2 else word for word in block.text.split())
    return replace(block, box=box, text=text)


def _plain_dbscan(table: SignatureTable) -> None:
    """Cluster block by block, as the paper's program did."""
    from sklearn.cluster import DBSCAN  # noqa: PLC0415  (for the comparison only)
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    names: dict[tuple[str, str], int] = {}
    keys = [[names.setdefault(key, len(names)) for key in (("path", s.tag_path), *s.style.items())] for s in table.signatures]
    columns = np.zeros((len(table.signature), len(names) + 1), np.float32)
    for row, signature in enumerate(table.signature.tolist()):
        columns[row, keys[signature]] = 1.0
    columns[:, -1] = table.width
    DBSCAN(eps=0.5, min_samples=1).fit(StandardScaler(copy=False).fit_transform(columns))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB
