"""Webhooks of the Firecrawl API: the events of a job, sent to the address that its caller gave."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from sightread.render.errors import Rejected
from sightread.render.visit.requests import Access
from sightread.server.compat.firecrawl import answers
from sightread.server.compat.firecrawl.requests import JobNote, Webhook
from sightread.server.jobs.runner import JobEvent
from sightread.server.schema.answers import Outcome

if TYPE_CHECKING:
    from sightread.server.service import Service

ORIGIN = "firecrawl"
"""Of the jobs of this API."""
SIGNATURE = "X-Firecrawl-Signature"
MOST_METADATA = 10_000
"""Bytes of the metadata that a caller gives, which every event repeats."""
_NAMES = {"crawl": "crawl", "batch": "batch_scrape"}


async def check_webhook(service: Service, webhook: Webhook) -> None:
    """Raise `Rejected` for an address or headers that would not be sent, before the job begins."""
    Access(webhook.url, headers=tuple(webhook.headers.items()))
    if len(msgspec.json.encode(webhook.metadata)) > MOST_METADATA:
        raise Rejected(f"webhook.metadata has more than {MOST_METADATA} bytes: send less")
    await service.webhooks.check(webhook.url)


async def observe(service: Service, event: JobEvent) -> None:
    """Send an event of a job, if its caller subscribed to it. Pages that failed are sent without `success`, with the error."""
    note = msgspec.json.decode(event.job.extra, type=JobNote)
    if note.webhook is None:
        return
    name = "failed" if event.error is not None else "completed" if event.kind == "finished" else event.kind
    if name not in [each.rpartition(".")[2] for each in note.webhook.events]:
        return
    job = event.job.record
    kind = f"{_NAMES[job.kind]}.{name}"
    body = await asyncio.to_thread(_body, kind, job.id, note, event)
    secret = service.engine.policy.webhook_secret
    service.webhooks.deliver(note.webhook.url, body, secret, note.webhook.headers, SIGNATURE)


def _body(kind: str, job: str, note: JobNote, event: JobEvent) -> bytes:
    if event.row is None:
        return answers.event(kind, job, note, error=event.error.message if event.error else "")
    outcome = msgspec.json.decode(event.row.body, type=Outcome)
    error = outcome.error.message if outcome.error else ""
    return answers.event(kind, job, note, answers.documents(job, note, [outcome]), error, event.row.key)
