"""Tokens of the service in a file: only their hashes, with name, scopes and expiry. A running service reads the file when it changes."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from sightread.crawler.urls import is_loopback
from sightread.render.errors import BadRecord, Rejected, quoted
from sightread.render.files import write_atomically
from sightread.server.access.gate import SCOPES, Caller, SingleToken, Tokens

PREFIX = "sightread"
"""Of every token, so that programs that look for leaked secrets can find it."""
DAY = 86_400.0
TOKEN_SETTING = "SIGHTREAD_TOKEN"  # noqa: S105  (the name of one)


class TokenRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One token; times in seconds since 1970."""

    id: str
    name: str
    """Of the caller; several tokens with one name are the same caller, so that one can take the place of another."""
    sha256: str
    """Hexadecimal hash of the token, which has 192 random bits: a slow hash would add nothing."""
    scopes: tuple[str, ...]
    created: float
    expires: float = 0.0
    """0 for never."""
    revoked: float = 0.0
    """When it was revoked; 0 if it was not."""

    def is_accepted(self, now: float) -> bool:
        """Return whether a request with the token passes."""
        return not self.revoked and (not self.expires or now < self.expires)


class TokenFile:
    """The tokens of a file. A change of the file counts from the next request on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._records: tuple[TokenRecord, ...] = ()

    def find(self, token: str) -> Caller | None:
        """Return whose token it is; None if it is not accepted. Raises `BadRecord` if the file is missing or damaged."""
        given, now, found = _hash(token), time.time(), None
        for record in self._current():
            if hmac.compare_digest(record.sha256, given) and record.is_accepted(now):
                found = record
        return Caller(found.name, frozenset(found.scopes), found.id) if found else None

    def rights(self, caller: str, token: str = "") -> frozenset[str]:
        """Return the scopes that a caller has now by the token of an id, or by any of its tokens. Raises `BadRecord`."""
        now = time.time()
        own = [each for each in self._current() if each.name == caller and token in ("", each.id) and each.is_accepted(now)]
        return frozenset(scope for each in own for scope in each.scopes)

    def records(self) -> tuple[TokenRecord, ...]:
        """Return all tokens of the file, the oldest first. Raises `BadRecord`."""
        return self._current()

    def add(self, name: str, scopes: Collection[str], days: float = 0.0) -> str:
        """Add a token and return it, for the only time. Raises `Rejected` for a wrong name or scope, and `StorageFailed`."""
        if not 0 < len(name) <= 60 or not name.isascii() or not name.replace("-", "").replace(".", "").replace("_", "").isalnum():
            raise Rejected(f"the name {quoted(name)} is not one: give 1 to 60 letters, digits, hyphens, dots or underscores")
        if wrong := sorted(set(scopes) - SCOPES):
            raise Rejected(f"no scope is called {quoted(wrong[0])}; there are {', '.join(sorted(SCOPES))}")
        now = time.time()
        record_id = secrets.token_hex(4)
        token = f"{PREFIX}_{record_id}_{secrets.token_urlsafe(24)}"
        record = TokenRecord(
            id=record_id,
            name=name,
            sha256=_hash(token),
            scopes=tuple(sorted(scopes)),
            created=now,
            expires=now + days * DAY if days else 0.0,
        )
        self._write([*(self._current() if self.path.exists() else ()), record])
        return token

    def revoke(self, which: str) -> tuple[TokenRecord, ...]:
        """Revoke the token of an id, or all tokens of a name, and return them. Raises `Rejected` if there is none."""
        chosen = [record.id for record in self._current() if which in (record.id, record.name) and not record.revoked]
        if not chosen:
            raise Rejected(f"{self.path}: no token in use has the id or name {quoted(which)}: sightread token list shows them")
        now = time.time()
        records = [msgspec.structs.replace(record, revoked=now) if record.id in chosen else record for record in self._current()]
        self._write(records)
        return tuple(record for record in records if record.id in chosen)

    def _current(self) -> tuple[TokenRecord, ...]:
        try:
            stat = self.path.stat()
            seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            if seen != self._seen:
                self._records = msgspec.json.decode(self.path.read_bytes(), type=tuple[TokenRecord, ...])
                self._seen = seen
        except FileNotFoundError as error:
            raise BadRecord(f"{self.path}: no such file: make it with sightread token add NAME --file {self.path}") from error
        except OSError as error:
            raise BadRecord(f"{self.path}: cannot be read: {error.strerror}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRecord(f"{self.path}: no file of tokens: {error}: move it away, and add the tokens again") from error
        return self._records

    def _write(self, records: Sequence[TokenRecord]) -> None:
        write_atomically(self.path, msgspec.json.format(msgspec.json.encode(records), indent=1) + b"\n")
        self.path.chmod(0o600)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def read_tokens(host: str, file: Path | None) -> Tokens | None:
    """Return the accepted tokens: those of the file, else that of SIGHTREAD_TOKEN; None if none is required.

    Raises `Rejected` if one is required, because `host` is no loopback address, and there is none, or it is too weak; and `BadRecord`.
    """
    if file is not None:
        tokens = TokenFile(file)
        tokens.records()
        return tokens
    token = os.environ.get(TOKEN_SETTING, "")
    if token and not re.fullmatch(r"[\x21-\x7e]{16,}", token):
        raise Rejected(f"{TOKEN_SETTING} must have at least 16 characters, all of them printable ASCII: openssl rand -hex 24 makes one")
    if not token and not is_loopback(f"http://[{host}]" if ":" in host else f"http://{host}"):
        remedy = f"give --token-file, set {TOKEN_SETTING}, or listen on 127.0.0.1"
        raise Rejected(f"--host {host}: any client that reaches it could use it: {remedy}")
    return SingleToken(token) if token else None
