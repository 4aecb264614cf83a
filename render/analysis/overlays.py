"""Overlays: consent layers, dialogs and banners above the page. They are marked, never clicked.

The collector reports candidate boxes (`Layer`); their position and their text decide what they are. A box that holds most
of the page's text is the page, as in applications whose root is fixed; fixed headers, menus and side bars are parts of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sightread.render.page import Block, Box, Element, Overlay, OverlayKind, Size
from sightread.render.text.words import count_words


@dataclass(frozen=True, slots=True)
class OverlayRules:
    """Sizes by which a box is an overlay; shares are of the page's text or of the viewport."""

    most_text_share: float = 0.5
    """A box with more of the page's text is its content."""
    most_named_text_share: float = 0.25
    """The same for a box that only its name makes a candidate: a recipe for cookies has the name, too."""
    smallest_dialog_area: float = 0.04
    """A smaller fixed box over the viewport's middle is a control, such as a slider's arrow."""
    tallest_banner: float = 0.5
    shortest_side_bar: float = 0.75
    edge_distance: float = 48.0
    """CSS px from the viewport's lower edge; corner boxes keep some distance."""
    fewest_words: float = 3.0
    """A box with fewer is a button: for feedback, a chat, or to go to the top."""
    longest_button: int = 60
    """Characters of a button's text."""
    menu_link_share: float = 0.9
    """A box with this share of its text in links is a menu."""


RULES = OverlayRules()

_SUBJECT = re.compile(
    r"cookie|\bconsent\b|\bgdpr\b|\bdsgvo\b|datenschutz|privacy|vie privée|traceurs|privacidad|privacidade|riservatezza|personvern"
    r"|integritet|prywatno|персональн\w+ данн|личн\w+ данн|файлы куки|gizlilik|çerez|súbory|evästee|sütik"
    r"|隐私|個人情報|クッキー|쿠키|ملفات تعريف",
    re.IGNORECASE,
)
"""Words that a consent layer contains."""
_ANSWER = re.compile(
    r"^\W*(?:i |we )?(?:accept|agree|allow|reject|decline|deny|refuse|ok(?:ay)?\b|got it|understood|i understand|continue|save|confirm"
    r"|manage|consent|customi[sz]e|akzeptier|alle akzeptieren|zustimmen|ablehnen|einverstanden|verstanden|tout accepter|refuser"
    r"|j(?:'|’)accepte|continuer|acept|rechaz|de acuerdo|entendido|accett|rifiut|ho capito|recus|concord|akkoord|weigeren|begrepen"
    r"|zaakceptuj|akceptuj|zgadzam|odrzu|godkänn|avvisa|godta|avvis|hyväksy|přijmout|souhlas|elfogad|prihvati|принять|соглас|понятно|прийняти|kabul|tamam|acord"
    r"|aceit|同意|接受|拒绝|知道了|确定|拒否|동의|확인|موافق|قبول|αποδοχή)",
    re.IGNORECASE,
)
"""How the labels of its buttons begin."""
_NAMES = re.compile(
    r"(?<![a-z])(?:cookies?|consent|gdpr|cmp|ccpa)(?![a-z])|cookie-?(?:banner|notice|bar|bot|consent|law|popup)",
    re.I,
)
DIALOGS = frozenset({"dialog", "alertdialog"})
_MENUS = frozenset({"header", "nav", "footer", "aside"})
_MENU_ROLES = frozenset({"banner", "navigation", "complementary", "search", "menu", "menubar", "toolbar", "contentinfo"})


class Layer(NamedTuple):
    """A box that may be an overlay."""

    element: int
    how: Literal["fixed", "dialog", "named"]
    box: Box | None = None


