"""Device emulation: window, touch screen, language, time zone and user agent.

By default a desktop window as wide as the original paper's, in the colours and language of a fresh Chromium. Its user agent is that of
the Chromium in use with sightread's own name behind it: sites can identify sightread, and scripts find the browser that they expect.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal
from zoneinfo import available_timezones

from sightread.render.argument_checks import check_fields, nearest
from sightread.render.errors import LONGEST_VALUE, Rejected, quoted
from sightread.render.network.http import PRODUCT
from sightread.render.page import Size

PAPERS_VIEWPORT = Size(1600, 1000)
"""CSS px: the width of the original paper."""
LANGUAGE = "en-US"
"""Language of a fresh Chromium, set at its start; any other costs each context another message to its browser (14 ms of 90 under load)."""
SIDES = (100, 10_000)
"""CSS px that a side of the window may have. Below, no page lays itself out; above, a picture's row alone takes 40 KB per line."""
SCALES = (0.5, 5.0)
"""Device px per CSS px: half of the least and a little more than the most that devices on sale have."""
LONGEST_USER_AGENT = 500
"""Characters; the longest that browsers send are half of that."""
LONGEST_TAG = 35
"""Characters of a language tag that every program takes (RFC 5646, section 4.4.1)."""
NOT_OF_THE_BROWSER = frozenset({"localtime"})
"""The one name of the time zone database that Chromium does not take (all 599 tried, Chromium 156)."""

ColourScheme = Literal["light", "dark"]

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?(-([A-Za-z\d]{5,8}|\d[A-Za-z\d]{3}))*")
"""Language, script, region and variants (RFC 5646, section 2.1); extensions are not used by pages."""
_PLATFORMS = {"darwin": "Macintosh; Intel Mac OS X 10_15_7", "win32": "Windows NT 10.0; Win64; x64"}
_PLATFORM = _PLATFORMS.get(sys.platform, "X11; Linux x86_64")
"""As every Chromium of the platform writes it, on any machine (its reduced user agent)."""
_CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) {chrome}"
_SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"


@dataclass(frozen=True, slots=True)
class Device:
    """The emulated device. Raises `Rejected`, in one line that names what is allowed, if a field is invalid."""

    viewport: Size = PAPERS_VIEWPORT
    """CSS px, whole numbers; its height is the fold."""
    scale: float = 1.0
    """Device px per CSS px."""
    mobile: bool = False
    """Whether it is a mobile device: the page's `<meta name=viewport>` counts, and there are touch events instead of a mouse."""
    colour_scheme: ColourScheme = "light"
    language: str = LANGUAGE
    """A BCP 47 tag, such as `de-AT`."""
    time_zone: str = ""
    """A name of the time zone database, such as `Europe/Vienna`; empty for this machine's."""
    user_agent: str = ""
    """`{chrome}` in it becomes the product token of the Chromium in use. Empty for the honest one: that Chromium, and ours behind it."""

    def __post_init__(self) -> None:
        if isinstance(self.viewport, tuple) and len(self.viewport) == len(Size._fields):
            object.__setattr__(self, "viewport", Size(*self.viewport))
        check_fields(self)
        if not all(SIDES[0] <= side <= SIDES[1] and side == int(side) for side in self.viewport):
            width, height = self.viewport
            raise Rejected(f"viewport {width:g} × {height:g}: give whole CSS px, {SIDES[0]} to {SIDES[1]} a side")
        if not SCALES[0] <= self.scale <= SCALES[1]:
            raise Rejected(f"device scale {self.scale:g}: give {SCALES[0]:g} to {SCALES[1]:g} device pixels per CSS pixel")
        _check_language(self.language)
        if self.time_zone:
            _check_time_zone(self.time_zone)
        if not re.fullmatch(r"[\x21-\x7e][\x20-\x7e]*|", self.user_agent) or len(self.user_agent) > LONGEST_USER_AGENT:
            raise Rejected(f"the user agent must be one line of printable ASCII, of at most {LONGEST_USER_AGENT} characters")

    @property
    def accepted_languages(self) -> str:
        """The header Accept-Language of its requests."""
        return f"{LANGUAGE},{LANGUAGE.partition('-')[0]}" if self.language == LANGUAGE else self.language

    def context_options(self, chromium: str) -> dict[str, Any]:
        """Return Playwright's options for a context, in a Chromium of this version (`156.0.8078.79`)."""
        product = f"HeadlessChrome/{chromium.partition('.')[0]}.0.0.0"
        return {
            "viewport": {"width": int(self.viewport.width), "height": int(self.viewport.height)},
            "device_scale_factor": self.scale,
            "is_mobile": self.mobile,
            "has_touch": self.mobile,
            "color_scheme": self.colour_scheme,
            "user_agent": (self.user_agent or _OWN_AGENT).replace("{chrome}", product),
            **({} if self.language == LANGUAGE else {"locale": self.language}),
            **({"timezone_id": self.time_zone} if self.time_zone else {}),
        }


