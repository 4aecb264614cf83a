"""Sources that a program writes as pages beside their comments: Docco (npm) of CodeMirror's modules."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks.sites.manuals.manual import Manual
from benchmarks.sites.packages import install_packages, run_program


def convert_codemirror(project: Path) -> None:
    """Write a page per module of CodeMirror."""
    tools = project.parents[1] / "docco"
    install_packages(tools, ("docco@0.9.2", "codemirror@5.65.18"), "npm")
    (project / "src").mkdir()
    for path in sorted((tools / "node_modules/codemirror/src").glob("**/*.js")):
        shutil.copy(path, project / "src")
    names = sorted(f"src/{path.name}" for path in project.glob("src/*.js"))
    run_program([str(tools.resolve() / "node_modules/.bin/docco"), "-o", "html", *names], project, tools.parent)


SITE_MANUALS = (
    Manual(
        "codemirror",
        "docco",
        "docco",
        "",
        "src/*.html",
        "//ul[@class='sections']",
        ".//div[contains(@class, 'sswrap')]",
        "MIT",
        convert_codemirror,
    ),
)
"""Of the programs, where `Manual` names Debian's package: those of npm are installed by the build."""
