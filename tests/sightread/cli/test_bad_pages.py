"""Pages that give nothing and sites that are hard to learn: one clear line, the right exit code, nothing lost."""

import socket

import pytest

from sightread.crawler.corpus import Corpus
from tests.internet import DNS_FAILURES, fail_names
from tests.pages.reports import report_data
from tests.pages.stories import NOWHERE, PDF, stories


@pytest.mark.parametrize(
    ("path", "answer", "complaint"),
    [
        ("/gone", (404, "text/html", b"<p>Gone"), "HTTP status 404"),
        ("/broken", (500, "text/html", b"<p>Oh"), "HTTP status 500: try again later"),
        (
            "/tides.mp3",
            (200, "audio/mpeg", PDF[2]),
            "its content is audio/mpeg: HTML, plain text, Markdown, JSON, RSS, Atom and PDF are read",
        ),
        ("/picture", "<title>Dusk</title><img src=/dusk.png>", "no text on the page"),
        (
            "/wall",
            "<title>Shop</title><p>Are you a robot?",
            "block page ('Are you a robot?'): blocked by bot detection: request access, or use the site's feeds or API",
        ),
    ],
)
def test_extract_states_why(sightread, serve, path, answer, complaint):
    url = serve({path: answer}).url(path)
    assert sightread("extract", url).failed(3) == f"{url}: {complaint}"


def test_learn_from_a_name_that_does_not_resolve_leaves_nothing(sightread, tmp_path, monkeypatch):
    fail_names(monkeypatch, socket.EAI_NONAME)
    ran = sightread("learn", NOWHERE)
    assert (ran.code, ran.complaint) == (3, f"{NOWHERE}: {DNS_FAILURES[socket.EAI_NONAME]}")
    assert list((tmp_path / "home" / "sites").iterdir()) == []


def test_a_site_of_one_page_has_its_article_and_report_and_is_not_trusted(sightread, serve, tmp_path):
    url = serve({"/": stories(1, lambda town: f"<title>{town}</title>")["/story/0"]}).url()
    ran = sightread("learn", url, "--out", tmp_path / "site", "--no-pictures", "--json")
    assert ran.code == 5
    assert "auto will not use the model: it was learned from 1 page, the minimum is 5; look at" in ran.messages[-1]
    result = ran.json()
    assert (result["pages"], result["trusted"], result["f1"], result["expected_f1"]) == (1, False, None, None)
    assert "The crawl found 1 page, 25 were wanted: start from a page that links to more, or name the pages (--urls)." in result["advice"]
    report = report_data(tmp_path / "site" / "report.html")["site"]
    assert "it was learned from 1 page, the minimum is 5" in report and "The crawl found 1 page" in report
    assert len(list((tmp_path / "site" / "articles").glob("*.md"))) == len(Corpus.open(tmp_path / "site")) == 1


def test_a_site_whose_articles_lie_on_another_one_is_reported_its_name(sightread, serve, tmp_path):
    pages = stories(6, lambda town: f"<title>{town}</title>")
    other = serve({path: html for path, html in pages.items() if path != "/"})
    url = serve({path: pages[path] if path == "/" else (302, other.url(path), b"") for path in pages}).url()
    ran = sightread("learn", url, "--out", tmp_path / "site", "--no-pictures")
    name = other.url().removeprefix("http://").rstrip("/")
    assert ran.failed(2) == f"{tmp_path / 'site'}: 6 of the 7 visits led to {name}: if the articles are there, learn that site"


def test_what_a_template_engine_left_is_not_requested(sightread, serve, tmp_path):
    pages = stories(3, lambda town: f"<title>{town}</title>")
    left = "".join(
        f"<p><a href='/{path}'>{path}</a>" for path in ("{{ id }}", "story/${id}", "story/%7B%7Bid%7D%7D", "<%= x %>", "{% url %}")
    )
    site = serve(pages | {"/": str(pages["/"]) + left})
    sightread("crawl", site.url(), "--out", tmp_path / "site", "--no-pictures")
    assert {path for path in site.requests if "story" in path} == {"/story/0", "/story/1", "/story/2"}
    assert not any("%" in path or "{" in path for path in site.requests)


def test_a_site_without_titles_and_descriptions_is_learned_by_the_predictions_of_the_global_model(sightread, serve, tmp_path):
    url = serve(stories(8, lambda _: "")).url()
    ran = sightread("learn", url, "--pages", 8, "--out", tmp_path / "site", "--no-pictures", "--json")
    answer = ran.json()
    assert (ran.code, answer["trusted"], answer["pages"], answer["confidence"]) == (0, True, 8, 0.5)
    assert answer["expected_f1"] > 0.95
    advice = answer["advice"][0]
    assert advice.startswith("Titles and descriptions alone leave open what the content is, and the global model's predictions decide")
    assert answer["conclusion"] == f"Good: The site's own model reads its pages with an expected word F1 of {answer['expected_f1']:.2f}."
    assert {path.name for path in (tmp_path / "site").iterdir()} >= {"labels.json", "model.json", "evaluation.json", "report.html"}
    articles = [path.read_text() for path in (tmp_path / "site" / "articles").glob("*.md")]
    assert len(articles) == 8
    assert all("kept a ledger" in text for text in articles)
