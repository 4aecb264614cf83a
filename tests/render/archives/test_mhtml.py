"""Archives that browsers write: the parts of MHTML files and the entries of HAR files, and what is left of damaged ones."""

import json
from base64 import b64encode
from functools import partial
from quopri import encodestring

import pytest

from sightread.render.archives.base import MOST_DECODED, choose_page
from sightread.render.archives.har import Har
from sightread.render.archives.mhtml import Mhtml, MhtmlLimits
from sightread.render.errors import Rejected, Unusable
from tests.pages.archive_files import Part, Sent, har, mhtml, open_as

PAGE = "https://courier.example/news/ferry.html"


@pytest.fixture
def opened(tmp_path):
    return partial(open_as, Mhtml, tmp_path / "page.mhtml")


def found(archive: Mhtml, url: str) -> bytes:
    answer = archive.find(url)
    assert answer is not None, url
    return answer.body


@pytest.mark.parametrize("line", [b"\r\n", b"\n"])
@pytest.mark.parametrize(
    ("name", "encode"),
    [
        ("quoted-printable", encodestring),
        ("base64", lambda body: b64encode(body) + b"\n"),
        ("8bit", bytes),
        ("binary", bytes),
        ("", bytes),
    ],
)
def test_a_body_is_read_in_every_encoding_and_with_any_line_ends(opened, line, name, encode):
    body = "<p>Grüße = 1\n--\nnicht mehr --".encode()
    whole = mhtml([Part(encode(body), location=PAGE, encoding=name), Part(b"p {}", "text/css", f"{PAGE}.css")])
    archive = opened(whole.replace(b"\r\n", line))
    assert found(archive, PAGE).replace(b"\r\n", b"\n") == body
    assert (archive.pages(), archive.note) == ([PAGE], "")
    assert found(archive, f"{PAGE}.css") == b"p {}"


def test_parts_named_by_cid_are_found_where_the_page_names_them(opened):
    html = b"""<link rel=stylesheet href="cid:css-1@mhtml.blink"><iframe src='cid:frame-2@mhtml.blink'></iframe>
        <img src=cid:image%40x><a href="cid:unknown@x">cid:css-1</a>"""
    parts = [
        Part(html, location=PAGE, name="frame-1@mhtml.blink"),
        Part(b"@import 'cid:css-2@mhtml.blink';", "text/css", "cid:css-1@mhtml.blink"),
        Part(b"p {}", "text/css", "cid:css-2@mhtml.blink"),
        Part(b"picture", "image/png", name="image@x"),
        Part(b"<p>Frame", location="https://other.example/f", name="frame-2@mhtml.blink"),
    ]
    archive = opened(mhtml(parts))
    page = found(archive, PAGE).decode()
    assert "<iframe src='https://other.example/f'>" in page and "cid:unknown@x" in page and "cid:css-1<" in page
    style = page.partition('href="')[2].partition('"')[0]
    assert style.startswith("https://courier.example/news/")  # so that its own relative URLs lead where the page's do
    assert found(archive, found(archive, style).decode().partition("'")[2].partition("'")[0]) == b"p {}"
    assert found(archive, page.partition("<img src=")[2].partition(">")[0]) == b"picture"


def test_two_frames_of_one_url_and_frames_of_none_are_kept_apart_and_of_their_origin(opened):
    html = b"<iframe src='cid:a@x'></iframe><iframe src='cid:b@x'></iframe><iframe src='cid:c@x'></iframe>"
    frame = "https://other.example/f"
    parts = [
        Part(html, location=PAGE),
        Part(b"<p>A", location=frame, name="a@x"),
        Part(b"<p>B", location=frame, name="b@x"),
        Part(b"<p>C", name="c@x"),
    ]
    archive = opened(mhtml(parts))
    a, b, c = (piece.partition("'")[0] for piece in found(archive, PAGE).decode().split("<iframe src='")[1:])
    assert [found(archive, url) for url in (a, b, c)] == [b"<p>A", b"<p>B", b"<p>C"]
    assert a == frame and b.startswith("https://other.example/") and c.startswith("https://courier.example/")


def test_shadow_trees_get_the_name_that_the_standard_gave_them(opened):
    html = b"<div><template shadowmode=\"open\"><p>Shadow</template></div><template class=a shadowmode='open'></template><p>shadowmode="
    page = found(opened(mhtml([Part(html, location=PAGE)])), PAGE)
    assert page.count(b"shadowrootmode=") == 2 and page.endswith(b"<p>shadowmode=")


def test_a_page_from_a_disk_has_an_address_that_never_resolves_and_its_files_beside_it(opened):
    parts = [
        Part(b"<img src=a_files/b.png>", location="file:///C:\\My Pages\\a.htm"),
        Part(b"B", "image/png", "file:///C:/My%20Pages/a_files/b.png"),
    ]
    archive = opened(mhtml(parts))
    (page,) = archive.pages()
    assert page == "http://stored.invalid/C%3A/My%20Pages/a.htm"
    assert found(archive, page.replace("a.htm", "a_files/b.png")) == b"B"


