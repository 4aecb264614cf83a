"""Markup that a page shows as text by mistake, and the controls of headings: neither is content.

Shortcodes are markup of a content management system that was never expanded: `[vc_row width="1/1"]`, `[/vc_row]`, `{{< figure >}}`. They
are recognised by their grammar, not by name: a quoted attribute, a closing tag of the same name, or a name with an underscore that is
alone.
Brackets that people write have none of these. Controls of headings are permalinks, links that edit or copy, and links to the top.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from sightread.document.tree.inlines import without_characters
from sightread.render.page import Block, InlineKind, Page
from sightread.render.page.view import enclosing

_QUOTE = "[\"'“”„″‘’′«»]"
_VALUE = rf"(?:{_QUOTE}[^\"“”″\]]*?{_QUOTE}(?=[\s/\]]))"
_ATTRIBUTE = rf"[A-Za-z_][\w-]*\s*=\s*(?:{_VALUE}|[^\s\[\]=\"'“”″]+)"
_TAG = re.compile(
    rf"\[(?P<closing>/)?(?P<name>[A-Za-z][\w-]{{0,60}})(?P<own>=[^\[\]\n]{{1,300}})?(?P<rest>\s+{_ATTRIBUTE}(?:\s+(?:{_ATTRIBUTE}|{_VALUE}|[\w-]+))*)?\s*/?\](?!\()"
)
"""A tag in brackets: its name, a value of its own as in `[url=...]`, and attributes, of which the first follows the name."""
_TEMPLATE = re.compile(r"\{\{([<%])\s*/?\s*[A-Za-z][^{}\n]{0,300}?\1?[>%]\}\}|\{%-?\s*[a-z]\w*[^{}%\n]{0,300}-?%\}")
"""A shortcode of Hugo, and a tag of Liquid or Jinja."""
_QUOTED = re.compile(rf"=\s*{_QUOTE}")
_CODE_TAGS = ("pre", "listing", "xmp", "textarea")

_SYMBOLS = r"[^\w\s*†‡$€£%&()\[\]]|[#\ue000-\uf8ff]"
_PERMALINK = re.compile(rf"(?:{_SYMBOLS}|[\s\u200b\ufe0f]){{1,6}}")
"""Text of a permalink without words: Sphinx's pilcrow, a hash, a chain, a glyph of an icon font."""
_SIGNS = re.compile(r"[\s¶#§\u25c6\u2693\ufe0f\U0001f517\ue000-\uf8ff]+")
"""The same outside headings, where other symbols may be text."""
_CONTROL = re.compile(
    r"(?:copy|copied|permalink|perma-?link|permalien|anchor|direct link|link|section link|edit|edit this|edit source|bearbeiten|"
    r"quelltext bearbeiten|link kopieren|modifier(?: le code| le wikicode)?|copier le lien|editar(?: código)?|enlace permanente|"
    r"copiar enlace|modifica(?: wikitesto)?|bewerken|brontekst bewerken|править(?: код)?|редактировать|редагувати|edytuj(?: kod)?|"
    r"redigera|rediger|muokkaa|"
    r"编辑(?:源代码)?|編輯(?:原始碼)?|編集|ソースを編集|편집|원본 편집|تعديل|ویرایش|עריכה|固定链接|永久链接|パーマリンク|"
    r"copy (?:the |this )?(?:link|url|anchor|permalink)(?: to (?:clipboard|.{1,200}))?|(?:link |url )?copied(?: to clipboard)?|"
    r"(?:permalink|permanent link|direct link|anchor|link)(?: (?:to|for) .{1,200})?|"
    r"edit (?:this )?(?:section|page|on github)(?:: .{1,200})?|"
    r"(?:back to )?(?:the )?top)[.!]?",
    re.IGNORECASE | re.DOTALL,
)
_NOTICE = re.compile(r"(?<!\s)\s*\b(?:Link copied|Copied to clipboard|Copied)!?\s*\Z")
_EDIT_ADDRESS = re.compile(r"[?&](?:ve)?action=edit\b|/edit(?:[/?]|\Z)")
_BRACKETS = re.compile(r"(?<!\s)\s*\[(?P<inside>[^\[\]]{1,80})\]\s*\Z")
_SEPARATORS = re.compile(r"[|·,/]")

Range = tuple[int, int]


class Leftovers(NamedTuple):
    """A page without leftovers, row by row as before, and the rows of the blocks that consist of them, whose text is unchanged."""

    page: Page
    rows: frozenset[int]


