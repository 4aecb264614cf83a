"""Publication dates: the declared date, else the date that htmldate finds."""

from __future__ import annotations

import logging
import re
from datetime import date
from html import escape

from sightread.render.page import Page

logger = logging.getLogger(__name__)

FIRST_YEAR = 1995
"""Earliest possible year; an earlier date is a placeholder (htmldate's own bound)."""

NEAR = (6, 14)
"""Number of blocks before and after the headline that may hold a byline with a date."""

BYLINE_CHARS = 120
"""Most characters of a byline; dates in running text are seldom the page's own."""

_ISO = re.compile(r"\s*(\d{4})([-/.]?)(\d{2})\2(\d{2})(?!\d)")


def iso_date(value: str) -> str:
    """Return the date that a timestamp begins with (year, month, day) as `YYYY-MM-DD`; empty if it begins with no valid date."""
    found = _ISO.match(value)
    if not found or int(found[1]) < FIRST_YEAR:
        return ""
    try:
        return date(int(found[1]), int(found[3]), int(found[4])).isoformat()
    except ValueError:
        return ""


def search_date(page: Page) -> str:
    """Return the date of publication that htmldate finds, as `YYYY-MM-DD`; empty if it finds none.

    htmldate reads HTML, which a `Page` no longer holds. Its input is a small document of the likely sources of a date: the metas, JSON-LD,
    the canonical URL, `datetime` attributes, and short blocks around the headline; not the whole text, which may contain any date.
    """
    import htmldate  # noqa: PLC0415  (0.14 s, and most pages declare their date)

    try:
        found = htmldate.find_date(_synopsis(page), extensive_search=False, original_date=True, url=page.final_url or page.url or None)
    except Exception as error:  # noqa: BLE001  (its parsers raise errors of many kinds on dates that cannot be, and the page keeps its text)
        logger.info("%s: no date: htmldate failed: %r", page.final_url or page.url, error)
        return ""
    return iso_date(found or "")


def _synopsis(page: Page) -> str:
    metas = (f'<meta {key}="{escape(name)}" content="{escape(content)}">' for name, content in page.metas for key in ("name", "property"))
    scripts = (f'<script type="application/ld+json">{script}</script>' for script in page.json_ld if "</" not in script)
    times = (f'<time datetime="{escape(value)}"></time>' for element in page.elements if (value := element.attributes.get("datetime")))
    head = f'<title>{escape(next(iter(page.titles), ""))}</title><link rel="canonical" href="{escape(page.canonical)}">'
    headline = next((row for row, block in enumerate(page.blocks) if block.heading == 1), 0)
    near = page.blocks[max(headline - NEAR[0], 0) : headline + NEAR[1]]
    bylines = (f'<p class="date">{escape(block.text)}</p>' for block in near if len(block.text) <= BYLINE_CHARS)
    return f"<html><head>{head}{''.join(metas)}{''.join(scripts)}</head><body>{''.join(times)}{''.join(bylines)}</body></html>"
