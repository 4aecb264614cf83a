"""Pages beside their Markdown, as pictures to look at: on the left what a browser shows, with the blocks in the colours of the overlay, and
on the right the Markdown as a reader's program shows it. It shows what figures do not: text that runs together, a lost list, a
table that is none.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import Sample, find_sets, read_samples
from render.browser.browser import STORED
from render.errors import SightreadError
from render.files import write_atomically
from render.visit.picture import write_picture
from sightread.reader import Reader
from sightread.viewer.svg_overlay import draw_overlay

AT_ONCE = 2
SCALE = 0.75
"""Image pixels per CSS pixel: text stays legible at half the width."""
_PARSER = MarkdownIt("commonmark", {"html": False, "maxNesting": 200}).enable(["table", "strikethrough"])
_STYLE = """body { margin: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 16px; font: 15px/1.45 sans-serif; align-items: start }
.page { width: 100% } .text { padding: 0 16px; overflow-wrap: anywhere } .text img { max-width: 60px; outline: 1px solid #888 }
pre { background: #eee; padding: 6px; white-space: pre-wrap } td, th { border: 1px solid #888; padding: 2px 6px; vertical-align: top }
table { border-collapse: collapse } blockquote { border-left: 3px solid #888; margin-left: 4px; padding-left: 10px }"""


def run(data: Path | None, sets: Sequence[str], pages: int, model: str, out: Path) -> int:
    """Write `SET-ID.webp` and `SET-ID.md` of so many pages of each set, at even distances; return the exit code."""
    folder = data_folder(data)
    samples = [sample for name in find_sets(sets, folder) for sample in _spread(list(read_samples(name, folder)), pages)]
    failed = asyncio.run(_draw_all(samples, model, out))
    print(f"{len(samples) - failed} of {len(samples)} pages are in {out}")
    return 0


async def _draw_all(samples: Iterable[Sample], model: str, out: Path) -> int:
    gate = asyncio.Semaphore(AT_ONCE)
    async with Reader(model) as reader:

        async def draw(sample: Sample) -> bool:
            async with gate:
                try:
                    await _draw(reader, sample, out / f"{sample.data}-{sample.id}.webp")
                except SightreadError as error:
                    print(f"{sample.data} {sample.id}: {error}", flush=True)
                    return False
                return True

        return (await asyncio.gather(*map(draw, samples))).count(False)


async def _draw(reader: Reader, sample: Sample, path: Path) -> None:
    options = replace(STORED, picture=True, picture_scale=SCALE)
    reading = await reader.read_html(sample.html, sample.url, options=options)
    markdown = reading.document.markdown
    write_atomically(path.with_suffix(".md"), markdown.encode())
    overlay = base64.b64encode(
        draw_overlay(reading.page, reading.prediction.relative, reading.picture, reading.model.name, kept=reading.document.selection.rows)
    ).decode()
    picture = f'<img class="page" src="data:image/svg+xml;base64,{overlay}" alt="">'
    title = f"<p><small>{escape(sample.kind)} {escape(sample.url)}</small></p>"
    html = f"<!doctype html><style>{_STYLE}</style>{picture}<div class='text'>{title}{_PARSER.render(markdown)}</div>"
    shown = await reader.read_html(html, options=options)
    if shown.picture:
        write_picture(path, shown.picture)


def _spread(samples: list[Sample], count: int) -> list[Sample]:
    count = min(count, len(samples))
    return [samples[place * len(samples) // count] for place in range(count)]
