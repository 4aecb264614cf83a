"""The file format that all models share, and the check of labels before any training."""

import json
import pickle
from pathlib import Path

import joblib
import numpy as np
import pytest

from sightread.classify.model import check_labels, load_payload, save_payload
from sightread.render.errors import BadRecord, Rejected, StorageFailed
from tests.labeling.sites import news_site

GOLD = np.array([0, 0, 1, 1, 1, 1, 1, 0], np.int8)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save_payload(tmp_path / "model.json", "kind", {"weights": [0.1, -2.5], "name": "ঝর্ণা"})
    return tmp_path / "model.json"


def test_a_payload_is_read_as_it_was_written(path: Path):
    assert load_payload(path, "kind", dict) == {"weights": [0.1, -2.5], "name": "ঝর্ণা"}


def test_a_model_file_is_one_line_of_json_with_kind_schema_and_checksum(path: Path):
    assert path.read_bytes().count(b"\n") == 1
    assert json.loads(path.read_bytes()).keys() == {"kind", "schema", "sha256", "payload"}


def test_a_changed_payload_does_not_match_its_checksum(path: Path):
    path.write_bytes(path.read_bytes().replace(b"-2.5", b"-2.6"))
    with pytest.raises(BadRecord, match=r"model\.json: the checksum does not match"):
        load_payload(path, "kind", dict)


def test_a_payload_of_another_shape_is_a_bad_record(path: Path):
    with pytest.raises(BadRecord, match=r"model\.json: not a kind model: Expected `int`.* at `\$\[\.\.\.\]`; train it again"):
        load_payload(path, "kind", dict[str, int])


def test_a_model_of_another_kind_is_refused_by_name(path: Path):
    with pytest.raises(BadRecord, match="a 'kind' model of schema 1, expected 'site' of schema 1; train it again"):
        load_payload(path, "site", dict)


def test_a_model_of_another_schema_is_refused_by_version(path: Path):
    path.write_bytes(path.read_bytes().replace(b'"schema":1', b'"schema":7'))
    with pytest.raises(BadRecord, match="schema 7, expected 'kind' of schema 1"):
        load_payload(path, "kind", dict)


class Trap:
    """Unpickling this writes a file."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self):
        return Path.touch, (self.marker,)


@pytest.mark.parametrize("dump", [lambda value, path: path.write_bytes(pickle.dumps(value)), joblib.dump], ids=["pickle", "joblib"])
def test_a_pickle_is_refused_and_never_run(tmp_path: Path, dump):
    dump(Trap(tmp_path / "marker"), tmp_path / "model.json")
    with pytest.raises(BadRecord, match=r"not a model of sightread.*written by train"):
        load_payload(tmp_path / "model.json", "kind", dict)
    assert not (tmp_path / "marker").exists()


@pytest.mark.parametrize("garbage", [b"", b"\xff\xfe\x00", b"[]", b"{}", b'{"kind":"\xff"}', b"<html>", b"[" * 100_000])
def test_garbage_is_a_bad_record(path: Path, garbage: bytes):
    path.write_bytes(garbage)
    with pytest.raises(BadRecord, match=r"model\.json: not a model of sightread"):
        load_payload(path, "kind", dict)


def test_a_file_cut_short_anywhere_is_a_bad_record(path: Path):
    whole = path.read_bytes().rstrip()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(BadRecord):
            load_payload(path, "kind", dict)


def test_a_missing_file_and_a_folder_are_bad_records(tmp_path: Path):
    for path in (tmp_path / "missing.json", tmp_path):
        with pytest.raises(BadRecord, match="not a model of sightread"):
            load_payload(path, "kind", dict)


def test_a_path_below_a_file_cannot_be_written(path: Path):
    with pytest.raises(StorageFailed, match="cannot write"):
        save_payload(path / "model.json", "kind", {})


def test_labels_of_both_classes_are_accepted_whatever_is_unknown():
    check_labels(news_site(2), [GOLD, np.full(8, -1, np.int8)])


@pytest.mark.parametrize(
    ("labels", "what"),
    [
        ([np.zeros(8, np.int8)] * 2, "no content"),
        ([np.ones(8, np.int8)] * 2, "no boilerplate"),
        ([np.full(8, -1, np.int8)] * 2, "no labels"),
        ([np.minimum(GOLD, 0)] * 2, "no content"),
    ],
)
def test_labels_of_one_class_teach_nothing(labels: list[np.ndarray], what: str):
    with pytest.raises(Rejected, match=f"nothing to learn from: {what} among the labels of 2 pages"):
        check_labels(news_site(2), labels)


@pytest.mark.parametrize("labels", [[GOLD], [GOLD] * 3, [GOLD, GOLD[:-1]], [GOLD, GOLD[:0]]])
def test_labels_of_another_length_are_rejected(labels: list[np.ndarray]):
    with pytest.raises(Rejected, match="labels do not fit the pages"):
        check_labels(news_site(2), labels)
