"""Tools that return all of a page's text, the base lines of the empirical comparison (Bevendorff et al. 2023, section 3).

See `benchmarks.extractors.peers` for what all adapters share.
"""

from __future__ import annotations

import re

UNWANTED = (
    *("applet", "area", "aside", "audio", "blink", "button", "canvas", "datalist", "dialog", "embed", "fieldset"),
    *("figure", "footer", "form", "frame", "frameset", "head", "iframe", "input", "ins", "label", "legend", "link", "map"),
    *("marquee", "math", "menu", "menuitem", "nav", "noscript", "object", "optgroup", "option", "output", "param"),
    *("picture", "progress", "rp", "rt", "rtc", "script", "select", "source", "style", "svg", "template", "textarea"),
    *("time", "track", "use", "video"),
)
"""Elements that the comparison's lxml cleaner drops with all they hold."""
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")


def read_with_html_text(html: str, url: str) -> str:
    """Return html_text's text of the whole page."""
    import html_text

    text: str = html_text.extract_text(html)
    return text


def read_with_inscriptis(html: str, url: str) -> str:
    """Return the whole page as Inscriptis lays it out."""
    import inscriptis

    text: str = inscriptis.get_text(html)
    return text


def read_with_soup(html: str, url: str) -> str:
    """Return Beautiful Soup's text of the whole page, without scripts and styles."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(html, "html.parser")
    for element in soup(["script", "style", "noscript"]):
        element.decompose()
    return str(soup.get_text(separator=" ", strip=True))


def read_with_lxml_cleaner(html: str, url: str) -> str:
    """Return Beautiful Soup's text of what lxml's cleaner leaves when it drops everything that is seldom content."""
    from bs4 import BeautifulSoup
    from lxml_html_clean import Cleaner

    cleaner = Cleaner(
        annoying_tags=False, embedded=False, links=False, meta=False, page_structure=False, remove_unknown_tags=False,
        safe_attrs_only=False, style=False, forms=True, frames=True, javascript=True, scripts=True, kill_tags=UNWANTED,
    )  # fmt: skip
    return str(BeautifulSoup(cleaner.clean_html(html), "html.parser").get_text(separator=" ", strip=True))


def read_with_xpath(html: str, url: str) -> str:
    """Return all text nodes of the body that no script or style holds."""
    from lxml.html import fromstring

    pieces = fromstring(html).xpath("//body[1]//*[not(self::script or self::style)]/text()")
    return _LINES.sub("\n", _SPACES.sub(" ", " ".join(pieces))).strip()
