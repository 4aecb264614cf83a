"""The main job step by step, each step a command of its own."""

import json
import re
import shutil

import pytest

from sightread.crawler.corpus import Corpus
from sightread.sites.learn import Site, label, learn_corpus
from sightread.viewer.report import write_site_report


@pytest.fixture(scope="module")
def labelled_once(crawled, tmp_path_factory):
    """A labelled corpus; only to be copied."""
    folder = shutil.copytree(crawled, tmp_path_factory.mktemp("labelled") / "corpus")
    label(Site.open(folder))
    return folder


@pytest.fixture
def labelled(labelled_once, tmp_path):
    """A labelled corpus of the test's own."""
    return shutil.copytree(labelled_once, tmp_path / "corpus")


def test_crawl_writes_a_corpus_in_the_folder_of_the_site(sightread, small_site, tmp_path):
    ran = sightread("crawl", small_site.url("/en/"), "--pages", 3, "--json")
    folder = tmp_path / "home" / "sites" / small_site.root.removeprefix("http://").replace(":", "_") / "0001"
    assert ran == (0, ran.out, "")
    fault_counts = dict.fromkeys(("retried", "restarts", "recycled", "killed_for_memory"), 0)
    assert ran.json() == {"folder": str(folder), "pages": 3, "failures": 0} | fault_counts
    assert len(Corpus.open(folder)) == 3
    assert all((folder / "pictures" / f"000{number}.webp").is_file() for number in (1, 2, 3))


def test_crawl_goes_where_it_is_reported_and_takes_no_pictures_if_told(sightread, small_site, tmp_path):
    ran = sightread("crawl", small_site.url("/en/"), "--pages", 2, "--out", tmp_path / "here", "--no-pictures")
    assert ran.code == 0
    assert [line.split() for line in ran.out.splitlines()] == [["folder", str(tmp_path / "here")], ["pages", "2"], ["failures", "0"]]
    assert len(Corpus.open(tmp_path / "here")) == 2
    assert not (tmp_path / "here" / "pictures").exists()


def test_crawling_again_for_as_many_pages_asks_the_site_for_nothing(sightread, small_site, corpus):
    before = len(small_site.requests)
    ran = sightread("crawl", small_site.url("/en/"), "--pages", 13, "--out", corpus)
    assert (ran.code, ran.err) == (0, "continuing from 13 of 13 pages\n")
    assert len(small_site.requests) == before


def test_label_states_what_it_found(sightread, corpus):
    ran = sightread("label", corpus, "--json")
    answer = ran.json()
    assert (ran.code, ran.err) == (0, "")
    assert answer.keys() == {"labels", "pages", "clusters", "content_clusters", "templates", "confidence", "advice"}
    assert (answer["labels"], answer["pages"], answer["advice"]) == (str(corpus / "labels.json"), 13, [])
    assert answer["clusters"] > answer["content_clusters"] >= answer["templates"] >= 1
    assert 0.75 <= answer["confidence"] <= 1


def test_train_writes_the_model(sightread, labelled):
    ran = sightread("train", labelled, "--json")
    assert (ran.code, ran.json(), ran.err) == (0, {"model": str(labelled / "model.json"), "pages": 13}, "")
    assert (labelled / "model.json").is_file()


def test_evaluate_scores_every_fold_and_writes_the_score_down(sightread, labelled):
    ran = sightread("evaluate", labelled, "--json", "--folds", 3)
    answer = ran.json()
    assert (ran.code, answer["model"], len(answer["fold_f1"])) == (0, "site", 3)
    assert answer["f1"] >= 0.8  # folds of four pages of three templates
    assert answer["trusted"] == (not answer["doubt"])
    assert 0 < answer["expected_f1"] <= 1
    written = json.loads((labelled / "evaluation.json").read_bytes())
    assert (written["pages"], round(written["f1"], 4), len(written["folds"])) == (13, answer["f1"], 3)


def test_evaluating_another_model_leaves_the_standing_of_the_sites_own_alone(sightread, labelled):
    ran = sightread("evaluate", labelled, "--model", "boilerpipe", "--json")
    assert (ran.code, ran.json()["model"]) == (0, "boilerpipe")
    assert 0.2 < ran.json()["f1"] < 0.9
    assert not (labelled / "evaluation.json").exists()


def test_a_site_is_named_by_the_url_of_any_of_its_pages(sightread, small_site, crawled, tmp_path):
    host = small_site.root.removeprefix("http://")
    with Corpus.create(tmp_path / "home" / "sites" / host.replace(":", "_"), small_site.url("/en/")) as writer:
        for number in range(3):
            writer.append(Corpus.open(crawled).page(number))
    assert sightread("label", small_site.root).code == 0
    for name in (small_site.root, small_site.url("/"), small_site.url("/en/"), small_site.url("/en/city.html"), host):
        assert sightread("train", name).code == 0, name


def test_people_read_a_list_and_machines_one_line(sightread, labelled):
    assert sightread("train", labelled).out == f"{'model':>16}  {labelled / 'model.json'}\n{'pages':>16}  13\n"


@pytest.mark.parametrize(
    ("command", "advice"),
    [("train", "run: sightread label {folder}"), ("evaluate", "run: sightread label {folder}")],
)
def test_a_step_too_early_names_the_one_that_is_missing(sightread, corpus, command, advice):
    ran = sightread(command, corpus)
    assert ran.code == 2
    assert ran.complaint == f"{corpus}: its pages have no labels, or have changed since; {advice.format(folder=corpus)}"


@pytest.mark.parametrize("command", ["label", "train", "evaluate"])
def test_a_step_without_a_corpus_states_where_it_looked(sightread, tmp_path, command):
    ran = sightread(command, tmp_path / "nowhere")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint == f"{tmp_path / 'nowhere'}: no corpus there (it has no corpus.json): name the folder that a crawl wrote"


def test_labels_of_other_pages_are_not_used(sightread, labelled):
    with Corpus.open(labelled) as writer:
        writer.append(writer.page(0))
    ran = sightread("train", labelled)
    assert ran.code == 2
    assert ran.complaint.startswith(f"{labelled}: its pages have no labels, or have changed since")
    assert not (labelled / "model.json").exists()


def files_of(folder):
    """All files of a site's folder with their content; the report without the time at which it was made."""
    found = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {path: re.sub(rb'"made_at":"[^"]*"', b"", content) for path, content in found.items()}


def test_the_steps_one_by_one_write_the_same_files_as_learn(sightread, corpus, tmp_path):
    learned = shutil.copytree(corpus, tmp_path / "learned" / corpus.name)  # the name of the folder is that of the version
    write_site_report(learn_corpus(learned).results)
    for step in ("label", "train", "evaluate"):
        assert sightread(step, corpus).code == 0
    assert files_of(corpus) == files_of(learned)
    (corpus / "articles.jsonl").unlink()
    shutil.rmtree(corpus / "articles")
    ran = sightread("report", corpus, "--json")
    assert ran.json() == {
        "report": str(corpus / "report.html"),
        "pages": 13,
        "articles": str(corpus / "articles"),
        "article_lines": str(corpus / "articles.jsonl"),
    }
    assert files_of(corpus) == files_of(learned)


def test_a_site_that_is_only_crawled_gets_a_report_without_articles(sightread, corpus):
    ran = sightread("report", corpus)
    assert (ran.code, ran.err) == (0, "")
    assert (corpus / "report.html").is_file()
    assert not (corpus / "articles.jsonl").exists()
