"""Records of WARC files for a batch: every record accounted for, by offset, however the file is packed or damaged; and lists of URLs."""

import gzip
import re

import pytest
from fastwarc.stream_io import ZstdWriter

from sightread.batch.inputs.files import InputRecord, Partition, bucket_of, listed_urls, registrable_domain
from sightread.batch.inputs.warc import read_warc, record_offsets
from sightread.render.errors import Rejected
from tests.pages.archive_files import Sent, http, record, response

A, B = "https://a.example/", "https://b.example/"


def zstd(content: bytes, tmp_path) -> bytes:
    path = tmp_path / "frame.zst"
    with path.open("wb") as file:
        writer = ZstdWriter(file)
        writer.write(content)
        writer.close()
    return path.read_bytes()


@pytest.fixture(params=["plain", "gzip", "zstd"])
def pack(request, tmp_path):
    return {"plain": bytes, "gzip": gzip.compress, "zstd": lambda content: zstd(content, tmp_path)}[request.param]


@pytest.fixture
def read(tmp_path):
    def read(content: bytes, start: int = 0, end: int = -1) -> list[InputRecord]:
        path = tmp_path / "crawl.warc"
        path.write_bytes(content)
        return list(read_warc(Partition(0, "warc", str(path), 0, end), start))

    return read


def pages(count: int) -> list[bytes]:
    return [response(Sent(f"{A}{n}", f"<p>Page {n} of a crawl".encode() * 20)) for n in range(count)]


def test_reading_goes_on_at_any_offset(pack, read, tmp_path):
    content = b"".join(map(pack, pages(5)))
    whole = read(content)
    assert [each.url for each in whole] == [f"{A}{n}" for n in range(5)]
    offsets = [each.position for each in whole]
    assert offsets == list(record_offsets(tmp_path / "crawl.warc"))
    for number, offset in enumerate(offsets):
        assert read(content, offset) == whole[number:]
    assert read(content, offsets[1], offsets[3]) == whole[1:3]


def test_every_record_is_a_page_or_has_its_reason(read):
    records = [
        record("warcinfo", "", b"software: test\r\n", "application/warc-fields"),
        record("request", A, b"GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request"),
        response(Sent(A, b"<p>Text")),
        record("metadata", A, b"via: x\r\n", "application/warc-fields"),
        response(Sent(f"{A}gone", b"<p>Gone", status=404)),
        response(Sent(f"{A}moved", status=301, headers={"Location": A})),
        response(Sent(f"{A}logo", b"\x89PNG", "image/png")),
        response(Sent(f"{A}empty")),
        record("resource", f"{A}file", "<p>Größe".encode("iso-8859-15"), 'text/html; charset="ISO-8859-15"'),
        record("conversion", A, b"Text", "text/plain"),
        record("response", A, b"gopher", "application/octet-stream"),
        response(Sent(f"{A}cut", b"<p>Some text"), WARC_Truncated="length"),
    ]
    found = read(b"".join(records))
    reasons = [each.other or each.skipped.partition(":")[0] or each.failed or "page" for each in found]
    assert reasons == [
        *("warcinfo", "request", "page", "metadata", "status", "status", "not-html", "empty"),
        *("page", "conversion", "not-http", "page"),
    ]
    assert (found[8].html.decode(found[8].charset), found[11].note) == ("<p>Größe", "truncated by the crawler: length")


def test_a_revisit_has_the_body_of_what_it_repeats(pack, read):
    first = response(Sent(A, b"<p>Text"), record="<urn:uuid:first>", WARC_Payload_Digest="sha1:AAAA")
    again = record("revisit", A, http(Sent(A, status=304)), WARC_Refers_To="<urn:uuid:first>")
    same = record("revisit", B, http(Sent(B)), WARC_Payload_Digest="sha1:AAAA")
    lost = record("revisit", B, http(Sent(B)), WARC_Payload_Digest="sha1:BBBB")
    found = read(b"".join(map(pack, (first, again, same, lost))))
    assert [(each.url, each.html) for each in found] == [(A, b"<p>Text"), (A, b"<p>Text"), (B, b"<p>Text"), (B, b"")]
    assert found[3].skipped == "revisit: the record that it repeats is not in this file"
    assert read(b"".join(map(pack, (first, again))), found[1].position)[0].html == b"<p>Text"


@pytest.mark.parametrize("cut", [20, 200, 500])
def test_a_file_that_is_cut_short_has_all_records_before_and_one_that_failed(pack, read, cut):
    packed = list(map(pack, pages(4)))
    content = b"".join(packed)[: -min(cut, len(packed[-1]) - 4)]
    found = read(content)
    assert [each.url for each in found[:3]] == [f"{A}{n}" for n in range(3)]
    assert len(found) == 4 and found[3].failed and not found[3].html


def test_damage_costs_the_records_that_it_hits(pack, read):
    packed = list(map(pack, pages(6)))
    start = sum(map(len, packed[:2]))
    content = bytearray(b"".join(packed))
    content[start + 2 : start + 40] = bytes(38)
    found = read(bytes(content))
    assert [each.url for each in found if each.html] == [f"{A}{n}" for n in (0, 1, 3, 4, 5)]
    (damage,) = [each for each in found if not each.html]
    assert damage.failed == "damaged bytes in the file"
    assert read(bytes(content), damage.position) == found[2:]


def test_records_that_are_packed_several_in_one_are_refused(read, tmp_path):
    with pytest.raises(Rejected, match="compressed several in one, so that none is found alone: unpack it first"):
        read(gzip.compress(b"".join(pages(3))))


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.news.example.co.uk/a?b", "example.co.uk"),
        ("http://user@Blog.Example.COM:8080/", "example.com"),
        ("https://project.github.io/x", "project.github.io"),
        ("http://127.0.0.1:9/", "127.0.0.1"),
        ("http://[::1]:9/", "[::1]"),
        ("http://localhost/", "localhost"),
        ("not a URL", ""),
    ],
)
def test_a_domain_is_what_one_owner_registered(url, domain):
    assert registrable_domain(url) == domain


def test_hosts_of_one_domain_are_in_one_bucket():
    urls = [f"https://{host}.example.org/{page}" for host in ("a", "b", "www") for page in range(3)]
    assert len({bucket_of(url, 1000) for url in urls}) == 1


def test_a_list_has_one_url_per_line(tmp_path):
    path = tmp_path / "urls.txt"
    path.write_bytes(b"\xef\xbb\xbfhttps://a.example/\r\n# a comment\n\n  https://b.example/\n")
    assert list(listed_urls(str(path))) == ["https://a.example/", "https://b.example/"]


@pytest.mark.parametrize("length", ["²", "9" * 5000, "-1", "1e3", "0x10", "٣"])
def test_a_length_that_is_no_number_costs_its_record_alone(read, length):
    first, poison, last = pages(3)
    poison = re.sub(rb"(\r\nContent-Length: )\d+", rb"\g<1>" + length.encode(), poison, count=1)
    found = read(first + poison + last)
    assert [each.url for each in found if each.html] == [f"{A}0", f"{A}2"]
    assert any(each.failed for each in found[1:-1])
