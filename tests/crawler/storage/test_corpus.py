import gzip
import json
from dataclasses import replace

import pytest

from sightread.crawler.storage.append_only_file import AppendFile
from sightread.crawler.storage.corpus import Corpus
from sightread.crawler.storage.journal import Failed, append_entry
from sightread.crawler.storage.page_file import pack_line
from sightread.render.errors import BadRecord, Rejected, StorageFailed
from sightread.render.page import Timing, encode_page
from sightread.render.static.parse import read_html
from sightread.render.visit.picture import Picture
from tests.processes.limits import file_size_limit

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


def test_a_corpus_grows_where_it_ended(folder):
    with Corpus.open(folder) as corpus:
        assert corpus.append(PAGES[0]) == 3
    assert list(Corpus.open(folder)) == [*PAGES, PAGES[0]]


def test_a_corpus_without_a_journal_has_no_failures(folder):
    assert Corpus.open(folder).failures == ()


def test_failures_are_those_of_the_journal(folder):
    with AppendFile(folder / "crawl.jsonl") as journal:
        append_entry(journal, Failed(START + "gone", "HTTP status 404"))
    assert Corpus.open(folder).failures == ((START + "gone", "HTTP status 404"),)


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


def test_a_picture_without_its_page_is_not_given_to_the_next(folder):
    for name in ("0004.webp", "0004.tile-2.webp"):
        (folder / "pictures" / name).write_bytes(b"of a page that a kill kept from being written")
    with Corpus.open(folder) as corpus:
        corpus.append(PAGES[0])
        assert corpus.picture(3) is None


def test_a_damaged_page_is_named_with_the_way_on(folder):
    path = folder / "pages.jsonl.gz"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    corpus = Corpus.open(folder)
    assert corpus.page(0) == PAGES[0]
    assert corpus.page(2) == PAGES[2]
    with pytest.raises(BadRecord, match=r"pages\.jsonl\.gz, page 2: damaged: .* and crawl again"):
        list(corpus)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{}", "schema version missing"),
        (encode_page(PAGES[0]).replace(b'"schema":2', b'"schema":99'), "schema version 99"),
        (b"nonsense", "not a page"),
    ],
)
def test_a_line_that_is_no_page_is_named(folder, line, complaint):
    with (folder / "pages.jsonl.gz").open("ab") as file:
        file.write(pack_line(line))
    with pytest.raises(BadRecord, match=f"page 4: {complaint}"):
        Corpus.open(folder).page(3)


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


def test_a_folder_without_a_corpus_is_refused(tmp_path):
    with pytest.raises(Rejected, match="no corpus there"):
        Corpus.open(tmp_path / "nowhere")


def test_a_corpus_is_not_made_over_another(folder):
    with pytest.raises(Rejected, match=r"holds corpus\.json already"):
        Corpus.create(folder, START)


def test_a_place_that_cannot_be_written_is_said_to_be_so(tmp_path):
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


def test_writing_outside_the_block_is_a_mistake(folder):
    with pytest.raises(RuntimeError, match="with"):
        Corpus.open(folder).append(PAGES[0])


def test_the_pages_are_lines_for_any_tool(folder):
    lines = gzip.decompress((folder / "pages.jsonl.gz").read_bytes()).splitlines()
    assert [json.loads(line)["url"] for line in lines] == [page.url for page in PAGES]
