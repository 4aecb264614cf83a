"""Features of the computed styles of blocks: by rank and contrast within the page, never by a length or a colour alone.

A style is read relative to the usual one of the page's text, as the eye does: larger, bolder, paler, more widely spaced than the rest.
Names of fonts and colours are not read. All columns are NaN if no browser computed styles.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from classify.features.context import GROUP_WORDS, group_features, usual
from classify.features.main_text import ANCHOR_WORDS, anchor_relation, main_group
from render.page import Style
from render.page_arrays import Floats, PageArrays, Rows, numbered

LINE = 1.2
"""Line height of `normal`, in font sizes."""
BOLD = 600
DEFAULT_SIZE = 16.0
"""CSS px."""
DIGITS = 3
"""Decimal places to which quantities are equal."""
REACH = 4
"""Blocks to either side that are compared with a block."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")

Columns = dict[str, Floats]
Reader = Callable[[Style, Style], float]
"""Reads a number from a style that differs from the body's, and the body's."""


def _value(style: Style, body: Style, name: str) -> str:
    return style.get(name, body.get(name, ""))


def _pixels(style: Style, body: Style, *names: str) -> float:
    """Return the sum of lengths; what is not in px (auto, normal, a percentage) counts as 0."""
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
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2.1); `missing` where it is transparent, or in a notation not known here."""
    parts = [float(number) for number in _NUMBER.findall(_value(style, body, name))]
    if len(parts) not in (3, 4) or (len(parts) == 4 and parts[3] == 0):
        return missing
    linear = [(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4) for v in (min(part, 255) / 255 for part in parts[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _background(style: Style, body: Style) -> float:
    return _luminance(style, {}, "background-color", _luminance(body, {}, "background-color", 1.0))


def _contrast(style: Style, body: Style) -> float:
    """Return the contrast ratio of text and background, 1 to 21 (WCAG 2.1); what ancestors paint is not known."""
    text, ground = _luminance(style, body, "color", 0.0), _background(style, body)
    return (max(text, ground) + 0.05) / (min(text, ground) + 0.05)


def _is(name: str, *values: str) -> Reader:
    return lambda style, body: float(_value(style, body, name) in values)


FLAGS: dict[str, tuple[str, Reader]] = {
    "bold": ("whether the font is bold", _bold),
    "italic": ("whether the font is slanted", _is("font-style", "italic", "oblique")),
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
    "item": ("whether it is displayed as a list item", _is("display", "list-item")),
    "cell": ("whether it is displayed as a table cell", _is("display", "table-cell")),
    "inline": ("whether it is displayed inside a line", _is("display", "inline", "inline-block")),
    "flexible": ("whether it lays out its content in rows or a grid", _is("display", "flex", "inline-flex", "grid", "inline-grid")),
    "floats": ("whether it floats", _is("float", "left", "right")),
    "lifted": ("whether it is taken out of the flow", _is("position", "absolute", "fixed", "sticky")),
    "pointer": ("whether its cursor indicates that it can be clicked", _is("cursor", "pointer")),
}
"""Properties that hold or do not: description, and reader."""

LENGTHS: dict[str, tuple[str, Reader]] = {
    "margins": ("margins above and below", lambda style, body: _pixels(style, {}, "margin-top", "margin-bottom")),
    "sides": ("margins left and right", lambda style, body: _pixels(style, {}, "margin-left", "margin-right")),
    "padding": ("padding above and below", lambda style, body: _pixels(style, {}, "padding-top", "padding-bottom")),
    "border": ("borders above and below", lambda style, body: _pixels(style, {}, "border-top-width", "border-bottom-width")),
}
"""Lengths that are compared with the usual font size of the page."""

SCALES: dict[str, tuple[str, Reader]] = {
    "size": ("font size", _font_size),
    "line": ("line height in font sizes", _line),
    "contrast": ("contrast of text and background", _contrast),
    "luminance": ("luminance of the text", lambda style, body: _luminance(style, body, "color", 0.0)),
    "background": ("luminance of the background", _background),
}
"""Quantities that are compared with the rest of the page's text."""

