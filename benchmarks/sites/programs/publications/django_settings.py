"""Settings of an application of Django: a wiki (TinyWiki).

Settings, addresses, and the code that puts the documents in; `communities` runs it.
"""

from __future__ import annotations

_TINYWIKI_SETTINGS = """
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "django_tinywiki"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware"]
STORED = json.load(open(BASE_DIR / "documents.json"))
LANGUAGE_CODE = TINYWIKI_DEFAULT_LANGUAGE = STORED[0]["language"]
LANGUAGES = [(LANGUAGE_CODE, LANGUAGE_CODE)]
AUTH_USER_MODEL = "auth.User"
TINYWIKI_IS_MAIN_APP, TINYWIKI_TITLE, TINYWIKI_CODEHILITE_STYLE = True, "The Tide Tables", "github-dark"
def LEFT_SIDEBAR_FUNCTION(request, *names):  # the program's own does not close its elements
    sections = []
    for place, name in enumerate(("Harbour", "Ferries", "Charts")):
        items = "".join('<div class="left-sidebar-item"><a href="/page/%s/">%s</a></div>' % (one["slug"], one["title"])
          for one in STORED[place::5])
        sections.append('<div class="left-sidebar-section"><div class="left-sidebar-section-title">%s</div>%s</div>' % (name, items))
    return "".join(sections)
"""
_TINYWIKI_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("django_tinywiki.urls"))]
"""
_TINYWIKI_FILL = """
from django.contrib.auth import get_user_model
from django_tinywiki.models.language import WikiLanguage
from django_tinywiki.models.wiki import WikiPage
members = [get_user_model().objects.create_user(name) for name in ("ada", "bela", "chidi")]
language, _ = WikiLanguage.objects.get_or_create(code=DOCUMENTS[0]["language"], defaults={"name": "Language"})
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    page = WikiPage.objects.create(slug=document["slug"], title=document["title"], language=language, user=members[number % 3],
      created_by=members[number % 3], edited_by=members[(number + 1) % 3], edited_reason="Spelling",
      content="# %s\\n\\n%s" % (document["title"], document["markdown"]))
    WikiPage.objects.filter(pk=page.pk).update(created_on=when, edited_on=when)
    ADDRESSES[document["slug"]] = f"/page/{document['slug']}/"
"""
PUBLICATION_APPLICATIONS = {"tinywiki": (_TINYWIKI_SETTINGS, _TINYWIKI_ADDRESSES, _TINYWIKI_FILL)}
