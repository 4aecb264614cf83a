"""Manuals of programs: CUPS' help as its web server shows it, Kate's handbook by KDE's converter, and Xiph's references."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.manuals.manual import Manual
from sightread.render.errors import Rejected

_CUPS_HELP = Path("/usr/share/cups/doc-root/help")
_CUPS_SETTINGS = """Listen 127.0.0.1:{port}
Browsing Off
WebInterface Yes
DefaultAuthType None
<Location />
  Order allow,deny
  Allow all
</Location>
"""
_CUPS_FOLDERS = ("ServerRoot", "StateDir", "CacheDir", "RequestRoot", "TempDir")
_CUPS_LOGS = "AccessLog stderr\nErrorLog stderr\nPageLog stderr\n"
_CUPS_SECTION = re.compile(r"SECTION: ([^\n]*?) *-->")
_CUPS_VERSION = re.compile(r'(<span class="info">[^<]*</span>)')
"""Beside a heading, at the right margin."""
_HIDDEN = "html{display:none;}"
"""Until a script has looked whether the page is in a frame."""
_KDE = Path("/usr/share/doc/HTML")
_KDE_COMMON = "kdoctools5-common"
_KDE_LANGUAGE = "de"

_PYDOC = """
import pydoc, sys, time
pydoc._start_server(pydoc._url_handler, "127.0.0.1", int(sys.argv[1]))
time.sleep(600)
"""
"""The command-line interface of the server ends without a terminal."""
_MODULES = (
    *("json.decoder", "csv", "shlex", "textwrap", "queue", "heapq", "fractions", "calendar", "zipfile", "tarfile", "gzip", "bz2"),
    *("getopt", "glob", "fnmatch", "difflib", "string", "sched", "shelve", "tempfile", "timeit", "trace", "uuid", "wave", "cmd"),
    *("code", "colorsys", "bisect", "base64", "codeop", "contextlib", "copy", "filecmp", "fileinput", "graphlib", "html.parser"),
)
"""Of Python's library."""


def build_cups(project: Path) -> None:
    """Start CUPS with a configuration of its own, and read its help with the contents of each page's section at the side."""
    server, port = find_program("cupsd"), free_port()
    folders = {name: project / "cups" / name.lower() for name in _CUPS_FOLDERS}
    for folder in folders.values():
        folder.mkdir(parents=True)
    write_text(project / "cupsd.conf", _CUPS_SETTINGS.format(port=port))
    write_text(project / "cups-files.conf", "".join(f"{name} {folder}\n" for name, folder in folders.items()) + _CUPS_LOGS)
    pages = {}
    for path in sorted(_CUPS_HELP.glob("*.html")):
        if (section := _CUPS_SECTION.search(path.read_text("utf-8", "replace"))) and path.stem != "license":
            pages[path.name] = f"/help/{path.name}?TOPIC={section[1].replace(' ', '+')}"
    command = [server, "-f", "-c", str(project / "cupsd.conf"), "-s", str(project / "cups-files.conf")]
    save_pages(project, command, port, pages)
    for name in pages:
        page = project / "html" / name
        write_text(page, _CUPS_VERSION.sub(r" \1 ", page.read_text("utf-8").replace(_HIDDEN, "")))


def build_kate(project: Path) -> None:
    """Convert the handbook of the editor and that of its text component, with pictures of the English ones where there are no others."""
    for name in ("kate", "katepart"):
        folder = project / "html" / name
        for language in ("en", _KDE_LANGUAGE):
            source = _KDE / language / name
            if not source.is_dir():
                raise Rejected("needs the handbooks: apt-get install kate5-data")
            shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.bz2", "*.docbook"))
        for path in (_KDE / _KDE_LANGUAGE / name).glob("*.docbook"):
            shutil.copy(path, folder)
        run_tool([find_program("meinproc5"), "index.docbook"], folder)
        for path in folder.glob("*.docbook"):
            path.unlink()
        for path in folder.glob("*.html"):
            write_text(path, path.read_text("utf-8").replace("help:/", "../"))
    for language in ("en", _KDE_LANGUAGE):
        shutil.copytree(_KDE / language / _KDE_COMMON, project / "html" / _KDE_COMMON, dirs_exist_ok=True)


def build_pydoc(project: Path) -> None:
    """Read pages of modules of Python's library from its own documentation server; addresses in memory are the same in each build."""
    port = free_port()
    save_pages(project, [sys.executable, "-c", _PYDOC, str(port)], port, {f"{name}.html": f"/{name}.html" for name in _MODULES})
    for path in sorted(project.glob("html/*.html")):
        write_text(path, re.sub(r"at 0x[0-9a-f]+", "at 0x7f0000000000", path.read_text("utf-8")))


PUBLICATION_MANUALS = (
    Manual(
        "help",
        "cups",
        "cups",
        "",
        "*.html",
        "//div[@class='cups-body']/div[@class='row']",
        "./h1[@class] | ./form | .//div[@class='sidebar' or contains(@class, 'contents')]",
        "Apache-2.0",
        build_cups,
    ),
    Manual(
        "kate",
        "kdoctools",
        "kate5-data kdoctools5",
        "",
        "*/*.html",
        "//div[@id='contentBody'][not(.//div[@class='toc']) or .//div[@class='sect1']]",
        ".//div[@class='toc']",
        "GFDL-1.2",
        build_kate,
        language=_KDE_LANGUAGE,
    ),
    Manual(
        "library",
        "pydoc",
        "python3",
        "",
        "*.html",
        "//body/div[contains(@style, 'clear')]",
        ".//td[@class='extra']",
        "PSF-2.0",
        build_pydoc,
    ),
    Manual(
        "vorbis",
        "xiph-site",
        "libvorbis-dev",
        "/usr/share/doc/libvorbis-dev/html",
        "*/*.html",
        "//body",
        "./table[.//p[@class='tiny']]",
        "BSD-3-Clause",
    ),
)
