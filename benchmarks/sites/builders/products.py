"""Project of product pages: Astro with the components of @mcptoolshop/site-theme (npm)."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold

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
