"""A magazine of wagtail-roost in Pico, and a wiki of Waliki; the templates of both are filled."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, to_html

_ROOST = """
same("date", "json_ld")
nothing("social_meta", "sub_navigation")
register.simple_tag(lambda index, *names: "/", name="routablepageurl")
register.simple_tag(lambda page: page["url"], name="pageurl")
register.simple_tag(lambda body: body, name="include_block")
register.inclusion_tag("roost/includes/_navigation.html", name="navigation", takes_context=True)(lambda context, *names: {
  "nav": context["nav"]})
class Image(Node):
    def __init__(self, source):
        self.source = source
    def render(self, context):
        return SafeString('<img alt="" src="%s">' % self.source.resolve(context))
register.tag("image", lambda parser, token: Image(parser.compile_filter(token.split_contents()[1])))
"""
_SECTIONS = ("Harbour", "Ferries", "Science", "Culture", "Letters", "About")
_AUTHORS = ("Ada Quay", "Bela Moore", "Chidi Strand")
_FOOT = f"""<footer class="container"><hr><p><strong>{NAME}</strong>, 12 Quay Street. <a href="/imprint">Imprint</a>
<a href="/privacy">Privacy</a> <a href="/subscribe">Subscribe</a></p></footer></body>"""


def article_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what wagtail-roost's template shows of an article: its lead, authors and tags, its text, and articles to read next."""
    count = len(documents)
    near = [_article(documents, (place + step) % count) for step in (1, 6, 13)[: 2 + place % 2]]
    tags = [{"name": name, "slug": name} for name in documents[place].tags]
    page = _article(documents, place) | {"body": {"html": to_html(documents[place])}, "tags": {"all": tags}, "live_related_articles": near}
    sections = [{"block_type": "item", "value": {"title": title, "external_url": f"/{title.lower()}"}} for title in (NAME, *_SECTIONS)]
    return {"page": page, "nav": {"navigation": sections}, "news_index": True}


def _article(documents: Sequence[SourceDocument], place: int) -> dict[str, object]:
    document = documents[place]
    names = (_AUTHORS[place % 3],) if place % 4 else (_AUTHORS[place % 3], _AUTHORS[(place + 1) % 3])
    authors = [{"name": name, "profile_url": "/authors" if name != _AUTHORS[2] else ""} for name in names]
    article: dict[str, object] = {"title": document.title, "lead": document.summary, "date": f"{document.published:%d.%m.%Y}"}
    article |= {"authors": authors, "url": f"{document.slug}.html"}
    return article | ({"image": f"figure-{place % FIGURES}.png"} if place % 3 else {})


_MAGAZINE = DjangoPackage(
    "wagtail-roost==0.3.5",
    "roost/templates",
    "roost/article_page.html",
    helpers=_ROOST,
    change=lambda text: text.replace("<title>", '<link rel="stylesheet" href="pico.min.css"><title>', 1).replace("</body>", _FOOT, 1),
)


def build_magazine(project: Path) -> None:
    """Fill the template, with the style sheet of npm in place of that from the network, and the language of the texts."""
    tools = project.parents[2]
    install_packages(tools / "pico", ("@picocss/pico@2.1.1",), "npm")
    _MAGAZINE.build(project)
    shutil.copy(tools / "pico/node_modules/@picocss/pico/css/pico.min.css", project / "html")
    language = (project / "language.txt").read_text("utf-8")
    for path in sorted(project.glob("html/*.html")):
        write_text(path, path.read_text("utf-8").replace('<html lang="en">', f'<html lang="{language}">', 1))


_WALIKI = """
nothing("entry_point")
register.filter("getattr", lambda value, name: ())
register.simple_tag(lambda name: "static/" + name, name="static")
class Nothing(Node):
    def render(self, context):
        return ""
register.tag("check_perms", lambda parser, token: Nothing())
register.inclusion_tag("waliki/navbar_links.html", name="navbar_links", takes_context=True)(lambda context: {
  "navbar_links": context["links"]})
register.inclusion_tag("waliki/extra_page_actions.html", name="extra_page_actions", takes_context=True)(lambda context, page: {
  "page": page, "extra_page_actions": {"all": context["actions"]}})
"""
_SITE = """{% extends "base.html" %}{% block footer %}<div class="container"><hr><p class="text-muted">Last change {{ changed }} by
<a href="/user">{{ author }}</a> &middot; <a href="/terms">Terms of the wiki</a> &middot; Powered by
<a href="https://example.org/waliki">Waliki</a></p></div>{% endblock %}"""
WALIKI_FRAME = {"site_base.html": _SITE}
"""The template that each site of Waliki has for what is its own: here the footer."""


def page_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what Waliki's templates show of a page: its text, the way to it, the actions, and the bar of links."""
    document = documents[place]
    area = document.tags[0].capitalize()
    crumbs = [("/", NAME), (f"/{area}", area), (f"{document.slug}.html", document.title)]
    messages = [{"html": "You are reading the wiki as a guest."}] if place % 8 == 5 else []
    return {
        "LANGUAGE_CODE": document.language,
        "SITE_NAME": NAME,
        "site_name": NAME,
        "page": {"title": document.title, "slug": document.slug, "body": to_html(document), "markup": "Markdown"},
        "slug": document.slug,
        "breadcrumbs": crumbs if place % 5 else [],
        "messages": messages,
        "links": [("whatchanged", "What changed"), ("search", "Search"), ("pages", "All pages"), ("login", "Log in")],
        "actions": [("history", "History"), ("attachments", "Attachments"), ("pdf", "Get as PDF")],
        "changed": f"{document.published:%d.%m.%Y}",
        "author": ("ada", "bela", "chidi")[place % 3],
    }


WIKI = DjangoPackage(
    "waliki==0.8.1",
    "waliki/templates",
    "waliki/detail.html",
    {"static/css": "static/css", "static/fonts": "static/fonts"},
    helpers=_WALIKI,
)
