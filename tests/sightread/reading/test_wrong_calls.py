"""Wrong values given to the public API: each raises an error of sightread's own, in one sentence with a remedy."""

from collections.abc import Callable
from pathlib import Path

import pytest

import sightread
from sightread import Access, Device, Egress, Reader, RenderOptions, Upstream

HTML = "<article><p>The ferry has carried shift workers across the estuary for ninety years, and runs half empty most of the time."
PATH = Path(__file__)
URL = "https://courier.example/ferry"

CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "extract: None": (lambda: sightread.extract(None), "html is None: give HTML as a string or bytes; Reader.extract reads a URL"),
    "extract: a number": (lambda: sightread.extract(5), "html is 5 (int): give a string or bytes"),
    "extract: a list": (lambda: sightread.extract([HTML]), "(list): give a string or bytes"),
    "extract: a path": (lambda: sightread.extract(PATH), "sightread.extract_file reads a file"),
    "extract: a URL": (lambda: sightread.extract(URL), f"html is a URL: sightread.Reader reads it, with await reader.extract('{URL}')"),
    "extract: a URL in bytes": (lambda: sightread.extract(URL.encode()), "html is a URL: sightread.Reader reads it"),
    "extract: a file name": (lambda: sightread.extract("pages/ferry.html"), "sightread.extract_file('pages/ferry.html') reads it"),
    "extract: a file that exists": (lambda: sightread.extract(str(PATH)), "html is a file name: sightread.extract_file("),
    "extract: url is a number": (lambda: sightread.extract(HTML, 5), "url is 5 (int): give a string or None"),
    "extract: model is None": (lambda: sightread.extract(HTML, model=None), "model is None: give a string"),
    "extract: unknown model": (lambda: sightread.extract(HTML, model="boilerpip"), "did you mean boilerpipe?"),
    "extract: site model": (
        lambda: sightread.extract(HTML, model="site"),
        "no site model for a page without a URL",
    ),
    "extract: unknown format": (
        lambda: sightread.extract(HTML, output_format="markdwn"),
        "did you mean markdown? There are chunks, html, json",
    ),
    "extract: format is a number": (lambda: sightread.extract(HTML, output_format=1), "output_format is 1 (int): give a string or None"),
    "extract: unknown option": (
        lambda: sightread.extract(HTML, include_table=False),
        "did you mean include_tables?",
    ),
    "extract: a misspelt parameter": (lambda: sightread.extract(HTML, modell="global"), "has no option modell; did you mean model?"),
    "extract: option of another type": (lambda: sightread.extract(HTML, include_tables="no"), "is 'no' (str): give True or False"),
    "extract: trafilatura's fast": (
        lambda: sightread.extract(HTML, fast=True),
        "extract_text gives the text alone, in less time; leave it out",
    ),
    "extract: trafilatura's target_language": (
        lambda: sightread.extract(HTML, target_language="de"),
        "does not take trafilatura's target_language: test Document.metadata.language; leave it out",
    ),
    "extract: both precision and recall": (
        lambda: sightread.extract(HTML, favor_precision=True, favor_recall=True),
        "contradict each other: leave one of them out",
    ),
    "extract: metadata before HTML": (
        lambda: sightread.extract(HTML, output_format="html", with_metadata=True),
        "take markdown, text, json or tei",
    ),
    "extract: a PDF": (lambda: sightread.extract(b"%PDF-1.7\n\x00\x01\x02" + bytes(range(256))), "binary data"),
    "extract: nothing": (lambda: sightread.extract(""), "no text on the page"),
    "extract_text: None": (lambda: sightread.extract_text(None), "extract_text(): html is None: give HTML as a string or bytes"),
    "extract_text: a URL": (lambda: sightread.extract_text(URL), "html is a URL: sightread.Reader reads it"),
    "extract_text: a file that exists": (lambda: sightread.extract_text(str(PATH)), "sightread.extract_file("),
    "extract_text: url is a number": (lambda: sightread.extract_text(HTML, 5), "url is 5 (int): give a string or None"),
    "extract_text: nothing": (lambda: sightread.extract_text("<nav></nav>", URL), f"{URL}: no text on the page"),
    "extract_file: None": (lambda: sightread.extract_file(None), "path is None: give a string or a path"),
    "extract_file: a missing file": (lambda: sightread.extract_file("missing.html"), "missing.html: there is no such file: check its name"),
    "extract_file: a URL": (lambda: sightread.extract_file(URL), "a URL: Reader.extract reads it"),
    "extract_file: unknown option": (lambda: sightread.extract_file(PATH, include_link=False), "did you mean include_links?"),
    "to_dataframe: HTML": (lambda: sightread.to_dataframe(HTML.encode()), "source is of the type bytes: give a Page, a Document"),
    "to_dataframe: no folder": (lambda: sightread.to_dataframe("nowhere"), "no corpus there"),
    "RenderOptions: deadline as text": (lambda: RenderOptions(deadline="5"), "deadline is '5' (str): give a number"),
    "RenderOptions: no time": (lambda: RenderOptions(deadline=0), "deadline is 0: give more than 0 seconds"),
    "RenderOptions: unknown scroll": (lambda: RenderOptions(scroll="infinite"), "give 'lazy', 'none' or 'endless'"),
    "RenderOptions: device by name": (lambda: RenderOptions(device="iPhone 15"), "device is 'iPhone 15' (str): give a Device"),
    "RenderOptions: picture by name": (lambda: RenderOptions(picture="page.webp"), "picture is 'page.webp' (str): give True or False"),
    "Device: viewport of one number": (lambda: Device(viewport=1280), "viewport is 1280 (int): give a Size"),
    "Device: unknown language": (lambda: Device(language="German"), "give a language tag (BCP 47), such as en, de-AT"),
    "Device: scale as text": (lambda: Device(scale="2x"), "scale is '2x' (str): give a number"),
    "Access: headers as a dict": (lambda: Access(URL, headers={"X-Key": "secret"}), "headers is dict: give a tuple of"),
    "Access: no URL": (lambda: Access("courier"), "not an http or https address: give one"),
    "Egress: a word": (lambda: Egress(local="yes"), "local is 'yes' (str): give True or False"),
    "Upstream: port of 0": (lambda: Upstream("http", "proxy.example", 0), "port is 0: give 1 to 65535"),
    "Reader: unknown model": (lambda: Reader("gpt"), "no model is called 'gpt'; there are auto, site, global"),
    "Reader: no tabs": (lambda: Reader(tabs=0), "tabs is 0: give 1 or more pages open at once"),
    "Reader: egress by name": (lambda: Reader(egress="local"), "egress is 'local' (str): give an Egress"),
    "Document.without: unknown part": (lambda: sightread.extract(HTML).without("table"), "give 'comments', 'tables', 'images' or 'links'"),
    "Document.from_threshold: percent": (lambda: sightread.extract(HTML).from_threshold(70), "threshold is 70: give 0 to 1"),
    "Document.to_json: unknown field": (lambda: sightread.extract(HTML).to_json("post"), "give 'posts', 'attributes', 'left_out' or"),
}

