"""Documents that are no HTML, by URL and by file: all of plain text, Markdown, JSON, feeds and PDF files is content."""

import json
import re
import zlib

import pytest
import pytest_asyncio

import sightread
from sightread.render.browser.browser import RenderOptions
from sightread.render.convert import convert
from sightread.render.network.egress import LOCAL
from sightread.render.visit.capture import CaptureOptions

NOTES = """\
The ferry runs all night between the two banks of the river, and
nobody has ever stopped it.

- tickets at the pier
- no <bicycles>

  Port     Ferries
  North    12

Ann Lee
Harbour Road 7
"""
MARKDOWN = "---\ntitle: The ferry\nauthor: Ann\n---\n# Night\n\nIt *runs*.\n\n| Port | Ferries |\n|---|---|\n| North | 12 |\n"
RSS = """<?xml version="1.0"?><!-- made by hand --><rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>River &amp; sea</title><item><title>Ferry</title><link>https://x.example/a</link><description>short</description>
<content:encoded><![CDATA[<p>It <b>runs</b>.</p><script>alert(1)</script>]]></content:encoded></item>
<item><title>Tide</title><description>Plain &lt;i&gt;text&lt;/i&gt;</description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Fluss</title><entry><title>Fähre</title>
<link rel="self" href="/self"/><link href="https://x.example/c"/><author><name>Bo</name></author><updated>2026-01-02</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Sie <em>fährt</em>.</p></div></content></entry></feed>"""
JSON_FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "River",
    "items": [{"title": "Ferry", "url": "https://x.example/d", "content_html": "<p>It runs.</p>", "authors": [{"name": "Cy"}]}],
}
READ = {
    "notes.txt": (
        NOTES,
        "The ferry runs all night between the two banks of the river, and nobody has ever stopped it.\n\n- tickets at the pier\n"
        "- no \\<bicycles>\n\n```\n  Port     Ferries\n  North    12\n```\n\nAnn Lee\\\nHarbour Road 7",
    ),
    "ferry.md": (MARKDOWN, "# Night\n\nIt *runs*.\n\n| Port | Ferries |\n| --- | --- |\n| North | 12 |"),
    "ferry.json": ('{"name":"ferry","n":12.50}', '```json\n{\n  "name": "ferry",\n  "n": 12.50\n}\n```'),
    "rss.xml": (RSS, "# River & sea\n\n## [Ferry](https://x.example/a)\n\nIt **runs**.\n\n## Tide\n\nPlain *text*"),
    "atom.xml": (ATOM, "# Fluss\n\n## [Fähre](https://x.example/c)\n\nBo, 2026-01-02\n\nSie *fährt*."),
    "feed.json": (json.dumps(JSON_FEED), "# River\n\n## [Ferry](https://x.example/d)\n\nCy\n\nIt runs."),
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reader(tmp_path_factory):
    async with sightread.Reader(home=tmp_path_factory.mktemp("home"), egress=LOCAL) as opened:
        yield opened


@pytest.mark.parametrize("name", READ)
def test_all_of_a_file_is_content(tmp_path, name):
    given, markdown = READ[name]
    (tmp_path / name).write_text(given)
    document = sightread.extract_file(tmp_path / name)
    assert (document.markdown, [note.code for note in document.notes], document.notes[0].level) == (markdown, ["converted"], "info")
    assert set(document.selection.reasons) == {"recovered"}


def test_the_front_matter_of_markdown_is_metadata(tmp_path):
    (tmp_path / "ferry.md").write_text(MARKDOWN)
    assert (found := sightread.extract_file(tmp_path / "ferry.md").metadata).title == "The ferry" and found.authors == ("Ann",)


@pytest.mark.parametrize(
    ("typed", "begins"),
    [(NOTES, "The ferry runs"), ('[{"a": 1}]', "```json"), (RSS, "# River"), ("<p>It runs &amp; runs all night.", "It runs & runs")],
)
def test_standard_input_is_read_by_its_content(sightread, typed, begins):
    assert sightread("extract", "-", "--static", typed=typed.encode()).out.startswith(begins)


TYPES = {"notes.txt": "text/plain", "ferry.md": "text/plain", "ferry.json": "application/ld+json", "atom.xml": "application/atom+xml"}


async def test_a_url_is_read_by_its_type_then_by_its_content_and_name(reader, site_server):
    site = await site_server({f"/{name}": (200, {"Content-Type": kind}, READ[name][0]) for name, kind in TYPES.items()})
    for name in TYPES:
        document = await reader.extract(site.url(f"/{name}"))
        assert (document.markdown, document.url, document.page.status) == (READ[name][1], site.url(f"/{name}"), 200)
    with pytest.raises(sightread.Unusable, match="only HTML pages"):
        await reader.render(site.url("/notes.txt"))


async def test_anything_else_names_its_type(reader, site_server, tmp_path):
    site = await site_server({"/clip": (200, {"Content-Type": "video/mp4"}, b"\0"), "/x": (200, {"Content-Type": "text/xml"}, "<a/>")})
    for path, kind in (("/clip", "video/mp4"), ("/x", "text/xml")):
        with pytest.raises(sightread.Unusable, match=f"its content is {kind}: HTML, plain text, Markdown"):
            await reader.extract(site.url(path))
    (tmp_path / "dusk.png").write_bytes(b"\x89PNG" + bytes(range(256)))
    with pytest.raises(sightread.Unusable, match=r"dusk.png: its content is image/png: HTML"):
        sightread.extract_file(tmp_path / "dusk.png")


TEXT = "The ferry has carried shift workers across the estuary for ninety years, and it still runs half empty most of the time. "
BODY = "".join(f"<h2>{part}. Chapter of the river {part}</h2><p>Part {part}. {TEXT * 3}</p><p>{TEXT * 2}</p>" for part in range(1, 9))
PRINTED = f"""<title>The night ferry</title><meta name=author content=Ann><style>@page{{size:A4;margin:3cm}} body{{font:10pt serif}}
h1{{font-size:22pt}} h2{{font-size:14pt}} div{{column-count:2;text-align:justify;hyphens:auto}} pre{{font:9pt monospace}}</style>
<h1>The night ferry and all of the people who have travelled with it</h1><p>Two units of UTF-16: 😀😀😀😀😀</p>
<div>{BODY}<ul><li>• tickets<li>• bicycles</ul></div>
<pre>def sail():
    return "north"</pre>"""


@pytest.fixture
def printed(reader, site_server):
    """Return what Chromium prints of a page."""

    async def printed(html):
        site = await site_server({"/": html})
        options = RenderOptions(capture=CaptureOptions(pdf=True))
        return (await reader.render(site.url(), options=options)).capture.pdf

    return printed


async def test_a_pdf_is_read_by_columns_with_its_headings(reader, site_server, printed, tmp_path):
    pdf = await printed(PRINTED)
    site = await site_server({"/paper": (200, {"Content-Type": "application/octet-stream"}, pdf)})
    document = await reader.extract(site.url("/paper"))
    headings = re.findall(r"^(#+) (.*)", document.markdown, re.MULTILINE)
    chapters = [("##", f"{part}. Chapter of the river {part}") for part in range(1, 9)]
    assert headings == [("#", "The night ferry and all of the people who have travelled with it"), *chapters]
    paragraphs = document.text.split("\n\n")
    assert [text for text in paragraphs if text.startswith("Part")] == [f"Part {part}. {(TEXT * 3).strip()}" for part in range(1, 9)]
    assert document.markdown.endswith('```\ndef sail():\n    return "north"\n```')
    assert document.metadata.title == "The night ferry"
    (tmp_path / "paper.pdf").write_bytes(pdf)
    assert sightread.extract_file(tmp_path / "paper.pdf").markdown == document.markdown


async def test_lines_drawn_out_of_order_are_read_by_columns_and_what_recurs_on_pages_is_left_out(printed):
    style = "<style>@page{size:A4;margin:2cm} body{margin:0} section{position:relative;height:24cm;break-after:page}\
    div{position:absolute;width:7cm;top:1cm} section>p{position:absolute;top:22cm}</style>"
    pages = ""
    for page, number in enumerate(("one", "two", "three"), 1):
        columns = (f"<div style='left:{left}cm'><p>{name} {number} {f'{name} {number} ' * 40}</div>" for name, left in (("b", 8), ("a", 0)))
        pages += f"<section><p>Harbour Press {page}</p>{''.join(columns)}</section>"
    text = " ".join(block.text for block in convert(await printed(style + pages), "pdf").blocks)
    assert text.split() == " ".join(f"{name} {number}" for number in ("one", "two", "three") for name in "ab" for _ in range(41)).split()


LOCKED = b"""%%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
3 0 obj<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P -4>>endobj
trailer<</Root 1 0 R/Encrypt 3 0 R/ID[<00><00>]>>
%%%%EOF""" % (b"ab" * 32, b"cd" * 32)


@pytest.mark.parametrize(
    ("kind", "content", "complaint"),
    [
        ("pdf", LOCKED, "river: it needs a password: save it without one"),
        ("pdf", b"%PDF-1.4\nnothing", "river: a damaged PDF: download it again"),
        ("json", b'{"a": ', "river: no JSON: Input data was truncated"),
        ("json", b"[" * 100_000, "river: no JSON: "),
        ("feed", b"<html><p>Ferry</html>", "river: XML that is no feed: RSS and Atom are read"),
        ("text", b" \n ", "river: no text in it"),
    ],
)
def test_what_cannot_be_read_is_named(kind, content, complaint):
    with pytest.raises(sightread.Unusable, match=complaint):
        convert(content, kind, where="river")


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("markdown", "ferry\n\n" + "> " * 20_000 + "\n\n" + "[" * 20_000 + "\n" + "*a_" * 20_000),
        ("text", "- a\n" * 100_000 + " " * 1_000_000 + "ferry"),
        ("json", json.dumps(["ferry"] * 50_000)),
        ("json", "[" * 500 + '"ferry",' * 5_000 + "1" + "]" * 500),
        ("feed", f"<rss><channel><title>Ferry</title>{'<item><title>Tide</title></item>' * 20_000}</channel></rss>"),
    ],
    ids=["nested marks", "white space", "long list", "deep list", "entries"],
)
def test_hostile_documents_are_read_in_time_with_their_length(kind, content):
    page = convert(content.encode(), kind)
    text = " ".join(block.text for block in page.blocks)
    assert "ferry" in text.lower() and len(text) < 10 * len(content) and page.truncated == (text.count("Tide") == 1000)


