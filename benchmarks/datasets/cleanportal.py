"""CleanPortalEval (Endrédy and Novák 2013): pages of four news portals with gold text, read in either of two forms.

The data folder's own: `cleanportaleval/pages.jsonl.gz`. As published: `cleanportaleval/input/<id>.html` beside `GoldStandard/<id>.txt`,
CleanEval's form: the address, then paragraphs that begin with a mark (`<p>`, `<h>` or `<l>`) and are broken into lines anywhere.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import NamedTuple

from benchmarks.datasets.folder import read_lines
from render.errors import BadRecord
from render.static.charset import decode_html

DATA = "cleanportaleval"
_REMARK = re.compile(r"<!--.*?-->", re.DOTALL)
"""What an annotator wrote in place of a gold text: that there is no article."""
_ADDRESS = re.compile(r"\s*URL:\s*(\S+)")
_MARK = re.compile(r"</?[phl]>", re.IGNORECASE)


class Stored(NamedTuple):
    """A page of the data set; a page without an article has an empty gold text."""

    portal: str
    id: str
    url: str
    html: str
    gold: str


def read_portals(data: Path) -> list[Stored]:
    """Return the pages in the file's order, or in that of their names; the portal is what an id begins with.

    Raises `Rejected` where there is neither form, `BadRecord` for an original without its gold text.
    """
    folder = data / DATA
    if (folder / "input").is_dir() and not (folder / "pages.jsonl.gz").is_file():
        return [_original(path) for path in sorted((folder / "input").glob("*.html"))]
    return [_stored(page["id"], page["url"] or "", page["html"], page["text"]) for page in read_lines(folder / "pages.jsonl.gz")]


def read_gold(raw: str) -> tuple[str, str]:
    """Return the address and the gold text of a file in CleanEval's form, a paragraph a line."""
    address = _ADDRESS.match(raw)
    body = raw[address.end() :] if address else raw
    paragraphs = (" ".join(unescape(part).split()) for part in _MARK.split(_REMARK.sub("", body)))
    return address[1] if address else "", "\n".join(paragraph for paragraph in paragraphs if paragraph)


def _original(path: Path) -> Stored:
    gold = path.parent.parent / "GoldStandard" / f"{path.stem}.txt"
    if not gold.is_file():
        raise BadRecord(f"{gold}: missing, where {path.name} is there; get the data set again")
    url, text = read_gold(decode_html(gold.read_bytes()))
    return _stored(path.stem, url, decode_html(path.read_bytes()), text)


def _stored(name: str, url: str, html: str, text: str) -> Stored:
    return Stored(name.partition("_")[0], name, url, html, _REMARK.sub("", text).strip())
