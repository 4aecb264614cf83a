"""A help centre: KB4IT with its theme of an application's help."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_KINDS = {
    "article": ("Explanation", "Concepts", "Harbour"),
    "tutorial": ("Tutorial", "Start", "Ferries"),
    "reference": ("Reference", "Reference", "Charts"),
    "short": ("How-to guide", "Help", "Tides"),
    "guide": ("How-to guide", "How-to", "Workshop"),
}
"""By the kind of a document: what it is called, the section of the menu, and the feature that it is about."""


def write_kb4it(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, with a level, a platform and a feature, and the settings of the site."""
    features = sorted({kind[2] for kind in _KINDS.values()})
    vocabulary = {"Feature": features, "Level": ["basic", "advanced"], "Platform": ["Linux", "Windows"]}
    settings = {
        theme: {"about": False, "accent": "#0b7a75", "lang": documents[0].language, "strict": False, "vocabulary": vocabulary},
        "git": False,
        "logo": "resources/logo.svg",
        "logo_alt": NAME,
        "publish_sources": False,
        "source": "source",
        "tagline": "All about tides and boats",
        "target": "html",
        "theme": theme,
        "title": f"{NAME}: Help",
        "version": "1.0",
    }
    write_text(project / "config/repo.json", json.dumps(settings))
    write_text(project / "source/resources/logo.svg", ICON)
    for number, document in enumerate(documents):
        kind, section, feature = _KINDS[document.slug.partition("-")[0]]
        head = {"DocType": kind, "Section": section, "Feature": feature, "Summary": document.summary.replace(": ", " ")}
        head |= {"Level": ("basic", "advanced")[number % 2], "Platform": ("Linux", "Windows")[number % 2], "Order": str(10 * number)}
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"source/{document.slug}.md", f"---\n{front}---\n\n# {document.title}\n\n{to_markdown(document)}")


def build_kb4it(project: Path) -> None:
    """Build the site, from a home folder of its own: the program registers its projects there."""
    program = project.parents[1].resolve() / "bin/kb4it"
    run_tool([str(program), "build", "config/repo.json"], project, {"HOME": str(project.resolve())})
