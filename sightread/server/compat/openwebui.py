"""Open WebUI's external web loader: `POST /loader` with a list of addresses, answered by a list of documents."""

from __future__ import annotations

from typing import Any

import msgspec

from sightread.render.errors import Rejected
from sightread.server.compat.options import convert, decode_object
from sightread.server.schema.answers import ExtractAnswer

MOST_URLS = 100
"""Of one request; Open WebUI sends twenty."""


class LoaderRequest(msgspec.Struct):
    """The body of `POST /loader`."""

    urls: list[str]


def translate(body: bytes) -> tuple[str, ...]:
    """Return the addresses, each once. Raises `Rejected`."""
    urls = tuple(dict.fromkeys(convert(decode_object(body, "urls"), LoaderRequest).urls))
    if not 0 < len(urls) <= MOST_URLS:
        raise Rejected(f"{len(urls)} urls: send 1 to {MOST_URLS}")
    return urls


def document(url: str, answer: ExtractAnswer) -> dict[str, Any]:
    """Return a page as a document of Open WebUI; `source` is the address that was requested."""
    found = answer.metadata
    metadata = {
        "source": url,
        "url": answer.page.final_url,
        "title": found.title,
        "description": found.description,
        "language": found.language,
        "author": ", ".join(found.authors),
        "published": found.published,
    }
    return {"page_content": answer.markdown, "metadata": {name: value for name, value in metadata.items() if value}}
