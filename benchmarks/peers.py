"""Other people's extractors on stored HTML, as their users call them.

Both give their text with the title that they found ahead, because a gold text begins with its headline: without it each loses less than
0.01 on CleanPortalEval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import trafilatura
from lxml import etree, html
from readability import Document

from render.tags import BLOCK, BREAK, HEADING, PRE, TREATMENT

_LINES = frozenset(tag for tag, treatment in TREATMENT.items() if treatment in (BLOCK, BREAK, HEADING, PRE))


def read_with_trafilatura(source: str, url: str) -> str:
    """Return trafilatura's title and text, without comments, which no gold text here holds; empty where it finds nothing."""
    found = trafilatura.extract_metadata(source, default_url=url or None)
    text = trafilatura.extract(source, url=url or None, include_comments=False)
    return f"{found.title or ''}\n{text or ''}".strip()


def read_with_readability(source: str, url: str) -> str:
    """Return readability-lxml's short title and summary, each block of it on a line of its own. Raises what readability raises."""
    document = Document(source, url=url or None)
    return f"{document.short_title()}\n{text_of(document.summary(html_partial=True))}".strip()


PEERS: Mapping[str, Callable[[str, str], str]] = MappingProxyType(
    {"trafilatura": read_with_trafilatura, "readability-lxml": read_with_readability}
)
"""By name: from HTML and its URL to text."""


def text_of(fragment: str) -> str:
    """Return the text of an HTML fragment, with a line break where a block begins or ends."""
    tree = html.fromstring(fragment)
    etree.strip_tags(tree, etree.Comment, etree.ProcessingInstruction)
    lines = (line.strip() for line in "".join(_pieces(tree)).split("\n"))
    return "\n".join(line for line in lines if line)


def _pieces(tree: etree._Element) -> Iterator[str]:
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        edge = "\n" if element.tag in _LINES else ""
        inside = element.text if event == "start" else element.tail if element is not tree else ""
        yield edge + (inside or "")
