"""Trust in a site's model: overall, compared with another version, and on one page."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import commonpath
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation import Evaluation, expected_f1
from sightread.classify.model import Model, Probabilities
from sightread.labeling.evidence import REPEATED_ON
from sightread.labeling.known_clusters import DRIFT
from sightread.labeling.labels import LEVELS, TRUSTED, SiteLabels
from sightread.labeling.looks import find_copies
from sightread.render.labels import CONTENT, THRESHOLD, UNKNOWN
from sightread.render.page import Block, Box, Element, Page
from sightread.render.page.page_arrays import PageArrays


@dataclass(frozen=True, slots=True)
class TrustLevels:
    """When a site's model is trusted, and when it reads a page. F1s and shares are 0 to 1."""

    least_f1_of_relevance: float = 0.9
    """Least F1 against its own labels on unseen pages: a model below it has not learned the look of the site."""
    unlike_share: float = 0.5
    """Share of the usual proportion of known looks below which a page is unlike the others.

    Held-out pages of the authors' sites have 0.98 to 1.00 of it, exceptional pages and those of another template less than 0.1.
    """
    lost_looks: float = 0.25
    """Share of the looks of the most similar training page below which a page has lost the looks of the site.

    Of the manual of Python, learned from 25 pages, every page has 0.43 or more, though 40 % of the pages are unlike those; redesigned pages
    have 0.11 or less (`python -m benchmarks drift`)."""
    least_expected_f1: float = 0.7
    """Least expected F1 of a site's model to read a page that looks like the others.

    Over the redesigns of `python -m benchmarks drift`: with an expected F1 of 0.7 to 0.8 its F1 is 0.98 and Boilerpipe's 0.88; with 0.6 to
    0.7, 0.87 and 0.88; below, 0.06 and 0.86."""
    expected_f1_quantile: float = 0.1
    """Quantile of the expected F1 on held-out pages that sets the level, for a model that is often below `TRUST.least_f1_of_relevance`."""
    least_f1_error: float = 0.005
    """Least standard error of an F1: folds that are all perfect have no spread, and the next pages lose 0.01 by a caption. Set on halves of
    the authors' sites."""
    enough_pages: int = 8
    """Pages from which on means over the pages of a look decide better than the global model where the sources of evidence contradict each
    other: the next level. On built sites of 25 and 8 pages that was so for each of them, with fewer not."""
    least_supported: tuple[float, float] = (0.94, 0.70)
    """Least share of the kept text that a source of evidence supports: with fewer than `enough_pages`, and from then on."""
    fewest_pages: int = 5
    """Pages that a trusted model is learned from: the least number with which its trust was calibrated."""
    least_text: float = TRUSTED * LEVELS.enough_text
    """Characters of kept text on a typical page, as for confident labels: with fewer, the pages may be no articles."""
    least_f1: float = 0.97
    """Least F1 against its labels on unseen pages, unless the global model's errors on them are twice as large: of what is below, more than
    chance is lost of what the labels hold."""
    least_fold_f1: float = 0.90
    """The same for each fold."""
    least_good: float = 0.95
    """Least expected word F1 of a model that needs no further look; on built sites of unseen generators `auto` has .98 on average."""
    unsupported_cost: float = 0.08
    unlearned_cost: float = 0.10
    weak_cost: float = 0.24
    """By how much the expected word F1 falls with the share of kept text that no source supports, with the model's own errors, and with
    weak labels. Fitted, by absolute error, on the built sites of the parts `choose` and `calibrate`, learned from 25, 8 and 5 pages; of a
    generator left out, expected and true F1 differ by .011 on average (docs/experiments/trust.md)."""


TRUST = TrustLevels()

_DIGITS = re.compile(r"\d+")


