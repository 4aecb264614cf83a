"""Plans, whose partitions hold every record once, and the storage of a job's output: exclusive creation, whole files."""

import errno
import gzip
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex

import fsspec
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sightread.batch import storage as module
from sightread.batch.inputs.files import Partition, registrable_domain
from sightread.batch.inputs.rows import ColumnNames
from sightread.batch.job.plan import ExtractionOptions, InputOptions, JobOptions, Plan, load_plan, make_plan, read_records
from sightread.batch.storage import FolderStorage, ObjectStorage, open_storage
from sightread.crawler.corpus import Corpus
from sightread.render.errors import BadRecord, Rejected, StorageFailed, Unwritable
from sightread.render.static.parse import read_html
from tests.pages.archive_files import Sent, warc

URLS = [f"https://{host}.{domain}.example/{page}" for domain in ("a", "b", "c") for host in ("www", "m") for page in range(7)]


@pytest.fixture
def storage(tmp_path):
    return FolderStorage(tmp_path / "out")


def options(path, rows: int = 5, **more) -> JobOptions:
    return JobOptions(InputOptions(str(path), partition_rows=rows, **more), ExtractionOptions(static=True))


def urls_of(plan: Plan, storage: FolderStorage, partitions: tuple[Partition, ...] | None = None) -> list[str]:
    chosen = plan.partitions if partitions is None else partitions
    return [each.url for partition in chosen for each in read_records(partition, partition.start, plan.options, storage) if not each.other]


def as_warc(path):
    path.write_bytes(warc([Sent(url, b"<p>Text") for url in URLS]))


def as_lines(path):
    path.write_text("".join(json.dumps({"url": url, "html": "<p>Text"}) + "\n" for url in URLS))


def as_packed_lines(path):
    path.write_bytes(gzip.compress("".join(json.dumps({"url": url, "html": "<p>Text"}) + "\n" for url in URLS).encode()))


def as_parquet(path):
    pq.write_table(pa.table({"url": URLS, "html": [b"<p>Text"] * len(URLS)}), path, row_group_size=9)


def as_corpus(path):
    with Corpus.create(path, URLS[0]) as corpus:
        for url in URLS:
            corpus.append(read_html("<p>Text", url))


INPUTS = {"a.warc.gz": as_warc, "a.jsonl": as_lines, "a.jsonl.gz": as_packed_lines, "a.parquet": as_parquet, "a-corpus": as_corpus}


@pytest.mark.parametrize("name", INPUTS)
def test_partitions_hold_every_page_once_and_in_order(name, tmp_path, storage):
    INPUTS[name](tmp_path / name)
    plan = make_plan(options(tmp_path / name), storage)
    assert urls_of(plan, storage) == URLS
    assert len(plan.partitions) >= len(URLS) / 5
    assert load_plan(storage) == plan == make_plan(options(tmp_path / name), storage)
    shards = [plan.shard(number, 3) for number in range(3)]
    assert sorted(each.number for shard in shards for each in shard) == [each.number for each in plan.partitions]


def test_an_output_that_was_begun_with_other_partitions_goes_on_with_them(tmp_path, storage):
    as_lines(tmp_path / "a.jsonl")
    old = make_plan(options(tmp_path / "a.jsonl", 0), storage)
    partitions = (Partition(0, "jsonl", str(tmp_path / "a.jsonl"), 0, 42, 42),)
    storage.remove("job.json")
    storage.create("job.json", msgspec.json.encode(msgspec.structs.replace(old, partitions=partitions)))
    assert make_plan(options(tmp_path / "a.jsonl", 0), storage).partitions == partitions


@pytest.mark.parametrize("name", INPUTS)
def test_reading_goes_on_behind_any_page(name, tmp_path, storage):
    INPUTS[name](tmp_path / name)
    plan = make_plan(options(tmp_path / name), storage)
    partition = plan.partitions[1]
    whole = list(read_records(partition, partition.start, plan.options, storage))
    for number, record in enumerate(whole):
        assert list(read_records(partition, record.position, plan.options, storage)) == whole[number:]


