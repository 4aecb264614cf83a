"""Recipes of applications, and of converters of one text to one page."""

from __future__ import annotations

from benchmarks.sites.applications.communities import build_application, write_application
from benchmarks.sites.applications.publishing import build_ghost, build_wordpress, standfirst_gold, write_posts
from benchmarks.sites.applications.trackers import (
    build_fossil,
    build_mail,
    build_roundup,
    build_trac,
    mail_page,
    roundup_gold,
    write_fossil,
    write_mail,
    write_roundup,
    write_trac,
)
from benchmarks.sites.generators.node_themes import write_vuepress
from benchmarks.sites.generators.python_references import build_pdoc, module_name, pdoc_gold, write_pdoc
from benchmarks.sites.generators.text_converters import (
    build_asciidoc,
    build_docutils,
    build_latexml,
    build_notebooks,
    build_org,
    build_rfc,
    notebook_gold,
    rfc_gold,
    write_asciidoc,
    write_docutils,
    write_latexml,
    write_notebooks,
    write_org,
    write_rfc,
)
from benchmarks.sites.recipe import Generator, Theme, flat

APPLICATION_GENERATORS = {
    "docutils": Generator("docutils", ("docutils==0.22", "Pygments==2.19.2"), write_docutils, build_docutils, "html", flat),
    "asciidoc-py": Generator("asciidoc-py", ("asciidoc==10.2.1",), write_asciidoc, build_asciidoc, "html", flat),
    "org-mode": Generator("org-mode", (), write_org, build_org, "html", flat, "debian"),
    "latexml": Generator("latexml", (), write_latexml, build_latexml, "html", flat, "debian"),
    "xml2rfc": Generator("xml2rfc", ("xml2rfc==3.34.1",), write_rfc, build_rfc, "html", flat, gold=rfc_gold),
    "nbconvert": Generator("nbconvert", ("nbconvert==7.17.2",), write_notebooks, build_notebooks, "html", flat, gold=notebook_gold),
    "pdoc": Generator(
        "pdoc", ("pdoc==16.0.0",), write_pdoc, build_pdoc, "html", lambda document: f"tide/{module_name(document)}.html", gold=pdoc_gold
    ),
    "vuepress": Generator(
        "vuepress",
        (
            "vuepress@2.0.0-rc.31",
            "@vuepress/bundler-vite@2.0.0-rc.31",
            "@vuepress/theme-default@2.0.0-rc.132",
            "vue@3.5.22",
            "sass-embedded@1.93.2",
        ),
        write_vuepress,
        ("vuepress", "build", "docs"),
        "docs/.vuepress/dist",
        flat,
        "npm",
    ),
    "wordpress": Generator("wordpress", (), write_posts, build_wordpress, "html", flat, "debian"),
    "ghost": Generator("ghost", (), write_posts, build_ghost, "html", flat, "debian", standfirst_gold),
    "trac": Generator("trac", ("Trac==1.6", "setuptools<81"), write_trac, build_trac, "html", flat),
    "roundup": Generator("roundup", ("roundup==2.6.0",), write_roundup, build_roundup, "html", flat, gold=roundup_gold),
    "mhonarc": Generator("mhonarc", (), write_mail, build_mail, "html", mail_page, "debian"),
    "fossil": Generator("fossil", (), write_fossil, build_fossil, "html", flat, "debian"),
    "spirit": Generator("spirit", ("django-spirit==0.14.3", "setuptools<81"), write_application, build_application, "html", flat),
    "puput": Generator("puput", ("puput==2.2.0", "wagtail==6.4.2", "Django==5.2.19"), write_application, build_application, "html", flat),
}
APPLICATION_THEMES = (
    Theme("docutils", "html5", "public domain"),
    Theme("asciidoc-py", "xhtml11", "GPL-2"),
    Theme("org-mode", "default", "GPL-3"),
    Theme("latexml", "ltx", "public domain"),
    Theme("xml2rfc", "draft", "BSD-3-Clause"),
    Theme("nbconvert", "lab", "BSD-3-Clause"),
    Theme("pdoc", "default", "MIT-0"),
    Theme("vuepress", "default", "MIT"),
    Theme("wordpress", "twentytwentyone", "GPL-2"),
    Theme("ghost", "source", "MIT"),
    Theme("trac", "wiki", "BSD-3-Clause"),
    Theme("roundup", "classic", "MIT"),
    Theme("mhonarc", "archive", "GPL-2"),
    Theme("spirit", "spirit", "MIT"),
    Theme("puput", "puput", "MIT"),
    Theme("fossil", "wiki", "BSD-2-Clause"),
)
