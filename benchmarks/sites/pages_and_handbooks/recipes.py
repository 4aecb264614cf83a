"""Recipes of blogs, news, wikis, company pages, papers, documentation and references of the ninth final part."""

from __future__ import annotations

from benchmarks.sites.pages_and_handbooks.wikis import build_didiwiki, build_usemod, write_didiwiki, write_usemod
from benchmarks.sites.recipe import Generator, Theme, flat

PAGE_GENERATORS = {
    "didiwiki": Generator("didiwiki", (), write_didiwiki, build_didiwiki, "html", flat, "debian"),
    "usemod": Generator("usemod", (), write_usemod, build_usemod, "html", flat, "debian"),
}
PAGE_THEMES = (
    Theme("didiwiki", "plain", "GPL-2"),
    Theme("usemod", "wiki", "GPL-2"),
)
