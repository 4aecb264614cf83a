"""Selects the images of a page that belong to its content, and describes them by alternative text or caption.

Image URLs name one picture in several sizes, of which the largest is taken. Sites write the size in a parameter (`?w=640`), in the path
(`/max/640/`, `/resize:fit:640/`, `/w_640,h_480/`, `/640x480/`) or at the end of the name (`-640x480.jpg`). A picture that loads late has a
blurred one of some 60 px before it, under a similar address.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape

from sightread.document.tree.inlines import image_tex, is_inline
from sightread.render.network.address import percent_decode
from sightread.render.page import Image, Page
from sightread.render.page.view import enclosing, outermost
from sightread.render.text.words import is_title


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """Criteria of an image of the content."""

    least_side: int = 50
    """CSS px: an image that is smaller in either direction is an icon, a spacer or a tracking pixel."""
    most_caption_blocks: int = 2
    """Most dropped blocks beside an image that are its caption, with the credit (25 of 27 on 70 pages)."""
    most_card_blocks: int = 4
    """Most kept blocks in a card of a list: a product's name, price, rating and a line about it."""


LIMITS = ImageLimits()

_PHOTO = re.compile(r"\.(?:jpe?g|png|webp|avif|gif)(?![a-z])", re.IGNORECASE)
_SMALL = r"(?:avatar|(?:fav)?icon|sprite|emoji|smiley|placeholder|spacer|overlay)"
_ICON = re.compile(
    rf"/(?:{_SMALL}s?|badge|social)[-_.\d][^/]*$|[-_]{_SMALL}[-_x\d]*\.\w{{3,4}}(?:[?#][^/]*)?$"
    r"|gravatar\.com/|//avatars?\d*\.|/(?:(?:avatar|emoji)s?|cta)/",
    re.IGNORECASE,
)
"""Names, by their first or last word, of images that are no pictures: used if no browser measured the image."""
_BANNER = re.compile(r"(?:^|[-_/.])(?:logo|banner|cta|button)s?(?=[-_.\d/])", re.IGNORECASE)
"""Names of a site's own images; used for links at the edge of the content alone, since an article may be about a logo."""
_CAPTION = re.compile(r"caption|credit", re.IGNORECASE)
"""Class names of captions outside of a `<figure>`: `wp-caption-text`, `tr-caption`, `photo-credit`."""


def content_images(page: Page, kept: Sequence[int]) -> tuple[Image, ...]:
    """Return the images among the kept blocks (rows of the page, ascending), each source once, in document order; of several sizes, for
    wide and narrow screens, the largest. A formula may repeat, and is small.

    An image is content if no dropped block separates it from the range of the kept ones, and the innermost element that contains both it
    and any text contains kept text: a teaser's picture is dropped with its text. The words of a `<figure>` do not count, since a caption is
    often dropped alone, nor do those of any other caption. A link around an image before or after all kept blocks makes it a logo or an
    advertisement, unless it is described. An image without a description gets its dropped caption as one.
    """
    if not kept or not page.images:
        return ()
    surroundings = _Surroundings(page, kept)
    found: dict[str, Image] = {}
    for image in page.images:
        if not kept[0] - LIMITS.most_caption_blocks <= image.before <= kept[-1] + 1 or not surroundings.hold(image):
            continue
        key = f"{image.before} {image.source}" if image_tex(image) else picture_of(image.source)
        if key not in found or rank(image.source) > rank(found[key].source):
            found[key] = image
    adjacent = {image: " ".join(page.blocks[row].text for row in surroundings.adjacent(image)) for image in found.values()}
    return described(page, {image: " ".join(words.split()) for image, words in adjacent.items()}, kept)


