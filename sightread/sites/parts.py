"""The decisions about comments and other parts of a site's pages, as a policy of the selection."""

from __future__ import annotations

from collections.abc import Sequence

from labeling.labels.labels import PartDecision
from sightread.document.selection import Policy


def site_policy(parts: Sequence[PartDecision]) -> Policy:
    """Return what is kept and what is left out on all pages of a site, regardless of its probability."""
    keep, drop = (frozenset(decision.kind for decision in parts if decision.keep is kept) for kept in (True, False))
    return Policy(keep=keep, drop=drop)
