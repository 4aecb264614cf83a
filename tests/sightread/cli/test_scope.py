"""Which pages `crawl` and `learn` take, from the command line."""

import json

import pytest

from sightread.crawler.corpus import Corpus
from tests.crawler.test_urls import paper, paths, story_of


@pytest.fixture
def site(serve):
    return serve({path: f"<!doctype html>{body}" for path, body in paper().items()})


def test_a_plan_is_printed_and_nothing_is_written(sightread, site, tmp_path):
    options = ("--exclude", "*/harbour-*", "--pages", 3, "--out", tmp_path / "site", "--dry-run")
    ran = sightread("crawl", site.url("/topics/"), *options)
    assert ran.code == 0
    lines = [line.split("\t") for line in ran.out.splitlines()]
    assert lines[0] == ["pages below /topics/: 3 of 3 wanted"]
    assert [line[0] for line in lines[1:4]] == ["take"] * 3
    assert ["leave", site.url(story_of("topics", 0)), "fits */harbour-*, which is excluded"] in lines
    assert not (tmp_path / "site").exists()
    found = json.loads(sightread("crawl", site.url("/topics/"), *options, "--json").out)
    assert found["within"] == "/topics/"
    assert [visit["url"] for visit in found["take"]] == [line[1] for line in lines[1:4]]
    assert sightread("crawl", site.url("/topics/"), *options[:-1], "--no-pictures").code == 0
    assert [page.url for page in Corpus.open(tmp_path / "site")] == [line[1] for line in lines[1:4]]
    assert sightread("crawl", site.url("/nosuch/"), *options).code == 3


def test_a_list_of_urls_is_crawled_from_a_file_or_from_standard_input(sightread, site, tmp_path):
    expected = {story_of("topics", 1), story_of("sport", 2)}
    lines = "# stories\n" + "".join(f"{site.url(path)}\n" for path in sorted(expected))
    command = ("crawl", "--local", "--no-pictures", "--out", tmp_path / "site", "--urls")
    assert sightread(*command, "-", typed=lines.encode()).code == 0
    assert paths(Corpus.open(tmp_path / "site")) == expected
    (tmp_path / "urls").write_text(lines)
    assert sightread(*command, tmp_path / "urls").err == "continuing from 2 of 2 pages\n"
