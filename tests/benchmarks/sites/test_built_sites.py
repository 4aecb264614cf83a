"""Sites built from known text: the text that was put in comes out, and a site is rendered, learned and scored."""

import random

import lxml.html
import msgspec
import pytest
from markdown_it import MarkdownIt

from benchmarks.experiments.built_sites import run
from benchmarks.sites.build import BuiltPage, BuiltSite, read_sites
from benchmarks.sites.build import run as build_sites
from benchmarks.sites.captures import capture_sites
from benchmarks.sites.documents import KINDS, gold_text, to_html, to_markdown, write_documents
from benchmarks.sites.drawn_layouts import ARCHETYPES, write_drawn
from benchmarks.sites.manuals import Manual, manual_pages
from benchmarks.sites.recipes import PARTS, THEMES, part_of
from benchmarks.sites.sentences import language_of, languages
from classify.metrics import word_score
from render.errors import Rejected

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
    pages = manual_pages(manual, 2)
    assert {address for address, _, _ in pages} == {"a.html", "b.html"}
    assert all(gold.startswith(f"{title}\nWhat it does") and "Menu" not in gold and "Contents" not in gold for _, title, gold in pages)
    with pytest.raises(Rejected, match="2 pages with text, wanted 3"):
        manual_pages(manual, 3)
    with pytest.raises(Rejected, match="apt-get install p-doc"):
        manual_pages(Manual("m", "g", "p-doc", str(tmp_path / "none"), "*.html", "//body"), 2)


def test_generators_divide_the_parts_and_themes_of_the_outside_check_are_left_out():
    names = [name for part in PARTS.values() for name in part]
    assert len(names) == len(set(names))
    assert {part_of(theme.generator) for theme in THEMES} == set(PARTS)
    assert not OUTSIDE & {theme.site for theme in THEMES}
    assert len({theme.site for theme in THEMES}) == len(THEMES) >= 80


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with one built site of 20 pages."""
    out = tmp_path_factory.mktemp("sites")
    language = language_of("hi")
    documents = write_documents(language, 20, "seed")
    gold = write_drawn(out / "drawn-news-2", "news-2", documents, language)
    pages = tuple(BuiltPage(f"{document.slug}.html", document.title, gold[document.slug]) for document in documents)
    site = BuiltSite("drawn-news-2", "drawn", "news-2", "ours", "hi", "choose", pages)
    (out / site.name / "site.json").write_bytes(msgspec.json.encode(site))
    return out


def test_a_built_site_is_rendered_once_learned_and_scored(built, capsys):
    assert run(built, ["choose"], [], 0) == 0
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
    assert b"<title>" in captured.source(random.Random(1).randrange(20))


def test_names_that_there_are_not_are_refused(built, tmp_path):
    with pytest.raises(Rejected, match="no such sites; there are drawn-news-2"):
        run(built, ["final"], [], 0)
    with pytest.raises(Rejected, match="no built sites: run python -m benchmarks build-sites"):
        run(tmp_path, [], [], 0)
    with pytest.raises(Rejected):
        build_sites(None, tmp_path, ["hexo-nothing"])