@pytest.mark.parametrize(("levels", "text"), [(1, "&e0; Tide &file;It runs."), (12, None)])
def test_a_feed_expands_no_entities_and_reads_no_files(levels, text):
    entities = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, levels))
    head = f'<!DOCTYPE rss [<!ENTITY e0 "ferry">{entities}<!ENTITY file SYSTEM "file:///etc/passwd">]>'
    feed = f"{head}<rss><channel><title>&e{levels - 1};</title><item><title>Tide</title><description>&file;It runs.</description></item>"
    if text is None:
        with pytest.raises(sightread.Unusable):
            convert(feed.encode(), "feed")
    else:
        assert " ".join(block.text for block in convert(feed.encode(), "feed").blocks) == text


def inflating(megabytes):
    """A PDF whose page is spaces, compressed twice."""
    compressor = zlib.compressobj(9)
    first, next_one = (compressor.compress(b" " * (1 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    stream = zlib.compress(first + next_one * megabytes, 9)
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        b"<</Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n%s\nendstream" % (len(stream), stream),
    )
    return b"%PDF-1.4\n" + b"".join(b"%d 0 obj%s endobj\n" % each for each in enumerate(objects, 1)) + b"trailer<</Root 1 0 R>>\n%%EOF"


async def test_a_pdf_that_burdens_is_ended(reader, site_server):
    site = await site_server({"/": (200, {"Content-Type": "application/pdf"}, inflating(5000))})
    with pytest.raises(sightread.Unusable, match="it takes more than 1024 MiB to read"):
        await reader.extract(site.url())
