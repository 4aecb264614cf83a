import pytest

from sightread.crawler.storage.append_only_file import AppendFile
from sightread.render.errors import Rejected, StorageFailed
from tests.processes.limits import file_size_limit


def test_what_does_not_fit_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "file"
    with AppendFile(path) as file:
        file.append(b"whole\n")
        with file_size_limit(10), pytest.raises(StorageFailed, match="cannot write"):
            file.append(b"too long for the disk\n")
        assert path.read_bytes() == b"whole\n"
        file.append(b"more\n")
    assert path.read_bytes() == b"whole\nmore\n"


def test_two_writers_exclude_each_other(tmp_path):
    path = tmp_path / "file"
    with AppendFile(path), pytest.raises(Rejected, match="another process is writing"), AppendFile(path):
        pass
    with AppendFile(path) as file:
        file.append(b"free again")


def test_a_folder_that_is_not_there_cannot_be_written(tmp_path):
    with pytest.raises(StorageFailed), AppendFile(tmp_path / "missing" / "file"):
        pass


def test_use_outside_its_block_is_a_mistake(tmp_path):
    with pytest.raises(RuntimeError, match="with"):
        AppendFile(tmp_path / "file").append(b"")
