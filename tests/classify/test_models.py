"""The comparison models alike: one probability per block of any page, the same again, files read as they were written, and training."""

import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify.heuristics.boilerpipe_tree import BoilerpipeTree
from sightread.classify.model import save_payload
from sightread.classify.neural import boilernet
from sightread.classify.neural.boilernet import BoilerNet
from sightread.classify.neural.semtext import model as semtext
from sightread.classify.neural.semtext.model import SemText
from sightread.classify.neural.web2text.model import Web2Text
from sightread.classify.weights import Schedule, load_weights, save_weights
from sightread.models.registry import MODELS
from sightread.render.errors import BadRecord, Rejected, Unequipped
from sightread.render.static.parse import read_html
from tests.classify.sites_to_learn import LABELS, NEW, NEW_LABELS, PAGES

NAMES = [name for name in MODELS if not name.startswith("global")]
NEURAL = (SemText, BoilerNet, Web2Text)
TRAINED = (BoilerpipeTree, *NEURAL)
LEARN_NOTHING = [name for name in NAMES if not MODELS[name].file]
PARAGRAPH = (
    "<p>After nine dry weeks it rained in the valley on Tuesday, and farmers who had long waited for it went out to <i>see</i> it.</p>"
)
MENU = "<ul class=nav>" + "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Sport", "Shop")) + "</ul>"
STORY = f"<body><nav>{MENU}</nav><main><h1>Rain at last in the valley</h1>{PARAGRAPH * 4}</main><footer>{MENU}</footer>"
PIECES = (
    "<p>One two.</p>",
    "<ul><li>a<li><a href=/>b</a></ul>",
    "<div class=x>x <b>y</b></div>",
    "<td>",
    "</div>",
    "<pre>\n</pre>",
    "漢字",
)


def kept(name: str, html: str) -> list[str]:
    page = read_html(html)
    return [block.text[:9] for block, chance in zip(page.blocks, MODELS[name].make().predict(page).relative, strict=True) if chance >= 0.5]


@pytest.mark.parametrize("name", NAMES)
def test_paragraphs_are_content_and_most_links_around_them_are_not(name: str):
    found = kept(name, STORY)
    assert found.count("After nin") == 4
    assert len(found) <= 7


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(NAMES))
@settings(max_examples=60)
def test_any_markup_gets_one_probability_per_block(pieces: list[str], name: str):
    page = read_html("".join(pieces))
    found = MODELS[name].make().predict(page).relative
    assert found.shape == (len(page.blocks),)
    assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("name", [*LEARN_NOTHING, "boilerpipe-tree"])
def test_hidden_blocks_are_never_content(name: str):
    hidden = f"<p hidden>{'hidden words that are read by no person ' * 9}</p>"
    assert set(kept(name, f"<main>{PARAGRAPH * 2}{hidden}{PARAGRAPH * 2}</main>")) == {"After nin"}


@pytest.mark.parametrize("name", LEARN_NOTHING)
def test_published_models_learn_nothing(name: str):
    page, model = read_html(STORY), MODELS[name].make()
    before = model.predict(page).relative.tolist()
    assert set(before) == {0.0, 1.0}
    assert model.fit([page], [np.zeros(len(page.blocks), np.int8)]).predict(page).relative.tolist() == before


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_read_as_it_was_written_and_a_damaged_or_foreign_one_refused(name: str, tmp_path: Path):
    model = MODELS[name].make()
    first, second = tmp_path / "first", tmp_path / "second"
    model.save(first)
    again = type(model).load(first)
    again.save(second)
    assert (again.name, first.read_bytes()) == (name, second.read_bytes())
    assert again.predict(NEW).relative.tolist() == model.predict(NEW).relative.tolist()
    second.write_bytes(first.read_bytes()[:-9])
    save_payload(tmp_path / "payload", "other", None)
    save_weights(tmp_path / "weights", "other", {}, {})
    for path in (second, tmp_path / "payload", tmp_path / "weights", tmp_path / "missing"):
        with pytest.raises(BadRecord, match=f"{path.name}: .*sightread|{path.name}: a 'other' model"):
            type(model).load(path)


@pytest.mark.parametrize("kind", NEURAL)
def test_weights_that_lack_a_part_or_are_of_another_shape_are_refused(kind: type, tmp_path: Path):
    MODELS[kind.name].make().save(tmp_path / "model")
    arrays, about = load_weights(tmp_path / "model", kind.name)
    changed = {
        "semtext": ("lstm.forward.hidden", "table", {"reads": "text"}),
        "boilernet": ("lstm1.forward.bias", "dense.words", {"words": 3}),
        "web2text": ("pairs_2_weights", "leaves_mean", {"blocks": ["another"]}),
    }
    bent, missing, other = changed[kind.name]
    wrong = [
        (arrays | {bent: arrays[bent][1:]}, about),
        ({name: array for name, array in arrays.items() if name != missing}, about),
        (arrays, about | other),
        (arrays, {}),
    ]
    for damaged in wrong:
        save_weights(tmp_path / "model", kind.name, *damaged)
        with pytest.raises(BadRecord, match=f"not a {kind.name} model of this sightread .*; train it again"):
            kind.load(tmp_path / "model")


@pytest.mark.parametrize("kind", TRAINED)
def test_a_model_that_learned_nothing_states_so_and_one_class_teaches_nothing(kind: type, tmp_path: Path):
    for act in (lambda: kind().predict(NEW), lambda: kind().save(tmp_path / "model")):
        with pytest.raises(Rejected, match=f"{kind.name}.* is not fitted"):
            act()
    with pytest.raises(Rejected, match="no content"):
        kind().fit(PAGES, [np.zeros_like(labels) for labels in LABELS])


@pytest.mark.parametrize("kind", NEURAL)
def test_without_pytorch_training_states_what_to_install(kind: type, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for module in ("torch_loop", kind.name):
        monkeypatch.delitem(sys.modules, f"sightread.classify.training.{module}", raising=False)
    with pytest.raises(Unequipped, match=r"sightread\[neural\]"):
        kind().fit(PAGES, LABELS)


def train(kind: type, epochs: int = 12, steps: int = 150):
    if kind is not BoilerpipeTree:
        for package in ("torch", "floret") if kind is SemText else ("torch",):
            if find_spec(package) is None:
                pytest.skip("training needs the extra `neural`")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(semtext, "FIT", Schedule(epochs=epochs, rate=5e-3, batch=4))
        patch.setattr(boilernet, "FIT", Schedule(epochs=epochs, rate=5e-3, batch=4))
        if kind is Web2Text:
            from sightread.classify.training import web2text

            patch.setattr(web2text, "OPTIONS", web2text.TrainingOptions(steps=steps, check_interval=min(steps, 100)))
        return kind().fit(PAGES, LABELS)


@pytest.mark.parametrize("kind", NEURAL)
def test_what_is_learned_holds_on_a_page_of_another_site(kind: type):
    found = train(kind).predict(NEW).relative >= 0.5
    assert (found == NEW_LABELS).mean() > 0.9


@pytest.mark.parametrize("kind", TRAINED)
def test_training_twice_gives_the_same_bytes(kind: type):
    with TemporaryDirectory() as folder:
        files = [Path(folder, number) for number in "12"]
        for file in files:
            train(kind, 2, 10).save(file)
        assert files[0].read_bytes() == files[1].read_bytes()
