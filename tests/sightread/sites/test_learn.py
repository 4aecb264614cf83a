"""The main job on the whole demo site, against the gold labels that only tests read."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import pytest
from lxml import html

from sightread.classify.evaluation import block_score
from sightread.classify.model import Prediction
from sightread.classify.site.model import SiteModel
from sightread.crawler.corpus import Corpus
from sightread.data.demo import HELD_OUT, ODD_PAGES, article_paths
from sightread.labeling.labels import load_labels
from sightread.models.model_choice import choose_for
from sightread.reading import apply_model
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.sites.learn import Learned, Site, evaluate, known_results, label, learn_corpus, read_articles, train
from sightread.sites.store import LearnedSite
from sightread.viewer.report import site_findings, write_site_report
from tests.labeling.sites import news_site, same_but_for_the_url, write_corpus
from tests.pages.shown import report_data

TEMPLATES = ("news", "feature", "report")
LANGUAGES = ("en", "zh", "bn", "ar", "hi")


STEPS = [
    "reading the corpus",
    "labelling blocks",
    "training the site's model",
    "evaluating on held-out pages",
    "extracting articles",
]


class LearnedCorpus(NamedTuple):
    """A small corpus after the main job; only to be copied."""

    path: Path
    learned: Learned
    steps: list[str]


@pytest.fixture(scope="module")
def learned_corpus(tmp_path_factory) -> LearnedCorpus:
    path = write_corpus(tmp_path_factory.mktemp("learned") / "corpus", news_site(12))
    steps: list[str] = []
    return LearnedCorpus(path, learn_corpus(path, steps.append), steps)


@pytest.fixture
def learned_site(learned_corpus, tmp_path) -> Site:
    return Site.open(shutil.copytree(learned_corpus.path, tmp_path / "corpus"))


def gold_labels(page: Page) -> Labels:
    """1 for each block in an element that the markup calls content, else 0."""
    return np.array(
        [any("data-gold" in page.elements[row].attributes for row in page.ancestors(block.element)) for block in page.blocks], np.int8
    )


def gold_texts(body: bytes) -> list[str]:
    """The texts of the elements that the markup calls content, as the HTML has them."""
    return [squeeze(element.text_content()) for element in html.document_fromstring(body.decode()).xpath("//*[@data-gold]")]


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def f1(found: Sequence[Labels], gold: Sequence[Labels]) -> float:
    return block_score(np.concatenate(found), np.concatenate(gold)).f1


def test_the_job_leaves_every_article_with_labels_model_evaluation_and_report(demo):
    assert {page.url for page in demo.pages} == {demo.site.url(path) for path in article_paths()}
    assert ODD_PAGES["private"] not in demo.site.requests
    folder = demo.learned.folder
    assert load_labels(folder.labels, Corpus.open(folder.path).digest()) is not None
    assert SiteModel.load(folder.model).pages == len(demo.pages)
    assert json.loads(folder.evaluation.read_bytes())["pages"] == len(demo.pages)
    assert folder.report.read_text("utf-8").endswith("</html>\n")
    assert [path for path in folder.path.rglob("*") if path.name.endswith(".part")] == []
    index, lines = (
        [json.loads(line) for line in path.read_bytes().splitlines()] for path in (folder.articles / "index.jsonl", folder.article_lines)
    )
    assert [(line["file"], line["url"]) for line in index] == [(f"{row:04}.md", page.url) for row, page in enumerate(demo.pages, 1)]
    for entry, line, page in zip(index, lines, demo.pages, strict=True):
        assert line["url"] == page.url and line["published"] and line["language"] and entry["title"]
        assert entry["model"] == line["model"] == "site" and entry["expected_f1"] == line["expected_f1"] > 0.9
        markdown = (folder.path / line["file"]).read_text("utf-8")
        assert markdown.endswith(f"\n---\n\n{line['markdown']}\n") and not markdown.endswith("\n\n")
        (headline,) = (block.text for block in page.blocks if block.heading == 1)
        assert markdown.split("\n---\n\n")[1].splitlines()[0].removeprefix("# ").replace("\\", "") == headline
        assert line["text"].split()[0] in line["markdown"]


@pytest.mark.parametrize("template", TEMPLATES)
def test_labels_found_without_help_agree_with_gold(demo, template):
    for language in LANGUAGES:
        rows = [
            row
            for row, page in enumerate(demo.pages)
            if page.url.startswith(demo.site.url(f"/{language}/")) and template in page.elements[0].classes
        ]
        assert len(rows) >= 3
        found = f1([demo.learned.labels.labels[row] for row in rows], [gold_labels(demo.pages[row]) for row in rows])
        assert found >= 0.98, language


def test_the_model_agrees_with_labels_and_gold_on_pages_it_was_not_trained_on(demo):
    evaluation = evaluate(Site.open(demo.learned.folder.path))
    assert demo.learned.site_evaluation.f1 == evaluation.score.f1 >= 0.99
    assert min(fold.f1 for fold in evaluation.folds) >= 0.98
    held_out = [(probabilities >= 0.5).astype(np.int8) for probabilities in evaluation.held_out if probabilities is not None]
    assert f1(held_out, [gold_labels(page) for page in demo.pages]) >= 0.99
    assert demo.learned.site_evaluation.distrust_reason == ""


@pytest.mark.parametrize("path", HELD_OUT)
async def test_a_new_page_is_extracted_with_all_its_paragraphs_and_nothing_else(demo, demo_reader, path):
    document = await demo_reader.extract(demo.site.url(path))
    assert document.model == "site"
    assert [squeeze(block.text) for block in document.blocks] == gold_texts(demo.site.pages[path][2])


def test_articles_are_what_auto_gives_where_the_sites_model_is_not_trusted(learned_site):
    evaluation = learned_site.folder.evaluation
    evaluation.write_text(json.dumps(json.loads(evaluation.read_bytes()) | {"f1": 0.41}))
    documents = read_articles(learned_site)
    assert {document.model for document in documents} == {"global"}
    message = "global read the page: the site's model is not trusted: its F1 on unseen pages is 0.410 (minimum 0.97, "
    assert all(document.note.startswith(message) for document in documents)
    found = site_findings(known_results(learned_site))
    assert [document.markdown for document in found.documents] == [document.markdown for document in documents]
    assert (found.job.model, {document.model for document in found.documents}) == ("global", {"global"})
    assert found.job.conclusion and "its F1 on unseen pages is 0.41" in found.job.conclusion[1]


def test_how_both_models_do_on_the_same_labels_is_written_down_and_an_older_file_without_it_is_read(learned_corpus, learned_site):
    site_evaluation, folder = learned_corpus.learned.site_evaluation, learned_site.folder
    assert learned_corpus.steps == STEPS
    assert not folder.recent.exists()  # its own pages say nothing about a change of the site
    assert len(site_evaluation.global_folds) == len(site_evaluation.folds) > 1
    assert 0.5 < site_evaluation.global_f1 <= 1
    assert site_evaluation.mean_fold_f1 == pytest.approx(np.mean([f1 for _, _, f1 in site_evaluation.folds]))
    older = json.loads(folder.evaluation.read_bytes())
    del older["global_f1"], older["global_folds"]
    folder.evaluation.write_text(json.dumps(older))
    assert folder.read_evaluation() == msgspec.structs.replace(site_evaluation, global_f1=None, global_folds=())


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        (news_site(1), "it was learned from 1 page, the minimum is 5"),
        (same_but_for_the_url(6), "of the 6 pages that it was learned from too few differ and have content"),
    ],
)
def test_pages_that_none_can_be_held_out_of_have_articles_and_a_report(pages, reason, tmp_path):
    learned = learn_corpus(write_corpus(tmp_path / "site", pages))
    assert (learned.site_evaluation.distrust_reason, learned.site_evaluation.expected_f1) == (reason, 0.0)
    write_site_report(learned.results)
    assert reason in report_data(learned.folder.report)["site"]
    assert learned.folder.article_lines.is_file() and site_findings(learned.results).predictions is not None


def test_auto_reads_a_page_by_the_global_model_if_the_sites_keeps_nothing_of_it(learned_site, monkeypatch):
    page = learned_site.pages[0]
    choice = choose_for(LearnedSite.load(learned_site.folder))
    assert apply_model(choice, page, is_new=False).document.model == "site"
    monkeypatch.setattr(LearnedSite, "complete", lambda *_: Prediction(np.zeros(len(page.blocks))))
    found = apply_model(choice, page, is_new=False).document
    assert (found.model, found.version, found.note) == ("global", "", "global read the page: the site's model keeps nothing of it")
    assert found.text


def test_the_same_files_are_written_again_and_the_evaluation_of_a_former_model_does_not_count(learned_site):
    folder = learned_site.folder
    assert choose_for(LearnedSite.load(folder)).site is not None
    before = folder.labels.read_bytes(), folder.model.read_bytes()
    label(learned_site)
    train(learned_site)
    assert (folder.labels.read_bytes(), folder.model.read_bytes()) == before
    choice = choose_for(LearnedSite.load(folder))
    assert (choice.site, choice.model.name) == (None, "global")
    assert "it was never evaluated" in choice.notes[0].message
    evaluate(learned_site)
    assert choose_for(LearnedSite.load(folder)).site is not None
