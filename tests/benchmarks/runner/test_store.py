"""The cache of extractions and scores."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.runner.store import Extraction, Store, digest
from sightread.classify.evaluation import Score
from sightread.render.errors import BadRecord, StorageFailed

ANY_TEXT = st.text(st.characters(exclude_categories=()))


def test_what_is_kept_is_found_again_under_its_version_alone(tmp_path: Path):
    with Store(tmp_path) as store:
        store.keep("one", "1", [("p", Extraction("text", "", 0.5)), ("q", Extraction("", "ValueError: odd", 0.25))])
    with Store(tmp_path) as store:
        assert store.text("one", "1", "p") == "text"
        assert {page: (each.failure, each.cpu) for page, each in store.kept("one", "1").items()} == {
            "p": ("", 0.5),
            "q": ("ValueError: odd", 0.25),
        }
        assert store.kept("one", "2") == store.kept("two", "1") == {}
        with pytest.raises(BadRecord, match="one 2 has no text of page p: run it again"):
            store.text("one", "2", "p")


def test_what_is_kept_again_replaces_what_was_there(tmp_path: Path):
    with Store(tmp_path) as store:
        for text in ("old", "new"):
            store.keep("one", "1", [("p", Extraction(text))])
        assert store.text("one", "1", "p") == "new"
        assert store.kept("one", "1")["p"].digest == digest("new")


@given(texts=st.lists(ANY_TEXT, max_size=5))
@settings(max_examples=20, deadline=None)
def test_any_text_survives(texts: list[str], tmp_path_factory: pytest.TempPathFactory):
    with Store(tmp_path_factory.mktemp("store")) as store:
        store.keep("one", "1", [(str(number), Extraction(text)) for number, text in enumerate(texts)])
        assert [store.text("one", "1", str(number)) for number in range(len(texts))] == texts


@given(ANY_TEXT, ANY_TEXT)
def test_where_one_text_ends_and_the_next_begins_counts(one: str, other: str):
    assert (digest(one, other) == digest(one + other, "")) == (other == "")


def test_scores_are_found_by_texts_and_measure_and_no_number_stays_none(tmp_path: Path):
    with Store(tmp_path) as store:
        store.keep_scores("rouge 1", {("a", "b"): Score(0.5, 1.0, 2 / 3), ("", "b"): Score(math.nan, 0.0, 0.0)})
        found = store.scores("rouge 1")
        assert found["a", "b"] == Score(0.5, 1.0, 2 / 3)
        assert math.isnan(found["", "b"].precision)
        assert store.scores("rouge 2") == {}


def test_two_runs_may_write_at_once(tmp_path: Path):
    with Store(tmp_path) as one, Store(tmp_path) as other:
        one.keep("one", "1", [("p", Extraction("a"))])
        other.keep("one", "1", [("q", Extraction("b"))])
        assert set(one.kept("one", "1")) == {"p", "q"}


def test_a_damaged_file_is_reported_with_what_to_do(tmp_path: Path):
    tmp_path.joinpath("extractions.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(StorageFailed, match=r"extractions.sqlite: .*; free the disk, or delete the file and run again"):
        Store(tmp_path)


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path):
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(StorageFailed, match="choose another folder with --cache"):
        Store(tmp_path / "file" / "cache")
