"""Vacancies of an employer, made of the components of Norway's welfare administration (Aksel) in a frame of ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.talks_and_offers.react_pages import write_program
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html

_RENDER = """
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as ui from '@navikt/ds-react';
import '@navikt/ds-css/dist/index.css';
const frame = fs.readFileSync('frame.html', 'utf8');
const box = (props, ...inner) => h(ui.Box, {padding: 'space-24', borderRadius: '12', ...props}, ...inner);
const fact = ([name, text], key) => h('div', {key}, h('dt', {}, h(ui.Label, {size: 'small'}, name)),
  h('dd', {style: {margin: 0}}, h(ui.BodyShort, {size: 'small'}, text)));
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const links = names => names.map((name, key) => h(ui.Link, {key, href: '/', variant: 'neutral'}, name));
  const others = one.others.map(([slug, title, where], key) => h(ui.LinkCard, {key, size: 'small'},
    h(ui.LinkCard.Title, {as: 'h3'}, h(ui.LinkCard.Anchor, {href: `${slug}.html`}, title)), h(ui.LinkCard.Description, {}, where)));
  const page = renderToStaticMarkup(h(ui.Page, {footer: h(ui.Box, {as: 'footer', background: 'neutral-soft', paddingBlock: 'space-32'},
      h(ui.Page.Block, {width: 'xl', gutters: true}, h(ui.HStack, {gap: 'space-24'}, links(['About us', 'Privacy', 'Accessibility',
        'Contact'])),
        h(ui.Detail, {spacing: true}, `${one.site}, 12 Quay Street, Northport`)))},
    h(ui.Box, {as: 'header', paddingBlock: 'space-16', borderWidth: '0 0 1 0', borderColor: 'neutral-subtle'}, h(ui.Page.Block,
      {width: 'xl', gutters: true},
      h(ui.HStack, {gap: 'space-24', align: 'center'}, h(ui.Heading, {size: 'small', as: 'span'}, one.site), links(['Vacancies',
        'Favourites', 'For employers']),
        h(ui.Spacer), h(ui.Button, {size: 'small', variant: 'secondary'}, 'Log in')))),
    h(ui.Page.Block, {as: 'main', width: 'xl', gutters: true}, h(ui.HGrid, {columns: {xs: 1, md: '2fr 1fr'}, gap: 'space-48'},
      h('article', {}, h(ui.Box, {paddingBlock: 'space-32 space-16'}, h(ui.Link, {href: '/'}, 'All vacancies')),
        h(ui.Heading, {level: '1', size: 'xlarge', spacing: true}, one.title),
        h(ui.HStack, {gap: 'space-8'}, one.labels.map((name, key) => h(ui.Tag, {key, variant: 'neutral', size: 'small'}, name))),
        h(ui.Box, {paddingBlock: 'space-24 space-0'}, h(ui.BodyLong, {size: 'large', spacing: true}, one.summary)),
        h('div', {className: 'advert', dangerouslySetInnerHTML: {__html: one.html}}),
        h(ui.Box, {paddingBlock: 'space-32'}, h(ui.HStack, {gap: 'space-16'}, h(ui.Button, {}, 'Apply now'),
          h(ui.Button, {variant: 'tertiary'}, 'Save as favourite')))),
      h(ui.VStack, {as: 'aside', gap: 'space-24'}, h(ui.Box, {paddingBlock: 'space-32 space-0'}, box({background: 'accent-soft'},
        h(ui.Heading, {level: '2', size: 'small', spacing: true}, 'About the vacancy'), h('dl', {className: 'facts'},
          one.facts.map(fact)))),
        box({background: 'neutral-soft'}, h(ui.Heading, {level: '2', size: 'small', spacing: true}, 'Contact'),
          h(ui.BodyShort, {}, 'Ada Quay'), h(ui.CopyButton, {copyText: 'ada@example.org', text: 'ada@example.org', size: 'small'}))),
    ), h(ui.Box, {as: 'section', paddingBlock: 'space-32'}, h(ui.Heading, {level: '2', size: 'medium', spacing: true}, 'Similar vacancies'),
      h(ui.HGrid, {columns: 3, gap: 'space-16'}, others)))));
  fs.writeFileSync(`html/${one.slug}.html`, frame.replace('TITLE', () => one.title).replace('LANGUAGE', one.language).replace('PAGE',
    () => page));
}
"""
_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE"><head><meta charset="utf-8"><title>TITLE - {NAME}</title>
<link rel="stylesheet" href="style.css"><style>body {{ margin: 0 }} .facts {{ margin: 0; display: grid; gap: 12px }}
.advert {{ font-size: 18px; line-height: 28px }} .advert table {{ border-collapse: collapse; width: 100% }} .advert pre {{ overflow: auto }}
.advert td, .advert th {{ border-bottom: 1px solid #cfd3d8; padding: 8px; text-align: start }}</style></head><body>PAGE</body></html>"""
_EMPLOYERS = ("Harbour office", "Public library", "Ferry service", "Museum of boats")
_HOURS = ("Full time", "Part time", "Shifts")


def write_vacancies(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a vacancy per document, with what is to be known of it and similar ones beside and below it."""
    del theme
    written = []
    for number, document in enumerate(documents):
        near = [documents[(number + step) % len(documents)] for step in (3, 8, 17)]
        town = ("Northport", "Quay")[number % 2]
        facts = [("Deadline", f"{document.published:%d.%m.}2025"), ("Extent", _HOURS[number % 3]), ("Posts", str(1 + number % 4))]
        facts += [("Employer", _EMPLOYERS[number % 4]), ("Reference", f"{7100 + number}")]
        others = [(one.slug, one.title, f"{_EMPLOYERS[int(one.slug[-2:]) % 4]}, {_HOURS[int(one.slug[-2:]) % 3].lower()}") for one in near]
        written.append(
            {"slug": document.slug, "title": document.title, "summary": document.summary, "html": to_html(document), "site": NAME}
            | {"language": document.language, "facts": facts, "labels": (_EMPLOYERS[number % 4], town), "others": others}
        )
    write_program(project, written, _RENDER, _FRAME)


def vacancy_gold(document: SourceDocument) -> str:
    """Return the gold text of a vacancy: its title, the sentence below it and its details."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))
