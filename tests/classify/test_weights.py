"""Files of neural weights: they come back as they were, and nothing else passes for one."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify import weights
from sightread.classify.weights import load_weights, save_weights
from sightread.render.errors import BadRecord, StorageFailed

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


def test_numpy_reads_the_file_too(tmp_path: Path) -> None:
    with np.load(written(tmp_path), allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["second"], ARRAYS["second"])


def test_the_same_arrays_give_the_same_bytes(tmp_path: Path) -> None:
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


def test_a_file_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    data = path.read_bytes()
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        with pytest.raises(BadRecord, match="not a model of sightread"):
            load_weights(path, "kind")


def test_another_kind_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="a 'kind' model of schema 1, expected 'other'"):
        load_weights(written(tmp_path), "other")


def test_a_missing_file_is_a_bad_record(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"nothing\.npz"):
        load_weights(tmp_path / "nothing.npz", "kind")


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


def test_pickled_arrays_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"[Oo]bject arrays"):
        save_weights(tmp_path / "model.npz", "kind", {"objects": np.array([{}], object)}, {})
    assert not list(tmp_path.iterdir())


def test_a_file_that_unfolds_without_end_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_weights(tmp_path / "bomb.npz", "kind", {"zeros": np.zeros(100_000)}, {})
    monkeypatch.setattr("sightread.classify.weights.MOST_BYTES", 100_000)
    with pytest.raises(BadRecord, match="unfolds to 800"):
        load_weights(tmp_path / "bomb.npz", "kind")


def test_a_folder_in_the_way_is_reported(tmp_path: Path) -> None:
    (tmp_path / "model.npz").mkdir()
    with pytest.raises(StorageFailed):
        save_weights(tmp_path / "model.npz", "kind", ARRAYS, ABOUT)
