"""A manual as Debian packages it: that of Gri, a language for plots of scientists, by its author's own converter."""

from __future__ import annotations

from benchmarks.sites.manuals.manual import Manual

_LINKED = "li[node()[self::* or normalize-space(.)][1][self::a[contains(@href, '.html#')]]]"
"""Entries of the contents of a chapter: they begin with a link to a section."""
JOURNAL_MANUALS = (
    Manual(
        "plots",
        "gri-manual",
        "gri-html-doc",
        "/usr/share/doc/gri/html",
        "[A-Z]*.html",
        "//td[@width='500'][not(//title[contains(., 'Index')])]",
        f".//ul[count(li) = count({_LINKED})]",
        "GPL-3",
    ),
)
"""The column of the text, without the contents of a chapter; indexes are not among the pages."""
