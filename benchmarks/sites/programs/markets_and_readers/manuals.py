"""Manuals as Debian packages them: those of HomeBank and of BeanShell, and the reference of the STL by SGI's own htmldoc."""

from __future__ import annotations

from benchmarks.sites.manuals.manual import Manual


def _has(name: str) -> str:
    return f"contains(concat(' ', @class, ' '), ' {name} ')"


MARKET_MANUALS = (
    Manual(
        "manual",
        "homebank",
        "homebank-data",
        "/usr/share/doc/homebank-data/help",
        "[!fi]*.html",
        f"//div[{_has('title')}] | //div[{_has('content')}]",
        f".//ul[{_has('toc')}] | .//p[{_has('top')}] | .//table[{_has('lexicon')}]",
        "GPL-2",
    ),
    Manual(
        "manual",
        "bsh-manual",
        "bsh-doc",
        "/usr/share/doc/bsh-doc",
        "html/*.html",
        "//body[not(//title[contains(., 'Contents')])]",
        "./table[.//img[contains(@src, 'homebutton')]] | .//table[@border='1'][.//a[starts-with(@href, '#')]]",
        "LGPL-2.1",
    ),
    Manual(
        "stl",
        "sgi-htmldoc",
        "stl-manual",
        "/usr/share/doc/stl-manual/html",
        "*.html",
        "//body[.//b[starts-with(., 'Categor')]]",
        "./*[preceding-sibling::comment()[contains(., 'start footer')]]",
        "MIT",
    ),
)
"""HomeBank's is without contents of pages and links back to the top, that of BeanShell without its bars of buttons above and below the
text and the table of contents of its commands, and that of the STL without its footer; only pages about a component."""
