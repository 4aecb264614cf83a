"""Page templates from npm packages: a ready page, of which title, text, comments and teasers are replaced."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import lxml.html

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html
from benchmarks.sites.texts.sentences import Language
from sightread.render.errors import Rejected

LONG = 25
"""Characters from which on a text of the template outside its article is replaced by a sentence: a comment, a teaser, a promotion."""
FIXED = ("nav", "footer", "script", "style", "head", "form", "button")
"""Elements whose texts stay: the same on all pages, as on a real site."""


@dataclass(frozen=True, slots=True)
class PageTemplate:
    """A page of a package, and where the content goes."""

    file: str
    """Below the package's folder."""
    title: str
    """Path (lxml's XPath) of the title."""
    body: str
    """Path of the element that holds the text; of several the first, the others are removed."""
    standfirst: str = ""
    """Path of the element below the title that holds the summary, which is then part of the gold text."""
    styles: tuple[tuple[str, str], ...] = ()
    """Style sheets of another package instead of those loaded from the network: a part of the address, and the file."""


PAGE_TEMPLATES = {
    "clean-blog": PageTemplate(
        "startbootstrap-clean-blog/dist/post.html",
        "//h1",
        "//article//div[contains(@class, 'col-')]",
        "//h2[contains(@class, 'subheading')]",
    ),
    "blog-post": PageTemplate("startbootstrap-blog-post/dist/index.html", "//article//h1", "//article/section"),
    "modern-business": PageTemplate("startbootstrap-modern-business/dist/blog-post.html", "//article//h1", "//article/section"),
    "shop-item": PageTemplate("startbootstrap-shop-item/dist/index.html", "//h1", "//p[@class='lead']"),
    "bulma-blog": PageTemplate(
        "bulma-templates/templates/blog.html",
        "//p[contains(@class, 'article-title')]",
        "//div[contains(@class, 'article-body')]",
        styles=(("bulma", "bulma/css/bulma.css"),),
    ),
    "tabler-license": PageTemplate("@tabler/preview/dist/license.html", "//h1 | //h2", "//div[contains(@class, 'markdown')]"),
}


def write_page_template(project: Path, theme: str, documents: Sequence[SourceDocument], language: Language) -> dict[str, str]:
    """Write a page per document to `html`; return the gold text of each slug.

    Raises `Rejected` if the package is not what the recipe knows.
    """
    template = PAGE_TEMPLATES[theme]
    source = project / "node_modules" / template.file
    if not source.is_file():
        raise Rejected(f"the package has no {template.file}")
    html = project / "html"
    shutil.copytree(source.parent, html, ignore=shutil.ignore_patterns("*.map", "*.html"))
    for sibling in source.parent.parent.iterdir():  # style sheets above the page's folder
        if sibling.is_dir() and sibling.name in ("css", "js", "images") and not (html / sibling.name).exists():
            shutil.copytree(sibling, html / sibling.name)
    for number, (_, style) in enumerate(template.styles):
        shutil.copy(project / "node_modules" / style, html / f"style-{number}.css")
    gold = {}
    for document in documents:
        title, rest = gold_text(document).split("\n", 1)
        gold[document.slug] = "\n".join([title, *([document.summary] if template.standfirst else []), rest])
        write_text(html / f"{document.slug}.html", _fill(source.read_text("utf-8"), template, document, documents, language))
    return gold


def _fill(source: str, template: PageTemplate, document: SourceDocument, documents: Sequence[SourceDocument], language: Language) -> str:
    tree = lxml.html.document_fromstring(source)
    titles, bodies = tree.xpath(template.title), tree.xpath(template.body)
    if not titles or not bodies:
        raise Rejected(f"{template.file}: no element {template.title if not titles else template.body}")
    _clear(titles[0]).text = document.title
    own = {titles[0], bodies[0]}
    if template.standfirst:
        own.add(standfirst := tree.xpath(template.standfirst)[0])
        _clear(standfirst).text = document.summary
    for other in bodies[1:]:
        other.getparent().remove(other)
    body = _clear(bodies[0])
    for part in lxml.html.fragments_fromstring(to_html(document)):
        body.append(part)
    _replace_others(tree, own, document, documents, language)
    tree.set("lang", document.language)
    for element in tree.iter("title"):
        element.text = f"{document.title} - {NAME}"
    for element in tree.xpath("//meta[@name='description']"):
        element.set("content", document.summary)
    for element in tree.xpath("//link[@rel='stylesheet']"):
        address = element.get("href", "")
        number = next((number for number, (part, _) in enumerate(template.styles) if address.startswith("http") and part in address), None)
        element.set("href", f"style-{number}.css" if number is not None else address.replace("../", ""))
        element.attrib.pop("integrity", None)
    return f"<!DOCTYPE html>\n{lxml.html.tostring(tree, encoding='unicode')}"


def _clear(element: lxml.html.HtmlElement) -> lxml.html.HtmlElement:
    """Remove what the element holds, and keep the text behind it."""
    for child in list(element):
        element.remove(child)
    element.text = None
    if element.tag == "p":
        element.tag = "div"  # it is to hold paragraphs
    return element


def _replace_others(
    tree: lxml.html.HtmlElement,
    own: set[lxml.html.HtmlElement],
    document: SourceDocument,
    documents: Sequence[SourceDocument],
    language: Language,
) -> None:
    draw = random.Random(f"others {document.slug} {document.title}")
    for element in tree.iter(lxml.etree.Element):
        lineage = [element, *element.iterancestors()]
        if any(above in own or above.tag in FIXED or "text-muted" in above.get("class", "") for above in lineage):
            continue
        is_teaser = element.tag in ("a", "h4", "h5", "h6")
        if len((element.text or "").strip()) > LONG:
            element.text = draw.choice(documents).title if is_teaser else language.sentence(draw)
        if len((element.tail or "").strip()) > LONG and not any(above in own for above in lineage[1:]):
            element.tail = language.sentence(draw)
