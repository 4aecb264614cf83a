"""`SiteLabels`: the clusters of a site, one label per block, and confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.labeling.clusterings import NOISE
from sightread.labeling.known_clusters import ClusterNumber, KnownClusters
from sightread.render.errors import BadRecord
from sightread.render.files import write_atomically
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN, PartKind
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.render.page.view import laid_out

TRUSTED = 0.75
"""Least confidence at which a site's labels, and the model trained on them, are used by default."""


@dataclass(frozen=True, slots=True)
class ConfidenceLevels:
    """How the measures of confidence are scaled."""

    enough_pages: int = 8
    """Different labelled pages from which on their number does not lower the confidence: with fewer, the site's text cannot be
    distinguished from an article's."""
    enough_text: int = 140
    """Characters of content of a typical page from which on their number does not lower the confidence: with fewer, the pages may hold no
    article, such as a calendar's days or a shop's empty shelves."""
    unstable_weight: float = 2.5
    """Weight of the share of labels that half of the pages would have given otherwise: a tenth is the most that is still trusted."""
    margin_weight: float = 4.0
    """A margin of a quarter or more does not lower the confidence."""
    competing_text_share: float = 0.2
    """Of the text of the paragraphs: what has less is a headline or a lede, which may well be the most relevant."""
    most_without_titles: float = 0.5
    """Highest confidence if no page has a title or description of its own: the largest text may be the comments."""


LEVELS = ConfidenceLevels()


Role = Literal["body", "part", ""]
SlotText = Literal["prose", "preview", ""]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Blocks of a site that look alike."""

    id: int
    blocks: int
    pages: int
    characters: int
    link_share: float
    """Share of its characters inside links, 0 to 1."""
    relevance: float
    """Site-wide sum of its blocks' relevance scores (Algorithm 1)."""
    text_share: float
    """Its share of the site's non-link text, 0 to 1."""
    role: Role
    """`body` if it was chosen as the text of a template, `part` if it belongs to the same articles, empty for boilerplate."""
    template: int
    """Which template it is content of, counted from 0; -1 for boilerplate."""
    tag_path: str
    style: Mapping[str, str]
    """The computed properties that differ from the body's, of its commonest signature."""
    width: float
    """Median width in CSS px; 0 if there are no boxes."""
    samples: tuple[str, ...]
    """Up to three of its texts, the longest of distinct pages."""
    prediction: float | None = None
    """Mean log-odds of content by the model whose predictions were given; None if none were."""
    kept: float | None = None
    """Share of its text that is labelled content by both sources of evidence, 0 to 1; None if there is one source."""
    slot: SlotText = ""
    """`prose` if most of its text is prose in a slot of the template, `preview` if it previews other text of its page
    (`sightread.labeling.measures`)."""

    @property
    def is_content(self) -> bool:
        """Whether most of its text is labelled content."""
        return bool(self.role) if self.kept is None else self.kept >= 1 / 2


@dataclass(frozen=True, slots=True)
class Confidence:
    """Confidence in the labels of a site, with its measures. All numbers are 0 to 1."""

    value: float
    """The minimum of the measures (`sightread.labeling.confidence`)."""
    coverage: float
    """Share of the pages with text that got labels."""
    agreement: float
    """Share of the labelled pages whose own text would have picked a cluster of the article."""
    margin: float
    """By how much of its own score the chosen cluster beats the next, averaged over the labelled pages."""
    stability: float
    """How far half of the pages would have given the same labels: F1 of the content, averaged over the labelled pages."""
    text_share: float
    """Median share of a labelled page's non-link text that is labelled content."""
    advice: tuple[str, ...]
    """Advice, one sentence each; empty if there is none."""


@dataclass(frozen=True, slots=True)
class TemplateConfidence:
    """Confidence in one template of a site: agreement, margin and stability as in `Confidence`, on its own pages."""

    cluster: int
    pages: tuple[int, ...]
    """Rows of its pages, ascending."""
    value: float
    agreement: float
    margin: float
    stability: float


Choices = Mapping[PartKind, bool]
"""Parts of pages that the user chose: True to keep those of a kind, False to drop them."""
NO_CHOICES: Choices = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PartDecision:
    """Whether the parts of one kind, such as comments, are content on a site (`sightread.labeling.combination`)."""

    kind: PartKind
    keep: bool | None
    """None if neither is clear: each look has its own label."""
    pages: int
    """Labelled pages with such a part."""
    share: float
    """Share of their text that was labelled content by the evidence, 0 to 1."""
    is_chosen: bool = False
    """Whether the user chose it."""
    below_article: bool = False
    """Whether these are comments below a longer article, which are no content regardless of the evidence."""

    def describe(self) -> str:
        """Return the decision in one clause, with its evidence."""
        state = {True: "kept", False: "left out", None: "kept look by look"}[self.keep]
        if self.is_chosen:
            unused = "" if self.pages else "; no page has any"
            return f"{self.kind}: {state}, as chosen by --{'keep' if self.keep else 'drop'}{unused}"
        pages = "1 page" if self.pages == 1 else f"{self.pages} pages"
        reason = "below a longer article; " if self.below_article else ""
        return f"{self.kind}: {state}; {reason}the evidence labels {self.share:.0%} of the text of these parts content, on {pages}"


