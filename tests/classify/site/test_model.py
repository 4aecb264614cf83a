"""The site model: it learns a site's look, explains itself, is data on disk, and is mixed with another model at unknown places."""

import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from sightread.classify.evaluation import cross_validate
from sightread.classify.model import Prediction, save_payload
from sightread.classify.site.mixture import better_evaluation, mix, mix_prediction
from sightread.classify.site.model import FeatureCache, SiteModel, block_features
from sightread.render.errors import BadRecord
from sightread.render.page import Element, Page, encode_page
from tests.labeling.sites import AD, BODY, NAV, Article, Look, Spot, articles, insert, lines_of, make_page, news_site, page_with

GOLD = np.array([0, 0, 1, 1, 1, 1, 1, 0], np.int8)
PAGES = 6
NEW = news_site(PAGES + 1)[-1]
"""A page that no model here saw."""


def labels(count: int = PAGES) -> list[np.ndarray]:
    return [GOLD] * count


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return SiteModel().fit(news_site(PAGES), labels())


def test_a_new_page_of_the_site_is_read_rightly(model: SiteModel):
    assert ((model.predict(NEW).relative >= 0.5) == GOLD).all()


def in_another_process(script: str, folder: Path) -> str:
    """Run the script, with the folder as its argument and another order of sets, and return what it wrote."""
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_text_that_is_boilerplate_on_several_pages_is_known_again_in_the_look_of_the_body():
    appeal = "Our newsroom lives from its readers: become a member for four crowns a month."

    def page(article: Article, text: str) -> Page:
        return page_with(article, insert(lines_of(article), article.paragraphs[-1], BODY(text)))

    pages = [page(article, appeal) for article in articles(PAGES + 1)]
    gold = [np.insert(GOLD, np.flatnonzero([block.text == appeal for block in each.blocks])[0], 0) for each in pages]
    model = SiteModel().fit(pages[:-1], gold[:-1])
    assert ((model.predict(pages[-1]).relative >= 0.5) == gold[-1]).all()
    other = page(articles(PAGES + 1)[-1], "The harbour office counted four hundred crowns more than in the year before.")
    assert (
        (model.predict(other).relative >= 0.5) == (gold[-1] | [block.text.startswith("The harbour office") for block in other.blocks])
    ).all()


def test_the_same_pages_give_the_same_file_and_predictions_in_another_process_too(model: SiteModel, tmp_path: Path):
    SiteModel().fit(news_site(PAGES), labels()).save(tmp_path / "one.json")
    model.save(tmp_path / "three.json")
    (tmp_path / "page.json").write_bytes(encode_page(NEW))
    told_there = in_another_process(
        "import pathlib; from sightread.render.page import decode_page; from tests.classify.site.test_model import *; "
        "folder = pathlib.Path(sys.argv[1]); SiteModel().fit(news_site(PAGES), labels()).save(folder / 'two.json'); "
        "model = SiteModel.load(folder / 'three.json'); "
        "sys.stdout.write(repr((model.pages, model.predict(decode_page((folder / 'page.json').read_bytes())).relative.tolist())))",
        tmp_path,
    )
    assert told_there == repr((PAGES, model.predict(NEW).relative.tolist()))
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes() == (tmp_path / "three.json").read_bytes()


def payload(**changes: Any) -> dict[str, Any]:
    whole = {
        "names": ["a"],
        "weights": [1.0],
        "intercept": 0.0,
        "slope": 1.0,
        "offset": 0.0,
        "groups": ["path", "selector", "size", "style", "text"],
        "pages": 1,
    }
    return whole | changes


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        [],
        payload(weights=["heavy"]),
        payload(weights=[None]),
        payload(weights=[1.0, 2.0]),
        payload(groups=["smell"]),
        payload(extra=1),
        {name: value for name, value in payload().items() if name != "slope"},
    ],
    ids=["empty", "list", "text", "null", "too many weights", "unknown group", "unknown field", "missing field"],
)
def test_a_payload_that_is_no_site_model_is_a_bad_record(tmp_path: Path, wrong: object):
    save_payload(tmp_path / "model.json", "site", wrong)
    with pytest.raises(BadRecord, match=r"model\.json"):
        SiteModel.load(tmp_path / "model.json")


def test_unknown_blocks_and_pages_teach_nothing(tmp_path: Path):
    unknown = np.full(8, -1, np.int8)
    SiteModel().fit(news_site(4), labels(4)).save(tmp_path / "one.json")
    more = SiteModel(FeatureCache()).fit([*news_site(4), news_site(5)[4]], [*labels(4), unknown])
    more.save(tmp_path / "two.json")
    assert more.pages == 4
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_features_of_one_page_alone_are_left_out():
    def page(article, *names: str) -> Page:
        body = replace(BODY, path=f"main/article/div/p.{'.'.join(names)}")
        return page_with(article, lines_of(article, body))

    pages = [page(article, "text", f"only{article.number}") for article in articles(PAGES)]
    model = SiteModel().fit(pages, labels())
    names = [name for name, _ in model.explain(pages[0], 4)]
    assert "p.text" in names
    assert "p.only0" not in names


def test_an_explanation_names_what_speaks_for_and_against_weightiest_first(model: SiteModel):
    why = model.explain(NEW, 4)
    assert [abs(part) for _, part in why] == sorted((abs(part) for _, part in why), reverse=True)
    assert dict(why)["2 up: <article>"] > 0
    assert dict(model.explain(NEW, 0))["<li>"] < 0


