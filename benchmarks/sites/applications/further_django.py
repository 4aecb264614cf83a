"""Settings of further applications of Django: a wiki (django-wiki), a CMS (CodeRed CMS), a conference (pretalx), a forum (Djeddit).

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.sites.layout import NAME
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, gold_text

LONGEST_CAPTION = 200
"""Characters of what a page has below its title."""
_DJANGO_WIKI_SETTINGS = """
INSTALLED_APPS = [*(name for name in DJANGO if name != "django.contrib.flatpages"), "django_nyt.apps.DjangoNytConfig", "mptt", "sekizai",
  "sorl.thumbnail", "wiki.apps.WikiConfig", "wiki.plugins.attachments.apps.AttachmentsConfig",
  "wiki.plugins.notifications.apps.NotificationsConfig", "wiki.plugins.macros.apps.MacrosConfig"]
PROCESSORS += ["django.template.context_processors.debug", "django.template.context_processors.tz",
  "sekizai.context_processors.sekizai"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
WIKI_ACCOUNT_HANDLING = WIKI_ACCOUNT_SIGNUP_ALLOWED = True
"""
_DJANGO_WIKI_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("notifications/", include("django_nyt.urls")), path("", include("wiki.urls"))]
"""
_DJANGO_WIKI_FILL = """
from django.contrib.auth import get_user_model
from django.contrib.sites.models import Site
from wiki.models import Article, URLPath
Site.objects.update(domain="127.0.0.1", name="The Tide Tables")
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay")
root = URLPath.create_root(site=Site.objects.get_current(), title="The Tide Tables", content=DOCUMENTS[0]["summary"])
for document in DOCUMENTS:
    URLPath.create_urlpath(root, document["slug"], title=document["title"], content=document["markdown"], user_message="First version",
      user=author)
    ADDRESSES[document["slug"]] = f"/{document['slug']}/"
"""
_CODERED_SETTINGS = """
import sys
FOLDER = BASE_DIR
sys.path.insert(0, str(FOLDER / "start"))
from tide.settings.base import *
DATABASES["default"]["NAME"] = FOLDER / "db.sqlite3"
SECRET_KEY = "known to all: this site is read once and thrown away"
ALLOWED_HOSTS = ["*"]
MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("wagtailcache")]
ROOT_URLCONF = "urls"
WSGI_APPLICATION = None
STATIC_ROOT, MEDIA_ROOT = FOLDER / "static", FOLDER / "media"
"""
_CODERED_ADDRESSES = """
from tide.urls import urlpatterns
"""
_CODERED_FILL = """
import uuid
from coderedcms.models import Footer, LayoutSettings, Navbar, NavbarOrderable, FooterOrderable
from django.contrib.auth import get_user_model
from wagtail.models import Page, Site
from website.models import ArticleIndexPage, ArticlePage, WebPage
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay")
home = Site.objects.get(is_default_site=True).root_page
index = ArticleIndexPage(title="Articles", slug="articles", owner=author)
index.index_order_by = "-first_published_at"  # what the program sets itself is not valid
home.add_child(instance=index)
others = [home.add_child(instance=WebPage(title=name, slug=name.lower(), owner=author)) for name in ("Harbour", "Ferries", "Contact")]
links = [{"type": "page_link", "id": str(uuid.UUID(int=page.pk)), "value": {"page": page.pk, "display_text": "", "settings": {},
  "sub_links": []}} for page in (index, *others)]
layout = LayoutSettings.for_site(Site.objects.get(is_default_site=True))
NavbarOrderable.objects.create(navbar_chooser=layout, navbar=Navbar.objects.create(name="Main", menu_items=json.dumps(links)))
foot = [{"type": "row", "value": {"content": [{"type": "column", "value": {"column_size": "", "content": [{"type": "text", "value":
  "<p>The Tide Tables is kept by the harbour of Quay. Write to the keeper of the harbour.</p>"}]}}]}}]
FooterOrderable.objects.create(footer_chooser=layout, footer=Footer.objects.create(name="Foot", content=json.dumps(foot)))
for document in DOCUMENTS:
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    body = [{"type": "text", "id": str(uuid.uuid4()), "value": document["html"]}]
    page = index.add_child(instance=ArticlePage(title=document["title"], slug=document["slug"], body=json.dumps(body), owner=author,
      author=author, caption=document["summary"][:%d], date_display=when.date(), first_published_at=when, last_published_at=when))
    ADDRESSES[document["slug"]] = f"/articles/{document['slug']}/"
"""
_PRETALX_SETTINGS = """
import os
FOLDER = BASE_DIR
os.environ["PRETALX_DATA_DIR"] = str(FOLDER / "data")
from pretalx.settings import *
DATABASES["default"] |= {"ENGINE": "django.db.backends.sqlite3", "NAME": str(FOLDER / "db.sqlite3")}
SECRET_KEY = "known to all: this site is read once and thrown away"
SITE_URL, SITE_NETLOC = "http://127.0.0.1", "127.0.0.1"
DEBUG = False
STATIC_ROOT, MEDIA_ROOT = FOLDER / "static", FOLDER / "media"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
INSTALLED_APPS.remove("whitenoise.runserver_nostatic")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = False
"""
_PRETALX_ADDRESSES = """
from pretalx.urls import urlpatterns
"""
_PRETALX_FILL = """
from django_scopes import scope, scopes_disabled
from pretalx.event.models import Event, Organiser
from pretalx.person.models import SpeakerProfile, User
from pretalx.schedule.models import Room
from pretalx.submission.models import Submission, Track
language = {"zh": "zh-hans", "pt": "pt-br"}.get(DOCUMENTS[0]["language"], DOCUMENTS[0]["language"])
start = datetime.date(2024, 9, 5)
with scopes_disabled():
    organiser = Organiser.objects.create(name="The Tide Tables", slug="tide")
    event = Event.objects.create(name="The Tide Tables", slug="tide", organiser=organiser, is_public=True, date_from=start,
      date_to=start + datetime.timedelta(days=2), timezone="UTC", email="ada@example.org", primary_color="#23695b",
      locale_array=language, locale=language, landing_page_text=DOCUMENTS[0]["summary"])
with scope(event=event):
    event.build_initial_data()
    event.display_settings["header_pattern"] = "topo"
    event.save()
    rooms = [Room.objects.create(event=event, name=name, position=place) for place, name in enumerate(("Harbour", "Ferry", "Workshop"))]
    tracks = [Track.objects.create(event=event, name=name, color=color) for name, color in (("Routes", "#3aa57c"), ("Charts", "#a5573a"))]
    speakers = [User.objects.create_user(name=name + " Quay", email=name.lower() + "@example.org", locale=language, timezone="UTC")
      for name in ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fatma", "Goro", "Hana", "Ivan", "Jana")]
    for speaker in speakers:
        SpeakerProfile.objects.create(user=speaker, event=event)
    talks = []
    for number, document in enumerate(DOCUMENTS):
        talk = Submission.objects.create(event=event, title=document["title"], submission_type=event.cfp.default_type,
          track=tracks[number %% 2], abstract=document["summary"][:%d], description=document["markdown"], content_locale=language)
        talk.speakers.add(speakers[number %% len(speakers)])
        talk.accept()
        talk.confirm()
        slot = talk.slots.get(schedule=event.wip_schedule)
        slot.room = rooms[number %% 3]
        slot.start = datetime.datetime(2024, 9, 5 + number // 9, 9 + number // 3 %% 3, tzinfo=datetime.timezone.utc)
        slot.end = slot.start + datetime.timedelta(minutes=45)
        slot.save()
        ADDRESSES[document["slug"]] = str(talk.urls.public)
    event.release_schedule("1.0")
"""
_DJEDDIT_SETTINGS = """
INSTALLED_APPS = [*(name for name in DJANGO if name != "django.contrib.flatpages"), "mptt", "crispy_forms", "meta", "djeddit"]
PROCESSORS += ["djeddit.context_processors.djeddit_settings"]
DJEDDIT_USER_FIELDS = ["username"]
META_SITE_PROTOCOL, META_SITE_DOMAIN, META_USE_TITLE_TAG = "http", "127.0.0.1", True
"""
_DJEDDIT_ADDRESSES = """
from django.conf.urls import include, url
urlpatterns = [url(r"", include("djeddit.urls"))]
"""
_DJEDDIT_FILL = """
from django.contrib.auth import get_user_model
from djeddit.models import Post, Thread, Topic
members = [get_user_model().objects.create_user(name) for name in ("ada", "bela", "chidi", "dora", "emil")]
topics = [Topic.objects.create(title=name) for name in ("Harbour", "Routes", "Workshop")]
for number, document in enumerate(DOCUMENTS):
    when, posts = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00"), []
    for place, text in enumerate(document["posts_text"]):
        above = posts[0 if place % 3 == 1 else place - 1] if place else None
        post = Post(content=text, created_by=members[(number + place) % 5], parent=above)
        post.upvotes = 40 - place  # the program shows the best ones first
        post.save()
        time = when + datetime.timedelta(hours=place)
        Post.objects.filter(pk=post.pk).update(created_on=time, modified_on=time)
        posts.append(Post.objects.get(pk=post.pk))
    thread = Thread.objects.create(title=document["title"], topic=topics[number % 3], op=posts[0])
    ADDRESSES[document["slug"]] = thread.get_absolute_url()
"""
FURTHER_APPLICATIONS = {
    "djangowiki": (_DJANGO_WIKI_SETTINGS, _DJANGO_WIKI_ADDRESSES, _DJANGO_WIKI_FILL),
    "coderedcms": (_CODERED_SETTINGS, _CODERED_ADDRESSES, _CODERED_FILL % LONGEST_CAPTION),
    "djeddit": (_DJEDDIT_SETTINGS, _DJEDDIT_ADDRESSES, _DJEDDIT_FILL),
    "pretalx": (_PRETALX_SETTINGS, _PRETALX_ADDRESSES, _PRETALX_FILL % LONGEST_CAPTION),
}


def start_coderedcms(project: Path) -> None:
    """Write the project that CodeRed CMS starts with: its kinds of pages, and its settings."""
    (project / "start").mkdir()
    program = project.parents[1].resolve() / "bin/coderedcms"
    run_program([str(program), "start", "tide", "start", "--sitename", NAME, "--domain", "localhost"], project)


def captioned_gold(document: SourceDocument) -> str:
    """Return the gold text of a page with a caption below the title."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary[:LONGEST_CAPTION], rest))
