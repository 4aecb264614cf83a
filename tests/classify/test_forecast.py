"""Forecasts: intervals hold for nine pages in ten of each page type, and are about the model's own choice alone."""

from dataclasses import replace

import numpy as np

import sightread
from sightread.classify.forecast import Calibration, Forecast, KnownDocument
from sightread.render.labels import PAGE_TYPES

STORY = f"<nav><a href=/>Home</a></nav><h1>The ferry</h1><p>{'It runs all night, and nobody stops it, as it always did. ' * 20}"


def draw_documents(seed: int) -> list[KnownDocument]:
    """Return documents whose F1 falls short of what is expected, in listings by four times as much as in articles."""
    chance = np.random.default_rng(seed)
    expected, is_listing = chance.uniform(0.6, 1, 3000), chance.random(3000) < 0.3
    f1 = 0.9 - chance.beta(1, 3, 3000) * (1 - expected) * np.where(is_listing, 2, 0.5)
    types = [{"listing" if each else "article": 1.0} for each in is_listing]
    return [KnownDocument(*each) for each in zip(expected, types, f1, strict=True)]


def test_intervals_hold_for_nine_pages_in_ten_of_each_page_type():
    calibration, found = Calibration.fit(draw_documents(1)), {"article": [], "listing": []}
    for expected, types, f1, _ in draw_documents(2):
        low, high = calibration.forecast(expected, types)
        found[next(iter(types))].append((low <= f1 <= high, high - low))
    (articles, narrow), (listings, wide) = (np.mean(of_kind, axis=0) for of_kind in found.values())
    assert 0.85 < min(articles, listings) <= max(articles, listings) < 0.96
    assert wide > 2 * narrow
    assert [Forecast(low, 1.0).needs_review for low in (0.49, 0.5)] == [True, False]


def test_a_document_that_needs_no_review_needs_none_of_any_page_type():
    calibration = Calibration.fit([each._replace(f1=each.f1 - 0.3) for each in draw_documents(1)])
    safe = [calibration.needs_no_review(expected) for expected in np.linspace(0, 1, 41)]
    types = [{kind: 1.0} for kind in PAGE_TYPES]
    assert safe == [not any(calibration.forecast(expected, each).needs_review for each in types) for expected in np.linspace(0, 1, 41)]
    assert set(safe) == {False, True}


def test_a_forecast_is_about_what_the_model_chose():
    document = sightread.extract(STORY, model="global")
    low, high = document.forecast
    assert 0 <= low < high <= 1
    assert document.from_threshold(0.7).forecast is None
    assert sightread.extract(STORY, model="bte").forecast is None
    assert replace(document, selection=replace(document.selection, rows=())).forecast is None
