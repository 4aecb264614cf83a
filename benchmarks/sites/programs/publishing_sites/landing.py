"""Landing pages: the pages of npm packages, of which the claims are replaced by a document's sections."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Sequence
from pathlib import Path

import lxml.html

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.texts.documents import SourceDocument

ARGON = "argon-design-system-free@1.2.0"
"""Unpacked, not installed: it demands tools that are not in the registry."""
FIRST_CLAIMS = 3
"""Claims beside the picture; the next one is above the others."""
_NETWORK = "//script | //link[starts-with(@href, 'http')] | //meta[@property or @itemprop]"


def claims(document: SourceDocument) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the claims beside the picture, and those of the section below: its heading, and what is below it."""
    found = entries(document)[1:]
    return (found[:FIRST_CLAIMS], found[FIRST_CLAIMS:]) if len(found) > FIRST_CLAIMS + 1 else (found, [])


def landing_gold(document: SourceDocument) -> str:
    """Return the gold text of a landing page: its title and slogan, and the claims."""
    return "\n".join((document.title, document.summary, *(line for part in claims(document) for claim in part for line in claim)))


def write_argon(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, and the style sheets and pictures of the package."""
    del theme
    run_program(["npm", "pack", "-s", ARGON], project, project.parents[2])
    run_tool(["tar", "xzf", next(project.glob("*.tgz")).name], project)
    source = project / "package"
    shutil.copytree(source / "assets", project / "html/assets", ignore=shutil.ignore_patterns("scss", "js", "*.map"))
    for document in documents:
        write_text(project / f"html/{document.slug}.html", fill_landing((source / "examples/landing.html").read_text("utf-8"), document))


def fill_landing(text: str, document: SourceDocument) -> str:
    """Return the page of a document, from the package's own."""
    parser = lxml.html.HTMLParser(remove_comments=True, encoding="utf-8")
    tree = lxml.html.document_fromstring(text.replace("../assets/", "assets/").replace("Creative Tim", NAME).encode(), parser=parser)
    for element in tree.xpath(_NETWORK):
        element.drop_tree()
    tree.set("lang", document.language)
    _set(tree, "//title", f"{document.title} | {NAME}")
    _set(tree, "//h1", document.title)
    _set(tree, "//h2", document.summary)
    first, below = claims(document)
    _repeat(tree, "//div[contains(@class, 'info-horizontal')]", ("h5", "p"), first)
    section = tree.xpath("//div[contains(@class, 'features-1')]")[0]
    if below:
        _set(section, ".//span[contains(@class, 'badge')]", document.tags[0].title())
        _set(section, ".//h3", below[0][0])
        _set(section, ".//p[contains(@class, 'lead')]", below[0][1])
        _repeat(section, ".//div[@class='col-md-4']", ("h6", "p"), below[1:])
    else:
        section.drop_tree()
    return f"<!DOCTYPE html>\n{lxml.html.tostring(tree, encoding='unicode')}"


def _set(tree: lxml.html.HtmlElement, path: str, text: str) -> None:
    element = tree.xpath(path)[0]
    for child in list(element):
        element.remove(child)
    element.text = text


def _repeat(tree: lxml.html.HtmlElement, path: str, tags: tuple[str, str], found: Sequence[tuple[str, str]]) -> None:
    """Have as many of these elements as there are claims, and set their texts."""
    elements = tree.xpath(path)
    samples = len(elements)
    while len(elements) < len(found):
        elements.append(copy.deepcopy(elements[len(elements) % samples]))
        elements[-2].addnext(elements[-1])
    for element, claim in zip(elements, found, strict=False):
        for tag, text in zip(tags, claim, strict=True):
            _set(element, f".//{tag}", text)
    for element in elements[len(found) :]:
        element.drop_tree()
