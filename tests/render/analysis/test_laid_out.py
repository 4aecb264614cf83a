"""Text that is not laid out is kept in a page, and passed over by whoever learns from looks."""

from dataclasses import replace

from sightread.labeling.clusterings import NOISE
from sightread.labeling.label_site import label_site
from sightread.render.labels import BOILERPLATE
from sightread.render.page import Block, Box, Element, Image, Page
from sightread.render.page.view import laid_out


def a_page(**fields):
    blocks = (
        Block("shown", 1, box=Box(0, 0, 9, 9)),
        Block("menu", 1, hidden="display"),
        Block("faint", 1, box=Box(0, 9, 9, 9), hidden="opacity"),
    )
    images = tuple(Image(f"http://site.test/{n}.png", "", 0, n) for n in range(4))
    values = {"url": "u", "final_url": "u", "source": "browser", "elements": (Element("body", -1), Element("p", 0)), "blocks": blocks}
    return Page(**values | {"images": images} | fields)


def test_what_is_not_laid_out_is_left_away_and_the_rest_keeps_its_rows():
    page, rows = laid_out(a_page())
    assert ([block.text for block in page.blocks], rows) == (["shown", "faint"], (0, 2))
    assert [image.before for image in page.images] == [0, 1, 1, 2]


def test_labelers_see_none_of_it_and_call_it_boilerplate():
    pages = [template_page(number) for number in range(6)]
    bare = [replace(page, blocks=page.blocks[:-1]) for page in pages]
    found, alone = label_site(pages), label_site(bare)
    for whole, part in zip((*found.labels, *found.assignments), (*alone.labels, *alone.assignments), strict=True):
        assert (whole[:-1] == part).all()
    assert {int(labels[-1]) for labels in found.labels} == {BOILERPLATE}
    assert {int(clusters[-1]) for clusters in found.assignments} == {NOISE}
    assert found.confidence == alone.confidence


def template_page(number):
    """Return one page of a site: a bar of links, an article, and a menu that is not laid out."""
    names = [f"{word}{number}" for word in ("river", "valley", "bridge", "harvest", "council", "winter")]
    texts = [f"The {name} of town {number} was opened by its people on day {row}, and all of them came." for row, name in enumerate(names)]
    elements = (Element("body", -1), Element("nav", 0), *(Element("p", 0) for _ in texts), Element("div", 0))
    blocks = (
        Block("Home", 1, 0, Box(0, 0, 80, 20), link_chars=4),
        *(Block(text, row, 1, Box(0, 20 * row, 700, 20)) for row, text in enumerate(texts, 2)),
        Block("A menu nobody opened. " * 40, len(elements) - 1, hidden="display"),
    )
    styles = ({"font-size": "12px"}, {})
    return Page(
        "u", f"http://site.test/{number}", "browser", elements, blocks, styles, titles=(texts[0],), descriptions=(" ".join(texts[:2]),)
    )
