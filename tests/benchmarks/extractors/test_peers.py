"""Other extractors, called as their users call them."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.extractors.child import resolve
from benchmarks.extractors.registry import PEERS, SITE_PEERS, TITLED, Extractor
from benchmarks.extractors.workers import installed
from benchmarks.metrics.fragments import text_of

STORY = "".join(
    f"<p>In chapter {number} the old ferry crosses the wide river once more, and the whole town comes down to the water to watch it go.</p>"
    for number in range(1, 8)
)
COMMENTS = """<section id=comments><div class=comment><p>What a fine story, I went there with my mother every summer of my life!</p></div>
    <div class=comment><p>We never had a ferry in our town, and I miss it all the more for that.</p></div></section>"""
HTML = f"""<html><head><title>The last ferry</title></head><body>
    <div id=menu><a href="/">Home</a> <a href="/news">News</a></div>
    <div id=story><h1>The last ferry</h1>{STORY}</div>{COMMENTS}</body></html>"""


@pytest.mark.parametrize("extractor", TITLED, ids=lambda each: each.name)
def test_a_peer_gives_title_and_text_and_neither_navigation_nor_comments(extractor: Extractor):
    text = resolve(extractor.target)(HTML, "http://news.test/ferry")
    assert text
    assert text.startswith("The last ferry\n")
    assert "In chapter 7 the old ferry" in text
    assert "Home" not in text
    assert "What a fine story" not in text


def test_blocks_stand_on_lines_of_their_own_and_inline_text_stays_together():
    assert text_of("<div>One<p>two <b>bold</b>er</p>three<br>four<!-- no --> five<ul><li>six</ul></div>").split("\n") == [
        "One",
        "two bolder",
        "three",
        "four five",
        "six",
    ]


def test_every_extractor_of_the_list_names_a_module_of_ours():
    for extractor in (*PEERS, *TITLED, *SITE_PEERS):
        module, _, name = extractor.target.partition(":")
        assert find_spec(module), extractor
        assert f"{name}" in Path(find_spec(module).origin).read_text(), extractor


def test_extractors_that_are_not_installed_are_left_out_with_what_is_missing(capsys):
    assert installed([Extractor("none", "no_such_module:read")], Path(sys.executable)) == []
    assert "No module named 'no_such_module'" in capsys.readouterr().err