SCALE_WORDS = {
    "usual": "less the usual of the page's text, in usual ones",
    "rank": "share of the page's unlinked text that has more of it",
    "equal": "share of the page's unlinked text that has as much of it",
}

GROUPS: dict[str, tuple[str, Callable[[PageArrays], Rows]]] = {
    "same style": ("computed style", lambda page: page.styles),
    "same setting": ("tag path and computed style", lambda page: numbered(zip(page.paths.tolist(), page.styles.tolist(), strict=True))),
}

STYLE_WORDS: dict[str, str] = {
    "style.properties": "logarithm of the number of its properties that differ from the body's",
    **{f"style.{name}": words for name, (words, _) in FLAGS.items()},
    **{f"style.{name}": f"{words}, in usual font sizes" for name, (words, _) in LENGTHS.items()},
    **{f"style.{name}.{measure}": f"{what}: {words}" for name, (what, _) in SCALES.items() for measure, words in SCALE_WORDS.items()},
    **{
        f"{name}.{measure}": f"blocks of its {what}: {words}"
        for name, (what, _) in GROUPS.items()
        for measure, words in GROUP_WORDS.items()
    },
    **{f"main style.{measure}": f"the computed style of most unlinked text: {words}" for measure, words in ANCHOR_WORDS.items()},
    "style.around": f"share of the {REACH} blocks to either side that have its computed style",
}
"""Description of each column."""


def style_features(page: PageArrays) -> Columns:
    """Return the columns of `STYLE_WORDS`, each of shape (blocks,); NaN throughout without styles, and for text that is not laid out."""
    if not page.page.styles or (page.styles < 0).all():
        return dict.fromkeys(STYLE_WORDS, np.full(page.count, np.nan))
    size = usual(page, _read(page, _font_size))
    columns: Columns = {"style.properties": np.log1p(_read(page, lambda style, body: float(len(style))))}
    columns |= {f"style.{name}": _read(page, reader) for name, (_, reader) in FLAGS.items()}
    columns |= {f"style.{name}": _read(page, reader) / size for name, (_, reader) in LENGTHS.items()}
    for name, (_, reader) in SCALES.items():
        columns |= {f"style.{name}.{measure}": values for measure, values in _scale(page, _read(page, reader)).items()}
    for name, (_, group_of) in GROUPS.items():
        columns |= group_features(page, name, group_of(page))
    main = anchor_relation(page, main_group(page, page.styles))
    columns |= {f"main style.{measure}": values for measure, values in zip(ANCHOR_WORDS, main, strict=True)}
    columns["style.around"] = _alike_around(page.styles)
    missing = page.styles < 0
    return {name: np.where(missing, np.nan, values) for name, values in columns.items()}


def _read(page: PageArrays, read: Reader) -> Floats:
    """Return the number of each block's style; NaN for a block without."""
    body = page.page.body_style
    values = np.array([read(style, body) for style in page.page.styles] + [np.nan], np.float64)
    return values[[-1 if block.style is None else block.style for block in page.page.blocks]]


def _scale(page: PageArrays, values: Floats) -> Columns:
    """Return the measures of `SCALE_WORDS`."""
    values = values.round(DIGITS)
    middle, known = usual(page, values), np.isfinite(values)
    distinct, place = np.unique(np.where(known, values, -np.inf), return_inverse=True)
    text = np.bincount(place, page.unlinked * known + 1e-9, len(distinct))
    share = text / text.sum()
    above = 1.0 - np.cumsum(share)
    return {"usual": (values - middle) / (abs(middle) + 1e-3), "rank": above[place], "equal": share[place]}


def _alike_around(groups: Rows) -> Floats:
    same, known = np.zeros(len(groups)), np.zeros(len(groups))
    for step in range(1, min(REACH, len(groups) - 1) + 1):
        alike = (groups[step:] == groups[:-step]).astype(np.float64)
        for side in (slice(step, None), slice(None, -step)):
            same[side] += alike
            known[side] += 1
    return np.asarray(same / known.clip(min=1.0), np.float64)
