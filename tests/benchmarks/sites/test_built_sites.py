"""Sites built from known text: the text that was put in comes out, and a site is rendered, learned and scored."""

import asyncio
import json
import random
import re
import sys

import lxml.html
import msgspec
import pytest
from markdown_it import MarkdownIt

from benchmarks.experiments.extraction import inserted_boilerplate, site_structure
from benchmarks.experiments.learning.built_sites import run
from benchmarks.metrics.words import word_score
from benchmarks.sites.applications.communities import product_gold, write_application
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.build import BuiltPage, BuiltSite, build_manual, page_markup, read_sites
from benchmarks.sites.build import run as build_sites
from benchmarks.sites.captures import capture_sites
from benchmarks.sites.generators.drawn_layouts import ARCHETYPES, write_drawn
from benchmarks.sites.manuals.manual import Manual, manual_pages
from benchmarks.sites.manuals.packaged import MANUALS
from benchmarks.sites.parts import PARTS, part_of
from benchmarks.sites.recipes import GENERATORS, THEMES
from benchmarks.sites.texts.documents import KINDS, gold_text, to_html, to_markdown, with_media, write_documents, write_media
from benchmarks.sites.texts.inserted_boilerplate import MARK, insert_boilerplate
from benchmarks.sites.texts.sentences import language_of, languages
from sightread.crawler.corpus import Corpus
from sightread.render.errors import Rejected, UnknownModel

OUTSIDE = {"hexo-butterfly", "hexo-fluid", "hexo-icarus", "sphinx-furo", "sphinx-pydata-sphinx-theme", "mkdocs-material"}
"""Themes that are kept for a check from outside."""


def words_of(markup):
    return " ".join(lxml.html.fragment_fromstring(markup, create_parent="div").itertext()).split()


@pytest.mark.parametrize("code", [code for code in languages() if code != "en"])
def test_markdown_and_html_of_a_document_hold_its_gold_text_and_nothing_else(code):
    documents = write_documents(language_of(code), len(KINDS), "seed")
    assert documents == write_documents(language_of(code), len(KINDS), "seed")
    for document in documents:
        gold = gold_text(document).split("\n", 1)[1].split()
        assert words_of(to_html(document)) == gold
        assert words_of(MarkdownIt("commonmark").enable("table").render(to_markdown(document))) == gold


@pytest.mark.parametrize("archetype", ARCHETYPES)
def test_a_drawn_page_holds_its_gold_text_among_other_boxes_and_the_same_name_draws_the_same(archetype, tmp_path):
    language = language_of("fr")
    documents = write_documents(language, 15, "seed")
    first = write_drawn(tmp_path / "one", f"{archetype}-1", documents, language)
    assert first == write_drawn(tmp_path / "two", f"{archetype}-1", documents, language)
    for document in documents:
        page = (tmp_path / "one/html" / f"{document.slug}.html").read_text("utf-8")
        assert page == (tmp_path / "two/html" / f"{document.slug}.html").read_text("utf-8")
        score = word_score("\n".join(lxml.html.document_fromstring(page).xpath("//body")[0].itertext()), first[document.slug])
        assert score.recall == 1 > score.precision


def test_gold_of_a_manual_is_its_container_without_what_the_rule_drops(tmp_path):
    body = "<p>What it does, in some detail.</p>" * 20
    for name in ("a", "b", "short"):
        text = body if name != "short" else "<p>Moved.</p>"
        markup = f"<title>{name}</title><nav>Menu</nav><div id=doc><div class=toc>Contents</div><h1>{name}</h1>{text}<td>x<td>y</div>"
        (tmp_path / f"{name}.html").write_text(markup)
    manual = Manual("m", "g", "p-doc", str(tmp_path), "*.html", "//*[@id='doc']", ".//*[@class='toc']")
    pages = manual_pages(manual, 2, tmp_path)
    assert {address for address, _, _ in pages} == {"a.html", "b.html"}
    assert all(gold.startswith(f"{title}\nWhat it does") and "Menu" not in gold and "Contents" not in gold for _, title, gold in pages)
    with pytest.raises(Rejected, match="2 pages with text, wanted 3"):
        manual_pages(manual, 3, tmp_path)
    with pytest.raises(Rejected, match="apt-get install p-doc"):
        manual_pages(Manual("m", "g", "p-doc", str(tmp_path / "none"), "*.html", "//body"), 2, tmp_path / "none")


def test_generators_divide_the_parts_and_themes_of_the_outside_check_are_left_out():
    names = [name for part in PARTS.values() for name in part]
    assert len(names) == len(set(names))
    assert {part_of(each.generator) for each in (*THEMES, *MANUALS)} == set(PARTS)
    assert set(names) == {each.generator for each in (*THEMES, *MANUALS)} >= set(GENERATORS)
    assert not OUTSIDE & {theme.site for theme in THEMES}
    assert len({theme.site for theme in THEMES}) == len(THEMES) >= 80


