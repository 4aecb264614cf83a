"""Pages, documents and corpora as pandas DataFrames."""

import math

import numpy as np
import pytest

import sightread
from sightread.crawler.corpus import Corpus
from sightread.document.document import build_document
from sightread.sites.learn import Site, label
from tests.labeling.sites import lines_of, page_with, write_article
from tests.render.test_page import small_page


def test_a_page_gives_one_row_per_block():
    frame = sightread.to_dataframe(small_page())
    assert list(frame["text"]) == ["one", "two"]
    assert (list(frame["page"]), list(frame["block"])) == ([0, 0], [0, 1])
    assert list(frame["tag_path"]) == ["body/div/p", "body/div"]
    assert list(frame["selector_path"]) == ["body/div#main.a.b/p", "body/div#main.a.b"]
    assert frame[["x", "y", "width", "height"]].to_numpy().tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert list(frame["link_chars"]) == [3, 0]
    assert (list(frame["hidden"]), list(frame["z"]), list(frame["heading"])) == (["", "clip"], [0, 2], [0, 1])
    assert frame["css.color"][0] == "red"
    assert math.isnan(frame["css.color"][1])


def test_a_document_adds_the_decision_for_each_block():
    frame = sightread.to_dataframe(build_document(small_page(), np.array([0.9, 0.2])))
    assert list(frame["is_kept"]) == [True, False]
    assert list(frame["reason"]) == ["probability", "low probability"]
    assert frame["probability"].tolist() == [0.9, 0.2]


def test_a_corpus_gives_all_its_pages_and_their_labels_if_there_are_any(tmp_path):
    with Corpus.create(tmp_path, "https://x.test/") as corpus:
        for number in range(8):
            corpus.append(page_with(write_article(number), lines_of(write_article(number))))
    assert "label" not in sightread.to_dataframe(tmp_path)
    labels = label(Site.open(tmp_path))
    for source in (str(tmp_path), Corpus.open(tmp_path)):
        frame = sightread.to_dataframe(source)
        assert frame["label"].tolist() == np.concatenate(labels.labels).tolist()
        assert frame["cluster"].tolist() == np.concatenate(labels.assignments).tolist()
        assert frame["page"].nunique() == 8


def test_several_documents_give_one_row_per_page():
    document = build_document(small_page(), np.array([0.9, 0.2]))
    frame = sightread.to_dataframe(iter([document, document]))
    assert (list(frame["text"]), list(frame["url"])) == ([document.text] * 2, [document.url] * 2)
    assert sightread.to_dataframe([]).columns.tolist() == frame.columns.tolist()
    with pytest.raises(sightread.Rejected, match="several of them"):
        sightread.to_dataframe([small_page()])
