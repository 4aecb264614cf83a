"""Authors in visible bylines, for pages that declare none: in a block near the headline, or in an element that is named after an author.

A wrong author is worse than none: a text is a name only if it looks like one (see `is_name`), and elements named after authors that hold
different names, such as those of a list of articles, count near the headline alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sightread.render.labels import PART_KINDS
from sightread.render.page import Block, Page
from sightread.render.page.parts import LONGEST_BYLINE, LONGEST_NAME, authors_of_blocks, find_parts, find_time
from sightread.render.page.view import whole_headline
from sightread.render.text.words import letters


@dataclass(frozen=True, slots=True)
class AuthorLimits:
    """Criteria of a byline and of the names in it."""

    most_blocks_before: int = 2
    """Blocks before the headline."""
    most_blocks_after: int = 14
    most_prose_characters: int = 500
    """Characters of text between the headline and the byline: a standfirst."""
    prose_characters: int = 80
    """Characters of a block from which on it is text, and no label, date or caption."""
    most_words: int = 5
    most_ancestors: int = 3
    """Elements from the block's own up whose names are searched for an author."""
    most_linked_share: float = 0.8
    """Share of a heading's text in links from which on it is the heading of another article."""
    sentence_characters: int = 60
    """Characters from which on a block that ends in a full stop is a sentence."""


LIMITS = AuthorLimits()