@dataclass(frozen=True, slots=True, eq=False)
class CombinedEvidence:
    """How labels by two sources of evidence came about (`sightread.labeling.combination`). Shares are of the characters of laid-out text,
    0 to 1.
    """

    relevance: tuple[Labels, ...]
    """The labels by relevance alone, one array per page."""
    weak: float
    """Share of the text whose log-odds are below `sightread.labeling.combination.WEAK`."""
    prose: tuple[tuple[int, ...], ...] = ()
    """Rows of the blocks of each page that are prose in a slot of the template; empty for labels of an earlier version."""


@dataclass(frozen=True, slots=True)
class SiteLabels:
    """The labels of a site: `labels[i][j]` and `assignments[i][j]` are those of block j of page i."""

    clusters: tuple[Cluster, ...]
    assignments: tuple[NDArray[np.int32], ...]
    labels: tuple[Labels, ...]
    page_confidence: tuple[float, ...]
    templates: tuple[TemplateConfidence, ...]
    """The one that explains most first; no page is in two of them."""
    confidence: Confidence
    known: KnownClusters
    """Assigns the blocks of a new page to the clusters, as far as pages with labels have them: the looks of the templates."""
    combined: CombinedEvidence | None = None
    """None for labels by relevance alone."""
    parts: tuple[PartDecision, ...] = ()
    """Whether comments, bylines and the like are content, for the kinds that the site has or the user chose."""


Scalar = TypeVar("Scalar", bound=np.generic)


def label_laid_out(label: Callable[[Sequence[Page]], SiteLabels], pages: Sequence[Page]) -> SiteLabels:
    """Label the pages by their laid-out blocks; the other blocks are noise, and boilerplate if their page is known."""
    shown = [laid_out(page) for page in pages]
    labels = label([page for page, _ in shown])
    assignments, of_pages = [], []
    for page, (_, rows), assigned, own in zip(pages, shown, labels.assignments, labels.labels, strict=True):
        rest = BOILERPLATE if (own != UNKNOWN).any() else UNKNOWN
        assignments.append(_spread(assigned, rows, len(page.blocks), NOISE))
        of_pages.append(_spread(own, rows, len(page.blocks), rest))
    return replace(labels, assignments=tuple(assignments), labels=tuple(of_pages))


def _spread(values: NDArray[Scalar], rows: Sequence[int], count: int, rest: int) -> NDArray[Scalar]:
    """Return the values at their rows among `count`, and `rest` elsewhere."""
    if len(rows) == count:
        return values
    spread = np.full(count, rest, values.dtype)
    spread[list(rows)] = values
    return spread


SCHEMA = 2
_STORED_ARRAYS: Mapping[Any, Any] = MappingProxyType(
    {Labels: list[Annotated[int, msgspec.Meta(ge=UNKNOWN, le=CONTENT)]], NDArray[np.int32]: list[ClusterNumber]}
)


class _Stored(msgspec.Struct):
    """The fields of a stored file besides those of `SiteLabels`."""

    schema: int
    corpus: str = ""


class _StoredKnown(msgspec.Struct):
    known: KnownClusters
    parts: tuple[PartDecision, ...] = ()


Stored = TypeVar("Stored", _StoredKnown, SiteLabels)


def save_labels(path: Path, labels: SiteLabels, corpus: str) -> None:
    """Write the labels at once; `corpus` is the digest of the pages that they belong to. Raises `StorageFailed`."""
    stored = {"schema": SCHEMA, "corpus": corpus} | {field.name: getattr(labels, field.name) for field in fields(labels)}
    write_atomically(path, msgspec.json.encode(stored, enc_hook=np.ndarray.tolist) + b"\n")


def load_known(path: Path) -> KnownClusters | None:
    """Read only what assigns new pages to the clusters; None if there are no labels. Raises `BadRecord` for a damaged file."""
    return _read(path, _StoredKnown)[1].known if path.is_file() else None


def load_parts(path: Path) -> tuple[PartDecision, ...]:
    """Read only the decisions about parts of pages, of any corpus; none if there are no labels. Raises `BadRecord`."""
    return _read(path, _StoredKnown)[1].parts if path.is_file() else ()


def load_labels(path: Path, corpus: str) -> SiteLabels | None:
    """Read the labels; None if there are none, or if they were made for other pages. Raises `BadRecord` for a damaged file."""
    if not path.is_file():
        return None
    of_corpus, labels = _read(path, SiteLabels)
    return labels if of_corpus == corpus else None


def _read(path: Path, kind: type[Stored]) -> tuple[str, Stored]:
    data = path.read_bytes()
    try:
        stored = msgspec.json.decode(data, type=_Stored)
        if stored.schema != SCHEMA:
            raise BadRecord(f"{path}: schema version {stored.schema}, this sightread reads {SCHEMA}; delete it and label the corpus again")
        return stored.corpus, msgspec.json.decode(data, type=kind, dec_hook=_to_array)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: not a labels file: {error}; delete it and label the corpus again") from error


def _to_array(kind: Any, values: Any) -> Any:
    return np.array(msgspec.convert(values, _STORED_ARRAYS[kind]), get_args(get_args(kind)[1])[0])
