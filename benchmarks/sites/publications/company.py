"""Pages of an agency's services: the landing page of the npm package Shards, whose services and posts are replaced."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import lxml.html

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages, run_program
from benchmarks.sites.publishing_sites.listings import entries
from benchmarks.sites.texts.documents import SourceDocument

_SHARDS = "shards-ui@3.0.0"
_BOOTSTRAP = ("bootstrap@4.3.1", "font-awesome@4.7.0")
"""Which the page loads from the network."""
_FONTS = re.compile(r'@import (?:url\()?"?https://[^;]*;')
_TESTIMONIALS = ".//div[contains(@class, 'testimonials')]"


def services_gold(document: SourceDocument) -> str:
    """Return the gold text of a page: its title and claim, the heading of the services, and these."""
    heading, services = _services(document)
    return "\n".join((document.title, document.summary, heading, *(line for service in services for line in service)))


def write_shards(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, whose posts are the next documents, and the style sheets and pictures."""
    del theme
    tools = project.parents[2]
    install_packages(tools / "bootstrap-4", _BOOTSTRAP, "npm")
    run_program(["npm", "pack", "-s", _SHARDS], project, tools)
    run_tool(["tar", "xzf", next(project.glob("*.tgz")).name], project)
    source, html = project / "package/dist", project / "html"
    for name in ("css", "images"):
        shutil.copytree(source / name, html / name, ignore=shutil.ignore_patterns("*.map"))
    style = html / "css/shards.min.css"
    write_text(style, _FONTS.sub("", style.read_text("utf-8")))
    modules = tools / "bootstrap-4/node_modules"
    shutil.copy(modules / "bootstrap/dist/css/bootstrap.min.css", html / "css")
    for name in ("css", "fonts"):
        shutil.copytree(modules / "font-awesome" / name, html / "font-awesome" / name)
    for number, document in enumerate(documents):
        others = [documents[(number + step) % len(documents)] for step in (1, 4, 9)]
        page = _fill((source / "agency-landing.html").read_text("utf-8"), document, others)
        write_text(html / f"{document.slug}.html", page)


def _services(document: SourceDocument) -> tuple[str, list[tuple[str, str]]]:
    """Return the heading of the services, which is a document's first section's, and title and text of each of them."""
    found = entries(document)[1:]
    return found[0][0], found[1:] or found


def _fill(text: str, document: SourceDocument, others: Sequence[SourceDocument]) -> str:
    tree = lxml.html.document_fromstring(text.replace("Shards Agency", NAME).encode(), parser=lxml.html.HTMLParser(encoding="utf-8"))
    for element in tree.xpath(f"//script | //meta[@property] | //comment() | {_TESTIMONIALS}"):
        element.drop_tree()
    for element, address in zip(tree.xpath("//link"), ("css/bootstrap.min.css", "font-awesome/css/font-awesome.min.css"), strict=False):
        element.set("href", address)
        element.attrib.pop("integrity", None)
        element.attrib.pop("crossorigin", None)
    tree.set("lang", document.language)
    _set(tree, "//title", f"{document.title} | {NAME}")
    _set(tree, "//h1", document.title)
    _set(tree, "//h1/following-sibling::p", document.summary)
    heading, services = _services(document)
    _set(tree, "//div[@id='our-services']/h3", heading)
    feature, *rest = tree.xpath("//div[contains(@class, 'feature ')]")
    row = feature.getparent()
    for element in rest:
        element.drop_tree()
    for title, line in services:
        row.append(made := copy.deepcopy(feature))
        _set(made, ".//h5", title)
        _set(made, ".//p", line)
    feature.drop_tree()
    for card, other in zip(tree.xpath("//div[@class='card-body']"), others, strict=True):
        _set(card, ".//h4", other.title)
        _set(card, ".//p", other.summary)
    return f"<!DOCTYPE html>\n{lxml.html.tostring(tree, encoding='unicode')}"


def _set(tree: lxml.html.HtmlElement, path: str, text: str) -> None:
    tree.xpath(path)[0].text = text
