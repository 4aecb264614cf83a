"""The learned sites of a home folder: what is known of each, and forgetting one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sightread.crawler.corpus import Corpus
from sightread.render.argument_checks import nearest
from sightread.render.errors import Rejected, SightreadError, quoted
from sightread.render.files import storage_errors
from sightread.render.labels import PartKind
from sightread.sites.folders import SiteFolder, SiteHome, home_folder, site_key
from sightread.sites.history import locked


def chosen_parts(keep: Collection[PartKind], drop: Collection[PartKind]) -> dict[PartKind, bool]:
    """Return the parts of pages that a user chose to keep or drop. Raises `Rejected` if one is in both lists."""
    if both := set(keep) & set(drop):
        raise Rejected(f"keep and drop both name {', '.join(sorted(both))}: leave it in one of them")
    return {**dict.fromkeys(keep, True), **dict.fromkeys(drop, False)}


LONGEST_NAME = 255
"""Characters of a host with its port; file systems allow as many bytes."""


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """Summary of one site."""

    name: str
    """Host, and port if it is not the default."""
    version: SiteFolder
    start_url: str
    pages: int
    versions: int
    learned_at: str
    """UTC date and time of its evaluation, ISO 8601; empty if it was only crawled."""
    expected_f1: float | None
    distrust_reason: str
    """Why `auto` does not use its model; empty if it does."""
    size: int
    """Bytes of all its versions."""

    @property
    def state(self) -> str:
        """Use of the model by `auto`, in a word or two."""
        if not self.learned_at:
            return "crawled only"
        return "not trusted" if self.distrust_reason else "trusted"


def list_sites(home: Path | None = None) -> Iterator[SiteSummary]:
    """Yield the sites of a home folder by name; one that cannot be read has the error as its distrust reason."""
    folder = (home or home_folder()) / "sites"
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        site = SiteHome(path)
        if site.current is not None and not path.name.startswith("."):
            yield summarise(site)


def summarise(site: SiteHome) -> SiteSummary:
    """Return what is known of a site that has a version in use."""
    current = site.current
    assert current is not None
    start_url, pages, expected_f1, learned_at = "", 0, None, ""
    try:
        corpus = Corpus.open(current.path)
        start_url, pages = corpus.start_url, len(corpus)
        site_evaluation = current.read_evaluation()
        if site_evaluation is None:
            distrust_reason = "it was only crawled: run sightread learn, or label, train and evaluate"
        else:
            made = datetime.fromtimestamp(current.evaluation.stat().st_mtime, UTC)
            learned_at, expected_f1, distrust_reason = (
                made.isoformat(timespec="seconds"),
                round(site_evaluation.expected_f1, 4),
                site_evaluation.distrust_reason,
            )
    except SightreadError as error:
        distrust_reason = str(error)
    return SiteSummary(site.name, current, start_url, pages, len(site.versions), learned_at, expected_f1, distrust_reason, _size(site.path))


def find_site(name: str, home: Path | None = None) -> SiteHome:
    """Return the site of a name or of any of its URLs (`look_up_site`). Raises `Rejected` with the nearest name if there is none."""
    if (site := look_up_site(name, home)) is not None:
        return site
    known = [each.name for each in list_sites(home)]
    near = nearest(name, known)
    there = f"did you mean {near}?" if near else f"there are {', '.join(known)}" if known else "none is known yet: sightread learn"
    raise Rejected(f"no learned site is called {quoted(name)}; {there}")


def look_up_site(name: str, home: Path | None = None) -> SiteHome | None:
    """Return the site by its address (127.0.0.1:8913), its folder's name or any of its URLs; None if it was never crawled."""
    keys = [name] if name.isprintable() and "/" not in name and not name.startswith(".") and 0 < len(name) < LONGEST_NAME else []
    for url in (name,) if "://" in name else (f"https://{name}", f"http://{name}"):  # which leave out different ports
        with suppress(Rejected):
            keys.append(site_key(url))
    sites = (SiteHome((home or home_folder()) / "sites" / key) for key in keys)
    return next((site for site in sites if site.current is not None), None)


def forget_site(site: SiteHome) -> None:
    """Delete all versions of a site. Raises `Rejected` while it is being learned, and `StorageFailed`.

    The folder is renamed first, so a killed process leaves the site whole or gone.
    """
    with locked(site), storage_errors(site.path):
        removed = site.path.with_name(f".{site.path.name}.{os.getpid()}.removed")
        site.path.rename(removed)
    shutil.rmtree(removed, ignore_errors=True)
    for left in site.path.parent.glob(".*.removed"):  # of a process that was killed
        shutil.rmtree(left, ignore_errors=True)


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() and not path.is_symlink() else 0
    return total


def site_folder(name: str, home: Path | None) -> Path:
    """Return the version folder that a command names, by path or by site."""
    path = Path(name)
    if path.is_dir() or ("/" in name and "://" not in name):
        return version_in_use(path)
    site, is_url = look_up_site(name, home), "://" in name
    if site and site.current:
        return site.current.path
    with suppress(Rejected):
        crawled = SiteHome.of(name if is_url else f"https://{name}", home).path
        if crawled.is_dir():
            return crawled
    return find_site(name, home).path if is_url else path


def version_in_use(folder: Path) -> Path:
    """Return the version in use if the folder is a site's home, else the folder itself."""
    current = SiteHome(folder).current
    return current.path if current else folder
