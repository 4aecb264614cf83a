"""Every code block of README.md and docs/ runs, or is marked with a reason that it bears out.

`https://news.example` is served here (`news.py`). Blocks of one document run in their order, in one folder: shell blocks in a
shell, their commands in one process (`commands.py`), Python blocks in one namespace, with the browser of the session.
"""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sightread.cli.parser import build_parser
from tests.documents.blocks import NOT_CODE, REASONS, RUN, CodeBlock, code_blocks, indented_code, matches
from tests.documents.commands import serving_commands
from tests.documents.news import STORM, article, news_pages
from tests.pages.websites import Website, serving
from tests.processes.kept_browsers import SharedBrowser

ROOT = Path(__file__).parents[2]
NEWS = "https://news.example"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(document: Path) -> str:
    return str(document.relative_to(ROOT))


WITH_CODE = [document for document in DOCUMENTS if any(block.language in RUN and not block.reason for block in code_blocks(document))]


@pytest.fixture(scope="module")
def news():
    with serving(news_pages()) as site:
        yield site


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the program `sightread`."""
    folder = tmp_path_factory.mktemp("commands")
    with serving_commands(folder):
        yield folder / "bin"


@pytest.fixture
def folder(programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a document's blocks run, with a page in it."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "page.html").write_text(article(STORM))
    monkeypatch.chdir(work)
    monkeypatch.setenv("SIGHTREAD_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    return work


@pytest.mark.parametrize("document", WITH_CODE, ids=name_of)
async def test_the_code_of_a_document_runs(document, folder, news, browser, monkeypatch, capsys):
    monkeypatch.setattr("sightread.reading.reader.Browser", lambda *_, **__: SharedBrowser(browser))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    for block in code_blocks(document):
        if block.mark == "output":
            assert matches(printed.replace(news.root, NEWS), block.code), f"{name_of(document)}:{block.line}: printed\n{printed}"
        elif block.language in RUN and not block.reason:
            where = f"{name_of(document)}:{block.line}"
            printed = run_shell(block, news, where) if block.language == "sh" else await run_python(block, news, namespace, capsys)


def run_shell(block: CodeBlock, news: Website, where: str) -> str:
    code = block.code.replace(NEWS, news.root)
    ran = subprocess.run(["bash", "-euc", code], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert ran.returncode == 0, f"{where}: exit code {ran.returncode}\n{ran.stderr}"
    return ran.stdout


async def run_python(block: CodeBlock, news: Website, namespace: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> str:
    code = compile(block.code.replace(NEWS, news.root), f"line {block.line}", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    capsys.readouterr()
    result = eval(code, namespace)
    if result is not None:
        await result
    return capsys.readouterr().out


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_block_is_run_or_has_a_reason(document):
    for block in code_blocks(document):
        where = f"{name_of(document)}:{block.line}"
        assert block.language in (*RUN, *NOT_CODE, "ini"), f"{where}: {block.language} is neither run nor known"
        if block.reason:
            assert block.reason in REASONS, f"{where}: {block.reason!r} is not one of the reasons"
            assert re.search(REASONS[block.reason], block.code, re.MULTILINE), f"{where}: the block does not bear out its reason"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_code_that_is_not_run_is_valid(document):
    """Python compiles; commands of sightread have options that exist."""
    parser = build_parser()
    for block in code_blocks(document):
        where = f"{name_of(document)}:{block.line}"
        if block.language == "python":
            compile(block.code, where, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        for words in sightread_commands(block.code) if block.language == "sh" else ():
            try:
                parser.parse_args(words)
            except SystemExit:
                pytest.fail(f"{where}: sightread {' '.join(words)} is no command")


def sightread_commands(code: str) -> Iterator[list[str]]:
    """Yield the arguments of each line that is a command of sightread, up to a pipe, a redirection or a second command."""
    for line in code.splitlines():
        if line.startswith("sightread "):
            words = shlex.split(re.split(r" [|>&;]|[|;&]{2}| 2>", line)[0], comments=True)
            yield words[1:]


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_no_code_escapes_the_test_by_indentation(document):
    assert indented_code(document) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_between_documents_lead_somewhere(document):
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", document.read_text("utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_a_shown_output_that_differs_is_found():
    assert matches("a\nb 12 s\nc\n", "a\nb … s\nc") and matches("a\nb\nc", "a\n…\nc")
    assert not matches("a\nb\n", "a") and not matches("a.c", "abc")
