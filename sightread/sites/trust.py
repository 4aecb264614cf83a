"""Trust in a site's model: overall, compared with another version, and on one page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from classify.metrics import expected_f1
from classify.model import Model, Probabilities
from labeling.labels import TRUSTED
from render.labels import THRESHOLD
from render.page import Block, Box, Element, Page

TRUSTED_F1 = 0.9
"""Least F1 against its own labels on unseen pages: a model below it has not learned the look of the site."""
UNLIKE = 0.5
"""Share of the usual proportion of known looks below which a page is unlike the others.

Held-out pages of the authors' sites have 0.98 to 1.00 of it, exceptional pages and those of another template less than 0.1.
"""
LEAST_EXPECTED_F1 = 0.7
"""Least expected F1 of a site's model to read a page that looks like the others.

Over the redesigns of `python -m benchmarks drift`: with an expected F1 of 0.7 to 0.8 its F1 is 0.98 and Boilerpipe's 0.88; with 0.6 to 0.7,
0.87 and 0.88; below, 0.06 and 0.86.
"""
LEAST_SURE = 0.1
"""Quantile of the expected F1 on held-out pages that sets the level, for a model that is often below `TRUSTED_F1`."""
LEAST_ERROR = 0.005
"""Least standard error of an F1: folds that are all perfect have no spread, and the next pages lose 0.01 by a caption. Set on halves of the
authors' sites."""


class UsualValues(msgspec.Struct, frozen=True):
    """Usual values on pages of the site from which neither the model nor the known looks were made."""

    known: float
    """Median share of a page's text whose look the other pages have."""
    sure: float
    """The model's expected F1 on all but the most unusual tenth of them, `TRUSTED_F1` at most."""
    odd: float
    """Share of pages that are strange by these two, 0 to 1, by Laplace's rule of succession."""


class SiteEvaluation(msgspec.Struct, frozen=True):
    """The evaluation of a site's model."""

    pages: int
    """Labelled pages that it was trained and tested on."""
    confidence: float
    """The labeler's confidence, 0 to 1."""
    precision: float
    recall: float
    f1: float
    """Against the automatic labels, on pages that the model was not trained on."""
    folds: tuple[tuple[float, float, float], ...]
    corpus: str
    """Digest of the pages."""
    usual: UsualValues | None = None
    """None if it was not measured: then every page counts as familiar."""
    global_f1: float | None = None
    """The global model's F1 against the same labels of the same pages; None if it was not measured."""
    global_folds: tuple[float, ...] = ()
    """The global model's F1 on each of the folds."""

    @property
    def mean_fold_f1(self) -> float:
        """The mean of the folds' F1; `f1` is that of the blocks of all folds together."""
        return float(np.mean([f1 for _, _, f1 in self.folds])) if self.folds else 0.0

    @property
    def doubt(self) -> str:
        """Why the model is not trusted; empty if it is."""
        if self.confidence < TRUSTED:
            return f"the confidence of its labels is {self.confidence:.2f}, below the minimum {TRUSTED}"
        other = f"; the global model's is {self.global_f1:.2f} on the same labels" if self.global_f1 is not None else ""
        if self.f1 < TRUSTED_F1:
            return f"its F1 on unseen pages is {self.f1:.2f}, below the minimum {TRUSTED_F1}{other}"
        if self.is_beaten:
            return f"its F1 on unseen pages is {self.f1:.2f}{other}"
        return ""

    @property
    def is_beaten(self) -> bool:
        """Whether the global model, which was not trained on the labels, agrees with them better by more than chance explains."""
        if self.global_f1 is None:
            return False
        gains = [other - f1 for (_, _, f1), other in zip(self.folds, self.global_folds, strict=True)]
        return self.global_f1 - self.f1 > 2 * _standard_error(gains)

    def shortfall(self, old: SiteEvaluation) -> str:
        """Return the figures of this evaluation that are below an older one's by more than chance explains; empty if there are none."""
        confidence = 2 * math.hypot(_share_error(self.confidence, self.pages), _share_error(old.confidence, old.pages))
        if self.confidence < old.confidence - confidence:
            return f"the confidence of its labels is {self.confidence:.2f}, that of the old ones {old.confidence:.2f}"
        if self.f1 < old.f1 - 2 * math.hypot(_f1_error(self), _f1_error(old)):
            return f"its F1 on unseen pages is {self.f1:.2f}, that of the old one {old.f1:.2f}"
        return ""


class Familiarity(NamedTuple):
    """Comparison of a page with the pages that its site's model was learned from."""

    known: float
    """Share of its text whose look is known."""
    sure: float
    """The model's expected F1 on the page (`classify.metrics.expected_f1`)."""
    blind: float
    """The model's expected F1 on a page without any known feature."""
    usual: UsualValues

    @property
    def is_like(self) -> bool:
        """Whether the page looks like the others."""
        return self.known >= UNLIKE * self.usual.known

    @property
    def is_strange(self) -> bool:
        """Whether the page indicates a change of the site: its looks are unknown, or the model is less certain than usual."""
        return not (self.is_like and self.sure >= self.usual.sure)

    @property
    def is_believed(self) -> bool:
        """Whether the model may read the page.

        If the looks are unknown, it must be as certain as usual, and more certain than on a page without any known feature: a model that
        calls most of its site content predicts 0.86 for any unknown block, and has an expected F1 of 0.93.
        """
        asked = min(LEAST_EXPECTED_F1, self.usual.sure) if self.is_like else max(self.usual.sure, (1 + self.blind) / 2)
        return self.sure >= asked


def blind_expected_f1(model: Model) -> float:
    """Return the model's expected F1 on a page without any known feature: one paragraph of a look that no page has."""
    return expected_page_f1(_UNSEEN, model.predict(_UNSEEN).probabilities)


_UNSEEN = Page(
    url="",
    final_url="",
    source="imported",
    elements=(Element("body", -1), *(Element("unseen", row) for row in range(5))),
    blocks=(Block("unseen " * 30, element=5, style=0, box=Box(0, 0, 0, 0)),),
    styles=({},),
)


def usual_pages(shares: NDArray[np.float64], sure: Sequence[float]) -> UsualValues:
    """Return the usual values, from held-out pages: shares of known looks, and expected F1 of the models.

    `sure` may lack pages, those without labels.
    """
    level = min(TRUSTED_F1, float(np.quantile(sure, LEAST_SURE)))
    known = float(np.median(shares))
    odd = max(float(np.sum(shares < UNLIKE * known)) / len(shares), float(np.sum(np.array(sure) < level)) / len(sure))
    return UsualValues(known, level, (odd * len(shares) + 1) / (len(shares) + 2))


def expected_page_f1(page: Page, probabilities: Probabilities) -> float:
    """Return the model's expected F1, by characters, on the page."""
    return expected_f1(probabilities, np.array([len(block.text) for block in page.blocks], np.float64), probabilities >= THRESHOLD)


def _share_error(share: float, pages: int) -> float:
    """Return the standard error of a share of the pages; one page more on either side keeps it from 0 (after Agresti and Coull 1998)."""
    middle = (share * pages + 1) / (pages + 2)
    return math.sqrt(middle * (1 - middle) / (pages + 2))


def _f1_error(standing: SiteEvaluation) -> float:
    """Return the standard error of the F1 over the folds."""
    return _standard_error([f1 for _, _, f1 in standing.folds])


def _standard_error(scores: Sequence[float]) -> float:
    """Return the standard error of the mean, and no less than that of another sample of pages."""
    return max(LEAST_ERROR, float(np.std(scores, ddof=1)) / math.sqrt(len(scores)) if len(scores) > 1 else 0.0)
