"""Stories of a news site in Psammead, the BBC's components of React; the page around them is ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.talks_and_offers.react_pages import write_program
from benchmarks.sites.texts.documents import FIGURES, Part, SourceDocument, inline_html, part_html

_NAMES = (
    *("headings@5.0.18", "paragraph@4.0.18", "story-promo@8.0.21", "most-read@6.0.24", "sitewide-links@6.0.13", "navigation@9.2.2"),
    *("section-label@7.0.20", "timestamp@4.0.19", "byline@3.0.19", "bulleted-list@3.0.18", "caption@4.1.14", "locales@5.0.7"),
)
PSAMMEAD = (
    *("react@17.0.2", "react-dom@17.0.2", "react-helmet@6.1.0", "prop-types@15.7.2", "@emotion/react@11.4.0", "@emotion/styled@11.3.0"),
    *("esbuild@0.25.12", *(f"@bbc/psammead-{name}" for name in _NAMES)),
)
"""Packages of npm."""
_SECTIONS = ("Home", "World", "Ports", "Business", "Science", "Culture", "In pictures")
_PROGRAM = """
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as gel from '@bbc/gel-foundations/scripts';
import Navigation, { NavigationUl, NavigationLi } from '@bbc/psammead-navigation';
import { Headline, SubHeading } from '@bbc/psammead-headings';
import Paragraph from '@bbc/psammead-paragraph';
import BulletedList, { BulletedListItem } from '@bbc/psammead-bulleted-list';
import { MostReadList, MostReadRank, MostReadLink, MostReadItemWrapper } from '@bbc/psammead-most-read';
import SectionLabel from '@bbc/psammead-section-label';
import StoryPromo, * as promo from '@bbc/psammead-story-promo';
import SitewideLinks from '@bbc/psammead-sitewide-links';
import Timestamp from '@bbc/psammead-timestamp';
import Byline from '@bbc/psammead-byline';
import Caption from '@bbc/psammead-caption';
const scripts = {ru: gel.cyrillic, ar: gel.arabic, zh: gel.chinese, ja: gel.chinese, hi: gel.hindi, bn: gel.bengali};
const brand = {brandBackgroundColour: '#B80000', brandForegroundColour: '#FDFDFD', brandBorderColour: '#EAB3B3',
  brandHighlightColour: '#FFFFFF'};
