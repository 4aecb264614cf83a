"""`sightread extract` of one page that is rendered or captured: with a screenshot, an overlay of its blocks, and what the browser knows."""

from __future__ import annotations

from dataclasses import replace

from sightread.cli.commands import ExtractCommand
from sightread.cli.run import print_message
from sightread.cli.stored import site_of
from sightread.cli.visiting import capture_options, read_target, render_options, save_capture
from sightread.reading import Reading
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically
from sightread.render.visit.picture import SCALE, write_picture

FULL_SCALE = 1.0
"""Image pixels per CSS pixel of a requested picture, which must be legible."""


async def read_and_draw(options: ExtractCommand, target: str) -> Reading:
    """Read the page that the command names, and write the files about it. Raises `StorageFailed`."""
    url = site_of(target)
    rendering = replace(render_options(options, url), capture=capture_options(options, is_live=bool(url)))
    if options.picture or options.overlay or options.picture_of is not None:
        _check_drawing(options)
        rendering = replace(rendering, picture=True, picture_scale=FULL_SCALE if options.picture else SCALE)
        if options.picture and options.picture.suffix.lower() == ".png":
            rendering = replace(rendering, picture_format="png")
        if options.picture_of is not None:
            rendering = replace(rendering, picture_of=options.picture_of)
    reading = await read_target(options, target, rendering)
    _save_drawings(reading, options)
    if reading.capture:
        save_capture(options, reading.capture)
        if reading.capture.note:
            print_message(reading.capture.note)
    return reading


def _check_drawing(options: ExtractCommand) -> None:
    """Raise `Rejected` if the requested image cannot be drawn, before a page is opened for it."""
    if options.static:
        raise Rejected("--picture and --overlay need a browser, and --static does without one: leave out one of them")
    if options.picture_of is not None and (options.overlay or not options.picture):
        raise Rejected("--picture-of names the element that --picture shows: give --picture FILE, and no --overlay, which shows the page")
    kinds = (("--picture", options.picture, (".webp", ".png")), ("--overlay", options.overlay, (".svg",)))
    for option, path, endings in kinds:
        if path and path.suffix.lower() not in endings:
            written = " or ".join(ending[1:].upper() for ending in endings)
            raise Rejected(f"{option} {path}: the file is written as {written}: give it a name that ends in {' or '.join(endings)}")


def _save_drawings(reading: Reading, options: ExtractCommand) -> None:
    if options.picture and reading.picture:
        first, *others = write_picture(options.picture, reading.picture)
        if others:
            further = ", ".join(path.name for path in others)
            print_message(f"the page is too tall for one picture: {first} continues in {further}")
        last, size = reading.picture.boxes[-1], reading.page.document
        if size and options.picture_of is None and last.y + last.height < size.height:
            print_message(f"the picture ends at {last.y + last.height:.0f} px of {size.height:.0f}: a longer --deadline may show more")
    elif options.picture:
        print_message(f"{options.picture} was not written: without a browser there is no picture")
    if options.overlay:
        from sightread.viewer.svg_overlay import draw_overlay  # noqa: PLC0415  (for few pages)

        overlay = draw_overlay(
            reading.page, reading.prediction.relative, reading.picture, reading.model.name, kept=reading.document.selection.rows
        )
        write_atomically(options.overlay, overlay)
