"""Command line options of the browser: device, credentials, proxy.

Every user of the machine can read a command line, so secrets can come from a file (`@FILE`) or an environment variable (`env:NAME`).
"""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sightread.cli.options.help import CommandParser
from sightread.cli.options.options import Appearance, BrowserOptions, Secrets
from sightread.cli.options.visit_options import blocking, waiting_fields
from sightread.render.errors import Rejected, quoted

if TYPE_CHECKING:
    from sightread.render.network.egress import Egress
    from sightread.render.page import Size
    from sightread.render.visit.credentials import Access
    from sightread.render.visit.device import Device
    from sightread.render.visit.visit import RenderOptions

GIVEN = "@FILE reads it from a file, env:NAME from the environment"


def add_language(group: argparse._ActionsContainer, help: str = "such as de-AT (default: en-US)") -> None:
    """Add `--language`, of the device, and of a crawl also of its pages."""
    group.add_argument("--language", metavar="TAG", help=help)


def add_appearance(parser: CommandParser) -> argparse._ArgumentGroup:
    """Add the option group of device and credentials, without its language, to a command that opens pages, and return it."""
    group = parser.advanced_group("device and access", "device, language and time zone; credentials for the page's site only")
    group.add_argument("--device", metavar="NAME", help="a device by its name, such as 'iPhone 15'; the options below change it")
    group.add_argument("--viewport", metavar="WxH", help="window size in CSS px (default: 1600x1000)")
    group.add_argument("--scale", metavar="N", help="device pixels per CSS pixel (default: 1)")
    group.add_argument("--mobile", action="store_true", help="touch screen and mobile layout")
    group.add_argument("--colour-scheme", metavar="NAME", help="light or dark (default: light)")
    group.add_argument("--time-zone", metavar="ZONE", help="such as Europe/Vienna (default: this machine's)")
    group.add_argument("--user-agent", metavar="TEXT", help="user agent (default: the browser's own, with sightread's name)")
    group.add_argument(
        "--header", action="append", default=[], metavar="'NAME: VALUE'", help=f"sent to the page's site only; {GIVEN}, one per line"
    )
    group.add_argument("--cookie", action="append", default=[], metavar="NAME=VALUE", help="sent to the page's host only; likewise")
    group.add_argument("--credentials", metavar="USER:PASSWORD", help=f"for HTTP authentication by the page's site; {GIVEN}")
    add_proxy(group)
    return group


def add_proxy(group: argparse._ActionsContainer) -> None:
    """Add `--proxy`, the only option of the browser that also applies to a server: it applies to every request."""
    group.add_argument(
        "--proxy", metavar="URL", help=f"upstream proxy, http://HOST:PORT or socks5://HOST:PORT, with USER:PASSWORD@ if needed; {GIVEN}"
    )


def render_options(options: BrowserOptions, url: str) -> RenderOptions:
    """Return the rendering options of the command: deadline, device, waiting, credentials for the site of `url` (empty for stored HTML).

    Raises `Rejected`.
    """
    from sightread.render.visit.visit import RenderOptions  # noqa: PLC0415  (a command's help needs no browser)

    return RenderOptions(
        device=device(options.appearance),
        access=access(options.secrets, url),
        deadline=options.deadline,
        block=blocking(options.block),
        **waiting_fields(options.waiting, url),
    )


def device(options: Appearance) -> Device:
    """Return the named device, with the fields that other options override. Raises `Rejected`."""
    from sightread.render.visit.device import Device, named_device  # noqa: PLC0415

    named = named_device(options.device) if options.device else Device()
    given = {name: getattr(options, name) for name in ("colour_scheme", "language", "time_zone", "user_agent")}
    fields = {name: value for name, value in given.items() if value is not None}
    fields |= {"viewport": _viewport(options.viewport)} if options.viewport is not None else {}
    fields |= {"scale": _scale(options.scale)} if options.scale is not None else {}
    return replace(named, **fields, mobile=named.mobile or options.mobile)


def access(options: Secrets, url: str) -> Access | None:
    """Return the credentials for the site of `url`; None if there are none. Raises `Rejected`; messages never repeat a value."""
    from sightread.render.visit.credentials import Access  # noqa: PLC0415

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


def egress(options: BrowserOptions) -> Egress:
    """Return the egress boundary of the command: local pages or not, and the upstream proxy. Raises `Rejected`."""
    from sightread.render.network.egress import Egress  # noqa: PLC0415
    from sightread.render.network.upstream import read_upstream  # noqa: PLC0415

    upstream = None if options.proxy is None else read_upstream(_read(options.proxy, "--proxy"))
    return Egress(options.local, upstream=upstream)


def _viewport(text: str) -> Size:
    from sightread.render.page import Size  # noqa: PLC0415

    sides = re.fullmatch(r"(\d{1,6})[x×](\d{1,6})", text.lower(), re.ASCII)
    if not sides:
        raise Rejected(f"--viewport {quoted(text)}: give width and height in CSS px, such as 1280x800")
    return Size(int(sides[1]), int(sides[2]))


def _scale(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Rejected(f"--scale {quoted(text)}: give device pixels per CSS pixel, such as 2 or 1.5") from None


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