class UsualValues(msgspec.Struct, frozen=True):
    """Usual values on pages of the site from which neither the model nor the known looks were made."""

    known: float
    """Median share of a page's text whose look the other pages have."""
    expected_f1: float = msgspec.field(name="sure")
    """The model's expected F1 on all but the most unusual tenth of them, `TRUST.least_f1_of_relevance` at most."""
    odd: float
    """Share of pages that are strange by these two, 0 to 1, by Laplace's rule of succession."""
    directories: tuple[Annotated[str, msgspec.Meta(pattern="^/")], ...] = ()
    """Of the path of each page with labels; none if an earlier version stored them."""

    def section(self, url: str) -> tuple[str, int]:
        """Return the section of a URL, and how many of the pages are in it: the first directory below those that all of them share.

        Digits are no difference.
        """
        own, *others = (_DIGITS.sub("0", path) for path in (directory_of(url), *self.directories))
        depth = commonpath(others or "/").rstrip("/").count("/") + 2
        section, *sections = ("/".join(path.split("/")[:depth]) for path in (own, *others))
        return section, sections.count(section)


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
    """Empty if no page could be held out: then there are no scores."""
    corpus: str
    """Digest of the pages."""
    usual: UsualValues | None = None
    """None if it was not measured: then every page counts as familiar."""
    global_f1: float | None = None
    """The global model's F1 against the same labels of the same pages; None if it was not measured."""
    global_folds: tuple[float, ...] = ()
    """The global model's F1 on each of the folds."""
    supported: float | None = None
    """Share of the text that the site's model keeps on unseen pages which the global model keeps too, or which titles and descriptions with
    sufficient confidence call content; None if the labels come from those alone."""
    weak: float = 0.0
    """Share of the text whose label is a guess."""
    typical_text: float | None = None
    """Median characters of the text that the site's model keeps of an unseen page, outside links and not repeated on other pages."""
    is_mixed: bool = False
    """Whether the global model's predictions are mixed in at places that the site's model has not seen. The figures are those of what is
    used."""

    @property
    def mean_fold_f1(self) -> float:
        """The mean of the folds' F1; `f1` is that of the blocks of all folds together."""
        return float(np.mean([f1 for _, _, f1 in self.folds])) if self.folds else 0.0

    @property
    def distrust_reason(self) -> str:
        """Why the model is not trusted; empty if it is."""
        if not self.folds:
            return self._too_few_pages(TRUST)
        if self.supported is not None:
            return self.distrust_reason_of_combined()
        if self.confidence < TRUSTED:
            return f"the confidence of its labels is {self.confidence:.2f}, below the minimum {TRUSTED}"
        other = f"; the global model's is {self.global_f1:.2f} on the same labels" if self.global_f1 is not None else ""
        if self.f1 < TRUST.least_f1_of_relevance:
            return f"its F1 on unseen pages is {self.f1:.2f}, below the minimum {TRUST.least_f1_of_relevance}{other}"
        if self.is_beaten:
            return f"its F1 on unseen pages is {self.f1:.2f}{other}"
        return ""

    @property
    def expected_f1(self) -> float:
        """The expected word F1 of the model on pages of the site, 0 to 1; without the global model's support, its F1 against its labels.

        0 if no page could be held out.
        """
        if not self.folds:
            return 0.0
        if self.supported is None:
            return min(self.f1, self.confidence)
        loss = TRUST.unsupported_cost * (1 - self.supported) + TRUST.unlearned_cost * (1 - self.f1) + TRUST.weak_cost * self.weak
        return max(0.0, 1 - loss)

    @property
    def conclusion(self) -> tuple[str, str]:
        """Whether the model is good, doubtful or not to be used, in a word or three, and why in one sentence."""
        if reason := self.distrust_reason:
            return "Do not use", f"The site's own model is not used, and the global model reads its pages: {reason}."
        expected = f"an expected word F1 of {self.expected_f1:.2f}"
        if self.expected_f1 < TRUST.least_good:
            return "Doubtful", f"The site's own model reads its pages with {expected}: look at the pages below, and correct what is wrong."
        return "Good", f"The site's own model reads its pages with {expected}."

    def distrust_reason_of_combined(self, levels: TrustLevels = TRUST) -> str:
        """Return why a model of labels by both sources of evidence is not trusted at these levels; empty if it is."""
        if self.pages < levels.fewest_pages:
            return self._too_few_pages(levels)
        if self.typical_text is not None and self.typical_text < levels.least_text:
            what = f"a typical page has {self.typical_text:.0f} characters of content (minimum {levels.least_text:.0f})"
            return f"{what}: these may be no articles; start from a section that has some"
        least = min((f1 for _, _, f1 in self.folds), default=self.f1)
        has_enough = self.pages >= levels.enough_pages
        least_supported = levels.least_supported[has_enough]
        more = "" if has_enough else f"; from {levels.enough_pages} pages on more is allowed"
        unsupported = 1 - (self.supported or 0.0)
        if unsupported > 1 - least_supported:
            return (
                f"neither the global model nor titles and descriptions support {unsupported:.1%} of what it keeps "
                f"(maximum {1 - least_supported:.0%}); its expected F1 is {self.expected_f1:.2f}{more}"
            )
        is_learned = least >= levels.least_fold_f1 and (self.f1 >= levels.least_f1 or self._halves_errors)
        if not (is_learned or self._is_better_on_trusted_labels):
            minimum = f"(minimum {levels.least_f1}, unless the global model errs twice as often)"
            return f"its F1 on unseen pages is {self.f1:.3f} {minimum}, and {least:.3f} in the worst fold (minimum {levels.least_fold_f1})"
        return ""

    def _too_few_pages(self, levels: TrustLevels) -> str:
        pages = "1 page" if self.pages == 1 else f"{self.pages} pages"
        if self.pages >= levels.fewest_pages:
            return f"of the {pages} that it was learned from too few differ and have content"
        return f"it was learned from {pages}, the minimum is {levels.fewest_pages}"

    @property
    def _is_better_on_trusted_labels(self) -> bool:
        """Whether the labels by relevance are sure, and the model agrees with the labels better than the global model does."""
        return self.confidence >= TRUSTED and self.global_f1 is not None and self.f1 > max(self.global_f1, TRUST.least_f1_of_relevance)

    @property
    def _halves_errors(self) -> bool:
        """Whether the model errs against the labels half as often as the global model, or less: it has learned most of what they add."""
        return self.global_f1 is not None and 2 * (1 - self.f1) <= 1 - self.global_f1

    @property
    def is_beaten(self) -> bool:
        """Whether the global model, which was not trained on the labels, agrees with them better by more than chance explains."""
        if self.global_f1 is None:
            return False
        gains = [other - f1 for (_, _, f1), other in zip(self.folds, self.global_folds, strict=True)]
        return self.global_f1 - self.f1 > 2 * _standard_error(gains)

    def shortfall(self, old: SiteEvaluation) -> str:
        """Return the figures of this evaluation that are below an older one's by more than chance explains; empty if there are none."""
        if self.supported is not None and old.supported is not None:
            chance = 2 * math.hypot(_share_error(self.supported, self.pages), _share_error(old.supported, old.pages))
            if self.supported < old.supported - chance:
                return f"its evidence supports {self.supported:.1%} of what it keeps, that of the old one {old.supported:.1%}"
            return self._shortfall_of_f1(old)
        confidence = 2 * math.hypot(_share_error(self.confidence, self.pages), _share_error(old.confidence, old.pages))
        if self.confidence < old.confidence - confidence:
            return f"the confidence of its labels is {self.confidence:.2f}, that of the old ones {old.confidence:.2f}"
        return self._shortfall_of_f1(old)

    def _shortfall_of_f1(self, old: SiteEvaluation) -> str:
        if self.f1 < old.f1 - 2 * math.hypot(_f1_error(self), _f1_error(old)):
            return f"its F1 on unseen pages is {self.f1:.2f}, that of the old one {old.f1:.2f}"
        return ""


