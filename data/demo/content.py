"""The demo site's editions: their words and articles, read from the text files in `content/`.

An edition is one language. `content/<code>/site.toml` holds the surroundings of every article (names, labels, advertisements, legal
text); `content/<code>/articles.toml` holds the articles. A body is plain text, one block a paragraph, its kind marked by its first
characters:

    # headline             ! standfirst        ## subhead            > quotation, with a line `-- who said it`
    >> pull quote          - bulleted item     1. numbered item      | cell | cell   (the first row is the head)
    = formula              ``` code lines ```  [harbour.svg] caption

Inside a block, `**strong**`, `*emphasis*`, `` `code` `` and `[text](slug)`, a link to another article of the edition.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

EDITIONS = ("en", "zh", "bn", "ar", "hi")
"""English, Chinese, Bengali, Arabic and Hindi, in the order of the language switch."""

Kind = Literal["headline", "standfirst", "paragraph", "subhead", "quote", "pull", "bullets", "steps", "table", "formula", "code", "figure"]

_CONTENT = Path(__file__).parent / "content"
_MARKS: tuple[tuple[str, Kind], ...] = (
    ("## ", "subhead"),
    ("# ", "headline"),
    ("! ", "standfirst"),
    (">> ", "pull"),
    ("> ", "quote"),
    ("- ", "bullets"),
    ("1. ", "steps"),
    ("| ", "table"),
    ("= ", "formula"),
    ("```\n", "code"),
    ("[", "figure"),
)
_FIGURE = re.compile(r"\[(?P<image>[\w-]+\.(?:svg|png))\] (?P<caption>.+)")


class Block(NamedTuple):
    """One block of an article: its text, or its rows of text where the kind has several (items, cells, text and source)."""

    kind: Kind
    rows: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """The first text, which is the only one of most kinds."""
        return self.rows[0][0]


class Comment(NamedTuple):
    """A reader's comment."""

    name: str
    text: str


class Advertisement(NamedTuple):
    """An advertisement of several sentences."""

    title: str
    text: str
    button: str


@dataclass(frozen=True, slots=True)
class Article:
    """One article, with the texts of its own page alone."""

    path: str
    template: str
    section: str
    published: datetime
    author: str
    tags: tuple[str, ...]
    summary: str
    """Two or three sentences: the teaser on other pages, and the meta description where `head` names one."""
    head: frozenset[str]
    """Which metadata the page has: `description`, `slogan` (the site's own line as description), `og`, `jsonld`."""
    blocks: tuple[Block, ...]
    comments: tuple[Comment, ...]

    @property
    def headline(self) -> str:
        """The text of the h1."""
        return next(block.text for block in self.blocks if block.kind == "headline")

    @property
    def slug(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Edition:
    """One language of the site."""

    code: str
    language: str
    direction: str
    words: Mapping[str, str]
    """The labels of the page furniture, by name."""
    sections: Mapping[str, str]
    months: tuple[str, ...]
    ago: tuple[str, ...]
    advertisements: tuple[Advertisement, ...]
    articles: tuple[Article, ...]

    def date(self, moment: datetime) -> str:
        """Write a date in the edition's language and digits."""
        digits = str.maketrans("0123456789", self.words["digits"])
        day, year = (str(number).translate(digits) for number in (moment.day, moment.year))
        return self.words["date"].format(day=day, month=self.months[moment.month - 1], year=year)


def load_edition(code: str) -> Edition:
    """Read one edition from its two files; the newest article first."""
    folder = _CONTENT / code
    site = tomllib.loads((folder / "site.toml").read_text("utf-8"))
    written = tomllib.loads((folder / "articles.toml").read_text("utf-8"))["article"]
    articles = sorted((_article(code, entry) for entry in written), key=lambda article: article.published, reverse=True)
    return Edition(
        code=code,
        language=site["language"],
        direction=site["direction"],
        words=site["words"],
        sections=site["sections"],
        months=tuple(site["months"]),
        ago=tuple(site["ago"]),
        advertisements=tuple(Advertisement(**entry) for entry in site["advertisement"]),
        articles=tuple(articles),
    )


def parse_body(text: str) -> tuple[Block, ...]:
    """Split a body at its blank lines and read each block's kind from its mark."""
    return tuple(_block(chunk) for chunk in re.split(r"\n\s*\n", text.strip()))


def _article(code: str, entry: Mapping[str, Any]) -> Article:
    day = entry["date"].strftime("%Y/%m/%d")
    return Article(
        path=f"/{code}/{entry['section']}/{day}/{entry['slug']}",
        template=entry["template"],
        section=entry["section"],
        published=entry["date"],
        author=entry["author"],
        tags=tuple(entry["tags"]),
        summary=entry["summary"],
        head=frozenset(entry["head"]),
        blocks=parse_body(entry["body"]),
        comments=tuple(_comment(line) for line in entry["comments"].strip().splitlines() if line),
    )


def _comment(line: str) -> Comment:
    name, text = line.split(" | ", 1)
    return Comment(name, text)


def _block(chunk: str) -> Block:
    kind: Kind = next((kind for mark, kind in _MARKS if chunk.startswith(mark)), "paragraph")
    lines = chunk.splitlines()
    if kind == "table":
        return Block(kind, tuple(tuple(cell.strip() for cell in line.strip("| ").split("|")) for line in lines))
    if kind in ("bullets", "steps"):
        return Block(kind, tuple((line.partition(" ")[2],) for line in lines))
    if kind == "quote":
        return Block(kind, ((lines[0][2:], lines[1].removeprefix("-- ")),))
    if kind == "code":
        return Block(kind, (("\n".join(lines[1:-1]),),))
    if kind == "figure" and (figure := _FIGURE.fullmatch(chunk)):
        return Block(kind, ((figure["caption"], figure["image"]),))
    return Block(kind, ((chunk if kind == "paragraph" else chunk.partition(" ")[2],),))
