"""Fallback text of a page that shows none: the text bodies of its JSON-LD, of its scripts' data, or its `<noscript>` elements."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Any, NamedTuple

import msgspec

from sightread.render.analysis.block_pages import find_wall, is_shown, script_notices, unlinked_words
from sightread.render.analysis.jsonld import ARTICLES, Node, is_type, linked_nodes, many
from sightread.render.errors import Unusable
from sightread.render.page import Block, Page, RecoverySource
from sightread.render.static.parse import read_html
from sightread.render.text.words import letters, well_formed_json

_ABOUT = re.compile(rf"(?:{ARTICLES.pattern})|Question")
_TEXT_KEYS = ("articleBody", "text", "reviewBody", "description")
"""Of what the page is about, the first that is there."""
_ANSWERS = ("acceptedAnswer", "suggestedAnswer", "comment")
"""Keys below a question or a post, one level deep."""
_BREAK = re.compile(r"\n|</p>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FallbackLimits:
    """Limits on fallback text."""

    paragraphs: int = 2000
    longest_shown: float = 40.0
    """Words outside links that a page shows besides notices, at most, to be filled from elsewhere."""
    least_replacement: int = 200
    """Characters of the text that replaces shown words."""
    times_text: float = 5.0
    """How many times as long as these it is."""
    times_links: float = 2.0
    """The same for the links, which may be the content of a list, or a menu."""
    least_unscripted: int = 500
    """Characters outside links of a page's `<noscript>` elements that are content (docs/experiments/rendering.md, "Noscript")."""


LIMITS = FallbackLimits()


def recover(page: Page, scripts: Iterable[str], unscripted: str = "") -> Page:
    """Return a page that shows no text, or almost none, with the text of its JSON-LD, its scripts' data or its `<noscript>` elements, not
    laid out, and marked with the source: the longest. Otherwise it is unchanged.

    `scripts` are the texts of its scripts, `unscripted` its `<noscript>` elements as markup, which count if the page shows no text at all.
    Text beside a few shown words must be several times as long as these.
    """
    if not shows_little(page) or ((wall := find_wall(page)) and wall.kind != "scripts"):
        return page
    shown = _shown(page)
    text = sum(len(block.text) - block.link_chars for block in shown)
    linked = sum(block.link_chars for block in shown)
    best = max(_from_json_ld(page), _from_data(page, scripts), page if shown else _from_noscript(page, unscripted), key=_characters)
    least = max(LIMITS.least_replacement, LIMITS.times_text * text + LIMITS.times_links * linked) if shown else 1
    return best if _characters(best) >= least else page


def shows_little(page: Page) -> bool:
    """Return whether a page shows so little text besides notices that its content may be elsewhere in it."""
    return all(words <= LIMITS.longest_shown for words in accumulate(map(unlinked_words, _shown(page))))


def _shown(page: Page) -> list[Block]:
    notices = script_notices(page)
    return [block for row, block in enumerate(page.blocks) if row not in notices and is_shown(page, block)]


def _characters(page: Page) -> int:
    return sum(len(block.text) for block in page.blocks) if page.recovered else 0


def _from_json_ld(page: Page) -> Page:
    nodes = [node for node in linked_nodes(page) if is_type(node, _ABOUT)]
    paragraphs = list(dict.fromkeys(text for node in nodes for text in _paragraphs(node)))[: LIMITS.paragraphs]
    blocks = tuple(Block(text, 0, hidden="display") for text in paragraphs)
    return replace(page, blocks=blocks, images=(), overlays=(), recovered_from="json-ld" if blocks else "")


def _from_data(page: Page, scripts: Iterable[str]) -> Page:
    markup = find_body(scripts, page.titles)
    return _with_markup(page, markup, "data") if markup else page


def _from_noscript(page: Page, markup: str) -> Page:
    found = _with_markup(page, markup, "noscript") if markup else page
    is_content = sum(len(block.text) - block.link_chars for block in found.blocks) >= LIMITS.least_unscripted
    return found if is_content else page


def _with_markup(page: Page, markup: str, source: RecoverySource) -> Page:
    """Return the page with the text of markup, without notices that scripts are required; unchanged if it has none."""
    try:
        read = read_html(markup, page.final_url or page.url)
    except Unusable:
        return page
    notices = script_notices(read)
    blocks = tuple(msgspec.structs.replace(block, hidden="display") for row, block in enumerate(read.blocks) if row not in notices)
    recovered = replace(page, blocks=blocks, elements=read.elements, images=read.images, overlays=(), recovered_from=source)
    return recovered if blocks else page


