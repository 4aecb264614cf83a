"""Tickets of a help desk (django-fsm-ticket), openings of an employer (django-careers), and episodes of podcasts (django-applepodcast)."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from datetime import timedelta

from benchmarks.sites.applications.trackers import message_texts
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage, write_filled
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, part_gold, to_html

_DESK = """<!DOCTYPE html><html lang="{{ language }}"><head><title>#{{ ticket.pk }} - {{ site }}</title></head><body>
<nav class="navbar navbar-expand navbar-dark bg-primary"><div class="container"><a class="navbar-brand" href="/">{{ site }} help desk</a>
<ul class="navbar-nav me-auto">{% for name in menu %}<li class="nav-item"><a class="nav-link" href="/">{{ name }}</a></li>{% endfor %}</ul>
<a class="btn btn-light btn-sm" href="/">New ticket</a></div></nav><div class="container py-4"><div class="row"><main class="col-9">
{% block centered_container %}{% endblock %}</main><aside class="col-3"><h2 class="h6 text-uppercase text-muted">Recent tickets</h2>
<div class="list-group list-group-flush small">{% for one in others %}<a class="list-group-item list-group-item-action"
href="{{ one.slug }}.html">#{{ one.pk }} {{ one.title }}<br><span class="badge bg-light text-dark">{{ one.state }}</span></a>{% endfor %}
</div></aside></div></div><footer class="border-top py-3"><div class="container small text-muted">{{ site }}, 12 Quay Street. Service hours.
Privacy</div></footer></body></html>"""
_DESK_HELPERS = """
def update(ticket_update, request=None):
    template = engine.get_template("django_fsm_ticket/partials/ticketupdate.html")
    return template.render(Context({"ticketupdate": ticket_update}))