def test_of_a_file_that_was_cut_what_is_there_is_read_and_the_rest_is_reported(opened):
    data = mhtml([Part(b64encode(b"<p>" + b"Text " * 100), location=PAGE, encoding="base64"), Part(b"p {}", "text/css", f"{PAGE}.css")])
    for cut in range(data.index(PAGE.encode()) + 200, len(data) - 10, 7):
        archive = opened(data[:cut])
        assert found(archive, PAGE).startswith(b"<p>Text Text")
        assert archive.note.startswith("it is cut short")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n", "no part in it"),
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n<p>Text", "no part in it"),
        (mhtml([Part(b"p {}", "text/css", f"{PAGE}.css")]), "no HTML page in it"),
    ],
)
def test_a_file_without_a_page_is_refused(opened, data, complaint):
    with pytest.raises(Rejected, match=complaint):
        choose_page(opened(data))


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
def test_a_body_beyond_the_cap_costs_only_itself(opened, encoding):
    large = b64encode(bytes(MOST_DECODED + 1)) if encoding == "base64" else b"a" * (MOST_DECODED + 1)
    archive = opened(mhtml([Part(b"<p>Page", location=PAGE), Part(large, "text/css", f"{PAGE}.css", encoding=encoding)]))
    with pytest.raises(Unusable, match=r"ferry\.html\.css: a body of more than 20000000 bytes"):
        archive.find(f"{PAGE}.css")
    assert found(archive, PAGE) == b"<p>Page"


def test_a_bomb_of_nested_or_of_many_parts_ends_soon(opened, monkeypatch):
    monkeypatch.setattr("sightread.render.archives.mhtml.LIMITS", MhtmlLimits(parts=500))
    nested = b"".join(b"--%d\r\nContent-Type: multipart/mixed; boundary=%d\r\n\r\n" % (n, n + 1) for n in range(100_000))
    with pytest.raises(Rejected, match="no part in it"):
        opened(b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=0\r\n\r\n" + nested)
    archive = opened(mhtml([Part(b"<p>Page", location=PAGE), *(Part(b"", "text/css", f"{PAGE}?{n}") for n in range(600))]))
    assert (found(archive, PAGE), archive.note) == (b"<p>Page", "only its first 500 parts are read")


A, B = "https://a.example/", "https://a.example/b"


@pytest.fixture
def opened_har(tmp_path):
    def opened_har(data: bytes | dict) -> Har:
        return open_as(Har, tmp_path / "session.har", data if isinstance(data, bytes) else json.dumps(data).encode())

    return opened_har


def session(*entries: dict) -> dict:
    return {"log": {"version": "1.2", "entries": list(entries)}}


def entry(url: str, content: dict | None = None, status: object = 200, method: str = "GET", **more) -> dict:
    return {"request": {"method": method, "url": url}, "response": {"status": status, "headers": [], "content": content or {}, **more}}


def test_texts_and_other_bodies_are_found_under_their_headers(opened_har):
    archive = opened_har(har([Sent(A, "<p>Grüße".encode(), headers={"X-A": "1"}), Sent(B, bytes(range(256)), "image/png")]))
    page, picture = archive.find(A), archive.find(B)
    assert (page.body.decode(), page.header("x-a"), page.header("content-type")) == ("<p>Grüße", "1", "text/html; charset=utf-8")
    assert (picture.body, picture.header("content-type")) == (bytes(range(256)), "image/png")
    assert (archive.pages(), archive.find(f"{A}none")) == ([A], None)


def test_bodies_are_those_that_the_browser_had(opened_har):
    """None of what was posted or blocked; kept ones under 304; text is UTF-8 whatever it was sent in; odd fields are taken."""
    kept = entry(f"{A}kept", {"mimeType": "text/html", "text": "<p>Kept"}, 304)
    chinese = entry(f"{A}zh", {"mimeType": "text/css; charset=gb2312", "text": "/* 你好 */"})
    content = {"mimeType": None, "text": "<p>Text", "encoding": None, "size": -1}
    odd = entry(B, content, "200", redirectURL=None, cookies=[{"a": 1}]) | {"pageref": None, "time": -1, "_priority": "High"}
    entries = (entry(A, {"text": "posted"}, method="POST"), entry(A, status=0), kept, chinese, odd)
    archive = opened_har(b"\xef\xbb\xbf " + json.dumps(session(*entries)).encode())
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
def test_what_is_no_har_or_has_no_bodies_is_refused_in_one_line(opened_har, data, complaint):
    with pytest.raises(Rejected, match=complaint) as raised:
        opened_har(data)
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
def test_a_body_that_is_none_or_too_long_costs_only_itself(opened_har, content):
    archive = opened_har(session(entry(A, content), entry(B, {"text": "p {}"})))
    with pytest.raises(Unusable, match=A):
        archive.find(A)
    assert archive.find(B).body == b"p {}"
