"""`Correction`: a person's decision whether blocks are content, with what identifies the blocks on other pages and after a new crawl.

A block is identified by three anchors: its look (`sightread.labeling.looks`), its path of tags with classes, and the hash of
its text. None of them depends on row numbers, the order of pages or a clustering, so a correction is portable between crawls and machines.

`corrections.json`: the corrections of a site, in the site's folder, written at once after every answer.

It lies beside the versions of a learned site, not in one of them, so that learning, refreshing and importing keep it. In a folder that the
user named (`learn --out`) it lies beside the corpus.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from sightread.render.errors import BadRecord
from sightread.render.files import write_atomically

Target = Literal["block", "look", "place"]
"""Target of a correction: one text, all blocks of its look at its path, or all blocks below an element."""
ScopeKind = Literal["page", "template", "site", "pattern"]
_WIDTH: tuple[ScopeKind, ...] = ("site", "pattern", "template", "page")
MOST_TEXTS = 8
"""Text hashes of an anchor: texts of several pages, so that one that is edited or gone leaves others."""
SAMPLE_CHARACTERS = 80
"""Characters of the sample, which is for the reader of a diff."""
Digest = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{16}|[0-9a-f]{32})?\Z")]
ID_DIGITS = 12


class CorrectionScope(msgspec.Struct, frozen=True, omit_defaults=True):
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
    """Digest of tag path and style (`sightread.labeling.looks.Signature`); empty for a place."""
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
    scope: CorrectionScope = CorrectionScope()
    page: str = ""
    by: str = ""
    at: str = ""
    """UTC, ISO 8601."""
    model: str = ""
    """The model whose decision was corrected, with its version."""
    replaces: str = ""
    """The correction that this one takes the place of, such as one that a redesign detached from the site."""
    needs: int = 0
    """Of an answer to a question: how many like it decide its look. 0 for a correction that was marked and previewed: it decides."""

    @property
    def id(self) -> str:
        """A short digest of the whole record."""
        return blake2b(msgspec.json.encode(self), digest_size=ID_DIGITS // 2).hexdigest()

    @property
    def look_key(self) -> tuple[str, str, CorrectionScope]:
        """Key that answers about the same blocks share."""
        return self.anchor.look, self.anchor.path, self.scope

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


class Decision(NamedTuple):
    """Whether a correction decides, beside the other answers about its look."""

    correction: Correction
    is_decisive: bool = True
    """False for an answer that is not confirmed, or that others contradict."""

    @property
    def shown(self) -> Correction:
        """The correction; of an answer that decides nothing, what it is about: the text that was shown, on its page."""
        made = self.correction
        if self.is_decisive:
            return made
        anchor = msgspec.structs.replace(made.anchor, texts=made.anchor.texts[:1])
        return msgspec.structs.replace(made, target="block", anchor=anchor, scope=CorrectionScope("page", address_of(made.page)))


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

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Which of the active corrections decide.

        Answers about one look are counted: the decision with enough of them (the most that one of them needs), and more than the other,
        decides the look. Any other answer decides nothing, not even its own text: it may be a slip.
        """
        answers: defaultdict[tuple[str, str, CorrectionScope], list[Correction]] = defaultdict(list)
        for each in self.active:
            if each.needs:
                answers[each.look_key].append(each)
        decided = {key: _decision_of(of_look) for key, of_look in answers.items()}
        return tuple(Decision(each, not each.needs or each.is_content == decided[each.look_key]) for each in self.active)

    def with_answer(self, correction: Correction) -> Corrections:
        """Return the corrections with one more; the same mark again changes nothing, the same answer again confirms it."""
        return self if correction in self.made and not correction.needs else Corrections((*self.made, correction))

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


def _decision_of(answers: Sequence[Correction]) -> bool | None:
    """Return what answers about one look decide; None if they are too few, or contradict each other."""
    needed = max(each.needs for each in answers)
    given = Counter(each.is_content for each in answers)
    leading = given[True] > given[False]
    return leading if given[True] != given[False] and given[leading] >= needed else None


def address_of(url: str) -> str:
    """Return path and query of a URL, which identify a page of a site under any scheme and host.

    Both stay as written, because saved corrections hold them: `urlsplit` normalises nothing, as a parser of the WHATWG's would.
    """
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def text_hash(text: str) -> str:
    """Return a hash of the text, 16 hexadecimal digits; white space counts once."""
    return blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=8).hexdigest()


NAME = "corrections.json"
SCHEMA = 1


class _Stored(msgspec.Struct, forbid_unknown_fields=True):
    schema: int
    corrections: tuple[Correction, ...]
    undone: tuple[Correction, ...] = ()


def load_corrections(path: Path) -> Corrections:
    """Read the file; no corrections if there is none. Raises `BadRecord` for a damaged one."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Corrections()
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read: {error.strerror}") from error
    return decode_corrections(data, str(path))


def decode_corrections(data: bytes, name: str) -> Corrections:
    """Return the corrections of a file's content; `name` is for the message. Raises `BadRecord`."""
    try:
        stored = msgspec.json.decode(data, type=_Stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{name}: no corrections of sightread: {error}; restore it from a copy, or delete it to begin anew") from error
    if stored.schema != SCHEMA:
        raise BadRecord(f"{name}: schema version {stored.schema}, this sightread reads {SCHEMA}: update sightread")
    return Corrections(stored.corrections, stored.undone)


def encode_corrections(corrections: Corrections) -> bytes:
    """Return the content of the file: one field per line, so that a diff shows what was changed."""
    stored = _Stored(SCHEMA, corrections.made, corrections.undone)
    return msgspec.json.format(msgspec.json.encode(stored), indent=1) + b"\n"


def save_corrections(path: Path, corrections: Corrections) -> None:
    """Write the file at once: a killed process leaves the old one or the new one. Raises `StorageFailed`."""
    write_atomically(path, encode_corrections(corrections))
