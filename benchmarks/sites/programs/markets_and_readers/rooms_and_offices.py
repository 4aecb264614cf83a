"""Conversations of a group (react-chat-elements), and pages of a city's offices in the components of the Amsterdam Design System."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from pathlib import Path

from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.chats import messages
from benchmarks.sites.programs.talks_and_offers.react_pages import write_program
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, inline_html

_CHAT = """
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Button, ChatList, Input, MessageBox, Navbar, SystemMessage } from 'react-chat-elements';
import 'react-chat-elements/dist/main.css';
const frame = fs.readFileSync('frame.html', 'utf8');
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const lines = one.lines.map((line, key) => line.day ? h(SystemMessage, {key, text: line.day})
    : h(MessageBox, {key, id: key, type: 'text', notch: true, focus: false, date: new Date(0), ...line}));
  const page = renderToStaticMarkup(h('div', {className: 'page'},
    h('aside', {}, h(Input, {placeholder: 'Search'}), h(ChatList, {id: 'chats', dataSource: one.others})),
    h('div', {className: 'room'}, h(Navbar, {left: h('b', {}, one.group), right: h('span', {}, `${one.members} members`)}),
      h('div', {className: 'rce-container-mlist'}, h('div', {className: 'rce-mlist'}, lines)),
      h(Input, {placeholder: 'Type here...', multiline: true, rightButtons: h(Button, {text: 'Send'})}))));
  fs.writeFileSync(`html/${one.slug}.html`, frame.replaceAll('TITLE', one.group).replace('LANGUAGE', one.language)
    .replace('PAGE', () => page));
}
process.exit(0);
"""
"""The program ends itself: React leaves a channel open."""
_CHAT_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE"><head><meta charset="utf-8"><title>TITLE - {NAME}</title>
<link rel="stylesheet" href="style.css"><style>
body {{ margin: 0; font: 15px/1.4 Helvetica, Arial, sans-serif; background: #e8ebee }} .page {{ display: flex; max-width: 1240px;
margin: 0 auto; background: #fff; align-items: stretch }} .page > aside {{ width: 340px; border-right: 1px solid #ddd }} .room {{ flex: 1;
min-width: 0; background: #f0f2f5 }} .rce-mlist {{ position: static; height: auto; overflow: visible; padding: 14px 0 }}
.rce-container-mlist {{ overflow: visible }} .foot {{ max-width: 1240px; margin: 0 auto; padding: 14px; color: #777; font-size: 13px }}
</style></head><body>PAGE<footer class="foot">{NAME} Chat. Apps. Privacy. Terms</footer></body></html>"""
"""The page is as long as the conversation, of which the program shows a window's height."""
_GROUPS = ("Pilots", "Lock keepers", "Winter fair", "Night watch", "Net menders")


def _group(document: SourceDocument) -> str:
    number = int(document.slug[-2:])
    return f"{_GROUPS[number % 5]} {number // 5 + 1}"


