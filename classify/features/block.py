"""Features of a block by itself, relative to its page: text, box, computed style."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np

from sightread.render.page import Style
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays, ratio

LINE = 1.2
"""Line height of `normal`, in font sizes."""
BOLD = 600
DEFAULT_SIZE = 16.0
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_DIGIT, _COMMA, _STOP = (
    re.compile(r"\d"),
    re.compile(r"[,\u060c\u3001\uff0c;\uff1b]"),
    re.compile(r"[.!?\u2026\u3002\uff01\uff1f\u0964\u06d4\u061f]"),
)


def usual(page: PageArrays, values: Floats) -> float:
    """Return the median over the characters outside links; NaN if there is nothing to measure."""
    known = np.isfinite(values)
    if not known.any():
        return np.nan
    order = np.argsort(values[known], kind="stable")
    weight = np.cumsum(page.unlinked[known][order] + 1e-9)
    return float(values[known][order][np.searchsorted(weight, weight[-1] / 2)])


def _rate(pattern: re.Pattern[str], page: PageArrays) -> Floats:
    return ratio(np.array([len(pattern.findall(block.text)) for block in page.page.blocks], np.float64), page.length)


def _extent(page: PageArrays) -> tuple[float, float]:
    """Return width and height of the page: of the document if they are known, of all boxes together if they are not."""
    if page.page.document is not None:
        return max(page.page.document.width, 1.0), max(page.page.document.height, 1.0)
    right, bottom = page.element_boxes[0, 2:]
    return max(float(right), 1.0), max(float(bottom), 1.0)


def _off_centre(page: PageArrays) -> Floats:
    return np.asarray(np.abs((page.boxes[:, 0] + page.boxes[:, 2]) / 2 / _extent(page)[0] - 0.5), np.float64)


def _off_left(page: PageArrays) -> Floats:
    return np.asarray((page.boxes[:, 0] - usual(page, page.boxes[:, 0])) / _extent(page)[0], np.float64)


StyleMeasure = Callable[[Style, Style], float]
"""Reads a number from a style that differs from the body's, and the body's."""


def _styled(read: StyleMeasure, page: PageArrays) -> Floats:
    if not page.page.styles:
        return np.full(page.count, np.nan)
    body = page.page.body_style
    of_style = np.array([read(style, body) for style in page.page.styles] + [np.nan], np.float64)
    return of_style[[-1 if block.style is None else block.style for block in page.page.blocks]]


def _against(page: PageArrays, read: StyleMeasure) -> Floats:
    values = _styled(read, page)
    return values / usual(page, values)


def _less(page: PageArrays, read: StyleMeasure) -> Floats:
    values = _styled(read, page)
    return values - usual(page, values)


def _top(page: PageArrays, read: StyleMeasure) -> float:
    values = _styled(read, page)
    return float(np.nanmax(values)) if np.isfinite(values).any() else np.nan


def _value(style: Style, body: Style, name: str) -> str:
    return style.get(name, body.get(name, ""))


def _pixels(style: Style, body: Style, *names: str) -> float:
    """Return the sum of lengths; lengths that are not in px (auto, normal, a percentage) count as 0."""
    total = 0.0
    for name in names:
        value = _value(style, body, name)
        if value.endswith("px") and (number := _NUMBER.match(value)):
            total += float(number.group())
    return total


def _font_size(style: Style, body: Style) -> float:
    return _pixels(style, body, "font-size") or DEFAULT_SIZE


def _line(style: Style, body: Style) -> float:
    return (_pixels(style, body, "line-height") or LINE * _font_size(style, body)) / _font_size(style, body)


def _bold(style: Style, body: Style) -> float:
    weight = _value(style, body, "font-weight")
    return float(weight in ("bold", "bolder") or (weight.isdigit() and int(weight) >= BOLD))


def _luminance(style: Style, body: Style, name: str, missing: float) -> float:
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2.1); `missing` if it is transparent, or in a notation not known here."""
    parts = [float(number) for number in _NUMBER.findall(_value(style, body, name))]
    if len(parts) not in (3, 4) or (len(parts) == 4 and parts[3] == 0):
        return missing
    linear = [(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4) for v in (min(part, 255) / 255 for part in parts[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _ground(style: Style, body: Style) -> float:
    return _luminance(style, {}, "background-color", _luminance(body, {}, "background-color", 1.0))


def _contrast(style: Style, body: Style) -> float:
    """Return the contrast ratio of text and background, 1 to 21 (WCAG 2.1); what ancestors paint is not known."""
    text, ground = _luminance(style, body, "color", 0.0), _ground(style, body)
    return (max(text, ground) + 0.05) / (min(text, ground) + 0.05)


def _is(name: str, *values: str) -> StyleMeasure:
    return lambda style, body: float(_value(style, body, name) in values)


STYLE: dict[str, tuple[str, StyleMeasure]] = {
    "properties": ("how many properties differ from the body's", lambda style, body: float(len(style))),
    "size": ("font size in px", _font_size),
    "bold": ("whether the font is bold", _bold),
    "italic": ("whether the font is slanted", _is("font-style", "italic", "oblique")),
    "line": ("line height in font sizes", _line),
    "contrast": ("contrast of text and background", _contrast),
    "luminance": ("luminance of the text", lambda style, body: _luminance(style, body, "color", 0.0)),
    "ground": ("luminance of the background", _ground),
    "painted": (
        "whether it paints a background of its own",
        lambda style, body: float(_luminance(style, {}, "background-color", -1.0) >= 0),
    ),
    "font": ("whether its font family is not the body's", lambda style, body: float("font-family" in style)),
    "centred": (
        "whether its text is centred or set to the end",
        _is("text-align", "center", "right", "end", "-webkit-center", "-webkit-right"),
    ),
    "justified": ("whether its text is justified", _is("text-align", "justify")),
    "capitals": ("whether its letters are transformed", _is("text-transform", "uppercase", "lowercase", "capitalize")),
    "item": ("whether it shows as a list item", _is("display", "list-item")),
    "cell": ("whether it shows as a table cell", _is("display", "table-cell")),
    "inline": ("whether it shows inside a line", _is("display", "inline", "inline-block")),
    "floats": ("whether it floats", _is("float", "left", "right")),
    "lifted": ("whether it is taken out of the flow", _is("position", "absolute", "fixed", "sticky")),
    "pointer": ("whether its cursor shows that it can be clicked", _is("cursor", "pointer")),
    "margins": ("margins above and below in px", lambda style, body: _pixels(style, {}, "margin-top", "margin-bottom")),
    "sides": ("margins left and right in px", lambda style, body: _pixels(style, {}, "margin-left", "margin-right")),
    "padding": ("padding above and below in px", lambda style, body: _pixels(style, {}, "padding-top", "padding-bottom")),
    "border": ("borders above and below in px", lambda style, body: _pixels(style, {}, "border-top-width", "border-bottom-width")),
}
"""Properties of styles that are features, as words or as numbers. Names of fonts and colours are not."""


Trait = tuple[str, Callable[[PageArrays], Floats]]

TEXT: dict[str, Trait] = {
    "text.length": ("logarithm of its characters", lambda page: np.log1p(page.length)),
    "text.unlinked": ("logarithm of its characters outside links", lambda page: np.log1p(page.unlinked)),
    "text.links": ("share of its characters inside links", lambda page: ratio(page.linked, page.length)),
    "text.share": ("its part of the page's text outside links", lambda page: ratio(page.unlinked, page.unlinked.sum())),
    "text.largest": (
        "its text outside links against the page's longest",
        lambda page: ratio(page.unlinked, page.unlinked.max(initial=0.0)),
    ),
    "text.digits": ("digits a character", partial(_rate, _DIGIT)),
    "text.commas": ("commas a character", partial(_rate, _COMMA)),
    "text.stops": ("sentence marks a character", partial(_rate, _STOP)),
    "text.ends": ("whether it ends as a sentence does", lambda page: page.ends),
    "text.heading": ("its heading level, 0 for none", lambda page: np.array([block.heading for block in page.page.blocks], np.float64)),
    "text.hidden": ("whether it is kept from view", lambda page: np.array([bool(block.hidden) for block in page.page.blocks], np.float64)),
}
"""The text of the block."""

BOX: dict[str, Trait] = {
    "box.width": ("width against the page's", lambda page: page.width / _extent(page)[0]),
    "box.height": ("logarithm of the height in px", lambda page: np.log1p(page.height)),
    "box.left": ("left side against the page's width", lambda page: page.boxes[:, 0] / _extent(page)[0]),
    "box.centre": ("distance of its middle from the page's, in page widths", _off_centre),
    "box.top": ("top against the page's height", lambda page: page.boxes[:, 1] / _extent(page)[1]),
    "box.top px": ("logarithm of the top in px", lambda page: np.log1p(page.boxes[:, 1].clip(min=0))),
    "box.below": ("logarithm of the px below it", lambda page: np.log1p((_extent(page)[1] - page.boxes[:, 3]).clip(min=0))),
    "box.density": ("characters a thousand square px", lambda page: 1000 * ratio(page.length, page.width * page.height)),
    "box.usual width": ("width against the page's usual for text", lambda page: page.width / usual(page, page.width)),
    "box.usual left": ("left side less the page's usual for text, in page widths", _off_left),
}
"""Where it is; NaN without boxes."""

LOOK: dict[str, Trait] = {
    **{f"style.{name}": (words, partial(_styled, read)) for name, (words, read) in STYLE.items()},
    "style.usual size": ("font size against the page's usual for text", lambda page: _against(page, _font_size)),
    "style.largest size": ("font size against the page's largest", lambda page: _styled(_font_size, page) / _top(page, _font_size)),
    "style.usual contrast": ("contrast less the page's usual for text", lambda page: _less(page, _contrast)),
    "style.usual line": ("line height against the page's usual for text", lambda page: _against(page, _line)),
}
"""How it is set; NaN without styles."""

TRAITS = TEXT | BOX | LOOK


def traits(page: PageArrays) -> dict[str, Floats]:
    """Return each trait's column."""
    return {name: compute(page) for name, (_, compute) in TRAITS.items()}
