"""A manual as Debian packages it: the programs of MCL, written in Aephea and converted by Zoem, the macro processor of its author."""

from __future__ import annotations

from benchmarks.sites.manuals.manual import Manual

_CONTENTS = "./div[contains(@class, 'itemize')][.//a[@class='intern']][not(preceding-sibling::h2)][not(preceding-sibling::a[@name])]"
POST_MANUALS = (
    Manual(
        "mcl",
        "zoem",
        "mcl-doc",
        "/usr/share/doc/mcl/html",
        "*.html",
        "//body[.//a[@name='name']]",
        f"./p[@style='text-align:right'][1] | {_CONTENTS}",
        "GPL-3",
    ),
)
"""The whole text of a page, without the day and the version above it and the contents."""
