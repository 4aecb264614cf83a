"""Generators from Debian packages: Jekyll, ikiwiki, Asciidoctor, Texinfo, DocBook's stylesheets, and pandoc, which writes their formats."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_markdown
from sightread.render.errors import Rejected

PROGRAMS = {
    "jekyll": "jekyll",
    "ikiwiki": "ikiwiki",
    "asciidoctor": "asciidoctor",
    "makeinfo": "texinfo",
    "pandoc": "pandoc",
    "xsltproc": "xsltproc",
    "chronicle": "chronicle",
    "ssite": "staticsite",
    "zim": "zim",
    "mhonarc": "mhonarc",
    "bibtex2html": "bibtex2html texlive-base",
    "php": "php-cli",
    "pod2html": "perl",
    "yelp-build": "yelp-tools",
    "mandoc": "mandoc",
    "yard": "yard",
    "Rscript": "r-base-core",
    "godoc": "golang-golang-x-tools",
    "ldoc": "lua-ldoc",
    "asciidoc": "asciidoc",
    "emacs": "emacs-nox",
    "latexml": "latexml",
    "latexmlpost": "latexml",
    "nanoc": "nanoc",
    "naturaldocs": "naturaldocs",
    "hugo": "hugo",
    "ruby": "redmine",
    "fossil": "fossil",
    "mariadbd": "mariadb-server",
    "mariadb-install-db": "mariadb-server",
    "erl": "erlang-base",
    "coqdoc": "coq",
    "pod2projdocs": "libpod-projectdocs-perl",
    "hg": "mercurial",
    "valadoc": "valadoc",
    "blaze": "blazeblogger",
    "linuxdoc": "linuxdoc-tools",
    "ldc2": "ldc",
    "cupsd": "cups",
    "meinproc5": "kdoctools5",
}
"""The Debian package of each program."""
DOCBOOK = Path("/usr/share/xml/docbook/stylesheet/docbook-xsl/html/docbook.xsl")


def find_program(name: str) -> str:
    """Return the path of a program. Raises `Rejected` with the package that has it."""
    if found := shutil.which(name):
        return found
    raise Rejected(f"needs {name}: apt-get install {PROGRAMS[name]}")


def write_jekyll(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a Jekyll blog."""
    config = {"title": NAME, "description": documents[0].summary, "author": "Ada Quay", "theme": theme, "permalink": "/posts/:title/"}
    write_text(project / "_config.yml", json.dumps(config))
    write_text(project / "index.md", "---\nlayout: home\n---\n")
    for document in documents:
        head = {"layout": "post", "title": document.title, "tags": list(document.tags), "description": document.summary}
        front = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items())
        write_text(project / f"_posts/{document.published}-{document.slug}.md", f"---\n{front}\n---\n\n{to_markdown(document)}")


