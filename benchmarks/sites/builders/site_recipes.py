"""Recipes of blogs, news pages, documentation and annotated sources from npm and PyPI."""

from __future__ import annotations

from benchmarks.sites.builders.guides import build_docute, build_swagger, interface_gold, write_docute, write_swagger
from benchmarks.sites.builders.posts import build_crinita, build_eleventy, write_crinita, write_eleventy
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder

SITE_GENERATORS = {
    "crinita": Generator("crinita", ("crinita==2.0.1",), write_crinita, build_crinita, "html", flat),
    "eleventy": Generator(
        "eleventy",
        ("@11ty/eleventy@3.1.8", "@x-govuk/govuk-eleventy-plugin@9.0.2"),
        write_eleventy,
        build_eleventy,
        "html",
        in_folder,
        "npm",
    ),
    "docute": Generator("docute", ("docute@4.23.3",), write_docute, build_docute, "html", in_folder, "npm"),
    "swagger-ui": Generator("swagger-ui", ("swagger-ui-dist@5.35.0",), write_swagger, build_swagger, "html", flat, "npm", interface_gold),
}
SITE_THEMES = (
    Theme("crinita", "blog", "MIT"),
    Theme("eleventy", "govuk", "MIT"),
    Theme("docute", "wide", "MIT"),
    Theme("swagger-ui", "topbar", "Apache-2.0"),
)
