"""A corpus on disk, the journal of its crawl and the WARC files of its answers: what is written comes back, cut anywhere or damaged."""

import json
import random
import shutil
from dataclasses import replace

import pytest

from sightread.crawler.corpus import Corpus, CrawlRecord, index_members, pack_line, read_member
from sightread.crawler.crawl import CrawlOptions, crawl
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
from sightread.crawler.warc import ReplayedFetcher, WarcWriter
from sightread.render.archives.cdxj import WarcFolder
from sightread.render.errors import BadRecord, Rejected, StorageFailed
from sightread.render.network.egress import LOCAL
from sightread.render.network.exchange import Exchange
from sightread.render.page import Timing
from sightread.render.static.parse import read_html
from sightread.render.visit.picture import Picture
from tests.crawler.sites import render, town
from tests.processes.families import file_size_limit

LINES = [b'{"page": 1}', b"", b"\x00" * 3000, "新闻".encode()]


def _lines(path):
    return [read_member(path, row, span) for row, span in enumerate(index_members(path).spans)]


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


START = "https://example.com/"
PICTURE = Picture((b"picture", b"below"))
PAGES = [read_html(f"<title>{name}</title><p>{name} {'words ' * 50}</p>", START + name) for name in ("one", "two", "three")]


@pytest.fixture
def folder(tmp_path):
    with Corpus.create(tmp_path / "corpus", START) as corpus:
        for number, page in enumerate(PAGES):
            corpus.append(page, PICTURE if number != 1 else None)
    return tmp_path / "corpus"


def test_what_was_stored_comes_back(folder):
    corpus = Corpus.open(folder)
    assert corpus.start_url == START
    assert len(corpus) == 3
    assert list(corpus) == PAGES
    assert corpus.page(2) == PAGES[2]
    assert [corpus.picture(row) for row in range(4)] == [PICTURE, None, PICTURE, None]
    assert (folder / "pictures" / "0003.webp").read_bytes() == b"picture"
    assert (folder / "pictures" / "0003.tile-2.webp").read_bytes() == b"below"


def test_the_digest_knows_pages_and_their_order_but_no_times(tmp_path):
    def digest(name, pages):
        with Corpus.create(tmp_path / name, START) as corpus:
            for page in pages:
                corpus.append(page)
            return corpus.digest()

    timed = [replace(page, rendered_at="2024-05-01T00:00:00Z", timing=Timing(1, 2)) for page in PAGES]
    assert digest("a", PAGES) == digest("b", timed)
    assert digest("a2", PAGES) != digest("c", reversed(PAGES))
    assert digest("d", PAGES[:2]) != digest("e", PAGES)


def test_a_torn_page_is_reported_by_readers_and_cut_off_by_writers(folder):
    path = folder / "pages.jsonl.gz"
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    corpus = Corpus.open(folder)
    assert list(corpus) == PAGES[:2]
    assert corpus.torn > 0
    assert path.read_bytes() == whole[:-7]
    with corpus:
        corpus.append(PAGES[2])
    assert corpus.torn == 0
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("card", "complaint"),
    [
        ({"schema": 2, "start_url": START, "version": "9"}, "schema version 2"),
        ({"start_url": START}, "schema version missing"),
        ({"schema": 1}, "damaged"),
    ],
)
def test_a_corpus_of_another_schema_is_refused(folder, card, complaint):
    (folder / "corpus.json").write_text(json.dumps(card))
    with pytest.raises(BadRecord, match=complaint):
        Corpus.open(folder)


def test_a_folder_without_a_corpus_is_refused_to_readers_and_one_with_another_to_writers(folder, tmp_path):
    with pytest.raises(Rejected, match="no corpus there"):
        Corpus.open(tmp_path / "nowhere")
    with pytest.raises(Rejected, match=r"holds corpus\.json already"):
        Corpus.create(folder, START)
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFailed, match="choose another folder"):
        Corpus.create(tmp_path / "file" / "corpus", START)


def test_a_full_disk_loses_nothing(folder):
    with Corpus.open(folder) as corpus:
        with file_size_limit((folder / "pages.jsonl.gz").stat().st_size + 20), pytest.raises(StorageFailed):
            corpus.append(PAGES[0], PICTURE)
        assert list(corpus) == PAGES
        corpus.append(PAGES[0])
    assert list(Corpus.open(folder)) == [*PAGES, PAGES[0]]


