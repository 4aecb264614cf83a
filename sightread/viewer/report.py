"""The report: one self-contained HTML file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from sightread.render.files import write_atomically
from sightread.viewer.build import Findings, build_page, build_site
from sightread.viewer.records import encode
from sightread.viewer.site_map import build_map

SCRIPTS = (
    *("dom.js", "source.js", "state.js", "page/samples.js", "site/pages.js", "page/sheet.js", "page/legend.js"),
    *("page/detail.js", "site/overview.js", "site/looks.js", "site/map_points.js", "site/map.js", "site/versions.js", "page/pairing.js"),
    *("page/text.js", "page/correct.js", "page/word_diff.js", "page/models.js", "site/learn.js", "main.js"),
)
"""The viewer's scripts in the order in which they run; together they are `viewer.js`."""
STYLES = tuple(f"styles/{name}.css" for name in ("palette", "frame", "page", "site", "phone"))
"""The viewer's style sheets in their order; together they are `viewer.css`."""
REPORT_REASONS = 5
"""Reasons embedded per block; the inspector, which fetches them, shows more."""

_STYLE_LINK = '<link rel="stylesheet" href="viewer.css">'
_SCRIPT_LINK = '<script src="viewer.js" defer></script>'


def viewer_part(name: str) -> str:
    """Return a file of the viewer; `viewer.js` and `viewer.css` are several, one after the other."""
    folder = files("sightread.viewer") / "assets"
    return "".join((folder / part).read_text("utf-8") for part in {"viewer.js": SCRIPTS, "viewer.css": STYLES}.get(name, (name,)))


def report_parts(findings: Findings) -> Iterator[str]:
    """Yield the report piece by piece.

    All data from the pages are in data blocks, which no browser runs; the policy admits the viewer's own script and style by hash.
    """
    style, script = viewer_part("viewer.css"), viewer_part("viewer.js")
    policy = f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    head, after_style = viewer_part("index.html").split(_STYLE_LINK)
    body, tail = after_style.split(_SCRIPT_LINK)
    yield head
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>'
    yield body
    yield _data("site", encode(build_site(findings)).decode())
    yield _data("site-map", encode(build_map(findings)).decode())
    for row in range(len(findings.pages)):
        yield _data(f"page-{row}", encode(build_page(findings, row, REPORT_REASONS)).decode())
        picture = findings.pictures[row] if findings.pictures else None
        for number, tile in enumerate(picture.tiles if picture else (), 1):
            yield _data(f"picture-{row}-{number}", base64.b64encode(tile).decode(), "text/plain")
    yield f"<script>{script}</script>"
    yield tail


def write_report(findings: Findings, path: Path) -> None:
    """Write the report to `path` atomically. Raises `StorageFailed`."""
    write_atomically(path, "".join(report_parts(findings)).encode())


def _data(name: str, text: str, kind: str = "application/json") -> str:
    return f'<script type="{kind}" id="{name}">{text}</script>\n'


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
