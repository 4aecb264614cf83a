"""`ReviewSession`: a person corrects a site; every answer is saved and labelled at once, and the site is trained with it by `train`.

A correction is proposed, previewed, and then saved or discarded. Answers to questions are saved directly and can be undone. Its methods may
be called from several threads: what takes long (`train`, `write`, `teach`) runs one after the other, and the rest does not wait for it.
"""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import RLock

import msgspec

from sightread.render.errors import Rejected
from sightread.review.questions import LookKey, Preview, Question, answer, changed_pages, compare, rank_questions, settle
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
from sightread.sites.learn import Site, SiteResults, teach_student, write_results


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
    trains: bool = True
    """Whether the model is trained with it; without, the preview has the decided blocks alone, at once."""


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
    page: int | None
    """The page that the question is about; None for the best one of the site."""
    question: QuestionState | None
    """The most valuable one."""
    better_page: int | None
    """The page with the most valuable question of the site; None if it is about the same look."""
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
    is_training: bool
    """Whether all but corrections and labels is of an earlier state, until the site is trained."""


class ReviewSession:
    """The corrections of one site while a person makes them."""

    def __init__(self, site: Site, by: str = "") -> None:
        self.site = site
        self.bench = Workbench.open(site)
        self._by = by or _user()
        self._lock = RLock()
        """Of the state, held for moments."""
        self._long = RLock()
        """Of what takes seconds."""
        self._file = site.folder.corrections
        self.trained = self.begun = self.bench.train(load_corrections(self._file))
        self._is_behind = False
        self._last = self.trained.corrections
        """With which the site was trained last."""
        self._made_before = len(self.trained.corrections.made)
        self._pending: Correction | None = None
        self._open: tuple[Correction, ...] = ()
        """Answers that are not settled."""
        self._skipped: set[tuple[LookKey, int]] = set()
        self._on_disk = self.trained.corrections.active

    def _follow(self) -> None:
        """Take over what another process, or another session of the site, has changed in the file."""
        stored = load_corrections(self._file)
        if stored != self.trained.corrections:
            self._show(stored)

    def propose(self, proposal: Proposal) -> Preview:
        """Return what the proposed correction would change; nothing is saved. Raises `Rejected`."""
        if proposal.trains:
            self.train()
        with self._lock:
            self._follow()
            before, correction = self.trained, self._correction(proposal)
            if self._pending and msgspec.structs.replace(correction, at=self._pending.at) == self._pending:
                correction = self._pending  # previewed before
            self._pending = correction
        proposed = before.corrections.with_answer(correction)
        if not proposal.trains:
            return compare(self.bench, before, self.bench.known(proposed) or self.bench.label_only(before, proposed))
        with self._long:
            return compare(self.bench, before, self.bench.train(proposed))

    def save(self) -> None:
        """Save the proposed correction. Raises `Rejected` if none is proposed, and `StorageFailed`."""
        with self._lock:
            self._follow()
            if self._pending is None:
                raise Rejected("nothing is proposed, or the corrections were changed elsewhere meanwhile: mark the block again")
            self._store(self.trained.corrections.with_answer(self._pending))

    def discard(self) -> None:
        """Forget the proposed correction."""
        with self._lock:
            self._pending = None

    def undo(self) -> None:
        """Take the last correction back."""
        with self._lock:
            self._follow()
            self._store(self.trained.corrections.undo())

    def redo(self) -> None:
        """Make the last undone correction again."""
        with self._lock:
            self._follow()
            self._store(self.trained.corrections.redo())

    def answer(self, question: str, *, is_content: bool | None) -> None:
        """Answer a current question and save the answer; None skips it. Raises `Rejected` if the question is not current.

        One on which much text depends decides nothing until another one about the look agrees (`sightread.review.questions`). Which it is
        `train` finds out.
        """
        with self._lock:
            self._follow()
            page = question.partition("-")[0]
            current = self.question(int(page)) if page.isdecimal() else None
            if current is None or _question_id(current) != question:
                raise Rejected("the current question is another one by now: answer that one")
            if is_content is None:
                self._skipped.add((current.look, len(current.given)))
                return
            made = answer(self.bench, current, is_content=is_content, by=self._by, at=_now(), model=self._model())
            self._open = (*self._open, made)
            self._store(self.trained.corrections.with_answer(made))

    def question(self, page: int | None = None) -> Question | None:
        """Return the most valuable question, of a page or of the site, that was not skipped; None if nothing is left to ask."""
        with self._lock:
            for each in rank_questions(self.bench, self.trained, len(self._skipped) + len(self._open) + 1, page):
                if (each.look, len(each.given)) not in self._skipped and not any(made in self._open for made in each.given):
                    return each
            return None

    def train(self) -> None:
        """Settle the answers, and train the site with the corrections as they are. Raises `Rejected` if they leave nothing to learn from:
        then those since it was trained last are taken back.

        What is changed meanwhile is for the next call.
        """
        with self._long:
            with self._lock:
                self._follow()
                if not self._is_behind:
                    return
                target, waiting = self.trained.corrections, self._open
            try:
                settled = self._settle(target, waiting)
                after = self.bench.train(settled)
            except Rejected:
                with self._lock:
                    self._open = ()
                    self._store(self._last)
                raise
            with self._lock:
                if self.trained.corrections == target:
                    self._open = ()
                    self._store(settled, after)

    def _settle(self, target: Corrections, waiting: Sequence[Correction]) -> Corrections:
        """Return the corrections with each answer that waits in its final form."""
        state = self.bench.train(target.without([each.id for each in waiting]))
        final = {}
        for made in waiting:
            state = settle(self.bench, state, made)
            final[made] = state.corrections.made[-1]
        return Corrections(tuple(final.get(made, made) for made in target.made), target.undone)

    def results(self) -> SiteResults:
        """Return the site as it is shown, for its report and for the inspector."""
        trained, documents = self.trained, [reading.document for reading in self.trained.readings]
        return SiteResults(self.site, trained.labels, trained.evaluation, trained.model, documents, self.bench.predictions)

    def write(self) -> None:
        """Train the site, and write labels, model, evaluation and articles, as `sightread learn` does. Raises `StorageFailed`."""
        with self._long:
            self.train()
            trained = self.trained
            write_results(self.results(), trained.site_evaluation)
            self._on_disk = trained.corrections.active

    def teach(self) -> None:
        """Teach the student by the documents as they are (`sightread.sites.student`). Raises `StorageFailed`."""
        with self._long:
            teach_student(self.site, [reading.document for reading in self.trained.readings])

    def state(self, page: int | None = None) -> SessionState:
        """Return what is shown; the question is about a page, or the best of the site."""
        with self._lock:
            self._follow()
            question, best, trained = self.question(page), self.question(), self.trained
            return SessionState(
                corrections=tuple(self._correction_states()),
                matching=trained.matching.describe(),
                can_undo=bool(trained.corrections.made),
                can_redo=bool(trained.corrections.undone),
                page=page,
                question=None if question is None else self._question_state(question),
                better_page=None if best is None or (question and best.look == question.look) else best.page,
                answers=max(0, len(trained.corrections.made) - self._made_before),
                changed=changed_pages(self.begun, trained),
                pages=len(self.bench.pages),
                expected_before=round(self.begun.expected_f1, 4),
                expected_f1=round(trained.expected_f1, 4),
                distrust_reason=trained.site_evaluation.distrust_reason,
                is_stale=trained.corrections.active != self._on_disk,
                is_training=self._is_behind,
            )

    def _store(self, changed: Corrections, trained: Trained | None = None) -> None:
        """Change the file first, then the state: a killed process loses no answer."""
        save_corrections(self._file, changed)
        self._show(changed, trained)

    def _show(self, changed: Corrections, trained: Trained | None = None) -> None:
        self._pending = None
        self._open = tuple(each for each in self._open if each in changed.made)
        found = trained or (None if self._open else self.bench.known(changed))
        self._is_behind = found is None
        self.trained = found or self.bench.label_only(self.trained, changed)
        self._last = changed if found else self._last

    def _correction(self, proposal: Proposal) -> Correction:
        pages = self.bench.pages
        if not 0 <= proposal.page < len(pages) or not 0 <= proposal.block < len(pages[proposal.page].blocks):
            raise Rejected(f"there is no block {proposal.block} on page {proposal.page}")
        if proposal.scope == "pattern" and not proposal.pattern.startswith(("/", "*")):
            raise Rejected("a pattern of addresses begins with / or *: /blog/*")
        anchors, page = self.bench.anchors[proposal.page], pages[proposal.page]
        element = page.blocks[proposal.block].element
        if proposal.target == "place":
            container = page.elements[element].parent
            anchor = place_anchor(anchors, element if container < 0 else container, self.bench.names)
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
