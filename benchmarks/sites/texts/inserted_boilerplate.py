"""Boilerplate amid the text of built pages: advertisements, newsletter boxes, related links, share bars, authors, polls, teasers.

The gold text of a built site is all that its content container holds. On most pages of the web some of that is boilerplate. What is
inserted here between two paragraphs has the look of a box or of plain text, with names that declare what it is or do not; some paragraphs
of the text get a box of the same looks, so that a box alone is evidence for neither. The gold text stays the same.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.sites.build import BuiltPage, BuiltSite
from benchmarks.sites.texts.boilerplate_words import WORDS, BoilerplateWords
from sightread.render.page import Page

MARK = "inserted-boilerplate"
"""The id of all that is inserted; it is taken off before a model reads the page."""
NONE = 0.2
"""Share of the pages into which nothing is inserted."""
MOST = 4
"""Boxes per page, beside the one that follows the text."""
AFTER = 0.6
"""Share of the pages with a box after the last paragraph."""
BEFORE = 0.35
"""Share of the pages with a bar or box before the first paragraph."""
BOXED = 0.4
"""Share of the pages on which one to three paragraphs of the text get a box."""
PARAGRAPH = 40
"""Least characters of a paragraph beside which something is inserted."""
LARGEST = 1_500_000
"""Characters of a page that is altered."""
_NAMES = ("ada_q", "N. Ferryman", "Ines R.", "T. Lindqvist", "M. Okafor", "Old Buoy", "J. Tanaka")
_CLASSES = (
    ("ad", "ad-slot", "advert", "promo", "newsletter", "related", "share", "sponsored", "author-box", "teaser", "cta"),
    ("box", "module", "widget", "block", "inner", "item", "panel", "component", "wrapper", "unit", "card"),
)
_PARAGRAPH = re.compile(r"<p\b[^>]*>(?:(?!</?p\b|<div\b).)*</p>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_ENDS_INSIDE = re.compile(r"<(?:li|dd|dt|td|th|blockquote|figcaption|summary|label|a)\b[^>]*>\s*$", re.IGNORECASE)

Maker = Callable[["_Maker"], str]


def insert_boilerplate(source: str, page: BuiltPage, site: BuiltSite, draw: random.Random) -> str:
    """Return the HTML of the page with boilerplate between its paragraphs, before the first and after the last."""
    if len(source) > LARGEST or draw.random() < NONE:
        return source
    gold = _letters(page.gold)
    found = [each for each in _PARAGRAPH.finditer(source) if _belongs(source, each, gold)]
    if not found:
        return source
    maker = _Maker(site, page, draw)
    changes: list[tuple[int, int, str]] = []
    count = min(draw.randint(0, MOST), len(found) - 1)
    changes += [(each.end(), each.end(), maker.box(_AMID)) for each in draw.sample(found[:-1], count)]
    if draw.random() < AFTER:
        changes += [(found[-1].end(), found[-1].end(), maker.box(_LAST)) for _ in range(draw.randint(1, 2))]
    if draw.random() < BEFORE:
        changes.append((found[0].start(), found[0].start(), maker.box(_FIRST)))
    if draw.random() < BOXED:
        for each in draw.sample(found, min(len(found), draw.randint(1, 3))):
            changes += [(each.start(), each.start() + 1, f"{maker.opening()}<"), (each.end() - 1, each.end(), "></div>")]
    for start, end, text in sorted(changes, key=lambda change: change[:2], reverse=True):
        source = source[:start] + text + source[end:]
    return source


def take_marks_off(page: Page) -> tuple[Page, NDArray[np.bool_]]:
    """Return the page without the marks of what was inserted, and which blocks that is, shape (blocks,)."""
    is_inserted: list[bool] = []
    for element in page.elements:
        is_inserted.append(element.id == MARK or (element.parent >= 0 and is_inserted[element.parent]))
    elements = tuple(element._replace(id="") if element.id == MARK else element for element in page.elements)
    return replace(page, elements=elements), np.array([is_inserted[block.element] for block in page.blocks], np.bool_)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _belongs(source: str, paragraph: re.Match[str], gold: str) -> bool:
    """Return whether a paragraph is one of the gold text, and not in an item, a cell or a quotation."""
    text = _letters(html.unescape(_TAG.sub("", paragraph.group())))
    return len(text) >= PARAGRAPH and text in gold and not _ENDS_INSIDE.search(source[max(0, paragraph.start() - 300) : paragraph.start()])


class _Maker:
    """Draws boxes for one page; texts and titles of links are those of the site's other pages."""

    def __init__(self, site: BuiltSite, page: BuiltPage, draw: random.Random) -> None:
        self.draw = draw
        self.words: BoilerplateWords = WORDS.get(site.language, WORDS["en"])
        others = [each for each in site.pages if each.path != page.path]
        self._titles = [each.title for each in others]
        self._lines = [line for each in others for line in each.gold.split("\n")[1:] if PARAGRAPH < len(line) < 400]
        draw.random()  # as when the sites were first measured: later draws are the same

    def pick(self, phrases: Sequence[str]) -> str:
        return html.escape(self.draw.choice(phrases))

    def title(self) -> str:
        return html.escape(self.draw.choice(self._titles)) if self._titles else self.pick(self.words.slogan)

    def text(self) -> str:
        """Return the text of a box: a phrase of its kind, or lines of another page."""
        if not self._lines or self.draw.random() < 0.5:
            return self.pick(self.words.slogan)
        return html.escape(" ".join(self.draw.sample(self._lines, min(len(self._lines), self.draw.randint(1, 2)))))

    def link(self, text: str) -> str:
        return f'<a href="/{self.draw.randint(100, 99999)}/">{text}</a>'

    def name(self) -> str:
        """Return a class attribute: a name that declares what it is, one that does not, a random one, or none."""
        kind = self.draw.random()
        if kind < 0.25:
            return ""
        if kind < 0.5:
            return f' class="css-{self.draw.getrandbits(24):x}"'
        return f' class="{self.draw.choice(_CLASSES[kind < 0.75])}"'

    def look(self) -> str:
        """Return declarations: those of plain text for a third."""
        draw = self.draw
        if draw.random() < 0.33:
            return ""
        found = [f"margin:{draw.randint(8, 40)}px 0"]
        if draw.random() < 0.5:
            found.append(f"border{draw.choice(('', '-top', '-left', '-bottom'))}:{draw.randint(1, 5)}px solid {self._colour(0.5)}")
        if draw.random() < 0.5:
            dark = draw.random() < 0.3
            found.append(f"background:{self._colour(0.2 if dark else 0.92)};color:{'#eee' if dark else '#222'}")
        if draw.random() < 0.6:
            found.append(f"padding:{draw.randint(6, 28)}px")
        if draw.random() < 0.3:
            found.append(f"font-size:{draw.choice((75, 82, 88, 94, 110, 125))}%")
        if draw.random() < 0.2:
            found.append("text-align:center")
        if draw.random() < 0.15:
            found.append(f"float:{draw.choice(('left', 'right'))};width:{draw.randint(25, 45)}%;margin:0 16px")
        if draw.random() < 0.2:
            found.append(f"font-family:{draw.choice(('sans-serif', 'serif', 'monospace', 'system-ui'))}")
        if draw.random() < 0.15:
            found.append(f"max-width:{draw.randint(260, 640)}px;margin-left:auto;margin-right:auto")
        return ";".join(found)

    def _colour(self, light: float) -> str:
        return f"hsl({self.draw.randint(0, 359)} {self.draw.randint(0, 70)}% {round(100 * light)}%)"

    def opening(self) -> str:
        """Return the start tag of a box of the text itself."""
        return f'<div{self.name()} style="{self.look()}">'

    def heading(self, text: str) -> str:
        tag = self.draw.choice(("h2", "h3", "h4", "h5", "strong", "div", "p", "b"))
        return f"<{tag}>{text}</{tag}>"

    def button(self, text: str) -> str:
        kind = self.draw.random()
        if kind < 0.4:
            return self.link(text)
        if kind < 0.7:
            return f"<button>{text}</button>"
        return f'<p><a href="/go/" style="display:inline-block;padding:8px 14px;background:{self._colour(0.4)};color:#fff">{text}</a></p>'

    def box(self, kinds: Sequence[Maker]) -> str:
        """Return a box of one of the kinds."""
        tag = self.draw.choice(("div", "div", "div", "aside", "section", "figure"))
        return f'<{tag} id="{MARK}"{self.name()} style="{self.look()}">{self.draw.choice(kinds)(self)}</{tag}>'


