"""The gate: the one middleware that decides which request reaches a route. It checks the Host, the token and the scope of the route."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from sightread.server.http import check_host, check_loopback_host
from sightread.server.routes.table import PUBLIC, route_of

Scope = Literal["read", "jobs", "learn", "metrics"]
SCOPES: frozenset[str] = frozenset(get_args(Scope))
"""What a token may allow: to read pages, to create and see jobs, to learn sites (which changes what all callers get), to see metrics."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request."""

    name: str
    """Of the token; the address if none is required."""
    scopes: frozenset[str] = SCOPES


CALLER: web.RequestKey[Caller] = web.RequestKey("caller", Caller)


class Tokens(Protocol):
    """Accepted tokens."""

    def find(self, token: str) -> Caller | None:
        """Return whose token it is, compared in constant time; None if it is not accepted."""


class SingleToken:
    """One token with every scope."""

    def __init__(self, token: str, name: str = "token") -> None:
        self._token = token.encode()
        self._caller = Caller(name)

    def find(self, token: str) -> Caller | None:
        """Return the caller if the token is that one."""
        return self._caller if hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token) else None


def gate(tokens: Tokens | None, hosts: Collection[str] = ()) -> Middleware:
    """Return the middleware. Without tokens, only requests under a loopback name with the own port pass; with them, those whose Host is
    one of `hosts`, or any if there are none.
    """

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        route = route_of(request)
        if hosts:
            check_host(request, hosts)
        elif tokens is None:
            check_loopback_host(request)
        scope = route.scope if route else "read"
        if scope == PUBLIC:
            request[CALLER] = Caller(request.remote or "", frozenset())
            return await handler(request)
        caller = Caller(request.remote or "local") if tokens is None else _authenticated(request, tokens)
        if scope not in caller.scopes:
            raise web.HTTPForbidden(text=f"the token lacks the scope {scope}: ask the operator for one that has it\n")
        request[CALLER] = caller
        return await handler(request)

    return guard


def _authenticated(request: web.Request, tokens: Tokens) -> Caller:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    caller = tokens.find(given)
    if scheme != "Bearer" or caller is None:
        raise web.HTTPUnauthorized(text="send the token, as Authorization: Bearer TOKEN\n", headers={"WWW-Authenticate": "Bearer"})
    return caller


FORWARDED_CALLER = "X-Sightread-Caller"
FORWARDED_SCOPES = "X-Sightread-Scopes"
"""Headers by which the listening process names the caller to its worker; those of clients are dropped."""


@web.middleware
async def behind_listener(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Take the caller from the listening process, whose gate the request has passed: for a socket that only it reaches."""
    scopes = frozenset(request.headers.get(FORWARDED_SCOPES, "").split())
    request[CALLER] = Caller(request.headers.get(FORWARDED_CALLER, "local"), scopes)
    return await handler(request)
