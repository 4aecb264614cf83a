"""Variations of built sites for training: other widths, dark or light, other fonts, colours, spacing and order of columns.

A model that saw each theme in one look would learn that look. Here every page of a site is rendered in another of eight windows (four
widths, light and dark), and most of them with a style sheet drawn at random that changes the site's own custom properties, its fonts and
sizes, and the order of what its rules lay out side by side. Text and markup stay, so the gold text does too. Altering what a class looks
like while its label stays is data augmentation as it is done with images (Simard et al. 2003).
"""

from __future__ import annotations

import asyncio
import colorsys
import random
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from benchmarks.sites.build import BuiltPage, BuiltSite, read_sites
from benchmarks.sites.captures import HEIGHT, CapturedSite, page_address, read_captures
from benchmarks.sites.server import FolderServer
from crawler.corpus import Corpus
from render.browser.browser import Browser, RenderOptions
from render.errors import PageFailed
from render.network.egress import Egress
from render.page import Page, Size
from render.visit.device import ColourScheme, Device

WIDTHS = (1600, 390, 1280, 820)
"""CSS px of the window."""
SCHEMES: tuple[ColourScheme, ...] = ("light", "dark")
PAGES = 10
"""Pages per site, at even distances."""
UNCHANGED = 0.35
"""Share of the pages whose styles stay as they are."""
REORDERED = 0.4
"""Share of the others in which some columns change places."""
TOGETHER = 4
"""Pages rendered at a time."""
FONTS = ("Georgia, serif", "Arial, sans-serif", "Verdana, sans-serif", "'Times New Roman', serif", "'Courier New', monospace", "system-ui")
LARGEST_SHEET = 2_000_000
"""Characters of a style sheet that is read."""

_PROPERTY = re.compile(r"(--[\w-]+)\s*:\s*([^;{}]{1,80})(?=[;}])")
_LENGTH = re.compile(r"(-?\d*\.?\d+)(px|rem|em)")
_HEX = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_RULE = re.compile(r"([^{}@;/]{1,200})\{([^{}]*\bdisplay\s*:\s*(?:inline-)?(?:flex|grid)\b[^{}]*)\}")
_SIMPLE = re.compile(r"[.#][\w-]+(?:[ >.#][\w.#-]+){0,2}")
_SHEET = re.compile(r"""<link\b[^>]*\bhref=["']?([^"'\s>]+\.css)[^>]*>""", re.IGNORECASE)
_INLINE = re.compile(r"<style\b[^>]*>(.*?)</style>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Variation:
    """How one page of a site is shown."""

    page: BuiltPage
    width: int
    scheme: ColourScheme
    css: str
    """Added at the end of the page's head; empty if its styles stay as they are."""


def draw_variations(site: BuiltSite, html: Path) -> list[Variation]:
    """Return the variations of a site's pages; the same each time."""
    step = max(len(site.pages) / PAGES, 1.0)
    chosen = [site.pages[int(number * step)] for number in range(min(PAGES, len(site.pages)))]
    found = []
    for number, page in enumerate(chosen):
        draw = random.Random(f"variation {site.name} {page.path}")
        css = "" if draw.random() < UNCHANGED else _draw_css(_style_sheets(html, page.path), draw)
        found.append(Variation(page, WIDTHS[number % len(WIDTHS)], SCHEMES[number // len(WIDTHS) % len(SCHEMES)], css))
    return found


def _style_sheets(html: Path, path: str) -> str:
    """Return the page's own style sheets, one after the other."""
    page = html / path
    source = page.read_text("utf-8", "replace")
    found = _INLINE.findall(source)
    for address in _SHEET.findall(source):
        sheet = (html / address.lstrip("/") if address.startswith("/") else page.parent / address).resolve()
        if sheet.is_relative_to(html.resolve()) and sheet.is_file():
            found.append(sheet.read_text("utf-8", "replace"))
    return "\n".join(found)[:LARGEST_SHEET]


def _draw_css(sheets: str, draw: random.Random) -> str:
    rules = [f"html{{font-size:{draw.randint(85, 125)}%}}"]
    if draw.random() < 0.6:
        rules.append(f"body,p,li,td{{font-family:{draw.choice(FONTS)}}}")
    if draw.random() < 0.3:
        rules.append(f"p,li{{line-height:{draw.choice((1.2, 1.4, 1.7, 2))};letter-spacing:{draw.choice((0, 0, 0.3, 0.6))}px}}")
    scale, turn = draw.uniform(0.7, 1.4), draw.random()
    properties = dict(_PROPERTY.findall(sheets))
    changed = {name: _changed(value, scale, turn) for name, value in properties.items()}
    declared = "".join(f"{name}:{value};" for name, value in changed.items() if value != properties[name])
    if declared:
        rules.append(f":root:root,body:not(#none){{{declared}}}")
    if draw.random() < REORDERED:
        rules += _reordered(sheets, draw)
    return "\n".join(rules).replace("</", "<\\/")


def _changed(value: str, scale: float, turn: float) -> str:
    """Return a custom property with its lengths scaled and its colours turned around the colour wheel."""

    def length(match: re.Match[str]) -> str:
        return f"{float(match[1]) * scale:.3g}{match[2]}"

    def colour(match: re.Match[str]) -> str:
        digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])
        hue, light, saturation = colorsys.rgb_to_hls(*(int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)))
        return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb((hue + turn) % 1, light, saturation))

    return _HEX.sub(colour, _LENGTH.sub(length, value))


