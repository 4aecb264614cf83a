"""The inspector: the viewer over a corpus or a single page, on loopback, and in the service (`sightread.server.routes.inspect`).

Pages, pictures and reasons are sent on demand, and readings of a corpus are computed after its first view (`Inspected.complete`), so that
a corpus of any size opens at once. The handlers take what is inspected from the request, so both servers have the same.

Of a learned site corrections are made there: every change is a POST with JSON from the inspector's own page: a request of another origin,
or without that content type, is refused, so that no web page can correct a site. Responses are the state afterwards, at once: the page
then requests what takes longer, the training with the change.

The service keeps inspections in memory, each at an address with 128 random bits, for a short time. The address is known to the caller who
made the inspection alone, so that a frame, which sends no token, can show it. What may be done there is what the token that opened it
allows at each request: corrections and learning need the scope `learn`, since they change what all callers get. An inspection ends with its
token.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TypeVar

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from sightread.classify.model import Explains
from sightread.crawler.urls import site_of
from sightread.labeling.labels import load_labels
from sightread.models.model_choice import DOM_ONLY, FALLBACK, Choice
from sightread.reading import Reading, apply_model
from sightread.render.errors import Rejected, SightreadError
from sightread.review.comparison import ModelDocuments
from sightread.review.explanation import explain_reading
from sightread.review.session import Proposal, ReviewSession
from sightread.server.access.gate import OF_A_PAGE, SECURITY_HEADERS, Caller, content_policy
from sightread.server.access.limits import BODY
from sightread.server.http import under_own_name
from sightread.server.schema.answers import worded
from sightread.sites import learn as job
from sightread.sites.history import VersionComparison, compare_version, home_of, list_versions, locked
from sightread.viewer.build import Findings, build_map, build_page, build_site, explain_block
from sightread.viewer.records import JobSummary, Offer, SiteView, UnlearnedSite, encode
from sightread.viewer.report import site_findings, viewer_part, write_site_report


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    is_content: bool | None
    """None skips the question."""


OWN_ORIGIN: web.RequestKey[str] = web.RequestKey("own_origin", str)
"""The origin of the inspector's own page, which alone may change something."""

T = TypeVar("T")
Act = Callable[[ReviewSession, bytes], object]


def _handler(act: Act) -> Callable[[web.Request], Awaitable[web.Response]]:
    def perform(shown: Inspected, body: bytes, page: str) -> object:
        session = shown.session
        if session is None:
            raise web.HTTPNotFound(text="nothing is corrected here: this is no learned site, or the token lacks the scope learn\n")
        found = act(session, body)
        return session.state(row_of(page, len(session.bench.pages)) if page else None) if found is None else found

    async def handle(request: web.Request) -> web.Response:
        if request.method == "POST":
            check_origin(request)
        body = request[BODY] if BODY in request else await request.read()
        try:
            result = await asyncio.to_thread(perform, request[SHOWN], body, request.query.get("page", ""))
        except SightreadError as error:
            raise web.HTTPBadRequest(text=f"{worded(error)}\n") from error
        return web.Response(body=encode(result), content_type="application/json")

    return handle


def check_origin(request: web.Request) -> None:
    """Refuse what the inspector's own page did not send. Raises HTTP 403."""
    if request.content_type != "application/json" or request.headers.get("Origin") != request[OWN_ORIGIN]:
        raise web.HTTPForbidden(text="corrections are made on the inspector's own page only\n")


def _answer(session: ReviewSession, body: bytes) -> None:
    given = _decoded(body, _Answer)
    session.answer(given.question, is_content=given.is_content)


def _learn(session: ReviewSession, _body: bytes) -> None:
    with _locked(session):
        session.write()


def _teach(session: ReviewSession, _body: bytes) -> None:
    """Teach the student of a site that was learned again, and write the report."""
    with _locked(session):
        session.teach()
        write_site_report(session.results())