def without_leftovers(page: Page) -> Leftovers:
    """Return the page without shortcodes outside of code, and without the controls of its headings."""
    cuts = _shortcodes(page)
    for row, ranges in _controls(page):
        cuts.setdefault(row, []).extend(ranges)
    if not cuts:
        return Leftovers(page, frozenset())
    blocks = list(page.blocks)
    alone = set()
    for row, ranges in cuts.items():
        shortened = _cut(blocks[row], ranges)
        if shortened.text:
            blocks[row] = shortened
        else:
            blocks[row] = msgspec.structs.replace(blocks[row], heading=0)
            alone.add(row)
    return Leftovers(replace(page, blocks=tuple(blocks)), frozenset(alone))


# Shortcodes.


class _Tag(NamedTuple):
    row: int
    start: int
    end: int
    name: str
    is_closing: bool
    has_value: bool
    is_certain: bool


def _shortcodes(page: Page) -> dict[int, list[Range]]:
    found: dict[int, list[Range]] = {}
    tags: list[_Tag] = []
    code = None
    for row, block in enumerate(page.blocks):
        text = block.text
        if "]" not in text and "}" not in text:
            continue
        code = code or enclosing(page, _CODE_TAGS)
        if code[block.element] >= 0 or "shortcode" in text.lower():
            continue
        is_code = _overlaps(block, "code")
        for match in _TEMPLATE.finditer(text):
            if not is_code(*match.span()):
                found.setdefault(row, []).append(match.span())
        for match in _TAG.finditer(text):
            if not is_code(*match.span()):
                rest = match["rest"] or ""
                is_closing = match["closing"] is not None
                certain = not is_closing and not match["own"] and (bool(_QUOTED.search(rest)) or rest.count("=") > 1)
                tags.append(_Tag(row, *match.span(), match["name"], is_closing, match["own"] is not None, certain))
    for tag in _expanded(page, tags) if tags else ():
        found.setdefault(tag.row, []).append((tag.start, tag.end))
    return found


def _expanded(page: Page, tags: Sequence[_Tag]) -> list[_Tag]:
    """Return the tags that are shortcodes: by attributes or in pairs, or alone in their block beside others or with an underscore."""
    confirmed: set[int] = {place for place, tag in enumerate(tags) if tag.is_certain}
    opened: dict[str, list[int]] = {}
    for place, tag in enumerate(tags):
        if not tag.is_closing:
            opened.setdefault(tag.name, []).append(place)
        elif opened.get(tag.name):
            confirmed.update((opened[tag.name].pop(), place))
    ranges: dict[int, list[Range]] = {}
    for tag in tags:
        ranges.setdefault(tag.row, []).append((tag.start, tag.end))
    alone = {row for row, of_row in ranges.items() if not _cut(page.blocks[row], of_row).text.strip()}
    for place, tag in enumerate(tags):
        if not tag.has_value and place not in confirmed:
            is_alone, is_named = tag.row in alone, "_" in tag.name or "-" in tag.name
            if (tag.is_closing and (confirmed or is_named)) or (is_alone and tag.name.islower() and ("_" in tag.name or confirmed)):
                confirmed.add(place)
    return [tags[place] for place in sorted(confirmed)]


# Controls of headings.


def _controls(page: Page) -> Iterator[tuple[int, list[Range]]]:
    """Yield the ranges of controls in headings and in the blocks beside them, and of permalinks anywhere."""
    last_heading = -2
    headings = {row for row, block in enumerate(page.blocks) if block.heading}
    endings = (_BRACKETS.search(text) for row in headings if "]" in (text := page.blocks[row].text))
    repeated = Counter(found["inside"].strip() for found in endings if found and found.start())
    for row, block in enumerate(page.blocks):
        is_neighbour = row - 1 == last_heading or row + 1 in headings
        if not (block.heading or is_neighbour or block.inlines):
            continue
        ranges = list(_control_ranges(block, repeated)) if block.heading else _permalinks(block)
        is_control = bool(ranges) and not _cut(block, ranges).text
        if not is_control and (block.heading or is_neighbour):
            is_control = _is_control(page, row, is_neighbour=is_neighbour and not block.heading)
            ranges = [(0, len(block.text))] if is_control else ranges
        if is_control and not block.heading and not is_neighbour:
            ranges = []  # a symbol alone, but not at a heading
        if block.heading or (is_control and row - 1 == last_heading):
            last_heading = row
        if ranges:
            yield row, ranges


