"""Sites of layouts drawn at random: threads, products, news, wikis, listings.

They are not based on a theme. What is drawn for a site: the order and width of its columns, fonts, sizes, colours (light or dark), names of
classes, which boxes surround the text (navigation, teasers, comments, newsletter, tags, author, tables of contents), and where.
"""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html
from benchmarks.sites.texts.sentences import Language

ARCHETYPES = ("thread", "product", "news", "wiki", "listing")
_PEOPLE = ("ada_q", "ferryman", "Noor", "t.lindqvist", "mika77", "old_buoy", "Ines R.", "kapitan")
_NAMES = (
    {"main": "content", "side": "sidebar", "item": "card", "meta": "meta", "title": "title", "box": "widget", "text": "body"},
    {"main": "c-main", "side": "c-aside", "item": "c-item", "meta": "c-item__info", "title": "c-head", "box": "c-box", "text": "c-copy"},
    {"main": "col-8", "side": "col-4", "item": "row", "meta": "text-muted", "title": "display", "box": "panel", "text": "mb-4"},
    {"main": "css-1x9", "side": "css-8ab", "item": "css-k3d", "meta": "css-0qe", "title": "css-zz1", "box": "css-77p", "text": "css-m2m"},
    {
        "main": "wrapper-left",
        "side": "wrapper-right",
        "item": "entry",
        "meta": "byline",
        "title": "headline",
        "box": "block",
        "text": "post",
    },
)
_FONTS = ("Georgia, serif", "Arial, sans-serif", "Verdana, sans-serif", "'Times New Roman', serif", "system-ui, sans-serif", "monospace")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Layout drawn for a site."""

    names: dict[str, str]
    is_semantic: bool
    """Whether main, article, aside and nav are used, or div for all."""
    is_side_first: bool
    has_side: bool
    boxes: tuple[str, ...]
    css: str

    def element(self, tag: str, name: str, inner: str) -> str:
        """Return an element with the site's class for that part."""
        used = tag if self.is_semantic else "div"
        return f'<{used} class="{self.names[name]}">{inner}</{used}>'


def write_drawn(project: Path, theme: str, documents: Sequence[SourceDocument], language: Language) -> dict[str, str]:
    """Write a page per document to `html`; return the gold text of each slug.

    `theme` is an archetype and a number: the number draws the layout.
    """
    archetype = theme.partition("-")[0]
    layout = _draw_layout(random.Random(f"layout {theme}"))
    write_text(project / "html/site.css", layout.css)
    gold = {}
    for document in documents:
        draw = random.Random(f"{theme} {document.slug}")
        body, gold[document.slug] = _BODIES[archetype](layout, document, documents, language, draw)
        write_text(project / f"html/{document.slug}.html", _page(layout, document, body, documents, language, draw))
    return gold


def _draw_layout(draw: random.Random) -> _Layout:
    is_dark, names = draw.random() < 0.3, draw.choice(_NAMES)
    ground, ink = (
        ("#16181d", "#d7dae0") if is_dark else (draw.choice(("#ffffff", "#fbf9f4", "#f4f6f8")), draw.choice(("#111", "#2b2b2b", "#333")))
    )
    accent = draw.choice(("#b3261e", "#0b57d0", "#146c2e", "#7b4bb7", "#8a5a00"))
    size, width, is_side_first = draw.randint(14, 20), draw.choice((900, 1040, 1180, 1320)), draw.random() < 0.4
    columns = f"{draw.randint(200, 320)}px 1fr" if is_side_first else f"1fr {draw.randint(220, 360)}px"
    has_side = draw.random() < 0.8
    rules = [
        f"body{{margin:0;background:{ground};color:{ink};font:{size}px/{draw.choice((1.4, 1.5, 1.7))} {draw.choice(_FONTS)}}}",
        f"a{{color:{accent}}}.top,.foot{{padding:{draw.randint(8, 24)}px;background:{accent};color:#fff}}",
        ".top a,.foot a{color:#fff;margin:0 10px}",
        f".page{{max-width:{width}px;margin:24px auto;padding:0 16px;display:grid;gap:{draw.randint(20, 48)}px;"
        f"grid-template-columns:{columns if has_side else '1fr'}}}",
        f".{names['side']}{{font-size:{size - 2}px}}",
        f".{names['box']}{{border:1px solid {accent};padding:12px;margin:0 0 20px;border-radius:{draw.randint(0, 12)}px}}",
        f".{names['meta']}{{font-size:{size - 3}px;opacity:.7}}.{names['item']}{{padding:12px 0;border-bottom:1px solid #8884}}",
        f"h1{{font-size:{draw.randint(26, 44)}px}}.bar{{position:sticky;top:0}}pre{{background:#8882;padding:10px;overflow:auto}}",
        "table{border-collapse:collapse}td,th{border:1px solid #8886;padding:4px 8px;text-align:left}",
        "@media(max-width:700px){.page{display:block}}",
    ]
    boxes = tuple(draw.sample(("teasers", "newsletter", "tags", "author", "popular", "advertisement", "share"), draw.randint(2, 5)))
    return _Layout(names, draw.random() < 0.6, is_side_first, has_side, boxes, "\n".join(rules))


