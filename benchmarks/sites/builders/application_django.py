"""Settings of further applications of Django: a help desk (django-helpdesk), a forum (pybbm), a conference (Wafer), a blog (Lotus).

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.sites.layout import write_text
from sightread.render.errors import Rejected

_HELPDESK_SETTINGS = """
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "rest_framework", "helpdesk"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware"]
PROCESSORS += ["django.template.context_processors.debug"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
LANGUAGES = [(LANGUAGE_CODE, LANGUAGE_CODE)]
HELPDESK_TEAMS_MODE_ENABLED = HELPDESK_USE_CDN = False
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
"""
_HELPDESK_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("helpdesk.urls"))]
"""
_HELPDESK_FILL = """
from django.contrib.auth import get_user_model
from helpdesk.models import FollowUp, Queue, Ticket
staff = [get_user_model().objects.create_user(name, first_name=name.title(), last_name="Quay") for name in ("ada", "bela", "chidi")]
queues = [Queue.objects.create(title=name, slug=name.lower(), allow_public_submission=True) for name in ("Harbour", "Ferries", "Workshop")]
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    first, *others = document["posts_text"]
    ticket = Ticket.objects.create(title=document["title"], queue=queues[number % 3], submitter_email="emil@example.org", description=first,
      status=1 + number % 4, priority=1 + number % 5, secret_key="known-to-all")
    for place, text in enumerate(others):
        FollowUp.objects.create(ticket=ticket, user=staff[(number + place) % 3], title="Comment", comment=text, public=True,
          date=when + datetime.timedelta(hours=5 * place + 3))
    Ticket.objects.filter(pk=ticket.pk).update(created=when, modified=when)  # a comment writes it again
    ADDRESSES[document["slug"]] = "/view/?ticket=%s&email=emil@example.org&key=known-to-all" % ticket.ticket_for_url
"""
_PYBBM_SETTINGS = """
import inspect
inspect.getargspec = inspect.getfullargspec  # later Pythons have the longer one only
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "pybb"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware", "pybb.middleware.PybbMiddleware"]
PROCESSORS += ["pybb.context_processors.processor"]
TEMPLATES[0]["DIRS"] = [str(BASE_DIR / "templates")]
STATICFILES_DIRS = ["/usr/share/javascript"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
PYBB_DEFAULT_TITLE = "The Tide Tables"
PYBB_MARKUP = "markdown"
PYBB_TOPIC_PAGE_SIZE, PYBB_SMILES = 100, {}
PYBB_ENABLE_ANONYMOUS_POST = False
PYBB_DISABLE_NOTIFICATIONS = PYBB_DISABLE_SUBSCRIPTIONS = True
LOGIN_URL = "auth_login"
"""
_PYBBM_ADDRESSES = """
from django.contrib.auth.views import LoginView
from django.urls import include, path
accounts = [path("accounts/%s/" % name, LoginView.as_view(), name=name) for name in ("auth_login", "registration_register")]
urlpatterns = [*accounts, path("", include("pybb.urls", namespace="pybb"))]
"""
_PYBBM_FILL = """
from django.contrib.auth import get_user_model
from pybb.models import Category, Forum, Post, Topic
members = [get_user_model().objects.create_user(name) for name in ("ada", "bela", "chidi", "dora", "emil")]
category = Category.objects.create(name="The quay", slug="quay")
forums = [Forum.objects.create(name=name, slug=name.lower(), category=category, position=place)
  for place, name in enumerate(("Harbour", "Routes", "Workshop"))]
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    topic = Topic.objects.create(forum=forums[number % 3], user=members[number % 5], name=document["title"], slug=document["slug"])
    for place, text in enumerate(document["posts_html"]):
        post = Post(topic=topic, user=members[(number + place) % 5], body=text, user_ip="127.0.0.1")
        post.save()
        Post.objects.filter(pk=post.pk).update(created=when + datetime.timedelta(hours=5 * place), updated=None)
    Topic.objects.filter(pk=topic.pk).update(created=when, updated=when)
    ADDRESSES[document["slug"]] = topic.get_absolute_url()
"""
_FORUM_PAGE = """{% load static %}<!DOCTYPE html>
<html lang="{{ LANGUAGE_CODE|default:'en' }}"><head><meta charset="utf-8"><title>{% block title %}{% endblock %}</title>
<link rel="stylesheet" href="{% static 'bootstrap/css/bootstrap.min.css' %}">
<link rel="stylesheet" href="{% static 'bootstrap/css/bootstrap-theme.min.css' %}">
{% block extra_head %}{% endblock %}</head><body>
<nav class="navbar navbar-default"><div class="container"><a class="navbar-brand" href="/">The Tide Tables</a>
<ul class="nav navbar-nav"><li><a href="/">Forum</a></li><li><a href="/users/ada/">Members</a></li></ul></div></nav>
<div class="container">{% block breadcrumb %}{% endblock %}{% block content %}{% endblock %}
<hr><footer>The Tide Tables, kept by the harbour of Quay</footer></div>
{% block extra_script %}{% endblock %}</body></html>
"""
"""The page around the forum: the program has none, and expects Bootstrap's classes in it."""
_WAFER_SETTINGS = """
FOLDER = BASE_DIR
from wafer.settings import *
DATABASES["default"]["NAME"] = str(FOLDER / "db.sqlite3")
SECRET_KEY = "known to all: this site is read once and thrown away"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "urls"
STATIC_ROOT, MEDIA_ROOT = str(FOLDER / "static"), str(FOLDER / "media")
STATICFILES_DIRS = [("vendor/bootstrap/dist", "/usr/share/javascript/bootstrap5"), str(FOLDER / "icons")]
MARKITUP_FILTER = WAFER_PAGE_MARKITUP_FILTER = ("markdown.markdown", {"extensions": ["tables", "fenced_code"]})
LANGUAGE_CODE = json.load(open(FOLDER / "documents.json"))[0]["language"]
CACHES["wafer_cache"] = CACHES["default"]
"""
_WAFER_ADDRESSES = """
from wafer.urls import urlpatterns
"""
_WAFER_FILL = """
from django.contrib.auth import get_user_model
from django.contrib.sites.models import Site
from wafer.pages.models import Page
from wafer.talks.models import ACCEPTED, Talk, TalkType, Track
Site.objects.update(domain="127.0.0.1", name="The Tide Tables")
speakers = [get_user_model().objects.create_user(name.lower(), first_name=name, last_name="Quay") for name in
  ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fatma", "Goro", "Hana")]
for place, name in enumerate(("Harbour", "Venue", "Contact")):
    Page.objects.create(name=name, slug=name.lower(), content="Notes from the harbour.", include_in_menu=True, menu_order=place)
kind = TalkType.objects.create(name="Long talk", description="Three quarters of an hour")
tracks = [Track.objects.create(name=name, description=name) for name in ("Routes", "Charts")]
for number, document in enumerate(DOCUMENTS):
    talk = Talk.objects.create(title=document["title"], talk_type=kind, track=tracks[number % 2], abstract=document["markdown"],
      status=ACCEPTED, corresponding_author=speakers[number % 8])
    talk.authors.add(*{speakers[number % 8], speakers[(3 * number + 1) % 8]})
    ADDRESSES[document["slug"]] = talk.get_absolute_url()
"""
_LOTUS_SETTINGS = """
from lotus.settings import *
INSTALLED_APPS = ["dal", "dal_select2", "django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"),
  "sorl.thumbnail", "smart_media", "ckeditor", "ckeditor_uploader", "treebeard", "taggit", "lotus"]
from smart_media.settings import *
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware"]
TEMPLATES[0]["DIRS"] = [str(BASE_DIR / "templates")]
STATICFILES_DIRS = ["/usr/share/javascript"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
LANGUAGES = [(LANGUAGE_CODE, LANGUAGE_CODE)]
CKEDITOR_UPLOAD_PATH = "uploads/"
"""
_LOTUS_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("lotus.urls"))]
"""
_LOTUS_FILL = """
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sites.models import Site
from lotus.models import Article, Author, Category
Site.objects.update(domain="127.0.0.1", name="The Tide Tables")
people = [get_user_model().objects.create_user(name.lower(), first_name=name, last_name="Quay") for name in ("Ada", "Bela")]
categories = [Category.add_root(title=name, slug=name.lower(), language=settings.LANGUAGE_CODE) for name in ("Harbour", "Ferries")]
articles = []
for number, document in enumerate(DOCUMENTS):
    when = datetime.date.fromisoformat(document["published"])
    article = Article.objects.create(title=document["title"], slug=document["slug"], introduction="<p>%s</p>" % document["summary"],
      content=document["html"], status=10, publish_date=when, publish_time=datetime.time(8), language=settings.LANGUAGE_CODE)
    article.categories.add(categories[number % 2])
    article.authors.add(Author.objects.get(pk=people[number % 2].pk))
    article.tags.add(*document["tags"])
    articles.append(article)
    ADDRESSES[document["slug"]] = article.get_absolute_url()
