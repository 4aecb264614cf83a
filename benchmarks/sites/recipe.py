"""Records of recipes: a site generator, and a theme of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmarks.sites.texts.documents import SourceDocument, gold_text


@dataclass(frozen=True, slots=True)
class Generator:
    """A site generator: its packages, its project, its command."""

    name: str
    packages: tuple[str, ...]
    """Of PyPI, or with `is_node` of npm, each with its version."""
    write: Callable[[Path, str, Sequence[SourceDocument]], None]
    """From the project's folder, the theme and the documents."""
    command: tuple[str, ...] | Callable[[Path], None]
    """The program and its arguments, run in the project; or what builds it."""
    output: str
    """Folder of the built pages, in the project."""
    page: Callable[[SourceDocument], str]
    """The document's path below the output."""
    registry: Literal["pypi", "npm", "debian"] = "pypi"
    """Where the packages are from; Debian's are not installed by the build: a theme whose program is missing is left out."""
    gold: Callable[[SourceDocument], str] = gold_text
    """The gold text of a document's page."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme of a generator, from one package."""

    generator: str
    name: str
    licence: str = "with its generator"
    package: str = ""
    """Empty if the generator has it."""

    @property
    def site(self) -> str:
        """The name of the site that is built with it."""
        return f"{self.generator}-{self.name}".replace("_", "-")


def flat(document: SourceDocument) -> str:
    """Return the path of a document's page, for generators that write all to one folder."""
    return f"{document.slug}.html"


def in_folder(document: SourceDocument) -> str:
    """Return the path of a document's page, for generators that give each page a folder."""
    return f"{document.slug}/index.html"
