"""Small sites that a thread of their own serves, so that a command may block the test's own thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from sightread.data.demo import build_site

HTML = "text/html; charset=utf-8"
Answer = str | tuple[int, str, bytes] | Callable[[], str]
"""A page's HTML; or status, content type (of a redirect: where it leads) and body; or what makes the HTML, in a thread of its own."""


@dataclass(frozen=True, slots=True)
class Website:
    """A site on 127.0.0.1. Its pages may be changed while it is served; what is not among them is a 404."""

    root: str
    pages: dict[str, Answer]
    requests: list[str] = field(default_factory=list)
    """The paths asked for so far, in order."""
    received: list[dict[str, str]] = field(default_factory=list)
    """The headers of those requests, their names in lower case."""

    def url(self, path: str = "/") -> str:
        return self.root + path


@contextmanager
def serving(pages: Mapping[str, Answer]) -> Iterator[Website]:
    """Serve the pages for the length of the context, at a port of their own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        site = Website(f"http://127.0.0.1:{server.server_port}", dict(pages))
        server.RequestHandlerClass = _handler(site)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def serving_demo(*below: str) -> Iterator[Website]:
    """Serve the demo site; where paths are given, only what lies below them, and no sitemap."""
    with serving({}) as site:
        for path, resource in build_site(site.root).items():
            if not below or path.startswith((*below, "/static/")):
                site.pages[path] = (resource.status, resource.location or resource.content_type, resource.body)
        yield site


def _handler(site: Website) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append(self.path)
            site.received.append({name.lower(): value for name, value in self.headers.items()})
            found = site.pages.get(self.path.partition("?")[0], (404, HTML, b"<p>Not found"))
            found = found() if callable(found) else found
            status, kind, body = (200, HTML, found.encode()) if isinstance(found, str) else found
            self.send_response(status)
            self.send_header("Location" if 300 <= status < 400 else "Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):  # the browser was killed meanwhile
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
