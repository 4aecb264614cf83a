"""Products of a shop, made of the components of VTEX' FastStore in a frame of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import price
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.talks_and_offers.react_pages import build_pages, write_program
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html

_STYLES = '@import "@faststore/ui/src/styles/global.scss"; @import "@faststore/ui/src/styles/components.scss";'
_RENDER = """
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as ui from '@faststore/components';
import './styles.css';
const frame = fs.readFileSync('frame.html', 'utf8');
const formatter = value => `€${value.toFixed(2)}`;
const link = (key, name) => h(ui.NavbarLinksListItem, {key}, h(ui.Link, {href: '/', variant: 'display', size: 'small'}, name));
const panel = (key, title, content) => h(ui.AccordionItem, {key, index: key}, h(ui.AccordionButton, {}, title), h(ui.AccordionPanel, {},
  content));
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const Picture = ({url}) => h('img', {src: url, alt: '', 'data-fs-image': true});
  const cards = one.others.map(([slug, title, price, picture], key) => h(ui.ProductShelfItem, {key}, h(ui.ProductCard, {bordered: true},
    h(ui.ProductCardImage, {}, h('img', {src: picture, alt: ''})), h(ui.ProductCardContent,
      {title, price: {value: price, listPrice: price, formatter}, linkProps: {href: `${slug}.html`}, showDiscountBadge: false}))));
  const rows = one.facts.map((fact, key) => h(ui.TableRow, {key}, fact.map((text, place) => h(ui.TableCell, {key: place}, text))));
  const page = renderToStaticMarkup(h(ui.UIProvider, {}, h(ui.Navbar, {scrollDirection: 'up'}, h(ui.NavbarHeader, {}, h(ui.NavbarRow,
      {className: 'layout__content'}, h(ui.Link, {href: '/', 'data-fs-navbar-logo': true, variant: 'display'}, h('b', {}, one.site)),
      h(ui.NavbarButtons, {searchExpanded: false}, h(ui.Link, {href: '/', variant: 'display'}, 'Sign in'), h(ui.Link, {href: '/',
        variant: 'display'}, 'Cart')))),
      h(ui.NavbarLinks, {className: 'hidden-mobile'}, h('div', {className: 'layout__content', 'data-fs-navbar-links-wrapper': true},
        h(ui.NavbarLinksList, {}, one.menu.map((name, key) => link(key, name)))))),
    h('main', {}, h('section', {className: 'layout__content', style: {marginTop: 16}}, h(ui.BreadcrumbPure, {breadcrumbList:
        [{item: '/', name: one.shelf, position: 1}, {item: '/', name: one.title, position: 2}]})),
      h('section', {className: 'layout__section layout__content', 'data-fs-product-details': true}, h('section',
        {'data-fs-product-details-body': true},
        h('header', {'data-fs-product-details-title': true, 'data-fs-product-details-section': true},
          h(ui.ProductTitle, {title: h('h1', {}, one.title), refNumber: one.number, refTag: 'Ref.: ', ratingValue: one.rating})),
        h(ui.ImageGallery, {images: one.pictures.map(url => ({url, alternateName: ''})), ImageComponent: Picture, selectedImageIdx: 0,
          setSelectedImageIdx() {}, 'data-fs-product-details-gallery': true, 'data-fs-image-gallery': 'with-selector'},
          h(Picture, {url: one.pictures[0]})),
        h('section', {'data-fs-product-details-info': true}, h('section', {'data-fs-product-details-settings': true,
          'data-fs-product-details-section': true},
          h('section', {'data-fs-product-details-values': true}, h('div', {'data-fs-product-details-prices': true},
            h(ui.Price, {value: one.price, formatter, variant: 'spot', SRText: ''})), h(ui.QuantitySelector, {min: 1, max: 10})),
          h(ui.BuyButton, {}, 'Add to Cart'))),
        h('section', {'data-fs-product-description': true}, h(ui.Accordion, {indices: [0, 1], onChange() {}},
          panel(0, 'Description', h('div', {'data-fs-product-details-description-content': true,
            dangerouslySetInnerHTML: {__html: one.html}})),
          rows.length ? panel(1, 'Specifications', h(ui.Table, {variant: 'bordered'}, h(ui.TableBody, {}, rows))) : null)))),
      h('section', {className: 'layout__section layout__content'}, h('h2', {className: 'text__title-section'}, 'You might also like'),
        h(ui.ProductShelf, {}, h(ui.ProductShelfItems, {}, cards))),
      h('section', {className: 'layout__section'}, h(ui.Newsletter, {colorVariant: 'light'}, h(ui.NewsletterContent,
        {className: 'layout__content'},
        h(ui.NewsletterHeader, {title: 'Receive our news and promotions', description: 'A letter a month, and no more.'}))))),
    h('footer', {'data-fs-footer': true}, h('div', {className: 'layout__content', style: {padding: '24px 0'}},
      h(ui.List, {}, ['Our stores', 'Delivery', 'Returns', 'Privacy'].map((name, key) => h('li', {key}, h(ui.Link, {href: '/',
        size: 'small'}, name)))),
      h('p', {className: 'text__legend'}, `${one.site}, 12 Ferry Lane, Northport`)))));
  fs.writeFileSync(`html/${one.slug}.html`, frame.replace('TITLE', () => one.title).replace('LANGUAGE', one.language).replace('PAGE',
    () => page));
}
"""
_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE"><head><meta charset="utf-8"><title>TITLE | {NAME}</title>
<link rel="stylesheet" href="style.css"></head><body class="theme">PAGE</body></html>"""
_CATEGORIES = ("Ropes", "Lanterns", "Charts", "Clothes", "Boxes")
_FACTS = (("Material", ("Oak", "Brass", "Hemp")), ("Weight", ("2 kg", "350 g", "12 kg")), ("Made in", ("Northport", "Quay", "Ferry Lane")))


