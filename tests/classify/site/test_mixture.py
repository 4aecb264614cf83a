"""The mixture: where the site's model has not seen the place of a block, the other model counts too."""

from dataclasses import replace

import numpy as np

from sightread.classify.evaluation import cross_validate
from sightread.classify.model import Prediction
from sightread.classify.site.mixture import better_evaluation, mix, mix_prediction
from sightread.classify.site.model import SiteModel
from sightread.render.page import Element
from tests.labeling.sites import news_site

GOLD = np.array([0, 0, 1, 1, 1, 1, 1, 0], np.int8)
PAGES = news_site(8)


def with_list(page):
    """Return the page with a list that no other page has, behind its last block."""
    elements = (*page.elements, Element("aside", 0), Element("ol", len(page.elements)), Element("li", len(page.elements) + 1))
    item = replace(page.blocks[3], text="an item of a list that is nowhere else", element=len(page.elements) + 2)
    return replace(page, elements=elements, blocks=(*page.blocks, item))


NEW = with_list(PAGES[-1])


def test_only_laid_out_blocks_at_places_that_hardly_any_training_page_has_are_unknown():
    model = SiteModel().fit(PAGES[:6], [GOLD] * 6)
    assert model.unknown(NEW).tolist() == [False] * 8 + [True]
    hidden = replace(NEW, blocks=(*NEW.blocks[:-1], replace(NEW.blocks[-1], hidden="display")))
    assert not model.unknown(hidden).any()


def test_a_model_read_from_disk_knows_the_same_places(tmp_path):
    model = SiteModel().fit(PAGES[:6], [GOLD] * 6)
    model.save(tmp_path / "model.json")
    assert SiteModel.load(tmp_path / "model.json").unknown(NEW).tolist() == model.unknown(NEW).tolist()


def test_a_model_without_paths_has_no_unknown_places():
    assert not SiteModel(frozenset({"style", "text"})).fit(PAGES[:6], [GOLD] * 6).unknown(NEW).any()


def test_known_blocks_keep_the_site_models_probability_and_unknown_ones_follow_the_other_model():
    model = SiteModel().fit(PAGES[:6], [GOLD] * 6)
    own = model.predict(NEW)
    for odds, is_kept in ((0.999, True), (0.001, False)):
        mixed = mix_prediction(model, NEW, own, Prediction(np.full(9, odds)))
        assert mixed.probabilities[:-1].tolist() == own.probabilities[:-1].tolist()
        assert (mixed.probabilities[-1] > 0.5) == is_kept
        assert mixed.needs_postprocessing == own.needs_postprocessing


def test_the_site_model_decides_where_the_other_has_no_opinion():
    unknown = np.ones(2, np.bool_)
    assert (mix(np.array([0.9, 0.1]), np.array([0.5, 0.5]), unknown) > 0.5).tolist() == [True, False]


def test_held_out_pages_decide_between_the_mixture_and_the_site_model_alone():
    pages, labels = [*PAGES[:-1], NEW], [*[GOLD] * 7, np.append(GOLD, 1).astype(np.int8)]
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


def test_pages_without_labels_stay_without_predictions():
    labels = [*[GOLD] * 7, np.full(8, -1, np.int8)]
    chosen, is_mixed = better_evaluation(cross_validate(SiteModel, PAGES, labels), PAGES, [np.full(8, 0.5)] * 8, labels)
    assert is_mixed
    assert chosen.held_out[-1] is None
