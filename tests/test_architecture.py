"""Who may import whom, by the floors of the house; imports inside functions count."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "render": {"render"},
    "data": {"data"},
    "crawler": {"crawler", "render"},
    "labeling": {"labeling", "render"},
    "classify": {"classify", "render"},
    "sightread": {"sightread", "crawler", "labeling", "classify", "render", "data"},
}
"""Every room that is shipped, and what of ours it may use. `benchmarks` and `tests` stand outside and use everything."""
OURS = {*MAY_IMPORT, "benchmarks", "tests"}


def imports(source: Path) -> Iterator[tuple[int, str]]:
    """Yield line and top-level package of every import in a file."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}:{node.lineno}: relative imports hide who is imported"
            yield node.lineno, (node.module or "").partition(".")[0]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_it_stands_on(room):
    strange = [
        f"{source.relative_to(ROOT)}:{line} imports {package}"
        for source in sorted((ROOT / room).rglob("*.py"))
        for line, package in imports(source)
        if package in OURS - MAY_IMPORT[room]
    ]
    assert strange == []


def test_every_package_in_the_repository_has_its_place():
    found = {folder.parent.name for folder in ROOT.glob("*/__init__.py")}
    assert found - {"benchmarks", "tests"} == set(MAY_IMPORT)


def test_every_package_with_code_is_shipped():
    shipped = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"])
    packages = {".".join(file.parent.relative_to(ROOT).parts) for room in MAY_IMPORT for file in (ROOT / room).rglob("*.py")}
    assert shipped == packages


def test_the_imports_of_a_file_are_all_seen(tmp_path):
    source = tmp_path / "module.py"
    source.write_text("import a.b, c\nif c:\n    from d.e import f\ndef g():\n    import h\n")
    assert list(imports(source)) == [(1, "a"), (1, "c"), (3, "d"), (5, "h")]