OPTIONS = CrawlOptions(pages=12, backoff=0.001, egress=LOCAL)


@pytest.mark.parametrize("first", range(0, 10, 5))
async def test_files_cut_anywhere_are_brought_into_agreement(site_server, tmp_path, first):
    """Every state that a kill can leave is among these, and many that only a failing disk could."""
    site = await site_server(town())
    options = replace(OPTIONS, pages=25)  # more than there are: lists are promoted too
    whole = await crawl(site.url(), tmp_path / "whole", render, options)
    for seed in range(first, first + 5):
        chance, cut = random.Random(seed), tmp_path / str(seed)
        shutil.copytree(tmp_path / "whole", cut)
        for name in chance.sample(["pages.jsonl.gz", "crawl.jsonl", "aside/pages.jsonl.gz"], chance.randint(1, 3)):
            path = cut / name
            path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])
        again = await crawl(site.url(), cut, render, options)
        assert again.digest() == whole.digest(), seed
        assert [again.picture(row) for row in range(len(again))] == [Picture((page.url.encode(),)) for page in again]


def test_two_crawls_of_one_folder_exclude_each_other_and_one_without_a_page_starts_over(tmp_path):
    with CrawlRecord(tmp_path, START) as record:
        with pytest.raises(Rejected, match="another process"), CrawlRecord(tmp_path, START):
            pass
        record.append(Failed(START, "HTTP status 503", retryable=True))
    with CrawlRecord(tmp_path, START) as record:
        assert list(record.entries) == []


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


def test_html_is_kept_beside_a_page_and_damage_to_it_is_an_error(tmp_path, monkeypatch):
    page = read_html("<p>One", "https://x.test/")
    with Corpus.create(tmp_path / "c", "https://x.test/") as corpus:
        corpus.append(page, html="<p>Ein Weg\u00a0" * 99)
        corpus.append(page)
    assert [corpus.html(row) for row in range(3)] == ["<p>Ein Weg\u00a0" * 99, "", ""]
    with monkeypatch.context() as patch, pytest.raises(BadRecord, match="more than 0 MiB"):
        patch.setattr("sightread.crawler.corpus.MOST_BYTES", 500)
        corpus.html(0)
    corpus.html_path(0).write_bytes(b"no gzip")
    with pytest.raises(BadRecord, match="delete it"):
        corpus.html(0)


def answer(number: int, status: int = 200) -> Exchange:
    return Exchange(f"http://e.com/{number}", 0.0, (), status, "", (("Content-Type", "text/html"),), b"<p>%d %d" % (number, status))


def files(folder) -> list[str]:
    return sorted(path.name.rpartition("-")[2] for path in folder.iterdir())


async def test_files_follow_one_another_and_are_cut_back_together(tmp_path, monkeypatch):
    monkeypatch.setattr("sightread.crawler.warc.MOST_BYTES", 2000)
    with WarcWriter(tmp_path) as writer:
        writer.begin("e.com:80", "")
        writer.write([answer(1, 503)])
        end = writer.end()
        for number in range(1, 9):
            writer.write([answer(number)])
        with pytest.raises(Rejected, match="another process is writing it"), WarcWriter(tmp_path) as other:
            other.begin("e.com:80", end)
    assert files(tmp_path) == [f"0000{number}.{kind}" for number in (1, 2, 3) for kind in ("cdxj", "warc.gz")]
    with WarcWriter(tmp_path) as writer:
        writer.begin("e.com:80", end)
        assert (writer.end(), files(tmp_path)) == (end, ["00001.cdxj", "00001.warc.gz"])
        writer.write([answer(1), answer(2)])
    async with ReplayedFetcher(WarcFolder(tmp_path)) as fetcher:
        answers = [(await fetcher.request(f"http://e.com/{number}", {})).body for number in (1, 1, 2)]
    assert answers == [b"<p>1 503", b"<p>1 200", b"<p>2 200"]
    assert WarcFolder(tmp_path).find("http://e.com/3") is None