class _Surroundings:
    """Context of the images of a page with these kept blocks (rows, ascending)."""

    def __init__(self, page: Page, kept: Sequence[int]) -> None:
        self.page = page
        self.kept = kept
        self.is_kept = frozenset(kept)
        self.with_kept = _holders(page, kept)
        self.figure = enclosing(page, ("figure",))
        self.link = enclosing(page, ("a",))
        self.sources = Counter(image.source for image in page.images)
        self.places = Counter(image.element for image in page.images)
        self.outermost = outermost(page, frozenset(range(len(page.elements))) - self.with_kept)
        """The outermost element around each, itself included, that contains no kept block; -1 if it contains one itself."""

    @cached_property
    def dropped(self) -> Mapping[int, Sequence[int]]:
        """The dropped blocks outside of figures, by the outermost element around them that contains no kept one."""
        found: dict[int, list[int]] = {}
        for row, block in enumerate(self.page.blocks):
            if row not in self.is_kept and self.figure[block.element] < 0:
                found.setdefault(self.outermost[block.element], []).append(row)
        return found

    @cached_property
    def with_text(self) -> Collection[int]:
        """The elements that contain a block."""
        return _holders(self.page, range(len(self.page.blocks)))

    def hold(self, image: Image) -> bool:
        """Return whether the image is a picture that belongs to the kept content."""
        words = self.adjacent(image)
        if len(words) > LIMITS.most_caption_blocks or not self._is_picture(image) or self._is_loose(image):
            return False
        above = range(image.before, self.kept[0])
        if not all(row in words or self.figure[self.page.blocks[row].element] >= 0 for row in above):
            return False
        return not words or self._is_caption(words, self.outermost[image.element], self.sources[image.source] == 1 and not above)

    def adjacent(self, image: Image) -> Sequence[int]:
        """Return the dropped blocks around an image outside of figures: its caption, if they are few."""
        around = self.outermost[image.element]
        return self.dropped.get(around, []) if around >= 0 else []

    def _is_caption(self, words: Sequence[int], outermost: int, may_be_unnamed: bool) -> bool:
        """Return whether dropped blocks are a caption: a few words, with a caption's class name, or between kept blocks."""
        blocks = [self.page.blocks[row] for row in words]
        if any(block.heading or 2 * block.link_chars > len(block.text) for block in blocks):
            return False
        if all(self._is_called_caption(block.element, outermost) for block in blocks):
            return True
        return may_be_unnamed and {words[0] - 1, words[-1] + 1} <= self.is_kept

    def _is_called_caption(self, element: int, outermost: int) -> bool:
        while not any(map(_CAPTION.search, self.page.elements[element].classes)):
            if element == outermost:
                return False
            element = self.page.elements[element].parent
        return True

    def _is_loose(self, image: Image) -> bool:
        """Return whether the image is a link before or after all kept blocks, in no card, and not described: a logo or an advertisement."""
        is_first = image.before <= self.kept[0]
        if not (is_first or image.before > self.kept[-1]) or self.link[image.element] < 0 or self.figure[image.element] >= 0:
            return False
        is_banner = bool(_BANNER.search(image.source))
        if image.alt and not is_banner:
            return False
        if is_banner or len(self.kept) <= LIMITS.most_card_blocks:
            return True
        holder = next(row for row in self.page.ancestors(image.element) if row in self.with_kept)
        return holder in self.page.ancestors(
            self.page.blocks[self.kept[LIMITS.most_card_blocks if is_first else -1 - LIMITS.most_card_blocks]].element
        )

    def _is_picture(self, image: Image) -> bool:
        """Return whether an image is a picture, not an icon or a tracking pixel: by its box; if it was not loaded, by address and
        description.
        """
        if image_tex(image) and not is_inline(self.page, image):
            return True
        if not image.source.startswith(("http://", "https://")):
            return False
        if image.box is not None and self.page.source != "stored" and image.box.width * image.box.height:
            return min(image.box.width, image.box.height) >= LIMITS.least_side
        size = declared_size(image.source)
        if 0 < size < LIMITS.least_side or _ICON.search(image.source):
            return False
        if ".svg" in image.source.lower():
            return bool(image.alt) and self._is_alone(image)
        return bool(_PHOTO.search(image.source) or image.alt or size) or ("?" not in image.source and self._is_alone(image))

    def _is_alone(self, image: Image) -> bool:
        """Return whether the image is alone in a paragraph or figure amid kept blocks, as charts are and icons are not."""
        element = image.element
        return (
            self.kept[0] < image.before <= self.kept[-1]
            and self.page.elements[element].tag in ("p", "figure")
            and self.places[element] == 1
            and element not in self.with_text
            and self.link[element] < 0
        )


def _holders(page: Page, rows: Iterable[int]) -> set[int]:
    held: set[int] = set()
    for row in rows:
        element = page.blocks[row].element
        while element >= 0 and element not in held:
            held.add(element)
            element = page.elements[element].parent
    return held


# Descriptions.


LONGEST_CAPTION = 300
"""Most characters of an alternative text; longer text describes more than the image."""

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_FILE = re.compile(r"(?P<name>\S+)\.(?:jpe?g|png|gif|webp|svg|avif|bmp|tiff?)|(?P<slug>[^\W_]+(?:[-_]+[^\W_]+){2,})", re.IGNORECASE)
_NOTHING = re.compile(r"(?:img|image|photo|pic|picture|blank|placeholder)[-_ ]?\d*|enter image (?:title|description) here", re.IGNORECASE)
"""Generic words for images, and placeholders of editors."""


