"""Packaged manuals that need a conversion or a copy: EDoc, coqdoc, Pod::ProjectDocs, Valadoc, hgweb, Macaulay2, ImageMagick.

Each function writes the pages to `html` in the project's folder.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import lxml.etree
import lxml.html

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

ERLANG_LIBRARY = Path("/usr/lib/erlang/lib")
COQ_LIBRARY = Path("/usr/lib/ocaml/coq/theories")
PERL_LIBRARY = Path("/usr/share/perl/5.36")
GEE = Path("/usr/share/vala/vapi/gee-0.8.vapi")
MACAULAY = Path("/usr/share")
IMAGEMAGICK = Path("/usr/share/doc/imagemagick-6-common/html")
BOOTSTRAP = Path("/usr/share/javascript/bootstrap4/css/bootstrap.min.css")
_EDOC = """
Known = fun(File) -> try edoc:get_doc(File) of {_, _} -> true catch _:_ -> false end end,
Files = lists:filter(Known, filelib:wildcard("LIBRARY/{edoc,eunit,syntax_tools,xmerl}-*/src/*.erl")),
edoc:files(Files, [{dir, "html"}]), init:stop().
"""
"""Documents each module that EDoc can read."""
_COQ_FOLDERS = ("Bool", "Lists", "Logic", "Program", "Relations", "Sets", "Sorting", "Strings", "Vectors", "Wellfounded")
_BELOW_BAR = b"\nbody { padding-top: 5rem }\n"
_HG_TOPICS = (
    *("bundlespec", "color", "config", "dates", "deprecated", "diffs", "environment", "evolution", "extensions", "filesets", "flags"),
    *("glossary", "hgignore", "hgweb", "merge-tools", "pager", "patterns", "phases", "revsets", "scripting", "subrepos", "templating"),
    *("urls", "annotate", "archive", "backout", "bisect", "bookmarks", "branch", "clone", "commit", "graft", "log", "merge", "update"),
)


def convert_edoc(project: Path) -> None:
    """Document some of Erlang's libraries."""
    script = _EDOC.replace("LIBRARY", str(_sources(ERLANG_LIBRARY, "erlang-edoc erlang-src")))
    run_tool([find_program("erl"), "-noshell", "-eval", script], project, {"HOME": str(project)})


def convert_coqdoc(project: Path) -> None:
    """Document some of Coq's standard library, without its proofs."""
    library = _sources(COQ_LIBRARY, "libcoq-stdlib")
    files = [str(path) for folder in _COQ_FOLDERS for path in sorted((library / folder).glob("*.v"))]
    run_tool([find_program("coqdoc"), "--html", "--utf8", "--gallina", "-R", str(library), "Coq", "-d", "html", *files], project)


def convert_project_docs(project: Path) -> None:
    """Convert the manual pages of Perl's modules."""
    library = _sources(PERL_LIBRARY, "perl-modules-5.36").resolve()  # it does not follow links
    options = ["-out", "html", "-lib", str(library), "-title", "Perl's modules", "-lang", "en"]
    run_tool([find_program("pod2projdocs"), *options], project)


def convert_valadoc(project: Path) -> None:
    """Document a collection library from the comments of its interface."""
    options = ["--force", "--package-name=gee-0.8", "--package-version=0.20", "-o", "site"]
    run_tool([find_program("valadoc"), *options, str(_file(GEE, "libgee-0.8-dev"))], project)
    (project / "html").rmdir()
    (project / "site").rename(project / "html")


def read_hgweb(project: Path) -> None:
    """Start the web server of Mercurial for an empty repository and read its help."""
    program, port = find_program("hg"), free_port()
    run_tool([program, "init", "tide"], project)
    command = [program, "serve", "-R", "tide", "-a", "127.0.0.1", "-p", str(port), "--config", "web.style=paper"]
    save_pages(project, command, port, {f"{name}.html": f"/help/{name}" for name in _HG_TOPICS}, {"HGRCPATH": ""})


def copy_macaulay(project: Path) -> None:
    """Copy the pages of Macaulay2's documentation, with the style sheets that they have far above them."""
    style, pages = MACAULAY / "Macaulay2/Style", Path("doc/Macaulay2/Macaulay2Doc/html")
    shutil.copytree(_sources(style, "macaulay2-common"), project / "html/Macaulay2/Style")
    shutil.copytree(MACAULAY / pages, project / "html" / pages)


def copy_imagemagick(project: Path) -> None:
    """Copy the pages of ImageMagick's site as HTML: as the package has them, empty elements of XHTML hide all text of the page.

    Its style sheet, which the package lacks, is Bootstrap with rules of its own; the copy has Bootstrap alone, and the text below the bar.
    """
    source = _sources(IMAGEMAGICK, "imagemagick-6-doc")
    shutil.copytree(source / "images", project / "html/images")
    (project / "html/www/css").mkdir(parents=True)
    style = _file(BOOTSTRAP, "libjs-bootstrap4").read_bytes()
    write_atomically(project / "html/www/css/magick.css", style + _BELOW_BAR)
    for path in sorted((source / "www").glob("*.html")):
        page = lxml.etree.fromstring(path.read_bytes(), lxml.etree.XMLParser(recover=True, load_dtd=False, no_network=True))
        for element in page.xpath("//*[local-name()='script' or local-name()='iframe']"):
            element.getparent().remove(element)
        text = lxml.etree.tostring(page, method="html", encoding="unicode")
        write_atomically(project / "html/www" / path.name, f"<!DOCTYPE html>\n{text}".encode())


def _sources(folder: Path, package: str) -> Path:
    """Return the folder. Raises `Rejected` with the package that has it."""
    if not folder.is_dir():
        raise Rejected(f"needs {folder.name}: apt-get install {package}")
    return folder


def _file(path: Path, package: str) -> Path:
    """Return the file. Raises `Rejected` with the package that has it."""
    if not path.is_file():
        raise Rejected(f"needs {path.name}: apt-get install {package}")
    return path
