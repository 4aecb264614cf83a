"""SemText and BoilerNet: they read with numpy alone, store what they learned as data, and learn with PyTorch where it is installed."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify.neural import boilernet
from sightread.classify.neural.boilernet import BoilerNet, leaves
from sightread.classify.neural.semtext import model as semtext
from sightread.classify.neural.semtext.input import PARTS
from sightread.classify.neural.semtext.model import SemText
from sightread.classify.schedule import Schedule
from sightread.classify.weights import save_weights
from sightread.models.registry import SHIPPED
from sightread.render.errors import BadRecord, Rejected, Unequipped
from sightread.render.static.parse import read_html
from tests.classify.sites_to_learn import LABELS, NEW, NEW_LABELS, PAGES

SIZE = 4
PIECES = (
    "<p>One two three.</p>",
    "<ul><li>a<li><a href=/>b</a></ul>",
    "<div class=mainNav>x <b>y</b></div>",
    "<td>",
    "</div>",
    "<pre>\n</pre>",
    "漢字",
)


def random_arrays(shapes):
    random = np.random.default_rng(3)
    return {name: random.normal(0, 0.3, shape).astype(np.float16) for name, shape in shapes.items()}


def lstm_shapes(name, inputs, hidden):
    for direction in ("forward", "backward"):
        yield from ((f"{name}.{direction}.{part}", shape) for part, shape in _lstm_parts(inputs, hidden))


def _lstm_parts(inputs, hidden):
    return (("inputs", (4 * hidden, inputs)), ("hidden", (4 * hidden, hidden)), ("bias", (4 * hidden,)))


def semtext_file(path: Path) -> Path:
    shapes = {"out.weights": (2, 6), "out.bias": (2,), "chain.first": (2,), "chain.last": (2,), "chain.pairs": (2, 2)}
    for width in semtext.FILTERS:
        shapes |= {f"words{width}.depth": (width, SIZE), f"words{width}.point": (2, SIZE), f"words{width}.bias": (2,)}
    arrays = random_arrays(shapes | dict(lstm_shapes("lstm", 6 + PARTS * SIZE, 3)))
    arrays["table"] = np.random.default_rng(4).integers(-100, 100, (50, SIZE)).astype(np.int8)
    save_weights(path, semtext.KIND, arrays, {"reads": "names", "unit": 0.01})
    return path


def boilernet_file(path: Path) -> Path:
    shapes = {"dense.words": (3, 4), "dense.tags": (4, 4), "dense.bias": (4,), "out.weights": (1, 6), "out.bias": (1,)}
    arrays = random_arrays(shapes | dict(lstm_shapes("lstm1", 4, 3)) | dict(lstm_shapes("lstm2", 6, 3)))
    save_weights(path, boilernet.KIND, arrays, {"words": ["the", "rain"], "tags": ["p", "li", "a"]})
    return path


MODELS = {"semtext": (SemText, semtext_file), "boilernet": (BoilerNet, boilernet_file)}


@pytest.fixture(scope="module", params=list(MODELS))
def stored(request, tmp_path_factory):
    kind, write = MODELS[request.param]
    return kind, write(tmp_path_factory.mktemp("models") / "model.npz")


@given(st.lists(st.sampled_from(PIECES), max_size=30))
@settings(deadline=None)
def test_every_block_of_any_page_has_a_probability(stored, pieces):
    kind, path = stored
    page = read_html("".join(pieces))
    found = kind.load(path).predict(page).relative
    assert found.shape == (len(page.blocks),)
    assert ((found >= 0) & (found <= 1)).all()


def test_a_page_longer_than_a_window_is_read_to_its_end(stored):
    kind, path = stored
    page = read_html("".join(f"<p>The rain fell on hill number {row} all day.</p><p>b</p>" for row in range(4 * boilernet.WINDOW)))
    found = kind.load(path).predict(page).relative
    assert found.shape == (len(page.blocks),)
    assert len(np.unique(found.round(6))) > 2


def test_a_stored_model_reads_as_before(stored, tmp_path):
    kind, path = stored
    model = kind.load(path)
    model.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()
    assert np.array_equal(kind.load(tmp_path / "again.npz").predict(NEW).relative, model.predict(NEW).relative)


def test_a_model_without_one_of_its_arrays_is_refused(stored, tmp_path):
    kind, _ = stored
    for about in ({}, {"reads": "names", "unit": 1.0, "words": [], "tags": []}):
        save_weights(tmp_path / "part.npz", kind.name, {"table": np.zeros((2, 2), np.int8)}, about)
        with pytest.raises(BadRecord, match=f"not a {kind.name} model of this sightread"):
            kind.load(tmp_path / "part.npz")


def test_a_model_that_learned_nothing_states_so(stored, tmp_path):
    kind, _ = stored
    for act in (lambda: kind().predict(NEW).relative, lambda: kind().save(tmp_path / "x.npz"), lambda: kind().tune(PAGES, LABELS)):
        with pytest.raises(Rejected, match="is not fitted"):
            act()


def test_without_pytorch_training_states_what_to_install(stored, monkeypatch):
    kind, _ = stored
    monkeypatch.setitem(sys.modules, "torch", None)
    for module in ("torch_loop", kind.name):
        monkeypatch.delitem(sys.modules, f"sightread.classify.training.{module}", raising=False)
    with pytest.raises(Unequipped, match=r"sightread\[neural\]"):
        kind().fit(PAGES, LABELS)


def test_blocks_that_were_joined_share_their_probability(tmp_path):
    page = read_html("<ul><li>Home<li>News</ul><p>After nine dry weeks it rained in the valley.</p>")
    menu, other, story = SemText.load(semtext_file(tmp_path / "model.npz")).predict(page).relative
    assert menu == other != story


def test_what_a_text_block_stands_in_changes_its_probability(tmp_path):
    model = SemText.load(semtext_file(tmp_path / "model.npz"))
    bare, named, tagged = (
        model.predict(read_html(f"<{tag}>Some words of a text.")).relative for tag in ("div", "div class=comment", "blockquote")
    )
    assert len({float(found[0]) for found in (bare, named, tagged)}) == 3


def test_leaves_are_cut_where_links_begin_and_lines_end():
    page = read_html("<p>Read <a href=/>the <b>old</b> news</a>.<br>Today</p>")
    found = [(sum(leaf.words.values()), dict(leaf.inlines)) for leaf in leaves(page)]
    assert found == [(1, {}), (1, {"a": 1}), (1, {"a": 1, "strong": 1}), (1, {"a": 1}), (1, {}), (1, {})]


@pytest.mark.parametrize("name", list(MODELS))
def test_the_shipped_model_is_small_and_tells_paragraphs_from_what_surrounds_them(name):
    file = SHIPPED / f"{name}.npz"
    assert file.stat().st_size < 3_000_000
    page = read_html(
        "<ul class=nav><li><a href=/>Home</a><li><a href=/n>News</a></ul><article><h1>Rain at last in the valley</h1>"
        "<p>After nine dry weeks it rained in the valley on Tuesday, and farmers who had long waited for it went out to see it.</p>"
        "<p>The council said that the orchards would recover before winter, while the ferry stayed in the harbour.</p></article>"
        "<div class=footer>© 2021 All rights reserved.</div>"
    )
    *menu, _headline, first, second, foot = MODELS[name][0].load(file).predict(page).relative >= 0.5
    assert first and second and not (any(menu) or foot)


@pytest.fixture(scope="module", params=list(MODELS))
def trained(request):
    pytest.importorskip("torch", reason="training needs the extra `neural`")
    pytest.importorskip("floret", reason="training needs the extra `neural`")
    return train(request.param)


def train(name):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(semtext, "FIT", Schedule(epochs=30, rate=5e-3, batch=4))
        patch.setattr(boilernet, "FIT", Schedule(epochs=40, rate=5e-3, batch=4))
        return MODELS[name][0]().fit(PAGES, LABELS)


def test_what_is_learned_holds_on_a_page_of_another_site(trained):
    found = trained.predict(NEW).relative >= 0.5
    assert (found == NEW_LABELS).mean() > 0.9


def test_training_twice_gives_the_same_bytes(trained, tmp_path):
    trained.save(tmp_path / "first.npz")
    train(trained.name).save(tmp_path / "second.npz")
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_tuning_goes_on_from_what_was_learned(trained, tmp_path):
    trained.save(tmp_path / "model.npz")
    model = type(trained).load(tmp_path / "model.npz")
    reversed_labels = [1 - of_page for of_page in LABELS]
    is_content = NEW_LABELS == 1
    before = model.predict(NEW).relative[is_content].mean()
    after = model.tune(PAGES, reversed_labels).predict(NEW).relative[is_content].mean()
    assert 0.4 < after < before
