"""`Correction`: a person's decision whether blocks are content, with what identifies the blocks on other pages and after a new crawl.

A block is identified by three anchors: its look (`labeling.signature`), its path of tags with classes, and the hash of its text. None
of them depends on row numbers, the order of pages or a clustering, so a correction is portable between crawls and machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Annotated, Literal

import msgspec

Target = Literal["block", "look", "place"]
"""Target of a correction: one text, all blocks of its look at its path, or all blocks below an element."""
ScopeKind = Literal["page", "template", "site", "pattern"]
TARGETS: tuple[Target, ...] = ("block", "look", "place")
SCOPES: tuple[ScopeKind, ...] = ("page", "template", "site", "pattern")
_WIDTH: tuple[ScopeKind, ...] = ("site", "pattern", "template", "page")
MOST_TEXTS = 8
"""Text hashes of an anchor: texts of several pages, so that one that is edited or gone leaves others."""
SAMPLE_CHARACTERS = 80
"""Characters of the sample, which is for the reader of a diff."""
Digest = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{16}|[0-9a-f]{32})?\Z")]
ID_DIGITS = 12


class Scope(msgspec.Struct, frozen=True, omit_defaults=True):
    """The pages that a correction is about."""

    kind: ScopeKind = "site"
    value: str = ""
    """Of a page its address without scheme and host, of a pattern a glob of such addresses (`/blog/*`); else empty."""
    marks: tuple[Digest, ...] = ()
    """Of a template: digests of element paths that its pages share and other pages lack."""


class Anchor(msgspec.Struct, frozen=True, omit_defaults=True):
    """The anchor of a correction: identifies its blocks."""

    path: str
    """Path of tags with classes: `body > main #top > article .post > p`. Names that no other page of the crawl has are left out."""
    look: Digest = ""
    """Digest of tag path and style (`labeling.signature.Signature`); empty for a place."""
    style: Digest = ""
    """Digest of the style alone, which survives another nesting of elements."""
    texts: tuple[Digest, ...] = ()
    """Hashes of texts (`text_hash`)."""
    sample: str = ""
    """The beginning of the first text."""


class Correction(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision of a person."""

    is_content: bool
    target: Target
    anchor: Anchor
    scope: Scope = Scope()
    page: str = ""
    """The URL of the page that it was made on."""
    by: str = ""
    """Its author."""
    at: str = ""
    """UTC, ISO 8601."""
    model: str = ""
    """The model whose decision was corrected, with its version."""
    replaces: str = ""
    """The correction that this one takes the place of, such as one that a redesign detached from the site."""

    @property
    def id(self) -> str:
        """A short digest of the whole record."""
        return blake2b(msgspec.json.encode(self), digest_size=ID_DIGITS // 2).hexdigest()

    @property
    def rank(self) -> tuple[int, int]:
        """How special it is: of two about one block the more special one holds, of equals the later one."""
        return int(self.target == "block"), _WIDTH.index(self.scope.kind)

    def describe(self) -> str:
        """Return the correction in one clause."""
        label = "content" if self.is_content else "boilerplate"
        what = {"block": "the text", "look": "blocks that look like", "place": f"everything in {self.anchor.path.split(' > ')[-1]}, as"}
        where = {
            "page": f"on {self.scope.value}",
            "template": "on pages of its template",
            "site": "on the whole site",
            "pattern": f"on pages like {self.scope.value}",
        }
        return f"{what[self.target]} “{self.anchor.sample}” {where[self.scope.kind]}: {label}"


class Corrections(msgspec.Struct, frozen=True):
    """The corrections of a site, oldest first, and those that were undone."""

    made: tuple[Correction, ...] = ()
    undone: tuple[Correction, ...] = ()
    """Last undone last; a new correction discards them."""

    @property
    def active(self) -> tuple[Correction, ...]:
        """The active corrections: made, and not replaced by a later one."""
        replaced = {correction.replaces for correction in self.made}
        return tuple(correction for correction in self.made if correction.id not in replaced)

    def with_answer(self, correction: Correction) -> Corrections:
        """Return the corrections with one more; the same one again changes nothing."""
        return self if correction in self.made else Corrections((*self.made, correction))

    def undo(self) -> Corrections:
        """Return the corrections without the last one; the same ones if there is none."""
        return Corrections(self.made[:-1], (*self.undone, self.made[-1])) if self.made else self

    def redo(self) -> Corrections:
        """Return the corrections with the last undone one again; the same ones if there is none."""
        return Corrections((*self.made, self.undone[-1]), self.undone[:-1]) if self.undone else self

    def without(self, ids: Sequence[str]) -> Corrections:
        """Return the corrections without those of these ids."""
        return Corrections(tuple(correction for correction in self.made if correction.id not in ids), self.undone)


NO_CORRECTIONS = Corrections()


def text_hash(text: str) -> str:
    """Return a hash of the text, 16 hexadecimal digits; white space counts once."""
    return blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=8).hexdigest()
