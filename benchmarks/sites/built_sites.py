"""Data set of built sites: themes and programs filled with known text, so that the gold text of every page is exact.

`built-sites/NAME.tar.gz` in the folder of the data sets holds `site.json` (`BuiltSite`), which is its first member, and `html/`: the pages
with what they load. Nothing is written there: sites are unpacked into a work folder. docs/experiments/built-sites.md names the commit whose
recipes built them.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import msgspec

from benchmarks.datasets.folder import data_folder
from benchmarks.runner.store import default_cache
from sightread.render.errors import BadRecord, Rejected
from sightread.render.files import storage_errors

PARTS = ("choose", "calibrate", "final")
"""Parts of the sites, divided by generator, so that no part has a look of another one."""
NAME = "built-sites"
RECORD = "site.json"
ENDING = ".tar.gz"


class BuiltPage(msgspec.Struct, frozen=True):
    """A page of a built site: its path below `html`, and its gold text."""

    path: str
    title: str
    gold: str
    markup: str = ""
    """HTML of what was put in as the main content, without the title; empty if it is not known."""


class BuiltSite(msgspec.Struct, frozen=True):
    """A built site."""

    name: str
    generator: str
    theme: str
    licence: str
    language: str
    part: str
    """One of `PARTS`."""
    pages: tuple[BuiltPage, ...]


@dataclass(frozen=True, slots=True)
class SiteStore:
    """The archives of the data set, and the work folder in which sites are unpacked and their rendered pages kept."""

    archives: Path
    work: Path

    @classmethod
    def open(cls, data: Path | None, work: Path | None = None) -> SiteStore:
        """Return the store of the data sets; the work folder is in the user's cache, unless it is named.

        Raises `Rejected` if the data set is not there.
        """
        archives = data_folder(data) / NAME
        if not any(archives.glob(f"*{ENDING}")):
            raise Rejected(f"{archives}: no built sites here (source: docs/benchmarks.md)")
        return cls(archives, work or default_cache() / NAME)

    def sites(self, parts: Sequence[str] = (), only: Sequence[str] = ()) -> list[BuiltSite]:
        """Return the sites of these parts and names, by name; without parts those of all, without names all.

        Raises `Rejected` if there is none, or none of one of the names.
        """
        known = {path.name.removesuffix(ENDING): path for path in sorted(self.archives.glob(f"*{ENDING}"))}
        for name in only:
            if name not in known:
                near = ", ".join(get_close_matches(name, known, 3)) or "none has a name like it"
                raise Rejected(f"{self.archives}: no site {name} among {len(known)} built sites; near: {near}")
        sites = [self.read(name) for name in known if not only or name in only]
        if found := [site for site in sites if not parts or site.part in parts]:
            return found
        raise Rejected(f"{self.archives}: no such sites; there are sites of the parts {', '.join(sorted({site.part for site in sites}))}")

    def read(self, name: str) -> BuiltSite:
        """Return the record of a site. Raises `BadRecord` if its archive is damaged."""
        with self._opened(name) as archive:
            first = archive.next()
            file = archive.extractfile(first) if first is not None and first.name == RECORD else None
            if file is None:
                raise BadRecord(f"{self._path(name)}: {RECORD} is not its first member; get the data set again")
            try:
                return msgspec.json.decode(file.read(), type=BuiltSite)
            except msgspec.MsgspecError as error:
                raise BadRecord(f"{self._path(name)}: {RECORD}: {error}; get the data set again") from error

    def sources(self, site: BuiltSite) -> Iterator[tuple[BuiltPage, bytes]]:
        """Yield the pages of a site with their HTML, in the order of the archive."""
        pages = {f"html/{page.path}": page for page in site.pages}
        with self._opened(site.name) as archive:
            for member in archive:
                if member.name in pages and (file := archive.extractfile(member)) is not None:
                    yield pages[member.name], file.read()

    def folder(self, name: str) -> Path:
        """Return the folder of a site below the work folder, with its `html`; it is unpacked now if it was not before.

        An archive with another content has another folder.
        """
        folder = self.work / f"{name}-{hashlib.sha256(self._path(name).read_bytes()).hexdigest()[:12]}"
        if not folder.is_dir():
            with storage_errors(self.work):
                self.work.mkdir(parents=True, exist_ok=True)
                unpacked = Path(tempfile.mkdtemp(dir=self.work, prefix=".unpacking-"))
                try:
                    with self._opened(name) as archive:
                        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # since Python 3.11.4
                        archive.extractall(unpacked)
                    unpacked.rename(folder)
                finally:
                    shutil.rmtree(unpacked, ignore_errors=True)
        return folder

    def _path(self, name: str) -> Path:
        return self.archives / f"{name}{ENDING}"

    @contextmanager
    def _opened(self, name: str) -> Iterator[tarfile.TarFile]:
        try:
            with tarfile.open(self._path(name)) as archive:
                yield archive
        except (tarfile.TarError, EOFError, zlib.error) as error:
            raise BadRecord(f"{self._path(name)}: {error}; get the data set again") from error


def add_sites(parser: argparse.ArgumentParser) -> None:
    """Add `--part`, `--only` and `--work`."""
    parser.add_argument("--part", nargs="+", default=[], choices=PARTS, help="parts (default: all)")
    parser.add_argument("--only", nargs="+", default=[], metavar="SITE", help="sites (default: all)")
    text = "where sites are unpacked and rendered pages kept (default: the user's cache folder)"
    parser.add_argument("--work", type=Path, metavar="FOLDER", help=text)