def write_rooms(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the lines of a conversation per document, with the other conversations beside it."""
    del theme
    written = []
    for number, document in enumerate(documents):
        moment = datetime.combine(document.published, time(8, 4))
        lines: list[dict[str, object]] = [{"day": f"{moment:%A, %d %B}"}]
        for place, text in enumerate(messages(document)):
            later = moment + timedelta(minutes=470 if place and place % 4 == 0 else 3)
            if later.date() != moment.date():
                lines.append({"day": f"{later:%A, %d %B}"})
            moment, member = later, (number + 3 * place) % 8
            line: dict[str, object] = {"text": text, "dateString": f"{moment:%H:%M}", "position": "right" if place % 4 == 2 else "left"}
            other = {"title": f"{READERS[member]} Quay", "avatar": f"figure-{member % FIGURES}.png", "titleColor": "#8a4fbf"}
            lines.append(line | ({"status": "read"} if place % 4 == 2 else other))
        near = [documents[(number + step) % len(documents)] for step in (0, 2, 5, 9, 14, 18, 22)]
        others = [
            {"id": one.slug, "title": _group(one), "subtitle": f"{READERS[(number + step) % 8]}: {one.summary[:32]}", "unread": step % 3}
            | {"dateString": f"{1 + step} h", "avatar": f"figure-{(number + step) % FIGURES}.png", "alt": ""}
            for step, one in enumerate(near)
        ]
        written.append(
            {"slug": document.slug, "language": document.language, "group": _group(document), "lines": lines, "others": others}
            | {"members": 4 + number % 9}
        )
    write_program(project, written, _CHAT, _CHAT_FRAME)


def room_gold(document: SourceDocument) -> str:
    """Return the gold text of a conversation: its messages."""
    return "\n".join(messages(document))


_CITY = """
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as ui from '@amsterdam/design-system-react';
import '@amsterdam/design-system-tokens/dist/index.css';
import '@amsterdam/design-system-assets/font/index.css';
import '@amsterdam/design-system-css/dist/index.css';
const frame = fs.readFileSync('frame.html', 'utf8');
const raw = text => ({dangerouslySetInnerHTML: {__html: text.replaceAll('<a ', '<a class="ams-link" ')}});
const list = kind => ({rows}, key) => h(kind, {key}, rows.map(([text], place) => h(kind.Item, {key: place, ...raw(text)})));
const parts = {
  heading: ({rows, level}, key) => h(ui.Heading, {key, level, ...raw(rows[0][0])}),
  paragraph: ({rows}, key) => h(ui.Paragraph, {key, ...raw(rows[0][0])}),
  quote: ({rows}, key) => h(ui.Blockquote, {key, ...raw(rows[0][0])}),
  bullets: list(ui.UnorderedList),
  steps: list(ui.OrderedList),
  code: ({rows}, key) => h('pre', {key, className: 'code'}, h('code', raw(rows.map(row => row[0]).join('\\n')))),
  table: ({rows: [head, ...rows]}, key) => h(ui.Table, {key},
    h(ui.Table.Header, {}, h(ui.Table.Row, {}, head.map((text, place) => h(ui.Table.HeaderCell, {key: place, ...raw(text)})))),
    h(ui.Table.Body, {}, rows.map((row, number) => h(ui.Table.Row, {key: number}, row.map((text, place) =>
      h(ui.Table.Cell, {key: place, ...raw(text)})))))),
};
const header = one => h(ui.PageHeader, {brandName: one.site, menuItems: ['Topics', 'Permits', 'Contact', 'Search'].map((name, key) =>
  h(ui.PageHeader.MenuLink, {key, href: '/'}, name))});
const aside = one => h(ui.Column, {},
  one.headings.length > 1 ? h(ui.TableOfContents, {heading: 'On this page'}, h(ui.TableOfContents.List, {}, one.headings.map((label, key) =>
    h(ui.TableOfContents.Link, {key, label, href: '#'})))) : null,
  h('div', {}, h(ui.Heading, {level: 2, size: 'level-3'}, 'See also'), h(ui.LinkList, {}, one.near.map(([slug, title], key) =>
    h(ui.LinkList.Link, {key, href: `${slug}.html`}, title)))),
  h(ui.Spotlight, {color: 'lime', className: 'desk'}, h(ui.Heading, {level: 2, size: 'level-4'}, one.desk),
    h(ui.Paragraph, {size: 'small'}, `Counter ${one.counter}, weekdays from nine to four.`)));
const cards = one => h(ui.Grid, {paddingBottom: 'x-large'}, h(ui.Grid.Cell, {span: 'all'}, h(ui.Heading, {level: 2}, 'City news')),
  one.news.map(([slug, title, text, day, picture], key) => h(ui.Grid.Cell, {key, span: 4}, h(ui.Card, {},
    h(ui.Card.Image, {alt: '', src: `figure-${picture}.png`, aspectRatio: '16:9'}),
    h(ui.Card.Heading, {level: 3}, h(ui.Card.Link, {href: `${slug}.html`}, title)),
    h(ui.Paragraph, {}, text), h(ui.Paragraph, {size: 'small'}, day)))));
const footer = one => h(ui.PageFooter, {}, h(ui.PageFooter.Spotlight, {}, h(ui.Grid, {paddingVertical: 'large'},
    h(ui.Grid.Cell, {span: 6}, h(ui.Heading, {level: 2, color: 'inverse'}, 'Contact'), h(ui.Paragraph, {color: 'inverse'},
      `${one.site}, City hall, 1 Quay Street`)),
    h(ui.Grid.Cell, {span: 6}, h(ui.Heading, {level: 2, color: 'inverse'}, 'Follow the city'), h(ui.LinkList, {},
      ['Newsletter', 'Vacancies', 'Council'].map((name, key) => h(ui.LinkList.Link, {key, color: 'inverse', href: '/'}, name)))))),
  h(ui.PageFooter.Menu, {}, ['About this site', 'Privacy', 'Cookies'].map((name, key) =>
    h(ui.PageFooter.MenuLink, {key, href: '/'}, name))));
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const page = renderToStaticMarkup(h(ui.Page, {}, header(one),
    h('main', {}, h(ui.Grid, {paddingVertical: 'large'},
      h(ui.Grid.Cell, {span: 'all'}, h(ui.Breadcrumb, {}, ['Home', one.section].map((name, key) =>
        h(ui.Breadcrumb.Link, {key, href: '/'}, name)))),
      h(ui.Grid.Cell, {span: {narrow: 4, medium: 8, wide: 8}}, h('article', {className: 'ams-prose'},
        h(ui.Heading, {level: 1}, one.title), h(ui.Metadata, {}, `${one.section}, ${one.day}`),
        h(ui.Paragraph, {size: 'large'}, one.summary), one.figure ? h(ui.Image, {alt: '', src: one.figure, aspectRatio: '16:9'}) : null,
        one.parts.map((part, key) => parts[part.kind](part, key)))),
      h(ui.Grid.Cell, {as: 'aside', span: {narrow: 4, medium: 8, wide: 4}}, aside(one))), cards(one)), footer(one)));
  fs.writeFileSync(`html/${one.slug}.html`, frame.replace('TITLE', () => one.title).replace('LANGUAGE', one.language)
    .replace('PAGE', () => page));
}
process.exit(0);
"""
_CITY_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE"><head><meta charset="utf-8"><meta name="viewport"
content="width=device-width, initial-scale=1"><title>TITLE - {NAME}</title><link rel="stylesheet" href="style.css"><style>
.code {{ overflow: auto; padding: 1rem; background: #f0f0f0 }} .desk {{ padding: 1.5rem }}
</style></head><body class="ams-body">PAGE</body></html>"""
_SECTIONS = ("Water and quays", "Housing", "Traffic", "Parks", "Subsidies")
_DESKS = ("Harbour office", "Office of permits", "City archive")


