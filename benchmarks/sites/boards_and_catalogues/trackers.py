"""Tasks of a desk (django-todo), in a frame of ours, since the program expects that of its site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.applications.trackers import message_texts
from benchmarks.sites.boards_and_catalogues.filled_jinja import installed
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.publishing_sites.readers import READERS
from benchmarks.sites.shops_and_threads.filled_templates import fill_template, with_bootstrap
from benchmarks.sites.texts.documents import SourceDocument

_TODO = "django-todo==2.7.0"
_FRAME = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>{% block title %}{% endblock %}</title>{% block extrahead %}{% endblock %}</head>
<body><nav class="navbar navbar-expand navbar-light bg-light border-bottom"><div class="container-fluid"><a class="navbar-brand" href="/">{{ site }}</a>
<ul class="navbar-nav me-auto">{% for name in menu %}<li class="nav-item"><a class="nav-link" href="/">{{ name }}</a></li>{% endfor %}</ul>
<form class="d-flex"><input class="form-control" placeholder="Search tasks"></form></div></nav><div class="container-fluid py-3"><div class="row">
<nav class="col-2 border-end"><h6>Task lists</h6><ul class="nav flex-column">{% for name in lists %}<li class="nav-item"><a class="nav-link"
href="/">{{ name }}</a></li>{% endfor %}</ul><h6>Recently changed</h6><ul class="list-unstyled small">{% for one in recent %}<li><a
href="{{ one.slug }}.html">{{ one.title }}</a></li>{% endfor %}</ul></nav><div class="col-10">{% block content %}{% endblock %}</div></div></div>
<footer class="border-top p-3 small text-muted">{{ site }}, signed in as Ada Quay. Log out</footer>{% block extra_js %}{% endblock %}</body></html>"""
_LISTS = ("Harbour", "Ferries", "Workshop", "Office")


def task_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a task shows: the first message of a document is its note, the others are comments."""
    document = documents[place]
    note, *others = message_texts(document)
    people = [{"get_full_name": f"{name} Quay"} for name in READERS]
    task = {
        "id": place,
        "title": document.title,
        "note": note,
        "assigned_to": {"all": [people[place % 8], people[(place + 3) % 8]]},
        "created_by": people[(place + 5) % 8],
        "due_date": f"{document.published:%B %d, %Y}",
        "completed": place % 3 == 1,
        "completed_date": f"{document.published:%B %d, %Y}",
        "task_list": {"name": _LISTS[place % 4], "id": place % 4, "slug": _LISTS[place % 4].lower()},
    }
    comments = [{"author_text": f"{READERS[(place + number) % 8]} Quay", "body": text} for number, text in enumerate(others, 1)]
    recent = [{"slug": one.slug, "title": one.title} for one in (documents[(place + step) % len(documents)] for step in (1, 6, 10, 15))]
    return {"task": task, "comment_list": comments, "site": NAME, "menu": ("All lists", "My tasks", "Add a task"), "lists": _LISTS, "recent": recent}


def build_tasks(project: Path) -> None:
    """Write the frame beside the package's templates, and fill that of a task."""
    write_text(installed(project, _TODO, "todo/templates") / "base.html", _FRAME)
    fill_template(project, _TODO, "todo/task_detail.html")
    with_bootstrap(project, ".collapse:not(.show) { display: none }", "bootstrap5")
