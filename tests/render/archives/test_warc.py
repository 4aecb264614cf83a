"""WARC files: what their records say, however they are packed, and what is left of damaged ones."""

import gzip
import random
import zlib
from functools import partial

import brotli
import pytest

from sightread.render.archives.base import MOST_DECODED
from sightread.render.archives.warc import Warc
from sightread.render.errors import Rejected, Unusable
from tests.pages.archive_files import Sent, http, open_as, record, response, warc

A, B = "https://a.example/", "https://a.example/b"


@pytest.fixture
def opened(tmp_path):
    return partial(open_as, Warc, tmp_path / "crawl")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_answers_are_found_whether_packed_or_not(opened, pack):
    records = [response(Sent(f"{A}{n}", f"<p>{n}".encode(), headers={"X-Number": str(n)})) for n in range(4)]
    archive = opened(b"".join(map(pack, records)))
    assert [archive.find(f"{A}{n}").body for n in range(4)] == [b"<p>0", b"<p>1", b"<p>2", b"<p>3"]
    assert archive.find(f"{A}2").header("x-number") == "2"
    assert archive.find(f"{A}4") is None
    assert (archive.pages(), archive.note) == ([f"{A}{n}" for n in range(4)], "")


@pytest.mark.parametrize("length", [10, 300_000])
@pytest.mark.parametrize("number", [3, 5])
def test_records_that_are_packed_several_in_one_are_to_be_unpacked(opened, number, length):
    records = [response(Sent(f"{A}{n}", random.Random(n).randbytes(length))) for n in range(number)]
    for packed in (gzip.compress(b"".join(records)), gzip.compress(b"".join(records[:2])) + gzip.compress(b"".join(records[2:]))):
        with pytest.raises(Rejected, match="packed several in one, so that none is found alone: unpack it first"):
            opened(packed)


@pytest.mark.parametrize("kind", ["application/http;msgtype=response", "Application/HTTP", "application/http; msgtype=response"])
@pytest.mark.parametrize("head", ["HTTP/1.0 200\nContent-type:text/html\n\n", "HTTP/2 200 \r\ncontent-type: text/html\r\n\r\n"])
def test_heads_are_read_as_servers_and_crawlers_write_them(opened, kind, head):
    archive = opened(record("response", f"<{A}>", f"{head}<p>Text".encode(), kind))
    assert (archive.pages(), archive.find(A).status, archive.find(A).body) == ([A], 200, b"<p>Text")


@pytest.mark.parametrize("status", [200, 304])
@pytest.mark.parametrize(
    "named",
    [
        {"WARC_Refers_To": "<urn:uuid:first>"},
        {"WARC_Refers_To_Target_URI": A},
        {"WARC_Payload_Digest": "sha1:AAAA"},
    ],
)
def test_a_revisit_has_the_body_of_what_it_repeats(opened, status, named):
    first = response(Sent(A, b"<p>Text", headers={"X-From": "first"}), record="<urn:uuid:first>", WARC_Payload_Digest="sha1:AAAA")
    again = record("revisit", B, http(Sent(B, status=status, headers={"X-From": "again"})), **named)
    answer = opened(first + again).find(B)
    assert (answer.status, answer.body) == (200, b"<p>Text")
    assert answer.header("x-from") == ("again" if status == 200 else "first")


def test_requests_and_metadata_are_no_answers_and_a_resource_is_one_without_headers(opened):
    archive = opened(
        record("request", B, b"GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request")
        + record("metadata", B, b"via: x\r\n", "application/warc-fields")
        + record("resource", A, b"<p>Text", "text/html; charset=koi8-r")
    )
    answer = archive.find(A)
    assert (archive.pages(), archive.find(B)) == ([A], None)
    assert (answer.status, answer.body, answer.charset) == (200, b"<p>Text", "koi8-r")


@pytest.mark.parametrize(
    "named",
    [{"WARC_Refers_To": "<urn:uuid:gone>"}, {"record": "<urn:uuid:a>", "WARC_Refers_To": "<urn:uuid:a>", "WARC_Refers_To_Target_URI": A}],
    ids=["what is in another file", "itself"],
)
def test_a_revisit_without_its_original_states_so(opened, named):
    archive = opened(record("revisit", A, http(Sent(A)), **named))
    with pytest.raises(Unusable, match="its body is in another file"):
        archive.find(A)


