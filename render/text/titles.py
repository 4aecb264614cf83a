"""Page titles: whether a text repeats one, and which part of a title is the site's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sightread.render.text.words import letters

_JOINT = re.compile(r"[|\-–—·•»_:]+\s*")
LONGEST_TITLE = 500
"""Characters; a longer title is a text, in which no site's name is looked for: that takes time with the square of its signs."""
MAX_SITE_NAME = 40
"""Characters; a longer part of a title is no site's name."""


def is_title(text: str, titles: Iterable[str]) -> bool:
    """Return whether the text equals one of the titles, or the longest part of one, ignoring case and punctuation."""
    requested = letters(text)
    return bool(requested) and any(requested == letters(part) for title in titles for part in title_parts(title))


def title_parts(title: str) -> Iterator[str]:
    """Yield the title, and the longer part of it at each sign that may part it from the name of its site."""
    yield title
    yield from (max(halves, key=len) for halves in _halves(title))


def both_parts(title: str) -> Iterator[str]:
    """Yield the title, and both parts of it at each sign that may part it from the name of its site.

    A headline of a few Chinese characters is shorter than most names of sites.
    """
    yield title
    for halves in _halves(title):
        yield from halves


def segments(title: str) -> list[str]:
    """Return what is between the signs that may part a title from the name of its site."""
    return _JOINT.split(title) if len(title) <= LONGEST_TITLE else [title]


def before_site(title: str) -> str:
    """Return the title up to the last sign that may part it from the name of its site."""
    return next((before for before, _ in reversed(list(_halves(title)))), title)


def split_title(title: str, sites: Iterable[str], headlines: Iterable[str]) -> tuple[str, str]:
    """Return the title without the site's name before or after it, and that name (empty if none was found).

    A part is the site's name if it equals one of `sites`, ignoring case and punctuation, or if it is short and the rest is a headline of
    the page.
    """
    known_sites, known_headlines = ({letters(text) for text in texts} - {""} for texts in (sites, headlines))
    for before, after in _halves(title):
        for rest, part in ((before, after), (after, before)):
            is_headline = letters(rest) in known_headlines and len(part) <= MAX_SITE_NAME
            if rest and (letters(part) in known_sites or is_headline):
                return rest, part
    return title, ""


def _halves(title: str) -> Iterator[tuple[str, str]]:
    """Yield what is before and after each sign that may part a title from the name of its site."""
    for joint in _JOINT.finditer(title, 1) if len(title) <= LONGEST_TITLE else ():
        if joint.end() < len(title):
            yield title[: joint.start()].rstrip(), title[joint.end() :]
