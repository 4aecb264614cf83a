"""`ReviewSession`: a person corrects a site; every answer is saved at once, retrained, and shown on all pages.

A correction is proposed, previewed, and then saved or discarded. Answers to questions are saved directly and can be undone. Its methods may
be called from several threads; they run one after the other.
"""

from __future__ import annotations

import getpass
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import RLock

from sightread.render.errors import Rejected
from sightread.review.questions import Preview, Question, answer, changed_pages, compare, rank_questions, settle
from sightread.review.workbench import Trained, Workbench
from sightread.sites.corrections.anchors import block_anchor, place_anchor, template_scope
from sightread.sites.corrections.records import (
    Correction,
    Corrections,
    CorrectionScope,
    ScopeKind,
    Target,
    address_of,
    load_corrections,
    save_corrections,
)
from sightread.sites.learn import Site


@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction as a person makes it: a block of a page, what it is about, and where it holds."""

    page: int
    block: int
    is_content: bool
    target: Target = "look"
    scope: ScopeKind = "site"
    pattern: str = ""
    """The glob of a scope of that kind, such as `/blog/*`."""
    levels: int = 1
    """Of a place: how many elements above the block's own its container is."""


@dataclass(frozen=True, slots=True)
class CorrectionState:
    """A saved correction and what became of it."""

    id: str
    description: str
    is_content: bool
    state: str
    found: str
    by: str
    at: str
    model: str
    page: int | None
    block: int | None
    """A block that it decides; None if there is none."""


@dataclass(frozen=True, slots=True)
class QuestionState:
    """The question whose answer would change the most."""

    id: str
    page: int
    block: int
    text: str
    reason: str
    kept: float
    blocks: int
    pages: int
    value: float
    is_enough: bool
    repeat_reason: str
    """Reason of a repeated question; empty for the first one about the look."""


@dataclass(frozen=True, slots=True)
class SessionState:
    """State of a session, as the inspector shows it."""

    corrections: tuple[CorrectionState, ...]
    matching: str
    can_undo: bool
    can_redo: bool
    question: QuestionState | None
    answers: int
    """Corrections made since the session began."""
    changed: int
    """Pages whose document differs from what it was when the session began."""
    pages: int
    expected_before: float
    expected_f1: float
    distrust_reason: str
    """Why the site's model is not trusted; empty if it is."""
    is_stale: bool
    """Whether the model on disk was trained with other corrections."""


