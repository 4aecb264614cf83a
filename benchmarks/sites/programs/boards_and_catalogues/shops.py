"""A shop of Tryton: nereid-webshop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.applications.communities import price
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html

_SECTIONS = ("Charts", "Lanterns", "Ropes", "Tools")
_HELPERS = """
engine.globals.update(url_for=lambda name, filename="", **names: "static/" + filename if filename else "/",
  make_tree_crumbs=lambda node, **names: [("/", "Shop"), ("/", node["rec_name"])])
engine.filters["currencyformat"] = lambda amount, code: "\\u20ac%.2f" % amount
"""


def _menu(*titles: str) -> list[dict[str, object]]:
    return [{"title": title, "link": "/", "target": "", "children": []} for title in titles]


def _product(document: SourceDocument) -> dict[str, object]:
    """Return a product, of which every third one is cheaper than usual."""
    number = int(document.slug[-2:])
    pictures = [f"figure-{(number + step) % FIGURES}.png" for step in range(2)]
    images = [{"url": name, "transform_command()": {"thumbnail()": name}} for name in pictures]
    amount = float(price(document))
    return {
        "id": number,
        "name": document.title,
        "code": f"TQ-{1040 + number}",
        "get_images()": images,
        "default_image": images[0],
        "get_description()": document.summary,
        "get_long_description()": to_html(document),
        "get_absolute_url()": f"{document.slug}.html",
        "sale_price()": amount,
        "list_price": amount + 5 if number % 3 == 2 else amount,
        "salable": True,
        "type": "goods",
        "can_buy_from_eshop()": True,
        "inventory_status()": ["in_stock", "In stock"],
        "displayed_on_eshop": True,
        "nodes": [{"node": {"rec_name": _SECTIONS[number % 4]}}],
        "template": {"products_displayed_on_eshop": []},
    }


def product_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a product shows, with four others below it."""
    product = _product(documents[place])
    product["cross_sells"] = [_product(documents[(place + step) % len(documents)]) for step in (3, 8, 13, 19)]
    footer = _menu("Shop", "Help", "Harbour")
    for menu, titles in zip(footer, (_SECTIONS, ("Delivery", "Returns", "Contact"), ("About us", "Ferries", "Terms")), strict=True):
        menu["children"] = _menu(*titles)
    website = {
        "name": NAME,
        "cms_root_menu": {"get_menu_item()": {"children": _menu(*_SECTIONS, "New arrivals")}},
        "cms_root_footer": {"get_menu_item()": {"children": footer}},
        "company": {"party": {"phone": "0100 5540", "name": NAME}},
    }
    locale = {"language": {"code": "en"}, "currency": {"code": "EUR"}}
    return {
        "product": product,
        "current_website": website,
        "current_locale": locale,
        "current_user": {"is_anonymous": True, "wishlists": []},
    }


def product_gold(document: SourceDocument) -> str:
    """Return the gold text of a product: its title, number, short description and prices above the description."""
    title, rest = gold_text(document).split("\n", 1)
    number, amount = int(document.slug[-2:]), float(price(document))
    prices = [f"€{amount + 5:.2f}"] * (number % 3 == 2) + [f"€{amount:.2f}"]
    return "\n".join((title, f"SKU: TQ-{1040 + number}", document.summary, *prices, rest))


PRODUCTS = JinjaPackage(
    "m9s-nereid-webshop==7.0.5",
    "trytond/modules/nereid_webshop/templates",
    "webshop/product.jinja",
    {"static": "static"},
    ".sub-products img { width: 100px } .related-product-images img { width: 180px }",
    helpers=_HELPERS,
)