const frame = fs.readFileSync('frame.html', 'utf8');
const inner = text => ({dangerouslySetInnerHTML: {__html: text}});
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const dir = one.language == 'ar' ? 'rtl' : 'ltr';
  const s = {script: scripts[one.language] || gel.latin, service: 'news', dir};
  const label = (labelId, title) => h(SectionLabel, {...s, labelId}, title);
  const part = ({kind, text, items}, key) => kind == 'heading' ? h(SubHeading, {...s, key, ...inner(text)})
    : kind == 'paragraph' ? h(Paragraph, {...s, key, ...inner(text)})
    : kind == 'bullets' ? h(BulletedList, {...s, key}, items.map((item, place) => h(BulletedListItem, {key: place, ...inner(item)})))
    : h('div', {key, className: 'other', ...inner(text)});
  const story = ([slug, title, summary, day, image], key) => h('li', {key}, h(StoryPromo, {dir, image: h('img', {src: image, alt: ''}),
    info: h('div', {}, h(promo.Headline, s, h(promo.Link, {href: slug + '.html'}, title)), h(promo.Summary, s, summary),
      h(Timestamp, {...s, datetime: day, padding: false}, day))}));
  const most = one.most.map(([slug, title], key) => h(MostReadItemWrapper, {key, dir, columnLayout: 'twoColumn'},
    h(MostReadRank, {...s, listIndex: key + 1, numberOfItems: one.most.length, columnLayout: 'twoColumn'}),
    h(MostReadLink, {...s, href: slug + '.html', title})));
  const page = renderToStaticMarkup(h('div', {dir}, h('div', {className: 'brand'}, h('a', {href: '/'}, one.site),
      h('a', {href: '/in'}, 'Sign in'), h('a', {href: '/search'}, 'Search')),
    h(Navigation, {...brand, dir}, h(NavigationUl, {}, one.sections.map((name, key) => h(NavigationLi, {...brand, ...s, key, url: '/' + key,
      active: key == one.section, currentPageText: 'Current page'}, name)))),
    h('div', {className: 'columns'}, h('main', {}, h(Headline, s, one.title),
        h(Byline, {...s, name: 'Ada Quay', title: 'Correspondent on the coast'}), h(Timestamp, {...s, datetime: one.day}, one.day),
        one.image ? h('figure', {}, h('img', {src: one.image, alt: ''}), h(Caption, s, 'Picture: Bela Moore')) : null,
        h(Paragraph, s, h('b', {}, one.summary)), one.parts.map(part)),
      h('aside', {}, label('top', 'Top stories'), h('ul', {}, one.top.map(story)))),
    h('section', {className: 'below'}, label('more', 'Related topics'), h('p', {className: 'topics'}, one.topics.map((name, key) =>
      h('a', {key, href: '/topics'}, name)))),
    h('section', {className: 'below'}, label('near', 'More on this story'), h('ul', {className: 'near'}, one.near.map(story))),
    h('section', {className: 'below'}, label('most', 'Most read'), h(MostReadList, {dir, numberOfItems: one.most.length,
      columnLayout: 'twoColumn'}, most)),
    h('footer', {}, h(SitewideLinks, {service: 'news', copyrightText: one.site + ' is not responsible for the content of external sites.',
      externalLink: {href: '/external', text: 'Read about our approach to external linking.'},
      links: ['Terms of Use', 'About us', 'Privacy', 'Cookies', 'Contact'].map(text => ({href: '/footer', text}))}))));
  fs.writeFileSync(`html/${one.slug}.html`, frame.replace('TITLE', () => one.title).replace('LANGUAGE', one.language)
    .replace('PAGE', () => page));
}
"""
_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE"><head><meta charset="utf-8"><title>TITLE - {NAME}</title><style>
body {{ margin: 0; font-family: Helvetica, Arial, sans-serif }} img {{ max-width: 100% }}
.brand {{ background: #b80000; padding: 12px 16px; border-bottom: 1px solid #eab3b3 }}
.brand a {{ color: #fff; text-decoration: none; margin-right: 24px }} .brand a:first-child {{ font-weight: bold; font-size: 24px }}
.columns {{ display: grid; grid-template-columns: minmax(0, 1fr) 360px; gap: 48px }}
.columns, .below {{ max-width: 1200px; margin: 0 auto; padding: 0 16px }}
aside ul, .near {{ list-style: none; padding: 0 }} aside li {{ margin-bottom: 24px }}
figure {{ margin: 16px 0 }} figure img {{ width: 100% }}
.near {{ display: grid; grid-template-columns: repeat(2, 1fr); gap: 24px }} .topics a {{ margin-right: 20px; color: #3f3f42 }}
.other {{ padding-bottom: 24px; color: #3f3f42 }} .other pre {{ background: #f6f6f6; padding: 12px; overflow: auto }}
td, th {{ text-align: start; padding: 4px 8px }}
</style></head><body>PAGE</body></html>"""


def write_news(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a story per document, with top stories beside it, and stories on its topic and the most read ones below it."""
    del theme
    written: list[dict[str, object]] = []
    for number, document in enumerate(documents):
        others = [documents[(number + step) % len(documents)] for step in (1, 2, 5, 7, 9, 11, 13, 15, 17, 19, 21)]
        stories = [(one.slug, one.title, one.summary, f"{one.published:%d.%m.%Y}", _figure(place)) for place, one in enumerate(others)]
        story: dict[str, object] = {"slug": document.slug, "title": document.title, "summary": document.summary, "site": NAME}
        story |= {"language": document.language, "day": f"{document.published:%d.%m.%Y}", "sections": _SECTIONS, "section": number % 7}
        story |= {"parts": [_written(part) for part in document.parts], "topics": [tag.capitalize() for tag in document.tags]}
        story |= {"top": stories[:3], "near": stories[3:7], "most": [(one.slug, one.title) for one in others[1:]]}
        written.append(story | ({"image": _figure(number)} if number % 2 else {}))
    write_program(project, written, _PROGRAM, _FRAME, "render.js")


def build_news(project: Path) -> None:
    """Bundle the program, and fill its pages; each component has its style beside it."""
    tools = project.parents[2]
    run_program(["node_modules/.bin/esbuild", "render.js", "--bundle", "--platform=node", "--outfile=bundle.cjs"], project, tools)
    run_program(["node", "bundle.cjs"], project, tools)


def _figure(number: int) -> str:
    return f"figure-{number % FIGURES}.png"


def _written(part: Part) -> dict[str, object]:
    """Return a part as the program reads it: its kind, and its HTML or that of its items."""
    if part.kind == "bullets":
        return {"kind": part.kind, "items": [inline_html(row[0]) for row in part.rows]}
    is_plain = part.kind in ("heading", "paragraph")
    return {"kind": part.kind, "text": inline_html(part.rows[0][0]) if is_plain else part_html(part)}
