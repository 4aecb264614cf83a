"""The whole way without a person, on small pages with gold text."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from benchmarks.datasets.spider import SpiderPage
from benchmarks.experiments.learning import chaos_set, portals
from benchmarks.experiments.learning.portals import Stored
from benchmarks.metrics.outcomes import LabelConfidence, MethodResult, Outcome, Subject, live, mean_f1, of, score_page
from sightread.render.browser.browser import Browser
from sightread.render.static.parse import read_html

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
