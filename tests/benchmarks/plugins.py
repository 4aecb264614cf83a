"""Extractors that tests plug in: each is written into a module of the folder that the test runs in."""

import textwrap
from pathlib import Path

import pytest

FIVE_LINES = """
    import re

    def read(html, url):
        return re.sub("<[^>]*>", " ", html)
"""
"""What docs/benchmarks.md shows."""


def plug_in(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, module: str = "mine") -> str:
    """Write the module, go into its folder, and return the name of its extractor."""
    folder.joinpath(f"{module}.py").write_text(textwrap.dedent(source))
    monkeypatch.chdir(folder)
    return f"{module}:read"
