"""Pull requests with the comments of those who review them: the templates of Kallithea, filled without the program."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages, run_program
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import installed
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, write_media

PACKAGE = "kallithea==0.7.0"
_STYLES = ("less@3.10.3", "bootstrap@3.3.7", "datatables.net-bs@1.10.20", "at.js@1.5.4", "select2@3.5.1", "select2-bootstrap-css@1.4.6")
"""Style sheets that the program's own is compiled with."""
_RENDER = """
import gettext, json, re, sys
from pathlib import Path
from mako.lookup import TemplateLookup
from markupsafe import Markup, escape
package, language = sys.argv[1:]
words = gettext.translation("kallithea", package + "/i18n", [language], fallback=True)
class Thing(dict):  # what is not there is empty
    def __getattr__(self, name):
        return self.get(name, nothing)
class Nothing(str):
    def __getattr__(self, name):
        return self
    def __call__(self, *arguments, **more):
        return self
nothing = Nothing()
def read(found):
    return {name.removesuffix("()"): (lambda value: lambda *a, **n: value)(value) if name.endswith("()") else value
      for name, value in found.items()}
def link(label, url="/", **more):
    return Markup('<a href="%s" class="%s">%s</a>') % (url, more.get("class_", ""), label)
def picture(email, **more):
    image = '<span class="gravatar"><img src="figure-%d.png" width="%s" height="%s" alt=""></span>'
    return Markup(image) % (len(email) % 4, more["size"], more["size"])
def never(*names):
    return lambda *rest: False
helpers = Thing(
    url=lambda *names, **more: names[0].lstrip("/") if str(names[0]).endswith(".css") else "/",
    link_to=link,
    link_to_ref=lambda repository, kind, name, *rest: link(repository + "#" + name),
    form=lambda *names, **more: Markup('<form id="%s" class="%s">') % (more.get("id", ""), more.get("class_", "")),
    end_form=lambda: Markup("</form>"),
    submit=lambda name, value, **more: Markup('<input type="submit" value="%s" class="%s">') % (value, more.get("class_", "")),
    reset=lambda name, value, **more: Markup('<input type="reset" value="%s" class="%s">') % (value, more.get("class_", "")),
    checkbox=lambda name, **more: Markup('<input type="checkbox" checked>'),
    urlify_text=lambda text, *rest: escape(text),
    render_w_mentions=lambda text, *rest: Markup('<div class="formatted-fixed">%s</div>') % text,
    fmt_date=lambda day: day,
    age=lambda day, *rest: day,
    person=lambda author: author,
    email_or_none=lambda author: author + "@example.org",
    gravatar=picture,
    gravatar_div=picture,
    changeset_status_lbl=lambda status: words.gettext({"approved": "Approved", "rejected": "Rejected"}.get(status, "Under Review")),
    short_id=lambda name: name[:12],
    show_id=lambda one: one.short_id,
    safeid=lambda name: name,
    fancy_file_stats=lambda stats: Markup('<div style="width:100px" class="progress"><div class="added progress-bar" '
      'style="width:100%%">%s</div></div>') % stats,
    HasPermissionAny=never,
    HasRepoPermissionLevel=never,
    canonical_url=lambda *names: "/",
    pop_flash_messages=list,
)
lookup = TemplateLookup([package + "/templates"], input_encoding="utf-8", default_filters=["escape"],
  imports=["from markupsafe import escape"])
template = lookup.get_template("/pullrequests/pullrequest_show.html")
thing = lambda found: Thing(read(found))
request = Thing(authuser=Thing(username="default", email="", repositories_admin=False, repository_groups_admin=False,
  user_groups_admin=False), GET=Thing())
for slug, c in json.loads(Path("contexts.json").read_text("utf-8"), object_hook=thing).items():
    c.update(cs_comments={}, cs_statuses={}, inline_comments=[])
    page = template.render(c=c, h=helpers, url=helpers.url, _=words.gettext, ungettext=words.ngettext, request=request)
    page = re.sub(r"<script\\b.*?</script>", "", page, flags=re.DOTALL).replace("<html ", '<html lang="%s" ' % language, 1)
    Path("html", slug + ".html").write_text(page, "utf-8")
"""
_MAIN = """@import "node_modules/bootstrap/less/bootstrap.less";
@import (less) "node_modules/select2/select2.css";
@import (less) "node_modules/select2-bootstrap-css/select2-bootstrap.css";
@import (less) "fontello.css";
@import "kallithea-variables.less"; @import "kallithea-labels.less"; @import "kallithea-select2.less"; @import "kallithea-diff.less";
@import "style.less";
"""
_FILES = ("tide/tables", "ferry/booking", "harbour/lights", "quay/ropes", "boats/masts", "charts/depths", "winter/ice")
_ENDINGS = {"python": ".py", "bash": ".sh", "json": ".json", "c": ".c"}
_STATES = ("approved", "rejected", "under_review")