_BY = re.compile(
    r"""(?:
    (?:(?:(?:article|story|text|words|post|report|interview|written|posted|published|reported|authored|submitted)\s+)?by
    |(?:(?:geschrieben|verfasst|ein\s(?:beitrag|gastbeitrag|artikel|bericht|kommentar))\s+)?von
    |(?:(?:écrit|publié|rédigé|posté)\s+)?par
    |(?:(?:escrito|publicado|redactado|postado|texto)\s+)?por
    |(?:(?:scritto|pubblicato|a\scura)\s+)?d[ia]
    |(?:(?:geschreven|geplaatst|gepubliceerd|tekst)\s+)?door
    |(?:(?:skrevet|publiceret|tekst)\s+)?af
    |(?:(?:skriven|skrevet|publicerad|publisert|tekst)\s+)?av
    |מאת|بقلم)(?:\s*:\s*|\s+|$)
    |(?:authors?|autor(?:in|a|es)?|auteurs?|autore|autrice|verfasser(?:in)?|forfatter|författare|skribent|kirjoittaja|szerző|yazar|автор|текст
    |συντάκτης|text|texto|testo|tekst|words)\s*[:：]\s*
    |(?:作者|文|撰文|著者|執筆者?|筆者|記者|记者|取材・文|글쓴이|작성자|글)\s*[:：／/=]\s*|作者\s+|автор\s+
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""The words before a name: "By", "Written by", "Author:", in the languages of bylines."""
_END = re.compile(
    r"""\s*(?:[·•|–—;(<\[/／:\n]|\s-|\s(?:on|in|at|for|from|with|via|für|pour|para|per|voor|til|för|till|last|this)\s
    |\s[^\W\d_]+\s?[:：]|\d
    |\s(?:published|posted|updated|modified|edited|reviewed|photos?|photographs?|illustrations?|images?|read|leave
    |discuss|add|comments?|topics?|veröffentlicht|aktualisiert|stand|publié|mis|publicado|actualizado|atualizado|em|pubblicato|aggiornato|gepubliceerd|geplaatst|bijgewerkt|publiceret|opdateret|publisert
    |oppdatert|publicerad|uppdaterad|fotos?|bilder?)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_DAY = re.compile(
    r"""\s+(?:am|vom|le|el|il|op|den|jan(?:uary|uar|vier|uari)?|feb(?:ruary|ruar|braio|rero|ruari)?
    |f[ée]vr(?:ier)?|mar(?:ch|s|zo|ço|et|t|ts)?|märz|apr(?:il|ile)?|avril|abril
    |ma[iyj]|maggio|mayo|maio|jun[ie]?|juin|junio|junho|giugno|jul[iy]?|juillet|julio|julho|luglio|aug(?:ust|usti|ustus)?|août|agosto
    |sept?(?:ember|embre|iembre|tembre)?|settembre|setembro|o[ck]t(?:ober|obre|ubre)?|ottobre|outubro|nov(?:ember|embre|iembre|embro)?
    |de[cz](?:ember|embro)?|déc(?:embre)?|dic(?:embre|iembre)?
    |(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)[.,]?$""",
    re.IGNORECASE | re.VERBOSE,
)
"""The words between a name and a number: an article, a month or a day of the week."""
_AND = re.compile(r"\s+(?:and|und|et|y|e|en|og|och|и|&)\s+|\s*&\s*", re.IGNORECASE)
_CONJUNCTION = re.compile(r"\s(?:and|und|et|og|och|&)\s", re.IGNORECASE)
"""No part of a name, unlike the Spanish "y"."""
_LEADING_AND = re.compile(r"\A(?:and|und|et|y|og|och|&)\s+", re.IGNORECASE)
_COMMA = re.compile(r"\s*[,、，]\s*")
_CONTINUATION = re.compile(r"\s*(?:[,、，&]|(?:and|und|et|y|e|en|og|och|и)\s|$)", re.IGNORECASE)
_EDGES = " ,.|·-"

_LOWER_CASE = (
    "de da do dos das du des del della dello di la le el al van von der den dem ter ten te vom zu zur zum af av bin ibn ben bint y e i o"
)
_OTHER_WORDS = """
a an the our your my their his her its us we you this that these those all more some any no not is are was be and or of to with staff
team editor editors editorial desk correspondent correspondents reporter reporters writer writers contributor contributors columnist
admin administrator webmaster guest author authors agency agencies press associated reuters magazine journal times post daily weekly
media group inc ltd llc gmbh ag university institute department office company corporation society association foundation council
committee ministry government wire bureau service services online radio tv today news newsroom blog website com org net redaktion
rédaction redacción redação redazione redactie redaktionen senior junior chief managing deputy assistant associate director producer
photographer founder president professor manager analyst science sports business politics technology health editor-in-chief sponsored
advertisement click here read view see follow share subscribe email contact about home login comments comment category posted published
updated default super user users anonymous unknown various expert experts engineer specialist consultant developer designer strategist
coach attorney lawyer nurse chef host full bio profile privacy policy terms cookie reviewed fact-checked tested verified sources source
ads by written top stories popular latest recent related featured member members mw автор текст
"""
_PARTICLES = frozenset(_LOWER_CASE.split())
"""Lower-case words of names."""
_NO_NAMES = frozenset(_OTHER_WORDS.split())
"""Words that are in no name of a person."""
_WORD = re.compile(r"(?!\w+(?:['’]s|s['’])$)[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0dff'’.‘-])*")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DENSE_NAME = re.compile(
    "[\u3400-\u9fff]{2,4}|[\u3040-\u30ff\u3400-\u9fff々]{2,6}(?:[ \u3000][\u3040-\u30ff\u3400-\u9fff々]{1,6})?|[\uac00-\ud7af]{2,4}"
)
_NO_DENSE_NAME = re.compile("[社部网網報报局台記记編编団团]|편집|기자|뉴스")

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAMED = re.compile(
    r"(?:^|[-_])(?:by-?line|authors?|autore?s?|auteurs?|verfasser|forfatter|writers?|reporters?)(?:[-_]+(?:box|bio|card|info))?"
    r"(?:[-_]+(?:names?|links?|fn|url|text|list|item|wrapper|by|fullname|display[-_]name))*$|^by$"
)
"""Names of elements that hold the names of authors."""
_BOX = re.compile(
    r"(?:^|[-_])(?:authors?|autore?s?|auteurs?|verfasser|bio)(?:[-_]+(?:box|bio|card|info|about|profile|details?|section|block))+$|^about[-_]author"
)
"""Names of elements about an author, below the text."""
_ABOUT = re.compile(r"\Aabout\s+(?:the\s+author\W*)?", re.IGNORECASE)
_POSTED = re.compile(
    r"(?:written|posted|published|geschrieben|écrit|publié|escrito|publicado|scritto|geschreven|skrevet|skriven)\s", re.IGNORECASE
)
"""The beginning of a byline below the text."""
_SEPARATOR = re.compile(r"[·|•\n]\s*")
"""The signs before the word "By" within a block."""
_OUTSIDE = [PART_KINDS.index(kind) for kind in ("comments", "related")]


def search_authors(page: Page, sites: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the authors that the page shows; none in doubt. `sites` are names of its site, which is no author."""
    search = _Search(page, sites)
    return search.near_headline() or search.in_named_elements()


def names_in(byline: str) -> tuple[str, ...]:
    """Return the names in a byline, after "By" or at its beginning; none if the text there may be no name."""
    text = byline.strip()[:LONGEST_BYLINE]
    if len(text) >= LIMITS.sentence_characters and text.endswith((".", "!", "?", ":")):
        return ()
    text = text[max(_after_by(text), 0) :].lstrip()
    time = find_time(text)
    text = text[: time.start()] if time else text
    end = _END.search(text)
    is_dated = bool(time)
    if end:
        text, is_dated = text[: end.start()], end[0][-1:].isdigit()
    text = text.strip(_EDGES)
    return tuple(dict.fromkeys(_split(_DAY.sub("", text) if is_dated else text)))


def _after_by(text: str) -> int:
    """Return where the names begin after "By", at the beginning of the text or after a separator or a time; -1 if there is no such word."""
    time = find_time(text)
    begins = [0, *([time.end()] if time else []), *(found.end() for found in _SEPARATOR.finditer(text))]
    return next((found.end() for begin in begins if (found := _BY.match(text, begin + (text[begin : begin + 1] == " ")))), -1)


def _split(text: str) -> list[str]:
    """Return the names of a list, up to the first part that is none; a part that only begins with a name leaves nothing."""
    names: list[str] = []
    for part in _COMMA.split(text):
        one = _LEADING_AND.sub("", part)
        found = _AND.split(one)
        if not all(map(is_name, found)):
            found = [one]
        if not all(map(is_name, found)) or _CONJUNCTION.search(found[0]):
            break
        names += found
    return names


def is_name(text: str) -> bool:
    """Return whether a text looks like the name of a person: two to five words that begin with capitals, or a few Chinese, Japanese or
    Korean characters.
    """
    if len(text) > LONGEST_NAME:
        return False
    if _DENSE.search(text):
        return bool(_DENSE_NAME.fullmatch(text)) and not _NO_DENSE_NAME.search(text)
    words = text.split()
    if not all(map(_WORD.fullmatch, words)) or not _NO_NAMES.isdisjoint(word.casefold().strip(".") for word in words):
        return False
    proper = [word for word in words if word not in _PARTICLES]
    is_lower = any(word[0].islower() and not any(sign.isupper() for sign in word[1:4]) for word in proper)
    return 2 <= len(words) <= LIMITS.most_words and len(proper) >= 2 and not is_lower and words[-1] in proper


class _Search:
    """Bylines of one page."""

    def __init__(self, page: Page, sites: Iterable[str]) -> None:
        self.page = page
        self.sites = frozenset(map(letters, sites))

    @cached_property
    def outside(self) -> NDArray[np.bool_]:
        """Whether each block is in comments or related links, shape (blocks,)."""
        return np.isin(find_parts(self.page), _OUTSIDE)

    def near_headline(self) -> tuple[str, ...]:
        """Return the names of the first byline around the headline; below it first."""
        headline = whole_headline(self.page)
        if headline < 0:
            return ()
        below = list(self._below(headline))
        above = range(max(headline - LIMITS.most_blocks_before, 0), headline)
        for row in (*below, *reversed(above)):
            names = self._names(row)
            if names:
                return names + tuple(name for name in self._continued(row) if name not in names)
        return ()

    def _below(self, headline: int) -> Iterator[int]:
        prose = 0
        for row in range(headline + 1, min(headline + 1 + LIMITS.most_blocks_after, len(self.page.blocks))):
            block = self.page.blocks[row]
            if block.heading and block.link_chars >= LIMITS.most_linked_share * len(block.text):
                return
            yield row
            prose += len(block.text) - block.link_chars if len(block.text) >= LIMITS.prose_characters else 0
            if prose > LIMITS.most_prose_characters:
                return

    def _continued(self, row: int) -> Iterator[str]:
        """Yield the names in the elements right after a byline that are named as its own is."""
        blocks, elements = self.page.blocks, self.page.elements
        own = elements[blocks[row].element]
        for place in range(row + 1, len(blocks)):
            element = elements[blocks[place].element]
            if not own.classes or (element.tag, element.classes) != (own.tag, own.classes):
                return
            names = self._names(place)
            if not names:
                return
            yield from names

    def in_named_elements(self) -> tuple[str, ...]:
        """Return the names of all bylines and elements named after authors, if they hold the same."""
        rows = (
            row
            for row, block in enumerate(self.page.blocks)
            if len(block.text) <= LONGEST_BYLINE
            and ((_POSTED.match(block.text) and _BY.match(block.text)) or self._is_named(row, _NAMED, _BOX))
        )
        found = {names for row in rows if not self.outside[row] and (names := self._clean(_ABOUT.sub("", self._text(row), count=1)))}
        return found.pop() if len(found) == 1 else ()

    def _names(self, row: int) -> tuple[str, ...]:
        block = self.page.blocks[row]
        if len(block.text) > LONGEST_BYLINE or block.hidden:
            return ()
        if _after_by(block.text) >= 0 or self._is_named(row, _NAMED):
            names = self._clean(self._text(row))
        else:
            names = self._clean(authors_of_blocks(self.page)[row]) if not block.heading else ()
        return names if names and not self.outside[row] else ()

    def _clean(self, text: str) -> tuple[str, ...]:
        names = names_in(text)
        return tuple(name for name in names if letters(name) not in self.sites) or names  # a site may be named after its author

    def _text(self, row: int) -> str:
        """Return a block's text with a bar where a link ends; if it is "By" alone, the next block's."""
        blocks = self.page.blocks
        is_label = _BY.fullmatch(blocks[row].text.strip()) is not None
        block = blocks[row + 1] if is_label and row + 1 < len(blocks) else blocks[row]
        return _with_bars(block) if len(block.text) <= LONGEST_BYLINE else ""

    def _is_named(self, row: int, *patterns: re.Pattern[str]) -> bool:
        at = self.page.blocks[row].element
        for _ in range(LIMITS.most_ancestors):
            element = self.page.elements[at]
            if element.attributes.get("itemprop") in ("author", "creator"):
                return True
            names = [_HUMP.sub("-", name).lower() for name in (*element.classes, element.id) if name]
            if any(pattern.search(name) for name in names for pattern in patterns) or {"fn", "vcard"} <= set(names):
                return True
            at = element.parent
            if at <= 0:
                break
        return False


def _with_bars(block: Block) -> str:
    """Return a block's text with a bar where a link ends, unless a list of names continues there."""
    text = block.text
    for end in sorted((mark.end for mark in block.inlines if mark.kind == "link"), reverse=True):
        if not _CONTINUATION.match(text, end):
            text = f"{text[:end]}|{text[end:]}"
    return text
