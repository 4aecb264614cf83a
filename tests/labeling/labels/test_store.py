"""Labels on disk: what was written is read again, for the same pages only, and damage is told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightread.labeling.label_site import label_site
from sightread.labeling.labels.labels import SiteLabels
from sightread.labeling.labels.store import load_labels, save_labels
from sightread.render.errors import BadRecord, StorageFailed
from tests.labeling.sites import make_page, news_site

DIGEST = "digest of the pages"


@pytest.fixture(scope="module")
def labels() -> SiteLabels:
    return label_site([*news_site(3), make_page("https://x.test/empty", [])])


@pytest.fixture
def path(tmp_path: Path, labels: SiteLabels) -> Path:
    save_labels(tmp_path / "labels.json", labels, DIGEST)
    return tmp_path / "labels.json"


def test_labels_are_read_as_they_were_written(path: Path, labels: SiteLabels):
    read = load_labels(path, DIGEST)
    assert (read.clusters, read.page_confidence, read.confidence) == (labels.clusters, labels.page_confidence, labels.confidence)
    assert read.known == labels.known
    for found, written in ((read.labels, labels.labels), (read.assignments, labels.assignments)):
        assert [of_page.dtype for of_page in found] == [of_page.dtype for of_page in written]
        assert [of_page.tolist() for of_page in found] == [of_page.tolist() for of_page in written]


def test_the_same_labels_are_the_same_bytes(path: Path):
    first = path.read_bytes()
    save_labels(path, load_labels(path, DIGEST), DIGEST)
    assert path.read_bytes() == first


def test_labels_of_other_pages_are_none(path: Path):
    assert load_labels(path, "digest of other pages") is None


def test_no_file_is_no_labels(tmp_path: Path):
    assert load_labels(tmp_path / "labels.json", DIGEST) is None


@pytest.mark.parametrize("damage", [b"", b"\x00\x01", b"not json", b"[]", b"{}", b'{"schema":2,"corpus":"\xff"}'])
def test_a_file_that_is_no_labels_file_is_a_bad_record(path: Path, damage: bytes):
    path.write_bytes(damage)
    with pytest.raises(BadRecord, match=r"labels\.json: not a labels file.*delete it and label the corpus again"):
        load_labels(path, DIGEST)


def test_a_file_cut_short_anywhere_is_a_bad_record(path: Path):
    whole = path.read_bytes().rstrip()
    for length in range(0, len(whole), len(whole) // 20):
        path.write_bytes(whole[:length])
        with pytest.raises(BadRecord):
            load_labels(path, DIGEST)


def wrong_label(stored: dict[str, Any]) -> None:
    stored["labels"][0][0] = 2


def huge_label(stored: dict[str, Any]) -> None:
    stored["labels"][0][0] = 300


def huge_cluster(stored: dict[str, Any]) -> None:
    stored["assignments"][0][0] = 2**40


def no_confidence(stored: dict[str, Any]) -> None:
    stored["confidence"]["value"] = None


def intervals_that_overlap(stored: dict[str, Any]) -> None:
    look = stored["known"]["looks"][0]
    look["widths"] = [[0, 100, 0], [100, 200, 1]]


def interval_upside_down(stored: dict[str, Any]) -> None:
    stored["known"]["looks"][0]["widths"] = [[100, 50, 0]]


def width_of_an_unknown_cluster(stored: dict[str, Any]) -> None:
    stored["known"]["looks"][0]["widths"][0][2] = -2


def negative_reach(stored: dict[str, Any]) -> None:
    stored["known"]["reach"] = -1.0


def wrong_digest(stored: dict[str, Any]) -> None:
    stored["known"]["looks"][0]["digest"] += "0"


def look_told_twice(stored: dict[str, Any]) -> None:
    stored["known"]["looks"].append(stored["known"]["looks"][0])


DAMAGE = (
    wrong_label,
    huge_label,
    huge_cluster,
    no_confidence,
    intervals_that_overlap,
    interval_upside_down,
    width_of_an_unknown_cluster,
    negative_reach,
    wrong_digest,
    look_told_twice,
)


@pytest.mark.parametrize("change", DAMAGE, ids=lambda change: change.__name__)
def test_values_that_no_label_has_are_a_bad_record(path: Path, change: Callable[[dict[str, Any]], None]):
    stored = json.loads(path.read_bytes())
    change(stored)
    path.write_text(json.dumps(stored))
    with pytest.raises(BadRecord, match="delete it and label the corpus again"):
        load_labels(path, DIGEST)


def test_another_schema_version_is_a_bad_record_that_names_both(path: Path):
    path.write_bytes(path.read_bytes().replace(b'"schema":2', b'"schema":9'))
    with pytest.raises(BadRecord, match="schema version 9, this sightread reads 2"):
        load_labels(path, DIGEST)


def test_labels_of_an_older_schema_are_reported_by_their_version_and_not_by_what_they_lack(path: Path):
    stored = json.loads(path.read_bytes())
    del stored["known"]
    path.write_text(json.dumps(stored | {"schema": 1}))
    with pytest.raises(BadRecord, match="schema version 1, this sightread reads"):
        load_labels(path, DIGEST)


def test_a_failed_write_leaves_the_old_labels(path: Path, labels: SiteLabels, monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StorageFailed):
        save_labels(path, labels, "digest of other pages")
    assert load_labels(path, DIGEST) is not None
    assert np.concatenate(load_labels(path, DIGEST).labels).shape == (24,)
