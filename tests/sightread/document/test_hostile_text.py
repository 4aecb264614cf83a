"""Text that is hostile to regular expressions, read without a browser: in time with its length, for there is no deadline here."""

import json
import subprocess
import sys
from collections.abc import Iterator
from select import select

import pytest

from tests.processes.terminal import ROOT

SIZE = 150_000
"""Characters; what takes time with the square of them takes minutes."""
PATIENCE = 60
"""Seconds; half a second was measured."""
BLANK, LINE = "\u00a0", " \n"
ARTICLE = "<p>" + "It has carried shift workers across the estuary for ninety years, and by now it runs half empty. " * 5 + "</p>"
READ = """
import json, sys
import sightread
for line in sys.stdin:
    document = sightread.extract(json.loads(line), "http://x.test/")
    print(json.dumps([document.markdown, document.text, document.html, document.to_json()]), flush=True)
"""


def repeated(text: str) -> str:
    return text * (SIZE // len(text))


HOSTILE = {
    "sets of sources": f"<img src='data:,' srcset='a{repeated(' ')}b'><img src='data:,' srcset='{repeated(',')}'>"
    f"<img src='data:,' data-srcset='{repeated('a')} b'><img src='data:,' data-srcset='a {repeated('9')}w'>",
    "addresses like a placeholder's": f"<img src='http://site.test/?{repeated('blank-')}'>",
    "styles of a list": f"<ul><li style='{repeated('list-style:')}'>a<li style='display{repeated(' ')}'>b</ul>",
    "titles": f"<title>{repeated('- ')}</title><h1>{repeated('2020-01-')}</h1>",
    "spaces within a title": f"<title>a{repeated(BLANK)}b</title>",
    "bylines": f"<meta name=author content='by a{repeated(' and')}'><a rel=author href=/>{repeated(' &')}</a>",
    "bylines that are shown": "<h1>Rain</h1>"
    + "".join(f"<p class=author>{text}" for text in (f"By{repeated(' A')}", "<a href=/u/a>By A</a>|" * 9000, f"By A B{repeated(', A B')}")),
    "a byline of JSON": f'<script type=application/ld+json>{{"@type": "Article", "author": "a b{repeated(" ")}c"}}</script>',
    "formulas": "".join(
        f"<math><annotation encoding='application/x-tex'>{text}</annotation></math><img class=mwe-math-fallback-image-inline alt='{text}'>"
        for text in (repeated("{\\displaystyle "), repeated("x%"), "{\\displaystyle " * 9000 + "x" + "}" * 9000)
    ),
    "dates": f"<meta property=article:published_time content='{repeated('2020-')}'><time datetime='{repeated('1')}'>then</time>",
    "spaces that are kept": f"<pre>x{repeated(' ')}y</pre><pre>x{repeated(BLANK)}y</pre><pre>x{repeated(LINE)}y</pre>",
    "marks of Markdown": "".join(f"<p>x{repeated(mark)}y</p>" for mark in ("*", "_", "`", "[", "](", "&amp;", "#", "<br>", "|")),
    "spans": f"<table><tr><td colspan=1e16 rowspan=1e16>x<td colspan={repeated('9')}>y</table>",
    "a style of many ancestors": f"<style>{'div ' * 300}{{font-size:0}}</style>{'<div>' * 400}x",
}


class Program:
    """A program that reads pages; another is started after one that ended or was ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def read(self, page: str) -> list[str]:
        """Return the formats of a page; raise TimeoutError if they take longer than PATIENCE."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", READ], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(f"{json.dumps(page)}\n")
            self._process.stdin.flush()
            if not select([self._process.stdout], [], [], PATIENCE)[0]:
                raise TimeoutError
            return json.loads(self._process.stdout.readline())
        except (TimeoutError, OSError, ValueError):  # it is too slow, or has ended
            self.end()
            raise

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    opened = Program()
    yield opened
    opened.end()


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_read_in_time_with_its_length(program, html):
    formats = program.read(f"<!doctype html>{html}{ARTICLE}")
    assert len(formats) == 4 and all(formats)
