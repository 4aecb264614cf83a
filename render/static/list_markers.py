"""Generated text that is not in the markup: list markers, and the quotation marks of `<q>`.

The defaults of HTML in place of CSS; numbers are those of `collect_generated.js`.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_BULLETS = "•◦■"
"""By the number of lists around one."""
_TYPES = {"disc": "•", "circle": "◦", "square": "■"}
_ROMAN = {1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl", 10: "x", 9: "ix", 5: "v", 4: "iv", 1: "i"}
_QUOTES = {
    **dict.fromkeys(("de", "cs"), "„“‚‘"),
    **{"fr": "«»‹›", "ru": "«»„“", "uk": "«»„“", "pl": "„”«»", "hu": "„”»«", "ja": "「」『』"},
    **dict.fromkeys(("it", "es", "pt"), "«»“”"),
    **dict.fromkeys(("sv", "fi"), "””’’"),
}
_INTEGER = re.compile(r"\s*([-+]?\d{1,9})")
_UNMARKED = re.compile(r"(?:^|;)\s*list-style(-type)?\s*:[^;]*\bnone\b", re.IGNORECASE)

ItemNumbers = dict[int, int]
"""Numbers of list items, by the nodes' ids."""


def marker_of(item: LexborNode, known: dict[int, ItemNumbers]) -> str:
    """Return the marker that a list item shows by default; `known` keeps the numbers of the lists met so far."""
    holder = item.parent
    attributes = item.attributes
    if holder is None or holder.tag not in _LISTS:
        return "•"
    of_list = holder.attributes
    if _UNMARKED.search(attributes.get("style") or "") or _UNMARKED.search(of_list.get("style") or ""):
        return ""
    kind = attributes.get("type") or of_list.get("type") or ""
    if holder.tag != "ol":
        return _TYPES.get(kind.lower(), _BULLETS[min(_lists_above(holder), 2)])
    if holder.mem_id not in known:
        known[holder.mem_id] = _number(holder)
    return f"{_format(known[holder.mem_id].get(item.mem_id, 1), kind)}."


def quotes_of(quote: LexborNode) -> tuple[str, str]:
    """Return the quotation marks around a `<q>`, by its language and by the quotations that it is in."""
    depth, language = 0, ""
    at: LexborNode | None = quote
    while at is not None:
        depth += at.tag == "q" and at is not quote
        language = language or (at.attributes.get("lang") or "" if at.is_element_node else "")
        at = at.parent
    marks = _QUOTES.get(language.lower().partition("-")[0], "“”‘’")
    level = 2 * min(depth, 1)
    return marks[level], marks[level + 1]


def _lists_above(node: LexborNode) -> int:
    count = 0
    while (parent := node.parent) is not None:
        count += parent.tag in _LISTS
        node = parent
    return count


def _number(ordered: LexborNode) -> ItemNumbers:
    """Count the items of a list as HTML does: `start`, `reversed` and `value`."""
    items = [child for child in ordered.iter() if child.tag == "li"]
    attributes = ordered.attributes
    step = -1 if "reversed" in attributes else 1
    start = _INTEGER.match(attributes.get("start") or "")
    number = int(start[1]) if start else len(items) if step < 0 else 1
    found: ItemNumbers = {}
    for item in items:
        own = _INTEGER.match(item.attributes.get("value") or "")
        number = int(own[1]) if own else number
        found[item.mem_id] = number
        number += step
    return found


def _format(number: int, kind: str) -> str:
    if kind in ("a", "A") and 0 < number < 4000:
        text = ""
        while number > 0:
            number, letter = divmod(number - 1, 26)
            text = chr(97 + letter) + text
        return text if kind == "a" else text.upper()
    if kind in ("i", "I") and 0 < number < 4000:
        text = ""
        for value, letters in _ROMAN.items():
            times, number = divmod(number, value)
            text += letters * times
        return text if kind == "i" else text.upper()
    return str(number)
