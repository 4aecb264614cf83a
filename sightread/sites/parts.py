"""The decisions about comments and other parts of a site's pages, as a policy of the selection."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sightread.document.selection import Policy
from sightread.labeling.labels import PartDecision
from sightread.render.errors import Rejected
from sightread.render.labels import PartKind


def chosen_parts(keep: Collection[PartKind], drop: Collection[PartKind]) -> dict[PartKind, bool]:
    """Return the parts of pages that a user chose to keep or drop. Raises `Rejected` if one is in both lists."""
    if both := set(keep) & set(drop):
        raise Rejected(f"keep and drop both name {', '.join(sorted(both))}: leave it in one of them")
    return {**dict.fromkeys(keep, True), **dict.fromkeys(drop, False)}


def site_policy(parts: Sequence[PartDecision], *, is_learned: bool = True) -> Policy:
    """Return what is kept and what is left out on all pages of a site, regardless of its probability.

    `is_learned`: whether the site's own model reads the pages. It knows the looks of teasers, so prose that is shown twice is no teaser
    (docs/experiments/built-sites.md, "Text that is shown twice").
    """
    keep, drop = (frozenset(decision.kind for decision in parts if decision.keep is kept) for kept in (True, False))
    return Policy(keep=keep, drop=drop, keep_repeated_prose=is_learned)