def _page(
    layout: _Layout, document: SourceDocument, body: str, documents: Sequence[SourceDocument], language: Language, draw: random.Random
) -> str:
    links = " ".join(f'<a href="{other.slug}.html">{html.escape(other.tags[0].title())}</a>' for other in documents[:6])
    boxes = "".join(layout.element("section", "box", _box(name, document, documents, language, draw)) for name in layout.boxes)
    main, side = layout.element("main", "main", body), layout.element("aside", "side", boxes)
    if layout.has_side:
        inner = f"{side}{main}" if layout.is_side_first else f"{main}{side}"
    else:
        inner = layout.element("main", "main", f"{body}{boxes}")
    bar = "nav" if layout.is_semantic else "div"
    return (
        f'<!DOCTYPE html><html lang="{document.language}"><head><meta charset="utf-8"><title>{html.escape(document.title)} | {NAME}</title>'
        f'<meta name="viewport" content="width=device-width"><meta name="description" content="{html.escape(document.summary)}">'
        f'<link rel="stylesheet" href="site.css"></head><body><{bar} class="top"><a href="index.html"><b>{NAME}</b></a>{links}</{bar}>'
        f'<div class="page">{inner}</div><div class="foot"><p>© 2024 {NAME}. All rights reserved.</p>{links}</div></body></html>'
    )


def _box(name: str, document: SourceDocument, documents: Sequence[SourceDocument], language: Language, draw: random.Random) -> str:
    others = draw.sample(list(documents), 4)
    links = "".join(f'<li><a href="{other.slug}.html">{html.escape(other.title)}</a></li>' for other in others)
    return {
        "teasers": "<h3>More to read</h3>"
        + "".join(
            f'<div><a href="{other.slug}.html">{html.escape(other.title)}</a><p>{html.escape(other.summary)}</p></div>' for other in others
        ),
        "newsletter": "<h3>Newsletter</h3><p>All that matters, once a week by mail.</p><input placeholder=mail><button>Subscribe</button>",
        "tags": f"<h3>Tags</h3><p>{' '.join(f'<a href=#>{tag}</a>' for tag in document.tags)}</p>",
        "author": f"<h3>About the author</h3><p>{draw.choice(_PEOPLE)} has written for {NAME} since 2011 and lives by the sea.</p>",
        "popular": f"<h3>Popular</h3><ol>{links}</ol>",
        "advertisement": f"<small>Advertisement</small><p>{html.escape(language.sentence(draw))}</p><a href=#>Learn more</a>",
        "share": "<a href=#>Share</a> <a href=#>Print</a> <a href=#>Save for later</a>",
    }[name]


def _thread(
    layout: _Layout, document: SourceDocument, documents: Sequence[SourceDocument], language: Language, draw: random.Random
) -> tuple[str, str]:
    del documents
    posts = [to_html(document)]
    gold = [gold_text(document)]
    for _ in range(draw.randint(2, 8)):
        text = [language.gap.join(language.sentence(draw) for _ in range(draw.randint(1, 4))) for _ in range(draw.randint(1, 2))]
        posts.append("".join(f"<p>{html.escape(line)}</p>" for line in text))
        gold += text
    inner = "".join(
        layout.element(
            "article",
            "item",
            layout.element(
                "header", "meta", f"<b>{draw.choice(_PEOPLE)}</b> · {draw.randint(1, 28)} May 2024 · Posts: {draw.randint(3, 900)}"
            )
            + layout.element("section", "text", post)
            + '<p><a href="#">Reply</a> <a href="#">Quote</a> <a href="#">Report</a></p>',
        )
        for post in posts
    )
    return f'<h1 class="{layout.names["title"]}">{html.escape(document.title)}</h1>{inner}', "\n".join(gold)


