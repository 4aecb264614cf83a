"""Labelling a large site: seconds and memory against the number of blocks, with plain DBSCAN beside it as far as it can go.

The blocks are drawn from real signatures (datasets/spider) with noise: pages of the authors' sites, every one changed a little. One in ten
blocks gets another width, one in a hundred another style, and a fifth of the words of every text outside links are replaced.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchmarks.commands import Command, add_out
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.spider import SITES, read_site
from benchmarks.report import grid, publish
from sightread.labeling.clusterings import CLUSTERINGS, Clustering, merge_blocks
from sightread.labeling.label_site import label_site
from sightread.labeling.looks import SignatureTable, build_table
from sightread.render.page import Block, Page

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
PLAIN = "plain DBSCAN"
"""Block by block, as the paper's program did; the clustering alone."""
PLAIN_LIMIT = 30_000
"""Beyond this plain DBSCAN wants minutes and gigabytes."""
TARGET = {100_000: (10.0, 1024.0), 1_000_000: (120.0, 4096.0)}
"""Blocks to seconds and MiB."""
MIB = 1024.0
NAMES = ("dbscan", "hdbscan", PLAIN)
"""In the order of the table's columns."""


@dataclass(frozen=True, slots=True)
class Run:
    """One measurement, in a process of its own."""

    way: str
    """A clustering's name, or `PLAIN`."""
    blocks: int
    pages: int
    signatures: int
    looks: int
    """Different pairs of signature and width."""
    clusters: int
    seconds: float
    """Of the whole of `label_site` on one core, which is what it uses: other work on the machine does not stretch them."""
    clock: float
    """The same by the clock."""
    clustering: float
    """Seconds of it that the clustering takes, with that of resampled pages."""
    peak: float
    """MiB of the process at most."""
    held: float
    """MiB before the labelling: the pages, mostly."""

    @property
    def misses(self) -> bool:
        """Whether a target is missed."""
        seconds, mebibytes = TARGET.get(self.blocks, (np.inf, np.inf))
        return self.way != PLAIN and (self.seconds > seconds or self.peak > mebibytes)


def run(data: Path | None, most: int, out: Path | None) -> int:
    """Print a row for each size and clustering, and write the table to `out`; return 1 if a target is missed."""
    folder = data_folder(data)
    names = f"{'':14}{'blocks':>9}{'pages':>7}{'signatures':>11}{'looks':>8}{'clusters':>9}"
    print(f"{names}{'s':>8}{'clock':>8}{'clustering':>11}{'MiB':>7}{'pages':>7}")
    runs = []
    for size in (size for size in SIZES if size <= most):
        for way in (*CLUSTERINGS, PLAIN) if size <= PLAIN_LIMIT else CLUSTERINGS:
            row = _in_child(folder, size, way)
            runs.append(row)
            print(
                f"{way:14}{row.blocks:9}{row.pages:7}{row.signatures:11}{row.looks:8}{row.clusters:9}"
                f"{row.seconds:8.1f}{row.clock:8.1f}{row.clustering:11.2f}{row.peak:7.0f}{row.held:7.0f}",
                flush=True,
            )
    if out is not None:
        write_table(runs, out)
    return int(any(row.misses for row in runs))


def _in_child(folder: Path, size: int, way: str) -> Run:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("spawn").Process(target=_measure, args=(folder, size, way, sender))
    child.start()
    sender.close()
    row: Run = receiver.recv()
    child.join()
    return row


