"""Folders of learned sites on disk.

<home>/sites/example.org/          one folder per site
    current                        a link to the version in use
    0001/                          a version: a corpus and what was made of it
        corpus.json pages.jsonl.gz pictures/ crawl.jsonl
        labels.json the labels
        model.json                 the site's own classifier
        student.json agreement.json its student, which reads pages without a browser, and how it agrees with the classifier
        evaluation.json its scores, and whether it is trusted
        articles/0001.md the extracted articles, and articles.jsonl all of them with their text
        report.html
        recent familiarity of the last new pages (`sightread.sites.store`)
    0002/ a version made by a refresh (`sightread.sites.history`)
    corrections.json what a person corrected, regardless of the version (`sightread.sites.corrections`)

A folder that the user names (`--out`) holds a single version.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address
from pathlib import Path

import ada_url
import msgspec

from sightread.render.errors import BadRecord, Rejected
from sightread.render.files import storage_errors, write_atomically
from sightread.render.network.address import check_url
from sightread.sites.corrections.records import NAME
from sightread.sites.trust import SiteEvaluation

_NUMBER = re.compile(r"\d{4,9}")


def home_folder() -> Path:
    """Return the folder of learned sites: SIGHTREAD_HOME, else the user's data folder."""
    if home := os.environ.get("SIGHTREAD_HOME"):
        return Path(home)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sightread"


def site_key(url: str) -> str:
    """Return the name of the site's folder: its host without `www.`, and its port if that is not the default."""
    parsed = ada_url.URL(check_url(url).href)
    host = ada_url.idna.decode(parsed.hostname.strip("[]")).rstrip(".").removeprefix("www.").replace(":", "-")
    if not host:
        raise Rejected(f"{url}: has no host; name a site as https://example.org/")
    return f"{host}_{parsed.port}" if parsed.port else host


def site_address(key: str) -> str:
    """Return the host, and the port if it is not the default, of a site by the name of its folder: 127.0.0.1:8913 for 127.0.0.1_8913."""
    host, _, port = key.rpartition("_") if re.search(r"_\d+$", key) else (key, "", "")
    with suppress(ValueError):
        host = f"[{IPv6Address(host.replace('-', ':'))}]"
    return f"{host}:{port}" if port else host


@dataclass(frozen=True, slots=True)
class SiteHome:
    """The folder of one site, with its versions."""

    path: Path

    @classmethod
    def of(cls, url: str, home: Path | None = None) -> SiteHome:
        """Return the home of the site that the URL belongs to, whether it exists or not."""
        return cls((home or home_folder()) / "sites" / site_key(url))

    @property
    def name(self) -> str:
        """The address of the site, as people write it: its host, and its port if that is not the default."""
        return site_address(self.path.name)

    @property
    def link(self) -> Path:
        """The link to the version in use."""
        return self.path / "current"

    @property
    def current(self) -> SiteFolder | None:
        """The version in use; None if the site was never crawled."""
        try:
            name = self.link.readlink().name
        except OSError:
            return None
        return SiteFolder(self.path / name) if _NUMBER.fullmatch(name) else None

    @property
    def versions(self) -> tuple[SiteFolder, ...]:
        """All versions, the oldest first."""
        if not self.path.is_dir():
            return ()
        found = [path for path in self.path.iterdir() if _NUMBER.fullmatch(path.name) and path.is_dir()]
        return tuple(SiteFolder(path) for path in sorted(found, key=lambda path: int(path.name)))

    def numbered(self, number: int) -> SiteFolder:
        """Return the version of that number, whether it exists or not."""
        return SiteFolder(self.path / f"{number:04}")


class _File:
    """A file or folder of a version, by its name there."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, folder: SiteFolder, owner: type) -> Path:
        return folder.path / self._name


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """The files of one version of a site."""

    path: Path

    labels = _File("labels.json")
    model = _File("model.json")
    evaluation = _File("evaluation.json")
    student = _File("student.json")
    """The model of the site's HTML (`sightread.sites.student`)."""
    agreement = _File("agreement.json")
    """How it agrees with the model of rendered pages."""
    checks = _File("checks")
    """The folder of the record of pages that were read with a browser and without one, a file per template."""
    recent = _File("recent")
    """The record of the familiarity of new pages."""
    refresh = _File("refresh.json")
    """The file that marks a version as not in use yet."""
    articles = _File("articles")
    article_lines = _File("articles.jsonl")
    """The extracted articles with their text, one line of JSON each."""
    report = _File("report.html")

    @property
    def corrections(self) -> Path:
        """The file of corrections: of a version of a learned site beside all versions, else in the folder."""
        is_version = _NUMBER.fullmatch(self.path.name) is not None and SiteHome(self.path.parent).link.is_symlink()
        return (self.path.parent if is_version else self.path) / NAME

    def remove_student(self) -> None:
        """Remove the student, and what was recorded of its templates. Raises `StorageFailed`."""
        with storage_errors(self.path):
            for path in (self.student, self.agreement):
                path.unlink(missing_ok=True)
            if self.checks.is_dir():
                shutil.rmtree(self.checks)

    def read_evaluation(self) -> SiteEvaluation | None:
        """Read the evaluation of the model; None if it was never evaluated. Raises `BadRecord`."""
        if not self.evaluation.is_file():
            return None
        try:
            return msgspec.json.decode(self.evaluation.read_bytes(), type=SiteEvaluation)
        except msgspec.DecodeError as error:
            raise BadRecord(f"{self.evaluation}: {error}; delete it and evaluate the site again") from error

    def save_evaluation(self, site_evaluation: SiteEvaluation) -> None:
        """Write the evaluation of the model. Raises `StorageFailed`."""
        write_atomically(self.evaluation, msgspec.json.encode(site_evaluation) + b"\n")
