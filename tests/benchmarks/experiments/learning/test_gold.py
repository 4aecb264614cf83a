"""The whole way without a person, on small pages with gold text."""

import asyncio
import gzip
import json
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.datasets.spider import SpiderPage
from benchmarks.experiments.learning import chaos_set, gold, portals
from benchmarks.experiments.learning.portals import Stored
from benchmarks.extractors.registry import Extractor
from benchmarks.metrics.outcomes import (
    LabelConfidence,
    MethodResult,
    Outcome,
    Subject,
    live,
    mean_f1,
    of,
    score_page,
    score_sentences,
)
from sightread.render.browser.browser import Browser
from sightread.render.page import Page
from sightread.render.static.parse import read_html
from tests.benchmarks.small_data import plug_in

WORDS = ["river", "bridge", "council", "winter", "market", "song", "letter", "garden", "stone", "harbour", "light", "morning", "road"]


def story(number: int) -> list[str]:
    """A headline, and paragraphs, the first of them about the headline."""
    chance = np.random.default_rng(number)
    texts = [" ".join(chance.choice(WORDS, 25)).capitalize() + "." for _ in range(4)]
    return [" ".join(texts[0].split()[:6]), *texts]


def page_html(number: int) -> str:
    headline, *paragraphs = story(number)
    return f"""<title>{headline}</title><meta name=description content="{paragraphs[0]}"><style>.ad {{ color: red }}</style>
        <div class=menu><a href=/>Home</a> <a href=/news>All the news</a></div>
        <div class=story><h1>{headline}</h1>{"".join(f"<p>{text}</p>" for text in paragraphs)}</div>
        <div class=ad>Buy one of our fine hats today.</div>"""


def stored(number: int, portal: str = "news.test") -> Stored:
    return Stored(portal, f"{portal}_{number}", f"http://{portal}/{number}", page_html(number), "\n".join(story(number)))


def spider_page(number: int, host: str) -> SpiderPage:
    return SpiderPage(str(number), read_html(page_html(number), f"http://{host}/{number}"), "\n".join(story(number)))


def f1(outcomes: Sequence[Outcome], method: str, site: str = "") -> float:
    return mean_f1(of(outcomes, method, site))


@pytest.fixture(scope="module")
def of_chaos() -> list[Outcome]:
    found = [*(spider_page(number, "one.test") for number in range(6)), spider_page(7, "two.test")]
    lost = SpiderPage("8", read_html("<p>This page was not found on this server.", "http://three.test/8"), "\n".join(story(8)))
    mute = SpiderPage("9", read_html("<a href=/>Home</a>", "http://four.test/9"), "\n".join(story(9)))
    return list(chaos_set.chaos_outcomes([*found, lost, mute]))


def test_every_method_reads_every_page_but_the_site_model_only_where_pages_can_be_held_out(of_chaos: list[Outcome]):
    counts = {method: len(of(of_chaos, method)) for method in chaos_set.METHODS}
    some = {chaos_set.LEARNED, chaos_set.ON_MODEL_PAGES}
    assert {count for method, count in counts.items() if method not in some} == {9}
    assert {counts[method] for method in some} == {6}
    assert {outcome.subject.site for outcome in of(of_chaos, chaos_set.LEARNED)} == {"one.test"}


def test_a_host_labelled_together_is_read_as_its_gold_text_says(of_chaos: list[Outcome]):
    assert (
        f1(of_chaos, chaos_set.HOST, "one.test")
        == f1(of_chaos, chaos_set.DOCUMENT, "one.test")
        == f1(of_chaos, chaos_set.CEILING, "one.test")
        == 1
    )
    assert f1(of_chaos, chaos_set.LEARNED, "one.test") == 1
    assert f1(of_chaos, chaos_set.LARGEST, "one.test") == pytest.approx(2 * 100 / (100 + 106)), "the headline is another cluster"