def _locked(session: ReviewSession) -> AbstractContextManager[None]:
    home = home_of(session.site.folder)
    return locked(home) if home else nullcontext()


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise web.HTTPBadRequest(text=f"not a {kind.__name__.strip('_').lower()}: {error}\n") from error


ACTIONS: tuple[tuple[str, str, Callable[[web.Request], Awaitable[web.Response]]], ...] = (
    ("GET", "corrections", _handler(lambda session, _: None)),
    *(
        ("POST", f"corrections/{name}", _handler(act))
        for name, act in (
            ("preview", lambda session, body: session.propose(_decoded(body, Proposal))),
            ("save", lambda session, _: session.save()),
            ("discard", lambda session, _: session.discard()),
            ("undo", lambda session, _: session.undo()),
            ("redo", lambda session, _: session.redo()),
            ("answer", _answer),
            ("train", lambda session, _: session.train()),
            ("learn", _learn),
            ("teach", _teach),
        )
    ),
)
"""Method and path below the inspector's own, and what is done."""


_HEADERS = {**SECURITY_HEADERS, "Content-Security-Policy": content_policy(*OF_A_PAGE)}
MOST_READ = 200
"""Pages of a corpus without a model that the global model reads when it is opened: some 50 ms each."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content that is shown, and the session that may change it."""

    findings: Findings
    readings: Sequence[Reading] = ()
    """Result of `auto` per page; empty if no model read them."""
    session: ReviewSession | None = None
    """The session that reviews the site; None if nothing is corrected."""


READS_PAGES = "The pages are being read: texts, scores of held-out pages and questions follow."
"""Sentence for the reader, until `Inspected.complete` is done."""


class Inspected:
    """Content of the inspector; of a learned site that is being corrected, its current state."""

    def __init__(
        self,
        first: Content,
        unlearned: UnlearnedSite | None = None,
        rest: Callable[[], Content] | None = None,
        site: job.Site | None = None,
    ) -> None:
        """`rest` returns the whole content if `first` is only what is there at once; `site` is given if it is corrected."""
        self._content = first
        self._rest = rest
        self._lock = Lock()
        self.unlearned = unlearned
        self._site = site
        self._shown: tuple[object, Findings, SiteView] | None = None
        self.home = home_of(site.folder) if site else None
        self.documents = ModelDocuments(first.findings.pages, self.home, site)

    def complete(self) -> Content:
        """Compute the rest, once, and return all."""
        with self._lock:
            if self._rest:
                self._content, self._rest = self._rest(), None
            return self._content

    @property
    def corrects(self) -> bool:
        """Whether a site is corrected."""
        return self._site is not None if self._rest else self._content.session is not None

    def _current(self) -> tuple[Findings, SiteView]:
        content, rest, shown = self._content, self._rest, self._shown
        trained = content.session.trained if content.session else content
        if shown is None or shown[0] is not trained:
            session = content.session
            findings = content.findings if not session or trained is session.begun else site_findings(session.results(), content.findings)
            shown = trained, findings, build_site(findings)
            self._shown = shown
        waiting = READS_PAGES if rest else ""
        return shown[1], replace(shown[2], offers=self._offers, unlearned=self.unlearned, waiting_for=waiting)

    @property
    def _offers(self) -> tuple[Offer, ...]:
        content, corrects = self._content, self.corrects
        offers: tuple[tuple[Offer, bool], ...] = (
            ("models", True),
            ("documents", True),
            ("why", bool(content.readings) or content.session is not None),
            ("html", corrects),
            ("corrections", corrects),
            ("history", self.home is not None),
        )
        return tuple(offer for offer, has in offers if has)

    @property
    def findings(self) -> Findings:
        """The findings as they are with all saved corrections, as far as they are computed."""
        return self._current()[0]

    @property
    def site(self) -> SiteView:
        """Their overview."""
        return self._current()[1]

    @property
    def session(self) -> ReviewSession | None:
        """The session that reviews the site; None if nothing is corrected. Computes the rest."""
        return self.complete().session if self.corrects else None

    @property
    def readings(self) -> Sequence[Reading]:
        """Result of `auto` per page; empty if no model read them. Computes the rest."""
        content = self.complete()
        return content.session.trained.readings if content.session else content.readings


