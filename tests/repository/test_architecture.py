"""Import rules between packages and sub-packages; imports inside functions count, unless the rule is about importing a module."""

import ast
import functools
import re
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest
from setuptools import find_packages

ROOT = Path(__file__).parents[2]
MAY_IMPORT = {
    "sightread.render": ("sightread.render",),
    "sightread.data": ("sightread.data",),
    "sightread.crawler": ("sightread.crawler", "sightread.render"),
    "sightread.labeling": ("sightread.labeling", "sightread.render"),
    "sightread.classify": ("sightread.classify", "sightread.render"),
    "sightread": ("sightread",),
}
"""The layers of the package, and those that each may import. `benchmarks` and `tests` may import all."""
NOT_OURS = {"render", "data", "crawler", "labeling", "classify", "benchmarks", "tests"}
"""Names that a file or folder of the user may have: what is installed imports none of them, though the first five are folders of this
checkout."""
MODELS = ("sightread.classify.site", "sightread.classify.general", "sightread.classify.heuristics", "sightread.classify.neural")
COMMANDS = ("sightread.cli", "sightread.server")
APPLICATION = (*COMMANDS, "sightread.client", "sightread.review", "sightread.viewer")
"""Packages that people and programs use: commands, the service, its client, the inspector and the report."""
BEHIND_A_ROUTE = tuple(f"sightread.server.{name}" for name in ("jobs", "routes", "compat", "mcp", "process", "service", "engine"))
OF_A_PAGE = tuple(f"sightread.render.{name}" for name in ("browser", "visit", "network", "archives", "static", "analysis"))
"""Sub-packages of the base layer that make a page, or work on one."""
FORBIDDEN = {
    "sightread.render.page": OF_A_PAGE,
    "sightread.render.text": (*OF_A_PAGE, "sightread.render.page"),
    "sightread.render.network": (
        "sightread.render.browser",
        "sightread.render.visit",
        "sightread.render.archives",
        "sightread.render.static",
        "sightread.render.analysis",
    ),
    "sightread.render.static": ("sightread.render.browser", "sightread.render.visit", "sightread.render.archives"),
    "sightread.render.convert": ("sightread.render.browser", "sightread.render.visit", "sightread.render.archives"),
    "sightread.render.analysis": ("sightread.render.browser", "sightread.render.visit", "sightread.render.archives"),
    "sightread.render.archives": ("sightread.render.browser",),
    "sightread.render.visit": ("sightread.render.browser", "sightread.render.archives"),
    "sightread.classify.features": (*MODELS, "sightread.classify.evaluation"),
    "sightread.classify.heuristics": ("sightread.classify.neural", "sightread.classify.general", "sightread.classify.site"),
    "sightread.classify.neural": ("sightread.classify.heuristics", "sightread.classify.general", "sightread.classify.site"),
    "sightread.classify.general": ("sightread.classify.heuristics", "sightread.classify.neural", "sightread.classify.site"),
    "sightread.classify.site": ("sightread.classify.heuristics", "sightread.classify.neural", "sightread.classify.general"),
    "sightread.document": (*MODELS, *APPLICATION, "sightread.batch", "sightread.sites"),
    "sightread.models": (*APPLICATION, "sightread.batch", "sightread.reading"),
    "sightread.reading": (*APPLICATION, "sightread.batch.job", "sightread.batch.runners"),
    "sightread.sites": (*APPLICATION, "sightread.batch.job", "sightread.batch.runners"),
    "sightread.sites.corrections": (*APPLICATION, "sightread.batch"),
    "sightread.viewer": (*COMMANDS, "sightread.review", "sightread.client", "sightread.batch"),
    "sightread.review": (*COMMANDS, "sightread.client", "sightread.batch", "sightread.viewer"),
    "sightread.machine": (*APPLICATION, "sightread.document", "sightread.batch"),
    "sightread.integrations": (*APPLICATION, "sightread.sites", "sightread.batch.job", "sightread.batch.runners"),
    "sightread.batch": APPLICATION,
    "sightread.batch.inputs": ("sightread.batch.job", "sightread.batch.runners", "sightread.reading", "sightread.sites"),
    "sightread.batch.job": ("sightread.batch.runners",),
    "sightread.client": (
        *BEHIND_A_ROUTE,
        "sightread.cli",
        "sightread.batch",
        "sightread.sites",
        "sightread.review",
        "sightread.viewer",
        "sightread.reading",
    ),
    "sightread.server": ("sightread.cli", "sightread.client", "sightread.batch.job", "sightread.batch.runners"),
    "sightread.server.schema": ("sightread.server.access", "sightread.server.inspector", *BEHIND_A_ROUTE),
    "sightread.server.access": ("sightread.server.inspector", *(name for name in BEHIND_A_ROUTE if name != "sightread.server.routes")),
    "sightread.server.engine": ("sightread.server.access", "sightread.server.inspector", *BEHIND_A_ROUTE[:-1]),
    "sightread.server.inspector": BEHIND_A_ROUTE[:-1],
    "sightread.server.jobs": BEHIND_A_ROUTE[1:-1],
    "sightread.server.compat": ("sightread.server.mcp", "sightread.server.process"),
    "sightread.server.mcp": ("sightread.server.process",),
    "sightread.server.process": ("sightread.server.jobs",),
    "sightread.server.metrics": BEHIND_A_ROUTE,
}
"""What a sub-package does not import."""
UPPERMOST = ("sightread.classify.training", "sightread.data.demo", "sightread.render.browser", "sightread.cli")
"""Sub-packages that may import all that their package may: nothing in it is above them."""
TRAINING = "sightread.classify.training"
"""Imported by `fit` methods when they are called, so that reading a page needs neither training code nor PyTorch."""


