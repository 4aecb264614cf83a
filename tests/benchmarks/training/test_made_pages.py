"""Made pages: what is content of them, and whether their grammar is whole."""

import re
from html import unescape
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.training import made_pages
from benchmarks.training.made_pages import RULES, make_page

TEXTS = [
    "港の管理人が" * 20,
    *(f"Zq{row} rain fell on the quay of the old town while the ferry waited for its last guests." for row in range(9)),
]
PRICE = re.compile(r"</h1><\w+[^>]*>([€$£] ?\d+\.\d\d|\d+\.\d\d (?:€|USD|zł))<")


@given(st.integers(0, 100_000))
def test_the_gold_text_is_on_the_page_in_order_and_the_headline_is_its_first_line(seed: int) -> None:
    html, gold = make_page(TEXTS, seed)
    assert make_page(TEXTS, seed) == (html, gold)
    body, place = unescape(html.partition("<body>")[2]), 0
    for line in gold.splitlines():
        place = body.index(line, place) + len(line)
    assert re.search(f"<h1[^>]*>{re.escape(gold.splitlines()[0])}</h1>", body)
    assert not re.search(r"@\w|%\w+>|~\d|\"_", html)


def test_facts_and_titles_of_cards_are_content_and_bylines_comments_and_buttons_are_not() -> None:
    pages = [make_page(TEXTS, seed) for seed in range(300)]
    prices = [price for html, _ in pages for price in PRICE.findall(html)]
    golds = "\n".join(gold for _, gold in pages).splitlines()
    assert {*prices} <= {*golds}
    assert len(prices) > 20
    for phrase in ("Posted by", "Add to cart", "Leave a reply", "Opening hours", "You may also like"):
        assert any(phrase in html for html, _ in pages)
        assert not any(phrase in line for line in golds)


def test_every_rule_is_there_once_and_used() -> None:
    lines = Path(made_pages.__file__).with_suffix(".txt").read_text("utf-8").split("\n")
    assert len(RULES) == sum(map(bool, lines))
    rules = " ".join(RULES.values())
    used = {*re.findall(r"@[+-]?([\w-]+)", rules)} | {f"%{name}" for name in re.findall(r"%([\w-]+)", rules)}
    parts = {*re.findall(r"[\w-]:([\w-]+)", rules)}
    made = {name.replace("_", part) for name in used for part in parts if "_" in name}
    assert {name for name in used if "_" not in name} <= RULES.keys()
    assert RULES.keys() <= used | parts | made | {"page"} | {f"saying-label-{part}" for part in parts}
