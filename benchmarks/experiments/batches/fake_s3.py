"""A fake S3 that fails: some requests are not carried out, others are and their answer is lost, so that clients repeat them."""

from __future__ import annotations

import random
import threading
from collections import Counter
from email.utils import formatdate
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

CREDENTIALS = {"AWS_ACCESS_KEY_ID": "fake", "AWS_SECRET_ACCESS_KEY": "fake", "AWS_DEFAULT_REGION": "us-east-1"}


class FakeS3:
    """Objects in memory, over HTTP on loopback: put, get, head, delete, list, and If-None-Match. A context manager."""

    def __init__(self, failures: float, seed: int = 0) -> None:
        self.failures = failures
        """Share of requests that fail, half of them after they were carried out."""
        self.objects: dict[str, bytes] = {}
        self.counts: Counter[str] = Counter()
        self._chance = random.Random(seed)
        self._lock = threading.Lock()
        store = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, content, headers = store.answer(self.command, self.path, body, self.headers.get("If-None-Match"))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", headers.get("X-Length") or str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

        for method in ("GET", "PUT", "HEAD", "DELETE", "POST"):
            setattr(Handler, f"do_{method}", Handler._answer)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables with which clients reach it."""
        return {**CREDENTIALS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._server.server_port}"}

    def __enter__(self) -> FakeS3:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method: str, path: str, body: bytes, none_match: str | None) -> tuple[int, bytes, dict[str, str]]:
        """Carry out a request, or fail."""
        with self._lock:
            self.counts["requests"] += 1
            fails = self._chance.random() < self.failures
            if fails and self._chance.random() < 0.5:
                self.counts["not carried out"] += 1
                return 503, _error("SlowDown"), {}
            found = self._carry_out(method, path, body, none_match)
            if fails:
                self.counts["answer lost"] += 1
                return 503, _error("InternalError"), {}
            return found

    def _carry_out(self, method: str, path: str, body: bytes, none_match: str | None) -> tuple[int, bytes, dict[str, str]]:
        parts = urlsplit(path)
        bucket, _, key = unquote(parts.path).lstrip("/").partition("/")
        query = parse_qs(parts.query, keep_blank_values=True)
        name = f"{bucket}/{key}"
        if method == "PUT" and key:
            if none_match == "*" and name in self.objects:
                self.counts["refused by If-None-Match"] += 1
                return 412, _error("PreconditionFailed"), {}
            self.objects[name] = body
            return 200, b"", {"ETag": _tag(body)}
        if method == "DELETE":
            self.objects.pop(name, None)
            return 204, b"", {}
        if method == "POST" and "delete" in query:
            return 200, b"<DeleteResult/>", {}
        if method in ("GET", "HEAD") and key:
            content = self.objects.get(name)
            if content is None:
                return 404, _error("NoSuchKey"), {}
            headers = {"ETag": _tag(content), "Last-Modified": formatdate(usegmt=True), "X-Length": str(len(content))}
            return 200, content, headers
        return 200, self._listing(bucket, query), {"Content-Type": "application/xml"}

    def _listing(self, bucket: str, query: dict[str, list[str]]) -> bytes:
        prefix, delimiter = query.get("prefix", [""])[0], query.get("delimiter", [""])[0]
        keys = sorted(name.partition("/")[2] for name in self.objects if name.startswith(f"{bucket}/"))
        files, folders = [], dict[str, None]()
        for key in (key for key in keys if key.startswith(prefix)):
            rest = key[len(prefix) :]
            if delimiter and delimiter in rest:
                folders[prefix + rest.partition(delimiter)[0] + delimiter] = None
            else:
                size = len(self.objects[f"{bucket}/{key}"])
                time = "<LastModified>2026-01-01T00:00:00Z</LastModified>"
                files.append(f"<Contents><Key>{escape(key)}</Key><Size>{size}</Size>{time}</Contents>")
        shared = "".join(f"<CommonPrefixes><Prefix>{escape(folder)}</Prefix></CommonPrefixes>" for folder in folders)
        head = f"<Name>{bucket}</Name><Prefix>{escape(prefix)}</Prefix><IsTruncated>false</IsTruncated><KeyCount>{len(files)}</KeyCount>"
        return f'<?xml version="1.0"?><ListBucketResult>{head}{"".join(files)}{shared}</ListBucketResult>'.encode()


def _tag(content: bytes) -> str:
    return f'"{md5(content, usedforsecurity=False).hexdigest()}"'


def _error(code: str) -> bytes:
    return f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{code}</Message></Error>'.encode()
