"""Other extractors, called as their users call them."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.extractors.child import resolve
from benchmarks.extractors.defuddle import Defuddle
from benchmarks.extractors.registry import PEERS, SITE_PEERS, TEXTS, TITLED, Extractor
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
    for extractor in (*PEERS, *TITLED, *SITE_PEERS, *TEXTS):
        module, _, name = extractor.target.partition(":")
        assert find_spec(module), extractor
        assert f"{name}" in Path(find_spec(module).origin).read_text(), extractor


@pytest.fixture
def node(tmp_path, monkeypatch):
    """Put a program in the place of Node.js, in the shell's words, and its packages beside it; return a Defuddle that runs it."""

    def node(words):
        for name in ("defuddle", "linkedom"):
            (tmp_path / "node_modules" / name).mkdir(parents=True)
        (tmp_path / "node_modules" / "defuddle" / "package.json").write_text('{"version": "1.2.3"}')
        (tmp_path / "node").write_text(f"#!/bin/sh\n{words}\n")
        (tmp_path / "node").chmod(0o755)
        monkeypatch.setenv("SIGHTREAD_NODE", str(tmp_path))
        monkeypatch.setattr("benchmarks.extractors.defuddle.shutil.which", lambda *_, **__: str(tmp_path / "node"))
        return Defuddle(titled=True)

    return node


ANSWER = r"""while read -r page; do echo '{"title": "The ferry", "html": "<p>It runs.</p><p>All night.</p>", "cpu": 0.5}'; done"""


def test_defuddle_gives_title_and_text_its_version_and_the_cpu_time_of_node(node):
    defuddle = node(ANSWER)
    assert defuddle("<p>x", "") == defuddle("<p>y", "") == "The ferry\nIt runs.\nAll night."
    assert (defuddle.version, defuddle.cpu_seconds) == ("1.2.3", 0.5)
    defuddle.close()


def test_a_page_on_which_defuddle_hangs_or_ends_costs_that_page_alone(node, tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.extractors.defuddle.DEADLINE", 0.2)
    defuddle = node("read -r page; exec sleep 1000")
    with pytest.raises(TimeoutError, match=r"no answer for 0\.2 s"):
        defuddle("<p>x", "")
    (tmp_path / "node").write_text("#!/bin/sh\nread -r page; exit 1\n")
    with pytest.raises(RuntimeError, match=r"Node\.js ended"):
        defuddle("<p>x", "")
    (tmp_path / "node").write_text(f"#!/bin/sh\n{ANSWER}\n")
    monkeypatch.setattr("benchmarks.extractors.defuddle.DEADLINE", 30)
    assert defuddle("<p>x", "").startswith("The ferry")
    defuddle.close()


def test_extractors_that_are_not_installed_are_left_out_with_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SIGHTREAD_NODE", str(tmp_path))
    lacking = [SITE_PEERS[-1], Extractor("none", "no_such_module:read")]
    assert installed(lacking, Path(sys.executable)) == []
    first, second = capsys.readouterr().err.splitlines()
    assert "left out: defuddle does not start" in first
    assert f"npm install --prefix {tmp_path} defuddle linkedom" in first
    assert "No module named 'no_such_module'" in second
