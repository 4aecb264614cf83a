"""From blocks to HTML: the parts of a template, and the marks inside a line.

A template file in `templates/` is a list of parts, each under a line `<!-- part: name -->`. The parts of `base.html` serve every
template; a template's own parts of the same name take their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from sightread.data.demo.content import Block

Parts = Mapping[str, Template]

_TEMPLATES = Path(__file__).parent / "templates"
_PART = re.compile(r"^<!-- part: (\w+) -->\n", re.MULTILINE)
_INLINE = re.compile(
    r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*|`(?P<code>[^`]+)`|\[(?P<label>[^\]]+)\]\((?P<slug>[\w-]+)\)",
)


@cache
def load_parts(name: str) -> Parts:
    """Read a template's parts, over those of `base.html`."""
    return {**_read_parts("base"), **_read_parts(name)}


def fill(parts: Parts, part: str, /, **values: str) -> str:
    """Fill one part; every value is HTML already. Raises `KeyError` for a part or value that is not there."""
    return parts[part].substitute(values)


def inline(text: str, path_of: Callable[[str], str]) -> str:
    """Turn the marks inside a line into HTML; `path_of` gives the path of a linked slug."""

    def mark(match: re.Match[str]) -> str:
        if match["strong"]:
            return f"<strong>{match['strong']}</strong>"
        if match["emphasis"]:
            return f"<em>{match['emphasis']}</em>"
        if match["code"]:
            return f"<code>{match['code']}</code>"
        return f'<a href="{path_of(match["slug"])}">{match["label"]}</a>'

    return _INLINE.sub(mark, escape(text, quote=False))


def render_block(parts: Parts, name: str, block: Block, path_of: Callable[[str], str]) -> str:
    """Render one block with the part `name`, usually the block's own kind."""
    if block.kind in ("code", "formula"):
        return fill(parts, name, text=escape(block.text, quote=False))
    rows = [[inline(text, path_of) for text in row] for row in block.rows]
    if block.kind == "quote":
        return fill(parts, name, text=rows[0][0], source=rows[0][1])
    if block.kind == "figure":
        return fill(parts, name, text=rows[0][0], image=block.rows[0][1], alt=escape(block.text))
    if block.kind in ("bullets", "steps"):
        return fill(parts, name, rows="".join(fill(parts, "item", text=row[0]) for row in rows))
    if block.kind == "table":
        cells = [["head_cell" if number == 0 else "cell"] * len(row) for number, row in enumerate(rows)]
        filled = ("".join(fill(parts, part, text=text) for part, text in zip(*pair, strict=True)) for pair in zip(cells, rows, strict=True))
        return fill(parts, name, rows="".join(fill(parts, "row", cells=row) for row in filled))
    return fill(parts, name, text=rows[0][0])


def _read_parts(name: str) -> dict[str, Template]:
    _, *pieces = _PART.split((_TEMPLATES / f"{name}.html").read_text("utf-8"))
    return {part: Template(text.strip()) for part, text in zip(pieces[::2], pieces[1::2], strict=True)}
