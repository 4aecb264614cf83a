"""Corpora that hold little, too much or nonsense, are damaged, foreign or not there: one clear line, and the right exit code."""

import json
import re
from dataclasses import replace

import pytest

from sightread.crawler.corpus import Corpus, pack_line
from sightread.render.page import encode_page
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from tests.labeling.sites import BODY, make_page, news_site, same_but_for_the_url
from tests.pages.stories import stories

TOO_FEW = "at least two different ones are needed; crawl more (--pages)"
NO_TEXT = "start from a page that leads to articles"


def test_pages_that_show_no_text_are_not_labelled(sightread, store):
    hidden = [replace(page, blocks=tuple(replace(block, hidden="display") for block in page.blocks)) for page in news_site()]
    folder = store(hidden)
    ran = sightread("label", folder)
    assert ran.failed(2).startswith(f"none of the {len(hidden)} pages ") and ran.complaint.endswith(NO_TEXT)
    assert not (folder / "labels.json").exists()


@pytest.mark.parametrize("pages", [[news_site(1)[0]] * 6, same_but_for_the_url(6)], ids=["identical pages", "identical but for the URL"])
def test_one_page_however_often_it_is_stored_is_labelled_and_doubted_and_cannot_be_evaluated(sightread, store, pages):
    folder = store(pages)
    labelled = sightread("label", folder, "--json")
    assert (labelled.code, labelled.err) == (0, "")
    assert labelled.json()["confidence"] < 0.5
    assert any("more are needed" in advice for advice in labelled.json()["advice"])
    assert sightread("train", folder).code == 0
    assert sightread("evaluate", folder).failed(2).endswith(TOO_FEW)


def test_pages_of_one_block_have_nothing_to_tell_content_from(sightread, store):
    folder = store([make_page(f"https://x.test/{number}", [BODY(f"Only line {number} stands here.")]) for number in range(6)])
    assert sightread("label", folder, "--json").json()["confidence"] < 0.75
    for command in ("train", "evaluate"):
        assert sightread(command, folder).failed(2).startswith("nothing to learn from: no boilerplate among the labels of ")
    assert not (folder / "model.json").exists()


@pytest.mark.parametrize("number", ["null", "1e999", "-700"])
def test_a_stored_box_that_is_no_box_is_named_with_its_page(sightread, store, number):
    folder = store(news_site(2))
    record = json.loads(encode_page(news_site(1)[0]))
    record["blocks"][1]["box"] = [0, 0, "WIDTH", 20]
    with (folder / "pages.jsonl.gz").open("ab") as file:
        file.write(pack_line(json.dumps(record).replace('"WIDTH"', number).encode()))
    assert sightread("label", folder).failed(2).startswith(f"{folder / 'pages.jsonl.gz'}, page 3: not a page of schema 2: ")


LONG, ODD = "昨日の洪水で古い橋が流された" * 15_000, "\x00\x1b[31m\x7f\u202e\ufeff"
PROPERTIES = {f"--property-{number}": f"{number}px" for number in range(1000)}


def test_odd_pages_are_learned_from(sightread, store):
    """Control characters, boxes as large as numbers go, very many properties, a block and a title of 200,000 characters."""
    first, second, *others = news_site()
    large = [replace(block, box=block.box._replace(y=1e308, width=1e308, height=1e308)) for block in first.blocks]
    odd = [replace(block, text=f"{ODD}{block.text}{ODD}", inlines=()) for block in second.blocks]
    long = (*others[0].blocks[:4], replace(others[0].blocks[4], text=LONG), *others[0].blocks[5:])
    pages = [
        replace(first, blocks=tuple(large)),
        replace(second, blocks=tuple(odd)),
        replace(others[0], titles=(*others[0].titles, LONG), blocks=long),
        *(replace(page, styles=tuple({**style, **PROPERTIES} for style in page.styles)) for page in others[1:]),
    ]
    folder = store(pages)
    for command, *options in (("label",), ("train",), ("evaluate", "--folds", 2)):
        ran = sightread(command, folder, "--json", *options)
        assert (ran.code, ran.err) == (0, ""), command
    assert ran.json()["f1"] > 0.8


def test_a_site_whose_every_article_fails_is_not_learned_and_the_reasons_are_reported_and_kept(sightread, serve, tmp_path):
    pages = stories(4, lambda _: "")
    site = serve({path: page if path == "/" else (404, "text/html", b"<p>Oh") for path, page in pages.items()})
    ran = sightread("learn", site.url(), "--pages", 4, "--out", tmp_path / "site", "--no-pictures", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.messages[-1].endswith(f"{NO_TEXT}; 4 visits gave no page, the first was {site.url('/story/0')}: HTTP status 404")
    assert [reason for _, reason in Corpus.open(tmp_path / "site").failures] == ["HTTP status 404"] * 4


@pytest.mark.parametrize(
    ("name", "command", "content"),
    [
        ("corpus.json", "label", b"\x00\xff\xfe"),
        ("labels.json", "train", b'{"schema":1}'),
        ("labels.json", "train", b"\x80binary"),
        ("crawl.jsonl", "inspect", b'["nonsense"]\n'),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(sightread, corpus, name, command, content):
    (corpus / name).write_bytes(content)
    ran = sightread(command, corpus)
    assert ran.failed(2).startswith(str(corpus / name))
    assert re.search(r"new folder|again", ran.complaint)


@pytest.mark.parametrize("content", [b"", b"\x80\x04binary", b'{"kind":"site","schema":1,"sha256":"0","payload":{}}'])
def test_a_damaged_model_is_not_used(sightread, page, tmp_path, content):
    folder = open_current(SiteHome.of("http://courier.example/", tmp_path / "home"))
    folder.model.write_bytes(content)
    assert sightread("extract", page, "--url", "http://courier.example/ferry", "--model", "site").failed(2).startswith(str(folder.model))


def test_a_corpus_without_pages_says_to_crawl(sightread, store):
    folder = store([])
    ran = sightread("label", folder)
    assert (ran.code, ran.complaint) == (2, f"{folder}: the corpus has no pages yet; crawl the site first")


def test_a_corpus_is_not_inspected_with_another_model_than_its_own(sightread, corpus):
    ran = sightread("inspect", corpus, "--model", "boilerpipe", "--no-open")
    assert ran.failed(2).startswith(f"{corpus}: a corpus is shown with its own model")
