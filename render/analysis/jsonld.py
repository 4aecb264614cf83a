"""JSON-LD (schema.org) of a page. Input is untrusted: nodes of unexpected shape are skipped."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from sightread.render.page import Page, once
from sightread.render.text.words import well_formed, well_formed_json

ARTICLES = re.compile(r"\w*(?:Article|Posting)|Report|Review|Recipe|HowTo|APIReference|Book|VideoObject|Product|QAPage|CreativeWork")
"""Types that are what a page is about; others are only part of it."""

PAGES = re.compile(r"\w*Page")
SITES = (re.compile("WebSite"), re.compile(r"\w*Organization"))

MAX_NODES = 2000
"""No page needs more to describe itself; a hostile one is not walked to its end."""

Node: TypeAlias = Mapping[str, Any]

_WRAPPING = re.compile(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*\Z")


@dataclass(frozen=True, slots=True)
class Linked:
    """The JSON-LD data about a page; fields are empty if it has none. Dates are as they are written."""

    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    modified: str = ""
    language: str = ""
    description: str = ""
    site_name: str = ""
    image: str = ""


def read_linked(page: Page) -> Linked:
    """Return the data about the page; of several articles, that of the one whose headline is in the page's titles.

    Malformed scripts are ignored.
    """
    nodes = linked_nodes(page)
    known = identified(nodes)
    about = [node for node in nodes if is_type(node, ARTICLES)]
    chosen = [node for node in about if _headline(node) and any(_headline(node) in title for title in page.titles)][:1]
    chosen = chosen or (about if len(about) == 1 else [])
    title = _headline(chosen[0]) if chosen else ""
    chosen += [node for node in nodes if is_type(node, PAGES) and node not in chosen]

    def first(*keys: str) -> str:
        return next((text for node in chosen for key in keys if (text := linked_text(node.get(key), known))), "")

    named = (tuple(dict.fromkeys(filter(None, (linked_text(part, known) for part in many(node.get("author")))))) for node in chosen)
    sites = [node for pattern in SITES for node in nodes if is_type(node, pattern)]
    return Linked(
        title=title,
        authors=next(filter(None, named), ()),
        published=first("datePublished", "uploadDate", "dateCreated"),
        modified=first("dateModified"),
        language=first("inLanguage"),
        description=first("description"),
        site_name=first("publisher") or next((name for node in sites if (name := linked_text(node.get("name"), known))), ""),
        image=next((url for node in chosen for key in ("image", "thumbnailUrl") if (url := linked_url(node.get(key), known))), ""),
    )


@once
def linked_nodes(page: Page) -> tuple[Node, ...]:
    """Return the objects at the top of each JSON-LD script, in its lists, in `@graph` and in `mainEntity`, `MAX_NODES` at most."""
    return tuple(islice(_nodes(page.json_ld), MAX_NODES))


def identified(nodes: Iterable[Node]) -> dict[str, Node]:
    """Return the objects to which others may refer, by their `@id`."""
    return {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1}


def _nodes(scripts: Iterable[str]) -> Iterator[Node]:
    for script in scripts:
        try:
            pending = [well_formed_json(json.loads(_WRAPPING.sub("", script), strict=False))]
        except (ValueError, RecursionError):
            continue
        while pending:
            value = pending.pop()
            if isinstance(value, list):
                pending += reversed(value)
            elif isinstance(value, dict):
                yield value
                pending += [value[key] for key in ("mainEntity", "@graph") if isinstance(value.get(key), list | dict)]


def is_type(node: Node, pattern: re.Pattern[str]) -> bool:
    """Return whether one of the types of the object matches."""
    return any(pattern.fullmatch(name.rsplit("/", 1)[-1]) for name in many(node.get("@type")) if isinstance(name, str))


def _headline(node: Node) -> str:
    return linked_text(node.get("headline"), {}) or linked_text(node.get("name"), {})


def many(value: Any) -> list[Any]:
    """Return a list as it is, and anything else as the only one of a list."""
    return value if isinstance(value, list) else [value]


def linked_text(value: Any, known: Mapping[str, Node]) -> str:
    """Return a text, or the name of the first thing named, with its entities resolved and white space folded."""
    return next((well_formed(" ".join(html.unescape(text).split())) for text in _texts(value, ("@value", "name"), known)), "")


def linked_url(value: Any, known: Mapping[str, Node]) -> str:
    """Return an address, or that of the first thing that has one."""
    return next((url.strip() for url in _texts(value, ("url", "contentUrl"), known)), "")


def _texts(value: Any, keys: Sequence[str], known: Mapping[str, Node]) -> Iterator[str]:
    """Yield the texts of a value that are not blank: a string, or a key of an object, which may be elsewhere under its `@id`."""
    for part in many(value):
        texts = [part]
        if isinstance(part, dict):
            name = part.get("@id")
            thing = known.get(name, part) if isinstance(name, str) else part
            texts = [thing.get(key) for key in keys]
        yield from (text for text in texts if isinstance(text, str) and text.strip())
