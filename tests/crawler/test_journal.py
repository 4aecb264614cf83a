"""None"""

import pytest

from sightread.crawler.journal import (
    JOURNAL,
    AppendFile,
    Begun,
    Candidate,
    Duplicate,
    Failed,
    Promoted,
    RobotsRead,
    SetAside,
    SitemapRead,
    Stored,
    append_entry,
    check_rules,
    read_journal,
)
from sightread.render.errors import BadRecord, StorageFailed
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


ENTRIES = (
    Begun(25, 2),
    RobotsRead("https://e.com/", 200, "User-agent: *\nDisallow:"),
    SetAside("https://e.com/", "https://e.com/", "ab", (Candidate("https://e.com/新闻", "新闻\u2028"),)),
    SitemapRead(1, ("https://e.com/a",)),
    Stored("https://e.com/a", "https://e.com/a", "cd"),
    Duplicate("https://e.com/b", "https://e.com/a"),
    Failed("https://e.com/c", "HTTP status 503", retryable=True),
    Promoted("https://e.com/"),
)


@pytest.fixture
def path(tmp_path):
    with AppendFile(tmp_path / "crawl.jsonl") as file:
        for entry in ENTRIES:
            append_entry(file, entry)
    return tmp_path / "crawl.jsonl"


def test_entries_come_back_as_they_were_written(path, tmp_path):
    assert read_journal(path).entries == ENTRIES
    assert read_journal(tmp_path / "missing.jsonl").entries == ()
    with pytest.raises(StorageFailed), AppendFile(tmp_path / "missing" / "file"):
        pass


def test_a_journal_cut_anywhere_keeps_its_whole_lines(path):
    content = path.read_bytes()
    for size in range(len(content)):
        path.write_bytes(content[:size])
        journal = read_journal(path)
        assert journal.entries == ENTRIES[: content[:size].count(b"\n")]
        assert journal.end == content[:size].rfind(b"\n") + 1


def test_a_damaged_line_is_named_with_the_way_on(path):
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = b'{"type":"nonsense"}\n'
    path.write_bytes(b"".join(lines))
    with pytest.raises(BadRecord, match=rf"crawl\.jsonl, line 4: damaged: .*truncate -s {sum(map(len, lines[:3]))} "):
        read_journal(path)


def test_a_journal_of_other_rules_is_not_gone_on_from(path):
    path.write_text(f'{{"type":"begun","pages":1,"width":1,"journal":{JOURNAL + 1}}}\n')
    entries = read_journal(path).entries  # its pages and failures can still be read
    with pytest.raises(BadRecord, match="crawl into a new folder"):
        check_rules(path, entries)
