"""Text that is hostile to regular expressions, read without a browser: in time with its length, for there is no deadline here."""

import subprocess
import sys

import pytest

from tests.processes.terminal import ROOT

SIZE = 400_000
"""Characters; what took time with the square of them would take an hour."""
PATIENCE = 60
"""Seconds; half a second was measured."""
BLANK, LINE = "\u00a0", " \n"
ARTICLE = "<p>" + "It has carried shift workers across the estuary for ninety years, and by now it runs half empty. " * 5 + "</p>"
READ = "import sightread, sys; d = sightread.extract(sys.stdin.read(), 'http://x.test/'); print(d.markdown, d.text, d.html, d.to_json())"


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
    "dates": f"<meta property=article:published_time content='{repeated('2020-')}'><time datetime='{repeated('1')}'>then</time>",
    "spaces that are kept": f"<pre>x{repeated(' ')}y</pre><pre>x{repeated(BLANK)}y</pre><pre>x{repeated(LINE)}y</pre>",
    "marks of Markdown": "".join(f"<p>x{repeated(mark)}y</p>" for mark in ("*", "_", "`", "[", "](", "&amp;", "#", "<br>", "|")),
    "spans": f"<table><tr><td colspan=1e16 rowspan=1e16>x<td colspan={repeated('9')}>y</table>",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_read_in_time_with_its_length(html):
    page = f"<!doctype html>{html}{ARTICLE}"
    ran = subprocess.run([sys.executable, "-c", READ], input=page, capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT, check=True)
    assert ran.stdout.strip()
