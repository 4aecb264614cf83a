"""The view of a rendered page that models trained on static HTML read: blocks as markup alone divides them."""

import numpy as np
import pytest

from sightread.classify.general.dom_view import dom_view
from sightread.document.document import build_document
from sightread.models.model_choice import DOM_ONLY
from sightread.render.static.parse import read_html

URL = "https://example.org/manual/"
PROSE = "The command reads its options from the file and writes what it finds to the given folder. " * 2
STYLE = """<style>
.permalink { visibility: hidden } li { list-style: none } li a, .term { display: block } .tag { display: inline-block }
.side { float: right } .note::before { content: "Note: " }
</style>"""
PIECES = {
    "a permalink that shows on hover": "<h1>Options<a class=permalink href='#options'>¶</a></h1>",
    "links that fill their items": "<ul><li><a href=/a>First page</a></li><li><a href=/b>Second page</a></li></ul>",
    "inline blocks": "<div><span class=tag>stable</span> <span class=tag>typed</span></div>",
    "a float": f"<p><span class=side>3 minutes</span> {PROSE}</p>",
    "text around a block": f"<div>Before <span class=term>the term</span> and after {PROSE}</div>",
    "two runs of one element": "<div>Before<p>between</p>after</div>",
    "an element without text between": "<div>Before<hr>after</div>",
    "a table": "<table><tr><td>a</td><td></td></tr></table>",
    "an image": "<p>Look<span><img src=/i.png width=90 height=90></span></p>",
}


@pytest.fixture
async def rendered(browser):
    async def render(html: str):
        return (await browser.render_html(f"<!doctype html>{html}", URL)).page

    return render


@pytest.mark.parametrize("name", PIECES)
async def test_a_rendered_page_is_viewed_as_its_markup_alone(rendered, name):
    html = f"{STYLE}<main>{PIECES[name]}</main>"
    static, page = read_html(f"<!doctype html>{html}", URL), await rendered(html)
    view = dom_view(page)
    paths = [each.tag_paths() for each in (static, view.page)]
    assert [paths[0][block.element] for block in static.blocks] == [paths[1][block.element] for block in view.page.blocks]
    assert [block.text.replace(" ", "") for block in static.blocks] == [block.text.replace(" ", "") for block in view.page.blocks]
    assert [(block.heading, block.link_chars) for block in static.blocks] == [
        (block.heading, block.link_chars) for block in view.page.blocks
    ]
    assert [each[:2] for each in static.elements] == [each[:2] for each in view.page.elements]
    assert [(image.element, image.before) for image in static.images] == [(image.element, image.before) for image in view.page.images]
    assert len(view.row_of) == len(page.blocks) and (np.diff(view.row_of) >= 0).all()


async def test_inline_ranges_of_merged_blocks_mark_the_same_text(rendered):
    page = await rendered(f"{STYLE}<p>See <b>this</b><span class=term>or <i>that</i> page</span></p>")
    (block,) = dom_view(page).page.blocks
    assert [block.text[mark.start : mark.end] for mark in block.inlines] == ["this", "that"]


async def test_a_manual_is_read_alike_with_a_browser_and_without(rendered):
    sections = "".join(
        f"<section><h2>Section {number}<a class=permalink href='#s{number}'>¶</a></h2><p>{PROSE}</p><pre>run --level {number}</pre>"
        f"<ol><li><p>{PROSE}</p></li><li><p>Stop.</p></li><li><p>{PROSE}</p></li></ol></section>"
        for number in range(4)
    )
    menu = "".join(f"<li><a href=/manual/{number}.html>Chapter {number}</a></li>" for number in range(20))
    main = f"<main><h1>Options<a class=permalink href='#o'>¶</a></h1>{sections}</main>"
    html = f"<title>Options - Manual</title>{STYLE}<nav><ul>{menu}</ul></nav>{main}"
    model = DOM_ONLY["global"]()
    static, page = (build_document(each, model.predict(each)) for each in (read_html(html, URL), await rendered(html)))
    assert static.text == page.text
    assert "¶" not in page.markdown and page.markdown.count("\n## ") == 4
