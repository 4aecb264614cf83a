"""Vocabularies, as pyLODE documents them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.layout import write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold, to_markdown

PYLODE = ("pylode==3.2.1",)
_RANGES = ("integer", "string", "decimal")
_PREFIXES = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
_CONVERT = """
from pathlib import Path
from pylode import OntPub

for path in sorted(Path("source").glob("*.ttl")):
    OntPub(path).make_html(Path("html") / f"{path.stem}.html")
"""


def _plain(text: str) -> str:
    """Return inline Markdown as plain text, on one line."""
    return re.sub(r"<[^>]*>", "", html.unescape(inline_html(text))).strip()


def write_vocabularies(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a vocabulary per document: a class per section, and a property per row of its tables."""
    del theme
    for document in documents:
        name = _address(document)
        head = f"<{name}> a owl:Ontology ; dcterms:title {_quoted(document.title)} ; dcterms:description {_quoted(document.summary)} ;"
        head += f' dcterms:publisher "The Tide Tables" ; dcterms:creator "Ada Quay" ; dcterms:created "{document.published}"^^xsd:date .'
        lines = [_PREFIXES + f"@prefix : <{name}#> .", head]
        for place, (label, parts) in enumerate(_classes(document)):
            text = to_markdown(replace(document, parts=tuple(_text_of(parts))))
            line = f":class-{place} a owl:Class ; rdfs:label {_quoted(label)} ; rdfs:comment {_quoted(text)}"
            if codes := [part for part in parts if part.kind == "code"]:
                line += " ; skos:example " + _quoted("\n".join(row[0] for part in codes for row in part.rows))
            lines.append(f"{line} .")
        for number, (place, label, text) in enumerate(_properties(document)):
            line = f":property-{number} a owl:DatatypeProperty ; rdfs:label {_quoted(label)} ; rdfs:comment {_quoted(text)}"
            lines.append(f"{line} ; rdfs:domain :class-{place} ; rdfs:range xsd:{_RANGES[number % 3]} .")
        write_text(project / f"source/{document.slug}.ttl", "\n".join(lines))
    write_text(project / "convert.py", _CONVERT)
    (project / "html").mkdir()


def build_vocabularies(project: Path) -> None:
    """Convert all vocabularies; their style sheet is in each page."""
    run_program([str(project.parents[1].resolve() / "bin/python"), "convert.py"], project)


def vocabulary_gold(document: SourceDocument) -> str:
    """Return the gold text of a vocabulary: title, description, and the tables of classes and properties, without namespaces."""
    lines = [document.title, document.summary, "Classes"]
    classes, properties = _classes(document), _properties(document)
    for place, (label, parts) in enumerate(classes):
        lines += [label, f"IRI {_address(document)}#class-{place}", "Description"]
        lines += [line for part in _text_of(parts) for line in part_gold(part)]
        codes = [line for part in parts if part.kind == "code" for line in part_gold(part)]
        lines += ["Example", *codes] if codes else []
        held = [name for owner, name, _ in properties if owner == place]
        lines += ["In Domain Of", *held] if held else []
    lines += ["Datatype Properties"] if properties else []
    for number, (place, label, text) in enumerate(properties):
        lines += [label, f"IRI {_address(document)}#property-{number}", f"Description {text}"]
        lines += [f"Domain {classes[place][0]}", f"Range xsd:{_RANGES[number % 3]}"]
    return "\n".join(lines)


def _address(document: SourceDocument) -> str:
    return f"https://example.org/{document.slug}"


def _classes(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return label and parts of each class; the text before the first section is that of a class with the document's first tag."""
    before, found = sections(document)
    first = [(document.tags[0].title(), before)] if before else []
    return [*first, *((_plain(parts[0].rows[0][0]), parts[1:]) for parts in found)]


def _text_of(parts: Sequence[Part]) -> list[Part]:
    """Return the parts of a class's description; its headings are paragraphs."""
    found = [part for part in parts if part.kind not in ("table", "code")]
    return [replace(part, kind="paragraph") if part.kind == "heading" else part for part in found]


def _properties(document: SourceDocument) -> list[tuple[int, str, str]]:
    """Return the class, the label and the description of each property."""
    rows = [
        (place, row[0].strip("`"), _plain(row[2]))
        for place, (_, parts) in enumerate(_classes(document))
        for part in parts
        if part.kind == "table"
        for row in part.rows[1:]
    ]
    return [(place, f"{name}{number}", text) for number, (place, name, text) in enumerate(rows)]


def _quoted(text: str) -> str:
    return json.dumps(text.strip(), ensure_ascii=False)
