"""Resolves the relative references of one page to absolute URLs."""

from __future__ import annotations

import re
from collections.abc import Mapping

import ada_url

from sightread.render.network.address import join_url, percent_encode

LONGEST_REFERENCE = 2000
"""Characters; longer references are data or tracking, not addresses."""

_ADDRESS = re.compile(r"(https?|mailto|tel|ftp):", re.IGNORECASE)
_PLAIN_PATH = re.compile(r"https?://[^/?#]+/")
_NO_PATH = re.compile(r"(https?://[^/?#]+)(?=[?#]|$)")
_REMOVED = str.maketrans("", "", "\t\n\r")
_KEPT = "!#$%&'()*+,-./:;=?@[]_~|\\^`{}"


def reference(attributes: Mapping[str, str | None]) -> str:
    """Return where a link leads by its attributes: links of SVG and MathML may have `xlink:href` alone."""
    return attributes.get("href") or attributes.get("xlink:href") or ""


class Resolver:
    """Resolves references against one base, as a browser writes them; many times faster than a parser of URLs for the usual kinds."""

    __slots__ = ("_base", "_known", "_origin", "_page")

    def __init__(self, base: str) -> None:
        self._base = base
        self._known: dict[str, str] = {}
        self._origin = _origin(base)
        self._page = base.partition("#")[0]

    def absolute(self, reference: str) -> str:
        """Return the absolute URL; empty if there is none: no base, a script, a broken or over-long reference."""
        known = self._known.get(reference)
        if known is None:
            found = self._resolve((reference if reference.isprintable() else reference.translate(_REMOVED)).strip())
            known = self._known[reference] = found if found.isascii() and " " not in found else percent_encode(found, _KEPT)
        return known

    def target(self, reference: str) -> str:
        """Return where a link leads: its absolute URL; the fragment alone if the page has no address and the link stays in the page."""
        target = self.absolute(reference)
        if target or self._base:
            return target
        fragment = reference.translate(_REMOVED).strip()
        return percent_encode(fragment, _KEPT) if fragment.startswith("#") and len(fragment) <= LONGEST_REFERENCE else ""

    def _resolve(self, reference: str) -> str:
        if len(reference) > LONGEST_REFERENCE:
            return ""
        if reference.startswith("#") and self._origin:
            return self._page + reference
        if reference.startswith("/") and self._origin and reference[1:2] != "/" and "/." not in reference:
            return self._origin + reference
        if _PLAIN_PATH.match(reference) and reference.find("://", 8) < 0:
            return reference
        if not _ADDRESS.match(reference):
            reference = join_url(self._base, reference)
        scheme = _ADDRESS.match(reference)
        if not scheme:
            return ""
        return _NO_PATH.sub(r"\1/", scheme[0].lower() + reference[scheme.end() :], count=1)


def _origin(url: str) -> str:
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return ""
    return str(parsed.origin) if parsed.protocol in ("http:", "https:") else ""