def test_probabilities_rise_with_the_decision_and_stay_between_nought_and_one(model: SiteModel):
    strange = make_page("https://x.test/", [BODY("x" * length) for length in (0, 1, 10, 10**6)] + [AD("?"), Spot(Look("table"), "")])
    for page in (NEW, strange, make_page("https://x.test/", [])):
        sums = np.array([sum(part for _, part in model.explain(page, row)) for row in range(len(page.blocks))])
        probabilities = model.predict(page).relative
        assert probabilities.shape == (len(page.blocks),)
        assert ((probabilities >= 0) & (probabilities <= 1)).all()
        assert (np.diff(probabilities[np.argsort(sums)]) >= 0).all()


@pytest.mark.parametrize("inverted", [(0, 2), (0, 1), (1,)])
def test_pages_that_contradict_each_other_never_turn_the_decision_round(inverted: tuple[int, ...]):
    contrary = [1 - GOLD if row in inverted else GOLD for row in range(4)]
    model = SiteModel().fit(news_site(4), contrary)
    sums = np.array([sum(part for _, part in model.explain(NEW, row)) for row in range(8)])
    probabilities = model.predict(NEW).relative[np.argsort(sums)]
    assert (np.diff(probabilities) >= 0).all()
    assert np.isfinite(probabilities).all()


LEAD = Look("div#main.story.wide/p.lead", {"color": "red"}, 700)
PAGE = make_page("https://x.test/", [LEAD("Twelve chars"), NAV("Home")])


def test_features_are_styles_paths_names_width_and_text():
    found, other = block_features(PAGE)
    assert found == {
        **{"style color: red": 1.0, "width 700px": 1.0},
        **{"path body/div/p": 1.0, "<p>": 1.0, "1 up: <div>": 1.0, "2 up: <body>": 1.0},
        **{"p.lead": 1.0, "in div.story": 1.0, "in div.wide": 1.0, "in div#main": 1.0},
        **{"length": pytest.approx(math.log(13) / 8), "link share": 0.0, "text: Twelve chars": 1.0},
    }
    assert other["link share"] == 1.0
    bare = replace(PAGE, blocks=(msgspec.structs.replace(PAGE.blocks[0], box=None, style=None, text=""),))
    assert {name.partition(" ")[0] for name in next(block_features(bare))} & {"style", "width"} == set()
    assert list(block_features(make_page("https://x.test/", []))) == []


PAGES_OF_SITE = news_site(8)


def with_list(page):
    """Return the page with a list that no other page has, behind its last block."""
    elements = (*page.elements, Element("aside", 0), Element("ol", len(page.elements)), Element("li", len(page.elements) + 1))
    item = msgspec.structs.replace(page.blocks[3], text="an item of a list that is nowhere else", element=len(page.elements) + 2)
    return replace(page, elements=elements, blocks=(*page.blocks, item))


STRANGE = with_list(PAGES_OF_SITE[-1])
"""A page with one block at a place that no other page has."""


def test_only_laid_out_blocks_at_places_that_hardly_any_training_page_has_are_unknown(model: SiteModel, tmp_path: Path):
    assert model.unknown(STRANGE).tolist() == [False] * 8 + [True]
    hidden = replace(STRANGE, blocks=(*STRANGE.blocks[:-1], msgspec.structs.replace(STRANGE.blocks[-1], hidden="display")))
    assert not model.unknown(hidden).any()
    model.save(tmp_path / "model.json")
    assert SiteModel.load(tmp_path / "model.json").unknown(STRANGE).tolist() == model.unknown(STRANGE).tolist()


def test_known_blocks_keep_the_site_models_probability_and_unknown_ones_follow_the_other_model(model: SiteModel):
    own = model.predict(STRANGE)
    for odds, is_kept in ((0.999, True), (0.001, False)):
        mixed = mix_prediction(model, STRANGE, own, Prediction(np.full(9, odds)))
        assert mixed.probabilities[:-1].tolist() == own.probabilities[:-1].tolist()
        assert (mixed.probabilities[-1] > 0.5) == is_kept
        assert mixed.needs_headline == own.needs_headline


def test_the_site_model_decides_where_the_other_has_no_opinion():
    unknown = np.ones(2, np.bool_)
    assert (mix(np.array([0.9, 0.1]), np.array([0.5, 0.5]), unknown) > 0.5).tolist() == [True, False]


def test_held_out_pages_decide_between_the_mixture_and_the_site_model_alone():
    pages, labels = [*PAGES_OF_SITE[:-1], STRANGE], [*[GOLD] * 7, np.append(GOLD, 1).astype(np.int8)]
    alone = cross_validate(SiteModel, pages, labels)
    right = [np.append(GOLD, 1)[: len(page.blocks)] * 0.98 + 0.01 for page in pages]
    chosen, is_mixed = better_evaluation(alone, pages, right, labels)
    assert is_mixed
    assert chosen.score.f1 == 1
    is_certain = alone.held_out[-1][-1] >= 0.5
    wrong = [np.full(len(page.blocks), 0.001 if is_certain else 0.999) for page in pages]
    labels[-1][-1] = is_certain
    chosen, is_mixed = better_evaluation(cross_validate(SiteModel, pages, labels), pages, wrong, labels)
    assert not is_mixed
