"""The gate: the one middleware that decides which request reaches a route, by its Host, its token and the scope of the route."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from aiohttp import web
from aiohttp.typedefs import Handler

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
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if self._policy.origins:
            response.headers.add("Vary", "Origin")
        if self._is_allowed_origin(request):
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"


_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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
