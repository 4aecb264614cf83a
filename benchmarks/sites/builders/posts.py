"""Projects of blogs, news and products: Crinita and Miyadaiku (PyPI), Eleventy with a British government's pages, an Astro theme (npm)."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_html, to_markdown

_CRINITA = """
import datetime
import json
import pathlib
import crinita
settings = json.load(open("settings.json"))
for name, value in settings["config"].items():
    setattr(crinita.Config, name, value)
tags = {name: crinita.Tag(name, name.replace(" ", "-")) for name in settings["tags"]}
articles = [
    crinita.Article(
        title=one["title"], url_alias=one["slug"], date=datetime.datetime.fromisoformat(one["date"]), lead=one["lead"],
        content=one["content"], tags=[tags[name] for name in one["tags"]],
    )
    for one in settings["articles"]
]
about = crinita.Page(title="About", url_alias="about", content=settings["about"], menu_position=2, large_image_path=None)
crinita.Sites([*articles, about]).generate_pages(pathlib.Path("html"))
"""
_ELEVENTY = """
import {govukEleventyPlugin} from '@x-govuk/govuk-eleventy-plugin';
export default function (config) {
  config.addPlugin(govukEleventyPlugin, OPTIONS);
  return {dir: {input: 'pages', output: 'html'}};
}
"""
_FORMULAS = re.compile(r'<script src="https://cdnjs[^"]*"></script>')
_LABELS = ("Guidance", "News story", "Press release", "Statistics", "Consultation")
_BLOCK_TAGS = ("Explore the topic", "Also of interest")
_CONFIG = """import {defineConfig} from 'astro/config';
import tailwindcss from '@tailwindcss/vite';
export default defineConfig({site: 'http://127.0.0.1', vite: {plugins: [tailwindcss()]}});
"""
_STYLES = """@import "tailwindcss";
@import "@mcptoolshop/site-theme/styles/theme.css";
@source "../../node_modules/@mcptoolshop/site-theme";
"""
_PAGE = """---
import '../styles/global.css';
import BaseLayout from '@mcptoolshop/site-theme/components/BaseLayout.astro';
import Hero from '@mcptoolshop/site-theme/components/Hero.astro';
import Section from '@mcptoolshop/site-theme/components/Section.astro';
import FeatureGrid from '@mcptoolshop/site-theme/components/FeatureGrid.astro';
import DataTable from '@mcptoolshop/site-theme/components/DataTable.astro';
import CodeCardGrid from '@mcptoolshop/site-theme/components/CodeCardGrid.astro';
import PricingGrid from '@mcptoolshop/site-theme/components/PricingGrid.astro';
import CtaBanner from '@mcptoolshop/site-theme/components/CtaBanner.astro';
import pages from '../pages.json';
export const getStaticPaths = () => pages.map((page) => ({params: {slug: page.slug}, props: page}));
const page = Astro.props;
---
<BaseLayout {...page.layout}>
  <Hero {...page.hero} />
  {page.sections.map((section) => (
    <Section id={section.id} title={section.title}>
      {section.parts.map((part) => part.features ? <FeatureGrid features={part.features} />
        : part.rows ? <DataTable columns={part.columns} rows={part.rows} />
        : part.cards ? <CodeCardGrid cards={part.cards} />
        : <p class="mt-4 max-w-2xl text-dim">{part.text}</p>)}
    </Section>
  ))}
  <Section id="pricing" title={page.pricing.title}><PricingGrid tiers={page.pricing.tiers} /></Section>
  <Section id="more" title="More from the harbour office"><FeatureGrid features={page.more} /></Section>
  <CtaBanner {...page.banner} />
</BaseLayout>
"""
_BANNER = {"headline": "Ready to sail?", "description": "Try all tools for thirty days.", "cta": {"href": "/", "label": "Start a trial"}}
_TIERS = (("Skiff", 0), ("Cutter", 9), ("Schooner", 35))
_FIGURES = ("Tables for {n} ports", "{n} seats", "Answers within {n} hours", "{n} years of records", "{n} alerts per month")
_FIRST_TITLE = "Why it helps"
_PRICES_TITLE = "Plans"


def write_crinita(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the articles of a blog, with recent posts, tags and a box about the site at the side."""
    del theme
    config = {
        "site_title": NAME,
        "site_logo_text": NAME.upper(),
        "append_to_head_tag": "",
        "footer": f"<p>© 2024 {NAME}. All texts may be copied with the name of their author.</p>",
        "text_sections_in_right_menu": [{"header": "About", "content": documents[1].summary}],
        "default_meta_description": documents[0].summary,
        "append_to_menu": [
            {"title": "HOME", "url": "__HOME_PAGE__", "menu_position": 0},
            {"title": "ARCHIVE", "url": "index-page-1.html", "menu_position": 3},
        ],
    }
    articles = [
        {
            "title": document.title,
            "slug": document.slug,
            "date": str(document.published),
            "lead": document.summary,
            "content": to_html(document),
            "tags": list(document.tags),
        }
        for document in documents
    ]
    tags = sorted({tag for document in documents for tag in document.tags})
    write_text(
        project / "settings.json",
        json.dumps({"config": config, "articles": articles, "tags": tags, "about": f"<p>{documents[2].summary}</p>"}),
    )


