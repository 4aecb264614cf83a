"""Six of the comparison's eight data sets in their public forms,
each an unpacked folder named as `benchmarks.datasets.samples` names the set.

| set | pages | gold text |
|---|---|---|
| cleaneval | `orig`, `en_original` or `finalrun-input/<id>.html` | `clean`, `en_cleaned` or `GoldStandard/<id>.txt` or `-cleaned.txt` |
| cleanportaleval | `input/<id>.html` | `GoldStandard/<id>.txt` |
| dragnet | `HTML/<id>.html` | `Corrected/<id>.html.corrected.txt`, the comments behind a line of their own |
| l3s-gn1 | `original/<id>.html` | `annotated/<id>.html`, each text in a span of class `x-nc-sel0` to `x-nc-sel5` |
| readability | `test-pages/<id>/source.html` | `test-pages/<id>/expected.html` |
| scrapinghub | `html/<id>.html.gz` | `ground-truth.json`: `articleBody` and `url` by id |

Pages without gold text, and gold texts without a page, are left out: the sets have some of both.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec
from selectolax.lexbor import LexborHTMLParser

from benchmarks.metrics.fragments import text_of
from sightread.render.errors import BadRecord, Rejected
from sightread.render.static.charset import decode_html
from sightread.render.static.tags import BLOCK, PRE, TREATMENT

CONTENT_OF_L3S = ", ".join(f".x-nc-sel{label}" for label in (1, 2, 3))
"""Headline, full text and supplemental; the others are related content, comments and, as 0, boilerplate."""
_REMARK = re.compile(r"<!--.*?-->", re.DOTALL)
"""Annotators' marks in CleanEval's form in place of a gold text: there is no article."""
_ADDRESS = re.compile(r"\s*URL:\s*(\S+)")
_MARK = re.compile(r"</?[phl]>", re.IGNORECASE)
_WRAPPER = re.compile(r"\A\s*<text [^>]*>\s*|\s*</text>\s*\Z")
"""CleanEval's tags around each page."""
_COMMENTS = re.compile(r"^!@#\$%\^&\*\(\)[^\n]*\n?", re.MULTILINE)
"""The line that parts content from comments in Dragnet's gold texts."""


class Original(NamedTuple):
    """A page as published."""

    id: str
    url: str
    html: str
    gold: str


class _Truth(msgspec.Struct):
    articleBody: str  # noqa: N815  (the file's own name)
    url: str = ""


def read_cleaneval(folder: Path) -> Iterator[Original]:
    """Yield the pages of the development set, of the final one, or of both, as far as they are there. Both number from 1."""
    for pages, golds in (("orig", "clean"), ("en_original", "en_cleaned"), ("finalrun-input", "GoldStandard"), ("input", "GoldStandard")):
        for page, gold in _pairs(sorted((folder / pages).glob("*.html")), _cleaned(folder / golds)):
            url, text = read_gold(_read(gold))
            yield Original(page.stem if pages == "input" else f"{pages}_{page.stem}", url, _WRAPPER.sub("", _read(page)), text)


def read_gold(raw: str) -> tuple[str, str]:
    """Return the address and the gold text of a file in CleanEval's form, one paragraph per line.

    That form: the address, then paragraphs that begin with a mark (`<p>`, `<h>` or `<l>`) and are broken into lines anywhere.
    """
    address = _ADDRESS.match(raw)
    body = raw[address.end() :] if address else raw
    paragraphs = (" ".join(unescape(part).split()) for part in _MARK.split(_REMARK.sub("", body)))
    return address[1] if address else "", "\n".join(paragraph for paragraph in paragraphs if paragraph)


def read_dragnet(folder: Path) -> Iterator[Original]:
    """Yield the pages; their gold texts hold the comments that were kept."""
    golds = next((path for path in (folder / "Corrected", folder / "corrected" / "Corrected") if path.is_dir()), folder)
    for page, gold in _pairs(sorted((folder / "HTML").glob("*.html")), lambda page: golds / f"{page.name}.corrected.txt"):
        yield Original(page.stem, "", _read(page), _COMMENTS.sub("", _read(gold)).strip())


def read_l3s(folder: Path) -> Iterator[Original]:
    """Yield the pages; headline, full text and supplemental are content."""
    for page, gold in _pairs(sorted((folder / "original").glob("*.html")), lambda page: folder / "annotated" / page.name):
        yield Original(page.stem, "", _read(page), _marked(_read(gold), CONTENT_OF_L3S))


def read_readability(folder: Path) -> Iterator[Original]:
    """Yield the pages with the text of the HTML that Readability.js is expected to return."""
    for page, gold in _pairs(sorted(folder.glob("test-pages/*/source.html")), lambda page: page.with_name("expected.html")):
        yield Original(page.parent.name, "", _read(page), text_of(_read(gold)))


def read_scrapinghub(folder: Path) -> Iterator[Original]:
    """Yield the pages of the ground truth. Raises `BadRecord` if that file is damaged."""
    truth = folder / "ground-truth.json"
    try:
        known = msgspec.json.decode(truth.read_bytes(), type=dict[str, _Truth])
    except (OSError, msgspec.DecodeError) as error:
        raise BadRecord(f"{truth}: {error}; get the data set again") from error
    for name, record in known.items():
        page = folder / "html" / f"{name}.html.gz"
        if page.is_file():
            yield Original(name, record.url, _read(page), record.articleBody)


ORIGINALS: Mapping[str, Callable[[Path], Iterator[Original]]] = MappingProxyType(
    {
        "cleaneval": read_cleaneval,
        "cleanportaleval": read_cleaneval,
        "dragnet": read_dragnet,
        "l3s-gn1": read_l3s,
        "readability": read_readability,
        "scrapinghub": read_scrapinghub,
    }
)
"""By the names of the sets."""


def _pairs(pages: Iterable[Path], gold_of: Callable[[Path], Path]) -> Iterator[tuple[Path, Path]]:
    for page in pages:
        gold = gold_of(page)
        if gold.is_file():
            yield page, gold


def _cleaned(folder: Path) -> Callable[[Path], Path]:
    def gold_of(page: Path) -> Path:
        plain = folder / f"{page.stem}.txt"
        return plain if plain.is_file() else folder / f"{page.stem}-cleaned.txt"

    return gold_of


def _read(path: Path) -> str:
    """Return a file's text, unpacked if it is packed, decoded as HTML is. Raises `Rejected` if it cannot be read."""
    try:
        data = path.read_bytes()
        return decode_html(gzip.decompress(data) if path.suffix == ".gz" else data).text
    except (OSError, EOFError) as error:
        raise Rejected(f"{path}: {error}; get the data set again") from error


def _marked(html: str, content: str) -> str:
    """Return the texts of the innermost elements that a selector finds, those of one block-level element on one line."""
    tree = LexborHTMLParser(html)
    lines: list[list[str]] = []
    last = None
    for node in tree.css(content):
        if any(child.css_first(content) is not None for child in node.iter()):
            continue
        block = node
        while block.parent is not None and not BLOCK <= TREATMENT.get(block.tag or "", 0) <= PRE:
            block = block.parent
        if last != block.mem_id:
            lines.append([])
            last = block.mem_id
        lines[-1].append(" ".join(node.text().split()))
    return "\n".join(text for line in lines if (text := " ".join(filter(None, line))))