def write_offices(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page of an office per document, with its contents and related pages beside it, and news of the city below."""
    del theme
    written = []
    for number, document in enumerate(documents):
        near = [documents[(number + step) % len(documents)] for step in (2, 6, 11, 15)]
        news = [documents[(number + step) % len(documents)] for step in (4, 9, 19)]
        parts = [
            {"kind": one.kind, "level": one.level, "rows": [[inline_html(cell) for cell in row] for row in one.rows]}
            if one.kind != "code"
            else {"kind": one.kind, "rows": [[cell.replace("&", "&amp;").replace("<", "&lt;") for cell in row] for row in one.rows]}
            for one in document.parts
        ]
        written.append(
            {"slug": document.slug, "language": document.language, "site": NAME, "title": document.title, "summary": document.summary}
            | {"parts": parts, "headings": [one.rows[0][0] for one in document.parts if one.kind == "heading"]}
            | {"section": _SECTIONS[number % 5], "day": f"{document.published:%d-%m-%Y}", "desk": _DESKS[number % 3]}
            | {"counter": 1 + number % 7, "figure": f"figure-{number % FIGURES}.png" if number % 2 else ""}
            | {"near": [(one.slug, one.title) for one in near]}
            | {
                "news": [
                    (one.slug, one.title, one.summary, f"{one.published:%d-%m-%Y}", (number + step) % FIGURES)
                    for step, one in enumerate(news)
                ]
            }
        )
    write_program(project, written, _CITY, _CITY_FRAME)


def office_gold(document: SourceDocument) -> str:
    """Return the gold text of an office's page: its title, the sentence below it and what is to be known."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))
