"""Corrections in the inspector: state, preview, save, undo and redo, answers to questions, learning again.

Every change is a POST with JSON from the inspector's own page: a request of another origin, or without that content type, is refused, so
that no web page can correct a site. Responses are the state afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from aiohttp import web

from sightread.render.errors import SightreadError
from sightread.review.session import Proposal, ReviewSession
from sightread.server.access.limits import BODY
from sightread.server.schema.error_words import worded
from sightread.sites import learn as job
from sightread.viewer.records import encode
from sightread.viewer.report import write_site_report


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    is_content: bool | None
    """None skips the question."""


SESSION: web.RequestKey[ReviewSession | None] = web.RequestKey("session", ReviewSession | None)  # type: ignore[arg-type]
"""The session that reviews the site; None if nothing is corrected."""
OWN_ORIGIN: web.RequestKey[str] = web.RequestKey("own_origin", str)
"""The origin of the inspector's own page, which alone may change something."""

T = TypeVar("T")
Act = Callable[[ReviewSession, bytes], object]


def _handler(act: Act) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        if request.method == "POST":
            check_origin(request)
        session = request[SESSION]
        if session is None:
            raise web.HTTPNotFound(text="nothing is corrected here: this is no learned site, or the token lacks the scope learn\n")
        body = request[BODY] if BODY in request else await request.read()
        try:
            result = await asyncio.to_thread(act, session, body)
        except SightreadError as error:
            raise web.HTTPBadRequest(text=f"{worded(error)}\n") from error
        return web.Response(body=encode(result), content_type="application/json")

    return handle


def check_origin(request: web.Request) -> None:
    """Refuse what the inspector's own page did not send. Raises HTTP 403."""
    if request.content_type != "application/json" or request.headers.get("Origin") != request[OWN_ORIGIN]:
        raise web.HTTPForbidden(text="corrections are made on the inspector's own page only\n")


def _then_state(act: Act) -> Act:
    def run(session: ReviewSession, body: bytes) -> object:
        act(session, body)
        return session.state()

    return run


def _answer(session: ReviewSession, body: bytes) -> None:
    given = _decoded(body, _Answer)
    session.answer(given.question, is_content=given.is_content)


def _learn(session: ReviewSession, _body: bytes) -> None:
    """Label, train and evaluate the site again, and write labels, model, articles and report."""
    write_site_report(job.learn_corpus(session.site.folder.path).results)
    session.mark_trained()


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise web.HTTPBadRequest(text=f"not a {kind.__name__.strip('_').lower()}: {error}\n") from error


ACTIONS: tuple[tuple[str, str, Callable[[web.Request], Awaitable[web.Response]]], ...] = (
    ("GET", "corrections", _handler(lambda session, _: session.state())),
    *(
        ("POST", f"corrections/{name}", _handler(act))
        for name, act in (
            ("preview", lambda session, body: session.propose(_decoded(body, Proposal))),
            ("save", _then_state(lambda session, _: session.save())),
            ("discard", _then_state(lambda session, _: session.discard())),
            ("undo", _then_state(lambda session, _: session.undo())),
            ("redo", _then_state(lambda session, _: session.redo())),
            ("answer", _then_state(_answer)),
            ("learn", _then_state(_learn)),
        )
    ),
)
"""Method and path below the inspector's own, and what is done."""
