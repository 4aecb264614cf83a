"""Files that are whole or not there."""

import errno
import os
from pathlib import Path

import pytest

from sightread.render.errors import StorageFailed, Unwritable
from sightread.render.files import write_atomically
from tests.processes.families import file_size_limit


def fail_with(number: int):
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_with_its_folders_and_replaced_whole(tmp_path: Path):
    path = tmp_path / "a" / "b" / "file"
    for content in (b"a long old text", b"new"):
        write_atomically(path, content)
        assert path.read_bytes() == content
    assert names(path.parent) == ["file"]


def test_a_pipe_or_a_device_is_written_to_and_stays_one(tmp_path: Path):
    write_atomically(Path(os.devnull), b"new")
    assert Path(os.devnull).is_char_device()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, b"new")
    assert os.read(reading, 99) == b"new"
    os.close(reading)
    assert pipe.is_fifo()
    assert names(tmp_path) == ["pipe"]


def test_the_old_file_stands_until_the_new_one_is_safe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    seen = []
    synced = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: seen.append(path.read_bytes()) or synced(descriptor))
    write_atomically(path, b"new")
    assert (seen, path.read_bytes()) == ([b"old"], b"new")


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "the disk is full: free some space and run the same command again"),
        (errno.EDQUOT, "your quota is used up: free some space"),
        (errno.EACCES, "no permission to write there: choose another folder"),
        (errno.EPERM, "no permission to write there: choose another folder"),
        (errno.EROFS, "the file system is read-only: choose another folder"),
        (errno.EIO, "Input/output error"),
    ],
)
@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.open", "pathlib.Path.replace"])
def test_a_failed_write_leaves_the_old_file_and_states_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, advice: str
):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(call, fail_with(number))
        with pytest.raises(StorageFailed) as caught:
            write_atomically(path, b"new")
    assert str(caught.value).startswith(f"cannot write {path}: {advice}")
    assert isinstance(caught.value, Unwritable) == (number in (errno.EACCES, errno.EPERM, errno.EROFS))
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_a_write_that_fails_halfway_leaves_nothing_behind(tmp_path: Path):
    with file_size_limit(10), pytest.raises(StorageFailed, match="the file grows larger than the system allows"):
        write_atomically(tmp_path / "file", b"x" * 1000)
    assert names(tmp_path) == []


def test_an_interruption_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "file", b"new")
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("below", "advice"),
    [("file", "a file is where a folder is needed"), ("folder/file", "a part of that path is a file")],
)
def test_a_path_below_a_file_cannot_be_written(tmp_path: Path, below: str, advice: str):
    (tmp_path / "taken").write_bytes(b"old")
    with pytest.raises(Unwritable, match=f"{advice}: choose another folder"):
        write_atomically(tmp_path / "taken" / below, b"new")
    assert (tmp_path / "taken").read_bytes() == b"old"
