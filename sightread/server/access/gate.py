"""The gate: the one middleware that decides which request reaches a route, by its Host, its token and the scope of the route."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, get_args

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from sightread.crawler.urls import is_loopback
from sightread.render.errors import BadRecord, Rejected, quoted
from sightread.render.files import write_atomically
from sightread.server.http import check_host, check_loopback_host
from sightread.server.routes.table import PUBLIC, route_of

TokenScope = Literal["read", "jobs", "learn", "metrics"]
SCOPES: frozenset[str] = frozenset(get_args(TokenScope))
"""Scopes of a token: to read pages, to create and see jobs, to learn sites (which changes what all callers get), to see metrics."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a request."""

    name: str
    """Of the token; the address if none is required."""
    scopes: frozenset[str] = SCOPES
    token: str = ""
    """The id of the token, if tokens have ids."""


CALLER: web.RequestKey[Caller] = web.RequestKey("caller", Caller)


class Tokens(Protocol):
    """Accepted tokens."""

    def find(self, token: str) -> Caller | None:
        """Return whose token it is, compared in constant time; None if it is not accepted."""

    def rights(self, caller: str, token: str = "") -> frozenset[str]:
        """Return the scopes that a caller has now by the token of an id, or by any token of the caller; none if none is accepted."""


class SingleToken:
    """One token with every scope."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._caller = Caller("token")

    def find(self, token: str) -> Caller | None:
        """Return the caller if the token is that one."""
        return self._caller if hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token) else None

    def rights(self, caller: str, _token: str = "") -> frozenset[str]:
        """Return every scope for the caller with the token."""
        return self._caller.scopes if caller == self._caller.name else frozenset()


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """Whom the gate lets through."""

    tokens: Tokens | None = None
    """None if no token is required: then only requests under a loopback name with the own port pass."""
    hosts: frozenset[str] = frozenset()
    """Host names (in lower case, without port) under which the service responds, besides loopback names; with tokens, any if none."""
    origins: frozenset[str] = frozenset()
    """Origins of other sites whose scripts may read the answers (CORS): none by default."""


class Gate:
    """The middleware, and the security headers of every response."""

    def __init__(self, policy: GatePolicy) -> None:
        self._policy = policy

    def install(self, app: web.Application) -> None:
        """Put the gate before all routes of an application."""
        app.middlewares.append(self._guard)
        app.on_response_prepare.append(self._add_headers)

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        policy, route = self._policy, route_of(request)
        if policy.hosts:
            check_host(request, policy.hosts)
        elif policy.tokens is None:
            check_loopback_host(request)
        if self._is_allowed_origin(request) and request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return web.Response(status=204, headers=_PREFLIGHT)  # it bears no token (Fetch standard, section 3.3)
        scope = route.scope if route else "read"
        if scope == PUBLIC:
            request[CALLER] = Caller(request.remote or "", frozenset())
            return await handler(without_internal_headers(request))
        if self._is_of_other_site(request):
            raise web.HTTPForbidden(text="scripts of other origins get no answer: the operator may allow one with --allow-origin\n")
        caller = Caller(request.remote or "local") if policy.tokens is None else _authenticated(request, policy.tokens)
        if scope not in caller.scopes:
            raise web.HTTPForbidden(text=f"the token lacks the scope {scope}: ask the operator for one that has it\n")
        request[CALLER] = caller
        return await handler(without_internal_headers(request))

    def _is_allowed_origin(self, request: web.Request) -> bool:
        return request.headers.get("Origin", "") in self._policy.origins

    def _is_of_other_site(self, request: web.Request) -> bool:
        """Return whether a page of another origin makes a browser send the request, without a preflight request."""
        origin, site = request.headers.get("Origin", ""), request.headers.get("Sec-Fetch-Site")
        if self._is_allowed_origin(request):
            return False
        return site not in ("none", "same-origin") if site else bool(origin) and origin.partition("://")[2] != request.host

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        if self._policy.origins:
            response.headers.add("Vary", "Origin")
        if self._is_allowed_origin(request):
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"


OF_A_PAGE = ("script", "style", "img", "connect")
"""Sources that the start page and the inspector load, all of them from their own origin."""


def content_policy(*sources: str, framed_by: str = "none") -> str:
    """Return a content security policy by which a page loads these kinds of sources from its own origin, and nothing else."""
    allowed = "".join(f"{source}-src 'self'; " for source in sources)
    return f"default-src 'none'; {allowed}base-uri 'none'; form-action 'none'; frame-ancestors '{framed_by}'"


SECURITY_HEADERS = {
    "Content-Security-Policy": content_policy(),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""Of every response that has no other value for them."""
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "authorization, content-type, idempotency-key",
    "Access-Control-Max-Age": "600",
}


