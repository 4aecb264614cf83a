"""Events of a calendar (django-happenings), in a frame of ours: the program expects that of its site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage, write_filled
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html

_FRAME = """<!DOCTYPE html><html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ event.title }} - {{ site }}</title></head><body>
<nav class="navbar navbar-expand navbar-light border-bottom border-warning"><div class="container"><a class="navbar-brand fw-bold"
href="/">{{ site }}</a><ul class="navbar-nav">{% for name in menu %}<li class="nav-item"><a class="nav-link" href="/">{{ name }}</a></li>
{% endfor %}</ul><a class="btn btn-warning btn-sm" href="/">Add an event</a></div></nav><div class="container py-4"><div class="row">
<div class="col-8">{% block content %}{% endblock %}<p><a class="btn btn-outline-secondary btn-sm" href="/">Save to my calendar</a>
<a class="btn btn-outline-secondary btn-sm" href="/">Share</a></p></div><aside class="col-4"><table class="table table-sm text-center small">
<caption class="caption-top fw-bold">May 2044</caption><tr>{% for day in week %}<th>{{ day }}</th>{% endfor %}</tr>{% for row in month %}<tr>
{% for day in row %}<td>{{ day }}</td>{% endfor %}</tr>{% endfor %}</table><h2 class="h5">Upcoming events</h2><ul class="list-unstyled">
{% for one in others %}<li class="mb-2"><small class="text-muted d-block">{{ one.day }}</small><a href="{{ one.slug }}.html">{{ one.title }}</a>
</li>{% endfor %}</ul></aside></div></div><footer class="bg-light border-top py-4"><div class="container small text-muted">{{ site }}. Print
this calendar. Privacy</div></footer></body></html>"""
_PLACES = (("The old boathouse", "Northport"), ("Lantern hall", "Seahaven"), ("Harbour museum", "Old Quay"))
_WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


def _times(number: int) -> tuple[str, str, str]:
    """Return the day, the beginning and the end of an event."""
    return f"05/{1 + number:02}/2044", f"{9 + number % 9}:30", f"{11 + number % 9}:00"


def event_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of an event shows, with the month and four others beside it."""
    document, (day, start, end) = documents[place], _times(place)
    hall, town = _PLACES[place % 3]
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
    hall, town = _PLACES[number % 3]
    return "\n".join((gold_text(document), "When:", f"{day} {start} - {end}", "Location:", hall, f"{2 + number} Ferry Lane", f"{town},"))


write_events = write_filled(event_context, {"happenings/middle.html": _FRAME})
EVENTS = DjangoPackage(
    "django-happenings==0.3.3",
    "happenings/templates",
    "happenings/event_detail.html",
    bootstrap="bootstrap5",
    helpers='same("date", "time")\nregister.simple_tag(lambda form: "05/02/2044", name="now")',
)
