"""Recipes of further documentation generators."""

from __future__ import annotations

from benchmarks.sites.generators.more_documentation import (
    build_bookdown,
    build_documentation,
    build_ford,
    build_pkgdown,
    build_redocly,
    compodoc_page,
    redocly_gold,
    write_bookdown,
    write_compodoc,
    write_documentation,
    write_esdoc,
    write_ford,
    write_ldoc,
    write_nextra,
    write_pkgdown,
    write_redocly,
)
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder

_COMPODOC = ("--includes", "guides", "--includesName", "Guides", "--theme", "material", "--language", "zh-CN")
DOCUMENTATION_GENERATORS = {
    "bookdown": Generator("bookdown", (), write_bookdown, build_bookdown, "html", flat, "debian"),
    "pkgdown": Generator("pkgdown", (), write_pkgdown, build_pkgdown, "html", lambda document: f"articles/{flat(document)}", "debian"),
    "ford": Generator("ford", ("ford==7.0.13",), write_ford, build_ford, "html", lambda document: f"page/{flat(document)}"),
    "ldoc": Generator("ldoc", (), write_ldoc, ("ldoc", "-q", "."), "html", lambda document: f"topics/{document.slug}.md.html", "debian"),
    "compodoc": Generator(
        "compodoc",
        ("@compodoc/compodoc@2.0.0",),
        write_compodoc,
        ("compodoc", "-p", "tsconfig.json", "-d", "html", *_COMPODOC),
        "html",
        compodoc_page,
        "npm",
    ),
    "documentation": Generator(
        "documentation", ("documentation@14.0.3",), write_documentation, build_documentation, "html", in_folder, "npm"
    ),
    "esdoc": Generator(
        "esdoc",
        ("esdoc@1.1.0", "esdoc-standard-plugin@1.0.0"),
        write_esdoc,
        ("esdoc",),
        "html",
        lambda document: f"manual/{flat(document)}",
        "npm",
    ),
    "nextra": Generator(
        "nextra",
        ("nextra@4.6.1", "nextra-theme-docs@4.6.1", "next@15.5.4", "react@19.2.0", "react-dom@19.2.0", "typescript@5.9.3", "zod@4.1.12"),
        write_nextra,
        ("next", "build"),
        "out",
        in_folder,
        "npm",
    ),
    "redocly": Generator("redocly", ("@redocly/cli@2.77.0",), write_redocly, build_redocly, "html", flat, "npm", gold=redocly_gold),
}
DOCUMENTATION_THEMES = (
    Theme("bookdown", "cosmo", "GPL-3"),
    Theme("pkgdown", "bootstrap5", "MIT"),
    Theme("ford", "pages", "GPL-3"),
    Theme("ldoc", "topics", "MIT"),
    Theme("compodoc", "material", "MIT"),
    Theme("documentation", "default", "ISC"),
    Theme("esdoc", "manual", "MIT"),
    Theme("nextra", "docs", "MIT"),
    Theme("redocly", "redoc", "MIT"),
)
