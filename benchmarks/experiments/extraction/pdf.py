"""Documents of WCXB's pages, printed by Chromium in one column and in two, and read again as PDF files."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np
from rapidfuzz.distance import LCSseq

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.wcxb import read_wcxb
from benchmarks.metrics.structure import structure_of_html
from benchmarks.report import grid
from sightread.document.document import Document
from sightread.reading.reading import read_converted, read_static
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.convert import convert
from sightread.render.errors import PageFailed
from sightread.render.text.words import words
from sightread.render.visit.capture import CaptureOptions
from sightread.sites.student import word_f1

LAYOUTS = {"one column": "", "two columns": "column-count: 2"}
LEAST = 500
"""Characters of a document that is printed."""
_PAGE = "<!doctype html><style>@page {{size: A4; margin: 2cm}} body {{font: 11pt/1.4 serif}} div {{{}}}</style><div>{}</div>"


def run(data: Path | None, pages: int) -> int:
    """Print a row per layout: how much of the documents comes back, in which order, with which headings, and the CPU time."""
    records = list(read_wcxb(data_folder(data)))
    documents = list(_documents(records[:: max(1, len(records) // pages)]))
    rows = [
        (name, f"{len(documents)}", *(f"{mean:.3f}" for mean in asyncio.run(_read_again(documents, style))))
        for name, style in LAYOUTS.items()
    ]
    print(grid(("layout", "documents", "word F1", "order", "headings found", "headings right", "CPU seconds"), rows))
    return 0


def _documents(records: list[dict[str, str]]) -> Iterator[Document]:
    for record in records:
        try:
            document = read_static(record["html"], record["url"] or "").document
        except PageFailed:
            continue
        if len(document.text) >= LEAST:
            yield document


async def _read_again(documents: list[Document], style: str) -> list[float]:
    """Return the means over documents: word F1, longest common subsequence of the words, recall and precision of headings, CPU seconds."""
    rows = []
    options = RenderOptions(capture=CaptureOptions(pdf=True), javascript=False)
    async with Browser() as browser:
        for document in documents:
            rendered = await browser.render_html(_PAGE.format(style, document.html), options=options)
            assert rendered.capture is not None
            began = process_time()
            found = read_converted(convert(rendered.capture.pdf, "pdf")).document
            spent = process_time() - began
            given, read = (_headings(each) for each in (document, found))
            both = len(given & read)
            order = LCSseq.normalized_similarity(words(document.text), words(found.text))
            rows.append(
                (word_f1(document, found), order, both / len(given) if given else np.nan, both / len(read) if read else np.nan, spent)
            )
    means: list[float] = np.nanmean(rows, axis=0).tolist()
    return means


def _headings(document: Document) -> frozenset[str]:
    return frozenset(" ".join(words(text)) for _, text in structure_of_html(document.html).headings)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 120)


COMMAND = Command("pdf", "documents printed and read again as PDF files", lambda options: run(options.data, options.pages), _add_options)
