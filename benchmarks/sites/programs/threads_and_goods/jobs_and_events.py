"""Positions of a company (django-w-careers) in daisyUI's components, and events of a calendar (django-happenings) in a frame of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage, write_filled
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html

_DAISY = "daisyui@5.8.1"
_HELPERS = """
register.simple_tag(lambda page=None: "/", name="pageurl")
register.tag("get_site_root", lambda parser, token: Listed("home"))
nothing("wagtailuserbar")
"""
_PAGE = """{% extends "careers/job.html" %}{% block navbar_center %}{% for name in menu %}<li><a href="/" class="btn btn-ghost btn-sm">
{{ name }}</a></li>{% endfor %}{% endblock %}{% block content %}{{ block.super }}<footer class="border-t border-base-300 p-8 text-sm">
<h2 class="font-semibold mb-4">{{ more }}</h2><ul class="grid grid-cols-2 gap-2">{% for one in others %}<li><a class="link link-hover"
href="{{ one.slug }}.html">{{ one.title }}</a></li>{% endfor %}</ul><p class="mt-6">{{ site }}, Northport</p></footer>{% endblock %}"""
"""Template of ours that extends the package's: a menu, and related entries below."""
_TEAMS = ("Harbour office", "Workshop", "Ferries")
_PLACES = ("Portugal", "Norway", "Ireland", "Chile")
_LEVELS = ("Junior", "Mid-level", "Senior")
_STYLE = """#main { height: auto; overflow: visible } #main section { overflow: visible; height: auto } header.absolute { position: static }
.container { padding-top: 1rem } .drawer-side, dialog, [popover] { display: none }"""
"""The page is as long as the position: the program shows it in a part of the window."""


def position_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a position shows: a link to apply elsewhere in place of a form."""
    document = documents[place]
    team = {"name": _TEAMS[place % 3]}
    job = {
        "title": document.title,
        "description": document.summary,
        "details": {"html": to_html(document)},
        "get_parent": team,
        "country": {"name": _PLACES[place % 4]},
        "is_remote": place % 3 == 1,
        "level": _LEVELS[place % 3],
        "type": ("Full-time", "Part-time")[place % 2],
        "link": "https://tide.example/apply",
        "skills": {"all": []},
    }
    above = [{"name": NAME, "is_root": False}, {"name": "Careers", "is_root": False}, team]
    near = [documents[(place + step) % len(documents)] for step in (2, 5, 9, 13, 16, 21)]
    others = [{"slug": one.slug, "title": one.title} for one in near]
    page = {"name": document.title, "get_ancestors": above}
    site = {"site": NAME, "menu": ("About us", "Teams", "Positions"), "more": "More positions", "others": others}
    return site | {"job": job, "page": page, "LANGUAGE_CODE": document.language, "LANGUAGE_BIDI": document.language == "ar"}


write_positions = write_filled(position_context, {"position.html": _PAGE})


def position_gold(document: SourceDocument) -> str:
    """Return the gold text of a position: its title, the sentence below it and its details."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))


_CAREERS = DjangoPackage(
    "django-w-careers==1.1.0",
    "careers/ui/templates",
    "position.html",
    {"static/careers/css": "static/careers/css"},
    _STYLE,
    helpers=_HELPERS,
    change=lambda text: (
        re.sub(r"<link[^>]*wagtail_blocks[^>]*>", "", text)
        .replace("</title>", '</title><link rel="stylesheet" href="static/daisyui.css">', 1)
        .replace("Django Careers", NAME)
    ),
)


def build_positions(project: Path) -> None:
    """Fill the template of a position, and add the style sheet that its pages read from the network."""
    _CAREERS.build(project)
    tools = project.parents[2]
    run_program(["npm", "pack", "--silent", _DAISY], project, tools)
    run_program(["tar", "xzf", f"{_DAISY.replace('@', '-')}.tgz", "package/daisyui.css"], project)
    (project / "package/daisyui.css").rename(project / "html/static/daisyui.css")


_FRAME = """<!DOCTYPE html><html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ event.title }} -
{{ site }}</title></head><body>
<nav class="navbar navbar-expand navbar-light border-bottom border-warning"><div class="container"><a class="navbar-brand fw-bold"
href="/">{{ site }}</a><ul class="navbar-nav">{% for name in menu %}<li class="nav-item"><a class="nav-link" href="/">{{ name }}</a></li>
{% endfor %}</ul><a class="btn btn-warning btn-sm" href="/">Add an event</a></div></nav><div class="container py-4"><div class="row">
<div class="col-8">{% block content %}{% endblock %}<p><a class="btn btn-outline-secondary btn-sm" href="/">Save to my calendar</a>
<a class="btn btn-outline-secondary btn-sm" href="/">Share</a></p></div><aside class="col-4"><table class="table table-sm text-center
small">
<caption class="caption-top fw-bold">May 2044</caption><tr>{% for day in week %}<th>{{ day }}</th>{% endfor %}</tr>
{% for row in month %}<tr>
{% for day in row %}<td>{{ day }}</td>{% endfor %}</tr>{% endfor %}</table><h2 class="h5">Upcoming events</h2><ul class="list-unstyled">
{% for one in others %}<li class="mb-2"><small class="text-muted d-block">{{ one.day }}</small><a
href="{{ one.slug }}.html">{{ one.title }}</a>
</li>{% endfor %}</ul></aside></div></div><footer class="bg-light border-top py-4"><div class="container small text-muted">{{ site }}. Print
this calendar. Privacy</div></footer></body></html>"""
_HALLS = (("The old boathouse", "Northport"), ("Lantern hall", "Seahaven"), ("Harbour museum", "Old Quay"))
_WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


def _times(number: int) -> tuple[str, str, str]:
    """Return the day, the beginning and the end of an event."""
    return f"05/{1 + number:02}/2044", f"{9 + number % 9}:30", f"{11 + number % 9}:00"


def event_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of an event shows, with the month and four others beside it."""
    document, (day, start, end) = documents[place], _times(place)
    hall, town = _HALLS[place % 3]
    where = {"all": [{"name": hall, "address_line_1": f"{2 + place} Ferry Lane", "city": town}], "count": 1}
    event = {"title": document.title, "description": {"html": to_html(document)}, "start_date": f"{day} {start}", "end_date": end}
    event |= {"location": where, "categories": {"all": []}, "tags": {"all": []}}
    near = [documents[(place + step) % len(documents)] for step in (2, 6, 11, 17)]
    others = [{"slug": one.slug, "title": one.title, "day": _times(int(one.slug[-2:]))[0]} for one in near]
    month = [[day for day in range(7 * row + 1, 7 * row + 8) if day < 32] for row in range(5)]
    frame = {"site": NAME, "menu": ("Calendar", "Past events", "Places", "About us"), "week": _WEEK, "month": month}
    return frame | {"event": event, "others": others, "language": document.language}


def event_gold(document: SourceDocument) -> str:
    """Return the gold text of an event: its title and description, when it is and where."""
    number = int(document.slug[-2:])
    day, start, end = _times(number)
    hall, town = _HALLS[number % 3]
    return "\n".join((gold_text(document), "When:", f"{day} {start} - {end}", "Location:", hall, f"{2 + number} Ferry Lane", f"{town},"))


write_events = write_filled(event_context, {"happenings/middle.html": _FRAME})
EVENTS = DjangoPackage(
    "django-happenings==0.3.3",
    "happenings/templates",
    "happenings/event_detail.html",
    bootstrap="bootstrap5",
    helpers='same("date", "time")\nregister.simple_tag(lambda form: "05/02/2044", name="now")',
)