class ReviewSession:
    """The corrections of one site while a person makes them."""

    def __init__(self, site: Site, by: str = "") -> None:
        self.site = site
        self.bench = Workbench.open(site)
        self._by = by or _user()
        self._lock = RLock()
        self._file = site.folder.corrections
        self.trained = self.begun = self.bench.train(load_corrections(self._file))
        self._made_before = len(self.trained.corrections.made)
        self._pending: tuple[Correction, Trained] | None = None
        self._skipped: set[str] = set()
        self._on_disk = self.trained.corrections.active

    def _follow(self) -> None:
        """Take over what another process, or another session of the site, has changed in the file."""
        stored = load_corrections(self._file)
        if stored != self.trained.corrections:
            self.trained = self.bench.train(stored)
            self._pending = None

    def propose(self, proposal: Proposal) -> Preview:
        """Retrain with the proposed correction and return what would change; nothing is saved. Raises `Rejected`."""
        with self._lock:
            self._follow()
            correction = self._correction(proposal)
            after = self.bench.train(self.trained.corrections.with_answer(correction))
            self._pending = correction, after
            return compare(self.bench, self.trained, after)

    def save(self) -> None:
        """Save the proposed correction. Raises `Rejected` if none is proposed, and `StorageFailed`."""
        with self._lock:
            self._follow()
            if self._pending is None:
                raise Rejected("nothing is proposed, or the corrections were changed elsewhere meanwhile: mark the block again")
            correction, after = self._pending
            self._store(lambda stored: stored.with_answer(correction), after)

    def discard(self) -> None:
        """Forget the proposed correction."""
        with self._lock:
            self._pending = None

    def undo(self) -> None:
        """Take the last correction back."""
        with self._lock:
            self._follow()
            self._store(Corrections.undo)

    def redo(self) -> None:
        """Make the last undone correction again."""
        with self._lock:
            self._follow()
            self._store(Corrections.redo)

    def answer(self, question: str, *, is_content: bool | None) -> None:
        """Answer the current question and save the answer; None skips it. Raises `Rejected` if another question is current.

        One on which much text depends decides nothing until another one about the look agrees (`sightread.review.questions`).
        """
        with self._lock:
            self._follow()
            current = self.question()
            if current is None or _question_id(current) != question:
                raise Rejected("the current question is another one by now: answer that one")
            if is_content is None:
                self._skipped.add(question)
                return
            self._settle(answer(self.bench, current, is_content=is_content, by=self._by, at=_now(), model=self._model()))

    def question(self) -> Question | None:
        """Return the most valuable question that was not skipped; None if nothing is left to ask."""
        with self._lock:
            ranked = rank_questions(self.bench, self.trained, len(self._skipped) + 1)
            return next((question for question in ranked if _question_id(question) not in self._skipped), None)

    def mark_trained(self) -> None:
        """Record that the site was learned again with the corrections as they are."""
        with self._lock:
            self._on_disk = self.trained.corrections.active

    def state(self) -> SessionState:
        """Return what is shown."""
        with self._lock:
            self._follow()
            question, trained = self.question(), self.trained
            return SessionState(
                corrections=tuple(self._correction_states()),
                matching=trained.matching.describe(),
                can_undo=bool(trained.corrections.made),
                can_redo=bool(trained.corrections.undone),
                question=None if question is None else self._question_state(question),
                answers=max(0, len(trained.corrections.made) - self._made_before),
                changed=changed_pages(self.begun, trained),
                pages=len(self.bench.pages),
                expected_before=round(self.begun.expected_f1, 4),
                expected_f1=round(trained.expected_f1, 4),
                distrust_reason=trained.site_evaluation.distrust_reason,
                is_stale=trained.corrections.active != self._on_disk,
            )

    def _settle(self, made: Correction) -> None:
        """Save an answer before it is trained with: if the process is killed meanwhile, the answer waits for another one that agrees."""
        before = self.trained
        save_corrections(self._file, before.corrections.with_answer(made))
        try:
            self.trained = settle(self.bench, before, made)
        except Rejected:
            save_corrections(self._file, before.corrections)
            raise
        save_corrections(self._file, self.trained.corrections)
        self._pending = None

    def _store(self, change: Callable[[Corrections], Corrections], trained: Trained | None = None) -> None:
        """Change the file first, then the state: a killed process loses no answer."""
        changed = change(self.trained.corrections)
        save_corrections(self._file, changed)
        self.trained = trained if trained is not None and trained.corrections == changed else self.bench.train(changed)
        self._pending = None

    def _correction(self, proposal: Proposal) -> Correction:
        pages = self.bench.pages
        if not 0 <= proposal.page < len(pages) or not 0 <= proposal.block < len(pages[proposal.page].blocks):
            raise Rejected(f"there is no block {proposal.block} on page {proposal.page}")
        if proposal.scope == "pattern" and not proposal.pattern.startswith(("/", "*")):
            raise Rejected("a pattern of addresses begins with / or *: /blog/*")
        anchors, page = self.bench.anchors[proposal.page], pages[proposal.page]
        element = page.blocks[proposal.block].element
        if proposal.target == "place":
            above = page.ancestors(element)
            anchor = place_anchor(anchors, above[min(max(proposal.levels, 0), len(above) - 1)], self.bench.names)
        else:
            anchor = block_anchor(anchors, proposal.block, self.bench.names)
        url = page.final_url or page.url
        scope = {
            "page": CorrectionScope("page", address_of(url)),
            "template": template_scope(self.bench.anchors, proposal.page),
            "pattern": CorrectionScope("pattern", proposal.pattern),
            "site": CorrectionScope(),
        }[proposal.scope]
        return Correction(proposal.is_content, proposal.target, anchor, scope, url, self._by, _now(), self._model())

    def _model(self) -> str:
        name = self.trained.readings[0].model.name
        return f"{name} {self.site.folder.path.name}" if name == "site" else name

    def _correction_states(self) -> list[CorrectionState]:
        found = []
        for match in reversed(self.trained.matching.matches):
            made = match.correction
            page, block = next(((row, blocks[0]) for row, blocks in match.blocks.items() if blocks), (None, None))
            found.append(
                CorrectionState(
                    made.id, made.describe(), made.is_content, match.state, match.describe(), made.by, made.at, made.model, page, block
                )
            )
        return found

    def _question_state(self, question: Question) -> QuestionState:
        return QuestionState(
            id=_question_id(question),
            page=question.page,
            block=question.block,
            text=self.bench.pages[question.page].blocks[question.block].text[:400],
            reason=question.describe(),
            kept=round(question.kept, 3),
            blocks=sum(map(len, question.blocks.values())),
            pages=len(question.blocks),
            value=round(question.value, 5),
            is_enough=question.is_enough,
            repeat_reason=question.repeat_reason,
        )


def _question_id(question: Question) -> str:
    return f"{question.page}-{question.block}-{len(question.given)}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container without a name for its user
        return ""
