"""Settings of applications of Django: a blog with readers' comments (ElephantBlog), and a help centre (django-helpapp).

Settings, addresses, and the code that puts the documents in; `communities` runs it.
"""

from __future__ import annotations

_ELEPHANT_SETTINGS = """
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "feincms", "mptt",
  "django_comments", "elephantblog", "posts"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware"]
LANGUAGES = [(LANGUAGE_CODE, LANGUAGE_CODE)]
TEMPLATES[0]["DIRS"] = [str(BASE_DIR / "templates")]
STATICFILES_DIRS = [str(BASE_DIR / "look")]
MIGRATION_MODULES = {"elephantblog": None}
FEINCMS_RICHTEXT_INIT_CONTEXT = {}
"""
_ELEPHANT_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("comments/", include("django_comments.urls")), path("", include("elephantblog.urls"))]
"""
_ELEPHANT_FILL = """
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django_comments import get_model
from elephantblog.models import Category, CategoryTranslation, Entry
call_command("migrate", run_syncdb=True, verbosity=0)
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay", is_staff=True)
categories = []
for place, name in enumerate(("Harbour", "Ferries", "Workshop")):
    categories.append(Category.objects.create(ordering=place))
    CategoryTranslation.objects.create(parent=categories[-1], language_code=DOCUMENTS[0]["language"], title=name, slug=name.lower())
for number, (document, comments) in enumerate(zip(DOCUMENTS, json.load(open("readers.json")))):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    entry = Entry.objects.create(title=document["title"], slug=document["slug"], author=author, published_on=when)
    entry.categories.add(categories[number % 3])
    entry.text_set.create(region="main", ordering=0, text=document["html"])
    for place, (name, day, text) in enumerate(comments):
        time = datetime.datetime.fromisoformat("%sT%02d:30:00+00:00" % (day, 9 + place))
        get_model().objects.create(content_type=ContentType.objects.get_for_model(Entry), object_pk=str(entry.pk), site_id=1,
        user_name=name,
          comment=text, submit_date=time, is_public=True, user_email=name.lower() + "@example.org")
    ADDRESSES[document["slug"]] = f"/{when:%Y/%m/%d}/{document['slug']}/"
"""
_HELP_SETTINGS = """
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "froala_editor", "helpapp"]
HELPAPP_SETTINGS = {"BRAND_NAME": "The Tide Tables", "PRIMARY_COLOR": "#9a3412"}
"""
_HELP_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("helpapp.urls"))]
"""
_HELP_FILL = """
from helpapp.models import HelpArticle, HelpCategory, HelpTag
categories = [HelpCategory.objects.create(name=name, order=place) for place, name in enumerate(("Account", "Tickets", "Timetables"))]
for number, document in enumerate(DOCUMENTS):
    article = HelpArticle.objects.create(title=document["title"], slug=document["slug"], summary=document["summary"][:300],
      body_froala=document["html"], status="published", category=categories[number % 3])
    article.tags.set([HelpTag.objects.get_or_create(name=name)[0] for name in document["tags"]])
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    HelpArticle.objects.filter(pk=article.pk).update(updated_at=when)
    ADDRESSES[document["slug"]] = f"/article/{document['slug']}/"
"""
PAGE_APPLICATIONS = {
    "elephantblog": (_ELEPHANT_SETTINGS, _ELEPHANT_ADDRESSES, _ELEPHANT_FILL),
    "helpapp": (_HELP_SETTINGS, _HELP_ADDRESSES, _HELP_FILL),
}
