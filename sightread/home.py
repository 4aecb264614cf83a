"""Where learned sites live on disk.

<home>/sites/example.org/          one folder a site, which is also its corpus
    corpus.json pages.jsonl.gz pictures/ crawl.jsonl
    labels.json                    what the labeler found
    model.json                     the site's own classifier
    evaluation.json                how good it is, and whether it is trusted
    articles/0001.md               what was extracted
    report.html
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import msgspec
from yarl import URL

from labeling.labels import TRUSTED
from render.errors import BadRecord, Rejected
from render.storage import write_atomically

TRUSTED_F1 = 0.9
"""A model that disagrees more with its own labels on pages it has not seen did not find the look of the site."""


def home_folder() -> Path:
    """Return where learned sites are kept: SIGHTREAD_HOME, else the user's data folder."""
    if home := os.environ.get("SIGHTREAD_HOME"):
        return Path(home)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sightread"


def site_key(url: str) -> str:
    """Return the name of the site's folder: its host without `www.`, and its port where that is not the usual one."""
    try:
        parsed = URL(url)
    except ValueError as error:
        raise Rejected(f"{url}: not a URL: {error}") from error
    host = (parsed.host or "").rstrip(".").removeprefix("www.").replace(":", "-")
    if not host:
        raise Rejected(f"{url}: has no host; name a site as https://example.org/")
    return host if parsed.is_default_port() else f"{host}_{parsed.port}"


class Standing(msgspec.Struct, frozen=True):
    """How far a site's model can be trusted."""

    pages: int
    """Labelled pages that it was trained and tested on."""
    confidence: float
    """The labeler's, 0 to 1."""
    precision: float
    recall: float
    f1: float
    """Against the automatic labels, on pages that the model was not trained on."""
    folds: tuple[tuple[float, float, float], ...]
    corpus: str
    """Digest of the pages."""

    @property
    def doubt(self) -> str:
        """Why the model is not trusted; empty where it is."""
        if self.confidence < TRUSTED:
            return f"its labels have a confidence of {self.confidence:.2f}, {TRUSTED} is asked"
        if self.f1 < TRUSTED_F1:
            return f"its F1 on unseen pages is {self.f1:.2f}, {TRUSTED_F1} is asked"
        return ""


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """The files of one site."""

    path: Path

    @classmethod
    def of(cls, url: str, home: Path | None = None) -> SiteFolder:
        """Return the folder of the site that the URL belongs to, whether it is there or not."""
        return cls((home or home_folder()) / "sites" / site_key(url))

    @property
    def labels(self) -> Path:
        """The labels file."""
        return self.path / "labels.json"

    @property
    def model(self) -> Path:
        """The model file."""
        return self.path / "model.json"

    @property
    def evaluation(self) -> Path:
        """The evaluation file."""
        return self.path / "evaluation.json"

    @property
    def articles(self) -> Path:
        """The folder of the extracted articles."""
        return self.path / "articles"

    @property
    def report(self) -> Path:
        """The report file."""
        return self.path / "report.html"

    def standing(self) -> Standing | None:
        """Read how far the model can be trusted; None where it was never evaluated. Raises `BadRecord`."""
        if not self.evaluation.is_file():
            return None
        try:
            return msgspec.json.decode(self.evaluation.read_bytes(), type=Standing)
        except msgspec.DecodeError as error:
            raise BadRecord(f"{self.evaluation}: {error}; delete it and evaluate the site again") from error

    def save_standing(self, standing: Standing) -> None:
        """Write how far the model can be trusted. Raises `StorageFailed`."""
        write_atomically(self.evaluation, msgspec.json.encode(standing) + b"\n")
