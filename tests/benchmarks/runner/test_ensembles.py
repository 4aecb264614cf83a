"""Ensembles of what `run` found: learned on some sets, scored on another."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.datasets.samples import Sample
from benchmarks.runner import ensembles, runs
from benchmarks.runner.results import read_results
from sightread.models.registry import MODELS
from sightread.render.errors import Rejected
from sightread.render.static.parse import read_html
from tests.benchmarks.plugins import plug_in

STORY = "The river rose in the night of day {}, and by morning the old bridge had fallen into it with a cart upon it."
MENU = "Home of the news and of sport and of weather and much more for you"
VOTERS = """
    import re

    def texts(html):
        return re.findall("<p>([^<]*)", html)

    def right(html, url):
        return texts(html)[1]

    def also_right(html, url):
        return texts(html)[1]

    def right_too(html, url):
        return texts(html)[1]

    def everything(html, url):
        return "\\n".join(texts(html))

    def wrong(html, url):
        return texts(html)[0]
"""
SETS = ("cleaneval", "dragnet", "scrapinghub")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of data and cache after a run of five extractors over three sets."""
    folder = tmp_path_factory.mktemp("ensembles")
    with pytest.MonkeyPatch.context() as patch:
        plug_in(folder, patch, VOTERS, "voters")
        for name in SETS:
            pages = [
                {"id": f"{day}", "url": None, "html": f"<p>{MENU}</p><p>{STORY.format(day)}</p>", "text": STORY.format(day)}
                for day in range(6)
            ]
            path = folder / "data" / name / "pages.jsonl.gz"
            path.parent.mkdir(parents=True)
            path.write_bytes(gzip.compress("".join(json.dumps(page) + "\n" for page in pages).encode()))
        members = [f"voters:{name}" for name in ("right", "also_right", "right_too", "everything", "wrong")]
        runs.run(runs.Plan(members, data=folder / "data", cache=folder / "cache", sets=SETS))
        ensembles.run(folder / "data", folder / "cache", (), (), 1)
    return folder


def f1(cache: Path, data: str, name: str) -> float:
    frame = read_results(cache / "cache", data, name)
    assert frame is not None
    return float(frame["rouge_f1"].mean())


@pytest.mark.parametrize("name", SETS)
def test_what_most_voters_want_is_kept_and_nothing_else(cache: Path, name: str):
    assert f1(cache, name, "voters:everything") < 1
    assert f1(cache, name, ensembles.LEARNED) == 1
    assert f1(cache, name, ensembles.MAJORITY) == 1


def test_nothing_is_learned_from_the_set_that_is_scored(cache: Path, monkeypatch: pytest.MonkeyPatch):
    """Each set's ballots are marked, and every call that learns is looked at."""
    learned: list[list[float]] = []
    read, learn = ensembles.read_set, ensembles.learn_weights

    def read_and_mark(store, ensemble, name, samples, jobs):
        pages = read(store, ensemble, name, samples, jobs)
        return [replace(page, page_votes=replace(page.page_votes, gold_words=float(SETS.index(name)))) for page in pages]

    def learn_and_tell(groups):
        learned.append([group[0].gold_words for group in groups])
        return learn(groups)

    monkeypatch.setattr(ensembles, "read_set", read_and_mark)
    monkeypatch.setattr(ensembles, "learn_weights", learn_and_tell)
    ensembles.run(cache / "data", cache / "cache", SETS, (), 1)
    assert learned == [[1, 2], [0, 2], [0, 1]]


def test_our_own_models_vote_for_blocks_with_their_probabilities_and_others_with_their_texts():
    html = f"<ul><li><a href=/>{MENU}</a></ul><h1>The bridge</h1><p>{STORY.format(1) * 3}</p><p>{STORY.format(2)}</p>"
    probabilities = MODELS["web2text"].make().predict(read_html(html)).relative
    read = ensembles.read_page((Sample("dragnet", "1", "", html, ""), {"peer": MENU, "web2text": MENU}))
    assert read.page_votes.votes[:, 1].tolist() == probabilities.tolist()
    assert read.page_votes.votes[:, 0].tolist() == [block == MENU for block in read.blocks] != probabilities.tolist()


def test_the_best_are_those_of_the_other_sets():
    means = {("a", "one"): 1.0, ("a", "two"): 0.1, ("b", "one"): 0.2, ("b", "two"): 0.9}
    ensemble = ensembles.TextEnsemble(("one", "two"), {}, means)
    assert ensemble.best(["a"]) == ["one", "two"]
    assert ensemble.best(["b"]) == ["two", "one"]


def test_a_page_that_nobody_is_sure_of_keeps_the_likeliest_and_nothing_without_a_vote():
    weighing = ensembles.Weighing(np.array([1.0, 1.0, 0.0, 0.0, 0.0]), -5.0)

    def text(votes: list[list[float]]) -> str:
        page_votes = ensembles.PageVotes(np.array(votes).reshape(-1, 2), np.ones(len(votes)), np.ones(len(votes)), 1.0)
        return ensembles.weighed_text(
            weighing, ensembles.Read(("one", "two", "three")[: len(votes)], np.zeros((2, 0), np.bool_), page_votes)
        )

    assert text([[0, 0], [1, 1], [0, 1]]) == "two"
    assert text([[0, 0], [0, 0]]) == ""
    assert text([]) == ""


def test_one_set_or_too_few_members_are_refused(cache: Path):
    with pytest.raises(Rejected, match="name at least two with --sets"):
        ensembles.run(cache / "data", cache / "cache", ["dragnet"], (), 1)
    with pytest.raises(Rejected, match="an ensemble requires at least 3"):
        ensembles.run(cache / "data", cache / "cache", SETS, ["voters:right"], 1)
