"""Products of a shop whose scripts lay out its pages (BaykeShop), of one that is dark (aa-shop), and reviews (django-mp-reviews)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import posts_html, price
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.readers import READERS, comments_on
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage, write_filled
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html, write_media

_HELPERS = """
listed("shopcates")
register.simple_tag(lambda request: 0, name="cartscount")
register.simple_tag(lambda product: {"rate": 98, "score_avg": 4.6}, name="comments_score")
register.inclusion_tag("shop/spubox.html", name="spubox")(lambda product: {"spu": product, "img": product["img"]})
register.inclusion_tag("shop/specs.html", name="spuspecs")(lambda product: {"skus": product["skus"]})
register.inclusion_tag("shop/spubanners.html", name="spubanners")(lambda product: {"images": product["images"]})
nothing("get_flatpages")
register.filter("timesince", lambda day: "3个月")
"""
_SECTIONS = ("海图", "灯笼", "绳索", "工具")


def _goods(document: SourceDocument) -> dict[str, object]:
    """Return a product, which costs less than it did."""
    number = int(document.slug[-2:])
    amount = price(document)
    return {
        "id": number,
        "title": document.title,
        "subtitle": document.summary,
        "price": amount,
        "sales": 20 + 7 * number,
        "img": f"media/figure-{number % FIGURES}.png",
        "images": [{"id": step, "img": f"figure-{(number + step) % FIGURES}.png"} for step in range(3)],
        "skus": [
            {"id": number, "price": amount, "discount_price": former_price(document), "sales": 20 + 7 * number, "stock": 9, "specs": {}}
        ],
    }


def former_price(document: SourceDocument) -> str:
    """Return what a product cost before."""
    return f"{float(price(document)) + 6:.2f}"


def goods_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a product shows, with four others beside it, and buyers' comments behind a tab."""
    document = documents[place]
    product = _goods(document) | {"content": to_html(document), "category": {"all": [{"name": _SECTIONS[place % 4]}]}}
    comments = [
        {"owner": {"username": name.lower()}, "score": 3 + number % 3, "add_date": day, "content": text}
        for number, (name, day, text) in enumerate((name, str(day), text) for name, day, text in comments_on(documents, place))
    ]
    hot = [_goods(documents[(place + step) % len(documents)]) for step in (3, 8, 13, 19)]
    navigation = [{"name": name, "baykeshopcategory_set": {"all": []}} for name in _SECTIONS]
    found = {"shopnavs": navigation}
    return {"spu": product, "title": document.title, "spuhots": hot, "comments": comments, "site_title": NAME, "found": found}


