"""Small pages of many hosts in three templates, with gold labels: what models that learn are tried on."""

import random

import numpy as np

from sightread.render.page import Page
from sightread.render.static.parse import read_html

WORD = ("harbour", "lantern", "ferry", "council", "orchard", "winter", "bridge", "market", "keeper", "signal", "tide", "valley")
TEMPLATES = (
    "<body><ul>{menu}</ul><div class=story><h1>{title}</h1>{story}</div><div><p>{foot}</p></div></body>",
    "<body><table><tr><td>{menu}</td><td><div><h2>{title}</h2><div>{story}</div></div></td></tr></table><footer>{foot}</footer></body>",
    "<body><header><nav><ul>{menu}</ul></nav></header><main><article><h1>{title}</h1>{story}</article></main><div>{foot}</div></body>",
)
SITES = 12


def sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORD, k=words)).capitalize() + "."


def write_page(number: int) -> Page:
    """A page of a host of its own: links, a headline, paragraphs, a line at the foot."""
    chance = random.Random(number)
    paragraphs = "".join(f"<p>{sentence(chance, chance.randint(20, 60))}</p>" for _ in range(chance.randint(3, 8)))
    menu = "".join(f"<li><a href='/{link}'>{chance.choice(WORD)}</a></li>" for link in range(chance.randint(4, 9)))
    html = TEMPLATES[number % 3].format(menu=menu, title=sentence(chance, 5), story=paragraphs, foot=sentence(chance, 4))
    return read_html(html, f"https://site{number}.example/page")


def gold(page: Page) -> np.ndarray:
    """Headline and paragraphs are content, the last block is not."""
    found = [page.elements[block.element].tag in ("h1", "h2", "p") for block in page.blocks[:-1]]
    return np.array([*found, False]).astype(np.int8)


PAGES = [write_page(number) for number in range(SITES)]
LABELS = [gold(page) for page in PAGES]
NEW = write_page(SITES + 1)
NEW_LABELS = gold(NEW)
