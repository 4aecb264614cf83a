"""Docstrings, messages, `--help` and the documents keep to standard technical English: a list of idioms that may not return."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("render", "crawler", "labeling", "classify", "sightread", "benchmarks")

UNIT = r"(?:ms|seconds?|minutes?|hours?|bytes|[KMG]i?B|px|pixels|words|blocks|pages|times|tabs?|threads?|process(?:es)?|one|\d)"
WHOLE = "CPU core|core|page|block|site|second|minute|host|word|row|call|CSS|run|file|tab|process"
PLACE = "to|in|on|at|by|for|between|among|beside|after|before|under|above|below"
IDIOMS = {
    "pages, models and blocks do not speak": r"\b(?:tells?|told|says?|said|saying|speaks?|spoken|hears?|heard|doubts|doubted|doubting)\b",
    "name the person, or use the passive": r"\b(?:nobody|somebody)\b",
    "a block does not stand, it is": rf"\b(?:stands?|stood) (?:{PLACE})\b",
    "'per', not 'a'": rf"\b{UNIT} an? (?:{WHOLE})\b",
    "write what the page declares": r"\b(?:itself|themselves|oneself) (?:says|tells)\b",
    "'if' and 'when'": r"\bin case\b",
    "blocked by bot detection": r"\btakes us for\b",
    "data augmentation": r"\bin disguise\b",
    "'for now' means unfinished": r"\bfor now\b",
}


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def messages(source: str) -> Iterator[tuple[int, str]]:
    """Strings of more than three words, with {} for what an f-string inserts."""
    tree = ast.parse(source)
    inner = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    documented = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inner and node not in documented:
            text = node.value
        if text.count(" ") >= 3:
            yield node.lineno, text


def prose(path: Path) -> Iterator[tuple[int, str]]:
    source = path.read_text()
    if path.suffix == ".py":
        texts = [*docstrings(source), *((line, text) for line, text in messages(source) if "(?:" not in text)]  # no regular expressions
    else:
        without_code = re.sub(r"```.*?```", lambda code: "\n" * code[0].count("\n"), source, flags=re.DOTALL)
        texts = list(enumerate(without_code.split("\n"), 1))
    for line, text in texts:
        yield line, re.sub(r"`[^`\n]*`", "``", text)


DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "data").rglob("*.md"))]


@pytest.mark.parametrize("where", [*PACKAGES, "documents"])
def test_prose_is_plain(where: str) -> None:
    hits = [
        f"{path.relative_to(ROOT)}:{line}: {found[0]!r} ({why}): {' '.join(text[max(0, found.start() - 60) : found.end() + 60].split())}"
        for path in (DOCUMENTS if where == "documents" else sorted((ROOT / where).rglob("*.py")))
        for line, text in prose(path)
        for why, idiom in IDIOMS.items()
        for found in re.finditer(idiom, text)
    ]
    assert not hits, "\n".join(hits)