def test_a_page_without_its_gold_text_is_not_live_and_one_without_text_is_a_failure(of_chaos: list[Outcome]):
    by_host = of(of_chaos, chaos_set.HOST)
    assert {outcome.subject.page for outcome in by_host} - {outcome.subject.page for outcome in live(by_host)} == {"8", "9"}
    assert [(each.subject.page, each.words.f1) for each in by_host if each.failure] == [("9", 0)]
    assert "text outside links" in by_host[-1].failure


def test_the_gold_text_reaches_nothing_but_the_scores_and_the_ceiling():
    pages = [spider_page(number, "one.test") for number in range(6)]
    swapped = [each._replace(gold_text="Quite another text.") for each in pages]
    own, foreign = list(chaos_set.chaos_outcomes(pages)), list(chaos_set.chaos_outcomes(swapped))
    assert [(each.subject.page, each.method, each.confidence) for each in own] == [
        (each.subject.page, each.method, each.confidence) for each in foreign
    ]
    assert {each.words.f1 for each in foreign} == {0}


@pytest.fixture(scope="module", autouse=True)
def one_browser() -> Iterator[None]:
    """Have all commands of the module run in one event loop, and share a browser."""
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as patch:
        browser = Browser()
        runner.run(browser.__aenter__())
        patch.setattr(asyncio, "run", runner.run)
        patch.setattr(portals, "Browser", lambda: nullcontext(browser))
        yield
        runner.run(browser.__aexit__())


@pytest.fixture(scope="module")
def renders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("renders")


PORTAL = [stored(number) for number in range(6)]


@pytest.fixture(scope="module")
def shown(renders: Path) -> list[portals.Shown]:
    return asyncio.run(portals.render_all(PORTAL, renders))


def test_a_portal_is_labelled_learned_and_extracted(shown: list[portals.Shown]):
    outcomes = list(portals.portal_outcomes(PORTAL, shown))
    assert {method: f1(outcomes, method) for method in (portals.LABELS, portals.LEARNED, portals.CEILING)} == {
        portals.LABELS: 1,
        portals.LEARNED: 1,
        portals.CEILING: 1,
    }
    assert all(len(of(outcomes, method)) == len(PORTAL) for method in (portals.LABELS, portals.LEARNED, portals.CEILING))
    assert all(outcome.rouge == 1 for outcome in of(outcomes, portals.LEARNED))


