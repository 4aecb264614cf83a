"""Recipes: how a generator builds a site of one theme from Markdown documents.

A recipe writes the generator's project, names the command that builds it, and the address of each document in the result. Themes that
are kept for an outside check are not here (Hexo's butterfly, fluid and icarus, Sphinx' furo and pydata, MkDocs' material).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.sites.application_recipes import APPLICATION_GENERATORS, APPLICATION_THEMES
from benchmarks.sites.applications.communities import build_application, product_gold, write_application
from benchmarks.sites.applications.further_recipes import FURTHER_GENERATORS, FURTHER_THEMES
from benchmarks.sites.applications.more_recipes import MORE_GENERATORS, MORE_THEMES
from benchmarks.sites.applications.wikis import build_dokuwiki, build_mediawiki, build_zim, write_dokuwiki, write_mediawiki, write_zim
from benchmarks.sites.builders.application_recipes import BUILT_APPLICATION_GENERATORS, BUILT_APPLICATION_THEMES
from benchmarks.sites.builders.recipes import BUILDER_GENERATORS, BUILDER_THEMES
from benchmarks.sites.builders.site_recipes import SITE_GENERATORS, SITE_THEMES
from benchmarks.sites.generators.blogs import (
    build_blag,
    build_chronicle,
    build_lektor,
    build_staticsite,
    chronicle_page,
    write_blag,
    write_chronicle,
    write_lektor,
    write_staticsite,
    write_wintersmith,
)
from benchmarks.sites.generators.debian_generators import (
    build_asciidoctor,
    build_docbook,
    build_texinfo,
    write_asciidoctor,
    write_docbook,
    write_ikiwiki,
    write_jekyll,
    write_texinfo,
)
from benchmarks.sites.generators.documentation_recipes import DOCUMENTATION_GENERATORS, DOCUMENTATION_THEMES
from benchmarks.sites.generators.drawn_layouts import ARCHETYPES
from benchmarks.sites.generators.node_generators import write_docusaurus, write_honkit, write_rspress, write_vitepress
from benchmarks.sites.generators.node_manuals import write_jsdoc, write_starlight, write_tiddlywiki, write_typedoc
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.manuals.books import BOOK_GENERATORS, BOOK_THEMES
from benchmarks.sites.programs.recipes import PROGRAM_GENERATORS, PROGRAM_THEMES
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder
from benchmarks.sites.texts.documents import SourceDocument, to_markdown


def _write_sphinx(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    lines = [f"project = {NAME!r}", f"html_theme = {theme!r}", f"language = {documents[0].language!r}", "extensions = ['myst_parser']"]
    if theme == "bootstrap":
        lines += ["import sphinx_bootstrap_theme", "html_theme_path = sphinx_bootstrap_theme.get_html_theme_path()"]
    if theme == "guzzle_sphinx_theme":
        lines += ["import guzzle_sphinx_theme", "html_theme_path = guzzle_sphinx_theme.html_theme_path()"]
    if theme == "sphinxawesome_theme":
        lines += [f"extensions.append({theme!r})"]
    write_text(project / "conf.py", "\n".join(lines))
    toc = "\n".join(document.slug for document in documents)
    write_text(project / "index.md", f"# {NAME}\n\n```{{toctree}}\n:maxdepth: 1\n\n{toc}\n```\n")
    for document in documents:
        write_text(project / f"{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def _write_mkdocs(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    pages = [{"Home": "index.md"}, *({document.title: f"{document.slug}.md"} for document in documents)]
    extensions = ["tables", "fenced_code"]
    config = {"site_name": NAME, "site_url": "http://127.0.0.1/", "theme": {"name": theme}, "markdown_extensions": extensions, "nav": pages}
    write_text(project / "mkdocs.yml", json.dumps(config))
    write_text(project / "docs/index.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"docs/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def _write_pelican(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    lines = [f"SITENAME = {NAME!r}", "AUTHOR = 'Ada Quay'", "PATH = 'content'", "TIMEZONE = 'UTC'", f"THEME = {theme!r}", "SITEURL = ''"]
    lines += [f"DEFAULT_LANG = {documents[0].language!r}", "DEFAULT_PAGINATION = 10", "RELATIVE_URLS = True", "FEED_ALL_ATOM = None"]
    lines += ["MARKDOWN = {'extension_configs': {'markdown.extensions.extra': {}, 'markdown.extensions.codehilite': {}}}"]
    write_text(project / "pelicanconf.py", "\n".join(lines))
    for document in documents:
        head = f"Title: {document.title}\nDate: {document.published}\nCategory: {document.tags[0]}\nTags: {', '.join(document.tags)}\n"
        write_text(
            project / f"content/{document.slug}.md", f"{head}Slug: {document.slug}\nSummary: {document.summary}\n\n{to_markdown(document)}"
        )


def _write_nikola(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    language = documents[0].language
    lines = [
        f"BLOG_AUTHOR = 'Ada Quay'; BLOG_TITLE = {NAME!r}; SITE_URL = 'http://127.0.0.1/'; BLOG_EMAIL = 'ada@example.org'",
        f"BLOG_DESCRIPTION = 'Notes'; DEFAULT_LANG = {language!r}; THEME = {theme!r}; TIMEZONE = 'UTC'",
        f"TRANSLATIONS = {{{language!r}: ''}}",
        "POSTS = (('posts/*.md', 'posts', 'post.tmpl'),); PAGES = (); COMPILERS = {'markdown': ('.md',)}; GENERATE_RSS = False",
        f"NAVIGATION_LINKS = {{{language!r}: (('/archive.html', 'Archive'), ('/categories/index.html', 'Tags'))}}",
        "MARKDOWN_EXTENSIONS = ['markdown.extensions.extra', 'markdown.extensions.codehilite']",
    ]
    write_text(project / "conf.py", "\n".join(lines))
    for document in documents:
        head = f".. title: {document.title}\n.. slug: {document.slug}\n.. date: {document.published} 08:00:00 UTC\n"
        head += f".. tags: {', '.join(document.tags)}\n"
        write_text(project / f"posts/{document.slug}.md", f"<!--\n{head}.. description: {document.summary}\n-->\n\n{to_markdown(document)}")


def _write_hexo(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    config: dict[str, Any] = {
        "title": NAME,
        "author": "Ada Quay",
        "language": documents[0].language if documents[0].language in ("en", "de", "fr", "es", "ru", "ja") else "en",
        "url": "http://127.0.0.1",
        "theme": theme,
        "permalink": "posts/:title/",
        "per_page": 10,
    }
    if theme == "next":
        config["theme_config"] = {"motion": {"enable": False}}  # else all is transparent until a script from the network moves it
    write_text(project / "_config.yml", json.dumps(config))
    packages = {package.rpartition("@")[0]: package.rpartition("@")[2] for package in (*HEXO, f"hexo-theme-{theme}@*")}
    write_text(
        project / "package.json", json.dumps({"name": "site", "version": "0.0.0", "hexo": {"version": "8"}, "dependencies": packages})
    )
    for document in documents:
        head = {
            "title": document.title,
            "date": f"{document.published} 08:00:00",
            "tags": list(document.tags),
            "categories": document.tags[0],
            "description": document.summary,
        }
        front = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items())
        write_text(project / f"source/_posts/{document.slug}.md", f"---\n{front}\n---\n\n{to_markdown(document)}")


HEXO = (
    "hexo@8.1.2",
    "hexo-renderer-ejs@2.0.0",
    "hexo-renderer-marked@7.0.1",
    "hexo-renderer-stylus@3.0.1",
    "hexo-renderer-pug@3.0.0",
    "hexo-renderer-less@4.0.0",
    "hexo-generator-archive@2.0.0",
    "hexo-generator-category@2.0.0",
    "hexo-generator-tag@2.0.0",
    "hexo-generator-index@4.0.0",
    "hexo-pagination@4.0.0",
    "hexo-util@4.0.0",
)


GENERATORS = {
    **APPLICATION_GENERATORS,
    **MORE_GENERATORS,
    **BUILDER_GENERATORS,
    **SITE_GENERATORS,
    **BUILT_APPLICATION_GENERATORS,
    **FURTHER_GENERATORS,
    **PROGRAM_GENERATORS,
    "sphinx": Generator(
        "sphinx",
        ("Sphinx==9.0.4", "myst-parser==5.2.0"),
        _write_sphinx,
        ("sphinx-build", "-q", "-b", "html", ".", "html"),
        "html",
        flat,
    ),
    "mkdocs": Generator("mkdocs", ("mkdocs==1.6.1",), _write_mkdocs, ("mkdocs", "build", "-q"), "site", in_folder),
    "pelican": Generator(
        "pelican",
        ("pelican[markdown]==4.12.0",),
        _write_pelican,
        ("pelican", "content", "-s", "pelicanconf.py", "-q"),
        "output",
        flat,
    ),
    "nikola": Generator(
        "nikola",
        ("Nikola==8.3.3", "Markdown", "aiohttp"),
        _write_nikola,
        ("nikola", "build", "-q"),
        "output",
        lambda document: f"posts/{document.slug}/index.html",
    ),
    "hexo": Generator(
        "hexo",
        HEXO,
        _write_hexo,
        ("hexo", "generate"),
        "public",
        lambda document: f"posts/{document.slug}/index.html",
        registry="npm",
    ),
    "vitepress": Generator(
        "vitepress",
        ("vitepress@1.6.4",),
        write_vitepress,
        ("vitepress", "build"),
        ".vitepress/dist",
        flat,
        registry="npm",
    ),
    "honkit": Generator("honkit", ("honkit@6.1.7",), write_honkit, ("honkit", "build"), "_book", flat, "npm"),
    "docusaurus": Generator(
        "docusaurus",
        ("@docusaurus/core@3.10.2", "@docusaurus/preset-classic@3.10.2", "react@19.2.0", "react-dom@19.2.0"),
        write_docusaurus,
        ("docusaurus", "build"),
        "build",
        in_folder,
        "npm",
    ),
    "rspress": Generator("rspress", ("@rspress/core@2.0.22",), write_rspress, ("rspress", "build"), "doc_build", flat, "npm"),
    "jekyll": Generator(
        "jekyll", (), write_jekyll, ("jekyll", "build", "-q"), "_site", lambda document: f"posts/{document.slug}/index.html", "debian"
    ),
    "ikiwiki": Generator("ikiwiki", (), write_ikiwiki, ("ikiwiki", "--setup", "ikiwiki.setup", "--rebuild"), "html", in_folder, "debian"),
    "asciidoctor": Generator("asciidoctor", (), write_asciidoctor, build_asciidoctor, "html", flat, "debian"),
    "texinfo": Generator(
        "texinfo", (), write_texinfo, build_texinfo, "html", lambda document: f"{document.slug.replace('-', '_002d')}.html", "debian"
    ),
    "docbook": Generator("docbook", (), write_docbook, build_docbook, "html", flat, "debian"),
    "blag": Generator("blag", ("blag==2.3.3",), write_blag, build_blag, "build", flat),
    "lektor": Generator("lektor", ("Lektor==3.3.14",), write_lektor, build_lektor, "html", lambda document: f"blog/{in_folder(document)}"),
    "wintersmith": Generator(
        "wintersmith",
        ("wintersmith@2.5.0", "moment@2.30.1", "typogr@0.6.8", "underscore@1.13.7"),
        write_wintersmith,
        ("wintersmith", "build"),
        "build",
        lambda document: f"articles/{in_folder(document)}",
        "npm",
    ),
    "chronicle": Generator("chronicle", (), write_chronicle, build_chronicle, "html", chronicle_page, "debian"),
    "staticsite": Generator(
        "staticsite", (), write_staticsite, build_staticsite, "html", lambda document: f"posts/{in_folder(document)}", "debian"
    ),
    "starlight": Generator(
        "starlight",
        ("@astrojs/starlight@0.42.4", "astro@7.3.5", "sharp@0.35.5"),
        write_starlight,
        ("astro", "build"),
        "dist",
        in_folder,
        "npm",
    ),
    "typedoc": Generator(
        "typedoc",
        ("typedoc@0.28.20", "typescript@5.9.3"),
        write_typedoc,
        ("typedoc",),
        "html",
        lambda document: f"documents/{document.slug}.html",
        "npm",
    ),
    "tiddlywiki": Generator(
        "tiddlywiki", ("tiddlywiki@5.4.1",), write_tiddlywiki, ("tiddlywiki", ".", "--build", "static"), "output", flat, "npm"
    ),
    "mediawiki": Generator("mediawiki", (), write_mediawiki, build_mediawiki, "html", flat, "debian"),
    "dokuwiki": Generator("dokuwiki", (), write_dokuwiki, build_dokuwiki, "html", flat, "debian"),
    "zim": Generator("zim", (), write_zim, build_zim, "html", flat, "debian"),
    "machina": Generator(
        "machina", ("django-machina==1.3.1", "Django==4.2.30", "setuptools<81"), write_application, build_application, "html", flat
    ),
    "oscar": Generator(
        "oscar",
        ("django-oscar==4.2.1", "Django==5.2.19", "sorl-thumbnail==13.4.0"),
        write_application,
        build_application,
        "html",
        flat,
        gold=product_gold,
    ),
    "mezzanine": Generator("mezzanine", ("mezzanine==6.1.1",), write_application, build_application, "html", flat),
    "jsdoc": Generator(
        "jsdoc",
        ("jsdoc@4.0.5",),
        write_jsdoc,
        ("jsdoc", "-c", "conf.json"),
        "html",
        lambda document: f"tutorial-{document.slug}.html",
        "npm",
    ),
}
GENERATORS |= DOCUMENTATION_GENERATORS | BOOK_GENERATORS
_SPHINX_OWN = ("alabaster", "classic", "nature", "haiku", "scrolls", "agogo", "pyramid", "bizstyle", "sphinxdoc", "traditional")
_SPHINX = (
    ("sphinx_rtd_theme", "MIT", "sphinx_rtd_theme==3.1.0"),
    ("sphinx_book_theme", "BSD-3-Clause", "sphinx-book-theme==1.4.0"),
    ("groundwork", "MIT", "groundwork-sphinx-theme==1.1.1"),
    ("cloud", "BSD-3-Clause", "cloud-sptheme==1.10.1.post20200504175005"),
    ("piccolo_theme", "MIT", "piccolo_theme==0.24.0"),
    ("python_docs_theme", "PSF-2.0", "python-docs-theme==2025.2"),
    ("sphinx_material", "MIT", "sphinx-material==0.0.36"),
    ("bootstrap", "MIT", "sphinx-bootstrap-theme==0.8.1"),
    ("shibuya", "BSD-3-Clause", "shibuya==2026.7.12"),
    ("sphinxawesome_theme", "MIT", "sphinxawesome-theme==6.0.6"),
    ("guzzle_sphinx_theme", "MIT", "guzzle_sphinx_theme==0.7.11"),
    ("sphinx_celery", "BSD-3-Clause", "sphinx_celery==2.1.3"),
    ("f5_sphinx_theme", "Apache-2.0", "f5-sphinx-theme==2.9.5"),
)
_MKDOCS = (
    ("cinder", "MIT", "mkdocs-cinder==1.2.0"),
    ("ivory", "MIT", "mkdocs-ivory==0.4.6"),
    ("dracula", "MIT", "mkdocs-dracula-theme==1.1.0"),
    ("terminal", "MIT", "mkdocs-terminal==4.8.0"),
    ("windmill", "MIT", "mkdocs-windmill==1.0.5"),
    ("bootstrap386", "Apache-2.0", "mkdocs-bootstrap386==0.0.2"),
    ("rtd-dropdown", "BSD-2-Clause", "mkdocs-rtd-dropdown==1.0.2"),
    ("gitbook", "MIT", "mkdocs-gitbook==0.0.1"),
    ("nature", "BSD-3-Clause", "mkdocs-nature==0.6"),
    ("shadcn", "MIT", "mkdocs-shadcn==0.12.2"),
    ("simple-blog", "MIT", "mkdocs-simple-blog==0.6.1"),
    *((name, "BSD-2-Clause", "mkdocs-bootswatch==1.1") for name in ("cerulean", "darkly", "lux", "journal", "slate")),
)
_HEXO = (
    ("landscape", "MIT", "1.1.0"),
    ("next", "AGPL-3.0", "8.29.0"),
    ("keep", "AGPL-3.0", "4.3.0"),
    ("redefine", "GPL-3.0", "2.9.0"),
    ("reimu", "MIT", "1.12.6"),
    ("stellar", "MIT", "1.44.0"),
    ("a4", "MIT", "2.0.1"),
    ("async", "MIT", "2.2.7"),
    ("yun", "MIT", "1.10.11"),
    ("solitude", "Apache-2.0", "4.0.0"),
    ("anzhiyu", "GPL-3.0", "1.7.0"),
    ("kratos-rebirth", "GPL-3.0", "3.0.1"),
)
_TEMPLATES = (
    ("clean-blog", "MIT", "startbootstrap-clean-blog@6.0.9"),
    ("blog-post", "MIT", "startbootstrap-blog-post@5.0.9"),
    ("modern-business", "MIT", "startbootstrap-modern-business@5.0.7"),
    ("shop-item", "MIT", "startbootstrap-shop-item@5.0.6"),
    ("bulma-blog", "MIT", "bulma-templates@0.6.0 bulma@0.6.0"),
    ("tabler-license", "MIT", "@tabler/preview@1.2.0"),
)
DRAWN = 4
"""Layouts drawn of each archetype."""
THEMES = (
    *(Theme("sphinx", name) for name in _SPHINX_OWN),
    *(Theme("sphinx", name, licence, package) for name, licence, package in _SPHINX),
    *(Theme("mkdocs", name) for name in ("mkdocs", "readthedocs")),
    *(Theme("mkdocs", name, licence, package) for name, licence, package in _MKDOCS),
    *(Theme("pelican", name) for name in ("notmyidea", "simple")),
    *(Theme("nikola", name) for name in ("base", "bootstrap4", "bootblog4")),
    *(Theme("hexo", name, licence, f"hexo-theme-{name}@{version}") for name, licence, version in _HEXO),
    Theme("vitepress", "default"),
    Theme("honkit", "default"),
    *(Theme("docusaurus", name) for name in ("docs", "blog")),
    Theme("rspress", "default"),
    Theme("jekyll", "minima"),
    *(Theme("ikiwiki", name) for name in ("actiontabs", "blueview", "goldtype", "monochrome")),
    *(Theme("asciidoctor", name) for name in ("left", "right")),
    Theme("texinfo", "default"),
    Theme("docbook", "default"),
    *(Theme(name, "default") for name in ("blag", "lektor", "wintersmith", "staticsite", "starlight", "typedoc")),
    Theme("chronicle", "steve"),
    Theme("tiddlywiki", "snowwhite"),
    Theme("mediawiki", "vector-2022"),
    Theme("dokuwiki", "dokuwiki"),
    Theme("zim", "index"),
    *(Theme(name, name) for name in ("machina", "oscar", "mezzanine")),
    Theme("jsdoc", "docdash", "Apache-2.0", "docdash@2.0.2"),
    *(Theme("template", name, licence, package) for name, licence, package in _TEMPLATES),
    *APPLICATION_THEMES,
    *MORE_THEMES,
    *BUILDER_THEMES,
    *SITE_THEMES,
    *BUILT_APPLICATION_THEMES,
    *FURTHER_THEMES,
    *PROGRAM_THEMES,
    *DOCUMENTATION_THEMES,
    *BOOK_THEMES,
    *(Theme("drawn", f"{archetype}-{number}") for archetype in ARCHETYPES for number in range(DRAWN)),
)
"""All themes, with the licences that their packages declare. None of their files is kept in this repository."""