def test_a_domain_has_one_owner_and_each_url_is_there_once(tmp_path, storage):
    (tmp_path / "urls.txt").write_text("\n".join([*URLS, *URLS[:3]]))
    plan = make_plan(options(tmp_path / "urls.txt"), storage)
    assert sorted(urls_of(plan, storage)) == sorted(URLS)
    owners: dict[str, set[int]] = {}
    for partition in plan.partitions:
        for url in urls_of(plan, storage, (partition,)):
            owners.setdefault(registrable_domain(url), set()).add(partition.owner)
    assert {len(each) for each in owners.values()} == {1} and len(owners) == 3
    assert max(each.records for each in plan.partitions) <= 5


def test_a_folder_has_all_its_files(tmp_path, storage):
    folder = tmp_path / "in"
    folder.mkdir()
    as_lines(folder / "b.jsonl")
    as_warc(folder / "a.warc.gz")
    (folder / "readme.md").write_text("not a page")
    plan = make_plan(options(folder), storage)
    assert urls_of(plan, storage) == URLS * 2
    assert [each.path.rpartition("/")[2] for each in plan.files] == ["a.warc.gz", "b.jsonl", "readme.md"]


def test_rows_may_name_records_of_warc_files(tmp_path, storage):
    packed = [warc([Sent(url, f"<p>{url}".encode())]) for url in URLS[:3]]
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "c.warc.gz").write_bytes(b"".join(packed))
    rows, offset = [], 0
    for one in packed:
        members = [match.start() for match in re.finditer(rb"\x1f\x8b\x08", one)]
        rows.append({"warc_filename": "c.warc.gz", "warc_record_offset": offset + members[2], "warc_record_length": len(one) - members[2]})
        offset += len(one)
    rows += [{**rows[0], "warc_filename": name} for name in ("../secret.warc", "/etc/passwd", "http://a.example/x", "missing.warc")]
    (tmp_path / "index.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    plan = make_plan(options(tmp_path / "index.jsonl", 100, columns=ColumnNames(warc_base=str(tmp_path / "crawl"))), storage)
    found = list(read_records(plan.partitions[0], 0, plan.options, storage))
    assert [each.html.decode() for each in found[:3]] == [f"<p>{url}" for url in URLS[:3]]
    assert [each.failed.partition(": ")[2][:35] for each in found[3:6]] == ["the name of a WARC file leads out o"] * 3
    assert "cannot be read" in found[6].failed


def test_rows_without_a_page_have_their_reason(tmp_path, storage):
    rows = ['{"url": "https://a.example/", "html": ""}', '{"html": "<p>A"}', "not JSON", '{"other": 1}', '{"url": "https://a.example/"}']
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    plan = make_plan(options(tmp_path / "a.jsonl"), storage)
    found = list(read_records(plan.partitions[0], 0, plan.options, storage))
    assert [(each.skipped or each.failed).split(":")[0] for each in found] == [
        *("empty", "", "not a line of JSON", "neither a column html nor url in the row", "")
    ]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.parquet"])
def test_a_column_that_was_named_must_be_there(name, tmp_path, storage):
    INPUTS[name](tmp_path / name)
    misspelt = {"--html-column htm: .*did you mean html?": ColumnNames(html="htm"), "--url-column uri: .*url": ColumnNames(url="uri")}
    for problem, columns in misspelt.items():
        with pytest.raises(Rejected, match=problem):
            make_plan(options(tmp_path / name, columns=columns), storage)


def test_an_output_belongs_to_one_job(tmp_path, storage):
    as_lines(tmp_path / "a.jsonl")
    make_plan(options(tmp_path / "a.jsonl"), storage)
    with pytest.raises(
        Rejected, match=r"belongs to a job with --partition-rows 5 \(now 6\): nothing is committed there yet: delete it, or choose"
    ):
        make_plan(options(tmp_path / "a.jsonl", 6), storage)
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write("{}\n")
    with pytest.raises(Rejected, match="its files, or their sizes, changed since the job began"):
        make_plan(options(tmp_path / "a.jsonl"), storage)


def test_wrong_inputs_and_outputs_are_refused(tmp_path, storage):
    (tmp_path / "page.md").write_text("text")
    for path, problem in ((tmp_path / "none.jsonl", "no input there"), (tmp_path / "page.md", "the kind of input is unknown")):
        with pytest.raises(Rejected, match=problem):
            make_plan(options(path), storage)
    with pytest.raises(Rejected, match="no batch was begun there"):
        load_plan(storage)
    storage.create("job.json", b"{}")
    with pytest.raises(BadRecord, match="damaged, or of another version"):
        load_plan(storage)


@pytest.fixture(params=["folder", "objects"])
def any_storage(request, tmp_path):
    return open_storage(str(tmp_path / "out") if request.param == "folder" else f"memory://{token_hex(8)}")


def test_a_name_is_created_once(any_storage):
    assert any_storage.create("manifest/a.json", b"first")
    assert not any_storage.create("manifest/a.json", b"second")
    assert (any_storage.read("manifest/a.json"), any_storage.read("manifest/b.json")) == (b"first", None)
    assert (any_storage.names("manifest"), any_storage.names("none")) == (["manifest/a.json"], [])
    assert (any_storage.size("manifest/a.json"), any_storage.size("manifest/b.json")) == (5, None)


def test_of_many_that_create_a_name_one_wins(tmp_path):
    """In a folder: of an object store its server decides, and the one in memory looks first and creates then."""
    any_storage = open_storage(str(tmp_path / "out"))
    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(lambda number: any_storage.create("manifest/a.json", b"%d" % number), range(32)))
    assert sum(won) == 1 and any_storage.read("manifest/a.json") == b"%d" % won.index(True)


