"""`sightread extract`: prints the main content of one page; or extracts many, into a folder or JSON lines.

What a page without a browser does not need is imported when it is needed: the start takes longer than most pages.
"""

from __future__ import annotations

import sys
from dataclasses import fields, replace

from sightread.cli.commands import TABLES, CaptureFiles, ExtractCommand, HomeOption, VisitOptions, WholeSiteOptions
from sightread.cli.run import explanation, formatted, print_message, worded_note, write
from sightread.cli.stored import load_stored, read_lines, read_target_static, with_scheme
from sightread.document.chunks import check_sizes
from sightread.document.formats import find_format
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically


async def extract(options: ExtractCommand) -> int:
    """Print the main content of one page, or of each of several."""
    also = (*options.also, "left_out") if options.explain else options.also
    options = replace(options, format="json" if options.json else options.format, also=also)
    check_sizes(options.chunk_tokens, options.chunk_overlap)
    if options.citations and not ((named := find_format(options.format)) and named.takes_citations) and options.format != "jsonl":
        raise Rejected(f"--citations marks Markdown, JSON and chunks, and --format is {options.format}: take one of these, or leave it out")
    if options.site or options.status or options.list:
        from sightread.cli.whole_site import extract_site  # noqa: PLC0415  (the browser and the crawler)

        return await extract_site(options)
    for each in fields(WholeSiteOptions):
        if getattr(options, each.name) not in (None, False, ()):
            raise Rejected(f"--{each.name.replace('_', '-')} is for whole sites: add --site SITE, or leave it out")
    targets = list_targets(options)
    if len(targets) > 1 or options.output_dir or options.urls:
        from sightread.cli.extract_many import extract_many  # noqa: PLC0415  (the browser and the progress bar)

        return await extract_many(options, targets)
    if options.format in TABLES:
        raise Rejected(f"--format {options.format} is a table of pages, in a folder: add --output-dir FOLDER")
    if _is_static_alone(options):
        reading = read_target_static(options, load_stored(options, targets[0]))
    else:
        from sightread.cli.drawing import read_and_draw  # noqa: PLC0415  (the browser)

        reading = await read_and_draw(options, targets[0])
    if reading.note:
        print_message(worded_note(reading.note))
    if reading.document.reason:
        print_message(reading.document.reason)
    document = reading.document.without(*options.without).by_visibility(options.visible)
    text = formatted(document, "json" if options.format == "jsonl" else options.format, options.write_options)
    if options.explain and options.format not in ("json", "jsonl"):
        sys.stderr.write(explanation(document))
    if options.output:
        write_atomically(options.output, text.encode())
    else:
        write(text)
    return 0


def list_targets(options: ExtractCommand) -> tuple[str, ...]:
    """Return the URLs and files that the command names, each once. Raises `Rejected` if there are none, or the list cannot be read."""
    targets = list(options.targets)
    if options.urls is not None:
        if options.urls == "-" and "-" in targets:
            raise Rejected("standard input holds a page or a list, not both: leave out - or --urls -")
        lines = map(str.strip, read_lines(options.urls, options.standard_input))
        targets += [line for line in lines if line and not line.startswith("#")]
    if not targets:
        raise Rejected("no page is named: give a URL, a file, - for standard input, a list of them with --urls FILE, or --site SITE")
    if len(targets) > 1 and "-" in targets:
        raise Rejected("standard input holds one page: name - alone, or give --urls - for a list of URLs")
    return tuple(dict.fromkeys(map(with_scheme, targets)))


def _is_static_alone(options: ExtractCommand) -> bool:
    of_browser = {each.name: each.default for kind in (VisitOptions, CaptureFiles) for each in fields(kind)}
    kept = {each.name for each in fields(HomeOption)}
    is_default = all(getattr(options, name) == default for name, default in of_browser.items() if name not in kept)
    return options.static and is_default and not (options.picture or options.overlay or options.picture_of is not None)
