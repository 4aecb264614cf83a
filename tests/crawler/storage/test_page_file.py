import gzip
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.crawler.storage.page_file import index_members, pack_line, read_member
from sightread.render.errors import BadRecord

LINES = [b'{"page": 1}', b"", b"\x00" * 3000, "新闻".encode()]


def _lines(path):
    return [read_member(path, row, span) for row, span in enumerate(index_members(path).spans)]


@settings(deadline=None)  # a busy machine must not fail a property
@given(st.lists(st.binary(max_size=200)))
def test_lines_come_back_as_they_were_packed(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("pages") / "pages.jsonl.gz"
    path.write_bytes(b"".join(map(pack_line, lines)))
    assert _lines(path) == lines
    assert index_members(path).torn == 0


def test_any_gzip_reader_reads_the_file(tmp_path):
    path = tmp_path / "pages.jsonl.gz"
    path.write_bytes(b"".join(map(pack_line, LINES)))
    assert gzip.decompress(path.read_bytes()) == b"\n".join(LINES) + b"\n"
    assert subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout == b"\n".join(LINES) + b"\n"


def test_a_file_cut_anywhere_loses_no_earlier_page(tmp_path):
    path = tmp_path / "pages.jsonl.gz"
    members = [pack_line(line) for line in LINES]
    whole = b"".join(members)
    ends = [sum(map(len, members[: count + 1])) for count in range(len(members))]
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        kept = sum(end <= size for end in ends)
        assert _lines(path) == LINES[:kept]
        assert index_members(path).torn == size - ([0, *ends])[kept]


def test_damage_inside_a_page_leaves_the_others_readable(tmp_path):
    path = tmp_path / "pages.jsonl.gz"
    members = [bytearray(pack_line(line * 50)) for line in LINES]
    members[2][30] ^= 0xFF
    path.write_bytes(b"".join(members))
    spans = index_members(path).spans
    assert read_member(path, 3, spans[3]) == LINES[3] * 50
    with pytest.raises(BadRecord, match=rf"pages.jsonl.gz, page 3: damaged: .*truncate -s {spans[2].start} "):
        read_member(path, 2, spans[2])


@pytest.mark.parametrize("content", [b"no gzip at all", gzip.compress(b"a page of another program", mtime=0)])
def test_what_was_not_written_here_is_refused(tmp_path, content):
    path = tmp_path / "pages.jsonl.gz"
    path.write_bytes(pack_line(b"page") + content)
    with pytest.raises(BadRecord, match="page 2: damaged: no page starts where one should"):
        index_members(path)
