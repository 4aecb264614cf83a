"""Which kind of archive a file is, told by its content; and what arbitrary bytes do to all of them."""

import gzip
import json
import os
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightread.render.archives.base import Archive, choose_page, land
from sightread.render.archives.decoding import decode_body
from sightread.render.archives.har import Har
from sightread.render.archives.mhtml import Mhtml
from sightread.render.archives.open import open_archive, open_stored
from sightread.render.archives.request_matching import Matches, request_key
from sightread.render.archives.warc import Warc
from sightread.render.errors import Rejected, SightreadError, Unusable
from tests.pages.archive_files import Part, Sent, har, mhtml, warc

URL = "https://courier.example/news/ferry.html"
SENT = [Sent(URL, b"<p>Text"), Sent(f"{URL}.css", b"p {}", "text/css")]
FILES = {
    Warc: warc(SENT, packed=False),
    Har: har(SENT),
    Mhtml: mhtml([Part(b"<p>Text", location=URL, name="a@b"), Part(b"p {}", "text/css", f"{URL}.css")]),
}

PACKED = warc(SENT)


@pytest.mark.parametrize("name", ["page.html", "page.warc.gz", "page.har", "page.mhtml", "page"])
@pytest.mark.parametrize("kind", FILES)
def test_the_content_tells_the_kind_and_not_the_name(tmp_path, kind, name):
    (tmp_path / name).write_bytes(FILES[kind])
    assert type(open_archive(tmp_path / name)) is kind


@pytest.mark.parametrize(
    "html", [b"<p>Text", b"", b"{", b'{"name": 1}', b"Text: as plain as can be\n\nand more", b"\xef\xbb\xbf<p>", b"WARC"]
)
def test_anything_else_is_a_page(tmp_path, html):
    (tmp_path / "page.html").write_bytes(html)
    assert open_stored(tmp_path / "page.html") == html


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("page.wacz", b"PK\x03\x04" + bytes(30), "a ZIP file: unpack it, and give a WARC of its archive folder"),
        ("page.maff", b"PK\x03\x04" + bytes(30), "a ZIP file: unpack it, and give what is in it"),
        ("page.warc.zst", b"\x28\xb5\x2f\xfd", "compressed with zstd: unpack it first"),
        ("page.html.gz", gzip.compress(b"<p>Text", mtime=0), r"compressed with gzip, and no WARC: unpack it first"),
        ("page.warc.gz", b"\x1f\x8b\x08", "compressed with gzip, and no WARC"),
        ("page.warc", b"<p>Not found", "it does not begin as a WARC file does"),
        ("page.mht", b"<p>Not found", "it does not begin as a MHTML file does"),
        ("page.har", b"<p>Not found", "it does not begin as a HAR file does"),
        ("page.har", b'{"error": "none"}', "JSON, but no whole HAR"),
    ],
)
def test_other_kinds_are_refused_in_one_line_that_states_what_to_do(tmp_path, name, data, complaint):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Rejected, match=complaint) as raised:
        open_stored(tmp_path / name)
    assert str(raised.value).startswith(str(tmp_path)) or str(raised.value).startswith(name)
    assert len(str(raised.value).splitlines()) == 1


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    for path in (tmp_path / "none", tmp_path / "nul\0"):
        with pytest.raises(Rejected, match="cannot be read"):
            open_stored(path)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """An archive with a few of its bytes changed, taken out or put in, and its end cut off."""
    data = bytearray(draw(st.sampled_from([*FILES.values(), PACKED])))
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, len(data)))
        data[place : place + draw(st.integers(0, 12))] = draw(
            st.binary(max_size=12) | st.sampled_from([b"\r\n", b"--", b"-1", b'"', b"[", b"\xff"])
        )
    return bytes(data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data)


BEGUN = st.sampled_from(list(FILES.values())).flatmap(lambda file: st.binary().map(lambda end: file[:40] + end))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=damaged() | st.binary(max_size=200) | BEGUN)
def test_no_file_raises_anything_but_our_errors(tmp_path, data):
    path = tmp_path / "file"
    path.write_bytes(data)
    try:
        opened = open_stored(path)
        if isinstance(opened, Archive):
            for url in {*opened.pages(), URL, f"{URL}.css"}:
                land(opened, choose_page(opened, url))
    except SightreadError as error:
        assert len(str(error).splitlines()) == 1


CODINGS = st.sampled_from(["gzip", "br", "zstd", "deflate", "gzip, br", "x"])


@given(body=st.binary(max_size=300), transfer=st.text(max_size=20) | st.just("chunked"), content=CODINGS)
@settings(max_examples=60, deadline=None)
def test_no_body_raises_anything_but_our_errors(body, transfer, content):
    try:
        assert isinstance(decode_body(body, transfer, content), bytes)
    except Unusable as error:
        assert "encoding" in str(error)


def test_a_url_is_matched_as_a_browser_requests_it():
    assert request_key("HTTPS://Courier.Example:443/a/../b c?q=ü#top") == "https://courier.example/b%20c?q=%C3%BC"
    assert [request_key(url) for url in ("data:,x", "cid:x", "b.html", "", "http://")] == [""] * 5


@pytest.mark.parametrize(
    ("requested", "found"),
    [
        ("https://a.example/x", "secure"),
        ("http://a.example/x", "plain"),
        ("https://a.example/y", "only plain"),
        ("http://a.example/z", "only secure"),
        ("https://a.example/s?v=2&_=1700000000999", "stamped"),
        ("http://a.example/s?_=0.123456789&v=2", "stamped"),
        ("https://a.example/s?v=3&_=1700000000999", None),
        ("https://a.example/s?v=2&w=1", None),
        ("https://a.example/p?id=2", None),
        ("https://a.example/p", None),
        ("https://a.example/y?", None),
    ],
)
def test_of_the_scheme_and_of_cache_busters_alone_light_is_made(requested, found):
    matches: Matches[str] = Matches()
    for url, entry in {
        "http://a.example/x": "plain",
        "https://a.example/x": "secure",
        "http://a.example/y": "only plain",
        "https://a.example/z": "only secure",
        "https://a.example/s?v=2&_=1600000000123": "stamped",
        "https://a.example/p?id=1": "one",
    }.items():
        matches.add(url, 200, entry)
    assert matches.find(requested) == found


def test_deep_json_is_refused_soon(tmp_path):
    deep = json.dumps({"log": {"entries": [], "x": None}}).replace("null", "[" * 500_000)
    (tmp_path / "a.har").write_text(deep)
    with pytest.raises(Rejected, match="JSON, but no whole HAR"):
        open_stored(tmp_path / "a.har")


@pytest.mark.parametrize("html", [b"<p>" + b"Text " * 40_000, FILES[Warc]], ids=["a page", "an archive"])
def test_what_comes_through_a_pipe_is_read_once(tmp_path, html):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(html,))
    writer.start()
    if html.startswith(b"<p>"):
        assert open_stored(pipe) == html
    else:
        with pytest.raises(Rejected, match="a WARC file cannot be read through a pipe: write it to the disk first"):
            open_stored(pipe)
    writer.join()


def test_a_file_longer_than_any_page_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("sightread.render.archives.open.LARGEST_PAGE", 100)
    (tmp_path / "a.html").write_bytes(bytes(101))
    with pytest.raises(Rejected, match="larger than 100 bytes, and not an archive"):
        open_stored(tmp_path / "a.html")