def described(page: Page, images: Mapping[Image, str], kept: Iterable[int]) -> tuple[Image, ...]:
    """Return the images, given with the words beside each, with their descriptions: alternative text without tags, else a caption.

    Alternative text is ignored if it is the name of the image's file, or if several images share the page's title. A caption is that of the
    image's own `<figure>`, used for the first image there, or the dropped words beside it: the gold that models learn from seldom contains
    captions, so models drop nearly all of them; as a description a caption is not text.
    """
    times = Counter(image.alt for image in images)
    alts = {image: _alt(image, page.titles if times[image.alt] > 1 else ()) for image in images}
    figures = enclosing(page, ("figure",))
    captions = _captions(page, frozenset(kept)) if not all(alts.values()) else {}
    words = Counter(images.values())
    found = []
    for image, alt in alts.items():
        if image_tex(image):
            found.append(image)
            continue
        text = images[image]
        is_sole = " " in text and len(text) <= LONGEST_CAPTION and words[text] == 1  # no button, no paragraph, of one image alone
        with_alt = image._replace(alt=alt or captions.pop(figures[image.element], "") or (text if is_sole else ""))
        found.append(image._replace(alt=alt) if image_tex(with_alt) else with_alt)
    return tuple(found)


def _alt(image: Image, titles: Sequence[str]) -> str:
    """Return the alternative text; empty if it is generic, or resembles one of these titles."""
    alt = " ".join(unescape(_TAG.sub(" ", image.alt) if "<" in image.alt else image.alt).split())
    file = _FILE.fullmatch(alt)
    if file and (file["name"] or file["slug"]).lower() in percent_decode(image.source).lower():
        return ""
    return "" if _NOTHING.fullmatch(alt) or is_title(alt, titles) else alt


def _captions(page: Page, kept: frozenset[int]) -> dict[int, str]:
    figures, captions = enclosing(page, ("figure",)), enclosing(page, ("figure", "figcaption"))
    texts: dict[int, list[str]] = {}
    for row, block in enumerate(page.blocks):
        caption = captions[block.element]
        if caption >= 0 and page.elements[caption].tag == "figcaption" and figures[caption] >= 0:
            texts.setdefault(figures[caption], []).append("" if row in kept else block.text)
    whole = {figure: " ".join(" ".join(held).split()) for figure, held in texts.items() if all(held)}
    return {figure: text for figure, text in whole.items() if len(text) <= LONGEST_CAPTION}


# Sizes.


_PARAMETER = re.compile(
    r"(?<=[?&])(?:(?P<side>s?w|width|wid|imwidth|w_|s?h|height|hei|size)|dpr|q|qlt|quality|sfrm|strip)=(?P<number>\d{0,5})[^&#\d]*(?:&|$)"
)
_IN_PATH = re.compile(
    r"/(?:max|fit/c|fit/t|v2/resize:\w+)[/:](?P<medium>\d{1,5})(?:[/:]\d{1,5})?(?:/format:\w+)?(?=/)"  # Medium, old and new
    r"|/(?:[a-z]{1,2}_\w+,)*[wh]_(?P<filled>\d{1,5})(?:,[a-z]{1,2}_[\w:.]+)*(?=/)"  # Cloudinary, Wix
    r"|/(?P<folder>\d{2,4})[x*]\d{2,4}(?=/)"
    r"|(?<=\w)[-_](?P<named>\d{2,4})x\d{2,4}(?=\.(?:jpe?g|png|webp|avif|gif)(?:[?#]|$))",  # WordPress, Shopify
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def picture_of(source: str) -> str:
    """Return the address without its size: the same for all sizes of one picture."""
    return _IN_PATH.sub("", _PARAMETER.sub("", source)).rstrip("?&")


@lru_cache(maxsize=256)
def declared_size(source: str) -> int:
    """Return the largest width or height in px that the address names; 0 if it names none."""
    sides = [found["number"] for found in _PARAMETER.finditer(source) if found["side"] and found["number"]]
    sides += (number for found in _IN_PATH.finditer(source) for number in found.groups() if number)
    return max(map(int, sides), default=0)


def rank(source: str) -> float:
    """Return a rank by size among addresses with the same `picture_of`; an address without a size is the original's."""
    return declared_size(source) or (0.0 if picture_of(source) != source else math.inf)
