"""The text of an HTML fragment, as readability-lxml returns one."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree, html

from sightread.render.static.tags import BLOCK, BREAK, HEADING, PRE, TREATMENT

_LINES = frozenset(tag for tag, treatment in TREATMENT.items() if treatment in (BLOCK, BREAK, HEADING, PRE))


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
