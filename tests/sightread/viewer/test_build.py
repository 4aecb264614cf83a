from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.model import Prediction
from sightread.crawler.corpus import FailedVisit
from sightread.document.document import build_document
from sightread.labeling.known_clusters import KnownClusters
from sightread.labeling.labels import Confidence, SiteLabels
from sightread.render.page import Block, Element, Page
from sightread.viewer.build import Findings, build_page, build_site, explain_block
from sightread.viewer.records import JobSummary, encode

JOB = JobSummary("A site", "https://a.example/")


def page(*texts, language=""):
    blocks = tuple(Block(text, 0) for text in texts)
    return Page("https://a.example/p", "https://a.example/p", "static", (Element("body", -1),), blocks, titles=("P",), language=language)


def labelled(*rows):
    arrays = tuple(np.array(row, dtype=np.int8) for row in rows)
    assignments = tuple(np.zeros(len(row), dtype=np.int32) for row in rows)
    is_certain = Confidence(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, ())
    return SiteLabels((), assignments, arrays, (0.9,) * len(rows), (), is_certain, KnownClusters(0.0, ()))


@given(st.text())
def test_json_holds_nothing_that_html_would_read_and_loses_nothing(text):
    json = encode(((text, 1.0),)).decode()
    assert not set("<>&\u2028\u2029") & set(json)
    assert msgspec.json.decode(json) == [[text, 1.0]]


def test_a_long_text_is_cut_and_paths_that_are_alike_are_said_once():
    view = build_page(Findings(JOB, [page("a" * 300, "b" * 301)]), 0)
    assert [block.text for block in view.blocks] == ["a" * 300, "b" * 299 + "…"]
    assert view.paths == (("body", "body"),)


def findings_of(pages, predictions, labels=None, job=JOB):
    """The findings of a model: predictions and documents."""
    found = [np.array(row) for row in predictions]
    documents = [build_document(of_page, Prediction(row)) for of_page, row in zip(pages, found, strict=True)]
    return Findings(job, pages, labels=labels, predictions=found, documents=documents)


def test_the_viewer_shows_the_expected_f1_that_the_document_has():
    findings = findings_of([page("a")], [[0.9]])
    assert build_site(findings).pages[0].expected_f1 == round(findings.documents[0].expected_f1, 4)


@pytest.mark.parametrize(
    ("label", "probability", "kept", "unsure", "disagrees"),
    [
        (1, 0.9, True, False, False),
        (1, 0.5, True, True, False),
        (1, 0.49, False, True, True),
        (0, 0.8, True, False, True),
        (0, 0.25, False, False, False),
        (-1, 0.9, True, False, False),
        (-1, 0.1, False, False, False),
    ],
)
def test_a_block_is_judged_by_its_label_and_its_prediction(label, probability, kept, unsure, disagrees):
    findings = Findings(JOB, [page("a")], labels=labelled([label]), predictions=[np.array([probability])])
    block = build_page(findings, 0).blocks[0]
    assert (block.kept, block.unsure, block.disagrees) == (kept, unsure, disagrees)


def test_without_predictions_labels_decide_and_without_labels_predictions_and_with_neither_nothing_is_claimed():
    site = build_site(Findings(JOB, [page("a", "b", "c")], labels=labelled([1, 0, -1])))
    assert (site.pages[0].kept, site.pages[0].disagreements) == (1, 0)
    site = build_site(Findings(JOB, [page("aaa", "b")], predictions=[np.array([1.0, 0.5])]))
    assert (site.pages[0].kept, site.confidence, site.fold_means, site.clusters) == (2, None, None, ())
    summary = build_site(Findings(JOB, [page("a")])).pages[0]
    assert (summary.expected_f1, summary.kept) == (None, 0)


def test_the_gravest_concern_comes_first_and_a_page_once():
    pages = [page("a", "b") for _ in range(5)]
    labels = labelled([1, 0], [1, 0], [-1, -1], [1, 0], [1, 0])
    predictions = ([0.5, 0.3], [0.9, 0.9], [0.9, 0.1], [0.1, 0.1], [0.1, 0.9])
    job = JobSummary("A site", "https://a.example/", failures=(FailedVisit("https://a.example/gone", "404"),))
    attention = build_site(findings_of(pages, predictions, labels, job)).attention
    assert [(look.concern, look.page) for look in attention] == [
        ("failed", None),
        ("empty", 3),
        ("unlabelled", 2),
        ("disagreement", 4),
        ("disagreement", 1),
        ("unsure", 0),
    ]


def test_a_page_that_another_model_read_is_not_empty_and_names_it():
    """The site's model keeps nothing of either page; the global model read the first."""
    pages = [page("a", "b"), page("a", "b")]
    read = ((np.array([0.9, 0.1]), "global"), (np.zeros(2), "site"))
    documents = [build_document(of_page, Prediction(found), model) for of_page, (found, model) in zip(pages, read, strict=True)]
    findings = Findings(JOB, pages, predictions=[np.zeros(2), np.zeros(2)], documents=documents)
    site = build_site(findings)
    assert [look.page for look in site.attention if look.concern == "empty"] == [1]
    assert [summary.model for summary in site.pages] == ["global", "site"]


def test_the_reasons_of_a_block_are_its_weightiest():
    findings = Findings(JOB, [page("a")], explain=lambda _, row: [("small", 0.1), ("against", -3.0), ("for", 2.0)])
    assert explain_block(findings, 0, 0, 2) == (("against", -3.0), ("for", 2.0))
    view = build_page(findings, 0, reasons=1)
    assert view.features == ("against",) and view.blocks[0].reasons == ((0, -3.0),)
    assert build_page(findings, 0).blocks[0].reasons == ()


def test_what_the_global_model_reads_otherwise_is_counted_page_by_page():
    pages = [page("a" * 100, "b" * 50), page("a" * 100, "b" * 5), page("a" * 100, "b" * 50)]
    predictions = [[0.95, 0.97]] * 3
    overall = [np.array([0.9, 0.1]), np.array([0.9, 0.1]), np.array([0.9, 0.9])]
    view = build_site(replace(findings_of(pages, predictions), overall=overall))
    assert [page.difference for page in view.pages] == [(0.8, 50, 0), (0.9756, 5, 0), (1.0, 0, 0)]
    assert all(page.difference is None for page in build_site(findings_of(pages, predictions)).pages)
    assert [(look.page, look.reason[-5:]) for look in view.attention] == [(0, "20.0%"), (1, " 2.4%")]
    with pytest.raises(ValueError, match="overall: not one for each block"):
        replace(findings_of(pages, predictions), overall=overall[:2])
