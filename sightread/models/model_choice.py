"""Chooses the model that reads a page: by name, or `auto`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sightread.classify.model import Model
from sightread.document.notes import Note
from sightread.document.selection import EVERY_PART, Policy
from sightread.models.registry import MODELS
from sightread.render.argument_checks import known_names
from sightread.render.errors import Rejected, UnknownModel, quoted
from sightread.sites.corrections.records import NO_CORRECTIONS, Corrections

if TYPE_CHECKING:  # a page without a learned site does not load what learns one
    from sightread.labeling.labels import PartDecision
    from sightread.sites.store import LearnedSite, SiteStore
    from sightread.sites.student import StudentEvaluation
    from sightread.sites.trust import SiteEvaluation

DOM_ONLY: dict[str, Callable[[], Model]] = {name: model.make for name, model in MODELS.items()}
FALLBACK = "global"
"""The model that `auto` takes if no site model is trusted."""
NAMES = ("auto", "site", *DOM_ONLY)
NO_STUDENT = Note(
    "site-model-needs-browser",
    "the site's model looks at boxes and styles, and no student was taught that reads HTML alone: render it, or learn the site again",
)
"""Why a trusted site has no model for a page without a browser."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen model, and notes: why it is not the expected one, or what is known of the site."""

    model: Model
    notes: tuple[Note, ...] = ()
    site: LearnedSite | None = None
    """The learned site, if the model is a site's own."""
    fallback: Model | None = None
    """The model for pages that the site's own model does not fit; None if the model was requested by name."""
    policy: Policy = EVERY_PART
    """Parts of pages to keep or leave out, as decided for the site."""
    corrections: Corrections = NO_CORRECTIONS


def choose_model(name: str, url: str, sites: SiteStore | None, *, rendered: bool) -> Choice:
    """Return the model of that name for a page of `url`, of a site in `sites`; None without a URL or learned sites.

    `auto` takes the site's own model if one was learned and is trusted: of a page that is not rendered its student, if that agrees with
    the model of rendered pages. Else it takes the global model, with the reason. Raises `UnknownModel` for an unknown name, and `Rejected`
    if the model cannot read this kind of page or does not exist.
    """
    check_name(name)
    if name in DOM_ONLY:
        return Choice(DOM_ONLY[name]())
    learned = sites.find(url) if url and sites else None
    site = learned if rendered or learned is None else learned.by_html
    if name == "site":
        if site is not None:
            return Choice(site.model, site=site, corrections=site.corrections)
        raise Rejected(f"no site model for {url or 'a page without a URL'}: {_refusal(url, learned, sites).message}")
    if learned is None:
        return Choice(DOM_ONLY[FALLBACK](), (read_by_fallback(_refusal(url, learned, sites)),))
    return choose_for(learned, rendered=rendered)


def choose_for(learned: LearnedSite, *, rendered: bool = True) -> Choice:
    """Return the model that `auto` takes for a page of a learned site: its own, or its student, if it is trusted, else the global one."""
    fallback, site = DOM_ONLY[FALLBACK](), learned if rendered else learned.by_html
    why = refusal_of(learned.site_evaluation, site.agreement if site else None, rendered=rendered)
    if why is not None or site is None:
        policy = site_policy([decision for decision in learned.parts if decision.is_chosen], is_learned=False)
        return Choice(fallback, (read_by_fallback(why or NO_STUDENT),), policy=policy, corrections=learned.corrections)
    return Choice(site.model, site.html_changes, site, fallback, site_policy(learned.parts), learned.corrections)


def site_policy(parts: Sequence[PartDecision], *, is_learned: bool = True) -> Policy:
    """Return what is kept and what is left out on all pages of a site, regardless of its probability.

    `is_learned`: whether the site's own model reads the pages. It knows the looks of teasers, so prose that is shown twice is no teaser
    (docs/experiments/built-sites.md, "Text that is shown twice").
    """
    keep, drop = (frozenset(decision.kind for decision in parts if decision.keep is kept) for kept in (True, False))
    return Policy(keep=keep, drop=drop, keep_repeated_prose=is_learned)


def refusal_of(evaluation: SiteEvaluation | None, agreement: StudentEvaluation | None, *, rendered: bool) -> Note | None:
    """Return why `auto` takes the global model for all pages of a learned site, rendered or not; None if it takes the site's own.

    `agreement` is that of the site's student, if it has one.
    """
    if distrust_reason := distrust_reason_of(evaluation):
        return Note("site-model-not-trusted", f"the site's model is not trusted: {distrust_reason}")
    if rendered:
        return None
    if agreement is None:
        return NO_STUDENT
    disagreement = agreement.distrust_reason
    return Note("page-needs-browser", f"the site's pages need a browser: {disagreement}") if disagreement else None


def check_name(name: str) -> None:
    """Raise `UnknownModel` for an unknown name."""
    if name not in NAMES:
        raise UnknownModel(f"no model is called {quoted(name)}; {known_names(name, NAMES)}")


def read_by_fallback(why: Note) -> Note:
    """Return the note that the global model read the page, with the reason."""
    return replace(why, message=f"{FALLBACK} read the page: {why.message}")


def _refusal(url: str, learned: LearnedSite | None, sites: SiteStore | None) -> Note:
    """Return the reason why a page whose site was not learned, or that is not rendered and whose site has no student, has no site model."""
    if not url or sites is None:
        return Note("site-unknown", "without a URL its site is not known")
    if learned is None:
        return Note("site-not-learned", f"{sites.site(url).name} was never learned (sightread learn)")
    return NO_STUDENT


def distrust_reason_of(site_evaluation: SiteEvaluation | None) -> str:
    """Return the reason why a site's model is not trusted; empty if it is."""
    return site_evaluation.distrust_reason if site_evaluation else "it was never evaluated (sightread evaluate)"