def _paragraphs(node: Node) -> Iterator[str]:
    yield from text_paragraphs(node)
    for name in _ANSWERS:
        for answer in many(node.get(name)):
            if isinstance(answer, dict):
                yield from text_paragraphs(answer)


def text_paragraphs(node: Node) -> Iterator[str]:
    """Yield the paragraphs of an object's text, without markup."""
    text_value: Any = next((node[name] for name in _TEXT_KEYS if isinstance(node.get(name), str) and node[name].strip()), "")
    for part in _BREAK.split(text_value):
        text = " ".join(html.unescape(_TAG.sub(" ", part)).split())
        if text:
            yield text


# The body of an article in the data of a page's scripts: the state from which an application fills the page. Nothing is known of any
# framework. Data is JSON, as the whole of a script or behind an assignment. A body is a text with sentences under a key that such texts
# have, or the texts of a list of nodes: rich text as editors store it. The longest is taken, and first of all one of a record that has the
# page's title.


@dataclass(frozen=True, slots=True)
class DataLimits:
    """Limits on the data of a page's scripts, which is untrusted, and on what is a body."""

    values: int = 200_000
    depth: int = 60
    scripts: int = 200
    characters: int = 5_000_000
    """Of all scripts."""
    compared_characters: int = 10_000_000
    """Of texts that may be a body: those of a list in a list are compared with both."""
    assignments: int = 50
    """Of a script, that are tried for JSON."""
    least_characters: int = 200
    most_characters: int = 1_000_000
    """Of a body."""
    least_sentences: int = 2


DATA_LIMITS = DataLimits()

