"""`Workbench`: a learned site in memory, which is labelled at once with other corrections, and trained and read again within seconds.

What does not depend on corrections is computed once: the global model's predictions, the labels by relevance, the measures of looks, the
features and the anchors of all blocks. The rest is what `sightread learn` does, with equal results. Nothing is written here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from sightread.classify.evaluation import Evaluation
from sightread.classify.model import Prediction, log_odds
from sightread.classify.site.model import SiteModel, cache_for
from sightread.labeling.combination import SiteMeasures, combine_labels
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import NO_CHOICES, Choices, SiteLabels, load_labels
from sightread.models.model_choice import choose_for
from sightread.reading import Reading, apply_model
from sightread.render.errors import Rejected
from sightread.render.page import Page
from sightread.sites.corrections.anchors import Names, PageAnchors, anchor_pages
from sightread.sites.corrections.matching import Matching, confirmed, correct_labels, match_corrections
from sightread.sites.corrections.records import Correction, Corrections
from sightread.sites.folders import SiteFolder
from sightread.sites.learn import Site, evaluate_pages, predict_site, stored_choices
from sightread.sites.store import LearnedSite
from sightread.sites.trust import SiteEvaluation, unseen_expected_f1


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A site as it is learned with a set of corrections. Row i is page i everywhere."""

    corrections: Corrections
    matching: Matching
    labels: SiteLabels
    model: SiteModel
    evaluation: Evaluation
    site_evaluation: SiteEvaluation
    readings: tuple[Reading, ...]
    """Result of `auto` per page."""

    @property
    def expected_f1(self) -> float:
        """The F1 that is expected of what `auto` reads: of the site's model if it is trusted, else the mean of the documents' own."""
        if not self.site_evaluation.distrust_reason:
            return self.site_evaluation.expected_f1
        return sum(reading.document.expected_f1 for reading in self.readings) / len(self.readings)


MOST_TRAINED = 8
"""States of a site in memory, some MB each: undo, redo and saving what was previewed compute nothing."""


class Workbench:
    """The pages of a site, and what is made of them with corrections."""

    def __init__(
        self, pages: Sequence[Page], choices: Choices = NO_CHOICES, folder: Path = Path(), labels: SiteLabels | None = None
    ) -> None:
        self.pages = tuple(pages)
        self._choices = choices
        self._folder = SiteFolder(folder)
        self._cache = cache_for(pages)
        self._labels = labels
        self._trained: OrderedDict[tuple[Correction, ...], Trained] = OrderedDict()

    @classmethod
    def open(cls, site: Site) -> Workbench:
        """Return the workbench of a site's folder."""
        return cls(site.pages, stored_choices(site.folder), site.folder.path, load_labels(site.folder.labels, site.digest))

    @cached_property
    def anchors(self) -> tuple[PageAnchors, ...]:
        """The anchors of the blocks of each page."""
        return anchor_pages(self.pages)

    @cached_property
    def names(self) -> Names:
        """The ids and classes that several pages have."""
        return Names.of(self.pages)

    @cached_property
    def predictions(self) -> tuple[Prediction, ...]:
        """The global model's predictions."""
        return predict_site(self.pages)

    @cached_property
    def relevance(self) -> SiteLabels:
        """The labels by titles and descriptions alone: part of the stored ones, with any corrections."""
        if self._labels is None or self._labels.combined is None:
            return label_site(self.pages)
        return replace(self._labels, labels=self._labels.combined.relevance, combined=None, parts=())

    @cached_property
    def _measures(self) -> SiteMeasures:
        return SiteMeasures.of(self.pages, self.relevance)

    def label(self, matching: Matching) -> SiteLabels:
        """Return the labels with what corrections decide."""
        evidence = confirmed([found.relative for found in self.predictions], matching.site_labels)
        odds = [log_odds(found) for found in evidence]
        return correct_labels(self.pages, combine_labels(self.pages, self.relevance, odds, self._choices, self._measures), matching)

    def known(self, corrections: Corrections) -> Trained | None:
        """Return the site with corrections that decide the same as others before; None if it must be trained."""
        found = self._trained.get(_deciding(corrections))
        return found and replace(found, corrections=corrections, matching=match_corrections(self.anchors, corrections))

    def label_only(self, before: Trained, corrections: Corrections) -> Trained:
        """Return the site with the labels of other corrections, and with the model, the evaluation and the readings as they were."""
        matching = match_corrections(self.anchors, corrections)
        return replace(before, corrections=corrections, matching=matching, labels=self.label(matching))

    def train(self, corrections: Corrections) -> Trained:
        """Return the site as it is learned with these corrections. Raises `Rejected` if that leaves nothing to learn from."""
        if known := self.known(corrections):
            return known
        matching = match_corrections(self.anchors, corrections)
        labels = self.label(matching)
        try:
            model = SiteModel(cache=self._cache).fit(self.pages, labels.labels, matching.weights())
            evaluation, site_evaluation = evaluate_pages(self.pages, labels, matching, self.predictions, cache=self._cache)
        except Rejected as error:
            raise Rejected(f"with these corrections the site cannot be learned: {error}") from error
        learned = LearnedSite(self._folder, model, site_evaluation, labels.known, unseen_expected_f1(model), labels.parts, corrections)
        choice = choose_for(learned)
        readings = tuple(apply_model(choice, page, is_new=False) for page in self.pages)
        trained = Trained(corrections, matching, labels, model, evaluation, site_evaluation, readings)
        self._trained[_deciding(corrections)] = trained
        while len(self._trained) > MOST_TRAINED:
            self._trained.popitem(last=False)
        return trained


def _deciding(corrections: Corrections) -> tuple[Correction, ...]:
    return tuple(decision.correction for decision in corrections.decisions if decision.is_decisive)
