"""Blogs with readers' comments: Blogango with related posts, and Bootlog in Bootstrap; the templates of both are filled."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.readers import READERS, comments_on
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import TAG_WORDS, SourceDocument, to_html

_BLOGANGO = """
nothing("blogango_extra_context", "analytics")
register.simple_tag(lambda mail: "static/blogango/images/person_default.jpg", name="gravatar_url")
register.filter("date", lambda value, form=None: value)
register.filter("twitterize", lambda value: value)
class Related(Node):
    def render(self, context):
        context["related_posts"] = context["near"]
        return ""
register.tag("related_posts", lambda parser, token: Related())
listed("get_pingback_list")
"""
_MOTTO = "We keep the times of the tide, and write down what comes ashore at the quay"


def blogango_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what Blogango's template shows of an entry: the entry, related ones, comments, and the lists of the side bar."""
    document = documents[place]
    count = len(documents)
    entry: dict[str, object] = {"title": document.title, "text": to_html(document), "comments_allowed": True}
    entry |= {"created_on": f"{document.published:%d.%m.%Y}", "get_absolute_url": f"{document.slug}.html", "created_by": "Ada Quay"}
    entry |= {"get_num_comments": 3 + place % 6, "tags": {"all": [{"name": name, "slug": name} for name in document.tags]}}
    comments = [
        {"user_name": reader, "user_url": f"https://example.org/{reader}" if step % 2 else "", "created_on": f"{day}", "text": text}
        for step, (reader, day, text) in enumerate(comments_on(documents, place))
    ]
    reactions = [
        {"user_name": READERS[(place + step) % 8].lower(), "created_on": f"{document.published}", "text": f"{document.title} @tidetables"}
        for step in range(place % 3)
    ]
    if reactions:
        entry["get_num_reactions"] = len(reactions)
    return {
        "blog": {"title": NAME},
        "STATIC_URL": "static/",
        "entry": entry,
        "near": [_linked(documents[(place + step) % count]) for step in (2, 5, 11)],
        "comments": comments,
        "reactions": reactions,
        "recents": [_linked(one) for one in documents[-7:]],
        "tags": [{"name": name, "slug": name} for name in TAG_WORDS],
        "archive_months": [f"{one.published:%m/%Y}" for one in documents[::4]],
        "blogroll": [{"url": "https://example.org", "text": text} for text in ("Harbour office", "Ferry timetable", "Bela Moore")],
        "comment_form": {name: {"html": f'<input name="{name}">'} for name in ("name", "email", "url", "text")},
    }


def _linked(document: SourceDocument) -> dict[str, str]:
    return {"title": document.title, "get_absolute_url": f"{document.slug}.html"}


BLOGANGO = DjangoPackage(
    "django-blogango==0.6.2",
    "blogango/templates",
    "blogango/details.html",
    {"static/blogango": "static/blogango"},
    helpers=_BLOGANGO,
    change=lambda text: (
        text.replace("We love designing and developing websites, but what really drives us is", _MOTTO)
        .replace("solving problems and cultivating strong relationships with our clients", "")
        .replace("AGILIQ SOLUTIONS", NAME)
    ),
)
_COLOURS = ("primary", "success", "info", "warning", "danger", "default")
_THREAD = """{% if disqus_tag %}<div class="thread"><h5>{{ comments|length }} Comments</h5><p><input class="form-control"
placeholder="Join the discussion"></p>{% for one in comments %}<div class="media"><a class="pull-left" href="#by"><span class="face">
{{ one.name|first }}</span></a><div class="media-body"><h6><a href="#by">{{ one.name }}</a> <small>{{ one.day }}</small></h6>
<p>{{ one.text }}</p><p><a href="#up">Up</a> <a href="#reply">Reply</a> <a href="#share">Share</a></p></div></div>{% endfor %}
<p class="text-muted">comments powered by Disqus</p></div>{% endif %}"""
_BOOTLOG = f"""
same("linebreaksbr")
from django.template.loaders.filesystem import Loader
plain = Loader.get_contents
def commented(self, origin):  # the comments come from a service of the network
    text = plain(self, origin).replace("{{% load staticfiles %}}", "{{% load static %}}")
    head, found, rest = text.partition("{{% if disqus_tag %}}")
    return head + {_THREAD!r} if found else text
Loader.get_contents = commented
"""
_REDDIT = re.compile(r'<img src="http://www.reddit[^>]*>')
_BOOTLOG_STYLE = """
.face { display: inline-block; width: 40px; line-height: 40px; text-align: center; background: #d0dbe3; border-radius: 4px }
.thread { padding: 15px } .panel-heading h4 { margin: 0 }
"""


def bootlog_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what Bootlog's templates show of a post, with its comments and the categories at the side."""
    document = documents[place]
    tags = {name: {"count": sum(name in one.tags for one in documents), "colour": _COLOURS[step]} for step, name in enumerate(TAG_WORDS)}
    post = {"title": document.title, "entry": f"<p>{document.summary}</p>{to_html(document)}", "pub_date": f"{document.published:%d %b %Y}"}
    category = document.tags[0]
    post |= {"get_absolute_url": f"/{document.slug}", "colour": _COLOURS[TAG_WORDS.index(category)], "category": category}
    parts = {"header": "head", "toprow": "top_row", "tri_stack": "tri_stack", "footer_row": "footer_row", "post_single": "post"}
    parts |= {"mid_column": "mid_column", "side_panel": "side_panel", "jscript_html": "jscript_html"}
    return {
        **{name: f"bootlog/{file}.html" for name, file in parts.items()},
        "header_title": f"{document.title} | {NAME}",
        "banner": NAME,
        "metadata": document.summary,
        "footer_caption": f"{NAME}, 12 Quay Street. Written in the open since 2014.",
        "entries": [post],
        "category_split": {"items": [*tags.items()]},
        "disqus_tag": True,
        "comments": [{"name": reader, "day": f"{day}", "text": text} for reader, day, text in comments_on(documents, place)],
    }


BOOTLOG = DjangoPackage(
    "django-bootlog==1.0.2",
    "bootlog/templates",
    "bootlog/base.html",
    {"static/css": "static/css", "static/fonts": "static/fonts"},
    style=_BOOTLOG_STYLE,
    helpers=_BOOTLOG,
    change=lambda text: _REDDIT.sub("reddit", text),
)
