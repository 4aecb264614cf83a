"""Text that no person sees, as far as markup is certain of it: by styles in attributes and in the page's own `<style>` rules.

Nothing is computed for pages in whose markup no declaration hides text so. Rules for a state, and those inside `@media` and the like, are
left to a browser; so is what scripts and style sheets of other files change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sightread.render.page import Hidden

_HIDING = (
    r"\bfont-size\s*:\s*(?:0|1px)(?![\d.]*[1-9])|\bopacity\s*:\s*0(?![\d.]*[1-9])|\b(?:text-indent|left|top)\s*:\s*-\d{4}"
    r"|\bclip-path\s*:\s*(?:inset\((?:[5-9]\d|100)%|circle\(0)|\btransform\s*:\s*scale\(0\)|(?<![\w-])color\s*:\s*(?:transparent|#f{3}|white|#0{3}|black)"
)
_MAY_HIDE = re.compile(_HIDING, re.IGNORECASE)
_MAY_HIDE_BYTES = re.compile(_HIDING.encode(), re.IGNORECASE)
_BY_PROPERTY: dict[str, Hidden] = {
    **{"font-size": "font", "opacity": "opacity", "text-indent": "offscreen", "left": "offscreen", "top": "offscreen"},
    **{"clip-path": "clip", "transform": "size", "color": "contrast"},
}
_SHOWN = re.compile(r"\b(?:transition|animation|text-shadow|text-stroke|background-clip|background-image)\b|url\(|gradient", re.IGNORECASE)
_GROUND = re.compile(r"\bbackground(?:-color)?\s*:\s*([#\w]+)", re.IGNORECASE)
_COLOUR = re.compile(r"(?<![\w-])color\s*:\s*([#\w]+)", re.IGNORECASE)
_NAMED = {"white": "#ffffff", "black": "#000000"}
_STATES = re.compile(r":(?:hover|focus|checked|target|active)")
_OWN_TEXT = frozenset(("font", "contrast"))
"""Ways that hold for an element's own text: those inside it may have a size and a colour of their own."""
MOST_RULES = 2000
"""Of a page's own styles."""


def find_unseen(tree: LexborHTMLParser, markup: bytes) -> dict[int, Hidden]:
    """Return how nodes, by `mem_id`, are hidden by the styles in a page's markup."""
    if not _MAY_HIDE_BYTES.search(markup):
        return {}
    is_scripted = b"<script" in markup
    found: dict[int, Hidden] = {}

    def note(node: LexborNode, way: Hidden) -> None:
        is_certain = way != "opacity" or not is_scripted  # else it may fade in
        if is_certain and not (way in _OWN_TEXT and next(node.iter(), None) is not None):
            found[node.mem_id] = way

    for node in tree.css("[style]"):
        if way := _way(node.attributes.get("style") or ""):
            note(node, way)
    for sheet in tree.css("style:not([media])"):
        css = sheet.text()
        if not _MAY_HIDE.search(css) or _STATES.search(css):
            continue
        for selector, way in _rules(css):
            try:
                for node in tree.css(selector):
                    note(node, way)
            except (SelectolaxError, ValueError):
                continue  # a selector that only browsers know
    return found


def _rules(css: str) -> Iterator[tuple[str, Hidden]]:
    """Yield the selectors of the rules outside of others that hide text, and how."""
    depth = start = body = count = 0
    for brace in re.finditer(r"[{}]", css):
        if brace[0] == "{":
            body = brace.end() if depth == 0 else body
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                selector = css[start : body - 1].rpartition(";")[2].rpartition("*/")[2].strip()
                way = "" if "@" in selector else _way(css[body : brace.start()])
                if way:
                    yield selector, way
                start, count = brace.end(), count + 1
                if count >= MOST_RULES:
                    return


def _way(declarations: str) -> Hidden:
    """Return how the declarations of one rule hide text; empty if they do not."""
    hiding = _MAY_HIDE.search(declarations)
    if not hiding or _SHOWN.search(declarations):
        return ""
    name = hiding[0].partition(":")[0].strip().lower()
    way = _BY_PROPERTY[name]
    if name in ("left", "top") and not re.search(r"\bposition\s*:\s*(?:absolute|fixed)", declarations, re.IGNORECASE):
        return ""
    if way == "contrast" and "transparent" not in hiding[0].lower():
        colour, ground = _COLOUR.search(declarations), _GROUND.search(declarations)
        return way if colour and ground and _plain(colour[1]) == _plain(ground[1]) else ""
    return way


def _plain(colour: str) -> str:
    """Return a colour as it is compared."""
    name = _NAMED.get(colour.lower(), colour.lower())
    return "#" + "".join(2 * digit for digit in name[1:]) if re.fullmatch("#[0-9a-f]{3}", name) else name