def zstd(body: bytes) -> bytes:
    """A frame of plain blocks, or of blocks that repeat one byte (RFC 8878, section 3.1.1)."""
    blocks = [body[start : start + (1 << 17)] for start in range(0, len(body), 1 << 17)]
    frame = b"\x28\xb5\x2f\xfd\x00\x58"
    for number, block in enumerate(blocks):
        repeats = len(set(block)) == 1
        head = (number == len(blocks) - 1) | repeats << 1 | len(block) << 3
        frame += head.to_bytes(3, "little") + (block[:1] if repeats else block)
    return frame


def chunked(body: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(body[n : n + 5]), body[n : n + 5]) for n in range(0, len(body), 5)) + b"0\r\n\r\n"


ENCODERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda body: brotli.compress(body, quality=1),
    "zstd": zstd,
}
BODY = b"<p>The night ferry has carried shift workers across the estuary for ninety years."


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize("wire", ["", "chunked"])
@pytest.mark.parametrize("stored", ["as sent", "decoded"])
def test_bodies_are_decoded_unless_they_were_before(opened, name, wire, stored):
    body = ENCODERS[name](BODY)
    sent = BODY if stored == "decoded" else chunked(body) if wire else body
    headers = {"Content-Encoding": name, **({"Transfer-Encoding": wire} if wire else {}), "Content-Length": str(len(body))}
    answer = opened(warc([Sent(A, sent, headers=headers)])).find(A)
    assert answer.body == BODY
    assert [name for name, _ in answer.headers] == ["Content-Type"]


def test_a_body_that_ends_too_early_is_decoded_as_far_as_it_goes(opened):
    body = gzip.compress(bytes(range(256)) * 4000)
    decoded = opened(warc([Sent(A, body[: len(body) // 2], headers={"Content-Encoding": "gzip"})])).find(A).body
    assert 0 < len(decoded) < 256 * 4000 and decoded == (bytes(range(256)) * 4000)[: len(decoded)]


@pytest.mark.parametrize("name", ["", *ENCODERS])
def test_a_bomb_is_refused_at_the_cap(opened, name):
    body = bytes(MOST_DECODED + 1)
    sent = [Sent(A, ENCODERS[name](body) if name else body, headers={"Content-Encoding": name} if name else {}), Sent(B, b"<p>Text")]
    archive = opened(warc(sent))
    with pytest.raises(Unusable, match=f"{A}: .*a body of more than 20000000 bytes"):
        archive.find(A)
    assert archive.find(B).body == b"<p>Text"


@pytest.mark.parametrize("packed", [False, True])
def test_what_is_whole_of_a_file_that_was_cut_is_read_and_the_rest_is_reported(opened, packed):
    whole = warc([Sent(A, b"<p>Text")], packed)
    data = whole + warc([Sent(B, bytes(range(200)))], packed)
    for cut in (len(data) - 3, len(data) - 60, len(whole) + 50, len(whole) + 5):
        archive = opened(data[:cut])
        assert archive.find(A).body == b"<p>Text"
        if cut < len(data) - 40:
            assert archive.find(B) is None and archive.pages() == [A]
            assert "what follows is left out" in archive.note
    assert opened(data).note == ""


@pytest.mark.parametrize("bomb", ["empty lines", "a record"])
def test_a_packed_bomb_ends_the_index_soon(opened, bomb, monkeypatch):
    monkeypatch.setattr("sightread.render.archives.warc.ALWAYS_EXPANDED", 1 << 20)
    monkeypatch.setattr("sightread.render.archives.warc.LONGEST_GAP", 1 << 14)
    unpacked = b"\r\n" * 40_000_000 if bomb == "empty lines" else response(Sent(B, bytes(80_000_000)))
    archive = opened(gzip.compress(response(Sent(A, b"<p>Text"))) + gzip.compress(unpacked, 1) + warc([Sent(f"{B}2", b"<p>More")]))
    assert archive.find(A).body == b"<p>Text"
    assert (archive.find(f"{B}2"), archive.pages()) == (None, [A])
    assert archive.note == "it is damaged after 1 record, and what follows is left out"


def test_a_file_that_changed_meanwhile_is_a_clear_error(opened, tmp_path):
    archive = opened(warc([Sent(A, b"<p>Text")]))
    (tmp_path / "crawl").write_bytes(b"WARC/1.1\r\n")
    with pytest.raises(Unusable, match="cannot be read"):
        archive.find(A)