def _authenticated(request: web.Request, tokens: Tokens) -> Caller:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    caller = tokens.find(given)
    if scheme == "Bearer" and caller is not None:
        return caller
    message = "send the token, as Authorization: Bearer TOKEN"
    if scheme == "Bearer" and given:
        message = "the token is not valid: it is unknown, expired or revoked: ask the operator for one that is"
    raise web.HTTPUnauthorized(text=f"{message}\n", headers={"WWW-Authenticate": "Bearer"})


ORIGIN: web.RequestKey[str] = web.RequestKey("origin", str)
"""Of a request behind the listening process: scheme, host and port under which the client reached it."""
_INTERNAL = "x-sightread-"
_FORWARDED_CALLER, _FORWARDED_SCOPES, _FORWARDED_TOKEN, _FORWARDED_ORIGIN = (
    f"{_INTERNAL}{name}" for name in ("caller", "scopes", "token", "origin")
)


def without_internal_headers(request: web.Request) -> web.Request:
    """Return a request without the headers between the two processes, so that none is accepted from a client or read as an option."""
    if not any(name.lower().startswith(_INTERNAL) for name in request.headers):
        return request
    return request.clone(headers=[(name, value) for name, value in request.headers.items() if not name.lower().startswith(_INTERNAL)])


def forwarded_headers(caller: Caller, origin: str) -> dict[str, str]:
    """Return the headers by which the listening process names the caller, and the service's own origin, to its worker."""
    scopes = " ".join(sorted(caller.scopes))
    return {_FORWARDED_CALLER: caller.name, _FORWARDED_SCOPES: scopes, _FORWARDED_TOKEN: caller.token, _FORWARDED_ORIGIN: origin}


