"""Shops whose pages are templates filled by a program of ours: expressCart."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import price
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.shops_and_threads.exports import without_network
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, to_html, write_media

_CART_RENDER = """
const fs = require('fs'), path = require('path'), Handlebars = require('handlebars'), feather = require('feather-icons');
const views = path.join(path.dirname(require.resolve('express-cart/package.json')), 'views');
for (const name of fs.readdirSync(views, {recursive: true}))
  if (name.endsWith('.hbs')) Handlebars.registerPartial(name.slice(0, -4), fs.readFileSync(path.join(views, name), 'utf8'));
const compare = {'==': (a, b) => a == b, '!=': (a, b) => a != b, '===': (a, b) => a === b, '>': (a, b) => a > b, '<': (a, b) => a < b};
const chosen = (found, options, self) => found ? options.fn(self) : options.inverse(self);
Handlebars.registerHelper({__: text => text, getTheme: name => 'themes/Cloth/' + name, currencySymbol: sign => sign, snip: text => text,
  fixTags: text => text, feather: name => feather.icons[name].toSvg(), ifCond: function (a, sign, b, options) {
    return chosen(compare[sign](a, b), options, this); }, isNull: function (value, options) { return chosen(!value, options, this); },
  helperMissing: () => ''});
const render = name => Handlebars.compile('{{> ' + name + '}}');
const [product, layout] = [render('themes/Cloth/product'), render('layouts/layout')], words = {__: text => text};
const items = ['Charts', 'Lanterns', 'Ropes', 'Stories'].map(title => ({title, link: '/category/' + title.toLowerCase()}));
const config = {cartTitle: process.argv[2], cartDescription: process.argv[2], currencySymbol: '\\u20ac', theme: 'Cloth', env: '.min',
  baseUrl: '/', footerHtml: '<p class="text-center">Delivery in three days, returns within thirty. Write to ada@example.org</p>'};
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const page = {...words, title: one.title, config, session: {cart: {}}, menu: {items}, showFooter: 'showFooter', images: one.images,
    productDescription: one.summary, result: {productTitle: one.title, productPrice: one.price, productImage: one.images[0].path,
      productDescription: one.html, _id: one.slug}};
  fs.writeFileSync('html/' + one.slug + '.html', layout({...page, body: product(page)}));
}
"""


def write_cart(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the products of a shop, each with three pictures and a document as its description."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    write_media(project / "html")
    written = [
        {"slug": document.slug, "title": document.title, "summary": document.summary, "price": price(document), "html": to_html(document)}
        | {"images": [{"path": f"figure-{(number + step) % FIGURES}.png"} for step in range(3)]}
        for number, document in enumerate(documents)
    ]
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "render.js", _CART_RENDER)


def build_cart(project: Path) -> None:
    """Fill the theme's templates, with Bootstrap beside the pages."""
    run_program(["node", "render.js", NAME], project, project.parents[2])
    packages, pages = project / "node_modules", project / "html"
    shutil.copytree(packages / "express-cart/public/stylesheets", pages / "stylesheets")
    (pages / "Cloth").mkdir()
    shutil.copy(packages / "express-cart/views/themes/Cloth/style.min.css", pages / "Cloth")
    shutil.copy(packages / "bootstrap/dist/css/bootstrap.min.css", pages / "stylesheets")
    for path in pages.glob("*.html"):
        text = re.sub(r"<script.*?</script>", "", without_network(path.read_text("utf-8")), flags=re.DOTALL)
        style = '<link rel="stylesheet" href="stylesheets/bootstrap.min.css">'
        path.write_text(text.replace("<title>", f"{style}<title>", 1), "utf-8")
