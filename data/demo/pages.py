"""Whole pages of the demo site: an article with all its surroundings, and a list of articles."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import cycle, islice
from typing import NamedTuple

from sightread.data.demo.content import EDITIONS, Article, Edition
from sightread.data.demo.markup import Parts, fill, inline, load_parts, render_block

_RELATED, _POPULAR, _INSET_AFTER = 3, 5, 3


class Group(NamedTuple):
    """One group of cards on a list page; it may be in another language than the page."""

    id: str
    title: str
    edition: Edition
    articles: Sequence[Article]


@dataclass(frozen=True)
class Desk:
    """Common parts of the pages of one edition.

    `listed` holds the articles that other pages may link to; `names` holds the name of each edition in the language switch.
    """

    edition: Edition
    listed: Sequence[Article]
    names: Mapping[str, str]
    origin: str

    @cached_property
    def words(self) -> dict[str, str]:
        """The edition's labels, ready for HTML."""
        edition = self.edition
        return {name: escape(text) for name, text in edition.words.items()} | {
            "code": edition.code,
            "language": edition.language,
            "direction": edition.direction,
        }

    def article(self, article: Article) -> str:
        """Return the page of one article."""
        parts, words = load_parts(article.template), self.words
        at = self.listed.index(article) if article in self.listed else len(article.slug)
        others = [other for other in self.listed if other is not article]
        related = list(islice(cycle(others), at, at + _RELATED))
        own = {
            **words,
            "headline": escape(article.headline),
            "section": article.section,
            "section_name": escape(self.edition.sections[article.section]),
            "author": escape(self.edition.words["by"].format(name=article.author)),
            "moment": article.published.isoformat(),
            "date": escape(self.edition.date(article.published)),
            **self._advertisement(at),
        }
        shared = {name: fill(parts, name, **own) for name in ("crumbs", "byline", "share", "ad", "newsletter")}
        headline, standfirst, body = self._body(parts, article, own | shared | _card(related[0]))
        return fill(
            parts,
            "page",
            **own
            | shared
            | self._boilerplate(parts, self._article_head(article), article.template)
            | {
                "headline": headline,
                "standfirst": standfirst,
                "body": body,
                "tags": "".join(fill(parts, "tag", **own | {"text": escape(tag)}) for tag in article.tags),
                "related": "".join(fill(parts, "teaser", **_card(other)) for other in related),
                "popular": "".join(fill(parts, "popular", **_card(other)) for other in islice(cycle(others), at + 3, at + 3 + _POPULAR)),
                "comments": "".join(self._comments(parts, article, at)),
            },
        )

    def index(self, path: str, groups: Sequence[Group], extra: str = "") -> str:
        """Return a list page, with `extra` HTML after its groups."""
        parts = load_parts("index")
        filled = [
            fill(
                parts,
                "group",
                id=group.id,
                title=escape(group.title),
                language=group.edition.language,
                direction=group.edition.direction,
                cards="".join(fill(parts, "card", **_card(article)) for article in group.articles),
            )
            for group in groups
        ]
        own = {**self.words, **self._advertisement(len(path))}
        title = self.edition.words["name"]
        head = self._head(path, f"{title} – {self.edition.words['slogan']}", {"description": self.edition.words["description"]})
        boilerplate = self._boilerplate(parts, head, "index") | {name: fill(parts, name, **own) for name in ("ad", "newsletter")}
        return fill(parts, "page", **own | boilerplate | {"title": escape(title), "groups": "".join(filled) + extra})

    def _body(self, parts: Parts, article: Article, own: Mapping[str, str]) -> tuple[str, str, str]:
        """Return headline, standfirst and body; the template's inset is inside a body that is long enough."""
        paths = {other.slug: other.path for other in self.edition.articles}
        top = {"headline": "", "standfirst": ""}
        body: list[str] = []
        for block in article.blocks:
            first = block.kind == "paragraph" and not body
            html = render_block(parts, "lead" if first else block.kind, block, paths.__getitem__)
            if block.kind in top:
                top[block.kind] = html
            else:
                body.append(html)
        if len(body) > _INSET_AFTER + 2:
            body.insert(_INSET_AFTER, fill(parts, "inset", **own))
        return top["headline"], top["standfirst"], "\n".join(body)

    def _comments(self, parts: Parts, article: Article, at: int) -> list[str]:
        ago = islice(cycle(self.edition.ago), at, None)
        return [
            fill(parts, "comment", **self.words | {"name": escape(comment.name), "text": inline(comment.text, str), "ago": escape(when)})
            for comment, when in zip(article.comments, ago, strict=False)
        ]

    def _boilerplate(self, parts: Parts, head: str, style: str) -> dict[str, str]:
        code = self.edition.code
        links = [(f"/{code}/#{section}", name) for section, name in self.edition.sections.items()]
        service = [(f"/{code}/#about", name) for name in self.edition.words["service"].split("|")]
        languages = [(f"/{other}/", self.names[other]) for other in EDITIONS]

        def filled(part: str, pairs: Sequence[tuple[str, str]]) -> str:
            return "".join(fill(parts, part, href=href, text=escape(text)) for href, text in pairs)

        own = self.words | {
            "head": head,
            "style": style,
            "site": self.words["name"],
            "sections": filled("nav_link", links),
            "service": filled("nav_link", service),
            "languages": filled("nav_link", languages),
        }
        tree = filled("branch", links) if "branch" in parts else ""
        return {"masthead": fill(parts, "masthead", **own), "footer": fill(parts, "footer", **own), "tree": tree}

    def _advertisement(self, at: int) -> dict[str, str]:
        ad = self.edition.advertisements[at % len(self.edition.advertisements)]
        return {"label": self.words["ad_label"], **{name: escape(text) for name, text in ad._asdict().items()}}

    def _article_head(self, article: Article) -> str:
        words = self.edition.words
        metas = {"author": article.author, "article:published_time": article.published.isoformat()}
        if "description" in article.head:
            metas["description"] = article.summary
        if "slogan" in article.head:
            metas["description"] = words["description"]
        if "og" in article.head:
            metas |= {"og:type": "article", "og:title": article.headline, "og:site_name": words["name"]}
        if {"og", "description"} <= article.head:
            metas["og:description"] = article.summary
        head = self._head(article.path, f"{article.headline} – {words['name']}: {words['slogan']}", metas, article.template)
        if "jsonld" in article.head:
            head += f'\n<script type="application/ld+json">{self._json_ld(article)}</script>'
        return head

    def _head(self, path: str, title: str, metas: Mapping[str, str], style: str = "index") -> str:
        named = (("property" if ":" in name else "name", name, escape(content)) for name, content in metas.items())
        return "\n".join(
            [
                '<meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<title>{escape(title)}</title>",
                *(f'<meta {key}="{name}" content="{content}">' for key, name, content in named),
                f'<link rel="canonical" href="{self.origin}{path}">',
                '<link rel="icon" href="/static/icon.svg">',
                '<link rel="stylesheet" href="/static/base.css">',
                f'<link rel="stylesheet" href="/static/{style}.css">',
            ]
        )

    def _json_ld(self, article: Article) -> str:
        record = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": article.headline,
            "datePublished": article.published.isoformat(),
            "author": {"@type": "Person", "name": article.author},
            "publisher": {"@type": "Organization", "name": self.edition.words["name"]},
            "inLanguage": self.edition.language,
            "mainEntityOfPage": self.origin + article.path,
        }
        return json.dumps(record, ensure_ascii=False).replace("</", "<\\/")


def _card(article: Article) -> dict[str, str]:
    return {"href": article.path, "headline": escape(article.headline), "summary": escape(article.summary)}
