"""Settings of further applications of Django: a wiki (django-wiki).

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

_DJANGO_WIKI_SETTINGS = """
INSTALLED_APPS = [*(name for name in DJANGO if name != "django.contrib.flatpages"), "django_nyt.apps.DjangoNytConfig", "mptt", "sekizai",
  "sorl.thumbnail", "wiki.apps.WikiConfig", "wiki.plugins.attachments.apps.AttachmentsConfig",
  "wiki.plugins.notifications.apps.NotificationsConfig", "wiki.plugins.macros.apps.MacrosConfig"]
PROCESSORS += ["django.template.context_processors.debug", "django.template.context_processors.tz",
  "sekizai.context_processors.sekizai"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
WIKI_ACCOUNT_HANDLING = WIKI_ACCOUNT_SIGNUP_ALLOWED = True
TEMPLATES[0]["DIRS"] = [BASE_DIR / "templates"]
"""
_DJANGO_WIKI_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("notifications/", include("django_nyt.urls")), path("", include("wiki.urls"))]
"""
_DJANGO_WIKI_FILL = """
from django.contrib.auth import get_user_model
from django.contrib.sites.models import Site
from wiki.models import URLPath
Site.objects.update(domain="127.0.0.1", name="The Tide Tables")
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay")
root = URLPath.create_root(site=Site.objects.get_current(), title="The Tide Tables", content=DOCUMENTS[0]["summary"])
for document in DOCUMENTS:
    URLPath.create_urlpath(root, document["slug"], title=document["title"], content=document["markdown"], user_message="First version",
      user=author)
    ADDRESSES[document["slug"]] = f"/{document['slug']}/"
"""
FURTHER_APPLICATIONS = {
    "djangowiki": (_DJANGO_WIKI_SETTINGS, _DJANGO_WIKI_ADDRESSES, _DJANGO_WIKI_FILL),
}
