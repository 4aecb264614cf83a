"""The global model: it reads sites that it never saw, alike with and without a browser, gives its reasons, and is data on disk.

The shipped model is tried; fitting one needs PyTorch, and is tested where that is installed.
"""

import codecs
import pickle
import sys
import tracemalloc
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from sightread.classify.forecast import Calibration, KnownDocument
from sightread.classify.general.model import COLUMNS, FAMILIES, LEXICONS, TOGETHER, GlobalModel
from sightread.classify.model import log_odds
from sightread.classify.weights import Schedule, load_weights, save_weights
from sightread.document.document import build_document
from sightread.document.selection import select
from sightread.models.registry import MODELS, SHIPPED
from sightread.render.errors import BadRecord, Unequipped
from sightread.render.page import Box, Page
from sightread.render.static.parse import read_html
from tests.classify.sites_to_learn import LABELS, NEW, PAGES, SITES, gold, write_page

FILE = SHIPPED / "global.npz"
SCHEDULE = Schedule(epochs=30, rate=5e-3, batch=4)
BRIEF = replace(SCHEDULE, epochs=2)
STORY = "".join(
    f"<p>{sentence}"
    for sentence in (
        "The ferry to the islands will not leave this week, the harbour office said on Monday, since a storm has damaged the pier.",
        "Divers found that two of the old wooden piles had broken below the water line, and that a third was about to give way.",
        "Until they are replaced, a smaller boat takes passengers from the north quay twice a day, but neither cars nor goods.",
        "Shops on the islands said that they had enough of everything for ten days, and that they had seen longer winters.",
    )
)


@pytest.fixture(scope="module")
def model() -> GlobalModel:
    found = MODELS["global"].make()
    assert isinstance(found, GlobalModel)
    return found


@cache
def fitted(schedule: Schedule = SCHEDULE) -> GlobalModel:
    pytest.importorskip("torch", reason="training needs the extra `neural`")
    return GlobalModel().fit(PAGES, LABELS, schedule=schedule)


def rendered(page: Page) -> Page:
    """The page as a browser would add to it."""
    blocks = [
        msgspec.structs.replace(block, style=row % 2, box=Box(10, 30 * row, 100 + 60 * (row % 5), 20))
        for row, block in enumerate(page.blocks)
    ]
    return replace(
        page, source="browser", blocks=tuple(blocks), styles=({"font-size": "20px"}, {"color": "red"}), body_style={"color": "blue"}
    )


def test_the_story_of_a_page_is_kept_and_what_surrounds_it_is_not(model: GlobalModel):
    page = read_html(
        f"""<title>No ferry until the pier is mended - Harbour News</title><body><nav><ul><li><a href=/>Home</a><li><a href=/map>Map</a>
        </ul></nav><main><h1>No ferry until the pier is mended</h1>{STORY}</main><aside><h2>Most read</h2><ul><li><a href=/1>Ten boats</a>
        <li><a href=/2>What the tide left</a></ul></aside><footer><p>All rights reserved. Terms of use</p></footer>""",
        "https://news.example/ferry",
    )
    kept = [page.blocks[row].text for row in select(page, model.predict(page)).rows]
    assert kept == [block.text for block in page.blocks if page.elements[block.element].tag in ("h1", "p")][:5]


def test_pages_of_new_sites_are_read_rightly():
    for number in range(SITES, SITES + 9):
        page = write_page(number)
        assert ((fitted().predict(page).relative >= 0.5) == gold(page)).all(), page.url


def test_what_a_browser_adds_changes_nothing(model: GlobalModel):
    np.testing.assert_array_equal(model.predict(rendered(NEW)).relative, model.predict(NEW).relative)


def test_what_is_unseen_is_missing_as_explanations_state(model: GlobalModel):
    whole, explained = log_odds(model.predict(NEW).probabilities), model.explain_rows(NEW, range(len(NEW.blocks)))
    for family in ("title", "words"):
        lost = whole - log_odds(model.predict(NEW, (family,)).probabilities)
        np.testing.assert_allclose(lost, [dict(reasons)[FAMILIES[family]] for reasons in explained], atol=1e-3)
        assert np.abs(lost).max() > 0.01


