"""The collector: what moves is read where it stays, so that the same page gives the same record."""

import pytest

from sightread.render.page import Box

MOVES = """<style>
body { margin: 0 }
p { position: absolute; left: 0; top: 0; width: 100px; height: 20px; margin: 0 }
@keyframes come { from { opacity: 0; left: 500px } to { left: 40px } }
@keyframes turn { from { left: 70px } to { left: 900px } }
</style>"""


@pytest.mark.parametrize(
    ("html", "left"),
    [
        (f"{MOVES}<p style='animation: come 60s 10s both'>x", 40),
        (f"<div><template shadowrootmode=open>{MOVES}<p style='animation: come 60s both'>x</template></div>", 40),
        (f"{MOVES}<p style='animation: turn .3s infinite linear'>x", 70),
        (f"{MOVES}<p style='animation: turn 100s -50s infinite linear paused'>x", 485),
    ],
    ids=["where it ends", "where it ends in a shadow", "without end, where it begins", "stopped by the page, where it is"],
)
async def test_what_moves_is_read_where_it_stays(read, html, left):
    (block,) = (await read(html)).blocks
    assert (block.box, block.hidden) == (Box(left, 0, 100, 20), "")


async def test_a_colour_that_fades_is_read_as_it_becomes_and_so_is_what_inherits_it(read):
    fading = """<style>div, b { transition: color 60s } @starting-style { div { color: rgb(250, 0, 0) } }
        div { color: rgb(0, 0, 250) }</style><div><p>one</p><p><b style='display: block'>two</b></div>"""
    page = await read(fading)
    assert [page.styles[block.style]["color"] for block in page.blocks] == ["rgb(0, 0, 250)"] * 2


async def test_an_image_sized_by_its_own_box_that_is_not_there_keeps_the_size_that_the_page_gives_it(read):
    sources = "srcset='/a-300.png 300w, /a-800.png 800w, /a-1600.png 1600w' src=/a-1600.png"
    image = f"<img loading=lazy width=700 height=400 sizes='auto, 100vw' {sources} alt=Sea>"
    page = await read(f"<style>img {{ contain-intrinsic-size: 3000px 1500px }}</style><body style='margin:0'><p>x</p>{image}")
    assert [(image.source, image.box[2:]) for image in page.images] == [("http://site.test/a-800.png", (700, 400))]