SHOWN: web.RequestKey[Inspected] = web.RequestKey("shown", Inspected)


def inspect_reading(reading: Reading, unlearned: UnlearnedSite | None = None) -> Inspected:
    """Return what the inspector shows of one page; `unlearned` is the page's site, if it could be learned."""
    document = reading.document
    name = document.metadata.title or document.url or "the document"
    findings = Findings(JobSummary(name, reading.page.final_url, document.model), [reading.page], [reading.picture])
    return Inspected(Content(_with_readings(findings, [reading]), [reading]), unlearned)


def inspect_corpus(folder: Path, by: str = "", *, corrects: bool = True) -> Inspected:
    """Return what the inspector shows of a corpus: first what is stored, then how the site's model, else the global one, reads it.

    A learned one can be corrected, by a person of the name `by`, unless `corrects` is false.

    Raises `Rejected` if there is none, and `BadRecord` if it is damaged.
    """
    site = job.Site.open(folder)
    labels = load_labels(site.folder.labels, site.digest)
    if labels is not None and site.folder.model.is_file():
        first = Content(site_findings(job.SiteResults(site, labels, model=site.model())))

        def compute() -> Content:
            if corrects:
                with suppress(Rejected):  # too few pages to correct, but enough to look at
                    session = ReviewSession(site, by)
                    return Content(site_findings(session.results(), first.findings), session=session)
            return Content(site_findings(job.known_results(site)))

        return Inspected(first, rest=compute, site=site if corrects else None)
    first = Content(site_findings(job.SiteResults(site, labels)))
    if len(site.pages) > MOST_READ:
        return Inspected(first)

    def read() -> Content:
        choice = Choice(DOM_ONLY[FALLBACK]())
        readings = [apply_model(choice, page, is_new=False) for page in site.pages]
        return Content(_with_readings(first.findings, readings), readings)

    url = site.corpus.start_url
    return Inspected(first, UnlearnedSite(site_of(url), f"sightread learn {url}", can_learn=False), read)


def _with_readings(findings: Findings, readings: Sequence[Reading]) -> Findings:
    model = readings[0].model
    return replace(
        findings,
        predictions=[reading.prediction.relative for reading in readings],
        documents=[reading.document for reading in readings],
        explain=model.explain if isinstance(model, Explains) else None,
    )


def app_of(shown: Inspected) -> web.Application:
    """Return the inspector as an application, only under a loopback name with its own port: `VIEWS`, and of a session that is reviewed
    `sightread.server.inspector.ACTIONS`.

    Serves `/`, `/viewer.css`, `/viewer.js`, `/data.json` (the site), `/complete.json` (the same when all is computed), `/pages/N.json`,
    `/pictures/N-TILE.webp` (tiles count from 1), `/explain?page=N&block=N` (contributions), `/why?page=N&block=N` (the whole explanation),
    `/models/N.json`, `/document?page=N&model=NAME`, `/map.json` (all blocks of the site), and of a learned site `/history.json` and
    `/versions/N.json`, all by GET. With a session there is `/corrections?page=N` too (`sightread.server.inspector`).
    """

    @web.middleware
    async def provide(request: web.Request, handler: Handler) -> web.StreamResponse:
        request[SHOWN] = shown
        request[OWN_ORIGIN] = f"http://{request.headers.get('Host', '')}"
        return await handler(request)

    app = web.Application(middlewares=[_protected, under_own_name, provide], client_max_size=1 << 16)
    for path, view in VIEWS:
        app.router.add_get(f"/{path}", view, allow_head=False)
    for method, path, act in ACTIONS if shown.corrects else ():
        app.router.add_route(method, f"/{path}", act)
    return app