register.simple_tag(update, name="render_ticket_update")
"""
_STATES = ("New", "Assigned", "In progress", "Waiting", "Solved")
_ACTIONS = ("Reply", "Assign", "Close")


def ticket_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a ticket shows: what a member wrote, what was written since, and other tickets beside it."""
    document = documents[place]
    description, *notes = message_texts(document)
    updates = [
        {
            "seq": number,
            "ts": f"{document.published:%B %d, %Y}, {9 + number}:{10 + place}",
            "user": True,
            "user_verbose": f"{READERS[(place + 3 * number + 2) % 8]} Quay",
            "source_state": number // 2,
            "target_state": (number + 1) // 2,
            "source_state_verbose": _STATES[number // 2 % 5],
            "target_state_verbose": _STATES[(number + 1) // 2 % 5],
            "template_fields": "django_fsm_ticket/partials/ticketupdate_fields.html",
            "notes": note,
        }
        for number, note in enumerate(notes)
    ]
    ticket = {
        "pk": 210 + place,
        "title": document.title,
        "state_verbose": _STATES[(len(notes) + 1) // 2 % 5],
        "ts": f"{document.published:%B %d, %Y}, 8:04",
        "user": True,
        "user_verbose": f"{READERS[place % 8]} Quay",
        "description": description,
        "template_fields": "django_fsm_ticket/partials/ticket_content_fields.html",
    }
    near = [(place + step) % len(documents) for step in (1, 4, 9, 13, 18)]
    others = [{"slug": documents[one].slug, "pk": 210 + one, "title": documents[one].title, "state": _STATES[one % 5]} for one in near]
    files = [{"ts": f"{document.published:%B %d, %Y}", "get_name": f"pier-{place}.jpg"}] if place % 3 == 1 else []
    actions = [{"name": name, "verbose_name": name, "priority": 1 / (1 + number)} for number, name in enumerate(_ACTIONS)]
    frame = {"site": NAME, "menu": ("Tickets", "Knowledge", "Reports"), "others": others, "language": document.language}
    return frame | {
        "base_template": "desk.html",
        "root_name": "desk",
        "ticket": ticket,
        "updates": updates,
        "attachments": files,
        "actions": actions,
    }


def ticket_gold(document: SourceDocument) -> str:
    """Return the gold text of a ticket: its heading, which begins with its number, and all messages."""
    return f"#{210 + int(document.slug[-2:])} {gold_text(document)}"


write_tickets = write_filled(ticket_context, {"desk.html": _DESK})
TICKETS = DjangoPackage(
    "django-fsm-ticket==1.4.0.post1",
    "django_fsm_ticket/templates",
    "django_fsm_ticket/ticket.html",
    style=".card-space { margin-bottom: 1rem } .ticketupdate p:empty, main > p:empty { margin: 0 }",
    bootstrap="bootstrap5",
    helpers=_DESK_HELPERS,
)

_OPENING = """<!DOCTYPE html><html lang="{{ language }}"><head><title>{{ career.title }} | {{ site }}</title></head><body>
<nav class="navbar navbar-default navbar-static-top"><div class="container"><div class="navbar-header"><a class="navbar-brand"
href="/">{{ site }}</a></div><ul class="nav navbar-nav">{% for name in menu %}<li><a href="/">{{ name }}</a></li>{% endfor %}</ul></div>
</nav><div class="container"><div class="row"><div class="col-sm-8"><ol class="breadcrumb"><li><a href="/">Careers</a></li>
<li>{{ team }}</li></ol>
<div class="row">{% include "careers/careers_list_item.html" %}</div><p><a class="btn btn-primary btn-lg" href="/">Apply</a>
<a class="btn btn-default btn-lg" href="/">Send to a friend</a></p></div><div class="col-sm-4"><div class="well">
{% include "careers/careers_desc.html" %}</div><div class="panel panel-default"><div class="panel-heading">More openings</div>
<div class="list-group">{% for one in others %}<a class="list-group-item" href="{{ one.slug }}.html">{{ one.title }}</a>{% endfor %}</div>
</div></div></div></div><footer class="container text-muted"><hr><p>{{ site }}, Northport. Privacy. Equal opportunities</p></footer>
</body></html>"""
_TEAMS = ("Harbour office", "Workshop", "Ferries", "Museum")


def opening_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of an opening shows, with others beside it."""
    document = documents[place]
    career = {"title": document.title, "slug": document.slug, "job_description": {"html": to_html(document)}}
    others = [
        {"slug": one.slug, "title": one.title} for one in (documents[(place + step) % len(documents)] for step in (2, 5, 9, 13, 16, 21))
    ]
    frame = {"site": NAME, "menu": ("About", "Teams", "Careers"), "team": _TEAMS[place % 4], "language": document.language}
    return frame | {"career": career, "others": others}


write_openings = write_filled(opening_context, {"opening.html": _OPENING})
OPENINGS = DjangoPackage(
    "django-careers==0.2.1",
    "careers/templates",
    "opening.html",
    style=".text-larger { font-size: 38px } .well h1 { font-size: 24px; margin-top: 0 }",
    bootstrap="bootstrap",
    helpers='same("markdown")',
    change=lambda text: text.replace("The Corp", NAME),
)

_PODCAST = """<!DOCTYPE html><html lang="{{ language }}"><head><title>{% block title %}{{ site }}{% endblock %}</title></head><body>
<header class="top"><b>{{ site }}</b>{% for name in menu %}<a href="/">{{ name }}</a>{% endfor %}</header><div class="page"><main>
{% block content %}{% endblock %}</main><aside><h4>Other podcasts</h4>{% for one in others %}<a class="other"
href="{{ one.slug }}.html"><img src="{{ one.picture }}" alt="" width="64">{{ one.title }}</a>{% endfor %}</aside></div>
<footer class="foot">{{ site }}. Advertise. Privacy. Terms</footer></body></html>"""
_PODCAST_STYLE = """body { margin: 0; font: 16px/1.55 Helvetica, Arial, sans-serif; color: #1d1d1f } a { color: #8e3ad6; text-decoration:
none } .top { display: flex; gap: 28px; padding: 16px 40px; border-bottom: 1px solid #ddd } .page { display: flex; gap: 60px;
max-width: 1160px; margin: 30px auto } main { flex: 1; min-width: 0 }
main > ul { padding: 0; list-style: none } main h3 { margin: 28px 0 2px } main h3 + p,
main h3 + p + p { margin: 0; font-size: 13px; color: #777 } aside { width: 280px } .other { display: flex; gap: 12px; margin-bottom: 14px;
font-size: 14px; align-items: center } .foot { padding: 30px 40px; background: #f5f5f7; color: #777; font-size: 13px }"""
_PODCAST_HELPERS = """nothing("get_podcast_singular")
same("date")
register.simple_tag(lambda path: "static/" + path, name="static")"""


def _episodes(document: SourceDocument) -> list[tuple[str, str]]:
    """Return the episodes of a podcast: the sections of a document, each with its text; what has no heading is an episode per part."""
    found: list[tuple[str, list[str]]] = []
    for part in document.parts:
        lines = [line for line in part_gold(part) if line.strip()]
        if part.kind == "heading":
            found.append((lines[0], []))
        elif part.kind in ("paragraph", "bullets", "steps", "quote"):
            if not found or document.slug.startswith("short"):
                found.append((lines[0][:18].rsplit(" ", 1)[0], []))
            found[-1][1].extend(lines)
    return [(title, " ".join(lines)) for title, lines in found if lines]


def show_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a podcast shows: its description, and its episodes."""
    document = documents[place]
    found = _episodes(document)
    episodes = [
        {
            "title": title,
            "index": len(found) - number,
            "pub_date": f"{document.published - timedelta(days=7 * number):%d.%m.%Y}",
            "description": html.escape(text),
        }
        | {"get_absolute_url": "/"}
        for number, (title, text) in enumerate(found)
    ]
    show = {"title": document.title, "description": document.summary, "get_image_url": f"figure-{place % FIGURES}.png"}
    show |= {"get_absolute_feed_url": "/", "apple": "/" if place % 2 else ""}
    near = [(place + step) % len(documents) for step in (3, 7, 11, 16)]
    others = [{"slug": documents[one].slug, "title": documents[one].title, "picture": f"figure-{one % FIGURES}.png"} for one in near]
    frame = {"site": f"{NAME} Radio", "menu": ("Podcasts", "Live", "Programme"), "others": others, "language": document.language}
    return frame | {"show": show, "episode_list": episodes, "page_obj": {"paginator": {"count": len(found)}}}


def show_gold(document: SourceDocument) -> str:
    """Return the gold text of a podcast: its title and description, and those of its episodes."""
    return "\n".join((document.title, document.summary, "Episodes", *(line for episode in _episodes(document) for line in episode)))


write_shows = write_filled(show_context, {"base.html": _PODCAST})
SHOWS = DjangoPackage(
    "django-applepodcast==0.3.7",
    "podcast/templates",
    "podcast/show_detail.html",
    {"static/podcast": "static/podcast"},
    _PODCAST_STYLE,
    helpers=_PODCAST_HELPERS,
)
