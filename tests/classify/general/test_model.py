"""The global models: they read sites that they never saw, alike with and without a browser, say why, and are data on disk."""

import random
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sightread.classify.forecast import Calibration, KnownDocument
from sightread.classify.general.first_stage import COLUMNS as LINEAR_COLUMNS
from sightread.classify.general.linear import LinearModel
from sightread.classify.general.model import COLUMNS, GlobalModel
from sightread.classify.weights import load_weights, save_weights
from sightread.document.document import build_document
from sightread.document.selection import select
from sightread.render.errors import BadRecord
from sightread.render.page import Box, Page
from sightread.render.static.parse import read_html
from tests.classify.sites_to_learn import LABELS, NEW, PAGES, SITES, gold, sentence, write_page

Model = GlobalModel | LinearModel


@pytest.fixture(scope="module")
def linear() -> LinearModel:
    return LinearModel().fit(PAGES, LABELS)


@pytest.fixture(scope="module")
def boosted() -> GlobalModel:
    return GlobalModel().fit(PAGES, LABELS)


@pytest.fixture(params=["boosted", "linear"])
def model(request: pytest.FixtureRequest) -> Model:
    return request.getfixturevalue(request.param)


def rendered(page: Page) -> Page:
    """The page as a browser would add to it."""
    blocks = [replace(block, style=row % 2, box=Box(10, 30 * row, 100 + 60 * (row % 5), 20)) for row, block in enumerate(page.blocks)]
    return replace(
        page, source="browser", blocks=tuple(blocks), styles=({"font-size": "20px"}, {"color": "red"}), body_style={"color": "blue"}
    )


@cache
def fit_to_rendered(kind: type[Model]) -> Model:
    return kind().fit([rendered(page) for page in PAGES], LABELS)


def test_pages_of_new_sites_are_read_rightly(model: Model):
    for number in range(SITES, SITES + 9):
        page = write_page(number)
        assert ((model.predict(page).relative >= 0.5) == gold(page)).all(), page.url


def test_what_a_browser_adds_changes_nothing(model: Model):
    np.testing.assert_array_equal(model.predict(rendered(NEW)).relative, model.predict(NEW).relative)
    np.testing.assert_array_equal(fit_to_rendered(type(model)).predict(NEW).relative, model.predict(NEW).relative)


def test_no_page_with_text_is_empty(model: Model):
    assert model.predict(read_html("<body></body>")).relative.shape == (0,)
    menu = read_html("<body><nav><ul><li><a href='/'>Home</a><li><a href='/map'>Map</a></ul></nav>")
    assert model.predict(menu).relative.max() >= 0.5


def test_the_contributions_of_a_block_order_the_blocks_as_the_probabilities_do(model: Model):
    sums = np.array([sum(weight for _, weight in model.explain(NEW, row)) for row in range(len(NEW.blocks))])
    z = np.log(1 / model.predict(NEW).relative - 1)
    slope, offset = np.polyfit(sums, z, 1)
    assert slope < 0
    np.testing.assert_allclose(z, slope * sums + offset, atol=1e-4)


def test_reasons_are_words_the_weightiest_first(model: Model):
    reasons = model.explain(NEW, 0)
    weights = [abs(weight) for _, weight in reasons]
    assert weights == sorted(weights, reverse=True)
    known = {*COLUMNS.values(), *LINEAR_COLUMNS.values()}
    assert all(any(what.startswith(f"{words}: ") for words in known) for what, _ in reasons)


def test_the_linear_model_says_in_which_range_a_value_lies(linear: LinearModel):
    reasons = linear.explain(NEW, 0)
    assert all(any(what.startswith(f"{words}: ") for words in LINEAR_COLUMNS.values()) for what, _ in reasons)
    assert ("share of its characters inside links: 1 or more", True) in {(what, weight < 0) for what, weight in reasons}


def test_unknown_blocks_are_not_learned_from():
    doubtful = [labels.copy() for labels in LABELS]
    for labels in doubtful:
        labels[0] = -1
    odd = [replace(page, blocks=(replace(page.blocks[0], heading=3), *page.blocks[1:])) for page in PAGES]
    wrong = [np.append(np.int8(-1), labels[1:]) for labels in doubtful]
    one, other = LinearModel().fit(PAGES, doubtful), LinearModel().fit(PAGES, wrong)
    np.testing.assert_array_equal(one.predict(NEW).relative, other.predict(NEW).relative)
    assert not np.array_equal(LinearModel().fit(odd, LABELS).predict(NEW).relative, one.predict(NEW).relative)


def test_one_site_can_be_learned_from_though_none_is_held_out():
    page = replace(NEW, url="https://one.example/")
    alone = LinearModel().fit([page] * 2, [gold(page)] * 2)
    assert ((alone.predict(page).relative >= 0.5) == gold(page)).all()


