"""The worker process of `sightread.extract_many`: one warm model, one page at a time, over a connection to its parent.

Its program is `from sightread.batch.worker import serve; serve(DESCRIPTOR)`: unlike `multiprocessing`, it does not import the program that
started it, so scripts need no `if __name__ == "__main__"`. It ends when its parent closes the connection, or dies.
"""

from __future__ import annotations

import signal
from contextlib import suppress
from multiprocessing.connection import Connection

import msgspec

from sightread.batch.outcome import defect
from sightread.document.document import Document
from sightread.models.model_choice import DOM_ONLY, FALLBACK, choose_model
from sightread.reading import read_static
from sightread.reading.extraction import ResultForm
from sightread.render.errors import SightreadError
from sightread.sites.store import SiteStore


class ExtractionOrder(msgspec.Struct, frozen=True):
    """Instructions for all pages, sent to a worker once."""

    model: str
    output_format: str | None
    options: dict[str, bool]


def serve(descriptor: int) -> None:
    """Answer one page after another: HTML and URL come in, and a document, a text or an error goes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the parent decides when to end
    with Connection(descriptor) as connection, suppress(EOFError, ConnectionError):
        order = msgspec.json.decode(connection.recv_bytes(), type=ExtractionOrder)
        _warm_up(order.model)
        connection.send(None)
        while True:
            html, url = connection.recv()
            connection.send(_read(order, html, url))


def _warm_up(model: str) -> None:
    """Load the model; a wrong name was refused by the parent."""
    if model in ("auto", "site"):
        DOM_ONLY[FALLBACK]()
    else:
        choose_model(model, "", SiteStore(), rendered=False)


def _read(order: ExtractionOrder, html: str | bytes, url: str) -> Document | str | SightreadError:
    try:
        shape = ResultForm.of("extract_many()", url, order.model, order.output_format, order.options)  # type: ignore[arg-type]
        return shape.applied(read_static(html, url, order.model).document)
    except SightreadError as error:
        return error
    except Exception as error:  # noqa: BLE001  (one page of many: recorded as its error, and the others are read)
        return defect(url, error)
