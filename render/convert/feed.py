"""RSS 0.9 to 2.0 and Atom to HTML: each entry is a section with its title, author, date and content."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape, unescape
from itertools import islice
from typing import NamedTuple

from lxml import etree

from sightread.render.errors import Unusable

MOST_ENTRIES = 1000
_CONTENT = ("content", "encoded", "description", "summary")
"""Names of elements with the text of an entry, the fullest first."""
_DATES = ("published", "pubdate", "date", "updated", "issued", "modified")


class Entry(NamedTuple):
    """An entry of a feed; a field is empty if the feed has nothing for it."""

    title: str
    """As text."""
    url: str
    author: str
    date: str
    """As the feed has it."""
    content: str
    """As HTML."""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed with its entries."""

    title: str
    description: str
    language: str
    entries: tuple[Entry, ...]

    @property
    def html(self) -> str:
        """The feed as a page."""
        title = escape(self.title)
        head = f'<html lang="{escape(self.language)}"><head><title>{title}</title></head>'
        return f"{head}<body><h1>{title}</h1><p>{escape(self.description)}</p>{''.join(map(_section, self.entries))}</body></html>"


def to_html(content: bytes, where: str) -> tuple[str, bool]:
    """Return the HTML of a feed, and whether it is all of it. Raises `Unusable` if it is none."""
    feed, is_whole = read_feed(content, where)
    return feed.html, is_whole


def read_feed(content: bytes, where: str = "the feed") -> tuple[Feed, bool]:
    """Return an RSS or Atom feed, and whether all its entries are in it; damaged XML gives what is before the damage.

    Entities are not expanded and nothing is loaded. Raises `Unusable` for anything else.
    """
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unusable(f"{where}: no feed: {error}") from error
    if root is None or _name(root) not in ("rss", "rdf", "feed"):
        raise Unusable(f"{where}: XML that is no feed: RSS and Atom are read")
    channel = next((child for child in root if _name(child) == "channel"), root)
    items = list(root.iter("{*}item", "{*}entry", "item", "entry"))
    entries = tuple(map(_entry, islice(items, MOST_ENTRIES)))
    description = _text(channel, ("description", "subtitle"))
    language = _text(channel, ("language",)) or root.get("{http://www.w3.org/XML/1998/namespace}lang", "")
    return Feed(_text(channel, ("title",)), description, language, entries), len(items) <= MOST_ENTRIES


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname.lower() if isinstance(element.tag, str) else ""


def _first(element: etree._Element, names: tuple[str, ...]) -> etree._Element | None:
    """Return the child with the first of the names that has content."""
    children: dict[str, etree._Element] = {}
    for child in element:
        if "".join(child.itertext()).strip():
            children.setdefault(_name(child), child)
    return next((children[name] for name in names if name in children), None)


def _text(element: etree._Element, names: tuple[str, ...]) -> str:
    found = _first(element, names)
    return "" if found is None else " ".join(unescape("".join(found.itertext())).split())  # RSS escapes names twice


def _entry(element: etree._Element) -> Entry:
    links = [child for child in element if _name(child) == "link"]
    own = next((link for link in links if link.get("rel", "alternate") == "alternate"), None)
    url = "" if own is None else own.get("href") or (own.text or "").strip()
    person = _first(element, ("author", "creator"))
    author = "" if person is None else _text(person, ("name",)) or " ".join("".join(person.itertext()).split())
    body = _first(element, _CONTENT)
    return Entry(_text(element, ("title",)), url, author, _text(element, _DATES), "" if body is None else _markup(body))


def _markup(element: etree._Element) -> str:
    kind = element.get("type", "html")
    if kind == "xhtml":
        return "".join(etree.tostring(child, encoding="unicode", with_tail=False) for child in element)
    text = "".join(element.itertext())
    return f"<p>{escape(text)}</p>" if kind == "text" else text


def _section(entry: Entry) -> str:
    title = escape(entry.title or entry.url)
    heading = f'<a href="{escape(entry.url)}">{title}</a>' if entry.url else title
    facts = ", ".join(filter(None, (entry.author, entry.date)))
    return f"<article><h2>{heading}</h2>{f'<p>{escape(facts)}</p>' if facts else ''}<div>{entry.content}</div></article>"
