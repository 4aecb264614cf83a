"""Adds configured headers, cookies and credentials to requests to one origin.

Playwright's own extra headers are sent with every request of a page, to any host. So headers are added here request by request, through
the debugging protocol: only requests to the origin are held up for it, and what is added to one does not follow its redirects.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.visit.credentials import Access


async def grant(tab: Tab, access: Access) -> None:
    """Add the configured headers, cookies and credentials to the tab's requests to the origin, before the first page is opened."""
    session = await tab.context.new_cdp_session(tab)
    if access.cookies:
        secure = access.origin.startswith("https:")
        cookies = [
            {"name": name, "value": value, "url": f"{access.origin}/", "path": "/", "secure": secure, "sameSite": "Lax"}
            for name, value in access.cookies
        ]
        await session.send("Network.setCookies", {"cookies": cookies})
    if not access.headers and not access.user:
        return
    answered: set[str] = set()

    async def continue_request(paused: dict[str, Any]) -> None:
        request = paused["request"]
        answer: dict[str, Any] = {"requestId": paused["requestId"]}
        if request["url"].startswith(f"{access.origin}/") and access.headers:
            answer["headers"] = _with(request["headers"], access.headers)
        with suppress(PlaywrightError):  # the page went away meanwhile
            await session.send("Fetch.continueRequest", answer)

    async def answer(paused: dict[str, Any]) -> None:
        challenge, request = paused["authChallenge"], paused["requestId"]
        is_origin = challenge["origin"] == access.origin and challenge.get("source") != "Proxy" and request not in answered
        answered.add(request)  # a second challenge means that they were refused
        known = {"response": "ProvideCredentials", "username": access.user, "password": access.password}
        with suppress(PlaywrightError):
            response = known if is_origin else {"response": "CancelAuth"}
            await session.send("Fetch.continueWithAuth", {"requestId": request, "authChallengeResponse": response})

    session.on("Fetch.requestPaused", continue_request)
    session.on("Fetch.authRequired", answer)
    pattern = {"urlPattern": f"{access.origin}/*"}
    await session.send("Fetch.enable", {"patterns": [pattern], "handleAuthRequests": bool(access.user)})


def _with(headers: dict[str, str], added: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    replaced = {name.lower() for name, _ in added}
    kept = [(name, value) for name, value in headers.items() if name.lower() not in replaced]
    return [{"name": name, "value": value} for name, value in (*kept, *added)]
