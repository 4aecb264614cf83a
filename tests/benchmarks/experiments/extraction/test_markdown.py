"""The measurement of what structure comes out in the Markdown."""

from benchmarks.experiments.extraction.markdown import compare
from sightread.document.document import Document
from sightread.document.tree.nodes import Paragraph
from sightread.reading import read_static

TEXT = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it."
PAGE = f"""<article><p>{TEXT}<p>{TEXT} <a href="/keeper">The keeper</a> said nothing.<img src="/a.jpg"><p>{TEXT}
<ul><li>one item<ul><li>an inner item</ul><li>another item</ul><pre class="language-py">paint = 'green'</pre>
<table><tr><th>Year<th>Colour<tr><td>1990<td>white</table><p>{TEXT}</article>"""
GOLD = f"{TEXT}\n{TEXT} The keeper said nothing.\n{TEXT}\none item\nan inner item\nanother item\npaint = 'green'\nYear Colour\n1990 white"


def read() -> Document:
    return read_static(PAGE, "https://post.example/").document.from_threshold(0.0)


def test_what_the_markdown_says_is_found_again() -> None:
    hits = {kind: tuple(found) for kind, found in compare(read(), GOLD).items()}
    assert hits == {
        "list items": (3, 3, 3),
        "nested items": (1, 1, 1),
        "table rows": (2, 2, 2),
        "code": (1, 1, 1),
        "code with its language": (1, 1, 1),
        "links": (1, 1, 1),
        "images": (1, 1, 1),
    }


def test_what_the_markdown_has_lost_is_missed() -> None:
    document = read()
    flat = document.structure._replace(nodes=(Paragraph((document.text,)),))
    document.__dict__["structure"] = flat
    assert {kind: found.same for kind, found in compare(document, GOLD).items()} == dict.fromkeys(compare(document, GOLD), 0)


def test_what_is_not_in_the_gold_is_not_counted() -> None:
    assert compare(read(), TEXT)["list items"].gold == 0
