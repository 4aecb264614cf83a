"""The two file formats of models, which nothing else is taken for, and the check of labels before any training."""

import json
import pickle
import zipfile
from pathlib import Path

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify import weights
from sightread.classify.model import check_labels, load_payload, save_payload
from sightread.classify.weights import load_weights, save_weights
from sightread.render.errors import BadRecord, Rejected
from tests.labeling.sites import news_site

GOLD = np.array([0, 0, 1, 1, 1, 1, 1, 0], np.int8)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save_payload(tmp_path / "model.json", "kind", {"weights": [0.1, -2.5], "name": "ঝর্ণা"})
    return tmp_path / "model.json"


def test_a_payload_is_read_as_it_was_written(path: Path):
    assert load_payload(path, "kind", dict) == {"weights": [0.1, -2.5], "name": "ঝর্ণা"}
    assert path.read_bytes().count(b"\n") == 1
    assert json.loads(path.read_bytes()).keys() == {"kind", "schema", "sha256", "payload"}


def test_a_changed_payload_does_not_match_its_checksum(path: Path):
    path.write_bytes(path.read_bytes().replace(b"-2.5", b"-2.6"))
    with pytest.raises(BadRecord, match=r"model\.json: the checksum does not match"):
        load_payload(path, "kind", dict)


def test_a_payload_of_another_shape_is_a_bad_record(path: Path):
    with pytest.raises(BadRecord, match=r"model\.json: not a kind model: Expected `int`.* at `\$\[\.\.\.\]`; train it again"):
        load_payload(path, "kind", dict[str, int])


def test_a_model_of_another_kind_or_schema_is_refused_by_name(path: Path):
    with pytest.raises(BadRecord, match="a 'kind' model of schema 1, expected 'site' of schema 1; train it again"):
        load_payload(path, "site", dict)
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


def test_garbage_and_a_file_cut_short_anywhere_are_bad_records(path: Path):
    whole = path.read_bytes().rstrip()
    garbage = (b"\xff\xfe\x00", b"[]", b"{}", b'{"kind":"\xff"}', b"<html>", b"[" * 100_000)
    for data in (*garbage, *(whole[:length] for length in range(len(whole)))):
        path.write_bytes(data)
        with pytest.raises(BadRecord, match=r"model\.json: not a model of sightread"):
            load_payload(path, "kind", dict)
    with pytest.raises(BadRecord, match="not a model of sightread"):
        load_payload(path.parent, "kind", dict)


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


ARRAYS = {"second": np.arange(6, dtype=np.float32).reshape(2, 3), "first": np.array(7, np.float16)}
ABOUT = {"names": ["a", "b"], "pages": 3}


def written(folder: Path) -> Path:
    path = folder / "model.npz"
    save_weights(path, "kind", ARRAYS, ABOUT)
    return path


def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    arrays, about = load_weights(written(tmp_path), "kind")
    assert about == ABOUT
    assert set(arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array, strict=True)
    with np.load(written(tmp_path), allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["second"], ARRAYS["second"])
    save_weights(tmp_path / "again.npz", "kind", dict(reversed(ARRAYS.items())), ABOUT)
    assert (tmp_path / "again.npz").read_bytes() == written(tmp_path).read_bytes()


@settings(max_examples=60)
@given(place=st.integers(0, 2000), change=st.integers(1, 255))
def test_a_changed_byte_is_noticed_or_changes_nothing(tmp_path_factory: pytest.TempPathFactory, place: int, change: int) -> None:
    path = written(tmp_path_factory.mktemp("weights"))
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= change
    path.write_bytes(data)
    try:
        arrays, about = load_weights(path, "kind")
    except BadRecord as error:
        assert str(path) in str(error)
        assert "\n" not in str(error)
        return
    assert about == ABOUT
    np.testing.assert_array_equal(arrays["second"], ARRAYS["second"])


def test_arrays_that_were_exchanged_are_noticed(tmp_path: Path) -> None:
    path = written(tmp_path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["second.npy"], members["first.npy"] = members["first.npy"], members["second.npy"]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(BadRecord, match="checksum"):
        load_weights(path, "kind")


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000000,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f9', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': (",
        "(" * 5000,
    ],
)
def test_a_foreign_array_is_refused_though_its_checksum_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    text = header.encode() + b"\n"
    foreign = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(16)
    monkeypatch.setattr(weights, "_encode", lambda _: foreign)
    save_weights(tmp_path / "model.npz", "kind", ARRAYS, ABOUT)
    with pytest.raises(BadRecord, match="not a model of sightread"):
        load_weights(tmp_path / "model.npz", "kind")


def test_a_file_that_unfolds_without_end_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_weights(tmp_path / "bomb.npz", "kind", {"zeros": np.zeros(100_000)}, {})
    monkeypatch.setattr("sightread.classify.weights.MOST_BYTES", 100_000)
    with pytest.raises(BadRecord, match="unfolds to 800"):
        load_weights(tmp_path / "bomb.npz", "kind")
