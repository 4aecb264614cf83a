"""Recipes of later generators from npm, PyPI and Debian."""

from __future__ import annotations

from benchmarks.sites.builders.blogs import build_markata, build_valaxy, subtitle_gold, write_markata, write_valaxy, write_vitesse
from benchmarks.sites.builders.documentation import (
    build_docsify,
    build_rmarkdown,
    build_shins,
    write_docmd,
    write_docsify,
    write_rmarkdown,
    write_shins,
    write_vocs,
)
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder

BUILDER_GENERATORS = {
    "docmd": Generator("docmd", ("@docmd/core@0.9.7",), write_docmd, ("docmd", "build"), "html", in_folder, "npm"),
    "shins": Generator("shins", ("shins@2.6.0",), write_shins, build_shins, "html", flat, "npm"),
    "docsify": Generator("docsify", ("docsify@4.13.1",), write_docsify, build_docsify, "html", in_folder, "npm"),
    "rmarkdown": Generator("rmarkdown", (), write_rmarkdown, build_rmarkdown, "html", flat, "debian"),
    "vocs": Generator(
        "vocs",
        ("vocs@1.4.1", "react@19.2.0", "react-dom@19.2.0", "typescript@5.9.3"),
        write_vocs,
        ("vocs", "build"),
        "docs/dist",
        in_folder,
        "npm",
        subtitle_gold,
    ),
    "vitesse": Generator(
        "vitesse",
        (
            "astro-vitesse@0.5.2",
            "astro@5.16.0",
            "@iconify/json@2.2.256",
            "@unocss/reset@0.63.2",
            "unocss@0.63.6",
            "@unocss/astro@0.63.6",
        ),
        write_vitesse,
        ("astro", "build"),
        "dist",
        lambda document: f"posts/{in_folder(document)}",
        "npm",
        subtitle_gold,
    ),
    "valaxy": Generator(
        "valaxy",
        (
            "valaxy@0.26.13",
            "valaxy-theme-sakura@0.10.2",
            "valaxy-addon-hitokoto@0.0.1",
            "valaxy-addon-vercount@0.0.6",
            "typescript@5.9.3",
        ),
        write_valaxy,
        build_valaxy,
        "dist",
        lambda document: f"posts/{in_folder(document)}",
        "npm",
    ),
    "markata": Generator("markata", ("markata==0.14.0",), write_markata, build_markata, "html", in_folder),
}
BUILDER_THEMES = (
    Theme("docmd", "ruby", "MIT"),
    Theme("shins", "darkula", "Apache-2.0"),
    Theme("docsify", "vue", "MIT"),
    Theme("rmarkdown", "flatly", "GPL-3"),
    Theme("vocs", "vocs", "MIT"),
    Theme("vitesse", "astro", "MIT"),
    Theme("valaxy", "sakura", "MIT"),
    Theme("markata", "everforest-dark", "MIT"),
)