def test_words_matter_unless_they_are_unseen(model: GlobalModel):
    blocks = tuple(msgspec.structs.replace(block, text=codecs.encode(block.text, "rot13")) for block in NEW.blocks)
    for unseen, matter in ((("title",), True), (("title", "words"), False)):
        found = [model.predict(page, unseen).probabilities for page in (NEW, replace(NEW, blocks=blocks))]
        assert bool(np.abs(found[0] - found[1]).max() > 0.001) is matter


def test_no_page_with_text_is_empty(model: GlobalModel):
    assert model.predict(read_html("<body></body>")).relative.shape == (0,)
    menu = read_html("<body><nav><ul><li><a href='/'>Home</a><li><a href='/map'>Map</a></ul></nav>")
    assert model.predict(menu).relative.max() >= 0.5


def test_less_is_promised_of_a_page_where_nothing_is_sure(model: GlobalModel):
    menu = read_html("<body>" + "<p><a href='/'>Harbour</a> and <a href='/map'>winter</a>" * 9)
    story = read_html(f"<body><h1>No ferry</h1>{STORY}")
    expected = [select(page, model.predict(page)).expected_f1 for page in (read_html("<body></body>"), menu, story)]
    assert 0 == expected[0] < expected[1] < expected[2] <= 1


def test_contributions_add_up_to_the_log_odds_the_weightiest_first(model: GlobalModel):
    odds = log_odds(model.predict(NEW).probabilities)
    explained = model.explain_rows(NEW, range(len(NEW.blocks)))
    for reasons, expected in zip(explained, odds, strict=True):
        assert {what for what, _ in reasons} == {*FAMILIES.values(), TOGETHER}
        weights = [weight for _, weight in reasons]
        assert [*map(abs, weights)] == sorted(map(abs, weights), reverse=True)
        assert sum(weights) == pytest.approx(expected, abs=1e-3)
    assert model.explain(NEW, 1) == explained[1]


def test_every_column_belongs_to_one_family():
    assert {name.partition(".")[0] for name in COLUMNS} == set(FAMILIES)


def test_a_file_is_the_same_model_again(model: GlobalModel, tmp_path: Path):
    model.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == FILE.read_bytes()
    again = GlobalModel.load(tmp_path / "again.npz")
    np.testing.assert_array_equal(again.predict(NEW).relative, model.predict(NEW).relative)
    assert again.predict(NEW).page_types == model.predict(NEW).page_types


def test_page_types_are_printed_and_pickled_as_what_they_are(model: GlobalModel):
    chances = model.predict(NEW).page_types
    pickled = pickle.dumps(chances)
    assert pickle.loads(pickled) == chances and repr(chances) == repr(dict(chances))
    assert len(pickled) < 1000  # neither the page nor the weights


def test_long_names_are_not_kept_when_their_pages_are_gone(model: GlobalModel):
    def read(number: int) -> None:
        name = f"{number}{'x' * 1_000_000}"
        html = f"<title>{name}</title><x-{name}><p class={name} id={name} role={name} itemprop={name}>It runs all night.</p></x-{name}>"
        assert dict(model.predict(read_html(html)).page_types)

    read(0)
    tracemalloc.start()
    try:
        for number in range(1, 5):
            read(number)
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda arrays, about: about["columns"].pop(), "other features than this sightread has"),
        (lambda arrays, about: arrays.pop("words"), "it has no 'words'"),
        (lambda arrays, about: arrays.update(names=arrays["names"][1:]), "its lexicons are damaged"),
        (lambda arrays, about: arrays.update(types=arrays["types"][1:]), "its weights of page types are damaged"),
        (lambda arrays, about: arrays.pop("network.0.inner"), "its network has no '0.inner'"),
        (lambda arrays, about: arrays.update({"network.last": arrays["network.last"][:, 1:]}), "its network is damaged"),
        (lambda arrays, about: arrays["network.columns"].__setitem__(0, 999), "its network is damaged"),
        (lambda arrays, about: arrays["network.first"].__setitem__((0, 0), np.nan), "its network is damaged"),
        (lambda arrays, about: arrays["network.counts"].__setitem__(0, 0), "its network is damaged"),
    ],
)
def test_a_file_whose_parts_do_not_fit_is_refused(tmp_path: Path, change: Callable[[Any, Any], None], complaint: str):
    arrays, about = load_weights(FILE, "global")
    change(arrays, about)
    save_weights(tmp_path / "bad.npz", "global", arrays, about)
    with pytest.raises(BadRecord, match=complaint):
        GlobalModel.load(tmp_path / "bad.npz")


