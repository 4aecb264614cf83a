"""Answers of ours in the form of the Firecrawl API, and the events of its webhooks."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from sightread.crawler.fetch import FORBIDDEN
from sightread.render.text.words import words
from sightread.server.compat.firecrawl.requests import JobNote, Version
from sightread.server.compat.firecrawl.scrape_options import OutputRequest
from sightread.server.schema.answers import (
    FINAL,
    ChangeRecord,
    ExtractAnswer,
    JobRecord,
    JobState,
    MapAnswer,
    MapLink,
    Outcome,
    PageRecord,
    ResponseRecord,
    ScreenshotRecord,
)

CODES = {"TimedOut": "SCRAPE_TIMEOUT"}
"""Names of our errors for which clients know a code of the API; others keep their own."""
STATUSES: Mapping[JobState, str] = {
    "queued": "scraping",
    "running": "scraping",
    "done": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
}


def document(answer: ExtractAnswer, output: OutputRequest, warnings: Sequence[str] = (), scrape_id: str = "") -> dict[str, Any]:
    """Return a page as `data` of a scrape, or one of a job's documents."""
    warnings = [*warnings, *(note.message for note in answer.notes if note.level == "warning"), *answer.page.warnings]
    found: dict[str, Any] = {}
    shot = _screenshot(answer.page.screenshot, warnings)
    for name in output.formats:
        match name:
            case "markdown":
                found["markdown"] = answer.markdown
            case "html":
                found["html"] = _given(answer.html) or ""
            case "rawHtml":
                found["rawHtml"] = _given(answer.page.html) or ""
            case "links":
                found["links"] = list(dict.fromkeys(link.url for link in _given(answer.page.links)))
            case "images":
                found["images"] = list(dict.fromkeys(image.url for image in _given(answer.page.images) if image.url))
            case "changeTracking":
                found["changeTracking"] = _change(answer.change, output.has_diff)
            case _:
                found["screenshot"] = shot
    if output.action_screenshots:
        found["actions"] = {"screenshots": [shot] * output.action_screenshots if shot else [], "scrapes": [], "pdfs": []}
    if answer.reason:
        warnings.append(answer.reason)
    if warnings:
        found["warning"] = "; ".join(dict.fromkeys(warnings))
    found["metadata"] = _metadata(answer, scrape_id)
    return found


def site_map(answer: MapAnswer, search: str, limit: int, version: Version) -> dict[str, Any]:
    """Return the answer to a map: the addresses that a crawl would take first; those that share words with `search` before all others."""
    links = list({link.url: link for link in (*answer.links, *answer.spare)}.values())
    searched = frozenset(words(search))
    if searched:
        links.sort(key=lambda link: -len(searched & frozenset(words(f"{link.url} {link.title}"))))
    return {"success": True, "links": [link.url if version == 1 else _map_link(link) for link in links[:limit]]}


def _map_link(link: MapLink) -> dict[str, str]:
    found = {"url": link.url, "title": link.title, "description": link.description}
    return {name: value for name, value in found.items() if value}


def job_status(job: JobRecord, note: JobNote, outcomes: Iterable[Outcome], following: str = "", keep: float = 0.0) -> dict[str, Any]:
    """Return one page of a job's results; `following` is the address of the next, if there is one. Pages that failed are in `errors`.

    `keep` is the time in seconds for which a finished job is kept: one that runs does not expire earlier.
    """
    answer: dict[str, Any] = {
        "success": True,
        "status": STATUSES[job.state],
        "completed": job.done,
        "total": _total(job),
        "creditsUsed": 0,
        "expiresAt": iso_time(job.expires or job.created + keep),
        "data": documents(job.id, note, outcomes),
    }
    if following:
        answer["next"] = following
    if note.warnings:
        answer["warning"] = "; ".join(note.warnings)
    if job.error is not None:
        answer["error"] = job.error.message
    return answer


def _total(job: JobRecord) -> int:
    """Return the number of pages that are known: of a crawl that runs, those that it has visited and the next."""
    visited = job.done + job.failed
    if job.state in FINAL:
        return visited
    return max(job.total, visited) if job.kind == "batch" else visited + 1