def test_what_was_rendered_is_not_rendered_again(shown: list[portals.Shown], renders: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(portals, "Browser", lambda: pytest.fail("a browser was opened"))
    again = asyncio.run(portals.render_all(PORTAL, renders))
    assert again == shown
    assert all(isinstance(page, Page) and page.blocks[0].box is not None for page in again)


def test_a_page_that_is_not_rendered_is_a_failure(shown: list[portals.Shown]):
    outcomes = list(portals.portal_outcomes(PORTAL, ["too slow", *shown[1:]]))
    failed = {(each.method, each.failure, each.words.f1) for each in outcomes if each.failure}
    assert failed == {(method, "too slow", 0) for method in (portals.LABELS, portals.LEARNED, portals.CEILING)}
    assert f1(outcomes, portals.LABELS) == pytest.approx(5 / 6)


def test_what_a_peer_raises_is_counted_and_one_that_is_missing_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    name = plug_in(tmp_path, monkeypatch, "def read(html, url): raise ValueError('odd page')")
    titled = (Extractor("peer", name), Extractor("gone", "no_such_module:read"))
    monkeypatch.setattr(portals, "TITLED", titled)
    outcomes = list(portals.peer_outcomes(PORTAL[:1]))
    assert [(each.method, each.failure, each.words.f1) for each in outcomes] == [("peer", "ValueError: odd page", 0)]
    assert "left out: gone does not start" in capsys.readouterr().err


def test_no_model_extracts_a_page_that_it_saw(shown: list[portals.Shown], monkeypatch: pytest.MonkeyPatch):
    class Witness(portals.SiteModel):
        def fit(self, pages, labels):
            self.seen = list(pages)
            return super().fit(pages, labels)

        def predict(self, page):
            assert page not in self.seen
            return super().predict(page)

    monkeypatch.setattr(portals, "SiteModel", Witness)
    assert f1(list(portals.portal_outcomes(PORTAL, shown)), portals.LEARNED) == 1


def outcome(data: str, method: str, text: str, confidence: LabelConfidence | None = None, **changes: object) -> Outcome:
    return score_page(Subject(data, "a.test", "1", "one two three four", True), method, MethodResult(text, confidence=confidence))._replace(
        **changes
    )


def test_the_tables_hold_means_bands_and_failures():
    of_chaos = [
        outcome("chaos", chaos_set.CEILING, "one two three four"),
        outcome("chaos", chaos_set.HOST, "one two", LabelConfidence(0.75, 0.95)),
        outcome("chaos", chaos_set.HOST, "one two three four", LabelConfidence(0.8, 1.0)),
    ]
    result = MethodResult("", failure="no text outside links")
    of_portals = [
        score_sentences(Subject("cleanportaleval", "b.test", "2", "one two"), method, result)
        for method in (portals.CEILING, portals.LEARNED)
    ]
    text = gold.markdown(of_chaos, of_portals)
    assert "| ours, a host at a time | 2 | 83.3 | 83.3 | 100.0 | 75.0 | 0 |" in text
    assert "| 0.75 to 0.9 | none | none | 83.3, 50 %, 2 | none |" in text
    assert "| 0.9 to 1 | none | 83.3, 50 %, 2 | none | none |" in text
    assert "| a.test | 1 | 100.0 | 50.0 | 66.7 | 100.0 | 0.75, 0.95 |" in text
    assert "1 x label, learn, extract: the site model, each page held out: no text outside links" in text


def write(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))


def their_record(number: int) -> dict[str, Any]:
    """A story as the authors' collector wrote it, with an advertisement in another look."""
    texts = [
        {
            "bound": {"left": 10, "top": 100 * row, "width": 600, "height": 90},
            "computed": {"color": color},
            "element": {"name": name},
            "html": text,
            "path": ["body", name],
            "selector": [{"name": name, "id": "", "classes": []}],
            "text": [text],
        }
        for row, (name, color, text) in enumerate(
            [*(("p", "black", text) for text in story(number)[1:]), ("div", "red", "Buy one of our fine hats today.")]
        )
    ]
    bound = {"left": 0, "top": 0, "width": 1600, "height": 900}
    body = {"bound": bound, "computed": {}, "scroll": {"left": 0, "top": 0}}
    url = f"http://host{number % 2}.test/{number}"
    return {"url": url, "titles": story(number)[:1], "descriptions": [], "body": body, "links": [], "images": [], "texts": texts}


def test_the_run_writes_the_same_tables_each_time(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(portals, "cores", lambda: 1)
    chaos_lines = [{"id": f"{row}", "page": their_record(row), "gold_text": "\n".join(story(row)[1:])} for row in range(6)]
    write(tmp_path / "spider" / "chaos.jsonl.gz", chaos_lines)
    portal_lines = [{"id": page.id, "url": page.url, "html": page.html, "text": page.gold} for page in PORTAL]
    write(tmp_path / "cleanportaleval" / "pages.jsonl.gz", portal_lines)
    assert gold.run(tmp_path, tmp_path / "out") == 0
    written = (tmp_path / "out" / "gold.md").read_text()
    assert written in capsys.readouterr().out
    assert gold.run(tmp_path, tmp_path / "out") == 0
    assert (tmp_path / "out" / "gold.md").read_text() == written
    write(tmp_path / "spider" / "chaos.jsonl.gz", [line | {"gold_text": "Buy one of our fine hats today."} for line in chaos_lines[:3]])
    monkeypatch.setattr(portals, "TITLED", ())
    assert gold.run(tmp_path, None) == 1, "the advertisement is not what the labeler keeps"
