"""Manuals as Debian packages them: Vim's by its own converter, Postfix' handwritten guides, and MPICH's functions by doctext."""

from __future__ import annotations

from benchmarks.sites.manuals.manual import Manual

_VIM_FRAME = "|".join(
    (
        r"\*usr_\d+\.txt\*.*",  # the file and the day of its last change
        r"VIM USER MANUAL.*",
        r"\|\d+\.\d+\| .*",  # contents
        r"(Next chapter|Previous chapter|Table of contents): .*",
        r"Copyright: see .*",
        r"top - main help file",
        r"main help file",
    )
)
_INSIDE = "starts-with(@href, '#')"
PAGE_MANUALS = (
    Manual(
        "user-manual",
        "vim2html",
        "vim-doc",
        "/usr/share/doc/vim/html",
        "usr_[0-9]*.html",
        "//body",
        "",
        "Vim",
        drop_lines=_VIM_FRAME,
    ),
    Manual(
        "guides",
        "postfix-site",
        "postfix-doc",
        "/usr/share/doc/postfix/html",
        "*_README.html",
        "//body",
        f".//ul[./li/a[{_INSIDE}]][not(./li[not(.//a[{_INSIDE}])])] | .//p[starts-with(normalize-space(.), 'Topics ')]",
        "IBM-1.0 or EPL-2.0",
    ),
    Manual(
        "functions",
        "doctext",
        "mpich-doc",
        "/usr/share/doc/mpich-doc/html/www3",
        "MPI_*.html",
        "//body",
        "",
        "MPICH",
    ),
)
"""Of each, the whole body, without contents and links to other pages."""
