"""Storage of a job's output: exclusive creation, and files that appear whole; in a folder and in an object store."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex

import fsspec
import pytest

from sightread.batch import storage as module
from sightread.batch.storage import FolderStorage, ObjectStorage, open_storage
from sightread.render.errors import StorageFailed, Unwritable


@pytest.fixture(params=["folder", "objects"])
def storage(request, tmp_path):
    return open_storage(str(tmp_path / "out") if request.param == "folder" else f"memory://{token_hex(8)}")


def test_a_name_is_created_once(storage):
    assert storage.create("manifest/a.json", b"first")
    assert not storage.create("manifest/a.json", b"second")
    assert (storage.read("manifest/a.json"), storage.read("manifest/b.json")) == (b"first", None)
    assert (storage.names("manifest"), storage.names("none")) == (["manifest/a.json"], [])
    assert (storage.size("manifest/a.json"), storage.size("manifest/b.json")) == (5, None)


def test_of_many_that_create_a_name_one_wins(tmp_path):
    """In a folder: of an object store its server decides, and the one in memory looks first and creates then."""
    storage = open_storage(str(tmp_path / "out"))
    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(lambda number: storage.create("manifest/a.json", b"%d" % number), range(32)))
    assert sum(won) == 1 and storage.read("manifest/a.json") == b"%d" % won.index(True)


def test_a_file_appears_whole_or_not_at_all(storage):
    with storage.writing("parts/a") as path:
        path.write_bytes(b"half")
        assert storage.read("parts/a") is None
        path.write_bytes(b"whole")
    assert storage.read("parts/a") == b"whole"
    with pytest.raises(ZeroDivisionError), storage.writing("parts/b") as path:
        path.write_bytes(b"half")
        raise ZeroDivisionError
    storage.remove("parts/a")
    storage.remove("parts/a")
    assert storage.names("parts") == []


def test_without_links_a_name_is_created_exclusively_as_well(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    storage = FolderStorage(tmp_path)
    assert storage.create("a", b"first") and not storage.create("a", b"second")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.fixture
def flaky(monkeypatch):
    """An object store of which every second request fails: before it is carried out, or after."""
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.0)
    storage = ObjectStorage(f"memory://{token_hex(8)}")
    system = fsspec.filesystem("memory")
    calls = {"number": 0}

    def wrap(name):
        plain = getattr(system, name)

        def call(*arguments, **more):
            calls["number"] += 1
            if calls["number"] % 4 == 1:
                raise ConnectionResetError("the request is lost")
            result = plain(*arguments, **more)
            if calls["number"] % 4 == 3:
                raise TimeoutError("the answer is lost")
            return result

        monkeypatch.setattr(system, name, call)

    for name in ("pipe_file", "cat_file", "put_file", "ls", "rm_file"):
        wrap(name)
    return storage


def test_requests_that_fail_are_repeated_and_a_lost_answer_is_no_loss(flaky):
    for number in range(6):
        assert flaky.create(f"manifest/{number}", b"ours %d" % number)
        assert not flaky.create(f"manifest/{number}", b"another's")
        with flaky.writing(f"parts/{number}") as path:
            path.write_bytes(b"rows")
        assert flaky.read(f"parts/{number}") == b"rows"
    assert len(flaky.names("manifest")) == 6


def test_a_store_that_stays_away_is_a_storage_error(monkeypatch):
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.0)
    storage = ObjectStorage("memory://away")

    def fail(*_, **__):
        raise ConnectionResetError("gone")

    monkeypatch.setattr(fsspec.filesystem("memory"), "cat_file", fail)
    with pytest.raises(StorageFailed, match="the object store failed 6 times: gone; run the same command again"):
        storage.read("job.json")


def test_a_bucket_that_does_not_exist_is_not_tried_again(monkeypatch):
    storage = ObjectStorage("memory://nowhere")

    def fail(*_, **__):
        raise FileNotFoundError("The specified bucket does not exist")

    monkeypatch.setattr(fsspec.filesystem("memory"), "pipe_file", fail)
    with pytest.raises(Unwritable, match=r"memory://nowhere/job.json: there is no such bucket: create it, or choose another output"):
        storage.create("job.json", b"{}")