def _advertisement(make: _Maker) -> str:
    words, draw = make.words, make.draw
    label = f"<small>{make.pick(words.advertisement)}</small>" if draw.random() < 0.4 else ""
    head = make.heading(make.pick(words.slogan) if draw.random() < 0.6 else make.title()) if draw.random() < 0.7 else ""
    text = f"<p>{make.text()}</p>" if draw.random() < 0.8 or not head else ""
    return label + head + text + (make.button(make.pick(words.button)) if draw.random() < 0.7 else "")


def _label_alone(make: _Maker) -> str:
    return f"<p>{make.pick(make.words.advertisement)}</p>"


def _newsletter(make: _Maker) -> str:
    words = make.words
    field = '<input type="email" placeholder="name@example.com">' if make.draw.random() < 0.6 else ""
    text = f"<p>{make.pick(words.newsletter_text)}</p>" if make.draw.random() < 0.8 else ""
    return make.heading(make.pick(words.newsletter)) + text + field + f"<button>{make.pick(words.subscribe)}</button>"


def _also(make: _Maker) -> str:
    """Return a line with a link to another page, or only the link."""
    prefix = f"{make.pick(make.words.also)} " if make.draw.random() < 0.75 else ""
    inner = prefix + make.link(make.title())
    return f"<p>{f'<strong>{inner}</strong>' if make.draw.random() < 0.4 else inner}</p>"


