"""Manuals that the usual programs convert from sources in Debian packages: pod2html, yelp-build, mandoc, YARD, Rd2HTML, godoc.

Each function writes the pages to `html` in the project's folder.
"""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from sightread.render.errors import Rejected

PERL_MANUAL = Path("/usr/share/perl/5.36/pod")
SYSTEM_CALLS = Path("/usr/share/man/man2")
GNOME_HELP = Path("/usr/share/help/C/gnome-help")
RUBY_LIBRARY = Path("/usr/lib/ruby/3.1.0")
GO_ROOT = Path("/usr/share/go-1.19")
_RUBY_SOURCES = (
    *("benchmark", "cgi/*", "csv", "csv/*", "delegate", "digest", "drb/*", "English", "erb", "fileutils", "find", "forwardable"),
    *("getoptlong", "ipaddr", "logger", "monitor", "net/http", "net/http/header", "net/protocol", "observer", "open-uri", "open3"),
    *("optparse", "ostruct", "pp", "prettyprint", "pstore", "securerandom", "set", "shellwords", "singleton", "tempfile", "timeout"),
    *("tsort", "uri/generic", "uri/common", "weakref", "yaml/store", "rubygems/specification", "rubygems/version", "rubygems/command"),
)
_GO_PACKAGES = (
    *("bufio", "bytes", "errors", "strings", "strconv", "sort", "path", "log", "io", "flag", "expvar", "embed", "plugin"),
    *("archive/tar", "archive/zip", "compress/gzip", "container/heap", "container/list", "container/ring", "encoding/csv"),
    *("encoding/hex", "encoding/pem", "html", "io/fs", "math/cmplx", "mime", "net/mail", "net/textproto", "os/signal", "regexp"),
    *("text/tabwriter", "text/scanner", "text/template", "time", "unicode/utf8", "path/filepath", "hash/maphash", "context"),
)
_RD_PAGES = """
pages <- tools::Rd_db("stats")
file.copy(file.path(R.home("library"), "stats", "html", "R.css"), "html/R.css")
for (name in names(pages)) tools::Rd2HTML(pages[[name]], file.path("html", sub("[.]Rd$", ".html", name)), package = "stats",
  stylesheet = "R.css", dynamic = FALSE, stages = "build")
"""
_YELP_MISSING = "needs yelp's stylesheets and the desktop's help: apt-get install yelp-tools yelp-xsl gnome-user-docs"


def convert_pods(project: Path) -> None:
    """Convert Perl's manual pages, each with its title in a bar above it."""
    program, folder = find_program("pod2html"), _sources(PERL_MANUAL, "perl-doc")
    for path in sorted(folder.glob("perl*.pod")):
        if not path.name.endswith("delta.pod"):
            options = [f"--infile={path}", f"--outfile=html/{path.stem}.html", f"--title={path.stem}", "--header", f"--cachedir={project}"]
            run_tool([program, "--podpath=pod", f"--podroot={folder.parent}", *options], project)


def convert_mallard(project: Path) -> None:
    """Convert the desktop's help."""
    if not GNOME_HELP.is_dir():
        raise Rejected(_YELP_MISSING)
    run_tool([find_program("yelp-build"), "html", "-o", str(project / "html"), f"{GNOME_HELP}/"], project)


def convert_man_pages(project: Path) -> None:
    """Convert the manual pages of the system calls, each with its contents list."""
    program, folder = find_program("mandoc"), _sources(SYSTEM_CALLS, "manpages-dev")
    for path in sorted(folder.glob("*.2.gz")):
        command = [program, "-Thtml", "-O", "toc,man=%N.%S.html"]
        done = subprocess.run(command, input=gzip.decompress(path.read_bytes()), check=False, capture_output=True, timeout=60)
        (project / "html" / f"{path.stem}.html").write_bytes(done.stdout)  # its status counts warnings of style too


def convert_ruby(project: Path) -> None:
    """Document some of Ruby's library."""
    files = [str(path) for pattern in _RUBY_SOURCES for path in sorted(_sources(RUBY_LIBRARY, "libruby3.1").glob(f"{pattern}.rb"))]
    run_tool([find_program("yard"), "doc", "-q", "--no-save", "--no-progress", "--no-cache", "-o", "html", *files], project)


def convert_rd(project: Path) -> None:
    """Convert the help pages of R's statistics."""
    (project / "convert.R").write_text(_RD_PAGES)
    run_tool([find_program("Rscript"), "--vanilla", "convert.R"], project)


def read_godoc(project: Path) -> None:
    """Start the documentation server of Go and read the pages of packages."""
    port, root = free_port(), _sources(GO_ROOT, "golang-src")
    pages = {f"{name.replace('/', '-')}.html": f"/pkg/{name}/" for name in _GO_PACKAGES}
    save_pages(project, [find_program("godoc"), f"-goroot={root}", f"-http=127.0.0.1:{port}"], port, pages)


def _sources(folder: Path, package: str) -> Path:
    """Return the folder. Raises `Rejected` with the package that has it."""
    if not folder.is_dir():
        raise Rejected(f"needs {folder.name}: apt-get install {package}")
    return folder
