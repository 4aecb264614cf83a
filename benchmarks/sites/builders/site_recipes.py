"""Recipes of blogs, news pages, documentation and annotated sources from npm and PyPI."""

from __future__ import annotations

from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.builders.guides import (
    build_docute,
    build_fumadocs,
    build_zudoku,
    write_docute,
    write_fumadocs,
    write_zudoku,
)
from benchmarks.sites.builders.interfaces import build_apidoc, build_swagger, declarations_gold, interface_gold, write_apidoc, write_swagger
from benchmarks.sites.builders.posts import (
    build_crinita,
    build_eleventy,
    build_miyadaiku,
    offer_gold,
    write_crinita,
    write_eleventy,
    write_miyadaiku,
    write_offers,
)
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
    "miyadaiku": Generator(
        "miyadaiku",
        ("miyadaiku==1.25.0", "miyadaiku-theme-newblog==1.13.0", "miyadaiku-theme-jquery==1.0.1", "feedgenerator==2.0.0"),
        write_miyadaiku,
        build_miyadaiku,
        "outputs",
        flat,
    ),
    "fumadocs": Generator(
        "fumadocs",
        (
            *("fumadocs-ui@15.8.5", "fumadocs-core@15.8.5", "fumadocs-mdx@12.0.3", "next@15.5.6", "react@19.2.0", "react-dom@19.2.0"),
            *("tailwindcss@4.3.5", "@tailwindcss/postcss@4.3.5", "postcss@8.5.6", "typescript@5.9.3", "@types/mdx@2.0.13"),
            *("@types/react@19.2.2", "@types/node@24.10.0"),
        ),
        write_fumadocs,
        build_fumadocs,
        "out",
        lambda document: f"docs/{in_folder(document)}",
        "npm",
        subtitle_gold,
    ),
    "apidoc": Generator("apidoc", ("apidoc@1.2.0",), write_apidoc, build_apidoc, "html", in_folder, "npm", declarations_gold),
    "docute": Generator("docute", ("docute@4.23.3",), write_docute, build_docute, "html", in_folder, "npm"),
    "site-theme": Generator(
        "site-theme",
        ("@mcptoolshop/site-theme@2.2.0", "astro@7.3.5", "@tailwindcss/vite@4.3.5", "tailwindcss@4.3.5"),
        write_offers,
        ("astro", "build"),
        "dist",
        in_folder,
        "npm",
        offer_gold,
    ),
    "zudoku": Generator(
        "zudoku", ("zudoku@0.76.0", "react@19.2.0", "react-dom@19.2.0"), write_zudoku, build_zudoku, "dist", in_folder, "npm"
    ),
    "swagger-ui": Generator("swagger-ui", ("swagger-ui-dist@5.35.0",), write_swagger, build_swagger, "html", flat, "npm", interface_gold),
}
SITE_THEMES = (
    Theme("crinita", "blog", "MIT"),
    Theme("eleventy", "govuk", "MIT"),
    Theme("miyadaiku", "newblog", "MIT"),
    Theme("fumadocs", "neutral", "MIT"),
    Theme("apidoc", "template", "MIT"),
    Theme("docute", "wide", "MIT"),
    Theme("site-theme", "offers", "MIT"),
    Theme("zudoku", "portal", "MIT"),
    Theme("swagger-ui", "topbar", "Apache-2.0"),
)
