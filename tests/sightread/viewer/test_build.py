"""The data of the viewer, and the overlay: blocks in the colours of their predictions, in a file in which nothing runs."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.model import Prediction
from sightread.crawler.corpus import FailedVisit
from sightread.document.document import build_document
from sightread.labeling.known_clusters import KnownClusters
from sightread.labeling.labels import Confidence, SiteLabels
from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Rejected
from sightread.render.page import Block, Box, Element, Page, Size
from sightread.render.static.parse import read_html
from sightread.render.visit.device import Device
from sightread.render.visit.picture import Picture
from sightread.viewer.build import Findings, build_page, build_site, explain_block
from sightread.viewer.records import JobSummary, encode
from sightread.viewer.svg_overlay import draw_overlay

JOB = JobSummary("A site", "https://a.example/")


def page(*texts, language=""):
    blocks = tuple(Block(text, 0) for text in texts)
    return Page("https://a.example/p", "https://a.example/p", "static", (Element("body", -1),), blocks, titles=("P",), language=language)


def labelled(*rows):
    arrays = tuple(np.array(row, dtype=np.int8) for row in rows)
    assignments = tuple(np.zeros(len(row), dtype=np.int32) for row in rows)
    is_certain = Confidence(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, ())
    return SiteLabels((), assignments, arrays, (0.9,) * len(rows), (), is_certain, KnownClusters(0.0, ()))


@given(st.text())
def test_json_holds_nothing_that_html_would_read_and_loses_nothing(text):
    json = encode(((text, 1.0),)).decode()
    assert not set("<>&\u2028\u2029") & set(json)
    assert msgspec.json.decode(json) == [[text, 1.0]]


def findings_of(pages, predictions, labels=None, job=JOB):
    """The findings of a model: predictions and documents."""
    found = [np.array(row) for row in predictions]
    documents = [build_document(of_page, Prediction(row)) for of_page, row in zip(pages, found, strict=True)]
    return Findings(job, pages, labels=labels, predictions=found, documents=documents)


@pytest.mark.parametrize(
    ("label", "probability", "kept", "unsure", "disagrees"),
    [
        (1, 0.9, True, False, False),
        (1, 0.5, True, True, False),
        (1, 0.49, False, True, True),
        (0, 0.8, True, False, True),
        (0, 0.25, False, False, False),
        (-1, 0.9, True, False, False),
        (-1, 0.1, False, False, False),
    ],
)
def test_a_block_is_judged_by_its_label_and_its_prediction(label, probability, kept, unsure, disagrees):
    findings = Findings(JOB, [page("a")], labels=labelled([label]), predictions=[np.array([probability])])
    block = build_page(findings, 0).blocks[0]
    assert (block.kept, block.unsure, block.disagrees) == (kept, unsure, disagrees)


def test_without_predictions_labels_decide_and_without_labels_predictions_and_with_neither_nothing_is_claimed():
    site = build_site(Findings(JOB, [page("a", "b", "c")], labels=labelled([1, 0, -1])))
    assert (site.pages[0].kept, site.pages[0].disagreements) == (1, 0)
    site = build_site(Findings(JOB, [page("aaa", "b")], predictions=[np.array([1.0, 0.5])]))
    assert (site.pages[0].kept, site.confidence, site.fold_means, site.clusters) == (2, None, None, ())
    summary = build_site(Findings(JOB, [page("a")])).pages[0]
    assert (summary.expected_f1, summary.kept) == (None, 0)


def test_the_gravest_concern_comes_first_and_a_page_once():
    pages = [page("a", "b") for _ in range(5)]
    labels = labelled([1, 0], [1, 0], [-1, -1], [1, 0], [1, 0])
    predictions = ([0.5, 0.3], [0.9, 0.9], [0.9, 0.1], [0.1, 0.1], [0.1, 0.9])
    job = JobSummary("A site", "https://a.example/", failures=(FailedVisit("https://a.example/gone", "404"),))
    attention = build_site(findings_of(pages, predictions, labels, job)).attention
    assert [(look.concern, look.page) for look in attention] == [
        ("failed", None),
        ("empty", 3),
        ("unlabelled", 2),
        ("disagreement", 4),
        ("disagreement", 1),
        ("unsure", 0),
    ]


def test_a_page_that_another_model_read_is_not_empty_and_names_it():
    """The site's model keeps nothing of either page; the global model read the first."""
    pages = [page("a", "b"), page("a", "b")]
    read = ((np.array([0.9, 0.1]), "global"), (np.zeros(2), "site"))
    documents = [build_document(of_page, Prediction(found), model) for of_page, (found, model) in zip(pages, read, strict=True)]
    findings = Findings(JOB, pages, predictions=[np.zeros(2), np.zeros(2)], documents=documents)
    site = build_site(findings)
    assert [look.page for look in site.attention if look.concern == "empty"] == [1]
    assert [summary.model for summary in site.pages] == ["global", "site"]


def test_the_reasons_of_a_block_are_its_weightiest():
    findings = Findings(JOB, [page("a")], explain=lambda _, row: [("small", 0.1), ("against", -3.0), ("for", 2.0)])
    assert explain_block(findings, 0, 0, 2) == (("against", -3.0), ("for", 2.0))
    view = build_page(findings, 0, reasons=1)
    assert view.features == ("against",) and view.blocks[0].reasons == ((0, -3.0),)
    assert build_page(findings, 0).blocks[0].reasons == ()


