"""Which images of a page its document shows."""

import re

import numpy as np
import pytest

from sightread.document.document import build_document
from sightread.document.tree.nodes import Figure
from sightread.render.static.parse import read_html

STORY = "<p>Words of the story.</p>"


def shown(html: str) -> list[str]:
    """The last parts of the addresses of the images that a fragment's document shows; blocks that begin with DROP are dropped."""
    page = read_html(f"<html><body><main>{html}</main></body></html>", "https://example.org/a/page")
    document = build_document(page, np.array([float(not block.text.startswith("DROP")) for block in page.blocks]))
    return [address.rpartition("/")[2] for address in re.findall(r"!\[[^\]]*\]\(([^)]*)\)", document.markdown)]


@pytest.mark.parametrize(
    "html",
    [
        "<figure><div><div><img src=/x.jpg></div></div><figcaption><div><p>DROP deep</div></figcaption></figure>",
        "<div><img src=/x.jpg><span>DROP in no figure</span></div>",
        "<table><tr><td><a href=/x.jpg><img src=/x.jpg></a><tr><td>DROP in a table</table>",
        "<div class=wp-caption><img src=/x.jpg><p class=wp-caption-text>DROP caption<p class=photo-credit>DROP credit</div><p>DROP next",
    ],
    ids=("deep in its figure", "in no figure", "in a table", "told by its class"),
)
def test_a_picture_stays_when_its_caption_is_dropped(html: str) -> None:
    assert shown(f"{STORY}{html}{STORY}") == ["x.jpg"]


@pytest.mark.parametrize(
    "html",
    [
        "<div><a href=/t><img src=/x.jpg><b>DROP linked</b></a></div>",
        "<div><img src=/x.jpg><h3>DROP heading</h3></div>",
        "<div><img src=/x.jpg><p>DROP one<p>DROP two<p>DROP three</div>",
        "<div><img src=/x.jpg><p>DROP one</div><div><img src=/y.jpg><p>DROP another</div>",
        "<div><img src=/x.jpg><p>DROP name</div><p>Words.</p><div><img src=/x.jpg><p>DROP name</div>",
    ],
    ids=("a link", "a heading", "many words", "one of several", "one that comes again"),
)
def test_the_picture_of_a_dropped_teaser_goes_with_it(html: str) -> None:
    assert shown(f"{STORY}{html}{STORY}") == []


def test_a_picture_above_the_text_stays_when_its_caption_is_dropped() -> None:
    assert shown(f"<p>DROP menu</p><figure><img src=/x.jpg><figcaption>DROP caption</figcaption></figure>{STORY}") == ["x.jpg"]
    assert shown(f"<div><img src=/x.jpg><p>DROP menu</div>{STORY}") == []


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("/max/60/1*ab.png?q=20", "/max/3788/1*ab.png"),
        ("/v2/resize:fit:640/format:webp/1*ab.png", "/v2/resize:fit:1400/1*ab.png"),
        ("/cat-300x200.jpg", "/cat.jpg"),
        ("/108*72/cat_300x200.jpg", "/640*480/cat_900x600.jpg"),
        ("/cat-300x200.jpg", "/cat-1024x683.jpg"),
        ("/w_60,h_40,c_fill/cat.jpg", "/w_1200,h_800,c_fill/cat.jpg"),
        ("/cat.jpg?w=60&q=90", "/cat.jpg?w=1200&q=20"),
    ],
)
def test_of_a_picture_in_several_sizes_the_largest_is_shown(small: str, large: str) -> None:
    name = large.rpartition("/")[2]
    assert shown(f"{STORY}<img src='{small}'><img src='{large}'>{STORY}") == [name]
    assert shown(f"{STORY}<img src='{large}'><img src='{small}'>{STORY}") == [name]


