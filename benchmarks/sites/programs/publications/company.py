"""Pages of companies' services: the landing pages of the npm packages Shards and Material Kit, whose services are replaced."""

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
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.texts.documents import SourceDocument

_SHARDS = "shards-ui@3.0.0"
_BOOTSTRAP = ("bootstrap@4.3.1", "font-awesome@4.7.0")
"""Which the page loads from the network."""
_MATERIAL_KIT = "material-kit@2.0.4"
_ICONS = ("material-icons@1.13.14", "font-awesome@4.7.0")
_FONTS = re.compile(r'@import (?:url\()?"?https://[^;]*;')
_TESTIMONIALS = "//div[contains(@class, 'testimonials')] | //div[@class='team']/.."


def services_gold(document: SourceDocument) -> str:
    """Return the gold text of a page: its title and claim, the heading of the services, and these."""
    heading, services = _services(document)
    return "\n".join((document.title, document.summary, heading, *(line for service in services for line in service)))


def introduced_gold(document: SourceDocument) -> str:
    """Return the gold text of a page whose heading of the services has a text of its own below."""
    found = entries(document)[1:]
    return "\n".join((document.title, document.summary, *(line for service in found for line in service)))


def write_shards(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, whose posts are the next documents, and the style sheets and pictures."""
    del theme
    modules = unpack_template(project, _SHARDS, _BOOTSTRAP)
    source, html = project / "package/dist", project / "html"
    for name in ("css", "images"):
        shutil.copytree(source / name, html / name, ignore=shutil.ignore_patterns("*.map"))
    style = html / "css/shards.min.css"
    write_text(style, _FONTS.sub("", style.read_text("utf-8")))
    shutil.copy(modules / "bootstrap/dist/css/bootstrap.min.css", html / "css")
    _copy_icons(modules, html)
    for number, document in enumerate(documents):
        others = [documents[(number + step) % len(documents)] for step in (1, 4, 9)]
        page = _fill((source / "agency-landing.html").read_text("utf-8"), document, others)
        write_text(html / f"{document.slug}.html", page)


def write_material_kit(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, and the style sheets, pictures and icons."""
    del theme
    modules, html = unpack_template(project, _MATERIAL_KIT, _ICONS), project / "html"
    source = project / "package"
    shutil.copytree(source / "assets", html / "assets", ignore=shutil.ignore_patterns("*.map", "scss", "js"))
    shutil.copytree(modules / "material-icons/iconfont", html / "material-icons", ignore=shutil.ignore_patterns("*.scss"))
    _copy_icons(modules, html)
    text = (source / "examples/landing-page.html").read_text("utf-8").replace("../assets", "assets")
    text = text.replace("Creative Tim", NAME).replace("Material Kit", NAME)
    for document in documents:
        tree = page_about(text, document, ("material-icons/material-icons.css", "font-awesome/css/font-awesome.min.css"))
        heading, *services = entries(document)[1:]
        set_text(tree, "//h1/following-sibling::h4", document.summary)
        set_text(tree, "//h2", heading[0])
        set_text(tree, "//h2/following-sibling::h5", heading[1])
        repeat_services(tree.xpath("//div[@class='features']//div[@class='col-md-4']"), "h4", services)
        write_text(html / f"{document.slug}.html", written_page(tree))


def unpack_template(project: Path, package: str, styles: Sequence[str]) -> Path:
    """Unpack a package of npm into the project, and return the folder of what its pages load from the network."""
    tools = project.parents[2]
    folder = tools / f"styles-{package.partition('@')[0]}"
    install_packages(folder, styles, "npm")
    run_program(["npm", "pack", "-s", package], project, tools)
    run_tool(["tar", "xzf", next(project.glob("*.tgz")).name], project)
    return folder / "node_modules"


def _copy_icons(modules: Path, html: Path) -> None:
    for name in ("css", "fonts"):
        shutil.copytree(modules / "font-awesome" / name, html / "font-awesome" / name)


def _services(document: SourceDocument) -> tuple[str, list[tuple[str, str]]]:
    """Return the heading of the services, which is a document's first section's, and title and text of each of them."""
    found = entries(document)[1:]
    return found[0][0], found[1:] or found


def page_about(text: str, document: SourceDocument, styles: Sequence[str]) -> lxml.html.HtmlElement:
    """Return a page with a document's title, whose style sheets from the network are replaced, without testimonials and the team."""
    tree = lxml.html.document_fromstring(text.encode(), parser=lxml.html.HTMLParser(encoding="utf-8"))
    for element in tree.xpath(f"//script | //meta[@property] | //comment() | {_TESTIMONIALS}"):
        element.drop_tree()
    for element, address in zip(tree.xpath("//link[@rel='stylesheet']"), styles, strict=False):
        element.set("href", address)
        element.attrib.pop("integrity", None)
        element.attrib.pop("crossorigin", None)
    tree.set("lang", document.language)
    set_text(tree, "//title", f"{document.title} | {NAME}")
    set_text(tree, "//h1", document.title)
    return tree


def repeat_services(elements: Sequence[lxml.html.HtmlElement], tag: str, services: Sequence[tuple[str, str]]) -> None:
    """Put services in place of those elements, each a copy of one of them."""
    row = elements[0].getparent()
    for number, (title, line) in enumerate(services):
        row.append(made := copy.deepcopy(elements[number % len(elements)]))
        set_text(made, f".//{tag}", title)
        set_text(made, ".//p", line)
    for element in elements:
        element.drop_tree()


def _fill(text: str, document: SourceDocument, others: Sequence[SourceDocument]) -> str:
    tree = page_about(text.replace("Shards Agency", NAME), document, ("css/bootstrap.min.css", "font-awesome/css/font-awesome.min.css"))
    set_text(tree, "//h1/following-sibling::p", document.summary)
    heading, services = _services(document)
    set_text(tree, "//div[@id='our-services']/h3", heading)
    repeat_services(tree.xpath("//div[contains(@class, 'feature ')]"), "h5", services)
    for card, other in zip(tree.xpath("//div[@class='card-body']"), others, strict=True):
        set_text(card, ".//h4", other.title)
        set_text(card, ".//p", other.summary)
    return written_page(tree)


def written_page(tree: lxml.html.HtmlElement) -> str:
    """Return a page as HTML."""
    return f"<!DOCTYPE html>\n{lxml.html.tostring(tree, encoding='unicode')}"


def set_text(tree: lxml.html.HtmlElement, path: str, text: str) -> None:
    """Put a text into the first element of a path."""
    tree.xpath(path)[0].text = text
