"""`sightread corrections`: list, export, import, undo and redo the corrections of a learned site."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from sightread.cli.options.options import CorrectionsCommand
from sightread.cli.output import print_result, write
from sightread.cli.sites.site_commands import site_folder
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically
from sightread.sites import learn as job
from sightread.sites.corrections.anchors import anchor_pages
from sightread.sites.corrections.exchange import from_label_studio, to_gold, to_label_studio
from sightread.sites.corrections.file import decode_corrections, encode_corrections, load_corrections, save_corrections
from sightread.sites.corrections.matching import Match, match_corrections
from sightread.sites.corrections.records import Correction, Corrections
from sightread.sites.folders import SiteFolder


async def corrections(options: CorrectionsCommand) -> int:
    """Do one of the actions on the corrections of a site."""
    if options.file is None and options.action in ("export", "import"):
        raise Rejected(f"corrections {options.action} needs a file: sightread corrections {options.action} {options.site} FILE")
    if options.file is not None and options.action not in ("export", "import"):
        raise Rejected(f"corrections {options.action} takes no file: leave {options.file} out")
    folder = SiteFolder(site_folder(options.site, options.home))
    if not folder.path.is_dir():
        raise Rejected(f"{options.site}: no learned site has this name, and there is no such folder: sightread sites list shows the sites")
    await asyncio.to_thread(_ACTIONS[options.action], options, folder)
    return 0


def _list(options: CorrectionsCommand, folder: SiteFolder) -> None:
    matching = job.Site.open(folder.path).matching()
    if options.json:
        write("".join(msgspec.json.encode(_record(match)).decode() + "\n" for match in matching.matches))
        return
    write(
        "".join(f"{match.correction.id}\t{match.state}\t{match.correction.describe()}\t{match.describe()}\n" for match in matching.matches)
    )
    write(f"{matching.describe() or 'no corrections yet: sightread inspect SITE makes some'}\n")


def _export(options: CorrectionsCommand, folder: SiteFolder) -> None:
    assert options.file is not None
    stored = load_corrections(folder.corrections)
    if options.format == "corrections":
        data = encode_corrections(Corrections(stored.active))
    else:
        site = job.Site.open(folder.path)
        exported = to_gold if options.format == "gold" else to_label_studio
        data = exported(site.pages, site.matching(), site.labels().labels)
    write_atomically(options.file, data)
    print_result({"file": str(options.file), "corrections": len(stored.active)}, json=options.json)


def _import(options: CorrectionsCommand, folder: SiteFolder) -> None:
    assert options.file is not None
    if options.format == "gold":
        raise Rejected("gold is only exported: import corrections or label-studio")
    site = job.Site.open(folder.path)
    try:
        data = options.file.read_bytes()
    except OSError as error:
        raise Rejected(f"{options.file}: cannot be read: {error.strerror}") from error
    name = str(options.file)
    if options.format == "corrections":
        given = decode_corrections(data, name).active
    else:
        given = from_label_studio(data, site.pages, site.matching(), name)

    def add(stored: Corrections) -> Corrections:
        for correction in given:
            stored = stored.with_answer(correction)
        return stored

    _change(folder, add)
    matching = match_corrections(anchor_pages(site.pages), Corrections(tuple(given)))
    needing = [f"{match.correction.id}: {match.correction.describe()}: {match.describe()}" for match in matching.needing]
    print_result({"imported": len(given), "matching": matching.describe(), "need you": needing}, json=options.json)


def _undo(options: CorrectionsCommand, folder: SiteFolder) -> None:
    _print_change("undone", load_corrections(folder.corrections).made[-1:], _change(folder, Corrections.undo), json=options.json)


def _redo(options: CorrectionsCommand, folder: SiteFolder) -> None:
    _print_change("redone", load_corrections(folder.corrections).undone[-1:], _change(folder, Corrections.redo), json=options.json)


def _change(folder: SiteFolder, change: Callable[[Corrections], Corrections]) -> Corrections:
    changed = change(load_corrections(folder.corrections))
    save_corrections(folder.corrections, changed)
    return changed


def _print_change(what: str, changed: tuple[Correction, ...], stored: Corrections, *, json: bool) -> None:
    print_result({what: changed[0].describe() if changed else "", "corrections": len(stored.active)}, json=json)


def _record(match: Match) -> dict[str, Any]:
    blocks = {str(row): list(found) for row, found in match.blocks.items()}
    own = msgspec.to_builtins(match.correction)
    return {"id": match.correction.id, "state": match.state, "anchors": list(match.anchors), "blocks": blocks, "correction": own}


_ACTIONS = {"list": _list, "export": _export, "import": _import, "undo": _undo, "redo": _redo}