def test_the_same_pages_give_the_same_file_and_a_file_the_same_model(model: Model, tmp_path: Path):
    one, again, other = (tmp_path / f"{name}.npz" for name in ("one", "again", "other"))
    model.save(one)
    fit_to_rendered(type(model)).save(again)
    loaded = type(model).load(one)
    loaded.save(other)
    assert one.read_bytes() == again.read_bytes() == other.read_bytes()
    np.testing.assert_allclose(loaded.predict(NEW).relative, model.predict(NEW).relative, atol=1e-6)
    assert ([what for what, _ in loaded.explain(NEW, 1)], loaded.pages) == ([what for what, _ in model.explain(NEW, 1)], SITES)


def test_the_calibration_of_forecasts_is_stored_with_the_model(boosted: GlobalModel, tmp_path: Path):
    path, model = tmp_path / "global.npz", copy(boosted)
    assert build_document(NEW, model.predict(NEW)).forecast is None
    model.calibration = Calibration.fit([KnownDocument(each, {"article": 1.0}, each) for each in np.linspace(0, 1, 100)])
    model.save(path)
    forecast = build_document(NEW, model.predict(NEW)).forecast
    assert forecast == build_document(NEW, GlobalModel.load(path).predict(NEW)).forecast is not None
    arrays, about = load_weights(path, "global")
    save_weights(path, "global", arrays | {"forecast.bounds": arrays["forecast.bounds"][:, :-1]}, about)
    with pytest.raises(BadRecord, match="calibration has other shapes"):
        GlobalModel.load(path)


def test_a_file_whose_parts_do_not_fit_is_refused(model: Model, tmp_path: Path):
    changes = [
        (lambda arrays, about: about["features"].__setitem__(0, "text.smell"), "no feature is called 'text.smell'"),
        (lambda arrays, about: arrays.update(weights=arrays["weights"][:-1]), "do not fit each other"),
        (lambda arrays, about: arrays.update(edges=arrays["edges"][::-1]), "do not fit each other"),
        (lambda arrays, about: arrays.pop("words"), "parts of the model are missing"),
    ]
    if isinstance(model, GlobalModel):
        changes += [
            (lambda arrays, about: about["columns"].__setitem__(slice(9), ["another"] * 9), "other features than this sightread has"),
            (lambda arrays, about: arrays.pop("trees.first"), "its trees have no 'first'"),
            (lambda arrays, about: arrays["trees.first"].__setitem__(5, 0), "its trees are damaged"),
        ]
    for change, complaint in changes:
        model.save(tmp_path / "model.npz")
        arrays, about = load_weights(tmp_path / "model.npz", model.name)
        change(arrays, about)
        save_weights(tmp_path / "model.npz", model.name, arrays, about)
        with pytest.raises(BadRecord, match=complaint):
            type(model).load(tmp_path / "model.npz")


def test_a_headline_that_reads_like_the_title_is_kept_and_no_other():
    unlabelled = [
        np.where([block.heading > 0 for block in page.blocks], 0, labels).astype(np.int8)
        for page, labels in zip(PAGES, LABELS, strict=True)
    ]
    model = GlobalModel().fit(PAGES, unlabelled)
    story = "".join(f"<p>{sentence(random.Random(number), 40)}" for number in range(5))
    page = "<title>{}</title><body><ul><li><a href='/'>ferry</a></ul><div class=story><h1>Harbour lantern.</h1>{}</div><div><p>Tide.</div>"
    for level in ("h1", "h3"):
        for title, is_kept in (("Harbour lantern", True), ("Another matter", False)):
            read = read_html(page.format(title, story).replace("h1", level))
            kept = select(read, model.predict(read)).rows
            assert kept == (1, 2, 3, 4, 5, 6)[not is_kept :]


def test_less_is_promised_of_a_page_where_nothing_is_sure(boosted: GlobalModel):
    menu = read_html("<body>" + "<p><a href='/'>Harbour</a> and <a href='/map'>winter</a>" * 9)
    expected = [select(page, boosted.predict(page)).expected_f1 for page in (read_html("<body></body>"), menu, NEW)]
    assert 0 == expected[0] < expected[1] < expected[2] <= 1


KINDS = ["article", "forum", "article"]  # of the templates, in their order


def test_the_type_of_a_page_is_learned_where_it_is_known(tmp_path: Path):
    def page_of(number: int) -> Page:
        page = write_page(number)
        return replace(page, url=f"{page.url}/{KINDS[number % 3]}")

    pages = [page_of(number) for number in range(SITES)]
    model = GlobalModel().fit(pages, LABELS, [KINDS[number % 3] for number in range(SITES)])
    for number in range(SITES, SITES + 6):
        chances = model.predict(page_of(number)).page_types
        assert max(chances, key=chances.__getitem__) == KINDS[number % 3]
        assert sum(chances.values()) == pytest.approx(1)
    model.save(tmp_path / "model.npz")
    loaded = GlobalModel.load(tmp_path / "model.npz").predict(NEW).page_types
    assert loaded == pytest.approx(model.predict(NEW).page_types, abs=1e-3)
