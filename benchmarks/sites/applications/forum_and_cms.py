"""Settings of two more of Django's applications: a forum (Spirit) and the blog of a CMS (Puput on Wagtail).

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

_SPIRIT_SETTINGS = """
from spirit.extra.project_template.project_name.settings.base import *
INSTALLED_APPS = [name for name in INSTALLED_APPS if name != "spirit.search"] + ["spirit.search"]
BASE_DIR = str(Path(__file__).parent)
SECRET_KEY = "known to all: this site is read once and thrown away"
ALLOWED_HOSTS = ["*"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR + "/db.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
ROOT_URLCONF = "urls"
WSGI_APPLICATION = None
STATIC_ROOT, MEDIA_ROOT = BASE_DIR + "/static", BASE_DIR + "/media"
TEMPLATES[0]["DIRS"] = []
CACHES = {name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"} for name in ("default", "st_rate_limit")}
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
HAYSTACK_SIGNAL_PROCESSOR = "haystack.signals.BaseSignalProcessor"
LOGGING = {"version": 1}
ST_COMMENTS_PER_PAGE = 100
ST_SITE_URL = "http://127.0.0.1/"
"""
_SPIRIT_ADDRESSES = """
from django.urls import include, path
import spirit.urls
urlpatterns = [path("", include(spirit.urls))]
"""
_SPIRIT_FILL = """
from django.contrib.auth import get_user_model
from djconfig.models import Config
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic
Config.objects.update_or_create(key="site_name", defaults={"value": "The Tide Tables"})
members = [get_user_model().objects.create_user(username=name, email=name + "@example.org")
  for name in ("ada", "bela", "chidi", "dora", "emil")]
categories = [Category.objects.create(title=name, slug=name.lower()) for name in ("Harbour", "Routes", "Workshop")]
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    topic = Topic.objects.create(user=members[number % 5], category=categories[number % 3], title=document["title"], date=when,
      last_active=when)
    for place, text in enumerate(document["posts_html"]):
        Comment.objects.create(user=members[(number + place) % 5], topic=topic, comment=text, comment_html=text, date=when)
    Topic.objects.filter(pk=topic.pk).update(comment_count=len(document["posts_html"]))
    ADDRESSES[document["slug"]] = topic.get_absolute_url()
"""
_PUPUT_SETTINGS = """
from puput import PUPUT_APPS
INSTALLED_APPS = [*(name for name in DJANGO if name not in ("django.contrib.flatpages",)), "django.contrib.admin", *PUPUT_APPS]
PROCESSORS += ["wagtail.contrib.settings.context_processors.settings"]
MIDDLEWARE += ["wagtail.contrib.redirects.middleware.RedirectMiddleware"]
WAGTAIL_SITE_NAME = "The Tide Tables"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
LANGUAGE_CODE = "en"
"""
_PUPUT_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("puput.urls"))]
"""
_PUPUT_FILL = """
from django.contrib.auth import get_user_model
from puput.models import BlogPage, Category, CategoryEntryPage, EntryPage
from wagtail.models import Page, Site
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay")
blog = BlogPage(title="The Tide Tables", slug="blog", description=DOCUMENTS[0]["summary"][:200], owner=author)
Page.objects.get(depth=1).add_child(instance=blog)
Site.objects.all().delete()
Site.objects.create(hostname="localhost", root_page=blog, is_default_site=True)
for document in DOCUMENTS:
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    entry = EntryPage(title=document["title"], slug=document["slug"], body=document["html"], date=when, owner=author)
    blog.add_child(instance=entry)
    category, _ = Category.objects.get_or_create(name=document["tags"][0].title(), slug=document["tags"][0].replace(" ", "-"))
    CategoryEntryPage.objects.create(category=category, page=entry)
    entry.tags.add(*document["tags"])
    entry.save()
    ADDRESSES[document["slug"]] = f"/{when:%Y/%m/%d}/{document['slug']}/"
"""
SPIRIT = (_SPIRIT_SETTINGS, _SPIRIT_ADDRESSES, _SPIRIT_FILL)
PUPUT = (_PUPUT_SETTINGS, _PUPUT_ADDRESSES, _PUPUT_FILL)