def _facts(document: SourceDocument) -> list[tuple[str, str]]:
    number = int(document.slug[-2:])
    return [(name, values[number % 3]) for name, values in _FACTS[: number % 4]]


def write_products(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a product per document, with four others below it."""
    del theme
    written = []
    for number, document in enumerate(documents):
        near = [documents[(number + step) % len(documents)] for step in (4, 9, 14, 21)]
        others = [(one.slug, one.title, float(price(one)), f"figure-{(number + step) % FIGURES}.png") for step, one in enumerate(near)]
        written.append(
            {"slug": document.slug, "title": document.title, "language": document.language, "html": to_html(document), "site": NAME}
            | {
                "facts": _facts(document),
                "others": others,
                "price": float(price(document)),
                "menu": _CATEGORIES,
                "shelf": _CATEGORIES[number % 5],
            }
            | {"pictures": [f"figure-{(number + step) % FIGURES}.png" for step in range(3)], "number": f"{4000 + 7 * number}"}
            | {"rating": 3 + number % 3}
        )
    write_text(project / "styles.scss", _STYLES)
    write_program(project, written, _RENDER, _FRAME)


def build_products(project: Path) -> None:
    """Compile the style sheets of the components, which name packages as webpack does, and fill the pages."""
    (project / "webpack").mkdir()
    for name in ("include-media", "modern-normalize"):
        (project / f"webpack/~{name}").symlink_to((project / f"node_modules/{name}").resolve())
    options = ["--quiet", "--load-path=node_modules", "--load-path=webpack"]
    run_program(["node_modules/.bin/sass", *options, "styles.scss", "styles.css"], project, project.parents[2])
    build_pages(project)


def product_gold(document: SourceDocument) -> str:
    """Return the gold text of a product: its title, its price, its description and its properties."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, f"€{price(document)}", rest, *(f"{name} {value}" for name, value in _facts(document))))
