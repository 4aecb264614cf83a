"""Manuals and API references of further generators, as Debian packages them or as their programs convert packaged sources."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from zipfile import ZipFile

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.manuals.manual import Manual
from sightread.render.errors import Rejected

SCALA_LIBRARY = Path("/usr/share/doc/scala-2.11/api/library")
SCILAB_HELP = Path("/usr/share/scilab/modules/helptools/jar/scilab_en_US_help.jar")
NATURAL_DOCS = Path("/usr/share/perl5/naturaldocs/Modules")
_FRAME_SCRIPT = re.compile(rb"<script[^>]*>\s*if\(top === self\).*?</script>", re.DOTALL)
"""Leads from a page to the frames around it."""
_ABSENT_PICTURE = re.compile(rb"<img src=['\"]jarsci:[^>]*>")
"""Scilab's help viewer has these pictures; its pages in the package have not."""


def copy_scaladoc(project: Path) -> None:
    """Copy the pages of Scala's library, without the script that shows them in frames only."""
    if not SCALA_LIBRARY.is_dir():
        raise Rejected("needs Scala's documentation: apt-get install scala-doc")
    html = project / "html"
    shutil.copytree(SCALA_LIBRARY / "lib", html / "lib")
    for path in sorted(SCALA_LIBRARY.glob("scala/**/*.html")):
        target = html / path.relative_to(SCALA_LIBRARY)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_FRAME_SCRIPT.sub(b"", path.read_bytes()))


def unpack_scilab(project: Path) -> None:
    """Unpack Scilab's help."""
    if not SCILAB_HELP.is_file():
        raise Rejected("needs Scilab's help: apt-get install scilab-doc")
    with ZipFile(SCILAB_HELP) as jar:
        jar.extractall(project)
    for path in sorted((project / "scilab_en_US_help").glob("*.*")):
        (project / "html" / path.name).write_bytes(_ABSENT_PICTURE.sub(b"", path.read_bytes()))


def convert_natural_docs(project: Path) -> None:
    """Document the modules of Natural Docs itself."""
    if not NATURAL_DOCS.is_dir():
        raise Rejected("needs Natural Docs: apt-get install naturaldocs")
    (project / "settings").mkdir()
    run_tool([find_program("naturaldocs"), "-i", str(NATURAL_DOCS), "-o", "HTML", "html", "-p", "settings"], project)


def _has(name: str) -> str:
    return f"contains(concat(' ', @class, ' '), ' {name} ')"


_DOC = "/usr/share/doc"
_HIDDEN_MEMBER = (
    "@visbl='prt' or starts-with(@name, 'scala.AnyRef#') or starts-with(@name, 'scala.Any#')"
    " or substring-before(@name, '#') = //ol[@id='implicits']/li[@data-hidden='true']/@name"
)
"""Of Scaladoc: members that its page shows after a click in its filter only."""
MORE_MANUALS = (
    Manual(
        "scala",
        "scaladoc",
        "scala-doc",
        "",
        "scala/**/*.html",
        "//div[@id='definition'] | //h4[@id='signature'] | //div[@id='comment'] | //div[@id='allMembers']",
        f".//*[{_has('morelinks')} or {_has('permalink')} or {_has('toggleContainer')} or {_has('fullcomment')}]"
        f" | .//li[{_HIDDEN_MEMBER}] | .//div[{_has('members')}][not(ol/li[not({_HIDDEN_MEMBER})])]",
        "BSD-3-Clause",
        copy_scaladoc,
    ),
    Manual(
        "penlight",
        "ldoc",
        "lua-penlight-dev",
        f"{_DOC}/lua-penlight-dev/docs",
        "*/*.html",
        "//div[@id='content']",
        "",
        "MIT",
    ),
    Manual(
        "nim",
        "nimdoc",
        "nim-doc",
        f"{_DOC}/nim/html",
        "[!t]*.html",
        f"//h1[{_has('title')}] | //div[@id='content']",
        f".//*[@id='tocRoot' or {_has('link-seesrc')} or {_has('pragmawrap')} or {_has('attachedType')}]",
        "MIT",
    ),
    Manual(
        "puzzles",
        "halibut",
        "sgt-puzzles",
        "/usr/share/sgt-puzzles/help/en",
        "[!di]*.html",
        "//body",
        "./p[a[normalize-space()='Contents']] | ./h1/preceding-sibling::ul | ./hr | ./address",
        "MIT",
    ),
    Manual(
        "ocamlnet",
        "ocamldoc",
        "libocamlnet-ocaml-doc",
        f"{_DOC}/libocamlnet-ocaml/html-main",
        "[A-Z]*.html",
        "//body",
        f"./div[{_has('navbar')}]",
        "zlib and GPL-2",
    ),
    Manual(
        "groovy",
        "groovydoc",
        "groovy-doc",
        f"{_DOC}/groovy/gapi",
        "groovy/**/[A-Z]*.html",
        f"//div[{_has('header')}] | //div[{_has('contentContainer')}]",
        f".//div[{_has('bottomNav')} or {_has('subNav')}]",
        "Apache-2.0",
    ),
    Manual(
        "lilypond",
        "lilypond-texi2html",
        "lilypond-doc-html",
        f"{_DOC}/lilypond/html/Documentation",
        "learning/*.html",
        "//div[@id='main']",
        f".//table[{_has('nav_table')} or {_has('menu')}] | .//*[@id='footer']",
        "GFDL-1.3",
    ),
    Manual(
        "natural-docs",
        "naturaldocs",
        "naturaldocs",
        "",
        "files/**/*.html",
        "//div[@id='Content']",
        f".//*[{_has('CToolTip')}]",
        "AGPL-3",
        convert_natural_docs,
    ),
    Manual(
        "scilab",
        "scilab-help",
        "scilab-doc",
        "",
        "[!s]*.html",
        "//body",
        f".//*[{_has('manualnavbar')} or {_has('path')}]",
        "GPL-2",
        unpack_scilab,
    ),
    Manual(
        "crystal",
        "crystal-docs",
        "crystal-doc",
        f"{_DOC}/crystal/api-docs",
        "**/[A-Z]*.html",
        f"//div[{_has('main-content')}]",
        f".//*[{_has('method-permalink')}] | .//a[{_has('tooltip')}]/span",
        "Apache-2.0",
    ),
    Manual(
        "jmeter",
        "anakia",
        "jmeter-help",
        "/usr/share/jmeter",
        "printable_docs/**/[!di]*.html",
        "//body/table[2]/tr[2]/td",
        "./table[.//a[normalize-space()='Index']][string-length(normalize-space()) < 20]",
        "Apache-2.0",
    ),
    Manual(
        "httrack",
        "httrack-site",
        "httrack-doc",
        "/usr/share/httrack/html",
        "[!i]*.html",
        "//tr[@class='blak']",
        ".//p[starts-with(normalize-space(), 'Back to')]",
        "GPL-3",
    ),
)