def write_goods(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write what the template of a product shows, and its pictures."""
    write_filled(goods_context)(project, theme, documents)
    write_media(project / "html/media")


def goods_gold(document: SourceDocument) -> str:
    """Return the gold text of a product: its title, its short description, its former price and its price, and its description."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, f"原价：¥ {former_price(document)}", f"¥ {price(document)}", rest))


BAYKE = DjangoPackage(
    "baykeshop==1.2.6",
    "baykeshop/apps/shop/templates",
    "shop/detail.html",
    {"static": "../system/static"},
    helpers=_HELPERS,
    scripts=True,
    change=lambda text: text.replace("`/media/", "`media/").replace(">baykeShop<", f">{NAME}<"),
)

_ITEM_PAGE = """{% extends "storefront/item_detail.html" %}{% block header_nav %}{% for name in menu %}<a
href="/">{{ name }}</a>{% endfor %}
{{ block.super }}{% endblock %}{% block content %}{{ block.super }}<section class="mt-8 pt-8 border-t border-base-300"><h2
class="text-2xl font-bold mb-6">You may also like</h2><div class="grid md:grid-cols-5 gap-8">{% for one in others %}<a
href="{{ one.slug }}.html"><img src="{{ one.img }}" alt="" class="rounded-lg"><b class="text-sm">{{ one.title }}</b>
<span class="text-success">{{ one.price }}</span></a>{% endfor %}</div></section>{% endblock %}"""
"""Template of ours that extends the package's: a menu, and related entries below."""
_MENU = ("Charts", "Lanterns", "Ropes", "Tools")


def item_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of an item shows, with four others below it."""
    document = documents[place]
    others = [documents[(place + step) % len(documents)] for step in (4, 9, 15, 22)]
    near = [
        {"slug": one.slug, "title": one.title, "price": f"€{price(one)}", "img": f"figure-{number}.png"}
        for number, one in enumerate(others)
    ]
    kind = {"id": place % FIGURES, "name": document.title, "eve_group": {"name": _MENU[place % 4]}}
    listing = {"eve_type": kind, "pk": place, "price": price(document), "price_display": f"€{price(document)}", "stock": (3 * place) % 7}
    listing |= {"description_html": {"html": to_html(document)}}
    return {"listing": listing, "shop": {"name": NAME, "slug": "tide"}, "section": "hulls", "menu": _MENU, "others": near}


def item_gold(document: SourceDocument) -> str:
    """Return the gold text of an item: its title and price above the description."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, f"€{price(document)}", rest))


write_items = write_filled(item_context, {"item.html": _ITEM_PAGE})
ITEMS = DjangoPackage(
    "aa-shop==0.5.0",
    "shop/templates",
    "item.html",
    {"static/shop": "static/shop"},
    ".shop-description > * + * { margin-top: 12px } .shop-description h2 { font-size: 22px; font-weight: bold }",
    scripts=True,
    change=lambda text: re.sub(
        r"<p>&copy; 2014.*?</p>",
        f"<p>{NAME}, 12 Ferry Lane, Northport</p>",
        re.sub(r"https://images.evetech.net/types/(\d+)[^\"]*", r"figure-\1.png", text).replace("Login with EVE", "Log in"),
        flags=re.DOTALL,
    ),
)


_FRAME = """<!DOCTYPE html><html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ product }} - {{ site }}</title></head><body>
<nav class="navbar navbar-inverse navbar-static-top"><div class="container"><a class="navbar-brand" href="/">{{ site }}</a>
<ul class="nav navbar-nav">{% for name in menu %}<li><a href="/">{{ name }}</a></li>{% endfor %}</ul>
<ul class="nav navbar-nav navbar-right"><li><a href="/">Basket (0)</a></li><li><a href="/">Log in</a></li></ul></div></nav>
<div class="container"><ol class="breadcrumb"><li><a href="/">Shop</a></li><li><a href="/">{{ section }}</a></li><li
class="active">Reviews</li>
</ol><div class="row"><main class="col-md-9"><div class="page-header"><h1>{{ product }}</h1></div>{% block content %}{% endblock %}
<ul class="pager"><li class="previous"><a href="/">Older</a></li></ul></main><aside class="col-md-3"><div class="thumbnail"><img
src="{{ picture }}" alt=""><div class="caption"><p>4.{{ stars }} of 5 stars</p><a class="btn btn-primary btn-block" href="/">Buy
now</a></div></div>
<h4>Reviews of other goods</h4><div class="list-group">{% for one in others %}<a class="list-group-item" href="{{ one.slug }}.html">
{{ one.title }}</a>{% endfor %}</div></aside></div></div><footer class="well well-sm"><div class="container">{{ site }}. Delivery. Returns.
Imprint</div></footer></body></html>"""
_GOODS = ("Charts", "Lanterns", "Ropes", "Tools")


def reviews_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of reviews shows: the shop answers every second one, and some have a picture."""
    document, texts = documents[place], posts_html(documents[place])
    reviews: list[dict[str, object]] = []
    for number, text in enumerate(texts):
        if number % 3 == 1:
            reviews[-1]["answer"] = {"html": text}
            continue
        name = READERS[(place + 3 * number) % 8]
        photo = {"url": f"figure-{(place + number) % FIGURES}.png"} if number % 3 == 2 else ""
        review = {"title": name, "rating": 3 + number % 3, "date_created": f"{document.published:%d.%m.%Y}", "text": {"html": text}}
        reviews.append(review | {"name": name, "photo": photo})
    near = [documents[(place + step) % len(documents)] for step in (2, 5, 9, 14, 18)]
    frame = {"site": NAME, "language": document.language, "menu": _GOODS, "section": _GOODS[place % 4], "stars": place % 9}
    others = [{"slug": one.slug, "title": one.title} for one in near]
    shown = {"product": document.title, "picture": f"figure-{place % FIGURES}.png", "others": others}
    return frame | shown | {"object_list": reviews, "request": {"get_host": "tide.example"}}


write_reviews = write_filled(reviews_context, {"base.html": _FRAME})
REVIEWS = DjangoPackage(
    "django-mp-reviews==6.0.2",
    "reviews/templates",
    "reviews/list.html",
    {"static/jquery.rateit": "static/jquery.rateit"},
    ".panel-body img { max-width: 320px !important } main .container { width: auto; padding: 0 }",
    "bootstrap",
    helpers='same("date")',
)
