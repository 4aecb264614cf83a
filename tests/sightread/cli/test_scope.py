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
    (tmp_path / "urls").write_text(lines)
    for folder, given, typed in (("a", tmp_path / "urls", b""), ("b", "-", lines.encode())):
        ran = sightread("crawl", "--local", "--urls", given, "--no-pictures", "--out", tmp_path / folder, typed=typed)
        assert ran.code == 0
        assert paths(Corpus.open(tmp_path / folder)) == expected


def test_another_choice_of_pages_is_refused_in_the_same_folder(sightread, site, tmp_path):
    options = ("--no-pictures", "--pages", 2, "--out", tmp_path / "site")
    assert sightread("crawl", site.url(), "--within", site.url("/sport/"), *options).code == 0
    ran = sightread("crawl", site.url(), *options)
    assert ran.code == 2
    assert "began with another choice of pages (within): give the same, or choose another folder" in ran.complaint
    assert sightread("crawl", site.url(), "--within", "/sport/", *options).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no site is named: give the URL to start from, or a list of URLs with --urls FILE"),
        (("https://a.example/", "--within", "news"), "give a path such as /news/"),
        (("https://a.example/", "--include", "blog"), "begin it with / or *"),
        (("https://a.example/", "--sitemap", "sitemap.xml"), "--sitemap sitemap.xml: give the http or https URL of a sitemap"),
        (("--urls", "/nowhere/at/all"), "--urls /nowhere/at/all: cannot be read: No such file or directory"),
        (("https://a.example/", "--urls", "-"), "line 1 of the list of URLs: https://b.example/ is not on a.example"),
    ],
)
def test_what_makes_no_sense_is_one_line(sightread, arguments, message):
    ran = sightread("crawl", *arguments, typed=b"https://b.example/\n")
    assert ran.code == 2
    assert message in ran.complaint
