"""Corpora and models that are damaged, foreign or not there."""

import gzip
import json
import re
import subprocess

import pytest

from sightread.crawler.corpus import Corpus, pack_line
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from tests.pages.stories import ARTICLE


def test_a_damaged_page_is_named_with_the_way_to_keep_the_others(sightread, corpus):
    pages = corpus / "pages.jsonl.gz"
    content = bytearray(pages.read_bytes())
    content[len(content) // 2] ^= 0xFF
    pages.write_bytes(content)
    ran = sightread("label", corpus)
    assert (ran.code, ran.out) == (2, "")
    assert re.match(rf"{pages}, page \d+: damaged: .* run `truncate -s \d+ {pages}` and crawl again", ran.complaint)
    assert pages.read_bytes() == content
    assert not (corpus / "labels.json").exists()


def test_following_that_advice_keeps_the_others(sightread, small_site, corpus):
    pages = corpus / "pages.jsonl.gz"
    digest = Corpus.open(corpus).digest()
    content = bytearray(pages.read_bytes())
    content[-40] ^= 0xFF
    pages.write_bytes(content)
    _, _, advice = sightread("label", corpus).complaint.partition("run `")
    subprocess.run(advice.partition("`")[0].split(), check=True)
    assert len(Corpus.open(corpus)) == 12
    assert sightread("crawl", small_site.url("/en/"), "--pages", 13, "--out", corpus, "--no-pictures").code == 0
    assert Corpus.open(corpus).digest() == digest


def test_a_page_that_is_no_record_is_named(sightread, corpus):
    with (corpus / "pages.jsonl.gz").open("ab") as file:
        file.write(pack_line(b'{"schema":2,"url":7}'))
    ran = sightread("train", corpus)
    assert (ran.code, "page 14: not a page of schema 2" in ran.complaint) == (2, True)


@pytest.mark.parametrize("change", [{"schema": 2}, {"schema": 0}])
def test_a_corpus_of_another_schema_version_is_refused(sightread, corpus, change):
    card = corpus / "corpus.json"
    card.write_text(json.dumps(json.loads(card.read_text()) | change))
    for command in ("label", "inspect"):
        ran = sightread(command, corpus)
        assert (ran.code, ran.out) == (2, "")
        assert ran.complaint.startswith(f"{card}: schema version ")
        assert ran.complaint.endswith("this sightread reads 1: crawl into a new folder")


def test_pages_of_another_schema_version_are_refused(sightread, corpus):
    pages = corpus / "pages.jsonl.gz"
    lines = gzip.decompress(pages.read_bytes()).splitlines()
    pages.write_bytes(b"".join(pack_line(line.replace(b'"schema":2', b'"schema":1')) for line in lines))
    ran = sightread("label", corpus)
    assert (ran.code, "page 1: schema version 1, this sightread reads 2: crawl the site again" in ran.complaint) == (2, True)


@pytest.mark.parametrize(
    ("name", "command", "content"),
    [
        ("corpus.json", "label", b"{"),
        ("corpus.json", "label", b"\x00\xff\xfe"),
        ("labels.json", "train", b'{"schema":1}'),
        ("labels.json", "train", b"\x80binary"),
        ("crawl.jsonl", "inspect", b'["nonsense"]\n'),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(sightread, corpus, name, command, content):
    (corpus / name).write_bytes(content)
    ran = sightread(command, corpus)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(str(corpus / name))
    assert re.search(r"new folder|again", ran.complaint)


@pytest.mark.parametrize("content", [b"", b"{}", b"\x80\x04binary", b'{"kind":"site","schema":1,"sha256":"0","payload":{}}'])
def test_a_damaged_model_is_not_used(sightread, page, tmp_path, content):
    folder = open_current(SiteHome.of("http://courier.example/", tmp_path / "home"))
    folder.model.write_bytes(content)
    ran = sightread("extract", page, "--url", "http://courier.example/ferry", "--model", "site")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(str(folder.model))


def test_a_folder_with_another_sites_corpus_is_left_alone(sightread, serve, corpus):
    digest = Corpus.open(corpus).digest()
    ran = sightread("crawl", serve({"/": ARTICLE}).url(), "--out", corpus)
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(rf"{corpus}: holds a corpus of http://\S+, not of http://\S+: choose another folder", ran.complaint)
    assert Corpus.open(corpus).digest() == digest


def test_a_corpus_without_pages_says_to_crawl(sightread, tmp_path):
    Corpus.create(tmp_path / "site", "http://courier.example/")
    ran = sightread("label", tmp_path / "site")
    assert (ran.code, ran.complaint) == (2, f"{tmp_path / 'site'}: the corpus has no pages yet; crawl the site first")


def test_a_corpus_is_not_inspected_with_another_model_than_its_own(sightread, corpus):
    ran = sightread("inspect", corpus, "--model", "boilerpipe", "--no-open")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(f"{corpus}: a corpus is shown with its own model")
