"""Image URLs that name one picture in several sizes, and the largest of them.

Sites write the size in a parameter (`?w=640`), in the path (`/max/640/`, `/resize:fit:640/`, `/w_640,h_480/`, `/640x480/`) or at the end of
the name (`-640x480.jpg`). A picture that loads late has a blurred one of some 60 px before it, under a similar address.
"""

from __future__ import annotations

import math
import re

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


def picture_of(source: str) -> str:
    """Return the address without its size: the same for all sizes of one picture."""
    return _IN_PATH.sub("", _PARAMETER.sub("", source)).rstrip("?&")


def declared_size(source: str) -> int:
    """Return the largest width or height in px that the address names; 0 if it names none."""
    sides = [found["number"] for found in _PARAMETER.finditer(source) if found["side"] and found["number"]]
    sides += (number for found in _IN_PATH.finditer(source) for number in found.groups() if number)
    return max(map(int, sides), default=0)


def rank(source: str) -> float:
    """Return a rank by size among addresses with the same `picture_of`; an address without a size is the original's."""
    return declared_size(source) or (0.0 if picture_of(source) != source else math.inf)
