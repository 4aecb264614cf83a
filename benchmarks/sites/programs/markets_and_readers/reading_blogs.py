"""Blogs: blognajd with readers' comments, and djangocms-blog with teasers of related posts; the templates of both are filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import FIGURES, TAG_WORDS, SourceDocument, to_html

_FIELDS = ("Name", "Mail", "Web site", "Your comment")
_FORM = "".join(f'<div class="form-group"><label>{one}</label><input class="form-control"></div>' for one in _FIELDS[:3])
_FORM += f'<div class="form-group"><label>{_FIELDS[3]}</label><textarea class="form-control" rows="6"></textarea></div>'
_FORM += '<button class="btn btn-primary">Send</button> <button class="btn btn-default">Preview</button>'
_BLOGNAJD = """
import re
from django.template.loaders.filesystem import Loader
plain = Loader.get_contents
def current(self, origin):  # without tags that Django has no more
    text = re.sub(r"{% ifequal (\\S+) (\\S+) %}", r"{% if \\1 == \\2 %}", plain(self, origin))
    return text.replace("{% endifequal %}", "{% endif %}")
Loader.get_contents = current
same("date", "render_inlines", "render_markup_comment")
register.simple_tag(lambda name: "static/blognajd/themes/default/" + name, name="theme_static")
register.simple_tag(lambda name: "static/" + name, name="static")
register.simple_tag(lambda context, name: context[name.replace("-", "_")], takes_context=True, name="flatblock_xtd")
register.simple_tag(lambda form: form, name="crispy")
listed("get_tags_for_object", "get_comment_count")
def shown(name, template, *names):
    register.inclusion_tag(template, name=name, takes_context=True)(lambda context, *more: {one: context[one] for one in names})
shown("render_comment_list", "comments/blognajd/list.html", "comment_list")
shown("render_comment_form", "comments/blognajd/form.html", "form")
"""


def story_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what blognajd's templates show of a story: the story, its tags, its comments, and the footer."""
    document = documents[place]
    story: dict[str, object] = {"title": document.title, "body_markup": to_html(document), "abstract_markup": document.summary}
    story |= {"pub_date": f"{document.published:%d.%m.%Y}", "status": 3, "allow_comments": place % 4 != 3}
    comments = [
        {"level": (0, 0, 1, 2)[step % 4], "submit_date": f"{day:%d.%m.%Y}", "comment": text, "allow_thread": step % 4 != 3}
        | {"user_url": f"https://{reader.lower()}.example.org" if step % 3 == 1 else "", "get_reply_url": "/reply"}
        | {"name": {"html": reader}}
        for step, (reader, day, text) in enumerate(comments_on(documents, place))
    ]
    return {
        "usersettings": {
            "site_short_name": NAME,
            "meta_author": "Ada Quay",
            "has_about_page": True,
            "has_projects_page": True,
            "has_contact_page": True,
        },
        "object": story,
        "found": {"tag_list": list(document.tags), "comment_count": len(comments)},
        "comment_list": comments,
        "form": {"html": _FORM},
        "footer_copyright": f"© 2024 Ada Quay, {NAME}",
        "footer_license": "Content of this site is licensed under Creative Commons Attribution 4.0",
    }


BLOGNAJD = DjangoPackage(
    "blognajd==1.1.1",
    "blognajd/templates",
    "blognajd/story_detail.html",
    {"static/blognajd": "static/blognajd"},
    helpers=_BLOGNAJD,
)
_CMS_BLOG = """
same("date")
nothing("media_images")
register.simple_tag(lambda *names, **more: "/", name="namespace_url")
register.simple_tag(lambda post, name, *more: post.get(name, ""), name="render_model")
register.simple_tag(lambda found: found, name="render_placeholder")
class Thumbnail(Node):
    def __init__(self, source, name):
        self.source, self.name = source, name
    def render(self, context):
        context[self.name] = {"url": self.source.resolve(context)}
        return ""
def thumbnail(parser, token):
    bits = token.split_contents()
    return Thumbnail(parser.compile_filter(bits[1]), bits[-1])
register.tag("thumbnail", thumbnail)
"""
_PAGE = """<!DOCTYPE html>
<html lang="{{ language }}"><head><title>{% block title %}{{ brand }}{% endblock %}</title>{% block meta %}{% endblock %}
{% block canonical_url %}{% endblock %}</head><body><nav class="navbar navbar-expand navbar-dark bg-dark"><div class="container">
<a class="navbar-brand" href="/">{{ brand }}</a><ul class="navbar-nav">{% for one in menu %}<li class="nav-item">
<a class="nav-link" href="/page">{{ one }}</a></li>{% endfor %}</ul></div></nav>
<div class="container my-4"><div class="row"><main class="col-8">{% block content %}{% endblock %}</main><aside class="col-4">
{% include "djangocms_blog/plugins/categories.html" %}{% include "djangocms_blog/plugins/tags.html" %}
{% include "djangocms_blog/plugins/authors.html" %}</aside></div></div>
<footer class="bg-light border-top py-4"><div class="container">{{ brand }}, 12 Quay Street. <a href="/imprint">Imprint</a>
<a href="/privacy">Privacy</a></div></footer></body></html>
"""
CMS_FRAME = {"cms_page.html": _PAGE}
"""The page around the blog, which each site of django CMS brings along."""


def post_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what djangocms-blog's templates show of a post: the post, two or three related ones, and the lists of its plug-ins."""
    document = documents[place]
    count = len(documents)
    counts = [{"name": name.capitalize(), "slug": name, "count": sum(name in one.tags for one in documents)} for name in TAG_WORDS]
    near = [_post(documents, (place + step) % count) for step in (2, 7, 11)[: 2 + place % 2]]
    return {
        "CMS_TEMPLATE": "cms_page.html",
        "brand": NAME,
        "language": document.language,
        "menu": ["Home", "Blog", "Timetable", "Contact"],
        "post": _post(documents, place) | {"related": {"exists": True, "all": near}},
        "categories": counts[:3],
        "tags": counts[3:],
        "authors_list": [{"get_full_name": f"{name} Quay", "count": 6 + step} for step, name in enumerate(("Ada", "Bela", "Chidi"))],
    }


def _post(documents: Sequence[SourceDocument], place: int) -> dict[str, object]:
    document = documents[place]
    tags = [{"name": name, "slug": name, "count": 3} for name in document.tags]
    post: dict[str, object] = {"title": document.title, "get_title": document.title, "slug": document.slug}
    post |= {"post_text": {"html": to_html(document)}, "abstract": {"html": f"<p>{document.summary}</p>"}}
    post |= {"get_absolute_url": f"{document.slug}.html", "date_published": f"{document.published:%d.%m.%Y}"}
    post |= {"author": {"get_full_name": ("Ada", "Bela", "Chidi")[place % 3] + " Quay"}}
    post |= {"categories": {"exists": True, "all": tags[:1]}, "tags": {"exists": True, "all": tags[1:]}}
    return post | ({"main_image_id": 1, "main_image": f"figure-{place % FIGURES}.png"} if place % 2 else {})


CMS_BLOG = DjangoPackage(
    "djangocms-blog==2.0.10",
    "djangocms_blog/templates",
    "djangocms_blog/post_detail.html",
    bootstrap="bootstrap5",
    helpers=_CMS_BLOG,
    style=".blog-visual img { max-width: 100%; margin-bottom: 1rem } .post-detail-list { border-top: 1px solid #ccc; padding-top: 1rem }",
)