def test_without_pytorch_fitting_states_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "sightread.classify.training.global_network", raising=False)
    with pytest.raises(Unequipped, match="neural"):
        GlobalModel().fit(PAGES, LABELS)


def test_the_same_pages_give_the_same_model_with_a_browser_or_without(tmp_path: Path):
    fitted(BRIEF).save(tmp_path / "one.npz")
    GlobalModel().fit([rendered(page) for page in PAGES], LABELS, schedule=BRIEF).save(tmp_path / "again.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    assert GlobalModel.load(tmp_path / "one.npz").pages == SITES


def test_a_block_without_a_label_teaches_less_than_one_with_it():
    fitted(BRIEF)
    unknown = [np.append(np.int8(-1), labels[1:]) for labels in LABELS]
    other = GlobalModel().fit(PAGES, unknown, schedule=BRIEF)
    assert not np.array_equal(other.predict(NEW).relative, fitted(BRIEF).predict(NEW).relative)


def test_one_site_can_be_learned_from_though_none_is_held_out():
    pytest.importorskip("torch", reason="training needs the extra `neural`")
    page = replace(NEW, url="https://one.example/")
    alone = GlobalModel().fit([page] * 2, [gold(page)] * 2, schedule=SCHEDULE)
    assert ((alone.predict(page).relative >= 0.5) == gold(page)).all()


def test_the_calibration_of_forecasts_is_stored_with_the_model(model: GlobalModel, tmp_path: Path):
    path, model = tmp_path / "global.npz", copy(model)
    model.calibration = None
    assert build_document(NEW, model.predict(NEW)).forecast is None
    model.calibration = Calibration.fit([KnownDocument(each, {"article": 1.0}, each) for each in np.linspace(0, 1, 100)])
    model.save(path)
    forecast = build_document(NEW, model.predict(NEW)).forecast
    assert forecast == build_document(NEW, GlobalModel.load(path).predict(NEW)).forecast is not None
    arrays, about = load_weights(path, "global")
    save_weights(path, "global", arrays | {"forecast.bounds": arrays["forecast.bounds"][:, :-1]}, about)
    with pytest.raises(BadRecord, match="calibration has other shapes"):
        GlobalModel.load(path)


KINDS = ["article", "forum", "article"]  # of the templates, in their order


def test_the_type_of_a_page_is_learned_where_it_is_known():
    pytest.importorskip("torch", reason="training needs the extra `neural`")

    def page_of(number: int) -> Page:
        page = write_page(number)
        return replace(page, url=f"{page.url}/{KINDS[number % 3]}")

    pages = [page_of(number) for number in range(SITES)]
    model = GlobalModel().fit(pages, LABELS, [KINDS[number % 3] for number in range(SITES)], BRIEF)
    for number in range(SITES, SITES + 6):
        chances = model.predict(page_of(number)).page_types
        assert max(chances, key=chances.__getitem__) == KINDS[number % 3]
        assert sum(chances.values()) == pytest.approx(1)


def test_the_scores_of_words_are_columns_of_their_own():
    assert COLUMNS[-len(LEXICONS) :] == tuple(LEXICONS)