_BODY_KEY = re.compile(
    r"body|content|text|html|article|story|markdown|rendered|value|paragraph|copy|answer|description|document|entry|message", re.IGNORECASE
)
"""In the keys of texts and of lists of texts."""
_OTHER_KEY = re.compile(
    r"i18n|locale|translation|\bmessages\b|config|setting|cookie|consent|privacy|legal|footer|header|menu|\bnav|related|recommend|comment"
    r"|teaser|sidebar|promo|author|\bbio|\bseo|meta|excerpt|summary|query|banner|newsletter",
    re.IGNORECASE,
)
"""In keys below which texts are of other things."""
_NODE_TEXT_KEYS = ("text", "html", "markdown", "value", "content", "body", "children", "caption")
"""Keys of a node's text, the first that holds a string."""
_CHILD_KEYS = ("children", "content", "nodes", "blocks", "items", "paragraphs", "value", "body", "text", "elements", "components")
_WRAPPING_KEYS = ("data", "model", "attributes", "attrs", "fields", "props", "root", "document")
"""Keys of an object that belongs to its node."""
_KIND_KEYS = ("style", "nodeType", "type", "_type", "tag", "kind", "name", "component")
_INLINE = re.compile(
    r"text|span|fragment|\w*-?(?:hyper|auto|url)?link|a|strong|bold|b|em|emphasis|italic|i|mark|underline|u|s|code|inline\w*|br|\w*break|mention"
    r"|tab|sub(?:script)?|sup(?:erscript)?",
    re.IGNORECASE,
)
"""Kinds of nodes that are part of the text around them; nodes without a kind are too."""
_HEADING = re.compile(r"(?:core/)?(?:heading|header|title|h)(?:[-_ ]?([1-6]|one|two|three|four|five|six))?", re.IGNORECASE)
_ITEM = re.compile(r"list-?_?item|\bli\b", re.IGNORECASE)
_RECORD_KEYS = frozenset(("slug", "permalink", "headline", "author", "authors", "published", "excerpt", "summary", "byline"))
"""Keys of a whole article: a list of such is no body."""
_TITLE_KEYS = ("headline", "title", "name")
_ASSIGNED = re.compile(r"""[=(,]\s*(?:JSON\.parse\(\s*)?(?=[\[{"'])""")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ESCAPE = re.compile(r"\\x[0-9a-fA-F]{2}|\\.|\"", re.DOTALL)
_ENTITY = re.compile(r"&(?:#\w+|[a-z]+);", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?…։](?=[\s\"'”’»)<]|$)|[。！？।۔؟]")
_CODE = re.compile(r"[{};]\s*[\n}]|=>|\bfunction\s*\(|[\w$]\(\)|\":\s*[\[{\"]")


class _Budget:
    """How many values and characters are still looked at."""

    def __init__(self) -> None:
        self._values = DATA_LIMITS.values
        self._characters = DATA_LIMITS.compared_characters

    def has(self, characters: int = 0) -> bool:
        """Take a value, or characters, and return whether they were there."""
        self._values -= not characters
        self._characters -= characters
        return self._values >= 0 and self._characters >= 0


class _Body(NamedTuple):
    markup: str
    characters: int
    is_titled: bool


def find_body(scripts: Iterable[str], titles: Sequence[str] = ()) -> str:
    """Return the body of the page's article in its scripts' data, as HTML; empty if there is none."""
    known = [folded for title in titles if (folded := letters(title))]
    budget = _Budget()
    found: list[_Body] = []
    left = DATA_LIMITS.characters
    for script in islice(scripts, DATA_LIMITS.scripts):
        left -= len(script)
        for value in _values(script) if left >= 0 else ():
            found += _bodies(value, known, budget)
    best = max(found, key=lambda body: (body.is_titled, body.characters), default=None)
    return best.markup if best else ""


def _values(script: str) -> Iterator[Any]:
    """Yield the lists and objects in JSON that are a script, or assigned or given to a function in it."""
    text = script.strip()
    if text[:1] in ("{", "["):
        value = _decoded(text)
        if isinstance(value, dict | list):
            yield value
            return
    place = 0
    for _ in range(DATA_LIMITS.assignments):
        match = _ASSIGNED.search(text, place)
        if match is None:
            return
        place = match.end()
        if quoted := _QUOTED.match(text, place):
            source, end = f'"{_ESCAPE.sub(_as_json, quoted[1])}"', quoted.end()
        else:
            source, end = text, 0
        try:
            value, after = _decoder.raw_decode(source, 0 if end else place)
        except (ValueError, RecursionError):
            continue
        end = end or after
        place = max(place, end)
        value = _decoded(value) if isinstance(value, str) else value
        if isinstance(value, dict | list):
            yield well_formed_json(value)


_decoder = json.JSONDecoder(strict=False)


def _as_json(escape: re.Match[str]) -> str:
    """Return an escape, or a quotation mark, of a string of JavaScript in single quotes as JSON writes it."""
    sign = escape[0]
    if sign.startswith("\\x"):
        return f"\\u00{sign[2:]}"
    return {"\\'": "'", '"': '\\"'}.get(sign, sign)


def _decoded(text: str) -> Any:
    """Return the value of a text that is JSON as a whole; None for any other."""
    if text[:1] not in ("{", "["):
        return None
    try:
        value = well_formed_json(_decoder.decode(text))
    except (ValueError, RecursionError):
        return None
    return _Indexed(value).value() if _is_indexed(value) else value


def _is_indexed(value: Any) -> bool:
    """Return whether a list holds all values of a tree once, and in their places the indices of other values, as devalue writes them."""
    if not isinstance(value, list) or len(value) < 3:
        return False
    holders = [each for each in value if isinstance(each, dict | list) and each]
    items = [item for each in holders for item in (each.values() if isinstance(each, dict) else each)]
    indices = sum(isinstance(item, int) and -10 < item < len(value) for item in items)
    return len(holders) > 1 and isinstance(value[0], dict | list) and indices >= 0.9 * len(items)


class _Indexed:
    """A tree of which a list holds the values: puts them in their places."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values
        self._budget = DATA_LIMITS.values

    def value(self, index: Any = 0, depth: int = 0) -> Any:
        """Return the value at an index with all below it; None beyond the limits, which circles reach."""
        self._budget -= 1
        if not isinstance(index, int) or not 0 <= index < len(self._values) or depth > DATA_LIMITS.depth or self._budget < 0:
            return index if isinstance(index, str) else None
        value = self._values[index]
        if isinstance(value, dict):
            return {key: self.value(each, depth + 1) for key, each in value.items()}
        if isinstance(value, list):
            return [self.value(each, depth + 1) for each in value]
        return value


def _bodies(value: Any, titles: Sequence[str], budget: _Budget) -> Iterator[_Body]:
    """Yield the bodies in a value, each with whether it is of a record that has one of the titles."""
    pending: list[tuple[Any, str, bool, int]] = [(value, "", False, 0)]
    while pending and budget.has():
        each, key, is_titled, depth = pending.pop()
        if depth > DATA_LIMITS.depth or _OTHER_KEY.search(key):
            continue
        if isinstance(each, dict):
            names = [name for title in _TITLE_KEYS if isinstance(name := each.get(title), str)]
            is_titled = any(len(name := letters(each)) > 3 and name in title for each in names for title in titles) if names else is_titled
            pending += ((below, str(name), is_titled, depth + 1) for name, below in each.items())
        elif isinstance(each, list):
            holders = [node for node in each if isinstance(node, dict)]
            if (holders or _BODY_KEY.search(key)) and not any(_RECORD_KEYS.intersection(node) for node in holders):
                yield from _body("\n".join(_blocks(each, budget)), is_titled, budget)
            pending += ((below, key, is_titled, depth + 1) for below in each if isinstance(below, dict | list))
        elif isinstance(each, str) and len(each) >= DATA_LIMITS.least_characters:
            decoded = _decoded(each)
            if decoded is not None:
                pending.append((decoded, key, is_titled, depth + 1))
            elif _BODY_KEY.search(key):
                yield from _body(_markup(each, "p"), is_titled, budget)


def _body(markup: str, is_titled: bool, budget: _Budget) -> Iterator[_Body]:
    if not DATA_LIMITS.least_characters <= len(markup) <= DATA_LIMITS.most_characters or not budget.has(len(markup)):
        return
    text = " ".join(html.unescape(_TAG.sub(" ", markup)).split())
    sentences = len(_SENTENCE.findall(text))
    if len(text) >= DATA_LIMITS.least_characters and sentences >= max(DATA_LIMITS.least_sentences, len(_CODE.findall(text))):
        yield _Body(markup, len(text), is_titled)


def _markup(text: str, tag: str) -> str:
    """Return a text as HTML: as it is if it has tags, else its lines as paragraphs."""
    if _TAG.search(text):
        return (
            text if tag == "p" and re.search(r"<(?:p|div|h[1-6]|ul|ol|br|figure|blockquote|section)\b", text) else f"<{tag}>{text}</{tag}>"
        )
    lines = [line for line in text.split("\n") if line.strip()]
    return "".join(f"<{tag}>{line if _ENTITY.search(line) else html.escape(line, quote=False)}</{tag}>" for line in lines)


def _blocks(nodes: Iterable[Any], budget: _Budget, depth: int = 0) -> Iterator[str]:
    """Yield the markup of rich text: of each node that has text, or whose children are part of its text; else of its children."""
    for node in nodes:
        if depth > DATA_LIMITS.depth or not budget.has():
            return
        if isinstance(node, str):
            yield _markup(node, "p")
        elif isinstance(node, dict):
            if text := _text(node, depth):
                if len(text) > DATA_LIMITS.most_characters or not budget.has(len(text)):
                    return
                yield _markup(text, _tag_of(node))
                continue
            title = node.get("heading") or node.get("title")
            below = list(_parts(node))
            if isinstance(title, str) and below:
                yield _markup(title, "h2")
            for part in below:
                yield from _blocks(part, budget, depth + 1)


def _holders(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the node and the objects that belong to it."""
    yield node
    yield from (each for key in _WRAPPING_KEYS if isinstance(each := node.get(key), dict))


def _parts(node: dict[str, Any]) -> Iterator[list[Any]]:
    """Yield the lists of a node's children, of which an object may be the only one."""
    for each in (holder[key] for holder in _holders(node) for key in _CHILD_KEYS if key in holder):
        if isinstance(each, dict | list):
            yield [each] if isinstance(each, dict) else each


def _text(node: dict[str, Any], depth: int) -> str:
    """Return the text of a node, or that of its children if all are part of one text; empty if it has neither."""
    for holder in _holders(node):
        for key in _NODE_TEXT_KEYS:
            if isinstance(text := holder.get(key), str) and text.strip():
                return text
    if depth > DATA_LIMITS.depth:
        return ""
    for part in _parts(node):
        if part and all(isinstance(each, dict) and _INLINE.fullmatch(_kind(each) or "text") for each in part):
            return "".join(_inline(each, depth + 1) for each in part)
    return ""


def _inline(node: dict[str, Any], depth: int) -> str:
    text = next((text for key in _NODE_TEXT_KEYS if isinstance(text := node.get(key), str)), None)
    return text if text is not None else _text(node, depth) or (" " if "break" in _kind(node).lower() else "")


def _kind(node: dict[str, Any]) -> str:
    return next((kind for key in _KIND_KEYS if isinstance(kind := node.get(key), str)), "")


def _tag_of(node: dict[str, Any]) -> str:
    match = next((found for key in _KIND_KEYS if isinstance(kind := node.get(key), str) and (found := _HEADING.fullmatch(kind))), None)
    if match:
        words = ("one", "two", "three", "four", "five", "six")
        levels = (match[1], *(holder.get("level") for holder in _holders(node)))
        named = (words.index(each) + 1 if each in words else each for each in levels if each)
        return next((f"h{level}" for level in named if str(level) in "123456"), "h2")
    return "li" if _ITEM.search(_kind(node)) or "listItem" in node else "p"
