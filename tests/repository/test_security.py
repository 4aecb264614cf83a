"""The document of what is withstood: every attack has a row, and every test that it names is there."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ATTACKS = 82
ROWS = re.findall(r"^\| (\d+) \|.*\|(.*)\|$", (TESTS.parent / "docs" / "security.md").read_text(), re.MULTILINE)


def names_in(file: Path) -> set[str]:
    tree = ast.parse(file.read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_attack_has_a_row():
    assert [int(number) for number, _ in ROWS] == list(range(1, ATTACKS + 1))


@pytest.mark.parametrize(("number", "named"), ROWS, ids=[number for number, _ in ROWS])
def test_the_tests_that_a_row_names_are_there(number, named):
    found = re.findall(r"`([\w/]+\.py)::(test_\w+)`", named)
    assert found and len(found) == named.count("`") // 2
    for file, name in found:
        assert name in names_in(TESTS / file), f"attack {number}: {file} has no {name}"