def test_a_file_appears_whole_or_not_at_all(any_storage):
    with any_storage.writing("parts/a") as path:
        path.write_bytes(b"half")
        assert any_storage.read("parts/a") is None
        path.write_bytes(b"whole")
    assert any_storage.read("parts/a") == b"whole"
    with pytest.raises(ZeroDivisionError), any_storage.writing("parts/b") as path:
        path.write_bytes(b"half")
        raise ZeroDivisionError
    any_storage.remove("parts/a")
    any_storage.remove("parts/a")
    assert any_storage.names("parts") == []


def test_without_links_a_name_is_created_exclusively_as_well(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    any_storage = FolderStorage(tmp_path)
    assert any_storage.create("a", b"first") and not any_storage.create("a", b"second")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.fixture
def flaky(monkeypatch):
    """An object store of which every second request fails: before it is carried out, or after."""
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.0)
    any_storage = ObjectStorage(f"memory://{token_hex(8)}")
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
    return any_storage


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
    any_storage = ObjectStorage("memory://away")

    def fail(*_, **__):
        raise ConnectionResetError("gone")

    monkeypatch.setattr(fsspec.filesystem("memory"), "cat_file", fail)
    with pytest.raises(StorageFailed, match="the object store failed 6 times: gone; run the same command again"):
        any_storage.read("job.json")


def test_a_bucket_that_does_not_exist_is_not_tried_again(monkeypatch):
    any_storage = ObjectStorage("memory://nowhere")

    def fail(*_, **__):
        raise FileNotFoundError("The specified bucket does not exist")

    monkeypatch.setattr(fsspec.filesystem("memory"), "pipe_file", fail)
    with pytest.raises(Unwritable, match=r"memory://nowhere/job.json: there is no such bucket: create it, or choose another output"):
        any_storage.create("job.json", b"{}")
