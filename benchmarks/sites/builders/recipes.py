"""Recipes of the fifth final part's generators from npm, PyPI and Debian."""

from __future__ import annotations

from benchmarks.sites.builders.blogs import build_valaxy, subtitle_gold, write_markata, write_valaxy, write_vitesse
from benchmarks.sites.builders.documentation import build_docsify, build_shins, write_docmd, write_docsify, write_shins
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder

BUILDER_GENERATORS = {
    "docmd": Generator("docmd", ("@docmd/core@0.9.7",), write_docmd, ("docmd", "build"), "html", in_folder, "npm"),
    "shins": Generator("shins", ("shins@2.6.0",), write_shins, build_shins, "html", flat, "npm"),
    "docsify": Generator("docsify", ("docsify@4.13.1",), write_docsify, build_docsify, "html", in_folder, "npm"),
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
    "markata": Generator("markata", ("markata==0.14.0",), write_markata, ("markata", "build"), "html", in_folder),
}
BUILDER_THEMES = (
    Theme("docmd", "ruby", "MIT"),
    Theme("shins", "darkula", "Apache-2.0"),
    Theme("docsify", "vue", "MIT"),
    Theme("vitesse", "astro", "MIT"),
    Theme("valaxy", "sakura", "MIT"),
    Theme("markata", "everforest-light", "MIT"),
)