@web.middleware
async def behind_listener(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Take the caller from the listening process, whose gate the request has passed: for a socket that only it reaches."""
    scopes = frozenset(request.headers.get(_FORWARDED_SCOPES, "").split())
    request[CALLER] = Caller(request.headers.get(_FORWARDED_CALLER, "local"), scopes, request.headers.get(_FORWARDED_TOKEN, ""))
    if origin := request.headers.get(_FORWARDED_ORIGIN):
        request[ORIGIN] = origin
    return await handler(without_internal_headers(request))


PREFIX = "sightread"
"""Of every token, so that programs that look for leaked secrets can find it."""
DAY = 86_400.0
TOKEN_SETTING = "SIGHTREAD_TOKEN"  # noqa: S105  (the name of one)


class TokenRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One token; times in seconds since 1970."""

    id: str
    name: str
    """Of the caller; several tokens with one name are the same caller, so that one can take the place of another."""
    sha256: str
    """Hexadecimal hash of the token, which has 192 random bits: a slow hash would add nothing."""
    scopes: tuple[str, ...]
    created: float
    expires: float = 0.0
    """0 for never."""
    revoked: float = 0.0
    """When it was revoked; 0 if it was not."""

    def is_accepted(self, now: float) -> bool:
        """Return whether a request with the token passes."""
        return not self.revoked and (not self.expires or now < self.expires)


class TokenFile:
    """The tokens of a file. A change of the file counts from the next request on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._records: tuple[TokenRecord, ...] = ()

    def find(self, token: str) -> Caller | None:
        """Return whose token it is; None if it is not accepted. Raises `BadRecord` if the file is missing or damaged."""
        given, now, found = _hash(token), time.time(), None
        for record in self._current():
            if hmac.compare_digest(record.sha256, given) and record.is_accepted(now):
                found = record
        return Caller(found.name, frozenset(found.scopes), found.id) if found else None

    def rights(self, caller: str, token: str = "") -> frozenset[str]:
        """Return the scopes that a caller has now by the token of an id, or by any of its tokens. Raises `BadRecord`."""
        now = time.time()
        own = [each for each in self._current() if each.name == caller and token in ("", each.id) and each.is_accepted(now)]
        return frozenset(scope for each in own for scope in each.scopes)

    def records(self) -> tuple[TokenRecord, ...]:
        """Return all tokens of the file, the oldest first. Raises `BadRecord`."""
        return self._current()

    def add(self, name: str, scopes: Collection[str], days: float = 0.0) -> str:
        """Add a token and return it, for the only time. Raises `Rejected` for a wrong name or scope, and `StorageFailed`."""
        if not 0 < len(name) <= 60 or not name.isascii() or not name.replace("-", "").replace(".", "").replace("_", "").isalnum():
            raise Rejected(f"the name {quoted(name)} is not one: give 1 to 60 letters, digits, hyphens, dots or underscores")
        if wrong := sorted(set(scopes) - SCOPES):
            raise Rejected(f"no scope is called {quoted(wrong[0])}; there are {', '.join(sorted(SCOPES))}")
        now = time.time()
        record_id = secrets.token_hex(4)
        token = f"{PREFIX}_{record_id}_{secrets.token_urlsafe(24)}"
        record = TokenRecord(
            id=record_id,
            name=name,
            sha256=_hash(token),
            scopes=tuple(sorted(scopes)),
            created=now,
            expires=now + days * DAY if days else 0.0,
        )
        self._write([*(self._current() if self.path.exists() else ()), record])
        return token

    def revoke(self, which: str) -> tuple[TokenRecord, ...]:
        """Revoke the token of an id, or all tokens of a name, and return them. Raises `Rejected` if there is none."""
        chosen = [record.id for record in self._current() if which in (record.id, record.name) and not record.revoked]
        if not chosen:
            raise Rejected(f"{self.path}: no token in use has the id or name {quoted(which)}: sightread token list shows them")
        now = time.time()
        records = [msgspec.structs.replace(record, revoked=now) if record.id in chosen else record for record in self._current()]
        self._write(records)
        return tuple(record for record in records if record.id in chosen)

    def _current(self) -> tuple[TokenRecord, ...]:
        try:
            stat = self.path.stat()
            seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            if seen != self._seen:
                self._records = msgspec.json.decode(self.path.read_bytes(), type=tuple[TokenRecord, ...])
                self._seen = seen
        except FileNotFoundError as error:
            raise BadRecord(f"{self.path}: no such file: make it with sightread token add NAME --file {self.path}") from error
        except OSError as error:
            raise BadRecord(f"{self.path}: cannot be read: {error.strerror}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRecord(f"{self.path}: no file of tokens: {error}: move it away, and add the tokens again") from error
        return self._records

    def _write(self, records: Sequence[TokenRecord]) -> None:
        write_atomically(self.path, msgspec.json.format(msgspec.json.encode(records), indent=1) + b"\n")
        self.path.chmod(0o600)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def read_tokens(host: str, file: Path | None) -> Tokens | None:
    """Return the accepted tokens: those of the file, else that of SIGHTREAD_TOKEN; None if none is required.

    Raises `Rejected` if one is required, because `host` is no loopback address, and there is none, or it is too weak; and `BadRecord`.
    """
    if file is not None:
        tokens = TokenFile(file)
        tokens.records()
        return tokens
    token = os.environ.get(TOKEN_SETTING, "")
    if token and not re.fullmatch(r"[\x21-\x7e]{16,}", token):
        raise Rejected(f"{TOKEN_SETTING} must have at least 16 characters, all of them printable ASCII: openssl rand -hex 24 makes one")
    if not token and not is_loopback(f"http://[{host}]" if ":" in host else f"http://{host}"):
        remedy = f"give --token-file, set {TOKEN_SETTING}, or listen on 127.0.0.1"
        raise Rejected(f"--host {host}: any client that reaches it could use it: {remedy}")
    return SingleToken(token) if token else None