class Import(NamedTuple):
    """A module that a line of a file imports."""

    line: int
    module: str
    is_top_level: bool
    """Whether importing the file runs it."""


@functools.cache
def imports(source: Path) -> tuple[Import, ...]:
    """Return every import in a file, those inside functions included."""
    tree = ast.parse(source.read_text("utf-8"))
    top_level = set(tree.body)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [Import(node.lineno, name.name, node in top_level) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}:{node.lineno}: relative imports hide what is imported"
            for name in node.names:
                inside = ROOT / (node.module or "").replace(".", "/") / name.name
                is_module = inside.with_suffix(".py").exists() or (inside / "__init__.py").exists()
                found.append(Import(node.lineno, f"{node.module}.{name.name}" if is_module else node.module or "", node in top_level))
    return tuple(found)


def sources(package: str) -> list[Path]:
    """Return the file of a module, or those of a package; the other layers, which are links in its folder, are no part of `sightread`."""
    path = ROOT / package.replace(".", "/")
    return [path.with_suffix(".py")] if path.with_suffix(".py").is_file() else sorted(path.rglob("*.py"))


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_those_below_it(package):
    wrong = [
        f"{source.relative_to(ROOT)}:{line} imports {module}"
        for source in sources(package)
        for line, module, _ in imports(source)
        if module.partition(".")[0] in NOT_OURS
        or (within(module, "sightread") and not any(within(module, other) for other in MAY_IMPORT[package]))
    ]
    assert wrong == []


@pytest.mark.parametrize("package", FORBIDDEN)
def test_a_sub_package_imports_none_that_it_must_not(package):
    assert sources(package)
    wrong = [
        f"{source.relative_to(ROOT)}:{line} imports {module}"
        for source in sources(package)
        for line, module, _ in imports(source)
        if any(within(module, other) for other in FORBIDDEN[package])
    ]
    assert wrong == []


def test_every_sub_package_has_its_rule_or_that_of_the_package_around_it():
    found = {".".join(file.parent.relative_to(ROOT).parts) for package in MAY_IMPORT for file in sources(package)}
    assert [each for each in sorted(found - set(MAY_IMPORT)) if not any(within(each, rule) for rule in (*FORBIDDEN, *UPPERMOST))] == []


def test_importing_a_module_that_reads_pages_imports_no_training():
    wrong = [
        f"{source.relative_to(ROOT)}:{line} imports {module}"
        for package in MAY_IMPORT
        for source in sources(package)
        if not source.is_relative_to(ROOT / TRAINING.replace(".", "/"))
        for line, module, is_top_level in imports(source)
        if is_top_level and (within(module, TRAINING) or within(module, "torch"))
    ]
    assert wrong == []


def test_no_files_import_each_other_in_a_circle():
    files = {
        ".".join(source.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): source
        for package in MAY_IMPORT
        for source in sources(package)
    }
    graph = {name: {module for _, module, _ in imports(source)} & set(files) - {name} for name, source in files.items()}
    TopologicalSorter(graph).prepare()


def test_every_package_in_the_repository_has_its_rule():
    found = {f"sightread.{folder.parent.name}" for folder in ROOT.glob("*/__init__.py")}
    assert found - {"sightread.benchmarks", "sightread.tests", "sightread.sightread"} == set(MAY_IMPORT) - {"sightread"}


def test_every_package_with_code_is_installed():
    options = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]["find"]
    installed = set(find_packages(str(ROOT), include=options["include"]))
    packages = {".".join(file.parent.relative_to(ROOT).parts) for package in MAY_IMPORT for file in sources(package)}
    assert installed == packages


def test_the_files_that_the_architecture_document_names_are_there():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = {word for word in text.split("`") if "/" in word and " " not in word}
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_the_functions_on_the_path_from_extract_to_the_document_are_there():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| [^|]*\| `([\w/]+\.py)` \| (`[\w.]+`(?:, `[\w.]+`)*) \|$", text, re.MULTILINE)
    functions = [(file, name.strip("`")) for file, names in rows for name in names.split(", ")]
    count = int(re.search(r"(\d+) in (\d+) files", text)[1])
    assert len(functions) == count <= 35
    assert len({file for file, _ in functions}) == int(re.search(r"(\d+) in (\d+) files", text)[2])
    missing = [
        f"{file}: {name}"
        for file, name in functions
        if not re.search(rf"\bdef {name.rpartition('.')[2]}\(", (ROOT / file).read_text("utf-8"))
    ]
    assert missing == []


def test_the_imports_of_a_file_are_all_seen(tmp_path):
    source = tmp_path / "module.py"
    source.write_text("import a.b, c\nif c:\n    from d.e import f\ndef g():\n    import h\n")
    assert imports(source) == ((1, "a.b", True), (1, "c", True), (3, "d.e", False), (5, "h", False))