def _person(number: int) -> dict[str, object]:
    name = READERS[number % len(READERS)]
    person = {"user_id": number % len(READERS), "username": name.lower(), "email": f"{name.lower()}@example.org"}
    return {**person, "full_name_and_username": f"{name} Quay ({name.lower()})"}


def _text(parts: Sequence[Part]) -> str:
    return "\n\n".join("\n".join(part_gold(part)) for part in parts)


def _talk(document: SourceDocument) -> Iterator[str]:
    """Yield the description and the comments: three parts of a document each, without its code."""
    parts = [part for part in document.parts if part.kind != "code"]
    for start in range(0, len(parts), 3):
        yield _text(parts[start : start + 3])


def _code(document: SourceDocument) -> list[tuple[str, list[str]]]:
    """Return the files that a pull request changes, with their lines: the code of a document, or a line of news."""
    code = [part for part in document.parts if part.kind == "code"]
    found = [
        (_FILES[(int(document.slug[-2:]) + place) % len(_FILES)] + _ENDINGS[part.language], [row[0] for row in part.rows])
        for place, part in enumerate(code)
    ]
    return found or [("docs/NEWS", [document.summary])]


def _messages(document: SourceDocument) -> list[str]:
    """Return the messages of the commits."""
    headings = [part_gold(part)[0] for part in document.parts if part.kind == "heading"]
    return headings[:3] or [document.title]


def _difference(lines: Sequence[str], name: str) -> str:
    """Return a difference as the program formats it: all lines are new."""
    rows = "".join(
        f'<tr class="line add"><td class="lineno old"></td><td id="{name}_n{number}" class="lineno new"><a href="#{name}_n{number}" '
        f'data-pseudo-content="{number}"></a></td><td class="code"><div class="add-bubble"><div>&nbsp;</div></div>'
        f"<pre>{html.escape(line)}</pre></td></tr>"
        for number, line in enumerate(lines, 1)
    )
    return f'<table class="code-difftable">{rows}</table>'


