"""What groups of features are worth, on a few small pages of two kinds."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.experiments.extraction import ablations
from benchmarks.experiments.learning import portals
from sightread.classify.evaluation import Score
from sightread.classify.features.registry import outline_features
from sightread.classify.general.first_stage import NAMES
from sightread.classify.training.dataset import without_browser
from sightread.render.browser.browser import Browser
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html

WORDS = ["river", "bridge", "council", "winter", "market", "song", "letter", "garden", "stone", "harbour", "light", "morning", "road"]
HOSTS = ("one", "two", "three")


def story(number: int) -> list[str]:
    """A headline and paragraphs."""
    chance = np.random.default_rng(number)
    return ["Headline of the day", *(" ".join(chance.choice(WORDS, 30)).capitalize() + "." for _ in range(4))]


def article(number: int) -> str:
    headline, *paragraphs = story(number)
    return f"""<title>{headline}</title><style>.ad {{ color: red; width: 200px; float: right }}</style>
        <ul><li><a href=/>Home</a><li><a href=/news>All the news</a></ul><div class=ad><p>Buy one of our fine hats.</div>
        <main><h1>{headline}</h1>{"".join(f"<p>{text}</p>" for text in paragraphs)}</main>"""


def shop(number: int) -> str:
    headline, *paragraphs = story(number)
    return f"""<title>{headline}</title><style>nav {{ font-size: 11px }} .text {{ margin: 0 200px }}</style>
        <nav><a href=/>Shop</a> <a href=/cart>Your cart</a></nav>
        <div class=text><h2>{headline}</h2>{"".join(f"<div>{text}</div>" for text in paragraphs)}</div><footer>Prices in euro</footer>"""


def record(number: int) -> dict[str, Any]:
    html = (article, shop)[number % 2](number)
    return {"id": str(number), "url": f"http://{HOSTS[number % 3]}.test/{number}", "html": html, "text": "\n".join(story(number))}


RECORDS = [record(number) for number in range(9)]
EMPTY = {"id": "empty", "url": "http://one.test/none", "html": "<title>Nothing</title>", "text": ""}


def test_every_column_is_in_one_group_and_no_other_column_is_named():
    parts = ablations.variants()
    alone = [parts[f"{group} alone"].tolist() for group in ablations.GROUPS]
    assert sorted(row for rows in alone for row in rows) == parts[ablations.ALL].tolist() == list(range(len(NAMES)))
    for group, rows in zip(ablations.GROUPS, alone, strict=True):
        assert sorted([*rows, *parts[f"without {group}"]]) == list(range(len(NAMES)))
    assert set(ablations.STRAYS) <= set(NAMES)
    assert set(ablations.FAMILIES) == {name.partition(".")[0] for name in NAMES} - {"words"}


async def test_what_only_a_browser_measures_is_visual(browser: Browser):
    page = (await browser.render_html(article(1), "http://one.test/")).page
    known, bare = (np.isfinite(outline_features(PageArrays(each))).any(axis=0) for each in (page, without_browser(page)))
    needs_browser = {NAMES[column] for column in np.flatnonzero(known & ~bare)}
    visual = {NAMES[column] for column in ablations.variants()["visual alone"]}
    assert visual - needs_browser == {name for name in NAMES if name.startswith("same column.")}, "these are the same for all blocks"
    assert needs_browser <= visual


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "wcxb-dev").mkdir()
    (folder / "wcxb-dev" / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, [*RECORDS, EMPTY])).encode()))
    return folder


def test_variants_are_scored_on_pages_that_are_rendered_once(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    renders, out = tmp_path / "renders", tmp_path / "out"
    some = {name: rows for name, rows in ablations.variants().items() if name in (ablations.ALL, "without visual", "text alone")}
    monkeypatch.setattr(ablations, "variants", lambda: some)
    assert ablations.run(data, renders, out) == 0
    reported, table = capsys.readouterr().out, (out / "ablations.md").read_text()
    assert "10 pages, 1 of them not rendered" in reported
    assert table in reported
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    assert [row[0] for row in rows] == [*ablations.variants(), ablations.BARE]
    means = {name: float(f1.split()[0]) for name, _, f1, _ in rows}
    assert means[ablations.ALL] > 0.9
    for name, _, _, away in rows[1:]:
        assert float(away.split()[0]) == pytest.approx(means[name] - means[ablations.ALL], abs=0.0011)
    monkeypatch.setattr(portals, "Browser", lambda: pytest.fail("a browser was opened"))
    monkeypatch.setattr(ablations, "variants", lambda: {ablations.ALL: np.arange(len(NAMES))})
    ablations.run(data, renders, None)
    assert table.splitlines()[2] in capsys.readouterr().out


def texts(monkeypatch: pytest.MonkeyPatch, gold: Sequence[str]) -> list[str]:
    """Return what is extracted of each page."""
    found: dict[str, str] = {}

    def keep(text: str, gold: str) -> Score:
        found[gold] = text
        return Score(0, 0, 0)

    monkeypatch.setattr(ablations, "word_score", keep)
    monkeypatch.setattr(ablations, "variants", lambda: {ablations.ALL: np.arange(len(NAMES))})
    pages = tuple(read_html(each["html"], each["url"]) for each in RECORDS)
    ablations.measure(ablations.Rendered(pages, tuple(gold)))
    return [found[text] for text in gold]


def test_nothing_is_learned_from_the_site_that_is_scored(monkeypatch: pytest.MonkeyPatch):
    right = [each["text"] for each in RECORDS]
    swapped = [f"Buy one of our fine hats. {row}" if HOSTS[row % 3] == "one" else text for row, text in enumerate(right)]
    before, after = texts(monkeypatch, right), texts(monkeypatch, swapped)
    assert before[::3] == after[::3]
    assert before != after, "the other sites learn from it"
