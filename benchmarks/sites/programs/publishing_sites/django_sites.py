"""Settings of applications of Django: blogs with readers' comments (django-cast, Fluent Blogs), and pages of a CMS.

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

from benchmarks.sites.programs.publishing_sites.magazine import MAGAZINE, MAGAZINE_FRAME

_CAST_SETTINGS = """
import cast
from cast.apps import CAST_APPS, CAST_MIDDLEWARE
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), *CAST_APPS]
MIDDLEWARE += [*CAST_MIDDLEWARE, "django.middleware.locale.LocaleMiddleware"]
PROCESSORS += ["cast.context_processors.site_template_base_dir"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
WAGTAIL_SITE_NAME = "The Tide Tables"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
COMMENTS_APP = "cast.comments"
CAST_COMMENTS_ENABLED = True
CRISPY_TEMPLATE_PACK = CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap4"
DJANGO_VITE = {"cast": {"dev_mode": False, "static_url_prefix": "cast/vite/", "manifest_path":
  str(Path(cast.__file__).parent / "static/cast/vite/manifest.json")}}
"""
_CAST_ADDRESSES = """
from django.urls import include, path
from wagtail import urls as wagtail_urls
urlpatterns = [path("cast/", include("cast.urls", namespace="cast")), path("comments/", include("cast.comments.urls")),
  path("", include(wagtail_urls))]
"""
_CAST_FILL = """
from cast.models import Blog, HomePage, Post
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django_comments import get_model
from wagtail.models import Page, Site
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay")
for page in Page.objects.filter(depth=2):
    page.delete()  # a page of welcome
root = Page.objects.get(depth=1)
home, *_ = [root.add_child(instance=HomePage(title=name, slug=name.split()[-1].lower(), owner=author))
  for name in ("The Tide Tables", "Harbour", "Workshop", "About")]
Site.objects.all().delete()
Site.objects.create(hostname="localhost", root_page=home, is_default_site=True)
blogs = [home.add_child(instance=Blog(title=name, slug=name.lower(), owner=author, author="Ada Quay")) for name in ("Notes", "Ferries")]
for document, comments in zip(DOCUMENTS, json.load(open("readers.json"))):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    body = [{"type": "detail", "value": [{"type": "paragraph", "value": document["html"]}]}]
    post = blogs[0].add_child(instance=Post(title=document["title"], slug=document["slug"], visible_date=when, owner=author,
      body=json.dumps(body), comments_enabled=True))
    for place, (name, day, text) in enumerate(comments):
        time = datetime.datetime.fromisoformat("%sT%02d:30:00+00:00" % (day, 9 + place))
        get_model().objects.create(content_type=ContentType.objects.get_for_model(Post), object_pk=str(post.pk), site_id=1, user_name=name,
          comment=text, submit_date=time, is_public=True, user_email=name.lower() + "@example.org")
    ADDRESSES[document["slug"]] = f"/notes/{document['slug']}/"
"""
_FLUENT_SETTINGS = """
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "fluent_comments",
  "threadedcomments", "django_comments", "crispy_forms", "parler", "polymorphic", "taggit", "mptt", "categories_i18n",
  "slug_preview", "django_wysiwyg",
  "fluent_contents", "fluent_contents.plugins.rawhtml", "fluent_blogs"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware"]
TEMPLATES[0]["DIRS"] = [str(BASE_DIR / "templates")]
STATICFILES_DIRS = [str(BASE_DIR / "look")]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
LANGUAGES = [(LANGUAGE_CODE, LANGUAGE_CODE)]
COMMENTS_APP, FLUENT_COMMENTS_USE_EMAIL_NOTIFICATION, CRISPY_TEMPLATE_PACK = "fluent_comments", False, "bootstrap3"
"""
_FLUENT_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("comments/", include("fluent_comments.urls")), path("", include("fluent_blogs.urls"))]
"""
_FLUENT_FILL = """
from categories_i18n.models import Category
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from fluent_blogs.models import Entry
from fluent_comments import get_model
from fluent_contents.models import Placeholder
from fluent_contents.plugins.rawhtml.models import RawHtmlItem
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay")
categories = [Category.objects.create(title=name, slug=name.lower()) for name in ("Harbour", "Ferries")]
for number, (document, comments) in enumerate(zip(DOCUMENTS, json.load(open("readers.json")))):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    entry = Entry.objects.create(title=document["title"], slug=document["slug"], status="p", publication_date=when, author=author,
      intro=document["summary"])
    holder = Placeholder.objects.create_for_object(entry, "blog_contents")
    RawHtmlItem.objects.create_for_placeholder(holder, html=document["html"], language_code=settings.LANGUAGE_CODE)
    entry.categories.add(categories[number % 2])
    entry.tags.add(*document["tags"])
    written = []
    for place, (name, day, text) in enumerate(comments):
        time = datetime.datetime.fromisoformat("%sT%02d:30:00+00:00" % (day, 9 + place))
        written.append(get_model().objects.create(content_type=ContentType.objects.get_for_model(Entry), object_pk=str(entry.pk), site_id=1,
          user_name=name, comment=text, submit_date=time, is_public=True, parent=written[place - 1] if place % 3 == 1 else None))
    ADDRESSES[document["slug"]] = entry.get_absolute_url()
"""
_FLUENT_FRAME = """{% load static fluent_blogs_tags %}<!DOCTYPE html>
<html lang="{{ LANGUAGE_CODE }}"><head><meta charset="utf-8"><title>{% block title %}{% endblock %} · The Tide Tables</title>
<meta name="description" content="{% block meta-description %}{% endblock %}"><link rel="stylesheet" href="{% static 'frame.css' %}">
{% block link %}{% endblock %}{% block script %}{% endblock %}</head><body>
<div class="masthead"><p class="brand"><a href="/">The Tide Tables</a></p><p>Notes from the harbour of Quay</p></div>
<ul class="menu"><li><a href="/">Blog</a></li><li><a href="/about/">About</a></li><li><a href="/boats/">Boats</a></li></ul>
<div class="columns"><div class="left"><h4>Search</h4><form><input name="q"> <button>Go</button></form>
<h4>Latest entries</h4>{% get_entries limit=6 %}<h4>Tags</h4>{% get_tags limit=6 %}</div>
<div class="middle">{% block content %}{% endblock %}</div></div>
<div class="foot">The Tide Tables is kept by Ada Quay. All tides without guarantee. <a href="/imprint/">Imprint</a></div></body></html>
"""
_FLUENT_STYLE = """
body { margin: 0; font: 16px/1.6 Georgia, serif; background: #f3efe6; color: #2a2622 }
.masthead { padding: 2em 3em; background: #6b2737; color: #f3efe6 } .masthead a { color: inherit; text-decoration: none }
.masthead .brand { font-size: 2.2em; margin: 0 } .menu { margin: 0; padding: .6em 3em; background: #3e1620 }
.menu li { display: inline; margin-right: 2em } .menu a { color: #e8d7b9 } a { color: #6b2737 }
.columns { display: flex; gap: 3em; padding: 2em 3em; max-width: 1100px } .left { width: 230px; flex: none; font-size: .9em }
.middle { flex: 1; min-width: 0; background: #fffdf8; padding: 0 2em 2em } #comments { border-top: 3px double #6b2737 }
#comments ul { list-style: none } dt { font-size: .85em; color: #777 }
dd { margin: 0 0 1em; border-left: 3px solid #e8d7b9; padding-left: 1em }
pre { background: #f3efe6; padding: 1em; overflow: auto } td, th { border: 1px solid #ccc; padding: .3em .6em; text-align: left }
.entry-info, .entry-tags { color: #777; font-style: italic } .foot { padding: 1.5em 3em; font-size: .85em }
"""
"""The frame of the blog: the program has none."""
PUBLISHED_APPLICATIONS = {
    "cast": (_CAST_SETTINGS, _CAST_ADDRESSES, _CAST_FILL),
    "fluentblogs": (_FLUENT_SETTINGS, _FLUENT_ADDRESSES, _FLUENT_FILL),
    "djangocms": MAGAZINE,
}
FRAMES = {
    "fluentblogs": {"templates/fluent_blogs/base.html": _FLUENT_FRAME, "look/frame.css": _FLUENT_STYLE},
    "djangocms": MAGAZINE_FRAME,
}
"""Files of an application's project: the page around it, where the program has none."""