def _context(document: SourceDocument, number: int) -> dict[str, object]:
    """Return what the template of a pull request shows."""
    description, *comments = _talk(document)
    owner, day = _person(number), f"{document.published:%a, %d %b %Y}"
    repository: dict[str, object] = {
        "repo_name": "tide/tables",
        "just_name": "tables",
        "repo_type": "git",
        "clone_url()": "https://tide.example/tables",
    }
    repository |= {"groups_with_parents": [{"name": "tide", "group_name": "tide"}], "owner": owner}
    request: dict[str, object] = {
        "title": document.title,
        "description": description,
        "nice_id()": f"#{40 + number}",
        "org_repo": repository,
        "owner": owner,
    }
    request |= {"is_closed()": number % 3 == 0, "created_on": day, "pull_request_id": 40 + number, "owner_id": number % 8}
    request |= {"other_repo": repository, "org_ref_parts": ["branch", "work", "9f31"], "url()": "/"}
    files = [
        (f"file-{place}", "", "M", name, name, _difference(lines, f"file-{place}"), f"{len(lines)}")
        for place, (name, lines) in enumerate(_code(document))
    ]
    commits = [
        {"message": text, "short_id": f"{(number * 7919 + place * 104729) % 16**6:06x}a1b2c3", "author": _person(number)["username"]}
        | {"raw_id": f"c{place}", "revision": f"c{place}", "parents": [1], "date": day, "branches": ["work"], "bookmarks": [], "tags": []}
        for place, text in enumerate(_messages(document))
    ]
    talk = [
        {
            "comment_id": place,
            "author": _person(number + 3 * place),
            "text": text,
            "modified_at": day,
            "pull_request": request,
            "url()": "/",
        }
        | {"status_change": [{"status": "approved", "status_lbl": "Approved"}] if place == len(comments) and number % 3 == 0 else []}
        for place, text in enumerate(comments, 1)
    ]
    reviewers = [(_person(number + 3 * place), _STATES[(number + place) % 3]) for place in range(1, 4)]
    return {
        "pull_request": request,
        "repo_name": "tide/tables",
        "db_repo": repository,
        "cs_repo": repository,
        "a_repo": repository,
        "site_name": NAME,
        "repository_pull_requests": 3 + number,
        "my_pr_count": 0,
        "current_voting_result": _STATES[number % 3],
        "cs_ref_type": "branch",
        "cs_ref_name": "work",
        "cs_branch_name": "work",
        "cs_rev": "9f31",
        "a_ref_type": "branch",
        "a_ref_name": "main",
        "a_rev": "5d02c3aa91e7",
        "cs_ranges": commits,
        "ancestors": [],
        "cs_ranges_org": None,
        "file_diff_data": files,
        "lines_added": sum(len(lines) for _, lines in _code(document)),
        "lines_deleted": 0,
        "comments": talk,
        "inline_cnt": 0,
        "pull_request_reviewers": reviewers,
        "update_msg": "This pull request can be updated with changes on work.",
        "avail_cs": [],
        "changeset_statuses": [],
        "visual": {"show_version": True},
        "kallithea_version": "0.7.0",
    }


def write_requests(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write what the template of each pull request shows."""
    del theme
    contexts = {document.slug: _context(document, number) for number, document in enumerate(documents)}
    write_text(project / "contexts.json", json.dumps(contexts))
    write_text(project / "render.py", _RENDER)
    write_text(project / "language.txt", documents[0].language)
    write_media(project / "html")


def build_requests(project: Path) -> None:
    """Fill the template, and compile the program's style sheet."""
    package = installed(project, PACKAGE, "kallithea")
    language = (project / "language.txt").read_text("utf-8")
    run_tool([str(project.parents[1].resolve() / "bin/python"), "render.py", str(package), language], project)
    tools = project.parents[2]
    styles = tools / "styles-kallithea"
    install_packages(styles, _STYLES, "npm")
    shutil.copytree(package / "front-end", project / "less")
    (project / "less/node_modules").symlink_to((styles / "node_modules").resolve())
    shutil.copy(package / "public/fontello/css/kallithea.css", project / "less/fontello.css")
    write_text(project / "less/main.less", _MAIN)
    run_program(["node_modules/.bin/lessc", "main.less", "../html/css/style.css"], project / "less", tools)
    shutil.copytree(package / "public/fontello", project / "html/fontello", ignore=shutil.ignore_patterns("*.html", "*.txt"))


def request_gold(document: SourceDocument) -> str:
    """Return the gold text of a pull request: its title and description, the messages of its commits, its changes and its comments."""
    description, *comments = _talk(document)
    lines = [line for _, lines in _code(document) for line in lines]
    return "\n".join((document.title, description, *_messages(document), *lines, *comments))