def _related(make: _Maker) -> str:
    links = [make.link(make.title()) for _ in range(make.draw.randint(2, 5))]
    rows = _list(links) if make.draw.random() < 0.6 else "".join(f"<p>{link}</p>" for link in links)
    return (make.heading(make.pick(make.words.related)) if make.draw.random() < 0.8 else "") + rows


def _share(make: _Maker) -> str:
    names = make.draw.sample(make.words.share, min(len(make.words.share), make.draw.randint(2, 5)))
    tag = make.draw.choice(("a", "button", "span"))
    links = [make.link(html.escape(name)) if tag == "a" else f"<{tag}>{html.escape(name)}</{tag}>" for name in names]
    return _list(links) if make.draw.random() < 0.4 else " ".join(links)


def _list(rows: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul>"


def _author(make: _Maker) -> str:
    name = make.draw.choice(_NAMES)
    return make.heading(html.escape(name)) + f"<p>{make.pick(make.words.author).format(name=html.escape(name))}</p>"


def _support(make: _Maker) -> str:
    head = make.heading(make.pick(make.words.newsletter)) if make.draw.random() < 0.4 else ""
    return f"{head}<p>{make.pick(make.words.support)}</p>{make.button(make.pick(make.words.subscribe))}"


def _poll(make: _Maker) -> str:
    answers = "".join(f"<label><input type=radio name=poll> {html.escape(each)}</label> " for each in make.words.answers)
    return f"{make.heading(make.pick(make.words.poll))}<form>{answers}</form>"


def _teasers(make: _Maker, text: bool = True) -> str:
    """Return a heading and cards side by side or below each other: a picture, a linked title, a line or two."""
    draw = make.draw
    picture = f'<div style="height:{draw.randint(60, 140)}px;background:{make._colour(0.6)}"></div>' if draw.random() < 0.5 else ""
    tag, lines = draw.choice(("article", "div", "li")), draw.random() < 0.6
    cards = "".join(
        f"<{tag}>{picture}{make.heading(make.link(make.title()))}{f'<p>{make.text()}</p>' if text and lines else ''}</{tag}>"
        for _ in range(draw.randint(2, 5))
    )
    style = f"display:grid;gap:16px;grid-template-columns:repeat({draw.randint(2, 4)},1fr)" if draw.random() < 0.6 else ""
    head = make.heading(make.pick(make.words.related)) if draw.random() < 0.85 else ""
    return f'{head}<div style="{style}">{cards}</div>'


_AMID: tuple[Maker, ...] = (
    *(3 * (_advertisement,)),
    *(2 * (_also,)),
    _label_alone,
    _newsletter,
    _related,
    _support,
    _teasers,
    _poll,
)
_LAST: tuple[Maker, ...] = (
    *(2 * (_related,)),
    *(2 * (_teasers,)),
    partial(_teasers, text=False),
    _newsletter,
    _share,
    _author,
    _advertisement,
    _support,
    _poll,
)
_FIRST: tuple[Maker, ...] = (_share, _share, _advertisement, _support, _label_alone)
