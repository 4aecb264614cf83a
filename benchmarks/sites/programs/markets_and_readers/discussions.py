"""Topics of a forum (Fretboard)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage, write_filled
from benchmarks.sites.texts.documents import SourceDocument

_BOARDS = ("Harbour", "Routes", "Workshop", "Boats", "Weather")
_HELPERS = """
same("set_flag", "typogrify", "clean_score", "short_timesince")
nothing("social_links")
listed("get_forum_list")
"""
_FRAME = """<!DOCTYPE html><html lang="{{ language }}"><head>
<meta charset="utf-8"><title>{% block title %}{% endblock %}
{{ site_name }}</title>{% block extrahead %}{% endblock %}</head><body id="{% block bodyid %}{% endblock %}"><nav class="bar">
<b>{{ site_name }}</b>
<ul>{% for name in menu %}<li><a href="/">{{ name }}</a></li>{% endfor %}{% block forum_nav %}{% endblock %}</ul></nav>
<div class="page"><main>{% block content %}{% endblock %}</main><aside><h3>Recent topics</h3><ul>{% for one in others %}<li>
<a href="{{ one.slug }}.html">{{ one.title }}</a></li>{% endfor %}</ul></aside></div><footer class="foot">{{ site_name }} forums. Rules.
Privacy</footer></body></html>"""
_STYLE = """body { margin: 0; font: 16px/1.5 Helvetica, Arial, sans-serif; color: #222 } .bar { display: flex; gap: 30px; background: #234;
color: #fff; padding: 12px 30px } .bar ul { display: flex; gap: 16px; margin: 0; list-style: none } .bar a { color: #cde } .page {
display: flex; gap: 40px; max-width: 1200px; margin: 20px auto } main { flex: 1; min-width: 0 } aside { width: 260px; font-size: 14px }
article.post { border-top: 1px solid #ccc; padding: 10px 0 } .foot { border-top: 1px solid #ccc; padding: 20px 30px; color: #777 }"""


def _near(documents: Sequence[SourceDocument], place: int) -> list[dict[str, str]]:
    found = [documents[(place + step) % len(documents)] for step in (2, 5, 9, 13, 17)]
    return [{"slug": one.slug, "title": one.title} for one in found]


def topic_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a topic shows, and the frame around it."""
    document = documents[place]
    posts = [
        {
            "id": 100 * place + number,
            "user_id": number,
            "author_display_name": READERS[(place + 3 * number) % 8],
            "post_date": f"{2 + (place + number) % 9} months",
            "text_formatted": text,
        }
        for number, text in enumerate(posts_html(document))
    ]
    topic = {"slug": document.slug, "id": place, "name": document.title}
    found: dict[str, object] = {"topic": topic, "object_list": posts, "start_number": 1}
    forums = [{"category__name": "Boats and bays", "slug": "board", "label": board} for board in _BOARDS]
    found |= {"forum_name": _BOARDS[place % 5], "FORUM_BASE_NAME": "Forums", "locked": place % 5 == 4, "STATIC_URL": "static/"}
    found |= {"site_name": NAME, "menu": ("News", "Forums", "Members"), "others": _near(documents, place), "language": document.language}
    return found | {"found": {"forum_list": forums}}


write_topics = write_filled(topic_context, {"base.html": _FRAME})
TOPICS = DjangoPackage(
    "django-fretboard==1.17.6",
    "fretboard/templates",
    "fretboard/post_wrapper.html",
    {"static/fretboard": "static/fretboard"},
    _STYLE,
    helpers=_HELPERS,
)