def _control_ranges(block: Block, repeated: Counter[str]) -> Iterator[Range]:
    links, is_raised = [mark for mark in block.inlines if mark.kind == "link"], _overlaps(block, "superscript")
    for link in links:
        text = block.text[link.start : link.end].strip()
        covers_all = link.end - link.start >= len(block.text.strip())
        if not covers_all and (
            (_PERMALINK.fullmatch(text) and ("#" in link.target or not link.target) and not is_raised(link.start, link.end))
            or (_CONTROL.fullmatch(text) and ("#" in link.target or not block.text[link.end :].strip(" ]|")))
        ):
            yield link.start, link.end
    bracketed = _BRACKETS.search(block.text) if "]" in block.text else None
    if bracketed and any(link.start < bracketed.end() and link.end > bracketed.start() for link in links):
        inside = bracketed["inside"].strip()
        edits = any(_EDIT_ADDRESS.search(link.target) and link.start >= bracketed.start() for link in links)
        words = all(_CONTROL.fullmatch(part.strip()) for part in _SEPARATORS.split(inside))
        if bracketed.start() and (edits or words or (repeated[inside] > 1 and not inside.isdigit())):
            yield bracketed.span()
    notice = _NOTICE.search(block.text) if "opied" in block.text else None
    if notice and notice.start():
        yield notice.span()


def _permalinks(block: Block) -> list[Range]:
    """Return the permalinks of other text, such as those beside definitions and captions: symbols alone."""
    ranges = [(mark.start, mark.end) for mark in block.inlines if "#" in mark.target and mark.kind == "link"]
    is_raised = _overlaps(block, "superscript")
    return [(start, end) for start, end in ranges if _SIGNS.fullmatch(block.text[start:end]) and not is_raised(start, end)]


def _is_control(page: Page, row: int, *, is_neighbour: bool) -> bool:
    """Return whether a block is a control as a whole: a linked block or a button beside the text of a heading."""
    block = page.blocks[row]
    text = block.text.strip().strip("[]").strip()
    is_notice = _NOTICE.fullmatch(text) is not None
    has_words = _CONTROL.match(text) is not None and all(_CONTROL.fullmatch(part.strip()) for part in _SEPARATORS.split(text))
    is_symbol = _PERMALINK.fullmatch(text) is not None
    if not (has_words or is_notice or is_symbol):
        return False
    is_linked = block.link_chars > 0 and 2 * block.link_chars >= len(text)
    around = (page.elements[each] for each in page.ancestors(block.element)[:3])
    is_button = any(each.tag == "button" or each.attributes.get("role") == "button" for each in around)
    if is_neighbour and not (is_button or is_linked or is_notice):
        return False
    is_part = is_neighbour or any(
        other != row and 0 <= other < len(page.blocks) and page.blocks[other].heading and _share(page, row, other)
        for other in (row - 2, row - 1, row + 1, row + 2)
    )
    if not is_part:
        return False
    return is_notice or ((is_linked or is_button) and (has_words or is_symbol)) or (has_words and block.hidden != "")


def _share(page: Page, row: int, other: int) -> bool:
    """Return whether two blocks are parts of one heading: one element contains both, or they have it in common."""
    one, two = page.blocks[row].element, page.blocks[other].element
    return two in page.ancestors(one)[:4] or one in page.ancestors(two)[:4] or page.elements[one].parent == page.elements[two].parent


def _overlaps(block: Block, kind: InlineKind) -> Callable[[int, int], bool]:
    """Return a test of whether a range of the block's text overlaps a mark of this kind, in logarithmic time."""
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted((mark.start, mark.end) for mark in block.inlines if mark.kind == kind):
        if ends and start <= ends[-1]:
            ends[-1] = max(end, ends[-1])
        else:
            starts.append(start)
            ends.append(end)

    def overlaps(start: int, end: int) -> bool:
        place = bisect_left(starts, end)
        return place > 0 and ends[place - 1] > start

    return overlaps


# Cutting.


def _cut(block: Block, ranges: Iterable[Range]) -> Block:
    """Return the block without ranges of its text; of the white space around each, one is kept."""
    gone = sorted({place for start, end in _widened(block.text, ranges) for place in range(start, end)})
    text, inlines = without_characters(block, gone)
    linked = {place for mark in inlines if mark.kind == "link" for place in range(mark.start, mark.end)}
    return msgspec.structs.replace(block, text=text, inlines=inlines, link_chars=len(linked))


def _widened(text: str, ranges: Iterable[Range]) -> Iterator[Range]:
    """Yield the ranges, merged, each with the white space that its removal leaves over."""
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and not text[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    for start, end in merged:
        before, after = start, end
        while before and text[before - 1].isspace():
            before -= 1
        while after < len(text) and text[after].isspace():
            after += 1
        if before == 0:
            yield 0, after
        elif after == len(text):
            yield before, after
        else:
            yield start, (after if start > before else end)
