"""Changes of layout that the scripts of an application make, which its saved pages lack."""

from __future__ import annotations

import re
from pathlib import Path

_FONTS = re.compile(r"<link [^>]*//fonts[^>]*>")
"""Style sheets of fonts from the network."""
_NETWORK = re.compile(
    r'<script[^>]*\ssrc="(?:https?:)?//[^>]*>\s*</script>|<link[^>]*\shref=["\'](?:https?:)?//[^>]*>|@font-face\s*{[^}]*https:[^}]*}'
)
"""Scripts, style sheets and fonts from the network."""


def add_style(project: Path, style: str) -> None:
    """Add a style to the pages of a project."""
    for path in (project / "html").glob("*.html"):
        path.write_text(path.read_text("utf-8").replace("</head>", f"<style>{style}</style></head>", 1), "utf-8")


def without_fonts(text: str) -> str:
    """Return a page without fonts from the network."""
    return _FONTS.sub("", text)


def without_network(text: str) -> str:
    """Return a page without scripts, style sheets and fonts from the network."""
    return _NETWORK.sub("", text)
