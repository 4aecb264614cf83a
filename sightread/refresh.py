"""Whether a version learned anew may take the place of the one in use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classify.document import THRESHOLD
from classify.metrics import character_score
from classify.model import Probabilities
from labeling.drift import has_drifted
from sightread.learn import Learned, Site
from sightread.shelf import LearnedSite
from sightread.standing import TRUSTED_F1


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a new version compares with the old one, on the new one's pages."""

    strange: int
    """How many of them are strange to the old version."""
    drifted: bool
    """Whether the site has changed since the old version was learned."""
    reason: str
    """Why the new version may not take the old one's place; empty where it may."""


def judge_refresh(old: LearnedSite, site: Site, learned: Learned) -> Verdict:
    """Compare the version that was learned from the site's new pages with the old one.

    It may take the old one's place where it is trusted and, unless the old one was not trusted either or the site has changed, its
    confidence and F1 are not below the old one's by more than chance explains, and it keeps the same text of pages that look as before.
    """
    usual = old.standing.usual if old.standing else None
    kept = [old.model.predict(page) for page in site.pages]
    found = [old.familiarity(page, of_page) for page, of_page in zip(site.pages, kept, strict=True)]
    familiar = [row for row, each in enumerate(found) if each is None or not each.is_strange]
    strange = len(kept) - len(familiar)
    drifted = usual is not None and has_drifted(strange, len(kept), usual.odd)
    if learned.standing.doubt:
        return Verdict(strange, drifted, learned.standing.doubt)
    if drifted or old.standing is None or old.standing.doubt:
        return Verdict(strange, drifted, "")
    return Verdict(strange, drifted, learned.standing.shortfall(old.standing) or _disagreement(kept, site, learned, familiar))


def _disagreement(old: Sequence[Probabilities], site: Site, learned: Learned, familiar: Sequence[int]) -> str:
    """Say so where the old model keeps other text than the new labels on pages that are familiar to it: one of them is wrong.

    Of two halves of the pages of one of the authors' sites, each agrees with the other with an F1 of 0.99 at least.
    """
    labelled = [row for row in familiar if (learned.labels.labels[row] >= 0).any()]
    if not labelled:
        return ""
    kept = np.concatenate([old[row] >= THRESHOLD for row in labelled])
    labels = np.concatenate([learned.labels.labels[row] for row in labelled])
    f1 = character_score(kept, labels, [block.text for row in labelled for block in site.pages[row].blocks]).f1
    if f1 >= TRUSTED_F1:
        return ""
    return f"on {len(labelled)} pages that look as before it keeps other text than the old one (F1 {f1:.2f}, {TRUSTED_F1} is asked)"
