"""Identifiers, docstrings, comments, messages, `--help` and documents keep to standard technical English: lists of idioms."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("render", "crawler", "labeling", "classify", "sightread", "data", "benchmarks")

UNIT = (
    r"(?:ms|seconds?|minutes?|hours?|bytes|[KMG]i?B|px|pixels|words|blocks|pages|times|tabs?|threads?|process(?:es)?|one|rows?|lines?"
    r"|columns?|records?|labels?|numbers?|files?|\d)"
)
WHOLE = "CPU core|core|page|block|site|second|minute|host|word|row|call|CSS|run|file|tab|process|line|cluster|set|leaf"
IDIOMS = {
    "pages, models and blocks do not speak": r"\b(?:tells?|told|says?|said|saying|speaks?|spoken|hears?|heard|doubts|doubted|doubting)\b",
    "'requested', 'required' or 'target'": r"\basked(?: for)?\b",
    "a decision or a prediction": r"\bverdicts?\b",
    "name the person, or use the passive": r"\b(?:nobody|somebody|whoever)\b",
    "a block does not stand, it is": r"\b(?:stands?|stood)\b",
    "'per', not 'a'": rf"(?<!name )\b{UNIT} an? (?:{WHOLE})\b(?! (?:in it|with --url|as https))",
    "write what the page declares": r"\b(?:itself|themselves|oneself) (?:says|tells)\b",
    "'if' and 'when'": r"\bin case\b|(?:Raises ``|None|NaN|[Ee]mpty|[Rr]eturn \d),? where\b",
    "'for anything but a page', 'if it is not a page'": r"\bwhat is (?:no|none)\b",
    "blocked by bot detection": r"\btakes us for\b",
    "data augmentation": r"\bin disguise\b",
    "'for now' means unfinished": r"\bfor now\b",
    "'the given number of', or the argument's name": r"\b[Ss]o many\b",
    "'almost no', 'rarely'": r"\b[Hh]ardly\b",
    "'continues'": r"\bgo(?:es|ing)? on\b",
    "'all', 'any', 'regardless of'": r"\b[Ww]hatever\b",
    "'other than', 'except', 'only'": r"\b(?:anything|nothing) but\b",
}
ANY_IDIOM = re.compile("|".join(IDIOMS.values()))
SUBJECTS = r"(?:What|That|Those|Such|Who|Whoever|Others)\b"
"""A docstring does not begin with a pronoun: it names its subject by the field's term."""
WORDS_OF_NAMES = re.compile(
    r"(?:^|_)(?:told|tells|telling|said|says|saying|heard|hears|asked|asking|doubt|doubts|doubted|doubtful|verdicts?|speaks?|sureness"
    r"|sure|unsure|misled|council|ballots?|furniture|seats?|shelf|shelves|house|door|nobody|somebody|theirs|ours|mine|believed|meant"
    r"|wanted|wish|wishes|standing|beside|rivals?|patience|neighbourhood|nameless|trouble)(?:_|$)"
)
"""Words that no identifier has; names in files and in JSON are strings, and stay as they are."""
NAMES_IN_JSON = {f"sightread/viewer/{name}.py": {"unsure"} for name in ("build", "records", "svg_overlay")}
"""Fields that the scripts of the viewer read, and that saved reports have."""


@functools.cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(source)))


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    for node in nodes(source):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def comments(source: str) -> Iterator[tuple[int, str]]:
    for line, text in enumerate(source.split("\n"), 1):
        if found := re.search(r"(?:^\s*|  )# (.*)", text):
            yield line, found[1]


def messages(source: str) -> Iterator[tuple[int, str]]:
    """Strings of more than three words, with {} for what an f-string inserts."""
    inner = {part for node in nodes(source) if isinstance(node, ast.JoinedStr) for part in node.values}
    documented = {node.value for node in nodes(source) if isinstance(node, ast.Expr)}
    for node in nodes(source):
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inner and node not in documented:
            text = node.value
        if text.count(" ") >= 3:
            yield node.lineno, text


def identifiers(source: str) -> Iterator[tuple[int, str]]:
    """Names that the source defines: functions, classes, arguments, variables and attributes."""
    for node in nodes(source):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def prose(path: Path) -> Iterator[tuple[int, str]]:
    source = path.read_text()
    if path.suffix == ".py":
        patterns_left_out = ((line, text) for line, text in messages(source) if "(?:" not in text)
        texts = [*docstrings(source), *comments(source), *patterns_left_out]
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
        if ANY_IDIOM.search(text)
        for why, idiom in IDIOMS.items()
        for found in re.finditer(idiom, text)
    ]
    assert not hits, "\n".join(hits)


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_name_their_subject(package: str) -> None:
    hits = [
        f"{path.relative_to(ROOT)}:{line}: {text[:80]!r}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for line, text in docstrings(path.read_text())
        if re.match(SUBJECTS, text)
    ]
    assert not hits, "\n".join(hits)


@pytest.mark.parametrize("package", PACKAGES)
def test_identifiers_are_the_terms_of_the_field(package: str) -> None:
    hits = {
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for line, name in identifiers(path.read_text())
        if WORDS_OF_NAMES.search(name.lower() if name.isupper() else re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower())
        and name not in NAMES_IN_JSON.get(str(path.relative_to(ROOT)), ())
    }
    assert not hits, "\n".join(sorted(hits))
