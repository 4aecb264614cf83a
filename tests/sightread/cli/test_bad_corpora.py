"""Corpora that hold little, too much or nonsense, are damaged, foreign or not there: one clear line, and the right exit code."""

import re

import pytest

from sightread.crawler.corpus import Corpus
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from tests.pages.stories import stories

NO_TEXT = "start from a page that leads to articles"


LONG, ODD = "昨日の洪水で古い橋が流された" * 15_000, "\x00\x1b[31m\x7f\u202e\ufeff"


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
