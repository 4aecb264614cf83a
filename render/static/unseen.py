"""Text that no person sees, as far as markup is certain of it: by styles in attributes and in the page's own `<style>` rules.

Rules for a state, with combinators, and those inside `@media` and the like, are left to a browser; so is what scripts and style sheets of
other files change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sightread.render.page import Hidden

_HIDING = re.compile(
    r"(?<![\w-])(?:(font-size):(?:0|1px)(?![\d.]*[1-9])|(opacity):0(?![\d.]*[1-9])|(text-indent|left|top):-\d{4}"
    r"|(clip-path):(?:inset\((?:[5-9]\d|100)%|circle\(0)|(transform):scale\(0\)|(color):(?:transparent|#f{3}|white|#0{3}|black))"
)
_HINTS = ("font-size:0", "font-size:1px", "opacity:0", "indent:-", "left:-", "top:-", "clip-path:", "scale(0)", "color:transparent")
"""Parts of such declarations: to look for them is faster than the pattern."""
_OWN_HINTS = (*_HINTS, "color:#f", "color:w", "color:#0", "color:b")
"""The same of an attribute, which may set both colours."""
_BY_PROPERTY: dict[str, Hidden] = {
    **{"font-size": "font", "opacity": "opacity", "text-indent": "offscreen", "left": "offscreen", "top": "offscreen"},
    **{"clip-path": "clip", "transform": "size", "color": "contrast"},
}
_SHOWN = re.compile(r"\b(?:transition|animation|text-shadow|text-stroke|background-clip|background-image)\b|url\(|gradient")
_GROUND = re.compile(r"\bbackground(?:-color)?:([#\w]+)")
_COLOUR = re.compile(r"(?<![\w-])color:([#\w]+)")
_NAMED = {"white": "#ffffff", "black": "#000000"}
_STATE = re.compile(r": ?(?:hover|focus|checked|target|active)", re.IGNORECASE)
_NOT_DISPLAYED = re.compile(r"display\s*:\s*none")
_OWN_TEXT = frozenset(("font", "contrast"))
"""Ways that hold for an element's own text: those inside it may have a size and a colour of their own."""
_LISTED = re.compile(r"\s*,\s*")
_SIMPLE = re.compile(r"[\w.#-]+")
"""Names of a tag, classes and an id. Selectors with combinators take a time with a power of the page's depth."""
MOST_HINTS = 2000
"""Of one kind, in a `<style>`."""
MOST_RULES = 300
"""Of a page: each is compared with all of its elements."""


def find_unseen(tree: LexborHTMLParser, markup: bytes) -> dict[int, Hidden]:
    """Return how nodes, by `mem_id`, are hidden by the styles in a page's markup."""
    is_scripted = b"<script" in markup
    found: dict[int, Hidden] = {}

    def note(node: LexborNode, way: Hidden) -> None:
        is_certain = way != "opacity" or not is_scripted  # else it may fade in
        if is_certain and not (way in _OWN_TEXT and next(node.iter(), None) is not None):
            found[node.mem_id] = way

    styled = [(node, _tight(node.attributes["style"] or "")) for node in tree.css("[style]")]
    for node, declarations in styled:
        if any(hint in declarations for hint in _OWN_HINTS) and (way := _way(declarations)):
            note(node, way)
    rules: dict[str, Hidden] = {}
    for sheet in tree.css("style:not([media])"):
        css = sheet.text()
        if not _STATE.search(css):
            rules.update(_rules(_tight(css)))
    for selector, way in islice(rules.items(), MOST_RULES):
        with suppress(SelectolaxError, ValueError):  # a name that is none
            for node in tree.css(selector):
                note(node, way)
    undisplayed = (node.mem_id for node, declarations in styled if "display" in declarations and _NOT_DISPLAYED.search(declarations))
    return found | dict.fromkeys(undisplayed, "display")


def _tight(css: str) -> str:
    """Return style declarations in lower case, without spaces after colons."""
    return css.lower().replace(": ", ":")


def _rules(css: str) -> Iterator[tuple[str, Hidden]]:
    """Yield the simple selectors of the rules outside of others that hide text, and how."""
    for hint in _HINTS:
        at = -1
        for _ in range(MOST_HINTS):
            at = css.find(hint, at + 1)
            if at < 0:
                break
            body, end = css.rfind("{", 0, at), css.find("}", at)
            outside = max(css.rfind(sign, 0, max(body, 0)) for sign in "{};/")
            is_inside = css[outside : outside + 1] == "{"  # of @media or the like
            if body < 0 or is_inside or "@" in css[outside + 1 : body]:
                continue
            if way := _way(css[body + 1 : end if end >= 0 else None]):
                yield from ((name, way) for name in _LISTED.split(css[outside + 1 : body].strip()) if _SIMPLE.fullmatch(name))


def _way(declarations: str) -> Hidden:
    """Return how the declarations of one rule, as `_tight` writes them, hide text; empty if they do not."""
    hiding = _HIDING.search(declarations)
    if not hiding or _SHOWN.search(declarations):
        return ""
    name = next(filter(None, hiding.groups()))
    way = _BY_PROPERTY[name]
    if name in ("left", "top") and not re.search(r"\bposition:(?:absolute|fixed)", declarations):
        return ""
    if way == "contrast" and "transparent" not in hiding[0]:
        colour, ground = _COLOUR.search(declarations), _GROUND.search(declarations)
        return way if colour and ground and _plain(colour[1]) == _plain(ground[1]) else ""
    return way


def _plain(colour: str) -> str:
    """Return a colour as it is compared."""
    name = _NAMED.get(colour, colour)
    return "#" + "".join(2 * digit for digit in name[1:]) if re.fullmatch("#[0-9a-f]{3}", name) else name
