"""Chunks for retrieval as JSON lines, one per chunk; the fields are those of `sightread.document.chunks.Chunk`."""

from __future__ import annotations

import msgspec

from sightread.document.formats import Document, Format, WriteOptions


def _write(document: Document, options: WriteOptions) -> str:
    chunks = document.chunks(options.chunk_tokens, options.chunk_overlap, citations=bool(options.citations))
    return "".join(f"{msgspec.json.encode(chunk).decode()}\n" for chunk in chunks)


FORMAT = Format(_write, "application/x-ndjson", holds_metadata=True, takes_citations=True)
