"""The main job step by step, which pages it takes, and the demo that a new user tries first."""

import json
import re
import shutil
from pathlib import Path

import pytest

from sightread.crawler.corpus import Corpus
from sightread.sites.learn import learn_corpus
from sightread.viewer.report import write_site_report
from tests.crawler.test_urls import paper, paths, story_of
from tests.labeling.sites import news_site
from tests.pages.shown import report_data

PAGES = 12
"""Of the corpus."""


def test_crawl_writes_a_corpus_in_the_folder_of_the_site_and_goes_on_there(sightread, small_site, tmp_path):
    host = small_site.root.removeprefix("http://")
    folder = tmp_path / "home" / "sites" / host.replace(":", "_") / "0001"
    command = ("crawl", small_site.url("/en/"), "--pages", 3)
    ran = sightread(*command, "--json")
    assert ran == (0, ran.out, "")
    fault_counts = dict.fromkeys(("retried", "restarts", "recycled", "killed_for_memory"), 0)
    assert ran.json() == {"folder": str(folder), "pages": 3, "failures": 0} | fault_counts
    assert len(Corpus.open(folder)) == 3
    assert all((folder / "pictures" / f"000{number}.webp").is_file() for number in (1, 2, 3))
    before = len(small_site.requests)
    again = sightread(*command)
    assert (again.code, again.err) == (0, "continuing from 3 of 3 pages\n")
    assert [line.split() for line in again.out.splitlines()] == [["folder", str(folder)], ["pages", "3"], ["failures", "0"]]
    by_name = sightread("crawl", host, "--pages", 3, "--local")
    assert by_name.err.startswith(f"{host} is a learned site: {small_site.url('/en/')}\n")
    assert len(small_site.requests) == before
    assert sightread("label", small_site.root).code == 0
    for name in (small_site.root, small_site.url("/en/city.html"), host):
        assert sightread("train", name).code == 0, name


def test_each_step_states_what_it_did_and_one_too_early_names_the_one_that_is_missing(sightread, corpus):
    early = f"{corpus}: its pages have no labels, or have changed since; run: sightread label {corpus}"
    for command in ("train", "evaluate"):
        ran = sightread(command, corpus)
        assert (ran.code, ran.complaint) == (2, early)
    ran = sightread("report", corpus)
    assert (ran.code, ran.err, (corpus / "report.html").is_file(), (corpus / "articles.jsonl").exists()) == (0, "", True, False)
    answer = sightread("label", corpus, "--json").json()
    assert answer.keys() == {"labels", "pages", "clusters", "content_clusters", "templates", "confidence", "advice"}
    assert (answer["labels"], answer["pages"], answer["advice"]) == (str(corpus / "labels.json"), PAGES, [])
    assert answer["clusters"] > answer["content_clusters"] >= answer["templates"] >= 1 and 0.75 <= answer["confidence"] <= 1
    assert sightread("evaluate", corpus, "--model", "boilerpipe", "--json").json()["model"] == "boilerpipe"
    assert not (corpus / "evaluation.json").exists()
    assert sightread("train", corpus, "--json").json() == {"model": str(corpus / "model.json"), "pages": PAGES}
    assert sightread("train", corpus).out == f"{'model':>16}  {corpus / 'model.json'}\n{'pages':>16}  {PAGES}\n"
    answer = sightread("evaluate", corpus, "--json", "--folds", 3).json()
    assert (answer["model"], len(answer["fold_f1"]), answer["trusted"]) == ("site", 3, not answer["doubt"])
    assert answer["f1"] >= 0.8 and 0 < answer["expected_f1"] <= 1
    written = json.loads((corpus / "evaluation.json").read_bytes())
    assert (written["pages"], round(written["f1"], 4), len(written["folds"])) == (PAGES, answer["f1"], 3)
    with Corpus.open(corpus) as writer:
        writer.append(news_site(PAGES + 1)[-1])
    assert sightread("train", corpus).complaint == early  # these are labels of other pages


def files_of(folder):
    """All files of a site's folder with their content; the report without the time at which it was made."""
    found = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    unpacked = {path: "".join(report_data(folder / path).values()).encode() for path in found if path.name == "report.html"}
    return {path: re.sub(rb'"made_at":"[^"]*"', b"", content) for path, content in (found | unpacked).items()}


def test_the_steps_one_by_one_write_the_same_files_as_learn(sightread, corpus, tmp_path):
    learned = shutil.copytree(corpus, tmp_path / "learned" / corpus.name)  # the name of the folder is that of the version
    write_site_report(learn_corpus(learned).results)
    for step in ("label", "train", "evaluate"):
        assert sightread(step, corpus).code == 0
    assert files_of(corpus) == files_of(learned)
    (corpus / "articles.jsonl").unlink()
    shutil.rmtree(corpus / "articles")
    written = {"articles": str(corpus / "articles"), "article_lines": str(corpus / "articles.jsonl")}
    assert sightread("report", corpus, "--json").json() == {"report": str(corpus / "report.html"), "pages": PAGES} | written
    assert files_of(corpus) == files_of(learned)


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


def test_the_command_learns_it_and_ends_with_the_path_of_the_report(sightread, tmp_path):
    ran = sightread("demo", "--port", 0, "--pages", 8, "--no-pictures")
    assert ran.code == 0, ran
    reported = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert (reported["pages"], reported["trusted"]) == ("8", "True")
    assert list(reported)[-1] == "report"
    report = Path(reported["report"])
    assert report.is_relative_to(tmp_path / "home" / "sites")
    assert sum(name.startswith("page-") for name in report_data(report)) == 8
    assert len(Corpus.open(report.parent)) == len(list(Path(reported["articles"]).glob("*.md"))) == 8
    assert ran.err.splitlines()[-1] == "writing the report …"
