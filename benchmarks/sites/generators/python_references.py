"""API references of Python packages: pdoc."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_markdown

_SIGNATURE = re.compile(r"`(\w+)\((\w+), (\w+)\)`")


def write_pdoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write one module per document; sections that describe a function become its docstring."""
    del theme
    names = ", ".join(f'"{module_name(document)}"' for document in documents)
    write_text(project / "tide/__init__.py", f'"""{documents[0].summary}"""\n\n__all__ = [{names}]\n')
    for document in documents:
        text, functions = _functions(document)
        lines = [f'r"""\n# {document.title}\n\n{_markdown(document, text)}"""\n']
        for signature, parts in functions:
            lines.append(f'def {signature}:\n    r"""\n{_indented(_markdown(document, parts))}    """\n')
        write_text(project / f"tide/{module_name(document)}.py", "\n\n".join(lines))


def build_pdoc(project: Path) -> None:
    """Document the package."""
    program = project.parents[1].resolve() / "bin/pdoc"
    run_tool([str(program), "-o", "html", "--docformat", "markdown", "--no-show-source", "./tide"], project)


def pdoc_gold(document: SourceDocument) -> str:
    """Return the gold text of a module's page: its name, its text, and each function with its signature."""
    text, functions = _functions(document)
    lines = [f"tide.{module_name(document)}", document.title, *(line for part in text for line in part_gold(part))]
    for signature, parts in functions:
        lines += [f"def {signature}:", *(line for part in parts for line in part_gold(part))]
    return "\n".join(lines)


def module_name(document: SourceDocument) -> str:
    """Return the name of a document's module."""
    return document.slug.replace("-", "_")


def _functions(document: SourceDocument) -> tuple[list[Part], list[tuple[str, list[Part]]]]:
    """Return the parts before the first function, and signature and parts of each; a second function of one name gets a number."""
    text: list[Part] = []
    functions: list[tuple[str, list[Part]]] = []
    for part in document.parts:
        found = _SIGNATURE.fullmatch(part.rows[0][0]) if part.kind == "heading" else None
        if found:
            number = sum(signature.startswith(found[1]) for signature, _ in functions)
            functions.append((f"{found[1]}{number or ''}({found[2]}, {found[3]})", []))
        else:
            (functions[-1][1] if functions else text).append(part)
    return text, functions


def _markdown(document: SourceDocument, parts: Sequence[Part]) -> str:
    return to_markdown(SourceDocument(document.slug, "", "", document.published, (), "", tuple(parts)))


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())
