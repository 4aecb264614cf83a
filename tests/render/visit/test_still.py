"""The collector: what moves is read where it stays, so that the same page gives the same record."""

from sightread.render.page import Box

MOVES = """<style>
body { margin: 0 }
p { position: absolute; left: 0; top: 0; width: 100px; height: 20px; margin: 0 }
@keyframes come { from { opacity: 0; left: 500px } to { left: 40px } }
@keyframes turn { from { left: 70px } to { left: 900px } }
</style>"""


async def test_what_comes_in_is_read_where_it_ends(read):
    page = await read(MOVES + "<p style='animation: come 60s 10s both'>x")
    assert (page.blocks[0].box, page.blocks[0].hidden) == (Box(40, 0, 100, 20), "")


async def test_what_moves_without_end_is_read_where_it_begins(read):
    page = await read(MOVES + "<p style='animation: turn .3s infinite linear'>x")
    assert page.blocks[0].box == Box(70, 0, 100, 20)


async def test_what_the_page_itself_has_stopped_stays_where_it_is(read):
    page = await read(MOVES + "<p style='animation: turn 100s -50s infinite linear paused'>x")
    assert page.blocks[0].box == Box(485, 0, 100, 20)


async def test_what_moves_in_a_shadow_is_read_where_it_ends(read):
    page = await read(f"<div><template shadowrootmode=open>{MOVES}<p style='animation: come 60s both'>x</template></div>")
    assert page.blocks[0].box == Box(40, 0, 100, 20)


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
