"""Topics of a forum (Musette), and issues of a centre of support with the comments on them (Mr. Wolfe)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.chats import messages
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html

_BOARDS = ("Harbour", "Routes", "Workshop", "Boats", "Weather")
_FORUM_HELPERS = """
nothing("paginate", "show_more")
register.tag("insert_hit_count_js_variables", lambda parser, token: Listed("none"))
same("get_tot_comments", "timesince")
register.filter("get_last_activity", lambda topic: topic["active"])
listed("get_hit_count")
link = lambda user: SafeString('<a href="/">%s</a>' % user)
register.filter("get_path_profile", link)
register.filter("get_tot_users_comments", lambda topic: SafeString(", ".join(link(name) for name in topic["members"])))
register.filter("get_photo", lambda number: "figure-%d.png" % number)
register.filter("check_like_topic", lambda topic, user: False)
register.filter("check_like_comment", lambda comment, user: False)
"""


def topic_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a topic shows: its first post, the others as comments, and topics that are suggested below them."""
    document = documents[place]
    first, *others = posts_html(document)
    board = {"name": _BOARDS[place % 5], "category": "sea"}
    comments = [
        {
            "idcomment": 40 * place + number,
            "date": f"{document.published:%B %d, %Y}, {8 + number % 12}:{(7 * number + place) % 60:02}",
            "description": text,
            "like": (3 * number + place) % 7,
            "user": _member(place + 3 * number + 2),
        }
        for number, text in enumerate(others)
    ]
    topic = {"idtopic": len(comments), "title": document.title, "forum": board, "user": _member(place), "description": first}
    topic |= {"date": f"{document.published:%B %d, %Y}, 8:04", "like": place % 9, "is_top": place % 6 == 4, "is_close": place % 5 == 3}
    topic |= {
        "active": f"{1 + place % 11} months",
        "members": sorted({READERS[(place + 3 * number + 2) % 8].lower() for number in range(len(others))}),
    }
    near = [documents[(place + step) % len(documents)] for step in (3, 7, 11, 16, 20)]
    suggest = [
        {
            "title": one.title,
            "forum": {"name": _BOARDS[(place + step) % 5]},
            "date": {"date": f"{one.published:%B %d, %Y}"},
            "idtopic": 2 + step,
        }
        | {"user": _member(place + step)}
        for step, one in enumerate(near)
    ]
    settings = {"SITE_NAME": NAME, "LANGUAGES": []}
    found = {"topic": topic, "comments": comments, "photo": f"figure-{place % FIGURES}.png", "suggest": suggest, "SETTINGS": settings}
    return found | {"user": {"id": None}, "found": {"total_hits": 31 + 14 * place}, "configurations": {"description": NAME}}


def _member(number: int) -> dict[str, object]:
    state = {"online": number % 3 == 0, "last_seen": f"{1 + number % 11} hours"}
    return {"id": number % FIGURES, "name": READERS[number % len(READERS)].lower(), "user": state}


FORUM = DjangoPackage(
    "django-musette==0.3.2",
    "musette/templates",
    "musette/topic_index.html",
    {"static/musette/css": "static/musette/css", "static/musette/img": "static/musette/img"},
    bootstrap="bootstrap",
    helpers=_FORUM_HELPERS,
    change=lambda text: re.sub(r"<article v-for.*?</article>", "", text, flags=re.DOTALL),
)
"""Its scripts show nothing in place of what they would add while one reads."""

_ISSUE_HELPERS = """
register.tag("compress", lambda parser, token: Whole(parser))
class Whole(Node):
    def __init__(self, parser):
        self.nodelist = parser.parse(("endcompress",))
        parser.delete_first_token()
    def render(self, context):
        return self.nodelist.render(context)
nothing("list_plugin_css")
register.simple_tag(lambda user: user, name="username")
register.filter("get_django_setting", lambda name: ("wiki",))
register.filter("get_setting", lambda name: "on")
"""
_SERVICES = ("Moorings", "Ticket office", "Signals", "Workshop")


def issue_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of an issue shows: the first parts of a document describe it, the others are comments on it."""
    document = documents[place]
    day, number = document.published, 300 + place
    comments = [
        {"comment": text, "date": f"{day:%d %B %Y}, {9 + step % 9}:{(11 * step + place) % 60:02}"}
        for step, text in enumerate(_comments(document))
    ]
    issue = {
        "name": document.title,
        "pk": number,
        "id": number,
        "urgency": ("low", "normal", "high")[place % 3],
        "is_closed": place % 4 == 3,
    }
    issue |= {
        "sla": {"name": f"{_SERVICES[place % 4]}, weekdays", "pk": 1},
        "service": _SERVICES[place % 4],
        "created": f"{day:%d %B %Y}, 8:04",
    }
    issue |= {"contact": f"{READERS[place % 8].lower()}@example.org", "assignee": READERS[(place + 3) % 8], "can_clone": True}
    issue |= {"status": ("open", "in progress", "resolved", "closed")[place % 4], "time_to_resolve": f"{2 + place} hours"}
    issue |= {"dateclosed": f"{day:%d %B} 2025" if place % 4 == 3 else "", "deadline": f"{day:%d %B} 2025", "comments": {"all": comments}}
    files = [{"filename": f"pier-{place + step}.log", "filesize": f"{4 + step} kB", "download_url": "/"} for step in range(place % 3)]
    history = [{"name": name, "date": f"{day:%d %B %Y}"} for name in ("open", "in progress", "resolved", "closed")[: 1 + place % 4]]
    view = {"text": to_html(replace(document, parts=document.parts[:_DESCRIBED])), "status_history": history}
    return {"issue": issue | {"attachment_set": {"all": files}}, "object": issue | {"attachment_set": {"all": files}}, "view": view} | {
        "request": {"user": "ada", "GET": {}},
        "STATIC_URL": "static/",
    }


_DESCRIBED = 4
"""Parts of a document that describe an issue."""


def _comments(document: SourceDocument) -> list[str]:
    return messages(replace(document, parts=document.parts[_DESCRIBED:]))[1:]


def issue_gold(document: SourceDocument) -> str:
    """Return the gold text of an issue: its title, its description and the comments, which are of plain text."""
    return "\n".join((gold_text(replace(document, parts=document.parts[:_DESCRIBED])), *_comments(document)))


ISSUES = DjangoPackage(
    "mrwolfe==1.2.0",
    "mrwolfe/templates",
    "view_issue.html",
    {"static/css": "staticsources/css"},
    bootstrap="bootstrap",
    helpers=_ISSUE_HELPERS,
)