def test_what_the_global_model_reads_otherwise_is_counted_page_by_page():
    pages = [page("a" * 100, "b" * 50), page("a" * 100, "b" * 5), page("a" * 100, "b" * 50)]
    predictions = [[0.95, 0.97]] * 3
    overall = [np.array([0.9, 0.1]), np.array([0.9, 0.1]), np.array([0.9, 0.9])]
    view = build_site(replace(findings_of(pages, predictions), overall=overall))
    assert [page.difference for page in view.pages] == [(0.8, 50, 0), (0.9756, 5, 0), (1.0, 0, 0)]
    assert all(page.difference is None for page in build_site(findings_of(pages, predictions)).pages)
    assert [(look.page, look.reason[-5:]) for look in view.attention] == [(0, "20.0%"), (1, " 2.4%")]
    with pytest.raises(ValueError, match="overall: not one for each block"):
        replace(findings_of(pages, predictions), overall=overall[:2])


SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    '"><script>window.pwned = 1</script><image href="http://127.0.0.1:9/x" onload="window.pwned = 2"/>]]> \x00\x0b\ud800\uffff &amp; '
    + ("javascript:alert(1)")
)


def page_of(texts, url="http://site.test/", **fields):
    blocks = tuple(Block(text, 0, box=Box(10, 100.0 * row, 400, 50)) for row, text in enumerate(texts))
    whole = {"viewport": Size(800, 600), "document": Size(800, 1200)} | fields
    return Page(url, url, "browser", (Element("body", -1),), blocks, **whole)


def rects(svg):
    """Class and box of every block that is drawn, without the legend's, in the order of the file."""
    root = ElementTree.fromstring(svg)
    return [
        (rect.get("class"), tuple(float(rect.get(side)) for side in ("x", "y", "width", "height")))
        for rect in root.iter(f"{SVG}rect")
        if rect.get("class") and float(rect.get("y")) >= 0
    ]


def test_blocks_are_coloured_by_their_predictions_where_they_stand():
    drawn = rects(draw_overlay(page_of(["one", "two", "three"]), np.array([0.9, 0.1, 0.6])))
    assert drawn == [
        ("block kept", (10, 0, 400, 50)),
        ("block dropped", (10, 100, 400, 50)),
        ("block kept unsure", (10, 200, 400, 50)),
    ]


def test_what_no_reader_sees_is_drawn_only_where_it_was_kept():
    hidden = [Block("hidden", 0, box=Box(0, y, 100, 20), hidden="opacity") for y in (0, 50)]
    blocks = (*hidden, Block("not laid out", 0, hidden="display"), Block("seen", 0, box=Box(0, 100, 100, 20)))
    page = Page("http://site.test/", "http://site.test/", "browser", (Element("body", -1),), blocks)
    assert [box[1] for _, box in rects(draw_overlay(page, np.array([1.0, 0.0, 1.0, 0.0])))] == [0, 100]


def test_pages_probabilities_and_pictures_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="1 probabilities for 2 blocks"):
        draw_overlay(page_of(["one", "two"]), np.ones(1))
    with pytest.raises(Rejected, match="not a WebP"):
        draw_overlay(page_of(["one"]), np.ones(1), Picture((b"torn",)))
    page = read_html("<p>Text", "http://site.test/")
    with pytest.raises(Rejected, match=r"^http://site\.test/: its blocks have no boxes.*: read it with a browser"):
        draw_overlay(page, np.ones(len(page.blocks)))


@given(st.lists(st.text(max_size=300), min_size=1, max_size=5), st.text(max_size=300), st.text(max_size=30))
def test_any_text_gives_a_file_that_can_be_read_and_holds_nothing_but_drawing(texts, url, model):
    root = ElementTree.fromstring(draw_overlay(page_of(texts, url), np.full(len(texts), 0.5), None, model))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {"svg", "style", "rect", "title", "text"}


async def test_what_a_hostile_page_says_is_inert_where_the_file_is_opened(watched, tmp_path):
    path = tmp_path / "overlay.svg"
    page = page_of([HOSTILE, "]]></style><style>@import 'http://127.0.0.1:9/x'"], HOSTILE, body_style={"font-size": "9px;}x{"})
    path.write_bytes(draw_overlay(page, np.array([1.0, 0.0]), None, HOSTILE))
    await watched.tab.goto(path.as_uri())
    assert await watched.tab.evaluate("document.querySelectorAll('rect.block').length") == 5  # it is a drawing, and no error page
    assert (await watched.pwned(), watched.witness.dialogs, watched.witness.errors) == (None, [], [])
    assert watched.witness.requests == [path.as_uri()]


async def test_tiles_stand_behind_the_blocks_where_they_were_taken(browser, watched, tmp_path):
    html = "<!doctype html><body style='margin:0'><p style='margin:0;height:39900px'>Top</p><p style='margin:0;height:100px'>End</p>"
    page, picture, *_ = await browser.render_html(html, options=RenderOptions(picture=True, device=Device(Size(320, 800))))
    path = tmp_path / "overlay.svg"
    path.write_bytes(draw_overlay(page, np.array([1.0, 0.0]), picture))
    root = ElementTree.parse(path).getroot()
    places = [(float(image.get("y")), float(image.get("width")), float(image.get("height"))) for image in root.iter(f"{SVG}image")]
    assert places == [(0, 320, 32_000), (32_000, 320, 8_000)]
    assert rects(path.read_bytes())[-1][1] == (0, 39_900, 320, 100)
    await watched.tab.goto(path.as_uri())
    assert not [url for url in watched.witness.requests if not re.match(r"file:|data:image/webp", url)]
