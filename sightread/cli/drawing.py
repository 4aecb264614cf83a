"""Image outputs of `extract`: screenshot and overlay."""

from __future__ import annotations

from pathlib import Path

from render.errors import Rejected
from render.files import write_atomically
from render.page import Page
from render.visit.picture import Picture, write_picture
from sightread.cli.options import DrawingOptions
from sightread.cli.output import print_message
from sightread.reading import Reading
from sightread.viewer.svg_overlay import draw_overlay

FULL_SCALE = 1.0
"""Image pixels per CSS pixel of a requested picture, which must be legible."""


def check_drawing(options: DrawingOptions, *, static: bool) -> None:
    """Raise `Rejected` if the requested image cannot be drawn, before a page is opened for it."""
    if static:
        raise Rejected("--picture and --overlay need a browser, and --static does without one: leave either out")
    for option, path, suffix in (("--picture", options.picture, ".webp"), ("--overlay", options.overlay, ".svg")):
        if path and path.suffix.lower() != suffix:
            raise Rejected(f"{option} {path}: the file is one of {suffix[1:]}: give it a name that ends in {suffix}")


def save_drawings(reading: Reading, options: DrawingOptions) -> None:
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
        print_message(f"the page is too tall for one picture: {paths[0]} goes on in {further}")