def _reordered(sheets: str, draw: random.Random) -> list[str]:
    """Return rules that reverse, in rows and grids, the order of what is side by side: by the direction of writing, which text keeps."""
    selectors = {each.strip() for found, _ in _RULE.findall(sheets) for each in found.split(",")}
    simple = sorted(each for each in selectors if _SIMPLE.fullmatch(each))
    chosen = [each for each in simple if draw.random() < 0.3]
    return [f"{each}{{direction:rtl}}{each}>*{{direction:ltr}}" for each in chosen]


def capture_variations(out: Path, parts: Sequence[str]) -> list[CapturedSite]:
    """Return the sites of the parts with their pages as varied; what was not rendered yet is rendered now, in `OUT/SITE/varied`."""
    sites = [(html, site) for html, site in read_sites(out) if site.part in parts]
    if missing := [each for each in sites if not (out / each[1].name / "varied/complete").is_file()]:
        asyncio.run(_capture(out, missing))
    return [read_captures(out / site.name / "varied", html, site) for html, site in sites]


async def _capture(out: Path, sites: Sequence[tuple[Path, BuiltSite]]) -> None:
    async with Browser(egress=Egress(local=True)) as browser:
        for html, site in sites:
            folder = out / site.name / "varied"
            shutil.rmtree(folder, ignore_errors=True)
            variations = draw_variations(site, html)
            styles: Mapping[str, str] = {page_address(each.page): each.css for each in variations if each.css}
            async with FolderServer(html, styles) as root:
                limit = asyncio.Semaphore(TOGETHER)
                found = await asyncio.gather(*(_render(browser, limit, root, each) for each in variations))
            with Corpus.create(folder, next((page.url for page in found if page is not None), "http://127.0.0.1/")) as corpus:
                for page in found:
                    if page is not None:
                        corpus.append(page)
            (folder / "complete").touch()
            print(f"{site.name}: {sum(page is not None for page in found)} of {len(found)} variations rendered", flush=True)


async def _render(browser: Browser, limit: asyncio.Semaphore, root: str, variation: Variation) -> Page | None:
    url = f"{root}/{quote(page_address(variation.page))}"
    device = Device(viewport=Size(variation.width, HEIGHT), colour_scheme=variation.scheme)
    async with limit:
        try:
            return (await browser.render(url, RenderOptions(device=device))).page
        except PageFailed as error:
            print(f"  {url}: {error}", flush=True)
            return None
