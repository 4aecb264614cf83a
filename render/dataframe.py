"""A page as a pandas DataFrame, one row per block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from render.page import Page

if TYPE_CHECKING:
    import pandas as pd


def page_frame(page: Page) -> pd.DataFrame:
    """Return one row per block: text, tag and selector path, box, link characters, visibility, z, heading level, list marker, and one
    `css.*` column for each computed property that differs from the body's on any block of the page (NaN if it does not differ).
    """
    import pandas as pd  # noqa: PLC0415  (half a second, and most callers need none)

    tags, selectors = page.tag_paths(), page.selector_paths()
    rows = []
    for block in page.blocks:
        box = block.box or (None,) * 4
        row: dict[str, object] = {
            "text": block.text,
            "tag_path": tags[block.element],
            "selector_path": selectors[block.element],
            **dict(zip(("x", "y", "width", "height"), box, strict=True)),
            "link_chars": block.link_chars,
            "hidden": block.hidden,
            "z": block.z,
            "heading": block.heading,
            "marker": block.marker,
        }
        row.update({f"css.{name}": value for name, value in sorted(page.style_of(block).items())})
        rows.append(row)
    return pd.DataFrame(rows)