def write_ikiwiki(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a wiki whose front page links to every page, and its settings."""
    links = "\n".join(f"* [[{document.title}|{document.slug}]]" for document in documents)
    write_text(project / "wiki/index.mdwn", f"{documents[0].summary}\n\n{links}\n")
    write_text(project / "wiki/sidebar.mdwn", "\n".join(f"* [[{document.title}|{document.slug}]]" for document in documents[:8]))
    for document in documents:
        tags = " ".join(tag.replace(" ", "_") for tag in document.tags)
        write_text(
            project / f"wiki/{document.slug}.mdwn", f'[[!meta title="{document.title}"]]\n[[!tag {tags}]]\n\n{to_markdown(document)}'
        )
    lines = [
        f"wikiname: {NAME}",
        f"srcdir: {project / 'wiki'}",
        f"destdir: {project / 'html'}",
        "url: http://127.0.0.1/",
        f"theme: {theme}",
    ]
    lines += ["usedirs: 1", "templatedir: /usr/share/ikiwiki/templates", "underlaydir: /usr/share/ikiwiki/basewiki"]
    lines += ["add_plugins:", "- theme", "- sidebar", "- goodstuff", "- highlight" if shutil.which("highlight") else "- table"]
    write_text(project / "ikiwiki.setup", "# IkiWiki::Setup::Yaml - YAML formatted setup file\n" + "\n".join(lines) + "\n")


def write_asciidoctor(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document as AsciiDoc, with a table of contents on the theme's side."""
    for document in documents:
        body = convert(document, "asciidoc")
        head = f"= {document.title}\nAda Quay\n:revdate: {document.published}\n:toc: {theme}\n:icons: font\n:sectanchors:\n"
        write_text(project / f"{document.slug}.adoc", f"{head}\n{body}")


def build_asciidoctor(project: Path) -> None:
    """Convert all documents."""
    run_tool([find_program("asciidoctor"), "-q", "-D", "html", *sorted(path.name for path in project.glob("*.adoc"))], project)


def write_texinfo(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write one manual with a chapter per document."""
    del theme
    lines = ["\\input texinfo", f"@settitle {NAME}", "@documentencoding UTF-8", f"@documentlanguage {documents[0].language}"]
    lines += ["@node Top", f"@top {NAME}", "", "@menu", *(f"* {document.slug}::" for document in documents), "@end menu", ""]
    for document in documents:
        body = convert(document, "texinfo")
        first = body.find("@node Top")
        body = body[body.index("\n", body.index("@top", first)) if "@top" in body[first:] else 0 :] if first >= 0 else body
        body = body.replace("@bye", "").replace("@chapter", "@section").replace("@node Top", "")
        kept = [line for line in _without_menus(body) if not line.startswith(("@node", "@anchor"))]
        lines += [f"@node {document.slug}", f"@chapter {_escape_texinfo(document.title)}", "", *kept, ""]
    write_text(project / "manual.texi", "\n".join([*lines, "@bye", ""]))


def build_texinfo(project: Path) -> None:
    """Write one page per chapter."""
    run_tool([find_program("makeinfo"), "--html", "--split=chapter", "--no-warn", "--force", "-o", "html", "manual.texi"], project)


def write_docbook(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write every document as a DocBook article."""
    del theme
    for document in documents:
        write_text(project / f"{document.slug}.xml", convert(document, "docbook4", "--standalone", "--metadata", f"title={document.title}"))


def build_docbook(project: Path) -> None:
    """Convert every document with the standard stylesheets."""
    program = find_program("xsltproc")
    if not DOCBOOK.is_file():
        raise Rejected("needs DocBook's stylesheets: apt-get install docbook-xsl")
    for path in sorted(project.glob("*.xml")):
        run_tool([program, "--nonet", "--novalid", "--encoding", "utf-8", "-o", f"html/{path.stem}.html", str(DOCBOOK), path.name], project)


def convert(document: SourceDocument, form: str, *options: str) -> str:
    """Return the body of a document in a form that pandoc writes."""
    shift = ["--shift-heading-level-by=-1"] if form == "docbook4" else []
    command = [find_program("pandoc"), "-f", "gfm", "-t", form, "--wrap=none", *shift, *options]
    source = to_markdown(document).encode()
    return subprocess.run(command, input=source, check=True, capture_output=True, timeout=60).stdout.decode()


def _without_menus(body: str) -> list[str]:
    lines, is_inside = [], False
    for line in body.splitlines():
        is_inside = is_inside or line.startswith("@menu")
        if not is_inside:
            lines.append(line)
        is_inside = is_inside and not line.startswith("@end menu")
    return lines


def _escape_texinfo(text: str) -> str:
    return "".join(f"@{letter}" if letter in "@{}" else letter for letter in text)


def run_tool(command: Sequence[str], folder: Path, paths: Mapping[str, str] = MappingProxyType({})) -> None:
    """Run a program in a folder, with further variables of the environment. Raises `subprocess.SubprocessError`."""
    subprocess.run(command, cwd=folder, env=os.environ | paths, check=True, timeout=300, capture_output=True, stdin=subprocess.DEVNULL)
