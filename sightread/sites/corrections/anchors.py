"""Anchors of the blocks of a page, and of the templates of a site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from sightread.labeling.looks import Signature
from sightread.render.page import Element, Page
from sightread.sites.corrections.records import MOST_TEXTS, SAMPLE_CHARACTERS, Anchor, CorrectionScope, text_hash

SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class AnchorRules:
    """Thresholds of anchors of blocks and of the scopes of templates."""

    least_pages_of_name: int = 2
    """Pages with a name of an element, at least, for it to be part of an anchor."""
    least_template_similarity: float = 0.6
    """Share of element paths (of those of either page) that two pages of one template have in common."""
    least_mark_share: float = 0.8
    """A path marks a template if at least this share of its pages has it..."""
    most_mark_share_of_others: float = 0.2
    """...and no more than this share of the other pages."""
    most_marks: int = 24
    """Marks that a scope stores."""
    least_marks_matched: float = 0.5
    mark_depth: int = 6
    """Levels below the body that distinguish templates; deeper ones differ with the text."""


RULES = AnchorRules()


class PathElement(NamedTuple):
    """An element of a path: tag, id and classes."""

    tag: str
    id: str
    classes: frozenset[str]


Path = tuple[PathElement, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """Ids and classes that several pages of a site have; on one page only, classes count and ids do not."""

    ids: frozenset[str]
    classes: frozenset[str] | None
    """None for all."""

    @classmethod
    def of(cls, pages: Sequence[Page]) -> Names:
        """Return the shared names of the pages."""
        if len(pages) < RULES.least_pages_of_name:
            return cls(frozenset(), None)
        ids: Counter[str] = Counter()
        classes: Counter[str] = Counter()
        for page in pages:
            ids.update({element.id for element in page.elements if element.id})
            classes.update({name for element in page.elements for name in element.classes})
        return cls(*(frozenset(name for name, on in each.items() if on >= RULES.least_pages_of_name) for each in (ids, classes)))

    def level(self, element: Element) -> PathElement:
        """Return the element's level of a path, with shared names alone."""
        classes = frozenset(element.classes)
        return PathElement(
            element.tag, element.id if element.id in self.ids else "", classes if self.classes is None else classes & self.classes
        )


class PageAnchors:
    """The anchors of the blocks of a page, each computed when first requested."""

    def __init__(self, page: Page, shared: frozenset[str] | None = None) -> None:
        self.page = page
        self._shared = shared
        """Classes that several pages of the site have; None if the page is read alone."""

    @cached_property
    def looks(self) -> tuple[str, ...]:
        """The digest of each block's signature."""
        paths = self.page.tag_paths()
        known: dict[tuple[str, int | None], str] = {}
        found = []
        for block in self.page.blocks:
            key = (paths[block.element], block.style)
            if key not in known:
                known[key] = Signature(key[0], self.page.style_of(block)).digest()
            found.append(known[key])
        return tuple(found)

    @cached_property
    def styles(self) -> tuple[str, ...]:
        """The digest of each block's style, without its path."""
        digests = [style_digest(style) for style in self.page.styles]
        nothing = style_digest({})
        return tuple(nothing if block.style is None else digests[block.style] for block in self.page.blocks)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The hash of each block's text."""
        return tuple(text_hash(block.text) for block in self.page.blocks)

    @cached_property
    def element_paths(self) -> tuple[Path, ...]:
        """The path of each element, from the body down."""
        found: list[Path] = []
        interned: dict[tuple[int, PathElement], Path] = {}
        for element in self.page.elements:
            level = PathElement(element.tag, element.id, frozenset(element.classes))
            above = found[element.parent] if element.parent >= 0 else ()
            found.append(interned.setdefault((id(above), level), (*above, level)))
        return tuple(found)

    def element_key(self, row: int) -> str:
        """Return the path of a block as a key: equal for blocks of one page or of several, names with digits left out."""
        return self._keys[self.page.blocks[row].element]

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        return self._paths(self._counts)

    def _paths(self, counts: Callable[[str], bool]) -> tuple[str, ...]:
        paths: list[str] = []
        for element in self.page.elements:
            above = paths[element.parent] if element.parent >= 0 else ""
            paths.append(f"{above}/{element.tag} {' '.join(sorted(filter(counts, element.classes)))}")
        return tuple(paths)

    def rows_at(self, path: str) -> frozenset[int]:
        """Return the blocks whose element is at the path."""
        matching = self._elements_at(path)
        return frozenset(row for row, block in enumerate(self.page.blocks) if block.element in matching)

    def rows_below(self, path: str) -> frozenset[int]:
        """Return the blocks at the path or below it."""
        matching = self._elements_at(path)
        within: list[bool] = []
        for row, element in enumerate(self.page.elements):
            within.append(row in matching or (element.parent >= 0 and within[element.parent]))
        return frozenset(row for row, block in enumerate(self.page.blocks) if within[block.element])

    def _fits(self, expected: PathElement, found: PathElement, *, is_body: bool) -> bool:
        """Whether an element is at a level: it has all its names, and no other class that distinguishes it on the site.

        Of a page that is read alone, classes with digits, such as `post-12`, and those of the body distinguish nothing.
        """
        if expected.tag != found.tag or (expected.id and expected.id != found.id) or not expected.classes <= found.classes:
            return False
        return (is_body and self._shared is None) or not any(map(self._counts, found.classes - expected.classes))

    def _counts(self, name: str) -> bool:
        return not _has_digit(name) if self._shared is None else name in self._shared

    def _elements_at(self, path: str) -> frozenset[int]:
        expected = parse_path(path)
        fits: dict[int, bool] = {}
        found = []
        for row, each in enumerate(self.element_paths):
            if len(each) == len(expected):
                if id(each) not in fits:
                    fits[id(each)] = all(
                        self._fits(level, own, is_body=not depth) for depth, (level, own) in enumerate(zip(expected, each, strict=True))
                    )
                if fits[id(each)]:
                    found.append(row)
        return frozenset(found)

    @cached_property
    def marks(self) -> frozenset[str]:
        """Digests of the paths of its elements, for comparing templates; names with digits are left out."""
        paths = zip(self._paths(lambda name: not _has_digit(name)), self.element_paths, strict=True)
        found = {path for path, levels in paths if len(levels) <= RULES.mark_depth + 1}
        return frozenset(blake2b(path.encode("utf-8", "replace"), digest_size=8).hexdigest() for path in found)


