"""Code blocks of a Markdown document: fenced, with their language and the mark in the comment before them.

<!-- not run: REASON -->      the block is not run; REASON is one of `REASONS`
<!-- output -->               the block is what the block before it prints; … stands for any text within a line, or any lines
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"(?:^ *<!-- (?P<mark>[^\n]*?) -->\n\s*)?^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^ *```$", re.MULTILINE | re.DOTALL
)
RUN = ("python", "sh")
NOT_CODE = ("text", "json", "")
REASONS = {
    "installs software": r"\b(pip|uv|apt-get|make|setup)\b",
    "takes minutes": r"\b(sightread (learn|crawl|demo)|benchmarks|make (demo|test|docs)|train)\b",
    "runs until it is stopped": r"sightread (serve|inspect|mcp)\b",
    "needs a running service": r"\bcurl\b|\b(Async)?Client\(",
    "needs Docker or Podman": r"\b(docker|podman)\b",
    "is a line of a crontab": r"^[\d*/]+ [\d*/]+ [\d*]+ [\d*]+ [\d*]+ ",
    "is code for another tool": r"\b(crawl4ai|firecrawl|Firecrawl|AsyncWebCrawler)\b",
    "runs in tests/sightread/integrations": r"\b(scrapy|ITEM_PIPELINES|langchain|llamaindex)\b",
    "changes your shell": r"\bcompletion\b",
    "needs a site of yours": r"\b(URL|SITE|FOLDER|FILE|NAME|OUT|env:|url|urls|html)\b|@",
}
"""Why a block is not run, each with what such a block contains."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """One code block."""

    language: str
    code: str
    mark: str
    line: int

    @property
    def reason(self) -> str:
        """Why it is not run; empty if it is."""
        return self.mark.removeprefix("not run: ") if self.mark.startswith("not run: ") else ""


def code_blocks(document: Path) -> list[CodeBlock]:
    """Return the fenced code blocks of a document."""
    text = document.read_text("utf-8")
    blocks = []
    for found in _BLOCK.finditer(text):
        code = re.sub(rf"^{found['indent']}", "", found["code"], flags=re.MULTILINE)
        blocks.append(CodeBlock(found["language"], code, found["mark"] or "", text.count("\n", 0, found.start("indent")) + 1))
    return blocks


def indented_code(document: Path) -> list[int]:
    """Return the lines of code blocks that are indented instead of fenced."""
    text = re.sub(
        r"^ *```.*?^ *```$", lambda block: "\n" * block[0].count("\n"), document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    lines = text.split("\n")
    return [number for number, line in enumerate(lines, 1) if number > 1 and re.match(r" {4}\S", line) and not lines[number - 2].strip()]


def matches(printed: str, expected: str) -> bool:
    """Return whether what was printed is as the document shows it."""
    lines = [re.escape(line.rstrip()).replace("…", ".*") if line.strip() != "…" else r"(?s:.*)" for line in expected.strip().split("\n")]
    shown = "\n".join(line.rstrip() for line in printed.strip().split("\n"))
    return re.fullmatch("\n".join(lines), shown) is not None
