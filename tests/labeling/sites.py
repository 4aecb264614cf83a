"""Small rendered sites, built block by block: what a block says, and how it looks; and corpora of them."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import accumulate, pairwise, zip_longest
from pathlib import Path

import numpy as np

from sightread.crawler.corpus import Corpus
from sightread.labeling.clusterings import dbscan
from sightread.labeling.evidence import Evidence, gather, read_site, token_relevance
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import SiteLabels
from sightread.render.labels import CONTENT
from sightread.render.page import Block, Box, Element, Image, Inline, Page, Size


@dataclass(frozen=True, slots=True)
class Look:
    """Where in the page a block stands (steps below the body, with ids and classes), and how it is set."""

    path: str
    style: Mapping[str, str] = field(default_factory=dict)
    width: float = 700.0
    linked: bool = False

    def __call__(self, text: str) -> "Spot":
        return Spot(self, text)


@dataclass(frozen=True, slots=True)
class Spot:
    """One block of a page to be."""

    look: Look
    text: str
    picture: Size | None = None
    """Of the picture right above the block, in the same parent."""

    def under(self, width: float, height: float) -> "Spot":
        """Return the block with a picture above it, in CSS px."""
        return replace(self, picture=Size(width, height))


NAV = Look("header/ul/li", {"font-size": "13px"}, 120, linked=True)
HEADLINE = Look("main/article/h1", {"font-size": "40px"})
LEDE = Look("main/article/p.lede", {"font-size": "22px"})
BODY = Look("main/article/div/p")
SUBHEAD = Look("main/article/div/h2", {"font-size": "24px"})
ITEM = Look("main/article/div/ul/li", {"display": "list-item"}, 660)
QUOTE = Look("main/article/div/blockquote/p", {"font-style": "italic"}, 620)
CAPTION = Look("main/article/div/figure/figcaption", {"color": "gray"}, 400)
FORMULA = Look("main/article/div/div.formula", {"text-align": "center"})
AD = Look("main/article/div/div.ad", {"background-color": "yellow"}, 300)
TEASER = Look("main/article/div/div.more/p", {"font-size": "14px"}, 300)
RELATED = Look("main/article/div/aside/li", {"font-size": "14px"}, 300, linked=True)
SHARE = Look("main/article/div/span.share", {"color": "blue"}, 60)
CELL = Look("main/article/div/table/tr/td", {"display": "table-cell"}, 200)
COMMENT = Look("main/section/div/p", {"font-size": "15px"}, 690)
FOOTER = Look("footer/p", {"font-size": "11px"})
SLOGAN = "All the news of the valley, fresh every morning."
PAGES = 8
"""Pages of a site."""
LINE, GAP = 20, 10
"""CSS px: the height of every block, and what is between two of them."""


def make_page(url: str, spots: Sequence[Spot], titles: Sequence[str] = (), descriptions: Sequence[str] = ()) -> Page:
    """Return the page: blocks that follow one another share the ancestors whose steps agree; each block has an element of its own."""
    elements, leaves = _tree([spot.look.path for spot in spots])
    styles = list(dict.fromkeys(tuple(spot.look.style.items()) for spot in spots))
    tops = _tops(spots)
    blocks = tuple(
        Block(
            text=spot.text,
            element=leaf,
            style=styles.index(tuple(spot.look.style.items())),
            box=Box(0, tops[row], spot.look.width, LINE),
            inlines=(Inline(0, len(spot.text), "link", "https://x.test/"),) if spot.look.linked and spot.text else (),
            link_chars=len(spot.text) if spot.look.linked else 0,
            heading=int(tag[1]) if (tag := elements[leaf].tag)[0] == "h" and tag[1:].isdigit() else 0,
        )
        for row, (spot, leaf) in enumerate(zip(spots, leaves, strict=True))
    )
    return Page(
        url=url,
        final_url=url,
        source="browser",
        elements=tuple(elements),
        blocks=blocks,
        styles=tuple(dict(style) for style in styles),
        titles=tuple(titles),
        descriptions=tuple(descriptions),
        images=tuple(
            Image("https://x.test/i.jpg", "", elements[leaf].parent, row, Box(0, top - GAP - spot.picture.height, *spot.picture))
            for row, (spot, leaf, top) in enumerate(zip(spots, leaves, tops, strict=True))
            if spot.picture
        ),
    )


def _tops(spots: Sequence[Spot]) -> list[float]:
    """Return where each block begins: one line under the other, with room for the pictures."""
    heights = (spot.picture.height + GAP if spot.picture else 0.0 for spot in spots)
    return [height + row * (LINE + GAP) for row, height in enumerate(accumulate(heights))]


def _tree(paths: Sequence[str]) -> tuple[list[Element], list[int]]:
    elements, leaves, rows = [Element("body", -1)], [], {}
    for before, path in pairwise(["", *paths]):
        steps, held = path.split("/"), before.split("/")
        for depth in range(1, len(steps) + 1):
            own = depth == len(steps) or steps[:depth] != held[:depth] or depth == len(held)
            key = tuple(steps[:depth])
            if own:
                tag, *classes = steps[depth - 1].split(".")
                tag, _, identity = tag.partition("#")
                elements.append(Element(tag, rows[key[:-1]] if depth > 1 else 0, identity, tuple(classes)))
                rows[key] = len(elements) - 1
        leaves.append(len(elements) - 1)
    return elements, leaves


@dataclass(frozen=True, slots=True)
class Article:
    """What one article says: words that no other article has."""

    number: int
    title: str
    description: str
    paragraphs: tuple[str, ...]
    spare: tuple[str, ...]
    """Further sentences of the same words."""


def write_article(number: int, paragraphs: int = 4) -> Article:
    """Return the article of that number, always the same one."""
    chance = random.Random(number)
    own = ["".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(3)) for _ in range(30)]

    def sentence(length: int) -> str:
        return " ".join(chance.choice(own) if at % 3 else chance.choice(("the", "of", "and")) for at in range(1, length)).capitalize() + "."

    description = sentence(14)
    texts = [" ".join(sentence(12) for _ in range(4)) for _ in range(paragraphs)]
    texts[0] = f"{description} {texts[0]}"
    return Article(number, " ".join(own[:5]).title(), description, tuple(texts), tuple(sentence(11) for _ in range(12)))


def lines_of(article: Article, body: Look = BODY, headline: Look = HEADLINE) -> list[Spot]:
    """Return the blocks of a page with just the article and the furniture of its site."""
    return [
        NAV("Home"),
        NAV("Sports"),
        headline(article.title),
        *map(body, article.paragraphs),
        FOOTER("All rights reserved by the Valley News."),
    ]


def page_with(article: Article, spots: Sequence[Spot]) -> Page:
    """Return the page with the title and description of its article."""
    return make_page(
        f"https://x.test/{article.number}", spots, (article.title, f"{article.title} - Valley News"), (article.description, SLOGAN)
    )


def insert(spots: Sequence[Spot], after: str, *more: Spot) -> list[Spot]:
    """Return the blocks with others behind the one of that text."""
    at = [spot.text for spot in spots].index(after) + 1
    return [*spots[:at], *more, *spots[at:]]


def news_site(pages: int = PAGES) -> list[Page]:
    """Return a plain site of one template."""
    return [page_with(article, lines_of(article)) for article in articles(pages)]


def same_but_for_the_url(count: int) -> list[Page]:
    """Return that many pages with the same blocks."""
    urls = (f"https://x.test/{number}" for number in range(count))
    return [replace(news_site(1)[0], url=url, final_url=url) for url in urls]


def articles(count: int) -> list[Article]:
    """Return that many articles."""
    return [write_article(number) for number in range(count)]


def with_middle(middle: Callable[[Article], Iterable[Spot]], pages: int = PAGES) -> list[Page]:
    """Return a site whose articles hold blocks of their own behind the second paragraph."""
    return [page_with(article, insert(lines_of(article), article.paragraphs[1], *middle(article))) for article in articles(pages)]


def comments_of(article: Article, count: int, look: Look = COMMENT) -> list[Spot]:
    """Return comments as long as paragraphs, which speak of other things."""
    return [look(write_article(100 * (article.number + 1) + row).paragraphs[1]) for row in range(count)]


def discussed(article: Article, count: int, look: Look = COMMENT) -> Page:
    """Return the page of an article with comments behind it."""
    return page_with(article, insert(lines_of(article), article.paragraphs[-1], *comments_of(article, count, look)))


def whole(article: Article) -> list[str]:
    """Return the content of a page that holds the article and furniture: its headline and its paragraphs."""
    return [article.title, *article.paragraphs]


def texts(pages: Sequence[Page]) -> list[list[str]]:
    """Return the texts of each page that are labelled content."""
    return list(kept(label_site(pages), pages))


def middles(pages: Sequence[Page]) -> list[list[str]]:
    """Return what is content behind the second paragraph and ahead of the third, of each page of a site."""
    return [found[3 : found.index(article.paragraphs[2])] for article, found in zip(articles(len(pages)), texts(pages), strict=True)]


def evidence_of(pages: Sequence[Page]) -> Evidence:
    """Return the evidence of a site's pages, clustered by DBSCAN."""
    table = read_site(pages)
    return gather(table, dbscan(table.looks), token_relevance)


