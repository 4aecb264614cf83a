"""A shop of E-Com Plus, whose templates are filled by a program of ours: the service itself is on the network."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import price
from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html, write_media

_TEMPLATE, _COMPONENTS = "@ecomplus/storefront-template@2.0.0-beta.301", "@ecomplus/storefront-components@1.0.0-beta.195"
"""Their files alone: they declare versions of packages that do not exist."""
_RENDER = """
const fs = require('fs'), path = require('path'), ejs = require('ejs'), sass = require('sass'), ecomUtils = require('@ecomplus/utils');
const pages = path.resolve('package/template/pages'), content = JSON.parse(fs.readFileSync('content.json'));
for (const [key, value] of [['currency', 'EUR'], ['currency_symbol', '\\u20ac'], ['lang', 'en_us']]) ecomUtils._config.set(key, value);
const products = JSON.parse(fs.readFileSync('products.json'));
class EcomSearch {
  setProductIds(ids) { this.ids = ids; return this; }
  setPageSize() { return this; }
  async fetch() { return this; }
  getItems() { return products.filter(one => this.ids.includes(one._id)); }
}
const dictionary = name => content.words[name] || name.replace(/([A-Z])/g, ' $1').toLowerCase().replace(/^./, first => first.toUpperCase());
const fill = async one => {
  const _ = {state: {...one, ...content.page}, ecomUtils, EcomSearch, categories: content.categories, settings: content.settings,
    store: {name: content.settings.name},
    grids: content.grids, lang: 'en_us', storeId: 1, assetsPrefix: '', pageName: '#products',
    route: {path: '/' + one.slug, resource: 'products'},
    cms: name => content[name], dictionary, tryImageSize: () => ({}), resolveRoute: async () => ({body: one}), widgets: [],
    breadcrumbs: [{name: one.categories[0].name, link: '/'}, {name: one.name, link: '/'}], primaryColor: '#20639b',
    lodash: {sortBy: found => found, groupBy: found => ({all: found})}, ecomClient: {graphs: async () => ({data: []})}};
  const include = async (name, more) => {
    const file = path.join(pages, name + '.ejs');
    if (name.endsWith('meta')) return content.head.replace('TITLE', one.name);
    if (/@\\/(json|scripts)$/.test(name) || !fs.existsSync(file)) return '';
    const text = fs.readFileSync(file, 'utf8').replace(/\\binclude\\(/g, 'including(');
    return ejs.render(text, {_, including: include, opt: {}, ...(more || {})}, {async: true, filename: file});
  };
  let page = (await include('@/view')).replace(/<script[^]*?<\\/script>/g, '').replace('href="/storefront.css"', 'href="storefront.css"');
  page = page.replace(/ data-src=/g, ' src=').replace(/lozad[\\w-]*( fade)?|<img[^>]*src="https:[^>]*>/g, '');
  page = page.replace('</head>', '<style>' + content.style + '</style></head>');
  fs.writeFileSync('html/' + one.slug + '.html', page);
};
const styles = fs.readFileSync('package/template/scss/styles.scss.ejs', 'utf8');
fs.writeFileSync('package/template/scss/styles.scss', ejs.render(styles, {themesPath: 'themes', theme: content.settings.theme}));
const found = sass.compile('package/template/scss/styles.scss', {loadPaths: ['node_modules', 'styles'],
  quietDeps: true, logger: sass.Logger.silent});
fs.writeFileSync('html/storefront.css', found.css);
(async () => { for (const one of products) await fill(one); })().catch(error => { console.error(error); process.exit(1); });
"""
_SECTIONS = ("Charts", "Lanterns", "Ropes", "Tools")
_WORDS = {"buy": "Buy", "productDescription": "Product description", "productSpecifications": "Specifications", "myAccount": "My account"}
_HEAD = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>TITLE</title>'
_STYLE = "#product-loading .spinner-border, .ecom-credits img, .picture source { display: none } .product__picture img { max-width: 100% }"


def _content() -> dict[str, object]:
    """Return the settings of the shop, and what is on each of its pages."""
    links = [{"url": "/", "text": text} for text in ("Delivery", "Returns", "Ways to pay")]
    sections: list[dict[str, object]] = [{"type": name} for name in ("breadcrumbs", "product-block", "product-description")]
    sections += [{"type": "product-specifications"}, {"type": "related-products", "title": "Related products"}]
    footer: dict[str, object] = {
        "contacts": {"title": "Write to us", "phone_wpp": True, "email": True, "address": True, "socials": False},
        "description": {"title": NAME, "text": "Goods for small boats"},
        "payment_methods": {"visa": True, "mastercard": True},
    }
    footer |= {"credits": f"{NAME}, 12 Ferry Lane, Northport", "stamps": []}
    footer |= {"links_1": {"title": "Help", "list": links}, "links_2": {"title": "Sections", "list_categories": True, "list": []}}
    return {
        "words": _WORDS,
        "head": _HEAD,
        "style": _STYLE,
        "categories": [{"name": name, "slug": name.lower(), "_id": name} for name in _SECTIONS],
        "grids": [{"grid_id": name, "title": name.replace("_", " ").capitalize()} for name in ("length", "weight", "made_in")],
        "settings": {
            "name": NAME,
            "domain": "tide.example",
            "currency": "EUR",
            "theme": {"bootswatch": "_", "custom": "_"},
            "logo": "logo.svg",
        },
        "page": {"sections": sections},
        "header": {
            "marketing_stripe": {"text": "Free delivery for orders above 60 euros", "link": "/"},
            "contacts_stripe": {"pages": [{"title": "About us", "link": "/"}, {"title": "Our boats", "link": "/"}], "phone_wpp": True},
            "categories_list": {"featured": [], "random": 6},
            "search_input": True,
        },
        "contacts": {"phone": "0100 5540", "email": "ada@example.org", "address": "12 Ferry Lane, Northport"},
        "footer": footer,
    }


def _facts(number: int) -> dict[str, str]:
    return {
        "length": f"{12 + 3 * number} cm",
        "weight": f"{200 + 35 * number} g",
        "made_in": ("Northport", "Seahaven", "Old Quay")[number % 3],
    }


def write_storefront(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the products of a shop, each with a picture, specifications and a document as its description."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    write_media(project / "html")
    write_text(project / "html/logo.svg", ICON)
    found = []
    for number, document in enumerate(documents):
        related = [f"p{(number + step) % len(documents)}" for step in (3, 8, 13, 19)]
        picture = {"url": f"figure-{number % FIGURES}.png", "size": "640x360"}
        found.append(
            {
                "_id": f"p{number}",
                "slug": document.slug,
                "name": document.title,
                "sku": f"TQ-{1040 + number}",
                "available": True,
                "visible": True,
            }
            | {"price": float(price(document)), "quantity": 9, "short_description": document.summary, "body_html": to_html(document)}
            | {"pictures": [{"normal": picture, "big": picture, "zoom": picture}], "related_products": [{"product_ids": related}]}
            | {"categories": [{"name": _SECTIONS[number % 4], "slug": "/", "_id": "c"}], "condition": "new"}
            | {"specifications": {name: [{"text": text}] for name, text in _facts(number).items()}}
        )
    write_text(project / "products.json", json.dumps(found))
    write_text(project / "content.json", json.dumps(_content()))
    write_text(project / "render.js", _RENDER)


def build_storefront(project: Path) -> None:
    """Read the template's files, compile its style sheets and fill its pages."""
    tools = project.parents[2]
    for package, folder in ((_TEMPLATE, "."), (_COMPONENTS, "styles/@ecomplus/storefront-components")):
        (project / folder).mkdir(parents=True, exist_ok=True)
        run_program(["npm", "pack", "--silent", package], project, tools)
        name = f"{package[1:].replace('/', '-').replace('@', '-')}.tgz"
        run_program(["tar", "xzf", name, "-C", folder, *(["--strip-components=1"] if folder != "." else [])], project)
    run_program(["node", "render.js"], project, tools)
    icons = "assets/icons/font-awesome"
    shutil.copytree(project / "node_modules/@ecomplus/storefront-twbs" / icons, project / "html" / icons)


def goods_gold(document: SourceDocument) -> str:
    """Return the gold text of a product: its title, number, price and short description, its description and specifications."""
    title, rest = gold_text(document).split("\n", 1)
    number = int(document.slug[-2:])
    facts = [f"{name.replace('_', ' ').capitalize()} {text}" for name, text in _facts(number).items()]
    amount = f"€ {float(price(document)):.2f}"
    head = (title, f"COD: TQ-{1040 + number}", amount, document.summary)
    return "\n".join((*head, "Product description", rest, "Specifications", *facts))
