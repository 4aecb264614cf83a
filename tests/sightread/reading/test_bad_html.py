"""Input that is no page, or hardly one: a result, or a clear refusal, for each."""

import json

import pytest

import sightread
from sightread import Unusable, Walled

TEXT = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. "
STORY = f"<h1>The green lighthouse</h1><p>{TEXT * 2}</p><p>{TEXT * 2}</p>"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("", "no text on the page"),
        (b"", "no text on the page"),
        ("   \n\t ", "no text on the page"),
        ("<html><body></body></html>", "no text on the page"),
        ("<!-- only a remark -->", "no text on the page"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n" * 50, "PDF|binary|not HTML"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 20, "binary|not HTML|image"),
        (b"PK\x03\x04" + bytes(range(256)) * 20, "binary|not HTML|archive"),
        ("<frameset cols='50%,50%'><frame src='a.html'><frame src='b.html'></frameset>", "no text on the page"),
    ],
    ids=["empty", "empty bytes", "white space", "no text", "remark", "pdf", "png", "zip", "frameset"],
)
def test_what_holds_no_page_is_refused(given, complaint) -> None:
    with pytest.raises(Unusable, match=complaint):
        sightread.extract(given, "https://post.example/")


@pytest.mark.parametrize(
    "given",
    [
        STORY.replace("</p>", "").replace("</h1>", ""),
        f"<div><div><b><i><table><tr><td>{STORY}",
        "<div>" * 200 + STORY,
        "<blockquote><ul><li>" * 200 + STORY,
        STORY + "<p>" + "\x00\x01\ufffe",
        f"<noframes>{STORY}</noframes>{STORY}",
        f'<html lang="{"x" * 5000}"><title>{"t " * 50_000}</title>{STORY}',
        STORY + "<a href='http://[bad'>link</a><img src='http://[worse' alt=x>",
        f'<script type="application/ld+json">{"[" * 5000}</script>{STORY}',
    ],
    ids=[
        "unclosed",
        "misnested",
        "200 deep",
        "600 lists deep",
        "control",
        "noframes",
        "long names",
        "bad addresses",
        "bad json",
    ],
)
def test_what_is_hardly_a_page_is_read_in_every_form(given) -> None:
    document = sightread.extract(given, "https://post.example/")
    forms = (document.text, document.markdown, document.html, document.tei, document.to_json("posts", "attributes", "left_out"))
    assert all(isinstance(form, str) and form for form in forms)
    assert document.metadata is not None
    everything = " ".join(block.text for block in document.page.blocks)
    assert "painted green" in everything


@pytest.mark.parametrize(
    ("charset", "declared"),
    [
        ("utf-8", "windows-1252"),
        ("windows-1252", "utf-8"),
        ("utf-16", "utf-8"),
        ("iso-8859-1", "no-such-charset"),
        ("shift_jis", "shift_jis"),
    ],
)
def test_a_wrong_or_missing_charset_costs_signs_at_most(charset, declared) -> None:
    word = "灯台" if charset == "shift_jis" else "Café"
    given = f"<meta charset={declared}>{STORY.replace('green', word)}".encode(charset)
    assert "at the end of the pier" in sightread.extract(given, "https://post.example/").text


def test_json_in_the_place_of_a_page_is_text_or_refused() -> None:
    given = json.dumps({"title": "no page", "text": TEXT})
    try:
        assert "painted green" in sightread.extract(given, "https://post.example/api").text
    except Unusable as error:
        assert "post.example" in str(error)


def test_a_page_of_megabytes_is_read() -> None:
    given = "<html><body>" + f"<p>{TEXT * 100}</p>" * 250
    assert len(given) > 2_900_000
    assert "painted green" in sightread.extract(given, "https://post.example/", model="boilerpipe").text


@pytest.mark.parametrize(
    "given",
    [
        "<title>Sign in</title><h1>Sign in</h1><form><input name=user><input type=password><button>Log in</button></form>",
        "<title>Just a moment...</title><h1>Checking your browser</h1><p>Enable JavaScript and cookies to continue",
    ],
    ids=["login", "bot"],
)
def test_a_page_that_is_only_a_wall_is_reported_as_one(given) -> None:
    with pytest.raises(Walled):
        sightread.extract(given, "https://post.example/")
