"""The pages that a command names: how they are rendered, by its options, and how one is read, with a browser or without.

Every user of the machine can read a command line, so secrets can come from a file (`@FILE`) or an environment variable (`env:NAME`).
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import msgspec

from sightread.cli.commands import (
    RESOURCE_KINDS,
    CaptureFiles,
    CrawlCommand,
    DeviceOptions,
    EgressOptions,
    ExtractCommand,
    PageOptions,
    VisitOptions,
)
from sightread.cli.run import print_message
from sightread.cli.stored import Stored, load_stored, read_target_static, site_of
from sightread.crawler.urls import Scope, normalize, parse_start_url, path_of
from sightread.reading import Reading
from sightread.reading.reader import Reader
from sightread.render.archives.base import Archive
from sightread.render.browser.browser import STORED, RenderOptions
from sightread.render.errors import NoBrowser, Rejected, quoted
from sightread.render.files import write_atomically
from sightread.render.network.egress import Boundary, Egress, read_upstream
from sightread.render.page import Page, Size
from sightread.render.visit.actions import Action, Click, Press, ScrollTo, TypeText, WaitFor
from sightread.render.visit.capture import Blocking, Capture, CaptureOptions, ResourceKind
from sightread.render.visit.device import Device, named_device
from sightread.render.visit.options import visit_options
from sightread.render.visit.requests import Access

VERBS = ("click", "click-all", "type", "press", "scroll", "wait")


def render_options(options: VisitOptions, url: str) -> RenderOptions:
    """Return the rendering options of the command: deadline, device, waiting, credentials for the site of `url` (empty for stored HTML).

    Raises `Rejected`.
    """
    actions, block = tuple(map(read_action, options.action)), _blocking(options.block)
    if not url and (options.wait_for or options.min_wait or actions):
        raise Rejected("--wait-for, --min-wait and --action are for pages that are opened by their URL: leave them out")
    return RenderOptions(device=_device(options), access=access(options, url), actions=actions, block=block, **visit_options(options))


def scope_of(options: ExtractCommand | CrawlCommand, within: str, urls: tuple[str, ...] = ()) -> Scope:
    """Return the pages of a site that the command names; `within` is the path without `--within`. Raises `Rejected`."""
    sitemap = normalize(options.sitemap) if options.sitemap is not None else ""
    if sitemap is None:
        raise Rejected(f"--sitemap {options.sitemap}: give the http or https URL of a sitemap")
    within = options.within or within
    within = path_of(parse_start_url(within).url) if "://" in within else within
    language = (options.language or "").lower().partition("-")[0]
    return Scope(within, options.include, options.exclude, options.depth, language, sitemap, urls)


def egress(options: EgressOptions) -> Egress:
    """Return the egress boundary of the command: local pages or not, and the upstream proxy. Raises `Rejected`."""
    upstream = None if options.proxy is None else read_upstream(_read(options.proxy, "--proxy"))
    return Egress(options.local, upstream=upstream, networks=options.allow_network)


def _device(options: DeviceOptions) -> Device:
    """Return the named device, with the fields that other options override. Raises `Rejected`."""
    named = named_device(options.device) if options.device else Device()
    readers: dict[str, Callable[[str], Any]] = {"viewport": _viewport, "scale": _scale}
    typed = {each.name: getattr(options, each.name) for each in fields(Device)}
    given = {name: readers[name](text) if name in readers else text for name, text in typed.items() if text not in (None, False)}
    return replace(named, **given)


def _viewport(text: str) -> Size:
    sides = re.fullmatch(r"(\d{1,6})[x×](\d{1,6})", text.lower(), re.ASCII)
    if not sides:
        raise Rejected(f"--viewport {quoted(text)}: give width and height in CSS px, such as 1280x800")
    return Size(int(sides[1]), int(sides[2]))


def _scale(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Rejected(f"--scale {quoted(text)}: give device pixels per CSS pixel, such as 2 or 1.5") from None


def access(options: DeviceOptions, url: str) -> Access | None:
    """Return the credentials for the site of `url`; None if there are none. Raises `Rejected`; messages never repeat a value."""
    headers = [line for given in options.header for line in _lines(given, "--header")]
    cookies = [line for given in options.cookie for line in _lines(given, "--cookie")]
    if not (headers or cookies or options.credentials is not None):
        return None
    if not url:
        raise Rejected("--header, --cookie and --credentials are for a site, and stored HTML sends no requests: leave them out")
    user, password = (
        _pair(_read(options.credentials, "--credentials"), ":", "--credentials") if options.credentials is not None else ("", "")
    )
    return Access(
        url,
        tuple((name, value.strip(" \t")) for name, value in (_pair(line, ":", "--header") for line in headers)),
        tuple(_pair(line, "=", "--cookie") for line in cookies),
        user,
        password,
    )


def _pair(text: str, sign: str, option: str) -> tuple[str, str]:
    first, found, second = text.partition(sign)
    if not found:
        form = {":": "'NAME: VALUE'" if option == "--header" else "USER:PASSWORD", "=": "NAME=VALUE"}[sign]
        raise Rejected(f"{option}: the value has no {quoted(sign)}: write {form}")
    return first, second


def _lines(given: str, option: str) -> list[str]:
    """Return the given values; of a file or variable every non-empty line."""
    if not given.startswith(("@", "env:")):
        return [given]
    return [line for line in _read(given, option).splitlines() if line.strip()]


def _read(given: str, option: str) -> str:
    """Return the given value, or the content of the file or variable that it names, without the line end."""
    if given.startswith("env:"):
        name = given.removeprefix("env:")
        if name not in os.environ:
            raise Rejected(f"{option} env:{name}: there is no such environment variable: set it, and export it")
        return os.environ[name].rstrip("\r\n")
    if given.startswith("@"):
        path = Path(given[1:])
        try:
            return path.read_text("utf-8").rstrip("\r\n")
        except OSError as error:
            raise Rejected(f"{option} @{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise Rejected(f"{option} @{path}: not text in UTF-8: save it as such") from error
    return given


def read_action(text: str) -> Action:
    """Parse one action, a verb and what it is done to. Raises `Rejected`."""
    verb, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    match verb:
        case "click" if rest:
            return Click(rest)
        case "click-all" if rest:
            return Click(rest, repeated=True)
        case "type":
            parts = _split(rest)
            if len(parts) != 2:
                raise Rejected(
                    f"--action {quoted(text)}: give a selector and a text, in quotes if they hold spaces: type #search 'two words'"
                )
            return TypeText(*parts)
        case "press" if rest:
            return Press(rest)
        case "scroll":
            return ScrollTo(int(rest) if rest.isdecimal() else rest or "bottom")
        case "wait" if rest:
            return WaitFor(float(rest) if rest.replace(".", "", 1).isdecimal() else rest)
    raise Rejected(f"--action {quoted(text)}: give one of {', '.join(VERBS)}, and what it is done to, such as 'click #more'")


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quotation mark without its partner
        return []


def _blocking(what: tuple[str, ...]) -> Blocking:
    """Return the requests that the option names. Raises `Rejected`."""
    known: dict[str, ResourceKind] = {kind: kind for kind in get_args(ResourceKind)}
    patterns = tuple(name for name in what if name not in known)
    for name in patterns:
        if not any(sign in name for sign in "*./"):
            raise Rejected(f"--block {name}: give {RESOURCE_KINDS}, or an address such as '*://*.example.com/*'")
    return Blocking(tuple(known[name] for name in what if name in known), patterns)


def capture_options(options: CaptureFiles, *, is_live: bool) -> CaptureOptions:
    """Return what is captured for the files. Raises `Rejected` if the page is stored, and has no network log."""
    if options.files and not is_live:
        raise Rejected("--save-html, --save-har, --save-console and --save-pdf are for pages that are opened by their URL: leave them out")
    return CaptureOptions(**dict.fromkeys(options.files, True), har_bodies="har" in options.files)


def save_capture(options: CaptureFiles, capture: Capture) -> None:
    """Write the files. Raises `StorageFailed`."""
    console = b"".join(msgspec.json.encode(message) + b"\n" for message in capture.console)
    contents = {"html": capture.html.encode(), "har": capture.har, "console": console, "pdf": capture.pdf}
    for kind, path in options.files.items():
        write_atomically(path, contents[kind])


async def read_target(options: PageOptions, target: str, rendering: RenderOptions | None = None) -> Reading:
    """Read the page that the command names, with a browser if one is allowed and available."""
    rendering = rendering or render_options(options, site_of(target))
    stored = await asyncio.to_thread(load_stored, options, target)
    if options.static or isinstance(stored, Page):
        return await asyncio.to_thread(read_target_static, options, stored)
    reach = egress(options)
    if stored is None:
        await Boundary(reach).admit(target)  # a wrong address starts no browser
    try:
        async with Reader(options.model, home=options.home, executable=options.browser, egress=reach) as reader:
            return await read_with(reader, options, target, stored, rendering)
    except NoBrowser as error:
        if stored is None:
            raise
        print_message(f"{error}; reading the file without one")
        return await asyncio.to_thread(read_target_static, options, stored)


async def read_with(reader: Reader, options: PageOptions, target: str, stored: Stored | None, rendering: RenderOptions) -> Reading:
    """Read a page with a reader: the content of a file, or without one the page at the target's URL."""
    if stored is None:
        return await reader.read(target, options=rendering)
    if isinstance(stored, Page):
        return await asyncio.to_thread(read_target_static, options, stored)
    rendering = replace(rendering, javascript=STORED.javascript)
    if isinstance(stored, Archive):
        return await reader.read_archived(stored, options.url, options=rendering)
    return await reader.read_html(stored, options.url, options=rendering)
