"""A small newspaper that changes its template: the same kind of articles, marked up and set in another way."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Literal

from tests.pages.websites import Answer

Template = Literal["old", "new"]
_OLD = """<style>body {{ margin: 0; font: 16px serif }} nav {{ font: 12px sans-serif; padding: 8px }}
.story {{ width: 640px; margin: 30px }}
h1 {{ font-size: 34px }} .story p {{ font-size: 18px; line-height: 28px }} .by, footer {{ color: #777; font-size: 12px }}</style>
<body><nav><a href="/">Home</a> <a href="/about">About</a></nav><div class="story"><h1>{title}</h1><p class="by">By our own reporter</p>
{paragraphs}</div><footer>All rights are reserved, and letters are welcome at the office on the quay.</footer></body>"""
_NEW = """<style>body {{ margin: 0; font: 15px sans-serif; background: #eee }}
.top {{ background: #123; color: #fff; padding: 20px }}
.grid {{ display: grid; grid-template-columns: 820px 240px; gap: 30px }} .card {{ background: #fff; padding: 26px }}
.name {{ font-size: 42px }}
.text {{ font: 20px/34px Georgia; color: #222; margin-bottom: 20px }} .meta {{ color: #a00; font-size: 11px }}</style>
<body><header class="top"><section>The Courier of all the towns</section></header><section class="grid"><article class="card">
<h2 class="name">{title}</h2><div class="meta">Our reporter</div>{paragraphs}</article>
<aside><div class="meta">Read what others read: the ferry, the market, and the mill by the weir.</div></aside></section>
<div class="top"><div>Printed on the quay since the year of the great flood, and read in every town.</div></div></body>"""
_TEMPLATES = {"old": (_OLD, "<p>{}</p>"), "new": (_NEW, '<div class="text">{}</div>')}


def article(number: int, template: Template) -> str:
    """Return the page of one article; its text depends on the number alone."""
    page, paragraph = _TEMPLATES[template]
    title, paragraphs = headline(number), sentences(number)
    head = f'<title>{title}</title><meta name="description" content="{paragraphs[0]}">'
    filled = page.format(title=title, paragraphs="".join(map(paragraph.format, paragraphs)))
    return f'<!doctype html><html lang="en"><head>{head}{filled}</html>'.replace("<body>", "</head><body>")


def headline(number: int) -> str:
    """Return the headline of an article."""
    return f"{_words(number)[0].title()} remembers {_words(number)[1]} and the {_words(number)[2]} of old"


def sentences(number: int) -> list[str]:
    """Return the paragraphs of an article, in words that no other has."""
    words, chance = _words(number), random.Random(number)
    return [
        f"The {words[row + 1]} of {words[0]} kept a ledger of {' and '.join(chance.sample(words, 9))}, which came to light in {words[row]}."
        for row in range(5)
    ]


def newspaper(numbers: Iterable[int], template: Template) -> dict[str, Answer]:
    """Return a site: a front page that links to the articles of these numbers, and the articles."""
    links = "".join(f'<p><a href="/story/{number:04}-looks-back">{headline(number)}</a></p>' for number in numbers)
    pages: dict[str, Answer] = {"/": f"<title>The Courier</title><nav><a href='/'>Home</a></nav>{links}"}
    return pages | {path(number): article(number, template) for number in numbers}


def path(number: int) -> str:
    """Return where an article lies."""
    return f"/story/{number:04}-looks-back"


def _words(number: int) -> list[str]:
    chance = random.Random(f"words of {number}")
    return ["".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(3)) for _ in range(14)]
