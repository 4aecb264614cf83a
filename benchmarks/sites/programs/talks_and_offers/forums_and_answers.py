"""Topics of a forum (LBForum), and questions to a centre of support with their answers (django-knowledge)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import FIGURES, SourceDocument

_BOARDS = ("Harbour", "Routes", "Workshop", "Boats", "Weather")
_FORUM_HELPERS = """
SETTINGS = {"LBFORUM_TITLE": "Quay forum", "LBFORUM_SUB_TITLE": "Where skippers talk", "SIGNUP_URL": "/", "LOGIN_URL": "/"}
register.simple_tag(lambda path: "static/" + path, name="static")
register.simple_tag(lambda name: SETTINGS.get(name, ""), name="get_setting")
register.simple_tag(lambda message, replied: message, name="bbcode")
register.simple_tag(lambda pages: "1 - %d" % pages, name="page_range_info")
register.simple_tag(lambda pages, loop: loop["counter"], name="page_item_idx")
nothing("paginate", "get_pages", "show_pages", "show_attach")
same("lbtimesince")
register.filter("topic_can_post", lambda topic, user: False)
"""
_SUPPORT_HELPERS = """
register.simple_tag(lambda picture, size=60: picture, name="get_gravatar")
same("markdown", "striptags")
"""


def _author(number: int) -> dict[str, object]:
    name = READERS[number % len(READERS)].lower()
    profile = {"name": name, "get_avatar_url": f"figure-{number % FIGURES}.png"}
    return {"pk": number, "username": name, "lbforum_profile": profile}


def topic_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a topic shows."""
    document = documents[place]
    posts = [
        {
            "id": 10 * place + number,
            "pk": 10 * place + number,
            "posted_by": _author(place + 3 * number),
            "message": {"html": text},
            "created_on": f"{1 + (place + number) % 11} months ago",
            "edited_by": READERS[(place + 3 * number) % 8].lower() if number % 4 == 3 else "",
            "updated_on": "2 months ago",
        }
        for number, text in enumerate(posts_html(document))
    ]
    board = {"name": _BOARDS[place % 5], "get_absolute_url": "/"}
    topic = {"name": document.title, "subject": document.title, "forum": board, "post": posts[0], "num_views": 31 + 14 * place}
    topic |= {"last_post": posts[-1]}
    return {"topic": topic, "posts": posts[1:], "pages": len(posts) - 1, "LANGUAGE_CODE": document.language}


TOPICS = DjangoPackage(
    "LBForum==2.0.1",
    "lbforum/templates",
    "lbforum/topic.html",
    {"static/lbforum/styles": "static/lbforum/styles"},
    helpers=_FORUM_HELPERS,
    change=lambda text: text.replace("Quay forum", NAME),
)


def question_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a question shows: the posts of a document after the first one are answers."""
    document = documents[place]
    posts = [
        {
            "id": number,
            "get_name": READERS[(place + 3 * number) % 8],
            "get_email": f"figure-{(place + number) % FIGURES}.png",
            "user": {"id": (place + 3 * number) % 8, "is_staff": number % 3 == 1},
            "added": f"{document.published:%b %d, %Y, 8:04 a.m.}",
            "accepted": number == 1 and place % 2 == 0,
            "body": {"html": text},
        }
        for number, text in enumerate(posts_html(document))
    ]
    near = [documents[(place + step) % len(documents)] for step in (3, 7, 12, 18)]
    found = {"question": posts[0] | {"title": document.title, "locked": place % 3 == 2}, "responses": posts[1:]}
    own = [{"title": one.title, "get_absolute_url": f"{one.slug}.html"} for one in near]
    return found | {"my_questions": own, "categories": [{"title": name} for name in _BOARDS], "STATIC_URL": "static/"}


SUPPORT = DjangoPackage(
    "django-knowledge==0.2.0",
    "knowledge/templates",
    "django_knowledge/thread.html",
    {"static/knowledge": "static/knowledge"},
    helpers=_SUPPORT_HELPERS,
)
