"""The decisions about comments and other parts of a site's pages: as a policy of the selection, and in words."""

from __future__ import annotations

from collections.abc import Sequence

from labeling.labels import PartDecision
from sightread.document.selection import Policy


def site_policy(parts: Sequence[PartDecision]) -> Policy:
    """Return what is kept and what is left out on all pages of a site, whatever its probability."""
    keep, drop = (frozenset(decision.kind for decision in parts if decision.keep is kept) for kept in (True, False))
    return Policy(keep=keep, drop=drop)


def describe_part(decision: PartDecision) -> str:
    """Return a decision in one clause, with its evidence."""
    verdict = {True: "kept", False: "left out", None: "kept look by look"}[decision.keep]
    if decision.is_chosen:
        return f"{decision.kind}: {verdict}, as chosen by --{'keep' if decision.keep else 'drop'}"
    pages = "1 page" if decision.pages == 1 else f"{decision.pages} pages"
    return f"{decision.kind}: {verdict}; on {pages} {decision.share:.0%} of their text is labelled content"
