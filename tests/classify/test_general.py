"""The global model: it reads sites that it never saw, alike with and without a browser, says why, and is data on disk."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classify.binned import Bins
from classify.calibration import LEVELS, Decided
from classify.general import GlobalModel, domain_folds
from classify.model import load_payload, save_payload
from classify.relative import NAMES, WORDS
from render.errors import BadRecord, Rejected
from render.page import Box, Page
from render.static import read_html

WORD = ("harbour", "lantern", "ferry", "council", "orchard", "winter", "bridge", "market", "keeper", "signal", "tide", "valley")
TEMPLATES = (
    "<body><ul>{menu}</ul><div class=story><h1>{title}</h1>{story}</div><div><p>{foot}</p></div></body>",
    "<body><table><tr><td>{menu}</td><td><div><h2>{title}</h2><div>{story}</div></div></td></tr></table><footer>{foot}</footer></body>",
    "<body><header><nav><ul>{menu}</ul></nav></header><main><article><h1>{title}</h1>{story}</article></main><div>{foot}</div></body>",
)
SITES = 12


def sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORD, k=words)).capitalize() + "."


def write_page(number: int) -> Page:
    """A page of a host of its own, in one of three templates: links, a headline, paragraphs, a line at the foot."""
    chance = random.Random(number)
    paragraphs = "".join(f"<p>{sentence(chance, chance.randint(20, 60))}</p>" for _ in range(chance.randint(3, 8)))
    menu = "".join(f"<li><a href='/{link}'>{chance.choice(WORD)}</a></li>" for link in range(chance.randint(4, 9)))
    html = TEMPLATES[number % 3].format(menu=menu, title=sentence(chance, 5), story=paragraphs, foot=sentence(chance, 4))
    return read_html(html, f"https://site{number}.example/page")


def gold(page: Page) -> np.ndarray:
    """Headline and paragraphs are content."""
    return np.array([page.elements[block.element].tag in ("h1", "h2", "p") for block in page.blocks[:-1]] + [False]).astype(np.int8)


PAGES = [write_page(number) for number in range(SITES)]
LABELS = [gold(page) for page in PAGES]
NEW = write_page(SITES + 1)


@pytest.fixture(scope="module")
def model() -> GlobalModel:
    return GlobalModel().fit(PAGES, LABELS)


def rendered(page: Page) -> Page:
    """The page as a browser would add to it."""
    blocks = [replace(block, style=row % 2, box=Box(10, 30 * row, 100 + 60 * (row % 5), 20)) for row, block in enumerate(page.blocks)]
    return replace(
        page, source="browser", blocks=tuple(blocks), styles=({"font-size": "20px"}, {"color": "red"}), body_style={"color": "blue"}
    )


def test_pages_of_new_sites_are_read_rightly(model: GlobalModel):
    for number in range(SITES, SITES + 9):
        page = write_page(number)
        assert ((model.predict(page) >= 0.5) == gold(page)).all(), page.url


def test_what_a_browser_adds_changes_nothing(model: GlobalModel):
    np.testing.assert_array_equal(model.predict(rendered(NEW)), model.predict(NEW))
    np.testing.assert_array_equal(GlobalModel().fit([rendered(page) for page in PAGES], LABELS).predict(NEW), model.predict(NEW))


def test_a_page_without_text_has_no_probabilities(model: GlobalModel):
    assert model.predict(read_html("<body></body>")).shape == (0,)


def test_no_page_with_text_is_empty(model: GlobalModel):
    menu = read_html("<body><nav><ul><li><a href='/'>Home</a><li><a href='/map'>Map</a></ul></nav>")
    assert model.predict(menu).max() == 0.5


def test_the_contributions_of_a_block_order_the_blocks_as_the_probabilities_do(model: GlobalModel):
    sums = np.array([sum(weight for _, weight in model.explain(NEW, row)) for row in range(len(NEW.blocks))])
    z = np.log(1 / model.predict(NEW) - 1)
    slope, offset = np.polyfit(sums, z, 1)
    assert slope < 0
    np.testing.assert_allclose(z, slope * sums + offset, atol=1e-6)


def test_reasons_are_words_with_a_range_the_weightiest_first(model: GlobalModel):
    reasons = model.explain(NEW, 0)
    weights = [abs(weight) for _, weight in reasons]
    assert weights == sorted(weights, reverse=True)
    assert all(any(what.startswith(f"{words}: ") for words in WORDS.values()) for what, _ in reasons)
    assert ("share of its characters inside links: 1 or more", True) in {(what, weight < 0) for what, weight in reasons}


def test_unknown_blocks_are_not_learned_from():
    doubtful = [labels.copy() for labels in LABELS]
    for labels in doubtful:
        labels[0] = -1
    odd = [replace(page, blocks=(replace(page.blocks[0], heading=3), *page.blocks[1:])) for page in PAGES]
    wrong = [np.append(np.int8(-1), labels[1:]) for labels in doubtful]
    one, other = GlobalModel().fit(PAGES, doubtful), GlobalModel().fit(PAGES, wrong)
    np.testing.assert_array_equal(one.predict(NEW), other.predict(NEW))
    assert not np.array_equal(GlobalModel().fit(odd, LABELS).predict(NEW), one.predict(NEW))


def test_pages_without_a_known_block_are_as_if_they_were_not_there(model: GlobalModel):
    nothing = np.full(len(NEW.blocks), -1, np.int8)
    assert GlobalModel().fit([*PAGES, NEW], [*LABELS, nothing]).pages == model.pages == SITES


def test_one_class_is_nothing_to_learn_from():
    with pytest.raises(Rejected, match="no boilerplate"):
        GlobalModel().fit(PAGES, [np.ones_like(labels) for labels in LABELS])


def test_one_site_can_be_learned_from_though_none_is_held_out():
    page = replace(NEW, url="https://one.example/")
    alone = GlobalModel().fit([page] * 2, [gold(page)] * 2)
    assert ((alone.predict(page) >= 0.5) == gold(page)).all()


def test_the_same_pages_give_the_same_file_and_a_file_the_same_model(model: GlobalModel, tmp_path: Path):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    GlobalModel().fit(PAGES, LABELS).save(one)
    loaded = GlobalModel.load(one)
    loaded.save(other)
    assert one.read_bytes() == other.read_bytes()
    np.testing.assert_array_equal(loaded.predict(NEW), model.predict(NEW))
    assert (loaded.explain(NEW, 1), loaded.pages) == (model.explain(NEW, 1), SITES)


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("name", "text.smell", "no feature is called 'text.smell'"),
        ("weights", [1.0], "edges and weights that do not fit"),
        ("edges", [2.0, 1.0], "edges and weights that do not fit"),
        ("edges", "none", "not a global model"),
    ],
)
def test_a_file_with_a_wrong_feature_is_refused(model: GlobalModel, tmp_path: Path, field: str, value: object, complaint: str):
    path = tmp_path / "model.json"
    model.save(path)
    payload = load_payload(path, "global", dict)
    feature = payload["features"][0]
    feature |= {"edges": [1.0, 2.0], "weights": [0.0] * 4} | {field: value}
    save_payload(path, "global", payload)
    with pytest.raises(BadRecord, match=complaint):
        GlobalModel.load(path)


def test_pages_of_one_domain_share_their_fold():
    hosts = ("www.bay.example", "bay.co.uk", "shop.bay.example", "", "", "hill.co.uk", "www.bay.co.uk")
    fold = domain_folds([replace(NEW, url=f"https://{host}/" if host else "") for host in hosts], 9)
    assert fold.tolist() == [0, 1, 0, 2, 3, 4, 1]


NUMBERS = st.lists(st.one_of(st.floats(-1e6, 1e6, width=32), st.just(np.nan)), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(NUMBERS, NUMBERS)
def test_bins_rise_with_the_values_and_nothing_shares_that_of_what_is_not_there(learned: list[float], new: list[float]):
    bins = Bins.of(np.array(learned, np.float32)[:, None])
    codes = bins.codes(np.array(new, np.float32)[:, None])
    if len(bins.columns):
        last = int(bins.starts[-1]) - 1
        assert (codes[:, 0] == last).tolist() == np.isnan(np.array(new, np.float32)).tolist()
        known = np.argsort(new)[: len(new) - int(np.isnan(new).sum())]
        assert (np.diff(codes[known, 0]) >= 0).all()
        assert codes.min() >= 0


def test_a_feature_that_never_differs_has_no_bins():
    features = np.zeros((9, len(NAMES)), np.float32)
    features[:, 3] = np.nan
    features[4, 7] = 1
    assert Bins.of(features).columns == (7,)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(-4, 4),
    st.lists(st.tuples(st.integers(-8, 8), st.booleans(), st.integers(1, 9), st.integers(0, 2)), min_size=1, max_size=30),
)
def test_the_level_moves_with_the_decisions_and_none_is_better(shift: int, rows: list[tuple[int, bool, int, int]]):
    whole, content, lengths, page = (np.array(column) for column in zip(*rows, strict=True))
    decided = Decided(whole * 0.05 + 0.01, content, lengths.astype(np.float64), np.unique(page, return_inverse=True)[1])
    moved = replace(decided, decisions=decided.decisions + shift * 0.05)
    assert decided.best_level() in LEVELS
    assert moved.mean_f1(moved.best_level()) == pytest.approx(decided.mean_f1(decided.best_level()))
    assert all(decided.mean_f1(level) <= decided.mean_f1(decided.best_level()) + 1e-12 for level in LEVELS)


def test_surer_decisions_give_a_steeper_slope():
    content = np.array([False, False, True, True] * 5)
    mixed = Decided(np.array([-1.0, 0.3, -0.3, 1.0] * 5), content, np.ones(20), np.repeat(np.arange(5), 4))
    apart = replace(mixed, decisions=np.array([-1.0, -0.8, 0.8, 1.0] * 5))
    assert mixed.best_slope(0.0) < apart.best_slope(0.0)
