"""Products of a shop (django-ecom-store), and feeds of a planet of blogs (django-planet)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from benchmarks.sites.applications.communities import price
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage, write_filled
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html

_UNITS = ("piece", "metre", "box")
_FACTS = (("Material", ("Oak", "Brass", "Hemp", "Wool")), ("Weight", ("2 kg", "350 g", "12 kg")), ("Made in", ("Northport", "Quay")))
_SHOP_HELPERS = """
same("lower", "title", "calculate_discount")
"""
_ITEM_PAGE = """{% extends "store/product.html" %}{% block title %}{{ product.product.title }} - {{ sitetitle }}{% endblock %}
{% block body %}{{ block.super }}<div class="container mb-5"><h4 class="mb-3">Similar products</h4><div class="row">
{% for one in others %}<div class="col-3"><a class="card h-100 text-decoration-none text-dark" href="{{ one.slug }}.html">
<img class="card-img-top" src="{{ one.picture }}" alt=""><div class="card-body"><h6>{{ one.title }}</h6>
<span class="badge bg-dark">{{ currency }} {{ one.price }}</span></div></a></div>{% endfor %}</div></div>
<footer class="bg-light border-top py-4"><div class="container d-flex justify-content-between small text-muted"><span>{{ sitetitle }},
12 Ferry Lane, Northport</span><span>Delivery. Returns. Privacy. Terms</span></div></footer>{% endblock %}"""
"""Template of ours that extends the package's: related products and a footer below."""


def _facts(document: SourceDocument) -> list[tuple[str, str]]:
    number = int(document.slug[-2:])
    return [(name, values[number % len(values)]) for name, values in _FACTS[: 1 + number % 3]]


def _unit(document: SourceDocument) -> str:
    return _UNITS[int(document.slug[-2:]) % 3]


def item_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a product shows, with four others below it."""
    document = documents[place]
    images = [{"image": {"url": f"figure-{(place + step) % FIGURES}.png"}} for step in range(3)]
    facts = [{"key": {"key": name}, "value": {"value": value}} for name, value in _facts(document)]
    product = {"id": place, "product": {"title": document.title}, "price": price(document), "unit": _unit(document)}
    product |= {"images": {"all": images}, "keyvalues": {"all": facts}, "info": {"html": to_html(document)}}
    near = [documents[(place + step) % len(documents)] for step in (4, 9, 15, 22)]
    others = [
        {"slug": one.slug, "title": one.title, "price": price(one), "picture": f"figure-{(place + step) % FIGURES}.png"}
        for step, one in enumerate(near)
    ]
    shop = {"sitetitle": NAME, "currency": "EUR", "cart_items_Count": place % 4, "checkDeliverability": True}
    return shop | {"product": product, "others": others}


def item_gold(document: SourceDocument) -> str:
    """Return the gold text of a product: its price, its properties, its title and its description."""
    facts = (f"{name} {value}" for name, value in _facts(document))
    return "\n".join((f"EUR {price(document)} / {_unit(document)}", *facts, gold_text(document)))


write_items = write_filled(item_context, {"item.html": _ITEM_PAGE})
ITEMS = DjangoPackage(
    "django-ecom-store==0.0.4",
    "store/templates",
    "item.html",
    {"static/store": "static/store"},
    "body { padding-top: 72px }",
    bootstrap="bootstrap5",
    helpers=_SHOP_HELPERS,
)

_PLANET_HELPERS = """
nothing("autopaginate", "paginate", "post_titles")
register.inclusion_tag("planet/posts/blocks/list.html", takes_context=True, name="recent_posts")(
    lambda context: {"post_list": context["recent"]}
)
register.inclusion_tag("planet/blogs/blocks/list.html", takes_context=True, name="recent_blogs")(
    lambda context: {"blog_list": context["blogs"], "blogs": context["blogs"]}
)
same("date", "striptags", "truncatechars_html")
"""
_BLOGS = ("Notes of a pilot", "The rope walk", "Lanterns and lights", "A winter ashore", "Maps in the margin", "Harbour kitchen")


def feed_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a feed shows: the entries of a document with their teasers, and recent ones of others beside them."""
    document = documents[place]
    blogs = [{"title": title, "get_absolute_url": "/", "url": "https://tide.example/"} for title in _BLOGS]
    feed = {"title": document.title, "subtitle": document.summary, "blog": blogs[place % 6], "url": "/", "get_absolute_url": "/"}
    feed |= {"last_checked": f"{document.published:%m.%d.%Y}", "post_set": {"count": 12 + place}}
    posts = [
        {
            "title": title,
            "content": text,
            "feed": feed,
            "url": "/",
            "get_absolute_url": "/",
            "date_published": f"{document.published - timedelta(days=9 * step):%b %d, %Y}",
        }
        for step, (title, text) in enumerate(entries(document)[1:])
    ]
    near = [documents[(place + step) % len(documents)] for step in (1, 4, 8, 13, 19)]
    recent = [{"title": one.title, "get_absolute_url": f"{one.slug}.html"} for one in near]
    site = {"SITE_NAME": NAME, "site": {"name": NAME, "domain": "tide.example"}, "LANGUAGE_CODE": document.language}
    authors = [{"name": name, "get_absolute_url": "/"} for name in READERS[:4]]
    return site | {"feed": feed, "posts": posts, "recent": recent, "blogs": blogs, "blog_authors": authors}


def feed_gold(document: SourceDocument) -> str:
    """Return the gold text of a feed: its title, what it is about, and title and teaser of each entry."""
    return "\n".join((document.title, document.summary, *(line for entry in entries(document)[1:] for line in entry)))


FEEDS = DjangoPackage(
    "django-planet==1.1.1",
    "planet/templates",
    "planet/feeds/detail.html",
    {"static/planet": "static/planet"},
    bootstrap="bootstrap5",
    helpers=_PLANET_HELPERS,
)