def test_a_linked_image_at_the_edge_of_the_content_is_no_part_of_it() -> None:
    logo = "<p><a href=/><img src=/x.png></a></p>"
    assert shown(6 * STORY + "<p>End. <a href=/><img src=/site-logo.png></a></p>") == []
    assert shown(logo + 6 * STORY) == shown(6 * STORY + logo) == []
    assert shown(6 * STORY + logo.replace("<a href=/>", "").replace("</a>", "")) == ["x.png"]
    assert shown(3 * STORY + logo + 3 * STORY) == ["x.png"]


@pytest.mark.parametrize(
    ("html", "is_shown"),
    [
        ("<p><img src=/flow.svg alt='The flow of data'></p>", True),
        ("<p><img src=/flow.svg></p>", False),
        ("<p><a href=/><img src=/flow.svg alt=Logo></a></p>", False),
        ("<p>Words <img src=/flow.svg alt='The flow of data'></p>", False),
        ("<p><img src=/jiFgl7LH></p>", True),
        ("<p><img src=/jiFgl7LH><img src=/jiFgl7LI></p>", False),
        ("<p><img src=/track?id=1></p>", False),
        ("<div><img src=/jiFgl7LH></div>", False),
        ("<img src=/photo?w=640>", True),
        ("<img src=/u/1.jpg?s=40&w=40>", False),
        ("<img src=/Social-Facebook-34.png>", False),
        ("<img src=/anti-social-behaviour.jpg>", True),
        ("<img src=/avatars/1.jpg alt=me>", False),
        ("<img src=https://avatars.example/u/1 alt=me>", False),
        ("<a href=/buy><img src=/cta/1.png alt=Buy></a>", False),
    ],
)
def test_pictures_that_no_browser_loaded_are_reported_by_name_and_place(html: str, is_shown: bool) -> None:
    assert bool(shown(STORY + html + STORY)) == is_shown


@pytest.mark.parametrize(
    ("alt", "described"),
    [
        ("&lt;span style=&quot;x&quot;&gt;A map&lt;/span&gt; of it", "A map of it"),
        ("a < b", "a < b"),
        ("Rain &amp;amp; sun", "Rain & sun"),
        ("Rain over Lisbon", "Rain over Lisbon"),
        ("X.jpg", ""),
        ("rain-in-lisbon", ""),
        ("IMG_2041.jpg", "IMG_2041.jpg"),
        ("sun-in-lisbon", "sun-in-lisbon"),
        ("image 3", ""),
        ("well-known", "well-known"),
    ],
)
def test_a_description_that_says_nothing_is_left_out(alt: str, described: str) -> None:
    html = f'<title>Rain over Lisbon | The Post</title>{STORY}<img src=/rain-in-lisbon/x.jpg alt="{alt}">{STORY}'
    nodes = build_document(read_html(html, "https://example.org/"), np.ones(2)).structure.nodes
    assert [node.alt for node in nodes if isinstance(node, Figure)] == [described]


def test_an_image_without_description_takes_the_caption_that_was_dropped() -> None:
    captioned = "<figcaption><p>The map<p>of it</figcaption>"
    html = f"{STORY}<figure><img src=/x.jpg>{captioned}</figure><figure><img src=/y.jpg alt=Road>{captioned}</figure>{STORY}"
    page = read_html(html, "https://example.org/")
    shown = "![The map of it](https://example.org/x.jpg)\n\n![Road](https://example.org/y.jpg)"
    assert shown in build_document(page, np.array([1.0, 0, 0, 0, 0, 1])).markdown
    kept = build_document(page, np.array([1.0, 1, 0, 1, 1, 1])).markdown
    assert "![](https://example.org/x.jpg)\n\nThe map" in kept


def test_the_words_beside_an_image_describe_it_where_they_were_dropped() -> None:
    html = f"{STORY}<table><tr><td><img src=/x.jpg><tr><td>The map\nof it</table>{STORY}"
    markdown = build_document(read_html(html, "https://example.org/"), np.array([1.0, 0, 1])).markdown
    assert "![The map of it](https://example.org/x.jpg)" in markdown
    button = html.replace("The map\nof it", "Close")
    assert "![](https://example.org/x.jpg)" in build_document(read_html(button, "https://example.org/"), np.array([1.0, 0, 1])).markdown
