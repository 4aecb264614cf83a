"""What a page shows, and what a report holds as its script unpacks it."""

import base64
import gzip
import re
from pathlib import Path

from sightread.render.page import Page


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


_DATA = re.compile(r'<script type="text/plain" id="((?:site|page)[\w-]*)">([^<]*)</script>')


def report_data(path: Path) -> dict[str, str]:
    """Return the JSON of each data block of a report by its name: `site`, `site-map`, `page-0` and so on."""
    return {name: gzip.decompress(base64.b64decode(data)).decode() for name, data in _DATA.findall(path.read_text("utf-8"))}