def documents(job: str, note: JobNote, outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Return the pages of a job that were read."""
    return [document(outcome.result, note.output, scrape_id=_id(job, outcome.index)) for outcome in outcomes if outcome.result is not None]


def job_errors(job: JobRecord, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Return the pages of a job that failed, and those that robots.txt forbids."""
    failed = [(outcome, outcome.error) for outcome in outcomes if outcome.error is not None]
    is_forbidden = [FORBIDDEN in error.message for _, error in failed]
    return {
        "errors": [
            {
                "id": _id(job.id, outcome.index),
                "timestamp": iso_time(job.finished or job.started or job.created),
                "url": outcome.url,
                "code": CODES.get(error.kind, error.kind),
                "error": error.message,
            }
            for (outcome, error), forbidden in zip(failed, is_forbidden, strict=True)
            if not forbidden
        ],
        "robotsBlocked": [outcome.url for (outcome, _), forbidden in zip(failed, is_forbidden, strict=True) if forbidden],
    }


def event(kind: str, job: str, note: JobNote, data: list[dict[str, Any]] | None = None, error: str = "", key: str = "") -> bytes:
    """Return the body of a webhook: `kind` is `crawl.page`, `batch_scrape.completed` and so on; `key` names the page.

    A repeated delivery has the same `webhookId`.
    """
    assert note.webhook is not None
    body = {
        "success": not error,
        "type": kind,
        "id": job,
        "webhookId": _id(job, f"{kind} {key}"),
        "data": data or [],
        "metadata": note.webhook.metadata,
    }
    return msgspec.json.encode(body | ({"error": error} if error else {}))


def failure(_status: int, kind: str, message: str) -> dict[str, Any]:
    """Return the body of an answer to a request that failed."""
    return {"success": False, "error": message, "code": CODES.get(kind, kind)}


def iso_time(seconds: float) -> str:
    """Return a time since 1970 in ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _id(job: str, part: object) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{job}/{part}"))


def _content_type(page: PageRecord) -> str:
    headers = page.response.headers if isinstance(page.response, ResponseRecord) else ()
    return next((value for name, value in headers if name.lower() == "content-type"), "")


def _change(change: ChangeRecord | msgspec.UnsetType, has_diff: bool) -> dict[str, Any]:
    """Return how a page differs from its last scrape: one that is linked from nowhere is not known as such, so each is "visible"."""
    if not isinstance(change, ChangeRecord):
        return {}
    before = datetime.fromtimestamp(change.previous, UTC).isoformat() if change.previous else None
    found: dict[str, Any] = {"previousScrapeAt": before, "changeStatus": change.status, "visibility": "visible"}
    return found | ({"diff": {"text": change.diff}} if has_diff and change.diff else {})


def _given(value: Any) -> Any:
    return () if value is msgspec.UNSET or value is None else value


def _screenshot(shot: ScreenshotRecord | msgspec.UnsetType | None, warnings: list[str]) -> str | None:
    """Return the screenshot as a `data:` address."""
    if not isinstance(shot, ScreenshotRecord) or not shot.tiles:
        return None
    if len(shot.tiles) > 1:
        warnings.append(f"the screenshot shows the first of {len(shot.tiles)} parts of the page: it is taller than one picture may be")
    return f"data:image/webp;base64,{base64.b64encode(shot.tiles[0]).decode()}"


def _metadata(answer: ExtractAnswer, scrape_id: str) -> dict[str, Any]:
    page, found = answer.page, answer.metadata
    fields = {
        "title": found.title,
        "description": found.description,
        "language": found.language,
        "author": ", ".join(found.authors),
        "ogTitle": found.title,
        "ogDescription": found.description,
        "ogImage": found.image,
        "ogSiteName": found.site_name,
        "ogUrl": found.canonical_url,
        "publishedTime": found.published,
        "modifiedTime": found.modified,
        "sourceURL": page.url,
        "url": page.final_url or page.url,
        "statusCode": page.status,
        "contentType": _content_type(page),
        "scrapeId": scrape_id,
    }
    return {name: value for name, value in fields.items() if value}
