"""`sightread extract`: prints the main content of one page, and writes its screenshot and overlay."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from sightread.cli.batch.extract_many import extract_many, list_targets
from sightread.cli.options.browser_options import render_options
from sightread.cli.options.error_words import worded_note
from sightread.cli.options.options import DrawingOptions, ExtractCommand
from sightread.cli.options.visit_options import capture_fields, save_capture
from sightread.cli.output import explanation, formatted, print_message, write
from sightread.cli.source import read_source, site_of
from sightread.reading import Reading
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically
from sightread.render.page import Page
from sightread.render.visit.picture import SCALE, Picture, write_picture
from sightread.viewer.svg_overlay import draw_overlay

FULL_SCALE = 1.0
"""Image pixels per CSS pixel of a requested picture, which must be legible."""


async def extract(options: ExtractCommand) -> int:
    """Print the main content of one page, or of each of several."""
    targets = list_targets(options.listing)
    if len(targets) > 1 or options.listing.output_dir or options.listing.urls:
        if options.files:
            raise Rejected("--save-html, --save-har, --save-console and --save-pdf are for a single page: leave them out")
        return await extract_many(options, targets)
    source, drawings = replace(options.source, target=targets[0]), options.drawings
    url = site_of(source.target)
    rendering = replace(render_options(options.browsing, url), **capture_fields(options.files, is_live=bool(url)))
    if drawings.picture or drawings.overlay:
        _check_drawing(drawings, static=source.static)
        rendering = replace(rendering, picture=True, picture_scale=FULL_SCALE if drawings.picture else SCALE)
    reading = await read_source(source, options.browsing, rendering)
    _save_drawings(reading, drawings)
    if reading.capture:
        save_capture(options.files, reading.capture)
        if reading.capture.note:
            print_message(reading.capture.note)
    if reading.note:
        print_message(worded_note(reading.note))
    if reading.document.reason:
        print_message(reading.document.reason)
    also = (*options.also, "left_out") if options.explain else options.also
    document = reading.document.without(*options.without)
    text = formatted(document, "json" if options.format == "jsonl" else options.format, also)
    if options.explain and options.format not in ("json", "jsonl"):
        sys.stderr.write(explanation(document))
    if options.output:
        write_atomically(options.output, text.encode())
    else:
        write(text)
    return 0


def _check_drawing(options: DrawingOptions, *, static: bool) -> None:
    """Raise `Rejected` if the requested image cannot be drawn, before a page is opened for it."""
    if static:
        raise Rejected("--picture and --overlay need a browser, and --static does without one: leave out one of them")
    for option, path, suffix in (("--picture", options.picture, ".webp"), ("--overlay", options.overlay, ".svg")):
        if path and path.suffix.lower() != suffix:
            raise Rejected(f"{option} {path}: the file is written as {suffix[1:].upper()}: give it a name that ends in {suffix}")


def _save_drawings(reading: Reading, options: DrawingOptions) -> None:
    """Write the requested picture and overlay. Raises `StorageFailed`."""
    if options.picture:
        if reading.picture:
            _report_files(write_picture(options.picture, reading.picture))
            _report_end(reading.picture, reading.page)
        else:
            print_message(f"{options.picture} was not written: without a browser there is no picture")
    if options.overlay:
        overlay = draw_overlay(
            reading.page, reading.prediction.relative, reading.picture, reading.model.name, kept=reading.document.selection.rows
        )
        write_atomically(options.overlay, overlay)


def _report_end(picture: Picture, page: Page) -> None:
    bottom = picture.boxes[-1].y + picture.boxes[-1].height
    if page.document and bottom < page.document.height:
        print_message(f"the picture ends at {bottom:.0f} px of {page.document.height:.0f}: a longer --deadline may show more")


def _report_files(paths: tuple[Path, ...]) -> None:
    if len(paths) > 1:
        further = ", ".join(path.name for path in paths[1:])
        print_message(f"the page is too tall for one picture: {paths[0]} continues in {further}")