def build_crinita(project: Path) -> None:
    """Build the blog by its library."""
    (project / "html").mkdir()
    write_text(project / "build.py", _CRINITA)
    run_tool([str(project.parents[1].resolve() / "bin/python"), "build.py"], project)


def write_eleventy(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write posts with breadcrumbs, metadata and a table of contents, whose related pages are at the side."""
    del theme
    links = [{"text": text, "href": f"/{document.slug}/"} for text, document in zip(("News", "Guidance", "Data"), documents, strict=False)]
    options = {
        "titleSuffix": NAME,
        "header": {"logotype": {"text": NAME}, "productName": False},
        "footer": {"copyright": {"text": f"© {NAME}"}, "licence": False, "meta": {"items": links}},
        "serviceNavigation": {"navigation": links, "home": "/"},
        "markdown": {"typographer": False, "govspeak": False, "headingsStartWith": "l"},
        "stylesheets": [],
    }
    write_text(project / "eleventy.config.mjs", _ELEVENTY.replace("OPTIONS", json.dumps(options)))
    write_text(project / "package.json", json.dumps({"name": "site", "private": True, "type": "module"}))
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    write_text(project / "pages/index.md", f"{_front({'layout': 'page', 'title': NAME})}\n{documents[0].summary}\n")
    for number, document in enumerate(documents):
        near = [documents[(number + step) % len(documents)] for step in range(1, 7)]
        sections = [
            {"title": title, "items": [{"text": other.title, "href": f"/{other.slug}/"} for other in others]}
            for title, others in zip(_BLOCK_TAGS, (near[:3], near[3:]), strict=True)
        ]
        head = {
            "layout": "post",
            "title": document.title,
            "htmlLang": document.language,
            "caption": _LABELS[number % len(_LABELS)],
            "description": document.summary,
            "date": str(document.published),
            "author": {"name": "Ada Quay", "url": "/"},
            "related": {"sections": sections},
            "eleventyNavigation": {"parent": NAME},
        }
        write_text(project / f"pages/{document.slug}.md", f"{_front(head)}\n[[toc]]\n\n{to_markdown(document)}")


def build_eleventy(project: Path) -> None:
    """Build the pages with their style sheet."""
    tools = project.parents[1].resolve()
    run_program([str(tools / "node_modules/.bin/eleventy"), "--quiet"], project, tools.parent)


def write_miyadaiku(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, whose date, tags and contents are at the side."""
    settings = {
        "site_title": NAME,
        "site_url": "http://127.0.0.1/",
        "lang": documents[0].language,
        "timezone": "UTC",
        "copyright": f"© 2024 {NAME}",
        "og_description": documents[0].summary,
        "themes": [f"miyadaiku_theme_{theme}"],
    }
    write_text(project / "config.yml", json.dumps(settings))
    for document in documents:
        head = {"title": document.title, "date": f"{document.published} 08:00:00", "tags": list(document.tags), "type": "article"}
        body = to_markdown(document)  # after a comment, as the first lines of the form "word: text" would be settings
        write_text(project / f"contents/{document.slug}.md", f"{_front(head)}\n<!-- text -->\n\n{body}")


def build_miyadaiku(project: Path) -> None:
    """Build the blog, without the library for formulas that it gets from the network."""
    run_tool([str(project.parents[1].resolve() / "bin/miyadaiku-build"), "."], project)
    for path in sorted((project / "outputs").glob("*.html")):
        path.write_text(_FORMULAS.sub("", path.read_text("utf-8")), "utf-8")


def _front(head: Mapping[str, object]) -> str:
    lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
    return f"---\n{lines}---\n"


def write_offers(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per product: its claim, sections of features, tables and code, prices, other products and a call to action."""
    del theme
    write_text(project / "astro.config.mjs", _CONFIG)
    write_text(project / "package.json", json.dumps({"name": "site", "private": True, "type": "module"}))
    write_text(project / "src/styles/global.css", _STYLES)
    write_text(project / "src/pages/[slug].astro", _PAGE)
    write_text(project / "public/favicon.svg", ICON)
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    pages = []
    for number, document in enumerate(documents):
        others = [documents[(number + step) % len(documents)] for step in (1, 2, 3)]
        pages.append(
            {
                "slug": document.slug,
                "layout": _layout(document, others),
                "hero": {
                    "badge": document.tags[0].title(),
                    "headline": document.title,
                    "headlineAccent": "",
                    "description": html.escape(document.summary),
                    "primaryCta": {"href": "#pricing", "label": "Get started"},
                    "secondaryCta": {"href": "#more", "label": "See more"},
                },
                "sections": [_section(title, parts, place) for place, (title, parts) in enumerate(_sections(document))],
                "pricing": {"title": _PRICES_TITLE, "tiers": tiers(document)},
                "more": [{"title": other.title, "desc": other.summary} for other in others],
                "banner": _BANNER,
            }
        )
    write_text(project / "src/pages.json", json.dumps(pages, ensure_ascii=False))


def _layout(document: SourceDocument, others: Sequence[SourceDocument]) -> dict[str, Any]:
    """Return the header and the footer of a page, with a menu of other pages."""
    return {
        "title": f"{document.title} – {NAME}",
        "description": document.summary,
        "logoBadge": "TT",
        "brandName": NAME,
        "nav": [{"label": label, "href": f"/{other.slug}/"} for label, other in zip(("Tools", "Prices", "Stories"), others, strict=True)],
        "repoUrl": "https://example.org/tides",
        "footerText": f"© 2024 {NAME}. All prices without tax.",
    }


def tiers(document: SourceDocument) -> list[dict[str, Any]]:
    """Return the prices of a product, each with a description and what it includes."""
    draw = random.Random(f"{document.slug} {document.title}")
    factor = draw.randint(1, 6)
    found = []
    for name, price in _TIERS:
        figures = [figure.format(n=draw.randint(2, 90) + price) for figure in draw.sample(_FIGURES, draw.randint(2, 4))]
        words = f"For {draw.randint(2, 9) + price} boats and their crews."
        label = {"href": "/", "label": f"Choose {name}"}
        found.append(
            {"name": name, "price": f"€{price * factor} per month", "description": words, "features": figures, "cta": label}
            | {"highlighted": name == "Cutter"}
        )
    return found


def offer_gold(document: SourceDocument) -> str:
    """Return the gold text of a product's page: its claim, its sections and its prices."""
    lines = [document.title, document.summary]
    for title, parts in _sections(document):
        lines.append(title)
        for part in parts:
            lines += [part.language] if part.kind == "code" else []
            lines += part_gold(part)
    lines.append(_PRICES_TITLE)
    for tier in tiers(document):
        lines += [tier["name"], tier["price"], tier["description"], *tier["features"]]
    return "\n".join(lines)


def _sections(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return the sections of a document, each with its title; the first one has a title of its own."""
    found: list[tuple[str, list[Part]]] = [(_FIRST_TITLE, [])]
    for part in document.parts:
        if part.kind == "heading":
            found.append((part_gold(part)[0], []))
        else:
            found[-1][1].append(part)
    return found


def _section(title: str, parts: Sequence[Part], place: int) -> dict[str, Any]:
    return {"id": f"section-{place}", "title": title, "parts": [_component(part) for part in parts]}


def _component(part: Part) -> dict[str, Any]:
    """Return what a component shows of a part: lists as features, whose first words are a heading."""
    lines = part_gold(part)
    if part.kind in ("bullets", "steps"):
        cut = [re.match(r"((?:\S+\s+){0,2}\S+)\s*(.*)", line, re.DOTALL) for line in lines]
        return {"features": [{"title": one[1], "desc": one[2]} for one in cut if one]}
    if part.kind == "table":
        head, *rows = ([" ".join(part_gold(Part("paragraph", ((cell,),)))) for cell in row] for row in part.rows)
        return {"columns": head, "rows": rows}
    if part.kind == "code":
        return {"cards": [{"title": part.language, "code": html.escape("\n".join(lines))}]}
    return {"text": " ".join(lines)}
