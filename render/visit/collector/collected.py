"""The collector's result, before the provenance of the page is added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sightread.render.analysis.overlays import Layer, find_overlays
from sightread.render.errors import Unusable
from sightread.render.page import Block, Element, Hidden, Image, Link, Meta, Page, Size, Source, Style, Timing


@dataclass(frozen=True, slots=True)
class Provenance:
    """The provenance of a page: the fields of `Page` that no script in it can know."""

    url: str
    final_url: str
    source: Source
    status: int = 0
    rendered_at: str = ""
    timing: Timing | None = None
    unfinished: str = ""


_OWN = frozenset(("frames", "layers", "payload"))
"""Fields that are not part of `Page`."""


class FramePlace(NamedTuple):
    """The place of a frame of another origin: its element's row, the blocks before it, and its content box."""

    element: int
    before: int
    x: float
    y: float
    scale: float
    """CSS px of the page to one of the frame's, for frames that a transform scales."""
    hidden: Hidden


@dataclass(frozen=True, slots=True)
class Collected:
    """The collector's result for a page; the fields are those of `Page`."""

    elements: tuple[Element, ...]
    blocks: tuple[Block, ...]
    styles: tuple[Style, ...]
    body_style: Mapping[str, str]
    titles: tuple[str, ...]
    descriptions: tuple[str, ...]
    metas: tuple[Meta, ...]
    json_ld: tuple[str, ...]
    canonical: str
    language: str
    images: tuple[Image, ...]
    links: tuple[Link, ...]
    viewport: Size
    document: Size
    truncated: bool
    frames: tuple[FramePlace, ...] = ()
    """Frames of another origin that are not read yet."""
    layers: tuple[Layer, ...] = ()
    """Candidates for overlays."""
    password_fields: int = 0
    payload: int = 0
    """Characters of the browser's answer."""

    @property
    def shows_text(self) -> bool:
        """Whether any text is laid out."""
        return any(block.hidden != "display" for block in self.blocks)

    def page(self, provenance: Provenance) -> Page:
        """Return the whole record of the page. Raises `Unusable` if the tables do not fit together."""
        try:
            return Page(
                url=provenance.url,
                final_url=provenance.final_url,
                source=provenance.source,
                status=provenance.status,
                rendered_at=provenance.rendered_at,
                timing=provenance.timing,
                unfinished=provenance.unfinished,
                overlays=find_overlays(self.elements, self.blocks, self.layers, self.viewport),
                **{name: getattr(self, name) for name in self.__slots__ if name not in _OWN},
            )
        except ValueError as error:
            raise Unusable(f"{provenance.final_url}: what the browser collected does not fit together: {error}") from error