def not_evaluated(labels: SiteLabels) -> SiteEvaluation:
    """Return the evaluation of a model of which no page could be held out: it has no scores, and is not trusted."""
    pages = sum(bool((of_page != UNKNOWN).any()) for of_page in labels.labels)
    return SiteEvaluation(pages, labels.confidence.value, precision=0.0, recall=0.0, f1=0.0, folds=(), corpus="")


class Familiarity(NamedTuple):
    """Comparison of a page with the pages that its site's model was learned from."""

    known: float
    """Share of its text whose look is known."""
    expected_f1: float
    """The model's expected F1 on the page (`sightread.classify.evaluation.expected_f1`)."""
    unseen_expected_f1: float
    """The model's expected F1 on a page without any known feature."""
    usual: UsualValues
    kept_looks: float = 0.0
    """Share of the looks of the most similar training page that it has (`sightread.labeling.known_clusters.PageLooks.kept`)."""
    keeps_known: bool = False
    url: str = ""

    @property
    def is_like(self) -> bool:
        """Whether the page looks like the others."""
        return self.known >= TRUST.unlike_share * self.usual.known

    @property
    def is_strange(self) -> bool:
        """Whether the page is unlike the others: its looks are unknown, or the model is less certain than usual."""
        return not (self.is_like and self.expected_f1 >= self.usual.expected_f1)

    @property
    def is_changed(self) -> bool:
        """Whether the page is evidence that the site has changed.

        A page with new looks that has those of the site and of its articles as well is none: it is of a kind that the sample lacks.
        """
        return self.is_strange and (self.is_like or not (self._has_looks and self.keeps_known))

    @property
    def counted_as(self) -> str:
        """Return what the page counts as: its own URL; or if it is evidence from a section that the sample lacks, that section.

        One page of the section in the sample is sufficient for a page that has lost the looks of the site, several for others.
        """
        section, pages = self.usual.section(self.url)
        is_comparable = pages >= (DRIFT.least_pages if self._has_looks else 1) or not self.usual.directories
        return self.url if is_comparable or not self.is_changed else section

    @property
    def _has_looks(self) -> bool:
        return self.kept_looks >= TRUST.lost_looks

    @property
    def is_trusted(self) -> bool:
        """Whether the model may read the page.

        If the looks are unknown, it must be as certain as usual, and more certain than on a page without any known feature: a model that
        calls most of its site content predicts 0.86 for any unknown block, and has an expected F1 of 0.93.
        """
        least = (
            min(TRUST.least_expected_f1, self.usual.expected_f1)
            if self.is_like
            else max(self.usual.expected_f1, (1 + self.unseen_expected_f1) / 2)
        )
        return self.expected_f1 >= least


