"""Decides whether a refreshed version may replace the current one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sightread.classify.evaluation import character_score
from sightread.classify.model import Probabilities
from sightread.crawler.corpus import Corpus
from sightread.labeling.known_clusters import exceeds_chance, has_drifted
from sightread.render.labels import THRESHOLD
from sightread.sites.learn import Learned, Site
from sightread.sites.store import LearnedSite
from sightread.sites.trust import TRUST


@dataclass(frozen=True, slots=True)
class RefreshDecision:
    """Comparison of a new version with the old one, on the new one's pages."""

    pages: int
    strange: int
    """How many of them are strange to the old version."""
    lacking: int
    """How many of the strange ones are no evidence of a change: the sample of the old version has none of their kind."""
    usual: float
    """Expected number of strange pages if the site had not changed, from pages held out when the old version was learned."""
    unseen: int
    """Number of strange pages that are not among the training pages of the old version."""
    drifted: bool
    """Whether the site has changed since the old version was learned."""
    reason: str
    """Why the new version may not replace the old one; empty if it may."""

    @property
    def remark(self) -> str:
        """Return what strange pages indicate; empty if there are none."""
        if not self.strange:
            return ""
        what = f"{self.strange} of {self.pages} pages are strange to it"
        if self.unseen:
            what += f" ({self.unseen} of them it was not learned from)"
        if self.lacking:
            what += f", {self.lacking} of a kind that its sample lacks"
        usual = f"of its own pages, held out, {self.usual:.1f} in {self.pages} are"
        return f"{what}; {usual}: {'so the site has changed' if self.drifted else 'that is no sign of a change'}"


def decide_refresh(old: LearnedSite, site: Site, learned: Learned) -> RefreshDecision:
    """Compare the version that was learned from the site's new pages with the old one.

    It may replace the old one if it is trusted and, unless the old one was not trusted either or the site has changed, its confidence and
    F1 are not below the old one's by more than chance explains, and it keeps the same text of pages with unchanged layout. The figures of
    an old version whose sample lacks more of the pages than chance explains are no measure for the new one's.
    """
    usual = old.site_evaluation.usual if old.site_evaluation else None
    kept = [old.model.predict(page).probabilities for page in site.pages]
    found = [old.familiarity(page, of_page) for page, of_page in zip(site.pages, kept, strict=True)]
    familiar = [row for row, each in enumerate(found) if each is None or not each.is_strange]
    strange = [row for row, each in enumerate(found) if each is not None and each.is_strange]
    evidence = {each.counted_as: each.is_changed for each in found if each is not None}
    drifted = usual is not None and has_drifted(sum(evidence.values()), len(evidence), usual.odd)
    seen = {url for page in Corpus.open(old.folder.path) for url in (page.url, page.final_url)}
    decision = RefreshDecision(
        pages=len(kept),
        strange=len(strange),
        lacking=sum(each is not None and each.is_strange and not each.is_changed for each in found),
        usual=usual.odd * len(kept) if usual else 0.0,
        unseen=sum(site.pages[row].final_url not in seen for row in strange),
        drifted=drifted,
        reason=learned.site_evaluation.distrust_reason,
    )
    if decision.reason or drifted or old.site_evaluation is None or old.site_evaluation.distrust_reason:
        return decision
    is_narrow = usual is not None and exceeds_chance(len(strange), len(kept), usual.odd)
    shortfall = "" if is_narrow else learned.site_evaluation.shortfall(old.site_evaluation)
    return replace(decision, reason=shortfall or _disagreement(kept, site, learned, familiar))


def _disagreement(old: Sequence[Probabilities], site: Site, learned: Learned, familiar: Sequence[int]) -> str:
    """Return a warning if the old model keeps other text than the new labels on familiar pages: one of them is wrong.

    Of two halves of the pages of one of the authors' sites, each agrees with the other with an F1 of 0.99 at least.
    """
    labelled = [row for row in familiar if (learned.labels.labels[row] >= 0).any()]
    if not labelled:
        return ""
    kept = np.concatenate([old[row] >= THRESHOLD for row in labelled])
    labels = np.concatenate([learned.labels.labels[row] for row in labelled])
    f1 = character_score(kept, labels, [block.text for row in labelled for block in site.pages[row].blocks]).f1
    if f1 >= TRUST.least_f1_of_relevance:
        return ""
    least = TRUST.least_f1_of_relevance
    return f"on {len(labelled)} pages with unchanged layout it keeps other text than the old one (F1 {f1:.2f}, below {least})"
