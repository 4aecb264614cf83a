"""Versions of a learned site: the current one, the previous one, and one candidate of a refresh.

A version is promoted by one atomic replacement of the link `current`, so a killed process leaves the old one or the new one in use. The
content of a version does not change during the promotion, and the previous one is kept: processes that read it meanwhile can finish.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from sightread.crawler.corpus import Corpus
from sightread.render.errors import Rejected
from sightread.render.files import storage_errors, write_atomically
from sightread.sites.folders import SiteFolder, SiteHome, site_address

STALE_SECONDS = 24 * 3600.0
"""Seconds after which an unfinished refresh starts again: its pages are no longer fresh."""


class CandidateMark(msgspec.Struct, frozen=True):
    """The content of `refresh.json` in a version that is not in use."""

    start: str
    """The URL that its crawl starts from."""
    begun: float
    """Seconds since 1970."""
    known: tuple[str, ...]
    """URLs of the training pages of the version in use; the crawl prefers others."""
    rejected: str = ""
    """Why it was rejected; empty while it is being made."""


@contextmanager
def locked(site: SiteHome) -> Iterator[None]:
    """Keep other processes from crawling or learning the site; the lock ends with its process. Raises `Rejected` if it is taken.

    A site without any page is deleted afterwards.
    """
    with _lock(site):
        try:
            yield
        finally:
            _forget(site)


def _lock(site: SiteHome) -> BinaryIO:
    path = site.path / "lock"
    while True:
        with storage_errors(site.path):
            site.path.mkdir(parents=True, exist_ok=True)
            lock = path.open("ab")
        try:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise Rejected(f"{site_address(site.path.name)}: another process is learning this site: wait for it to end") from error
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock.fileno()), path.stat()):
                return lock
        lock.close()  # its previous holder has deleted the site meanwhile


def _forget(site: SiteHome) -> None:
    """Delete the empty folders of a site without content."""
    with suppress(OSError):  # a version that is not empty
        for version in site.versions:
            version.path.rmdir()
        site.link.unlink(missing_ok=True)
        (site.path / "lock").unlink()
        site.path.rmdir()


def open_current(site: SiteHome) -> SiteFolder:
    """Return the version in use; if the site has none, make the first one, empty."""
    current = site.current
    if current is None or not current.path.is_dir():
        current = _next(site)
        _use(site, current)
    return current


def open_candidate(site: SiteHome, start: str) -> SiteFolder:
    """Return the version that a refresh from the URL `start` is making: an unfinished one of a killed process, else a new one.

    Other versions not in use, rejected or no longer fresh, are deleted.
    """
    current = open_current(site)
    current.refresh.unlink(missing_ok=True)  # a kill came between the two steps of `promote`
    for version in reversed(site.versions):
        mark = read_mark(version)
        if mark and mark.start == start and not mark.rejected and 0 <= time.time() - mark.begun < STALE_SECONDS:
            return version
    candidate = _next(site)
    known = tuple(dict.fromkeys(url for page in Corpus.open(current.path) for url in (page.url, page.final_url)))
    _write_mark(candidate, CandidateMark(start, time.time(), known))
    _delete(version for version in site.versions if read_mark(version) and version != candidate)
    return candidate


def promote(site: SiteHome, candidate: SiteFolder) -> None:
    """Put the candidate into use, keep the previous version, and delete the others."""
    before = site.current
    _use(site, candidate)
    with storage_errors(candidate.refresh):
        candidate.refresh.unlink(missing_ok=True)
    _delete(version for version in site.versions if version not in (candidate, before))


def adopt(site: SiteHome, folder: Path) -> SiteFolder:
    """Put a complete folder into use as a new version, by renaming it; keep the previous version, and delete the others."""
    before = site.current
    version = next_version(site)
    with storage_errors(version.path):
        folder.rename(version.path)
    _use(site, version)
    _delete(each for each in site.versions if each not in (version, before))
    return version


def reject(candidate: SiteFolder, reason: str) -> None:
    """Record why the candidate was rejected; it stays until the next refresh, for inspection."""
    mark = read_mark(candidate) or CandidateMark("", time.time(), ())
    _write_mark(candidate, msgspec.structs.replace(mark, rejected=reason))


def read_mark(version: SiteFolder) -> CandidateMark | None:
    """Return the mark of a version that is not in use; None for any other."""
    try:
        return msgspec.json.decode(version.refresh.read_bytes(), type=CandidateMark)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        return CandidateMark("", 0.0, (), f"its refresh.json is damaged: {error}")


def next_version(site: SiteHome) -> SiteFolder:
    """Return the version with the next number, which does not exist yet."""
    return site.numbered(max((int(version.path.name) for version in site.versions), default=0) + 1)


def _next(site: SiteHome) -> SiteFolder:
    """Make the folder of a version with an unused number."""
    version = next_version(site)
    with storage_errors(version.path):
        version.path.mkdir(parents=True)
    return version


def _use(site: SiteHome, version: SiteFolder) -> None:
    part = site.path / f".current.{os.getpid()}.part"
    with storage_errors(site.link):
        part.unlink(missing_ok=True)
        part.symlink_to(version.path.name)
        part.replace(site.link)


def _write_mark(version: SiteFolder, mark: CandidateMark) -> None:
    write_atomically(version.refresh, msgspec.json.encode(mark) + b"\n")


def _delete(versions: Iterator[SiteFolder]) -> None:
    for version in list(versions):
        with storage_errors(version.path):
            shutil.rmtree(version.path)
