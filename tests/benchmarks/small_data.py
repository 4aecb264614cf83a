"""Small data sets of built sites, and extractors that tests plug in."""

import io
import tarfile
import textwrap
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks.sites.built_sites import NAME, BuiltPage, BuiltSite, SiteStore

WORDS = ["river", "bridge", "council", "winter", "market", "song", "letter", "garden", "stone", "harbour", "light", "morning", "road"]
Drawn = tuple[BuiltPage, str]
"""A page and its HTML."""


def drawn_pages(count: int, seed: int = 0) -> list[Drawn]:
    """Return pages of one template: a menu, an article with a list, and other stories beside it."""
    chance = np.random.default_rng(seed)

    def sentence(length: int) -> str:
        return " ".join(chance.choice(WORDS, length)).capitalize() + "."

    pages = []
    for number in range(count):
        title, story, points = sentence(5), [sentence(40) for _ in range(4)], [sentence(8) for _ in range(3)]
        gold = "\n".join([title, *story, *points])
        markup = "".join(f"<p>{text}</p>" for text in story) + "<ul>" + "".join(f"<li>{text}</li>" for text in points) + "</ul>"
        html = f"""<!doctype html><meta charset=utf-8><title>{title}</title><link rel=stylesheet href=style.css>
            <nav><a href=0.html>Home</a> <a href=1.html>All the news</a> <a href=2.html>About</a></nav>
            <main><h1>{title}</h1>{markup}</main>
            <aside><h3>Other stories</h3><a href={(number + 1) % count}.html>{sentence(6)}</a></aside>
            <footer>Printed in the harbour</footer>"""
        pages.append((BuiltPage(f"{number}.html", title, gold, markup), html))
    return pages


def write_archive(data: Path, site: BuiltSite, pages: Sequence[Drawn]) -> SiteStore:
    """Write the archive of a site into the folder of data sets, and return the store of all that are there."""
    files = {"site.json": msgspec.json.encode(site), "html/style.css": b"nav, aside { float: right; width: 200px } main { width: 600px }"}
    files |= {f"html/{page.path}": html.encode() for page, html in pages}
    (data / NAME).mkdir(parents=True, exist_ok=True)
    with tarfile.open(data / NAME / f"{site.name}.tar.gz", "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return SiteStore(data / NAME, data / "work")


def write_site(data: Path, name: str, generator: str, part: str, count: int = 15) -> SiteStore:
    """Write a drawn site into the folder of data sets."""
    pages = drawn_pages(count)
    site = BuiltSite(name, generator, "default", "MIT", "en", part, tuple(page for page, _ in pages))
    return write_archive(data, site, pages)


FIVE_LINES = """
    import re

    def read(html, url):
        return re.sub("<[^>]*>", " ", html)
"""
"""What docs/benchmarks.md shows."""


def plug_in(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, module: str = "mine") -> str:
    """Write the module, go into its folder, and return the name of its extractor."""
    folder.joinpath(f"{module}.py").write_text(textwrap.dedent(source))
    monkeypatch.chdir(folder)
    return f"{module}:read"