def untold(page: Page) -> Page:
    """Return the page without its titles and descriptions."""
    return replace(page, titles=(), descriptions=())


def kept(found: SiteLabels, pages: Sequence[Page]) -> Iterator[list[str]]:
    """Yield the texts of each page that are labelled content."""
    for page, labels in zip(pages, found.labels, strict=True):
        yield [page.blocks[row].text for row in np.flatnonzero(labels == CONTENT)]


def html_of(page: Page) -> str:
    """Return HTML that has the elements of a page and the text of its blocks."""
    inner = [""] * len(page.elements)
    for block in page.blocks:
        inner[block.element] += escape(block.text)
    for row, element in reversed(list(enumerate(page.elements))):
        whole = f'<{element.tag} class="{" ".join(element.classes)}">{inner[row]}</{element.tag}>'
        if row == 0:
            return f"<!doctype html><title>{escape(page.titles[0])}</title>{whole}"
        inner[element.parent] = whole + inner[element.parent]
    raise AssertionError("a page has a body")


def write_corpus(folder: Path, pages: Iterable[Page], start: str = "https://x.test/", sources: Iterable[str] = ()) -> Path:
    """Write pages of a site as a corpus, with the HTML of the first ones, and return its folder."""
    with Corpus.create(folder, start) as corpus:
        for page, html in zip_longest(pages, sources, fillvalue=""):
            corpus.append(page, html=html)
    return folder
