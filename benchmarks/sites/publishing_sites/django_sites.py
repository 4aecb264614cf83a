"""Settings of applications of Django: blogs with readers' comments (django-cast, Fluent Blogs), and pages of a CMS.

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

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
PUBLISHED_APPLICATIONS = {"cast": (_CAST_SETTINGS, _CAST_ADDRESSES, _CAST_FILL)}