def test_each_generator_of_the_final_part_has_a_site_and_few_have_more():
    final = [each.generator for each in (*THEMES, *MANUALS) if part_of(each.generator) == "final"]
    assert set(final) == set(PARTS["final"])
    assert 20 <= len(PARTS["final"]) >= len(final) - 1


def test_a_manual_that_has_to_be_converted_is_built_into_its_own_folder(tmp_path):
    def convert(project):
        (project / "html/a.html").write_text(f"<title>a</title><p>{'What it does. ' * 40}")

    for path in build_manual(tmp_path, Manual("m", "rustdoc", "p-doc", "", "*.html", "//p", build=convert), 1).pages:
        assert (tmp_path / "rustdoc-m/html" / path.path).is_file()
        assert path.gold.startswith("What it does.")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with one built site of 15 pages."""
    out = tmp_path_factory.mktemp("sites")
    language = language_of("hi")
    documents = [with_media(document) for document in write_documents(language, 15, "seed")]
    gold = write_drawn(out / "drawn-news-2", "news-2", documents, language)
    write_media(out / "drawn-news-2" / "html")
    pages = tuple(BuiltPage(f"{each.slug}.html", each.title, gold[each.slug], to_html(each)) for each in documents)
    site = BuiltSite("drawn-news-2", "drawn", "news-2", "ours", "hi", "choose", pages)
    (out / site.name / "site.json").write_bytes(msgspec.json.encode(site))
    return out


def test_a_built_site_is_rendered_once_learned_and_scored(built, capsys):
    assert run(built, ["choose"], [], 0, shuffle=1) == 0
    printed = capsys.readouterr().out
    assert "drawn-news-2" in printed
    assert "choose, mean of 1 sites: labels" in printed
    row = next(line.split() for line in printed.splitlines() if line.startswith("drawn-news-2 ") and "choose" in line)
    labels, site, auto, overall = (float(value) for value in row[3:7])
    assert min(labels, site, auto) > 0.97
    assert auto >= overall - 0.005
    captured = capture_sites(built, only=["drawn-news-2"])[0]
    assert "rendered" not in capsys.readouterr().out
    assert [page.title for page in captured.gold] == [page.title for page in dict(read_sites(built)).popitem()[1].pages]
    assert b"<title>" in captured.source(random.Random(1).randrange(15))
    learned, in_order = ([page.url for page in pages] for pages in (Corpus.open(built / "drawn-news-2/learned"), captured.pages))
    assert learned != in_order
    assert sorted(learned) == sorted(in_order)


@pytest.mark.parametrize(("pages", "shuffle", "message"), [(-1, None, "--pages -1"), (0, -1, "--shuffle -1: a seed of 0 or more")])
def test_a_negative_number_of_pages_or_seed_is_refused(pages, shuffle, message, tmp_path):
    with pytest.raises(Rejected, match=message):
        run(tmp_path, [], [], pages, shuffle=shuffle)


def test_the_part_of_a_site_is_that_of_its_generator_now_not_when_it_was_built(built, tmp_path):
    ((_, site),) = read_sites(built)
    (tmp_path / site.name).mkdir()
    (tmp_path / site.name / "site.json").write_bytes(msgspec.json.encode(msgspec.structs.replace(site, part="final")))
    assert [each.part for _, each in read_sites(tmp_path)] == ["choose"]


@pytest.mark.parametrize("language", ["en", "hi"])
def test_what_a_forum_a_shop_and_a_blog_are_filled_with_holds_the_gold_text(language, tmp_path):
    documents = write_documents(language_of(language, ["The ferry left at noon. The tide was low, and the harbour was empty."]), 10, "seed")
    write_application(tmp_path, "machina", documents)
    written = json.loads((tmp_path / "documents.json").read_text("utf-8"))
    for document, found in zip(documents, written, strict=True):
        assert sum(MarkdownIt("commonmark").enable("table").render(post) != "" for post in found["posts"]) == len(found["posts"]) > 0
        posts = " ".join(words_of(MarkdownIt("commonmark").enable("table").render("\n\n".join(found["posts"])))).split()
        assert [*found["title"].split(), *posts] == gold_text(document).split()
        assert product_gold(document).split("\n")[:2] == [document.title, f"€{found['price']}"]
        assert words_of(found["html"]) == product_gold(document).split("\n", 2)[2].split()


async def test_pages_of_an_application_are_kept_with_their_style_sheets_and_without_scripts(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "site.css").write_text("body{background:url(dot.png)} p{background:url(data:x)}")
    (source / "dot.png").write_bytes(b"dot")
    markup = "<head><link rel=stylesheet href=site.css><script src=a.js></script></head><p>Été <a href=two>two</a> <img src=gone.png></p>"
    (source / "one").write_text(markup, "utf-8")
    (source / "two").write_text("<p>Two", "utf-8")
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(source)]
    await asyncio.to_thread(save_pages, tmp_path, command, port, {"one.html": "/one", "two.html": "/two"})
    page = lxml.html.document_fromstring((tmp_path / "html/one.html").read_bytes())
    assert page.xpath("//a/@href") == ["two.html"]
    assert not page.xpath("//script")
    assert page.text_content().startswith("Été")
    (sheet,) = page.xpath("//link/@href")
    picture = re.search(r"url\((\w+\.png)\)", (tmp_path / "html" / sheet).read_text())
    assert (tmp_path / "html/files" / picture[1]).read_bytes() == b"dot"
    assert "url(data:x)" in (tmp_path / "html" / sheet).read_text()
    with pytest.raises(Rejected, match="does not serve pages"):
        save_pages(tmp_path, [sys.executable, "-c", ""], free_port(), {})


def test_structure_comes_out_of_a_built_site_as_it_was_put_in(built, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(site_structure, "english_texts", lambda _: [])
    monkeypatch.setenv("SIGHTREAD_NODE", str(tmp_path))
    assert site_structure.run(None, built, [], [], 6, tmp_path) == 0
    printed = capsys.readouterr()
    assert "left out: defuddle: no defuddle and linkedom in" in printed.err
    rows = {cells[1].strip(): cells[2:] for line in printed.out.splitlines() if len(cells := line.split("|")) > 5}
    for kind in ("headings", "list items", "tables", "code", "images", "formulas"):
        assert int(rows[kind][0]) > 0, kind
        assert kind == "formulas" or float(rows[kind][1].split()[0]) > 0.7, kind
    assert (tmp_path / "site-structure.csv").read_text().count("\n") == 1 + 6 * 4
    with pytest.raises(Rejected, match="no such sites; there are sites of the parts choose"):
        site_structure.run(None, built, ["final"], [], 0, None)


def test_markup_of_a_site_from_before_is_written_again_from_its_recipe(built):
    ((html, site),) = read_sites(built)
    assert page_markup(html, site, [])[0] == site.pages[0].markup
    documents = write_documents(language_of("hi"), 2, site.name)
    kept = [BuiltPage("a", document.title, gold_text(document)) for document in documents]
    former = msgspec.structs.replace(site, pages=(kept[0], msgspec.structs.replace(kept[1], gold="of another recipe")))
    assert page_markup(html, former, []) == [to_html(documents[0]), ""]


def test_figures_and_formulas_are_added_and_nothing_else_changes():
    document = write_documents(language_of("fr"), 1, "seed")[0]
    more = with_media(document)
    assert more == with_media(document)
    assert [part for part in more.parts if part.kind not in ("figure", "formula")] == list(document.parts)


def test_boilerplate_is_inserted_between_paragraphs_and_the_text_stays(built):
    html, site = next(read_sites(built))
    page = site.pages[0]
    source = (html / page.path).read_text("utf-8")
    drawn = [insert_boilerplate(source, page, site, random.Random(seed)) for seed in range(40)]
    assert drawn == [insert_boilerplate(source, page, site, random.Random(seed)) for seed in range(40)]
    assert source in drawn
    assert max(each.count(MARK) for each in drawn) > 3
    for each in drawn:
        document = lxml.html.document_fromstring(each)
        for box in document.xpath(f"//*[@id='{MARK}']"):
            box.drop_tree()
        assert document.text_content().split() == lxml.html.document_fromstring(source).text_content().split()


def test_what_models_keep_of_inserted_boilerplate_is_measured(built, tmp_path, capsys):
    assert inserted_boilerplate.run(built, ["global", "boilerpipe"], 6, tmp_path) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / "inserted-boilerplate.md").read_text() == printed[:-1]
    rows = {
        cells[1].strip(): [float(cell.split()[0]) for cell in cells[2:6]]
        for line in printed.splitlines()
        if len(cells := line.split("|")) > 5 and "[" in line
    }
    assert set(rows) == {"global", "boilerpipe"}
    for plain, altered, difference, kept in rows.values():
        assert altered - plain == pytest.approx(difference, abs=0.002)
        assert 0 <= kept <= 1
    with pytest.raises(UnknownModel):
        inserted_boilerplate.run(built, ["globe"], 6, None)


def test_names_that_there_are_not_are_refused(built, tmp_path):
    with pytest.raises(Rejected, match="no such sites; there are sites of the parts choose"):
        run(built, ["final"], [], 0)
    with pytest.raises(Rejected, match=r"no site drawn-new-2 among .*; near: drawn-news-2"):
        run(built, [], ["drawn-new-2", "drawn-news-2"], 0)
    with pytest.raises(Rejected, match="no built sites: run python -m benchmarks build-sites"):
        run(tmp_path, [], [], 0)
    with pytest.raises(Rejected):
        build_sites(None, tmp_path, ["hexo-nothing"], [])
