"""Reports of faults as Kiwi TCMS shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import SourceDocument, gold_text

_SEVERITIES = (("Low", "fa fa-minus", "#39a5dc"), ("Medium", "fa fa-exclamation", "#ec7a08"), ("High", "fa fa-fire", "#cc0000"))
_PRODUCTS = ("Tide tables", "Harbour office", "Ferry booking")
_HELPERS = """
listed("get_comment_list", "get_attachments_for")
nothing("attachment_form", "attachment_delete_link", "get_current_timezone")
register.tag("get_current_timezone", lambda parser, token: Listed("TIME_ZONE"))
same("markdown2html", "message_icon")
register.filter("is_list", lambda value: isinstance(value, list))
"""
_MENU = ("Testing", "Search", "Telemetry", "Admin")


def bug_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a report shows, with the members' comments and the tests that failed."""
    document = documents[place]
    people = [{"name": name.lower(), "username": name.lower()} for name in READERS]
    severity, icon, colour = _SEVERITIES[place % 3]
    bug = {"pk": 40 + place, "summary": document.title, "status": place % 3 != 1, "created_at": f"{document.published:%B %d, %Y, 8:04 a.m.}"}
    bug |= {"reporter": people[place % 8], "assignee": people[(place + 3) % 8] if place % 4 else None, "product": _PRODUCTS[place % 3]}
    bug |= {"version": f"1.{place % 5}", "build": f"build-{100 + place}", "severity": {"name": severity, "icon": icon, "color": colour}}
    comments = [
        {"user": people[(place + 3 * number) % 8], "submit_date": f"{document.published:%B %d, %Y, 9:}{10 + number} a.m.", "comment": {"html": text}}
        for number, text in enumerate(posts_html(document))
    ]
    tests = [
        {"pk": 300 + 7 * place + step, "run": {"pk": 12 + step, "summary": f"Run of {_PRODUCTS[(place + step) % 3].lower()}", "plan": {"pk": 3 + step, "name": "Winter"}}}
        | {"status": {"icon": "fa fa-times-circle-o"}, "tested_by": people[(place + step) % 8], "stop_date": f"{document.published}"}
        for step in range(place % 3)
    ]
    files = [{"filename": f"{document.slug}.log", "creator": people[place % 8], "created": f"{document.published}"}] if place % 2 else []
    return {
        "object": bug,
        "bug": bug,
        "executions": tests,
        "found": {"comments": comments, "attachments_list": files, "TIME_ZONE": "UTC"},
        "SETTINGS": {"MENU_ITEMS": [[title.upper(), "/"] for title in _MENU]},
        "user": {"is_authenticated": False},
    }


def bug_gold(document: SourceDocument) -> str:
    """Return the gold text of a report: its heading, which begins with its number, and the comments."""
    return f"BUG-{40 + int(document.slug[-2:])}: {gold_text(document)}"


_STATIC = ("images", "style")
_MODULES = ("patternfly/dist", "bootstrap-select/dist/css", "datatables.net-bs/css")
BUGS = DjangoPackage(
    "kiwitcms==12.4",
    "tcms/templates",
    "bugs/get.html",
    {f"static/{name}": f"static/{name}" for name in _STATIC} | {f"static/{name}": f"node_modules/{name}" for name in _MODULES},
    ".navbar-nav .dropdown-menu { display: none }",
    helpers=_HELPERS,
)
