"""Made pages, of kinds of which no data set has enough: events, products, grids of cards, articles around a table, short news.

A probabilistic grammar draws them (`made_pages.txt`): markup, names, order, and what is around the content; running text is that of other
pages. Facts of an event or a product are content, and so is a card with its title. Bylines, other offers, opening hours beside an event,
comments and other stories are not.

In a rule, bars divide alternatives. `@rule` or `@rule:part` (which is `_` there) is another rule, with `*2-5` two to five of it, with `?.3`
that chance of it; `@+rule` makes what is in it content, `@-rule` none. A rule with a capital is drawn once for the page, as is one of
`[a|b]`; one of `{a|b}` is drawn anew. What is quoted is text, `%name` a class, `~2-5` two to five words, `~prose` a paragraph, `#2-5` a
number.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from html import escape
from pathlib import Path
from random import Random

RULES = dict(line.split(": ", 1) for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines() if line)
LENGTHS = (90, 160, 300, 700)
"""Most characters of a paragraph."""
MOST_CHARACTERS = 20
"""A word, on the average: what has more is of a script without spaces, of which three characters are a word."""
STYLES = ("names", "names", "names", "hashes", "utilities", "none")
"""Kinds of class names: by meaning, by meaning with a hash, by look, or none."""
PREFIXES = ("", "", "c-", "x", "site-", "theme-")
UTILITIES = (
    *("flex", "grid", "p-4", "mt-2", "text-sm", "bold", "w-full", "gap-3", "rounded", "border"),
    *("col-6", "row", "mb-3", "hidden", "m-0", "fs-5"),
)

_TOKEN = re.compile(
    r"""@(?P<sign>[+-]?)(?P<rule>[\w-]+)(?::(?P<part>[\w-]+))?(?:\*(?P<least>\d+)-(?P<most>\d+|_)|\?(?P<share>\.\d+))?
    |%(?P<meaning>[\w-]+) | ~(?P<fewest>\d+)-(?P<largest>\d+) | (?P<prose>~prose) | \#(?P<low>\d+)-(?P<high>\d+) | (?P<opening>["\[{])""",
    re.VERBOSE,
)
_CLOSING = {"[": "]", "{": "}", '"': '"'}


def make_page(texts: Sequence[str], seed: int) -> tuple[str, str]:
    """Return the HTML and the gold text of a page that is drawn by the seed, with words of these texts."""
    maker = _Maker(texts, Random(seed))
    return maker.expand("@page"), "\n".join(maker.gold)


class _Maker:
    """Makes one page; `gold` is what of its text is content, in order."""

    def __init__(self, texts: Sequence[str], chance: Random) -> None:
        self.gold: list[str] = []
        self._texts, self._chance, self._salt = texts, chance, chance.randrange(1 << 32)
        self._style, self._prefix = chance.choice(STYLES), chance.choice(PREFIXES)
        self._of_page: dict[str, str] = {}
        self._is_content = False

    def expand(self, rule: str, part: str = "") -> str:
        """Return what a rule makes."""
        rule, made, place = self._chance.choice(_alternatives(rule)), [], 0
        while found := _TOKEN.search(rule, place):
            made.append(rule[place : found.start()].replace("_", part))
            place = found.end()
            if opening := found["opening"]:
                place = _end(rule, place, opening)
                made.append(self._enclosed(opening, rule[found.end() : place - 1], part))
            else:
                made.append(self._token({name: group.replace("_", part) for name, group in found.groupdict().items() if group}))
        return "".join((*made, rule[place:].replace("_", part)))

    def _enclosed(self, opening: str, inner: str, part: str) -> str:
        if opening == '"':
            text = self.expand(inner, part)
            self.gold += [text] * self._is_content
            return escape(text)
        return self.expand(self._once(inner) if opening == "[" else inner, part)

    def _token(self, token: dict[str, str]) -> str:
        if "rule" in token:
            return self._rule(token)
        if "meaning" in token:
            return self._class(token["meaning"])
        if "prose" in token:
            return self._chance.choice(self._texts)[: self._chance.choice(LENGTHS)]
        if "low" in token:
            return str(self._chance.randint(int(token["low"]), int(token["high"])))
        return self._words(self._chance.randint(int(token["fewest"]), int(token["largest"])))

    def _rule(self, token: dict[str, str]) -> str:
        name, sign = token["rule"], token.get("sign")
        if "share" in token and self._chance.random() >= float(token["share"]):
            return ""
        if name[0].isupper():
            if name not in self._of_page:
                self._of_page[name] = self.expand(RULES[name])
            return self._of_page[name]
        count = self._chance.randint(int(token.get("least", 1)), int(token.get("most", 1)))
        before, self._is_content = self._is_content, sign == "+" or (self._is_content and sign != "-")
        made = "".join(self.expand(RULES[name], token.get("part", "")) for _ in range(count))
        self._is_content = before
        return made

    def _words(self, count: int) -> str:
        text, gap = self._chance.choice(self._texts), " "
        words = text.split()
        if len(text) > MOST_CHARACTERS * len(words):
            words, gap = [text[start : start + 3] for start in range(0, len(text), 3)], ""
        first = self._chance.randrange(max(1, len(words) - count))
        found = gap.join(words[first : first + count]).strip(" .,;:。、")
        return found[:1].upper() + found[1:]

    def _once(self, inner: str) -> str:
        """Return the alternative that this page has."""
        if inner not in self._of_page:
            self._of_page[inner] = self._chance.choice(_alternatives(inner))
        return self._of_page[inner]

    def _class(self, meaning: str) -> str:
        """Return the class of all that means this on the page."""
        name = self._once(RULES[f"%{meaning}"])
        number = zlib.crc32(name.encode(), self._salt)
        names = {
            "names": f"{self._prefix}{name}",
            "hashes": f"css-{number:x}" if number % 3 else f"{name}-{number:x}",
            "utilities": " ".join(UTILITIES[number >> shift & 15] for shift in (0, 4, 8)),
        }
        return f" class='{names[self._style]}'" if self._style in names else ""


def _alternatives(rule: str) -> list[str]:
    """Return the parts that bars divide, outside brackets and quotes."""
    parts, place = [""], 0
    while place < len(rule):
        end = _end(rule, place + 1, rule[place]) if rule[place] in _CLOSING else place + 1
        if rule[place] == "|":
            parts.append("")
        else:
            parts[-1] += rule[place:end]
        place = end
    return parts


def _end(rule: str, place: int, opening: str) -> int:
    """Return the place behind what closes the bracket or quote that opens before `place`."""
    while rule[place] != _CLOSING[opening]:
        place = _end(rule, place + 1, rule[place]) if rule[place] in _CLOSING else place + 1
    return place + 1
