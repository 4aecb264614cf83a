"""HAR files, as the network panels of browsers write them."""

import json
from base64 import b64encode

import pytest

from sightread.render.archives.base import MOST_DECODED
from sightread.render.archives.har import Har
from sightread.render.errors import Rejected, Unusable
from tests.pages.archive_files import Sent, har, open_as

A, B = "https://a.example/", "https://a.example/b"


@pytest.fixture
def opened(tmp_path):
    def opened(data: bytes | dict) -> Har:
        return open_as(Har, tmp_path / "session.har", data if isinstance(data, bytes) else json.dumps(data).encode())

    return opened


def session(*entries: dict) -> dict:
    return {"log": {"version": "1.2", "entries": list(entries)}}


def entry(url: str, content: dict | None = None, status: object = 200, method: str = "GET", **more) -> dict:
    return {"request": {"method": method, "url": url}, "response": {"status": status, "headers": [], "content": content or {}, **more}}


def test_texts_and_other_bodies_are_found_under_their_headers(opened):
    archive = opened(har([Sent(A, "<p>Grüße".encode(), headers={"X-A": "1"}), Sent(B, bytes(range(256)), "image/png")]))
    page, picture = archive.find(A), archive.find(B)
    assert (page.body.decode(), page.header("x-a"), page.header("content-type")) == ("<p>Grüße", "1", "text/html; charset=utf-8")
    assert (picture.body, picture.header("content-type")) == (bytes(range(256)), "image/png")
    assert (archive.pages(), archive.find(f"{A}none")) == ([A], None)


def test_bodies_are_those_that_the_browser_had(opened):
    """None of what was posted or blocked; kept ones under 304; text is UTF-8 whatever it was sent in; odd fields are taken."""
    kept = entry(f"{A}kept", {"mimeType": "text/html", "text": "<p>Kept"}, 304)
    chinese = entry(f"{A}zh", {"mimeType": "text/css; charset=gb2312", "text": "/* 你好 */"})
    content = {"mimeType": None, "text": "<p>Text", "encoding": None, "size": -1}
    odd = entry(B, content, "200", redirectURL=None, cookies=[{"a": 1}]) | {"pageref": None, "time": -1, "_priority": "High"}
    entries = (entry(A, {"text": "posted"}, method="POST"), entry(A, status=0), kept, chinese, odd)
    archive = opened(b"\xef\xbb\xbf " + json.dumps(session(*entries)).encode())
    assert (archive.find(A), archive.find(B).body, archive.pages()) == (None, b"<p>Text", [f"{A}kept"])
    assert (archive.find(f"{A}kept").status, archive.find(f"{A}kept").body) == (200, b"<p>Kept")
    assert (archive.find(f"{A}zh").charset, archive.find(f"{A}zh").body.decode()) == ("utf-8", "/* 你好 */")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (session(entry(A, {"mimeType": "text/html", "size": 7}), entry(B)), "it holds 2 answers, but the body of none: export it again"),
        (session(entry(A, {"text": ""})), "it holds 1 answers, but the body of none"),
        (session(), "no answer to a GET request"),
        ({"log": {}}, "JSON, but no whole HAR: .*`entries`"),
        ({"log": {"entries": [{"request": 1}]}}, "JSON, but no whole HAR: Expected `object`, got `int`"),
        ({"other": 1}, "JSON, but no whole HAR: .*`log`"),
        (b'{"log": {"entries": [', "JSON, but no whole HAR: Input data was truncated"),
        (b'{"log": ' * 100_000, "JSON, but no whole HAR"),
        (b'{"log": {"entries": [], "deep": ' + b"[" * 1_000_000, "JSON, but no whole HAR"),
        (b'{"log": "\xff\xfe"}', "JSON, but no whole HAR"),
    ],
)
def test_what_is_no_har_or_has_no_bodies_is_refused_in_one_line(opened, data, complaint):
    with pytest.raises(Rejected, match=complaint) as raised:
        opened(data)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [
        {"text": "a" * (MOST_DECODED + 1)},
        {"text": b64encode(bytes(MOST_DECODED + 1)).decode(), "encoding": "base64"},
        {"text": "x!", "encoding": "base64"},
        {"text": 5},
        {"text": {"a": []}},
    ],
    ids=["long", "long base64", "no base64", "a number", "an object"],
)
def test_a_body_that_is_none_or_too_long_costs_only_itself(opened, content):
    archive = opened(session(entry(A, content), entry(B, {"text": "p {}"})))
    with pytest.raises(Unusable, match=A):
        archive.find(A)
    assert archive.find(B).body == b"p {}"