def _measure(folder: Path, size: int, way: str, sender: Connection) -> None:
    pages = noisy_site(folder, size)
    held = _peak()
    cluster = _plain_dbscan if way == PLAIN else CLUSTERINGS[way]
    cluster(build_table(pages[:1]))  # what it imports takes a second, regardless of the size
    clustering = _Timed(cluster)
    started, clock = time.process_time(), time.perf_counter()
    if way == PLAIN:
        clustering(build_table(pages))
    else:
        chance = np.random.default_rng(size)
        predictions = [chance.normal(0.0, 3.0, len(page.blocks)) for page in pages]
        started, clock = time.process_time(), time.perf_counter()
        label_site(pages, clustering, predictions=predictions)
    seconds, clock = time.process_time() - started, time.perf_counter() - clock
    peak = _peak()
    table = build_table(pages)
    looks = len(merge_blocks(table).weight)
    row = Run(way, size, len(pages), len(table.signatures), looks, clustering.clusters, seconds, clock, clustering.seconds, peak, held)
    sender.send(row)


class _Timed:
    """A clustering that remembers how long it took in all, and how many clusters it found at first: resamples of the pages come after."""

    def __init__(self, clustering: Clustering) -> None:
        self.seconds = 0.0
        self.clusters = 0
        self._clustering = clustering

    def __call__(self, table: SignatureTable) -> NDArray[np.int32]:
        started = time.process_time()
        found = self._clustering(table)
        self.seconds += time.process_time() - started
        self.clusters = self.clusters or int(found.max(initial=-1)) + 1
        return found


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
        images = tuple(image for image in page.images if image.before <= len(blocks))
        pages.append(replace(page, blocks=blocks, styles=styles, images=images, url=f"{page.url}?{len(pages)}"))
        left -= len(blocks)
    return pages


def _noisy(block: Block, words: Sequence[str], chance: random.Random) -> Block:
    box = block.box
    if box is not None and chance.random() < 0.1:
        box = box._replace(width=max(1.0, box.width + chance.gauss(0, 20)))
    if block.link_chars:
        return msgspec.structs.replace(block, box=box)
    text = " ".join(chance.choice(words) if chance.random() < 0.2 else word for word in block.text.split())
    return msgspec.structs.replace(block, box=box, text=text)


def _plain_dbscan(table: SignatureTable) -> NDArray[np.int32]:
    """Cluster block by block, as the paper's program did."""
    from sklearn.cluster import DBSCAN  # noqa: PLC0415  (for the comparison only)
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    names: dict[tuple[str, str], int] = {}
    keys = [[names.setdefault(key, len(names)) for key in (("path", s.tag_path), *s.style.items())] for s in table.signatures]
    columns = np.zeros((len(table.signature), len(names) + 1), np.float32)
    for row, signature in enumerate(table.signature.tolist()):
        columns[row, keys[signature]] = 1.0
    columns[:, -1] = table.width
    found: NDArray[np.int64] = DBSCAN(eps=0.5, min_samples=1).fit_predict(StandardScaler(copy=False).fit_transform(columns))
    return found.astype(np.int32)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB


def write_table(runs: Sequence[Run], folder: Path) -> None:
    """Write `scale.md` and `scale.csv` into the folder. Raises `StorageFailed`."""
    publish("scale", [_markdown(runs)], folder, [asdict(run) for run in runs])


def _markdown(runs: Sequence[Run]) -> str:
    rows = []
    for size in dict.fromkeys(run.blocks for run in runs):
        of_size = {run.way: run for run in runs if run.blocks == size}
        some = next(iter(of_size.values()))
        cells = [f"{some.blocks:,}", f"{some.pages:,}", f"{some.signatures:,}", f"{some.looks:,}"]
        for way in NAMES:
            run = of_size.get(way)
            cells += [f"{run.seconds:.1f}", f"{run.peak:,.0f}"] if run else ["", ""]
        rows.append(cells)
    head = ["blocks", "pages", "signatures", "looks", "DBSCAN: s", "MiB", "HDBSCAN: s", "MiB", "plain DBSCAN alone: s", "MiB"]
    return grid(head, rows)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--most", type=int, default=SIZES[-1], metavar="N", help="leave out larger sizes (default: %(default)s)")
    add_out(parser, "write scale.md and scale.csv there")


COMMAND = Command(
    "scale",
    "seconds and memory of the labeler, up to a million blocks",
    lambda options: run(options.data, options.most, options.out),
    _add_options,
)