_OWN_AGENT = f"Mozilla/5.0 ({_PLATFORM}) {_CHROME} Safari/537.36 {PRODUCT}"


def _android(release: str) -> str:
    return f"Mozilla/5.0 (Linux; Android {release}) {_CHROME} Mobile Safari/537.36 {PRODUCT}"


def _apple(device: str, system: str) -> str:
    return f"Mozilla/5.0 ({device}; CPU {system} like Mac OS X) {_SAFARI} {PRODUCT}"


def _check_language(tag: str) -> None:
    if len(tag) > LONGEST_TAG or not _LANGUAGE.fullmatch(tag):
        suggestion = tag.replace("_", "-").partition(".")[0]
        hint = f" (did you mean {suggestion}?)" if suggestion != tag and _LANGUAGE.fullmatch(suggestion) else ""
        raise Rejected(f"language {quoted(tag)}{hint}: give a language tag (BCP 47), such as en, de-AT or zh-Hant-TW")


def _check_time_zone(name: str) -> None:
    zones = _zones()
    if name not in zones:
        cities = {zone.rpartition("/")[2]: zone for zone in sorted(zones)}
        hint = _suggest(name, cities | {zone: zone for zone in sorted(zones)})
        raise Rejected(f"time zone {quoted(name)}{hint}: give a name of the time zone database, such as Europe/Vienna or UTC")


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - NOT_OF_THE_BROWSER


def _suggest(given: str, names: Mapping[str, str]) -> str:
    """Return a hint at the known name that is most like the one given, in full; empty if none is."""
    folded = {name.casefold(): full for name, full in names.items()}
    near = nearest(given[:LONGEST_VALUE].casefold().replace(" ", "_"), folded) or nearest(given[:LONGEST_VALUE].casefold(), folded)
    return f" (did you mean {folded[near]}?)" if near else ""


NAMED: dict[str, Device] = {
    "iPhone SE": Device(Size(320, 568), 2, True, user_agent=_apple("iPhone", "iPhone OS 17_5")),
    "iPhone 15": Device(Size(393, 659), 3, True, user_agent=_apple("iPhone", "iPhone OS 17_5")),
    "iPhone 15 Pro Max": Device(Size(430, 739), 3, True, user_agent=_apple("iPhone", "iPhone OS 17_5")),
    "iPad Mini": Device(Size(768, 1024), 2, True, user_agent=_apple("iPad", "OS 17_5")),
    "Pixel 5": Device(Size(393, 727), 2.75, True, user_agent=_android("11; Pixel 5")),
    "Pixel 7": Device(Size(412, 839), 2.625, True, user_agent=_android("14; Pixel 7")),
    "Galaxy S24": Device(Size(360, 780), 3, True, user_agent=_android("14; SM-S921U")),
    "Desktop Chrome HiDPI": Device(Size(1280, 720), 2),
}
"""Devices by name, with the window, scale and touch screen of Playwright's descriptor of that name. What they call themselves ends with
our name too: a site that serves phones another page serves it to us."""


def named_device(name: str) -> Device:
    """Return a device by its name; upper and lower case are one. Raises `Rejected` with the names there are."""
    known = {known.casefold(): device for known, device in NAMED.items()}
    if name.casefold() in known:
        return known[name.casefold()]
    raise Rejected(f"no device {quoted(name)}{_suggest(name, dict(zip(NAMED, NAMED, strict=True)))}: give one of {', '.join(NAMED)}")