READER_CALLS: dict[str, tuple[Callable[[Reader], object], str]] = {
    "extract: None": (lambda reader: reader.extract(None), "url is None: give the URL of a page, such as"),
    "extract: HTML": (lambda reader: reader.extract(HTML), "url is HTML: give it to Reader.extract_html"),
    "extract: a path": (lambda reader: reader.extract(PATH), "read a file with Reader.extract_archived, or sightread.extract_file"),
    "extract: a file name": (lambda reader: reader.extract("ferry.html"), "Reader.extract_archived('ferry.html') reads it"),
    "extract: a host": (lambda reader: reader.extract("courier.example"), "give 'https://courier.example'"),
    "extract: another scheme": (lambda reader: reader.extract("ftp://courier.example/"), "not an http or https address: give one"),
    "extract: options as a dict": (lambda reader: reader.extract(URL, options={"deadline": 5}), "(dict): give a RenderOptions"),
    "extract_many: rate limit as a number": (
        lambda reader: anext(reader.extract_many([URL], rate_limit=2)),
        "rate_limit is 2 (int): give a RateLimit",
    ),
    "extract_html: a URL": (lambda reader: reader.extract_html(URL), "html is a URL: sightread.Reader reads it"),
    "extract_html: None": (lambda reader: reader.extract_html(None), "html is None: give HTML as a string or bytes"),
    "extract_archived: bytes": (lambda reader: reader.extract_archived(b"WARC/1.1"), "give an Archive, a path or a string"),
    "a closed reader": (lambda reader: reader.extract(URL), "the reader is not open: use it inside `async with`"),
}


def is_one_sentence_with_a_remedy(message: str) -> bool:
    return "\n" not in message and len(message) < 400 and any(sign in message for sign in (": ", "; "))


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_call_is_refused_with_a_remedy(call: str) -> None:
    run, remedy = CALLS[call]
    with pytest.raises(sightread.SightreadError) as caught:
        run()
    assert remedy in str(caught.value)
    assert is_one_sentence_with_a_remedy(str(caught.value))


@pytest.mark.parametrize("call", READER_CALLS)
async def test_a_wrong_call_of_a_reader_is_refused_before_a_page_is_opened(call: str) -> None:
    run, remedy = READER_CALLS[call]
    with pytest.raises(sightread.SightreadError) as caught:
        await run(Reader())
    assert remedy in str(caught.value)
    assert is_one_sentence_with_a_remedy(str(caught.value))


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/article.html", "http://127.0.0.1:1/archive/page.mhtml"])
async def test_a_url_whose_path_ends_like_a_file_is_no_file(url: str) -> None:
    with pytest.raises(sightread.Rejected, match="the reader is not open"):
        await Reader().extract(url)


def test_the_secret_of_a_wrong_call_is_not_repeated() -> None:
    with pytest.raises(sightread.Rejected) as caught:
        Access(URL, headers={"X-Key": "secret"})
    assert "secret" not in str(caught.value)


def test_what_is_not_wrong_passes() -> None:
    assert RenderOptions(deadline=5).deadline == 5
    assert Device(viewport=(800, 600)).viewport.width == 800
    assert sightread.extract("A sentence about page.html and https://courier.example/ in it.", model="boilerpipe").page.blocks


def test_the_representation_of_a_document_and_a_page_is_one_line() -> None:
    document = sightread.extract(f"<title>The ferry</title>{HTML}", URL)
    assert repr(document) == (
        f"Document(url='{URL}', title='The ferry', blocks=1, model='global', expected_f1={round(document.expected_f1, 2)})"
    )
    assert repr(document.page) == f"Page(url='{URL}', title='The ferry', source='static', blocks=1)"