def anchor_pages(pages: Sequence[Page]) -> tuple[PageAnchors, ...]:
    """Return the anchors of the pages of one site."""
    classes = Names.of(pages).classes
    return tuple(PageAnchors(page, classes) for page in pages)


def block_anchor(anchors: PageAnchors, row: int, names: Names, further: Sequence[str] = ()) -> Anchor:
    """Return the anchor of a block; `further` are texts of other blocks of its look."""
    page, block = anchors.page, anchors.page.blocks[row]
    texts = dict.fromkeys((anchors.texts[row], *map(text_hash, further)))
    return Anchor(
        path=format_path(page, block.element, names),
        look=anchors.looks[row],
        style=anchors.styles[row],
        texts=tuple(texts)[:MOST_TEXTS],
        sample=_sample(block.text),
    )


def place_anchor(anchors: PageAnchors, element: int, names: Names) -> Anchor:
    """Return the anchor of an element with all blocks below it."""
    page = anchors.page
    below = [row for row, block in enumerate(page.blocks) if element in page.ancestors(block.element)]
    longest = sorted(below, key=lambda row: -len(page.blocks[row].text))[:MOST_TEXTS]
    return Anchor(
        path=format_path(page, element, names),
        texts=tuple(dict.fromkeys(anchors.texts[row] for row in longest)),
        sample=_sample(page.blocks[below[0]].text) if below else "",
    )


def format_path(page: Page, element: int, names: Names) -> str:
    """Return the path of an element as anchors have it."""
    levels = [names.level(page.elements[row]) for row in reversed(page.ancestors(element))]
    return SEPARATOR.join(
        " ".join([level.tag, *([f"#{level.id}"] if level.id else []), *(f".{name}" for name in sorted(level.classes))]) for level in levels
    )


def parse_path(path: str) -> Path:
    """Return the levels of an anchor's path."""
    found = []
    for level in path.split(SEPARATOR):
        tag, *names = level.split(" ")
        ids = [name[1:] for name in names if name.startswith("#")]
        found.append(PathElement(tag, ids[0] if ids else "", frozenset(name[1:] for name in names if name.startswith("."))))
    return tuple(found)


def template_scope(pages: Sequence[PageAnchors], row: int) -> CorrectionScope:
    """Return the scope of the template of a page: what its like have and other pages lack.

    If no path distinguishes them, the scope is the whole site.
    """
    like = same_template(pages, row)
    others = [each for number, each in enumerate(pages) if number not in like]
    inside = Counter(mark for number in like for mark in pages[number].marks)
    outside = Counter(mark for each in others for mark in each.marks)
    marks = [
        mark
        for mark, on in inside.items()
        if mark in pages[row].marks
        and on >= RULES.least_mark_share * len(like)
        and outside[mark] <= RULES.most_mark_share_of_others * len(others)
    ]
    if not others or not marks:
        return CorrectionScope("site")
    return CorrectionScope("template", marks=tuple(sorted(marks)[: RULES.most_marks]))


def same_template(pages: Sequence[PageAnchors], row: int) -> frozenset[int]:
    """Return the pages whose element paths are like those of a page, this one included."""
    own = pages[row].marks

    def similarity(other: frozenset[str]) -> float:
        return len(own & other) / max(len(own | other), 1)

    return frozenset(
        number for number, each in enumerate(pages) if number == row or similarity(each.marks) >= RULES.least_template_similarity
    )


def style_digest(style: Mapping[str, str]) -> str:
    """Return a digest of a style, equal for any order of its properties."""
    return blake2b(msgspec.json.encode(sorted(style.items())), digest_size=8).hexdigest()


def _has_digit(name: str) -> bool:
    return any(character.isdigit() for character in name)


def _sample(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SAMPLE_CHARACTERS else f"{line[: SAMPLE_CHARACTERS - 1]}…"
