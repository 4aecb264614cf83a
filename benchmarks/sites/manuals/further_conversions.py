"""Packaged sources of which a program's own documentation generator makes pages: DDoc."""

from __future__ import annotations

from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import write_text
from sightread.render.errors import Rejected

D_LIBRARY = Path("/usr/lib/ldc/x86_64-linux-gnu/include/d")
_D_MODULES = (
    *("array", "ascii", "base64", "bitmanip", "checkedint", "complex", "concurrency", "csv", "encoding", "exception", "file", "functional"),
    *("getopt", "int128", "json", "mathspecial", "meta", "mmfile", "numeric", "outbuffer", "parallelism", "path", "process", "random"),
    *("signals", "socket", "stdio", "string", "sumtype", "system", "traits", "uri", "utf", "uuid", "zip", "zlib"),
)
_D_MACROS = """
HTTP = <a href="http://$1">$+</a>
HTTPS = <a href="https://$1">$+</a>
LREF = <a href="#$1"><code>$1</code></a>
REF = <code>$1</code>
REF_ALTTEXT = <code>$1</code>
MREF = <code>$1.$2</code>
MYREF = <code>$1</code>
OBJECTREF = <code>$1</code>
LINK = <a href="$0">$0</a>
BOOKTABLE = <table><caption>$1</caption>$+</table>
TDNW = <td>$0</td>
D_PARAM = <code>$0</code>
NAN = NaN
INFIN = &infin;
PI = &pi;
PLUSMN = &plusmn;
POWER = $1<sup>$2</sup>
SUPERSCRIPT = <sup>$0</sup>
BIGOH = O($0)
RARR = &rarr;
H3 = <h3>$0</h3>
DIVC = <div>$+</div>
CONSOLE = <pre>$0</pre>
SCRIPT =
"""
"""Macros that the library's comments use and the compiler does not define."""


def convert_ddoc(project: Path) -> None:
    """Document some of D's library with the pages that the compiler's own macros make."""
    if not (D_LIBRARY / "std").is_dir():
        raise Rejected("needs D's library: apt-get install ldc libphobos2-ldc-shared-dev")
    write_text(project / "library.ddoc", _D_MACROS)
    files = [str(D_LIBRARY / f"std/{name}.d") for name in _D_MODULES]
    run_tool([find_program("ldc2"), "-D", "-o-", "-Dd=html", f"-I{D_LIBRARY}", "library.ddoc", *files], project)
