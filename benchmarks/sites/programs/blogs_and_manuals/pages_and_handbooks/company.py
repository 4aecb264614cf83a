"""Pages of companies and offices: Soft UI's page about a company, and guidance by the design system of Britain's statistics office."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publications.company import page_about, repeat_services, set_text, unpack_template, written_page
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.texts.documents import SourceDocument, to_html

_SOFT_UI = "soft-ui-design-system@1.0.4"
_OUTSIDE = re.compile(r"https://raw\.githubusercontent\.com/[^\"&)]*/")
_SOFT_UI_PEOPLE = "//h3[contains(., 'Executive')]/ancestor::section | //h5[.='Projects']/ancestor::section"
"""The staff, and numbers that a script counts up."""
_ONS_PAGE = """{% extends "layout/_template.njk" %}
{% from "components/table-of-contents/_macro.njk" import onsTableOfContents %}
{% from "components/related-content/_macro.njk" import onsRelatedContent %}
{% from "components/related-content/_section-macro.njk" import onsRelatedContentSection %}
{% from "components/feedback/_macro.njk" import onsFeedback %}
{% block main %}<div class="ons-grid ons-u-mt-m"><div class="ons-grid__col ons-col-4@m">
{{ onsTableOfContents({title: "Contents", ariaLabel: "Pages in this guide", lists: [{itemsList: page.pages}]}) }}
</div><div class="ons-grid__col ons-col-7@m ons-push-1@m"><h1 class="ons-u-fs-xxxl">{{ page.title }}</h1>
<p class="ons-u-fs-m">{{ page.lead }}</p>{{ page.body | safe }}
{% call onsRelatedContent({ariaLabel: "Related content"}) %}
{% call onsRelatedContentSection({title: "Related guides", id: "guides"}) %}
<ul class="ons-list ons-list--bare">{% for one in page.related %}
<li class="ons-list__item"><a href="{{ one.url }}">{{ one.text }}</a></li>{% endfor %}</ul>{% endcall %}{% endcall %}
{{ onsFeedback({heading: "Was this guide of use?",
  content: "Your answer helps us to write better ones", linkUrl: "/", linkText: "Answer"}) }}
</div></div>{% endblock %}
"""
_ONS_SCRIPT = """
const fs = require('fs'), nunjucks = require('nunjucks');
const environment = new nunjucks.Environment([new nunjucks.FileSystemLoader('.'),
new nunjucks.FileSystemLoader('node_modules/@ons/design-system')], {autoescape: false});
for (const page of JSON.parse(fs.readFileSync('pages.json')))
  fs.writeFileSync(`html/${page.slug}.html`, environment.render('page.njk', {page, pageConfig: page.config}));
"""
_ONS_CLASSES = {
    "<ul>": '<ul class="ons-list">',
    "<ol>": '<ol class="ons-list">',
    "<li>": '<li class="ons-list__item">',
    'class="table"': 'class="ons-table"',
    "<th>": '<th class="ons-table__header">',
    "<td>": '<td class="ons-table__cell">',
    "<blockquote>": '<blockquote class="ons-quote">',
}


def about_gold(document: SourceDocument) -> str:
    """Return the gold text of a page about a company: its claim, what it offers, and a card."""
    return "\n".join((document.title, document.summary, *(line for offer in entries(document)[1:] for line in offer)))


def write_soft_ui(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, whose last entry is the card at the side, and the style sheets and pictures."""
    del theme
    unpack_template(project, _SOFT_UI, ())
    source = project / "package"
    shutil.copytree(source / "assets", project / "html/assets", ignore=shutil.ignore_patterns("*.map", "scss", "js"))
    text = (source / "pages/about-us.html").read_text("utf-8")
    text = _OUTSIDE.sub("assets/img/", text[text.index("<html") :]).replace("../assets", "assets")
    text = text.replace("funny.jpg", "office-dark.jpg").replace("Soft UI Design System", NAME).replace("Creative Tim", NAME)
    for document in documents:
        tree = page_about(text, document, ())
        for element in tree.xpath(f"//link[starts-with(@href, 'https:')] | {_SOFT_UI_PEOPLE}"):
            element.drop_tree()
        *offers, card = entries(document)[1:]
        set_text(tree, "//h1/following-sibling::p", document.summary)
        set_text(tree, "//div[@class='card-body']//h5", card[0])
        set_text(tree, "//div[@class='card-body']//p", card[1])
        info = tree.xpath("//div[@class='info']")
        repeat_services([element.getparent() for element in info], "h5", offers)
        write_text(project / "html" / f"{document.slug}.html", written_page(tree))


def write_ons(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the guides with the pages beside each, and the template and the script that fill the components."""
    del theme
    links = [{"url": f"/{document.slug}.html", "text": document.title} for document in documents]
    menu = [{"text": text, "url": link["url"]} for text, link in zip(("Harbour", "Ferries", "Tides", "Workshop"), links, strict=False)]
    pages = []
    for number, document in enumerate(documents):
        body = to_html(document)
        for plain, classed in _ONS_CLASSES.items():
            body = body.replace(plain, classed)
        near = [links[(number + step) % len(links)] for step in range(-2, 4)]
        config = {
            "title": f"{document.title} - {NAME}",
            "assetsUrl": "/ons",
            "header": {
                "title": NAME,
                "titleUrl": "/",
                "navigation": {"id": "main-nav", "ariaLabel": "Main menu", "itemsList": menu, "currentPath": "/"},
            },
            "breadcrumbs": {"ariaLabel": "Breadcrumbs", "itemsList": [{"url": "/", "text": "Home"}, {"url": "/guides/", "text": "Guides"}]},
            "footer": {"cols": [{"title": "About", "itemsList": menu[:2]}, {"title": "Contact", "itemsList": menu[2:]}]},
        }
        pages.append(
            {"slug": document.slug, "title": document.title, "lead": document.summary, "body": body, "config": config}
            | {"pages": [link | {"current": link is links[number]} for link in near]}
            | {"related": [links[(number + step) % len(links)] for step in (7, 9, 12)]}
        )
    write_text(project / "pages.json", json.dumps(pages))
    write_text(project / "page.njk", _ONS_PAGE)
    write_text(project / "build.js", _ONS_SCRIPT)


def build_ons(project: Path) -> None:
    """Fill the pages, and copy the style sheets, the fonts and the scripts of the design system."""
    tools = project.parents[1].resolve()
    for name in ("css", "favicons", "fonts", "img", "scripts"):
        shutil.copytree(tools / "node_modules/@ons/design-system" / name, project / "html/ons" / name)
    (project / "node_modules").symlink_to(tools / "node_modules")
    run_program(["node", "build.js"], project, tools.parent)
