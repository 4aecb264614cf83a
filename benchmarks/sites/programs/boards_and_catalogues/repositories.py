"""Revisions of a branch of Bazaar, as loggerhead shows them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.shops_and_threads.reviews import write_commits
from benchmarks.sites.texts.documents import SourceDocument, gold_text
from sightread.render.errors import Rejected

PYTHON = "/usr/bin/python3"
"""The one that has Debian's packages."""
_FILL = """
import json
from datetime import datetime
from pathlib import Path
import breezy
import breezy.bzr.bzrdir
from breezy.controldir import ControlDir, format_registry
breezy.initialize()
tree = ControlDir.create_standalone_workingtree("The Tide Tables", format=format_registry.make_controldir("2a"))
folder = Path("The Tide Tables")
first = {"charts/index.txt": "", "harbour/routes.txt": "", "tables/winter.txt": ""}
start = {"files": first, "message": "First revision", "who": "Ada Quay", "when": "2024-01-01T08:00:00+0000"}
for number, one in enumerate([start, *json.load(open("documents.json"))]):
    for path, text in one["files"].items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text + "\\n", "utf-8")
    tree.smart_add([str(folder)])
    tree.commit(message=one["message"], committer="%s <%s@example.org>" % (one["who"], one["who"].split()[0].lower()), timezone=0,
      rev_id=b"quay-%d" % number,
      timestamp=datetime.strptime(one["when"], "%Y-%m-%dT%H:%M:%S%z").timestamp())
"""
_SERVER = """
import sys
from pathlib import Path
import loggerhead.apps
from loggerhead.apps import urlparser
static = Path(loggerhead.apps.__file__).parents[1] / "static"  # Debian's package names another folder
loggerhead.apps.static_app = urlparser.make_static(None, str(static))
from loggerhead.main import main
main(sys.argv[1:])
"""


def write_revisions(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write what each revision changes, and its message."""
    write_commits(project, theme, documents)
    write_text(project / "fill.py", _FILL)
    write_text(project / "server.py", _SERVER)


def build_revisions(project: Path) -> None:
    """Make the branch, and read the page of each revision."""
    if not Path("/usr/bin/loggerhead-serve").is_file():
        raise Rejected("needs loggerhead: apt-get install loggerhead")
    folder, port = project.resolve(), free_port()
    paths = {"HOME": str(folder), "PYTHONPATH": ""}
    run_tool([PYTHON, "fill.py"], folder, paths)
    documents = json.loads((folder / "documents.json").read_text("utf-8"))
    pages = {f"{one['slug']}.html": f"/revision/{number}" for number, one in enumerate(documents, 2)}
    options = ["--host", "127.0.0.1", "--port", str(port), "--log-folder", str(folder), str(folder / "The Tide Tables")]
    save_pages(folder, [PYTHON, "server.py", *options], port, pages, paths)
    for path in (folder / "html").glob("*.html"):
        path.write_text(path.read_text("utf-8").replace(f"http://127.0.0.1:{port}/", "https://tide.example/"), "utf-8")


def revision_gold(document: SourceDocument) -> str:
    """Return the gold text of a revision: its message, and the files that it adds and changes."""
    changed = ["harbour/routes.txt", "tables/winter.txt"][: int(document.slug[-2:]) % 3]
    lines = ["files added:", f"charts/{document.slug}.txt", *(["files modified:", *changed] if changed else [])]
    return "\n".join((gold_text(document), *lines))
