"""Spans: their ranges give words back, their selectors name elements, and their URLs make Chromium scroll to what they name."""

import json
import re

import numpy as np
import pytest

import sightread
from sightread.document.document import build_document

STORY = "".join(f"<p>Ferry number {n} leaves the harbour at {n} in the morning, and comes back with the tide.</p>" for n in range(3))
REPEATED = "<div style='height:3000px'></div><h2>More of it</h2><p>Read on&nbsp;here</p>"
PAGE = f"""<title>x</title><style>p {{ margin: 2000px 0 }}</style><x:y></x:y>
<h1>The night <em>ferry</em></h1><!-- c --><p>Über — the <a href=/a>first</a>, "quoted" 50% & more: <b>bold</b> text, one-two.</p>{STORY}
{REPEATED}{REPEATED}<p>Read on&nbsp;here, and further</p>
<p>Two lines of<br>a paragraph that goes on for long enough<br>to be named by its ends</p>
<ul><li>One <a href=/b>item</a><ul><li>Inner</li></ul></ul><blockquote><p>Quoted by <a href=/c>her</a></blockquote>
<table><tr><th>Port<th>Hour<tr><td>North | South<td>5</table><pre><code>print("a  b")
# no heading</code></pre>
<p>長い文章は、単語の間に空白がない。だから句読点で区切る。これはもう一つの文である。そして最後の文はここで終わる。まだ八十字には足りないので、もう少し書く。</p>
<details><summary>And</summary><p>Where it is closed</details>
<section><template shadowrootmode=open><p>In a shadow</p></template></section><iframe srcdoc='<p>In a frame'></iframe>"""


async def test_a_span_leads_to_its_text_in_chromium(site_server, browser, chromium):
    site = await site_server({"/": PAGE})
    page = (await browser.render(site.url())).page
    document = build_document(page, np.ones(len(page.blocks)))
    assert {span.block for span in document.spans} == set(document.rows)
    context = await chromium.new_context(viewport={"width": 1280, "height": 800})
    tab = await context.new_page()
    for span in document.spans:
        assert page.text[span.start : span.end] == span.text
        await tab.goto("about:blank")
        await tab.goto(span.url)
        found = await tab.evaluate(
            """selector => {
              const all = document.querySelectorAll(selector);
              const { top, bottom } = all[0].getBoundingClientRect();
              return [all.length, all[0].tagName, all[0].textContent, top < innerHeight && bottom > 0];
            }""",
            span.selector,
        )
        if span.text.startswith("In a "):
            assert found[:2] == [1, "SECTION" if "shadow" in span.text else "IFRAME"]
            continue
        assert found[0] == 1 and found[3], span
        assert "".join(span.text.split()) in "".join(found[2].split())
    await context.close()


def test_repeated_texts_are_told_apart_by_the_words_around_them():
    document = sightread.extract(PAGE, url="https://e.org/x#y")
    urls = [span.url.partition(":~:")[2] for span in document.spans if span.text.startswith(("More of it", "Read on"))]
    assert len(set(urls)) == len(urls)
    assert document.spans[0].url == "https://e.org/x#y:~:text=The%20night%20ferry"
    assert {span.url for span in sightread.extract(PAGE).spans} == {""}


def test_a_long_line_of_repeated_words_has_a_short_url():
    (span,) = sightread.extract(f"<p>{'some words ' * 5000}", url="https://e.org/#:~:text=other").spans
    assert span.url.startswith("https://e.org/#:~:text=some%20words%20some") and len(span.url) < 700


@pytest.mark.parametrize("marks", ["comments", "footnotes"])
def test_marks_are_behind_the_text_that_they_name_and_change_nothing_else(marks):
    document = sightread.extract(PAGE, url="https://e.org/")
    text, _, notes = document.cited_markdown(marks).partition("\n\n[^s1]: ")
    mark = re.compile(r"(?:\n[> ]*| )(?:<!-- s|\[\^s)(\d+)(?: -->|\])")
    assert mark.sub("", text) == document.markdown
    blocks = [span for span in document.spans if span.kind != "link"]
    assert [int(number) for number in mark.findall(text)] == [span.number for span in blocks]
    assert notes.count("text=") == (len(blocks) if marks == "footnotes" else 0)
    for span in blocks:
        written = document.markdown[span.markdown_start : span.markdown_end]
        assert re.findall(r"\w+", span.text) == re.findall(r"\w+", re.sub(r"\]\(.*?\)", "", written))


def test_chunks_have_the_spans_that_are_in_them():
    document = sightread.extract(PAGE, url="https://e.org/")
    chunks = document.chunks(40, citations=True)
    assert {span for chunk in chunks for span in chunk.spans} == {span for span in document.spans if span.kind != "link"}
    assert all(span.markdown_start < chunk.end and span.markdown_end > chunk.start for chunk in chunks for span in chunk.spans)


def test_the_command_marks_markdown_and_adds_spans(sightread, tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    run = ("extract", tmp_path / "page.html", "--url", "https://e.org/", "--static", "--citations", "footnotes")
    assert "# The night *ferry* [^s1]\n" in sightread(*run).out and "\n[^s1]: <https://e.org/#:~:text=" in sightread(*run).out
    assert json.loads(sightread(*run, "--json").out)["spans"][0]["selector"] == "body > h1:nth-child(2)"
    assert json.loads(sightread(*run, "--format", "chunks").out.splitlines()[0])["spans"]
    assert "--citations marks Markdown, JSON and chunks" in sightread(*run, "--format", "tei").err
