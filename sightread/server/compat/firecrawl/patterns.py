"""Path patterns of the Firecrawl API, which are regular expressions, as the crawler's patterns, in which `*` is any text.

Regular expressions of callers are not run, since a hostile one takes exponential time. Those that filter paths in practice have an
equivalent: literal text, `.*`, `.+`, classes with a quantifier, `|`, groups, `?`, and anchors. Others are refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from sightread.crawler.urls import LONGEST_PATTERN
from sightread.render.errors import Rejected, quoted

MOST_PATTERNS = 100
"""Patterns that one list may become, with all its alternatives."""
_SPECIAL = frozenset("\\.*+?()[]{}|^$")
_CLASSES = frozenset("dwsDWS")
ANY = "*"


def path_patterns(option: str, expressions: Iterable[str], *, full_url: bool = False) -> tuple[str, ...]:
    """Return the patterns that fit where one of the regular expressions is found in a path, or in a whole URL. Raises `Rejected`."""
    found: dict[str, None] = {}
    for expression in expressions:
        if len(expression) > LONGEST_PATTERN:
            raise Rejected(f"{option}: {quoted(expression[:100])}…: give {LONGEST_PATTERN} characters at most")
        try:
            found |= dict.fromkeys(_Translation(expression).patterns(full_url))
        except ValueError as error:
            remedy = "use literal text, .*, | and groups"
            raise Rejected(f"{option}: {quoted(expression, 200)} has no equivalent here: {error}: {remedy}") from error
        if len(found) > MOST_PATTERNS:
            raise Rejected(f"{option}: more than {MOST_PATTERNS} alternatives: give fewer")
    return tuple(found)


class _Translation:
    """Recursive descent over one regular expression; every part is a list of alternatives."""

    def __init__(self, expression: str) -> None:
        self._text = expression
        self._place = 0

    def patterns(self, full_url: bool) -> list[str]:
        patterns = []
        for alternative in self._alternatives(depth=0):
            is_start, is_end = alternative.startswith("^"), alternative.endswith("$")
            body = alternative.removeprefix("^").removesuffix("$")
            if "^" in body or "$" in body:
                raise ValueError("^ and $ can only be at its ends")
            if full_url:
                if is_start and not body.startswith(("http://", "https://", ANY)):
                    raise ValueError("an address begins with http:// or https://")
                start = "" if is_start or body.startswith(("http://", "https://")) else "*://*"
            else:
                start = "/" if is_start and not body.startswith(("/", ANY)) else "" if is_start else ANY
            pattern = f"{start}{body}{'' if is_end else ANY}"
            while ANY * 2 in pattern:
                pattern = pattern.replace(ANY * 2, ANY)
            patterns.append(pattern)
        return patterns

    def _alternatives(self, depth: int) -> list[str]:
        if depth > 10:
            raise ValueError("its groups are nested too deeply")
        found: list[str] = []
        branch = [""]
        while self._place < len(self._text):
            sign = self._text[self._place]
            if sign == ")" and depth:
                break
            if sign == "|":
                self._place += 1
                found, branch = found + branch, [""]
                continue
            part = self._quantified(self._part(depth))
            branch = ["".join(pair) for pair in product(branch, part)]
            if len(branch) + len(found) > MOST_PATTERNS:
                raise ValueError(f"it has more than {MOST_PATTERNS} alternatives")
        return list(dict.fromkeys(found + branch))

    def _part(self, depth: int) -> list[str]:
        sign = self._text[self._place]
        self._place += 1
        match sign:
            case "(":
                return self._group(depth)
            case "[":
                return self._class()
            case ".":
                return [ANY]
            case "\\":
                return [self._escape()]
            case "^" | "$":
                return [sign]
            case "*" | "+" | "?" | "{" | ")":
                raise ValueError(f"{sign} has nothing before it")
            case _:
                return [sign]

    def _group(self, depth: int) -> list[str]:
        if self._text.startswith("?:", self._place):
            self._place += 2
        elif self._text.startswith("?", self._place):
            raise ValueError("look-around and named groups")
        inside = self._alternatives(depth + 1)
        if not self._text.startswith(")", self._place):
            raise ValueError("a group is not closed")
        self._place += 1
        return inside

    def _class(self) -> list[str]:
        end = self._text.find("]", self._place + 1)
        if end < 0:
            raise ValueError("[ is not closed")
        self._place = end + 1
        return [ANY]

    def _escape(self) -> str:
        if self._place == len(self._text):
            raise ValueError("it ends in a backslash")
        sign = self._text[self._place]
        self._place += 1
        if sign in _CLASSES:
            return ANY
        if sign in _SPECIAL or not sign.isalnum():
            if sign == ANY:
                raise ValueError("a literal *")
            return sign
        raise ValueError(f"\\{sign}")

    def _quantified(self, part: list[str]) -> list[str]:
        if self._place == len(self._text) or self._text[self._place] not in "*+?{":
            return part
        sign = self._text[self._place]
        self._place += 1
        if sign == "{":
            end = self._text.find("}", self._place)
            if end < 0:
                raise ValueError("{ is not closed")
            self._place = end + 1
        if sign in "*+{" and self._text.startswith("?", self._place):
            self._place += 1  # lazy: the same texts
        if sign == "?":
            return ["", *part]
        return [ANY]
