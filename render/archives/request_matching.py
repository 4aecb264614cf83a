"""Matches a browser's request to an entry of an archive: the exact URL, else the URL as browsers rewrite it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Generic, TypeVar

import ada_url

_STAMP = re.compile(r"(?<=[?&])[^=&?]+=(?:\d{10}|\d{13}|0\.\d{8,})(?:&|$)")
"""A parameter that is a time in seconds or milliseconds, or a random fraction: what scripts add so that no cache answers (jQuery's `_`)."""

T = TypeVar("T")


def request_key(url: str) -> str:
    """Return the URL as a browser requests it: the WHATWG's serialisation, without the fragment; empty for other addresses."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return ""
    if parsed.protocol not in ("http:", "https:"):
        return ""
    parsed.hash = ""
    return str(parsed.href).removesuffix("#")


class Matches(Generic[T]):
    """Entries by URL. Of several for one URL the one with the best status stays, and of those the first, which the page had."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[int, T]] = {}
        self._stampless: dict[str, T] | None = None

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, url: str, status: int, entry: T) -> str:
        """Take an entry in, unless a better one is there; return the URL's key, empty if it is no web address."""
        key = request_key(url)
        if key and (key not in self._entries or _rank(status) < self._entries[key][0]):
            self._entries[key] = (_rank(status), entry)
            self._stampless = None
        return key

    def drop(self, url: str) -> None:
        """Take an entry out."""
        self._entries.pop(request_key(url), None)

    def find(self, url: str) -> T | None:
        """Return the entry for a URL: exactly it, else with the other of http and https, else but for a cache-buster in the query.

        Browsers turn http into https by themselves (HSTS, `upgrade-insecure-requests`, images on https pages), and archives are
        replayed without the headers that once made them do so. Query parameters are in no other way made light of: `?id=1` is not `?id=2`.
        """
        key = request_key(url)
        for candidate in (key, _other_scheme(key)):
            if candidate in self._entries:
                return self._entries[candidate][1]
        if "?" not in key:
            return None
        if self._stampless is None:
            self._stampless = dict(self._without_stamps())
        return self._stampless.get(_without_stamp(key))

    def _without_stamps(self) -> Iterator[tuple[str, T]]:
        for key, (_, entry) in reversed(self._entries.items()):  # the first of them stays
            if "?" in key:
                yield _without_stamp(key), entry


def _rank(status: int) -> int:
    """Return 0 for a success, and more for a less useful answer."""
    return 0 if 200 <= status < 300 else 1 if 300 <= status < 400 else 2


def _other_scheme(key: str) -> str:
    return "http" + key[5:] if key.startswith("https:") else "https" + key[4:]


def _without_stamp(key: str) -> str:
    """Return the key with neither scheme nor stamps."""
    return _STAMP.sub("", key.partition(":")[2]).rstrip("?&")
