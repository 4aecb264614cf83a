"""`sightread explain`: why each block of a page is kept or left out."""

import json

import pytest

STORY = "<p>It has carried {} across the estuary for ninety years, and by now it runs half empty.</p>"
HTML = (
    f"<title>The ferry</title><nav><a href='/'>Home</a></nav><main><h1>The ferry</h1>"
    f"{STORY.format('smiths')}{STORY.format('tanners')}</main><footer>All rights reserved.</footer>"
)


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(HTML)
    return path


def test_every_block_has_its_reason_and_one_its_contributions(sightread, page):
    found = json.loads(sightread("explain", page, "--static", "--json").out)
    assert found["model"] == "global" and [block["row"] for block in found["blocks"]] == list(range(len(found["blocks"])))
    kept = next(block for block in found["blocks"] if "tanners" in block["text"])
    assert kept["kept"] and kept["reason"] == "probability" and kept["contributions"] and kept["would_change"]
    listed = sightread("explain", page, "--static").out
    assert "low probability" in listed and listed.count("kept") >= 2
    detail = sightread("explain", page, "--static", "--row", kept["row"]).out
    assert "contributions to its log-odds of content" in detail and "without any feature" in detail


def test_a_block_that_the_page_lacks_is_refused(sightread, page):
    ran = sightread("explain", page, "--static", "--row", 99)
    assert ran.code == 2 and "--row 99: the page has" in ran.err


def test_a_model_that_explains_nothing_gives_the_decisions_alone(sightread, page):
    found = json.loads(sightread("explain", page, "--static", "--json", "--model", "bte").out)
    assert {block["base"] for block in found["blocks"]} == {None} and any(block["kept"] for block in found["blocks"])
