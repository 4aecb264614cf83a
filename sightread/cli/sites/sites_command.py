"""`sightread sites`: list, show, export, import and forget learned sites."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from sightread.cli.options.options import SitesCommand
from sightread.cli.output import print_result, write
from sightread.render.errors import Rejected, quoted
from sightread.sites.catalog import SiteSummary, find_site, forget_site, list_sites, summarise
from sightread.sites.exchange import export_site, import_site
from sightread.sites.folders import SiteHome

SIZE_UNITS = ("bytes", "KB", "MB", "GB")


async def sites(options: SitesCommand) -> int:
    """Do one of the actions on learned sites."""
    name = _checked_name(options)
    match options.action:
        case "list":
            _print_sites(await asyncio.to_thread(lambda: tuple(list_sites(options.home))), json=options.json)
        case "show":
            _print_site(await asyncio.to_thread(find_site, name, options.home), json=options.json)
        case "export":
            site = await asyncio.to_thread(find_site, name, options.home)
            path = options.file or Path(f"{site.path.name}.zip")
            files = await asyncio.to_thread(export_site, site, path)
            print_result({"file": str(path), "files": files}, json=options.json)
        case "import":
            site = await asyncio.to_thread(lambda: import_site(Path(name), options.home, is_replacing=options.replace))
            _print_site(site, json=options.json)
        case _:
            site = await asyncio.to_thread(find_site, name, options.home)
            await asyncio.to_thread(forget_site, site)
            print_result({"forgotten": site.name}, json=options.json)
    return 0


def _checked_name(options: SitesCommand) -> str:
    """Return the site or file that the action needs; empty for a list. Raises `Rejected` for one too few or too many."""
    action, name = options.action, options.site
    if action == "list":
        if name:
            raise Rejected(f"sites list takes no name: to see one site, run: sightread sites show {name}")
        return ""
    if not name:
        raise Rejected(f"sites {action} needs {'a file' if action == 'import' else 'a site'}: sightread sites lists the learned ones")
    if options.file and action != "export":
        raise Rejected(f"sites {action} takes one name, and {quoted(str(options.file))} is one more: leave it out")
    if options.replace and action != "import":
        raise Rejected(f"--replace is for sites import: leave it out of sites {action}")
    return name


def _print_sites(found: Sequence[SiteSummary], *, json: bool) -> None:
    if json:
        write("".join(msgspec.json.encode(_record(summary)).decode() + "\n" for summary in found))
        return
    if not found:
        write("no site is learned yet: sightread learn SITE\n")
        return
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("site", "pages", "model", "expected F1", "learned", "size"):
        table.add_column(name, justify="right" if name in ("pages", "expected F1", "size") else "left")
    for each in found:
        expected = "" if each.expected_f1 is None else f"{each.expected_f1:.2f}"
        table.add_row(each.name, f"{each.pages}", each.state, expected, each.learned_at[:10], _size(each.size))
    Console().print(table)


def _print_site(site: SiteHome, *, json: bool) -> None:
    assert site.current is not None
    print_result(_record(summarise(site, site.current)), json=json)


def _record(summary: SiteSummary) -> dict[str, Any]:
    version = summary.version
    files = {name: str(path) for name, path in (("report", version.report), ("articles", version.article_lines)) if path.is_file()}
    record = {"doubt" if name == "distrust_reason" else name: value for name, value in asdict(summary).items()}
    return {**record, "version": version.path.name, "folder": str(version.path), "state": summary.state, **files}


def _size(number: float) -> str:
    """Return a number of bytes in the unit that suits it."""
    for unit in SIZE_UNITS[:-1]:
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} {SIZE_UNITS[-1]}"
