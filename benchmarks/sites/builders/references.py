"""API references that programs write from packaged sources: YUIDoc (npm) of YUI, pdoc3 (PyPI) of Rich, Docco (npm) of CodeMirror."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.generators.rendered_pages import without_scripts
from benchmarks.sites.manuals.manual import Manual
from benchmarks.sites.packages import install_packages, run_program

_YUI_MODULES = (
    *("app-*", "attribute-*", "base-*", "anim-*", "cache-*", "calendar*", "button*", "datasource-*", "dd-*", "event-custom*", "history*"),
    *("io-*", "model*", "node-*", "overlay*", "panel*", "promise*", "scrollview*", "slider*", "sortable*", "tabview*", "tree*"),
    *("widget-*", "recordset*", "router*", "view*", "text-*", "template-*"),
)
_YUI_GRIDS = re.compile(r'href="http://yui[^"]*/cssgrids-min\.css"')
_SANITIZE = re.compile(r'href="https://cdnjs[^"]*/(sanitize|typography)\.min\.css" integrity="[^"]*" crossorigin')


def convert_yui(project: Path) -> None:
    """Document modules of YUI; its grids come from its package, and its scripts, which were on a server of the past, are left out."""
    tools = project.parents[1] / "yuidoc"
    install_packages(tools, ("yuidocjs@0.10.2", "yui@3.18.1"), "npm")
    library = tools.resolve() / "node_modules/yui"
    (project / "src").mkdir()
    for folder in sorted({folder for pattern in _YUI_MODULES for folder in library.glob(pattern)}):
        if (script := folder / f"{folder.name}.js").is_file():
            shutil.copy(script, project / "src")
    program = str(tools.resolve() / "node_modules/.bin/yuidoc")
    run_program([program, "--project-version", "3.18.1", "-o", "html", "src"], project, tools.parent)
    shutil.copy(library / "cssgrids/cssgrids-min.css", project / "html/assets/css")
    for path in sorted((project / "html").glob("classes/*.html")):
        text = _YUI_GRIDS.sub('href="../assets/css/cssgrids-min.css"', path.read_text("utf-8"))
        path.write_text(without_scripts(text), "utf-8")


def convert_rich(project: Path) -> None:
    """Document the modules of Rich, with the style sheets from npm that the pages take from the network."""
    tools, styles = project.parents[1] / "pdoc3", project.parents[1] / "sanitize"
    install_packages(tools, ("pdoc3==0.11.6", "Markdown==3.7", "rich==14.1.0"), "pypi")
    install_packages(styles, ("sanitize.css@13.0.0",), "npm")
    run_tool([str(tools.resolve() / "bin/pdoc3"), "--html", "-o", "html", "--config", "syntax_highlighting=False", "rich"], project)
    for name in ("sanitize", "typography"):
        shutil.copy(styles / f"node_modules/sanitize.css/{name}.css", project / "html")
    for path in sorted((project / "html").glob("rich/**/*.html")):
        top = "../" * (len(path.relative_to(project / "html").parts) - 1)
        path.write_text(_SANITIZE.sub(rf'href="{top}\1.css"', path.read_text("utf-8")), "utf-8")


def convert_codemirror(project: Path) -> None:
    """Write a page per module of CodeMirror."""
    tools = project.parents[1] / "docco"
    install_packages(tools, ("docco@0.9.2", "codemirror@5.65.18"), "npm")
    (project / "src").mkdir()
    for path in sorted((tools / "node_modules/codemirror/src").glob("**/*.js")):
        shutil.copy(path, project / "src")
    names = sorted(f"src/{path.name}" for path in project.glob("src/*.js"))
    run_program([str(tools.resolve() / "node_modules/.bin/docco"), "-o", "html", *names], project, tools.parent)


def _has(name: str) -> str:
    return f"contains(concat(' ', @class, ' '), ' {name} ')"


_HIDDEN_ITEM = f"{_has('private')} or {_has('protected')}"
"""Of YUIDoc: what its pages show after a click only."""
BUILDER_MANUALS = (
    Manual(
        "yui",
        "yuidoc",
        "yuidocjs",
        "",
        "classes/*.html",
        f"//div[@id='docs-main']/div[{_has('content')}]",
        f".//*[@id='index'] | .//*[{_has('api-class-tabs')}] | .//div[{_has('box')}][{_has('meta')}] | .//*[{_has('item')}][{_HIDDEN_ITEM}]"
        f" | .//div[{_has('meta')}]/p[not(starts-with(normalize-space(), 'Deprecated'))]"
        f" | .//div[{_has('api-class-tabpanel')}][not(.//*[{_has('item')}][not({_HIDDEN_ITEM})])]/h2",
        "BSD-3-Clause",
        convert_yui,
    ),
    Manual(
        "rich",
        "pdoc3",
        "pdoc3",
        "",
        "rich/**/*.html",
        "//article[@id='content']",
        f".//details[{_has('source')}]",
        "MIT; the generator AGPL-3",
        convert_rich,
    ),
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
"""Of the programs, where `Manual` names Debian's package: those of npm and PyPI are installed by the build."""