def find_overlays(
    elements: Sequence[Element], blocks: Sequence[Block], layers: Sequence[Layer], viewport: Size | None
) -> tuple[Overlay, ...]:
    """Return the overlays among the layers; one inside another is part of it. `viewport` is None if nothing was laid out."""
    if not layers:
        return ()
    whole = sum(len(block.text) for block in blocks if block.hidden != "display" or viewport is None)
    above = _layers_above(elements, {layer.element for layer in layers})
    texts: dict[int, list[Block]] = {}
    for block in blocks:
        if not block.hidden or viewport is None:
            for row in above[block.element]:
                texts.setdefault(row, []).append(block)
    found: dict[int, Overlay] = {}
    for layer in sorted(layers):
        inside = texts.get(layer.element)
        if inside and found.keys().isdisjoint(above[layer.element]):
            kind = _kind(layer, elements, inside, whole, viewport)
            if kind:
                found[layer.element] = Overlay(layer.element, kind, layer.box)
    return tuple(found.values())


def is_named(names: str) -> bool:
    """Whether an element's id or classes are those of an overlay."""
    lower = names.lower()  # most have none of these, and a case-insensitive search takes ten times as long
    has_word = "cookie" in lower or "consent" in lower or "gdpr" in lower or "cmp" in lower or "ccpa" in lower
    return has_word and _NAMES.search(names) is not None


def _kind(layer: Layer, elements: Sequence[Element], texts: Sequence[Block], whole: int, viewport: Size | None) -> OverlayKind | None:
    size = sum(len(block.text) for block in texts)
    share = size / whole
    box = layer.box
    if box and viewport and (box.y >= viewport.height or box.y + box.height <= 0):
        return None
    is_named_only = layer.how == "named"
    if share <= (RULES.most_named_text_share if is_named_only else RULES.most_text_share) and _is_consent(texts, is_named_only):
        return "consent"
    if is_named_only or share > RULES.most_text_share:
        return None
    if layer.how == "dialog":
        return "dialog"
    if box is None or viewport is None or _is_menu(elements, layer.element, texts, size):
        return None
    if sum(count_words(block.text) for block in texts) < RULES.fewest_words:
        return None
    return _place(box, viewport)


def _place(box: Box, viewport: Size) -> OverlayKind | None:
    """Return the kind of a fixed box that is no menu, by its position."""
    if box.height >= RULES.shortest_side_bar * viewport.height and box.width < RULES.tallest_banner * viewport.width:
        return None  # a side bar
    across = box.x <= viewport.width / 2 <= box.x + box.width and box.y <= viewport.height / 2 <= box.y + box.height
    if across and box.width * box.height >= RULES.smallest_dialog_area * viewport.width * viewport.height:
        return "dialog"
    at_lower_edge = box.y > RULES.edge_distance and box.y + box.height >= viewport.height - RULES.edge_distance
    return "banner" if at_lower_edge and box.height <= RULES.tallest_banner * viewport.height else None


def _is_consent(texts: Sequence[Block], is_in_flow: bool) -> bool:
    """Whether a box mentions cookies or the like and has a button to answer; one that covers the page may have a cross instead."""
    if not any(_SUBJECT.search(block.text) for block in texts if block.link_chars < len(block.text)):
        return False
    return not is_in_flow or any(len(block.text) <= RULES.longest_button and _ANSWER.search(block.text) for block in texts)


def _is_menu(elements: Sequence[Element], row: int, texts: Sequence[Block], size: int) -> bool:
    linked = sum(block.link_chars for block in texts)
    above = {at for block in texts for at in _up(elements, block.element) if at >= row}
    named = any(elements[at].tag in _MENUS or elements[at].attributes.get("role", "") in _MENU_ROLES for at in above)
    return named or linked >= RULES.menu_link_share * size


def _layers_above(elements: Sequence[Element], layers: Set[int]) -> list[tuple[int, ...]]:
    """Return the rows of the layers that each element is in, itself included."""
    above: list[tuple[int, ...]] = []
    for row, element in enumerate(elements):
        outer = above[element.parent] if element.parent >= 0 else ()
        above.append((*outer, row) if row in layers else outer)
    return above


def _up(elements: Sequence[Element], row: int) -> list[int]:
    rows = []
    while row >= 0:
        rows.append(row)
        row = elements[row].parent
    return rows