for number, article in enumerate(articles):
    article.related.add(*(articles[(number + step) % len(articles)] for step in (2, 7)))
"""
_BLOG_PAGE = """{% load static %}<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{% block header-title %}{% endblock %}</title>{% block metas %}{% endblock %}
<link rel="stylesheet" href="{% static 'bootstrap5/css/bootstrap.min.css' %}">
{% block header-resource-extra %}{% endblock %}</head><body>
<header class="py-4 mb-4 bg-dark text-white"><div class="container d-flex justify-content-between">
<a class="h3 text-white text-decoration-none" href="/">The Tide Tables</a>
<nav><a class="text-white me-3" href="/">Articles</a><a class="text-white me-3" href="/categories/">Categories</a>
<a class="text-white" href="/authors/">Authors</a></nav></div></header>
{% block content %}{% endblock %}
<footer class="container py-4 mt-4 border-top text-muted">The Tide Tables, kept by the harbour of Quay</footer></body></html>
"""
"""The page around the blog: the program has none, and expects Bootstrap's classes in it."""
BUILT_APPLICATIONS = {
    "lotus": (_LOTUS_SETTINGS, _LOTUS_ADDRESSES, _LOTUS_FILL),
    "wafer": (_WAFER_SETTINGS, _WAFER_ADDRESSES, _WAFER_FILL),
    "pybbm": (_PYBBM_SETTINGS, _PYBBM_ADDRESSES, _PYBBM_FILL),
    "helpdesk": (_HELPDESK_SETTINGS, _HELPDESK_ADDRESSES, _HELPDESK_FILL),
}


def demand_bootstrap(name: str) -> None:
    """Raise `Rejected` if this package of Bootstrap is missing."""
    if not Path(f"/usr/share/javascript/{name}/css/bootstrap.min.css").is_file():
        raise Rejected(f"needs Bootstrap: apt-get install libjs-{name}")


def write_forum_page(project: Path) -> None:
    """Write the page around the forum. Raises `Rejected` if its style sheet is missing."""
    demand_bootstrap("bootstrap")
    write_text(project / "templates/base.html", _FORUM_PAGE)


def write_blog_page(project: Path) -> None:
    """Write the page around the blog. Raises `Rejected` if its style sheet is missing."""
    demand_bootstrap("bootstrap5")
    write_text(project / "templates/skeleton.html", _BLOG_PAGE)


def write_icons(project: Path) -> None:
    """Write empty style sheets in place of those of icons, which the package expects and lacks."""
    for name in ("fontawesome", "solid"):
        write_text(project / f"icons/vendor/@fortawesome/fontawesome-free/css/{name}.css", "/* no icons */\n")