def unseen_expected_f1(model: Model) -> float:
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


def directory_of(url: str) -> str:
    """Return the path of a URL up to the last segment: `/library/` for `https://x.test/library/os` and for the same with a slash."""
    path = re.split(r"[?#]", url, maxsplit=1)[0].partition("://")[2].partition("/")[2]
    directory = path.strip("/").rpartition("/")[0]
    return f"/{directory}/" if directory else "/"


def usual_pages(shares: NDArray[np.float64], expected_f1_by_page: Sequence[float | None], urls: Sequence[str] = ()) -> UsualValues:
    """Return the usual values, from held-out pages: shares of known looks, and expected F1 of the models; None for pages without labels.

    Pages without labels are of no template: what is usual on the others does not hold for them, and they count as odd.
    """
    expected_f1s = [found for found in expected_f1_by_page if found is not None]
    level = min(TRUST.least_f1_of_relevance, float(np.quantile(expected_f1s, TRUST.expected_f1_quantile)))
    known = float(np.median(shares[[found is not None for found in expected_f1_by_page]]))
    odd = max(
        float(np.sum(shares < TRUST.unlike_share * known)) / len(shares), float(np.sum(np.array(expected_f1s) < level)) / len(expected_f1s)
    )
    directories = tuple(directory_of(url) for url, found in zip(urls, expected_f1_by_page, strict=False) if found is not None)
    return UsualValues(known, level, (odd * len(shares) + 1) / (len(shares) + 2), directories)


def supported_share(
    pages: Sequence[Page], evaluation: Evaluation, predictions: Sequence[Probabilities], labels: SiteLabels
) -> float | None:
    """Return the share of the text kept on unseen pages which the global model keeps, or which relevance calls content with confidence.

    Prose in a slot of the template is supported too (`sightread.labeling.measures`). `predictions` are the global model's, as
    `Prediction.relative`. None for labels by relevance alone; 1 if nothing is kept.
    """
    if labels.combined is None:
        return None
    is_confident = labels.confidence.value >= TRUSTED
    kept = supported = 0.0
    prose = labels.combined.prose or ((),) * len(pages)
    for page, found, other, relevance, rows in zip(pages, evaluation.held_out, predictions, labels.combined.relevance, prose, strict=True):
        if found is None:
            continue
        is_prose = np.zeros(len(page.blocks), np.bool_)
        is_prose[list(rows)] = True
        length = np.array([len(block.text) for block in page.blocks], np.float64) * (found >= THRESHOLD)
        kept += float(length.sum())
        supported += float(length[(other >= THRESHOLD) | is_prose | (is_confident & (relevance == CONTENT))].sum())
    return supported / kept if kept else 1.0


def typical_text(pages: Sequence[Page], evaluation: Evaluation) -> float:
    """Return the median of the kept characters of a page that its model did not see, outside links and not repeated on other pages.

    Copies of a page, and fronts that show whole articles, repeat no text (`sightread.labeling.looks`). A character of
    Chinese, Japanese or Korean counts as several letters (`sightread.render.page.page_arrays.PageArrays.length`).
    """
    copies = find_copies(pages)
    once = (page for row, page in enumerate(pages) if copies.original[row] == row and not copies.is_collection[row])
    on = Counter(text for page in once for text in {block.text for block in page.blocks})
    return float(
        np.median(
            [
                sum(
                    length
                    for block, length, probability in zip(page.blocks, PageArrays(page).unlinked.tolist(), found, strict=True)
                    if probability >= THRESHOLD and on[block.text] < REPEATED_ON
                )
                for page, found in zip(pages, evaluation.held_out, strict=True)
                if found is not None
            ]
        )
    )


def expected_page_f1(page: Page, probabilities: Probabilities) -> float:
    """Return the model's expected F1, by characters, on the page."""
    return expected_f1(probabilities, np.array([len(block.text) for block in page.blocks], np.float64), probabilities >= THRESHOLD)


def _share_error(share: float, pages: int) -> float:
    """Return the standard error of a share of the pages; one page more on either side keeps it from 0 (after Agresti and Coull 1998)."""
    middle = (share * pages + 1) / (pages + 2)
    return math.sqrt(middle * (1 - middle) / (pages + 2))


def _f1_error(site_evaluation: SiteEvaluation) -> float:
    return _standard_error([f1 for _, _, f1 in site_evaluation.folds])


def _standard_error(scores: Sequence[float]) -> float:
    """Return the standard error of the mean, and no less than that of another sample of pages."""
    return max(TRUST.least_f1_error, float(np.std(scores, ddof=1)) / math.sqrt(len(scores)) if len(scores) > 1 else 0.0)
