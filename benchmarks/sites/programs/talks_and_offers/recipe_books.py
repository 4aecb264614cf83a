"""Recipes as tables of what is needed and what is done with it (Recipe Grid), in a book of recipes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_markdown, write_media

_PANTRY = (
    *("200 g flour", "3 carrots", "2 tbsp oil", "1 l stock", "150 g lentils", "4 eggs", "1 tsp salt", "500 ml milk", "2 onions"),
    *("80 g butter", "1 leek", "3 tsp honey", "250 g plums", "2 lemons", "400 g potatoes", "1 tbsp mustard", "60 g oats"),
)
_FIRST = ("knead", "chop", "simmer for an hour", "whisk")
_SECOND = ("melt", "grate", "soak overnight")
_LAST = ("bake for 40 minutes", "serve hot", "fry on both sides", "leave to cool", "pour into jars")
_COURSES = ("Soups", "Breads", "Salads", "Sweets")
_KINDS = ("heading", "paragraph", "bullets", "steps", "quote")
"""Parts that recipes have; the program reads code as a recipe, and knows no tables of Markdown."""


def _course(document: SourceDocument) -> str:
    return _COURSES[int(document.slug[-2:]) % 4]


def _grid(document: SourceDocument) -> tuple[list[str], list[str], tuple[str, str, str]]:
    """Return what is needed for the first step and for the second, and the steps, of which the last one joins the meanwhile."""
    number = int(document.slug[-2:])
    needs = [_PANTRY[(3 * number + 5 * place) % len(_PANTRY)] for place in range(4 + number % 4)]
    return needs[:-2], needs[-2:], (_FIRST[number % 4], _SECOND[number % 3], _LAST[number % 5])


def _body(document: SourceDocument) -> SourceDocument:
    return replace(document, parts=tuple(part for part in document.parts if part.kind in _KINDS))


def _source(document: SourceDocument, number: int, near: Sequence[SourceDocument]) -> str:
    """Return a recipe with a line about who wrote it, and other recipes below."""
    first, second, (before, meanwhile, after) = _grid(document)
    steps = [f"{name}({', '.join(need.split()[-1] for need in needs)})" for name, needs in ((before, first), (meanwhile, second))]
    lines = "\n".join(f"    {line}" for line in (*first, *second, f"{after}({', '.join(steps)})"))
    meanwhile = "\n".join(f"- [{one.title}](../{_course(one)}/{one.slug}.md), {one.published:%d %B}" for one in near)
    head = f"# {document.title}\n\n*{READERS[number % 8]} Quay, {document.published:%d %B %Y}. Filed under {', '.join(document.tags)}*"
    picture = f"![](../figure-{number % FIGURES}.png)"
    below = f"### More from this kitchen\n\n{meanwhile}\n\n[Print this page](../README.md) or [send it to a friend](../README.md)."
    return "\n\n".join((head, document.summary, picture, lines, to_markdown(_body(document)), "---", below))


def write_book(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a book of recipes in four chapters."""
    del theme
    write_text(project / "book/README.md", f"# {NAME}\n\nRecipes of those who live by the harbour.\n")
    write_media(project / "book")
    for number, document in enumerate(documents):
        near = [documents[(number + step) % len(documents)] for step in (3, 7, 10, 16)]
        write_text(project / f"book/{_course(document)}/{document.slug}.md", _source(document, number, near))


def build_book(project: Path) -> None:
    """Build the book; a figure is as wide as the column."""
    run_tool([str(project.parents[1].resolve() / "bin/recipe-grid-site"), "book", "html"], project)
    for path in project.glob("html/css/*.css"):
        write_text(path, path.read_text("utf-8") + "\nimg { max-width: 100% }\n")


def recipe_page(document: SourceDocument) -> str:
    """Return the path of a recipe."""
    return f"categories/{_course(document)}/{document.slug}.html"


def recipe_gold(document: SourceDocument) -> str:
    """Return the gold text of a recipe: its title, what it is, the table row by row, and how it is made."""
    first, second, (before, meanwhile, after) = _grid(document)
    rows = [f"{first[0]} {before} {after}", *first[1:], f"{second[0]} {meanwhile}", *second[1:]]
    title, *rest = gold_text(_body(document)).split("\n", 1)
    return "\n".join((title, document.summary, *rows, *rest))
