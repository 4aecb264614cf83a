"""Manual: pages of a Debian package, whose gold is the text of the content container, by a rule per generator."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import lxml.html

from sightread.render.errors import Rejected

LEAST_TEXT = 400
"""Characters of a page's gold: pages with less are redirections and indexes."""
MOST_TEXT = 60_000
"""Characters: longer pages are whole manuals on a page."""
_LINES = frozenset(("p", "div", "li", "dt", "dd", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "table", "section", "br", "blockquote"))


@dataclass(frozen=True, slots=True)
class Manual:
    """A packaged manual."""

    name: str
    generator: str
    package: str
    """Of Debian."""
    folder: str
    pages: str
    """Pattern of the pages below the folder."""
    keep: str
    """XPath of the content."""
    drop: str = ""
    """XPath of elements inside it that are not content, and of those that are collapsed until a click: gold is what a reader sees."""
    licence: str = "see the package"
    build: Callable[[Path], None] | None = None
    """Writes the pages to `html` in a project's folder, if the package has their sources only."""
    count: int = 25
    """Pages to take, if that is fewer than the site is to have: some manuals are short."""
    language: str = "en"
    drop_lines: str = ""
    """Regular expression of lines of the gold that are left out: what is beside dropped elements, such as brackets around links."""

    @property
    def site(self) -> str:
        """The name of the site."""
        return f"{self.generator}-{self.name}"


def manual_pages(manual: Manual, count: int, folder: Path) -> list[tuple[str, str, str]]:
    """Return address, title and gold text of pages in the order of their names' digests, in the package's folder or the converted one.

    Raises `Rejected` if the package is missing.
    """
    if not folder.is_dir():
        raise Rejected(f"needs Debian's documentation: apt-get install {manual.package}")
    files = sorted(folder.glob(manual.pages), key=lambda path: hashlib.sha256(str(path.relative_to(folder)).encode()).digest())
    found: list[tuple[str, str, str]] = []
    number = min(count, manual.count)
    for path in files:
        title, gold = _gold(path, manual)
        if LEAST_TEXT <= len(gold) <= MOST_TEXT:
            found.append((str(path.relative_to(folder)), title, gold))
        if len(found) == number:
            return found
    raise Rejected(f"{len(found)} pages with text, wanted {number}")


def manual_markup(path: Path, manual: Manual) -> str:
    """Return the HTML of the content of a page."""
    return "".join(lxml.html.tostring(part, encoding="unicode", with_tail=False) for part in _content(path, manual)[1])


def _gold(path: Path, manual: Manual) -> tuple[str, str]:
    title, parts = _content(path, manual)
    lines = (line for part in parts for line in _lines(part) if line)
    return title, "\n".join(line for line in lines if not (manual.drop_lines and re.fullmatch(manual.drop_lines, line)))


def _content(path: Path, manual: Manual) -> tuple[str, list[lxml.html.HtmlElement]]:
    """Return the title of a page and the elements that hold its content, without what the rule drops."""
    try:
        tree = lxml.html.document_fromstring(path.read_bytes())
    except (lxml.etree.ParserError, ValueError):
        return "", []
    parts = [found for found in tree.xpath(manual.keep) if not any(above in tree.xpath(manual.keep) for above in found.iterancestors())]
    for part in parts:
        for other in part.xpath(f"{manual.drop or './/script'} | .//script | .//style | .//noscript"):
            other.drop_tree()
    title = tree.findtext(".//title") or ""
    return " ".join(title.split()), parts


def _lines(element: lxml.html.HtmlElement) -> list[str]:
    """Return the text with a line per block, in document order."""
    pieces: list[str] = []

    def walk(node: lxml.html.HtmlElement) -> None:
        is_line = node.tag in _LINES
        pieces.append("\n" if is_line else "")
        pieces.append(node.text or "")
        for child in node:
            if isinstance(child.tag, str):
                walk(child)
            pieces.append(child.tail or "")
        pieces.append("\n" if is_line else " " if node.tag in ("td", "th") else "")

    walk(element)
    return [" ".join(line.split()) for line in "".join(pieces).split("\n")]