@web.middleware
async def _protected(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Set the content security policy on every response, refusals included."""
    try:
        response = await handler(request)
    except web.HTTPException as error:
        error.headers.update(_HEADERS)
        raise
    response.headers.update(_HEADERS)
    return response


async def _index(_request: web.Request) -> web.Response:
    return web.Response(text=viewer_part("index.html"), content_type="text/html")


async def _asset(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    return web.Response(text=viewer_part(name), content_type="text/css" if name.endswith("css") else "text/javascript")


async def _site(request: web.Request) -> web.Response:
    site = await asyncio.to_thread(lambda: request[SHOWN].site)
    return web.Response(body=encode(site), content_type="application/json")


async def _complete(request: web.Request) -> web.Response:
    shown = request[SHOWN]
    await asyncio.to_thread(shown.complete)
    return await _site(request)


async def _page(request: web.Request) -> web.Response:
    findings = request[SHOWN].findings
    row = row_of(request.match_info["row"], len(findings.pages))
    return web.Response(body=encode(await asyncio.to_thread(build_page, findings, row)), content_type="application/json")


async def _picture(request: web.Request) -> web.Response:
    findings = request[SHOWN].findings
    picture = findings.pictures[row_of(request.match_info["row"], len(findings.pictures))]
    number = int(request.match_info["tile"])
    if picture is None or not 1 <= number <= len(picture.tiles):
        raise web.HTTPNotFound(text="this page has no picture there\n")
    return web.Response(body=picture.tiles[number - 1], content_type="image/webp")


async def _reasons(request: web.Request) -> web.Response:
    findings = request[SHOWN].findings
    row, block = _place(request, findings)
    return web.Response(body=encode(await asyncio.to_thread(explain_block, findings, row, block)), content_type="application/json")


async def _why(request: web.Request) -> web.Response:
    shown = request[SHOWN]
    row, block = _place(request, shown.findings)
    readings = await asyncio.to_thread(lambda: shown.readings)
    if not readings:
        raise web.HTTPNotFound(text="no model has read this page: label and train the site first\n")
    found = await asyncio.to_thread(explain_reading, readings[row], [block], with_neighbours=True)
    return web.Response(body=encode(found.blocks[0]), content_type="application/json")


async def _models(request: web.Request) -> web.Response:
    """Return which blocks every model keeps, other versions of the site included; those that cannot read the page are left out."""
    shown = request[SHOWN]
    row = row_of(request.match_info["row"], len(shown.findings.pages))
    return web.Response(
        body=encode(await asyncio.to_thread(lambda: shown.documents.kept(row, shown.readings))), content_type="application/json"
    )


async def _document(request: web.Request) -> web.Response:
    """Return the text of a page by one model, by which it was read, and the notes about it."""
    shown = request[SHOWN]
    row = row_of(request.query.get("page", ""), len(shown.findings.pages))
    try:
        found = await asyncio.to_thread(lambda: shown.documents.read(row, request.query.get("model", ""), shown.readings))
    except Rejected as error:
        raise web.HTTPNotFound(text=f"{error}\n") from error
    note = "; ".join(filter(None, (found.note, found.reason)))
    answer = {"markdown": found.markdown, "order": found.rows, "model": found.model, "note": note}
    return web.Response(body=encode(answer), content_type="application/json")


async def _map(request: web.Request) -> web.Response:
    found = await asyncio.to_thread(lambda: encode(build_map(request[SHOWN].findings)))
    return web.Response(body=found, content_type="application/json")


async def _history(request: web.Request) -> web.Response:
    home = request[SHOWN].home
    if home is None:
        raise web.HTTPNotFound(text="this corpus is no version of a learned site\n")
    return web.Response(body=encode(await asyncio.to_thread(list_versions, home)), content_type="application/json")


async def _version(request: web.Request) -> web.Response:
    shown, name = request[SHOWN], f"version {request.match_info['number']}"
    return web.Response(body=encode(await asyncio.to_thread(_compared, shown, name)), content_type="application/json")


def _compared(shown: Inspected, name: str) -> VersionComparison:
    other, readings = shown.documents.versions.get(name), shown.readings
    if other is None or not readings:
        raise web.HTTPNotFound(text=f"there is no {name} with a model beside the one that is looked at\n")
    pages = shown.findings.pages
    other_documents = [shown.documents.read(row, name) for row in range(len(pages))]
    return compare_version(pages, [reading.document for reading in readings], other, other_documents, shown.findings.labels)


def _place(request: web.Request, findings: Findings) -> tuple[int, int]:
    row = row_of(request.query.get("page", ""), len(findings.pages))
    return row, row_of(request.query.get("block", ""), len(findings.pages[row].blocks))


def row_of(text: str, count: int) -> int:
    """Return the row of that many that a text names. Raises `HTTPNotFound`."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < count):
        raise web.HTTPNotFound(text="there is no such page or block\n")
    return int(text)


VIEWS: tuple[tuple[str, Callable[[web.Request], Awaitable[web.Response]]], ...] = (
    ("", _index),
    ("{name:viewer\\.(?:css|js)}", _asset),
    ("data.json", _site),
    ("complete.json", _complete),
    ("pages/{row:\\d{1,9}}.json", _page),
    ("pictures/{row:\\d{1,9}}-{tile:\\d{1,3}}.webp", _picture),
    ("explain", _reasons),
    ("why", _why),
    ("models/{row:\\d{1,9}}.json", _models),
    ("document", _document),
    ("map.json", _map),
    ("history.json", _history),
    ("versions/{number:\\d{1,9}}.json", _version),
)
"""Paths below the inspector's own, and what a GET of them shows."""


MOST_INSPECTIONS = 16
"""Inspections in memory: a page with its picture takes some MB."""
MOST_SITES = 4
"""Of them, those of learned sites: the features of one take up to 100 MB."""
IDLE_SECONDS = 900.0
"""For which an inspection is kept after it was last used."""


@dataclass(slots=True)
class Inspection:
    """One inspection."""

    shown: Inspected
    caller: Caller
    """The caller who opened it, with the token's scopes at the last request."""
    scope: str
    """The scope that the token needs for every request; `learn` if the site can be corrected."""
    used: float
    """Time of its last request, of a monotonic clock."""
    url: str = ""
    """Of the page, if it is a single one."""
    learning: str = ""
    successor: str = ""


class Inspections:
    """The inspections in memory."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Inspection] = OrderedDict()

    def add(self, shown: Inspected, caller: Caller, url: str = "", scope: str = "read") -> str:
        """Keep an inspection, and return its id; the one that was not used for the longest time gives way."""
        id = secrets.token_hex(16)
        self._kept[id] = Inspection(shown, caller, "learn" if shown.corrects else scope, time.monotonic(), url)
        sites = [key for key, kept in self._kept.items() if kept.shown.corrects]
        for old in (*sites[: max(0, len(sites) - MOST_SITES)], *list(self._kept)[: max(0, len(self._kept) - MOST_INSPECTIONS)]):
            self._kept.pop(old, None)
        return id

    def find(self, id: str, rights: Callable[[Caller], frozenset[str]]) -> Inspection:
        """Return an inspection, with the scopes of its caller by `rights`. Raises HTTP 404, also if its token has no right to it by now."""
        found = self._kept.get(id)
        if found is not None:
            found.caller = replace(found.caller, scopes=rights(found.caller))
        if found is None or time.monotonic() - found.used > IDLE_SECONDS or found.scope not in found.caller.scopes:
            self._kept.pop(id, None)
            raise web.HTTPNotFound(text="this inspection has ended: it is past its time, or its token is; read the page again\n")
        found.used = time.monotonic()
        self._kept.move_to_end(id)
        return found
