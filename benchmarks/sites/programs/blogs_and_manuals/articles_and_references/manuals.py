"""Manuals and references as Debian packages them: SWIG's, Hugin's (pages of a wiki), Allegro 4's (makedoc) and curl's functions (roffit).

And a reference that is converted: libraries of Robot Framework, by its Libdoc.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.generators.rendered_pages import keep_rendered
from benchmarks.sites.layout import write_text
from benchmarks.sites.manuals.manual import Manual
from benchmarks.sites.packages import install_packages
from sightread.render.errors import Rejected

_MAN_PAGES = Path("/usr/share/man/man3")
_CURL = ("curl_*.3.gz", "CURLOPT_*.3.gz")
_CONTENTS = "./ul[./li/a[starts-with(@href, '#')]][not(preceding-sibling::h2)][not(preceding-sibling::a[@name and not(@href)])]"
_ROBOT_PACKAGES = (
    *("robotframework==7.5", "markdown", "robotframework-requests==0.9.7", "robotframework-databaselibrary==2.5.0"),
    *("robotframework-sshlibrary==3.8.0", "robotframework-archivelibrary==0.4.3", "robotframework-jsonlibrary==0.5"),
    *("robotframework-imaplibrary2==0.4.11", "robotframework-excellib==2.0.1", "robotframework-csvlibrary==0.0.5"),
    *("robotframework-datadriver==1.11.2", "robotframework-debuglibrary==2.5.0", "robotframework-dependencylibrary==4.0.1"),
)
_ROBOT_LIBRARIES = (
    *("ArchiveLibrary", "CSVLibrary", "Collections", "DataDriver", "DatabaseLibrary", "DateTime", "DebugLibrary", "DependencyLibrary"),
    *("Dialogs", "ExcelLibrary", "ImapLibrary2", "JSONLibrary", "OperatingSystem", "Process", "RequestsLibrary", "SSHLibrary"),
    *("Screenshot", "String", "Telnet", "XML"),
)


def build_robot(project: Path) -> None:
    """Document the libraries, and keep the pages as their scripts show them."""
    tools = project.parents[1] / "robot-libdoc"
    install_packages(tools, _ROBOT_PACKAGES, "pypi")
    for name in _ROBOT_LIBRARIES:
        run_tool([str(tools.resolve() / "bin/libdoc"), "--theme", "LIGHT", name, f"html/{name}.html"], project)
    pages = {f"{name}.html": f"{name}.html" for name in _ROBOT_LIBRARIES}
    keep_rendered(project / "html", pages, "#keywords-container")
    for path in sorted(project.glob("html/*.html")):
        text = path.read_text("utf-8").replace("<head>", '<head><meta charset="utf-8">', 1)
        write_text(path, re.sub(r'<img[^>]*src="https:[^>]*>', "", text))


def build_curl(project: Path) -> None:
    """Convert the functions' pages of the manual."""
    pages = sorted(path for pattern in _CURL for path in _MAN_PAGES.glob(pattern) if not path.is_symlink())
    if not pages:
        raise Rejected("needs curl's pages of the manual: apt-get install libcurl4-doc")
    for path in pages:
        name = path.name.removesuffix(".3.gz")
        write_text(project / name, gzip.decompress(path.read_bytes()).decode("utf-8", "replace"))
        run_tool(["sh", "-c", f"{find_program('roffit')} < {name} > html/{name}.html"], project)


ARTICLE_MANUALS = (
    Manual(
        "manual",
        "swig-makechap",
        "swig4.0-doc",
        "/usr/share/doc/swig4.0-doc/Manual",
        "[A-Z]*.html",
        "//body[count(./h1) = 1 and .//div[@class='sectiontoc']][not(./h1[contains(., 'Users Manual')])]",
        ".//div[@class='sectiontoc']",
        "GPL-3",
    ),
    Manual(
        "help",
        "hugin-site",
        "hugin-data",
        "/usr/share/hugin/xrc/data/help_en_EN",
        "*.html",
        "//div[@id='content'][not(.//math)]",
        ".//*[@id='siteSub' or @id='toc' or @class='printfooter' or @class='catlinks']",
        "GPL-2",
    ),
    Manual(
        "routines",
        "makedoc",
        "allegro4-doc",
        "/usr/share/doc/allegro4-doc/html",
        "*.html",
        "//body",
        f"{_CONTENTS} | .//div[@class='al-back-to-contents']",
        "Allegro gift-ware",
    ),
    Manual(
        "functions",
        "roffit",
        "libcurl4-doc roffit",
        "",
        "*.html",
        "//body",
        ".//p[@class='roffit']",
        "curl",
        build_curl,
    ),
    Manual(
        "libraries",
        "robot-libdoc",
        "",
        "",
        "*.html",
        "//a[@class='libdoc-title'] | //main",
        ".//table[@class='metadata'] | .//*[@id='footer-container' or @id='data-types-container']"
        " | .//*[.='Table of contents' or .='Table of Contents']"
        " | .//ul[./li/a[starts-with(@href, '#')]][not(./li[not(./a)])][not(./li/text()[normalize-space()])]",
        "Apache-2.0",
        build_robot,
        18,
    ),
)
"""Of each, the whole text without contents and links to other pages."""