def _product(
    layout: _Layout, document: SourceDocument, documents: Sequence[SourceDocument], language: Language, draw: random.Random
) -> tuple[str, str]:
    rows = [(language.title(draw), language.title(draw)) for _ in range(draw.randint(3, 8))]
    price = f"{draw.randint(4, 900)}.{draw.randint(10, 99)}"
    table = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
    cards = "".join(
        layout.element(
            "article",
            "item",
            f'<h4><a href="{other.slug}.html">{html.escape(other.title)}</a></h4>'
            f"<p>€ {draw.randint(4, 900)}.00</p><button>Add to cart</button>",
        )
        for other in draw.sample(list(documents), 4)
    )
    body = (
        f'<h1 class="{layout.names["title"]}">{html.escape(document.title)}</h1><p>€ {price}</p><button>Add to cart</button>'
        + layout.element("section", "text", f"{to_html(document)}<table>{table}</table>")
        + f"<h3>Customers also bought</h3>{cards}"
    )
    return body, "\n".join(
        [document.title, f"€ {price}", *gold_text(document).split("\n")[1:], *(f"{name} {value}" for name, value in rows)]
    )


def _news(
    layout: _Layout, document: SourceDocument, documents: Sequence[SourceDocument], language: Language, draw: random.Random
) -> tuple[str, str]:
    comments = "".join(
        layout.element(
            "article",
            "item",
            f'<b class="{layout.names["meta"]}">{draw.choice(_PEOPLE)}</b><p>{html.escape(language.sentence(draw))}</p><a href=#>Reply</a>',
        )
        for _ in range(draw.randint(0, 6))
    )
    related = "".join(f'<li><a href="{other.slug}.html">{html.escape(other.title)}</a></li>' for other in draw.sample(list(documents), 3))
    body = (
        f'<h1 class="{layout.names["title"]}">{html.escape(document.title)}</h1>'
        + layout.element("div", "meta", f"By {draw.choice(_PEOPLE)}, {document.published:%d %B %Y}, {draw.randint(2, 9)} min read")
        + layout.element("article", "text", to_html(document))
        + layout.element("section", "box", f"<h3>Related</h3><ul>{related}</ul>")
        + (layout.element("section", "side", f"<h3>Comments</h3>{comments}") if comments else "")
    )
    return body, gold_text(document)


def _wiki(
    layout: _Layout, document: SourceDocument, documents: Sequence[SourceDocument], language: Language, draw: random.Random
) -> tuple[str, str]:
    del documents, language
    heads = [part.rows[0][0].replace("`", "") for part in document.parts if part.kind == "heading" and part.level == 2]
    contents = "".join(f'<li><a href="#s{number}">{html.escape(head)}</a></li>' for number, head in enumerate(heads, 1))
    toc = layout.element("nav", "box", f"<b>Contents</b><ol>{contents}</ol>") if heads else ""
    text = to_html(document).replace("</h2>", ' <small>[<a href="#">edit</a>]</small></h2>')
    body = (
        f'<h1 class="{layout.names["title"]}">{html.escape(document.title)}</h1>'
        f'<p class="{layout.names["meta"]}">From {NAME}, the free handbook</p>'
        + toc
        + layout.element("section", "text", text)
        + layout.element("div", "meta", f"Categories: {' | '.join(f'<a href=#>{tag}</a>' for tag in document.tags)}")
        + f"<p>This page was last edited on {draw.randint(1, 28)} May 2024, at 12:{draw.randint(10, 59)}.</p>"
    )
    return body, gold_text(document)


def _listing(
    layout: _Layout, document: SourceDocument, documents: Sequence[SourceDocument], language: Language, draw: random.Random
) -> tuple[str, str]:
    gold, cards = [document.title, document.summary], []
    for other in draw.sample(list(documents), draw.randint(6, 14)):
        text = language.sentence(draw)
        gold += [other.title, text]
        cards.append(
            layout.element(
                "article",
                "item",
                f'<h3><a href="{other.slug}.html">{html.escape(other.title)}</a></h3><p>{html.escape(text)}</p>'
                f'<a href="{other.slug}.html">Read more</a>',
            )
        )
    body = (
        f'<h1 class="{layout.names["title"]}">{html.escape(document.title)}</h1><p>{html.escape(document.summary)}</p>'
        + layout.element("section", "text", "".join(cards))
        + "<p><a href=#>1</a> <a href=#>2</a> <a href=#>3</a> <a href=#>Next</a></p>"
    )
    return body, "\n".join(gold)


Body = Callable[[_Layout, SourceDocument, Sequence[SourceDocument], Language, random.Random], tuple[str, str]]
_BODIES: dict[str, Body] = {"thread": _thread, "product": _product, "news": _news, "wiki": _wiki, "listing": _listing}
