"""Corpora that hold little, too much or nonsense, through the commands that read them: one clear line and the right exit code."""

import json
from dataclasses import replace

import pytest

from sightread.crawler.corpus import Corpus, pack_line
from sightread.render.page import Block, Element, Page, encode_page
from tests.labeling.sites import BODY, make_page, news_site, same_but_for_the_url
from tests.pages.stories import stories

TOO_FEW = "at least two different ones are needed; crawl more (--pages)"
NO_TEXT = "start from a page that leads to articles"


@pytest.fixture
def store(tmp_path):
    """Write pages as a corpus of the test's own, and return its folder."""

    def write(pages):
        with Corpus.create(tmp_path / "stored", "https://x.test/") as corpus:
            for page in pages:
                corpus.append(page)
        return tmp_path / "stored"

    return write


def hidden(page):
    return replace(page, blocks=tuple(replace(block, hidden="display") for block in page.blocks))


@pytest.mark.parametrize(
    "pages",
    [
        [hidden(page) for page in news_site()],
        [make_page("https://x.test/", [])],
        [Page("https://x.test/", "", "imported", (Element("body", -1),), (Block("", 0),))],
    ],
    ids=["hidden", "no blocks", "an empty block"],
)
def test_pages_that_show_no_text_are_not_labelled(sightread, store, pages):
    folder = store(pages)
    ran = sightread("label", folder)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(f"none of the {len(pages)} pages ") and ran.complaint.endswith(NO_TEXT)
    assert not (folder / "labels.json").exists()


@pytest.mark.parametrize(
    "pages",
    [news_site(1), [news_site(1)[0]] * 6, same_but_for_the_url(6)],
    ids=["one page", "identical pages", "pages identical but for the URL"],
)
def test_one_page_however_often_it_is_stored_is_labelled_and_doubted_and_cannot_be_evaluated(sightread, store, pages):
    folder = store(pages)
    labelled = sightread("label", folder, "--json")
    assert (labelled.code, labelled.err) == (0, "")
    assert labelled.json()["confidence"] < 0.5
    assert any("more are needed" in advice for advice in labelled.json()["advice"])
    assert sightread("train", folder).code == 0
    ran = sightread("evaluate", folder)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.endswith(TOO_FEW)


def test_pages_of_one_block_have_nothing_to_tell_content_from(sightread, store):
    folder = store([make_page(f"https://x.test/{number}", [BODY(f"Only line {number} stands here.")]) for number in range(6)])
    assert sightread("label", folder, "--json").json()["confidence"] < 0.75
    for command in ("train", "evaluate"):
        ran = sightread(command, folder)
        assert (ran.code, ran.out) == (2, "")
        assert ran.complaint.startswith("nothing to learn from: no boilerplate among the labels of ")
    assert not (folder / "model.json").exists()


@pytest.mark.parametrize("number", ["null", "NaN", "Infinity", "1e999", '"700"', "-700"])
def test_a_stored_box_that_is_no_box_is_named_with_its_page(sightread, store, number):
    folder = store(news_site(2))
    record = json.loads(encode_page(news_site(1)[0]))
    record["blocks"][1]["box"] = [0, 0, "WIDTH", 20]
    with (folder / "pages.jsonl.gz").open("ab") as file:
        file.write(pack_line(json.dumps(record).replace('"WIDTH"', number).encode()))
    ran = sightread("label", folder)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(f"{folder / 'pages.jsonl.gz'}, page 3: not a page of schema 2: ")


def changed(change):
    """The pages of a small site, each block as the function changes it."""
    return [replace(page, blocks=tuple(map(change, page.blocks))) for page in news_site()]


LONG, ODD = "昨日の洪水で古い橋が流された" * 15_000, "\x00\x1b[31m\x7f\u202e\ufeff"
PROPERTIES = {f"--property-{number}": f"{number}px" for number in range(3000)}


@pytest.mark.parametrize(
    "pages",
    [
        changed(lambda block: replace(block, box=block.box._replace(y=1e308, width=1e308, height=1e308))),
        changed(lambda block: replace(block, text=f"{ODD}{block.text}{ODD}", inlines=())),
        [replace(page, styles=tuple({**style, **PROPERTIES} for style in page.styles)) for page in news_site()],
        [
            replace(page, titles=(*page.titles, LONG), blocks=(*page.blocks[:4], replace(page.blocks[4], text=LONG), *page.blocks[5:]))
            for page in news_site(4)
        ],
    ],
    ids=["boxes as large as numbers go", "control characters", "thousands of properties", "a block and a title of 200,000 characters"],
)
def test_odd_pages_are_learned_from(sightread, store, pages):
    folder = store(pages)
    for command, *options in (("label",), ("train",), ("evaluate", "--folds", 2)):
        ran = sightread(command, folder, "--json", *options)
        assert (ran.code, ran.err) == (0, ""), command
    assert ran.json()["f1"] > 0.8


def test_a_site_that_shows_nothing_is_not_learned_and_its_pages_are_kept(sightread, serve):
    pages = stories(4, lambda town: f"<title>{town}</title>")
    site = serve({path: page.replace("<main>", "<main hidden>").replace("<footer>", "<footer hidden>") for path, page in pages.items()})
    ran = sightread("learn", site.url(), "--pages", 4, "--no-pictures", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.messages[-1].endswith(NO_TEXT)


def test_a_site_whose_every_article_fails_is_not_learned_and_the_reasons_are_reported_and_kept(sightread, serve, tmp_path):
    pages = stories(4, lambda _: "")
    site = serve({path: page if path == "/" else (404, "text/html", b"<p>Oh") for path, page in pages.items()})
    ran = sightread("learn", site.url(), "--pages", 4, "--out", tmp_path / "site", "--no-pictures", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.messages[-1].endswith(f"{NO_TEXT}; 4 visits gave no page, the first was {site.url('/story/0')}: HTTP status 404")
    assert [reason for _, reason in Corpus.open(tmp_path / "site").failures] == ["HTTP status 404"] * 4
