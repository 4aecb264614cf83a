"""Forums: FlaskBB, with the libraries that its release declares replaced by later ones, and Misago, with its database (PostgreSQL)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import DJANGO_SERVER, describe, posts_html
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.shops_and_threads.events import database
from benchmarks.sites.programs.shops_and_threads.layout import without_fonts
from benchmarks.sites.texts.documents import SourceDocument

FLASKBB = "flaskbb==2.0.2"
"""Installed without the libraries that it declares, which later Pythons do not run."""
FLASKBB_PACKAGES = (
    *("Flask==1.1.4", "Werkzeug==0.16.1", "Jinja2==2.11.3", "itsdangerous==1.1.0", "MarkupSafe==2.0.1", "click==7.1.2"),
    *("SQLAlchemy==1.3.24", "Flask-SQLAlchemy==2.5.1", "Flask-Login==0.5.0", "Flask-WTF==0.14.3", "Flask-Whooshee==0.8.2"),
    *("flask-allows==0.7.1", "Flask-BabelPlus==2.2.0", "flask-themes2==0.1.5", "mistune==0.8.4", "alembic==1.7.7", "Flask-Alembic==2.0.1"),
    *("celery==5.0.5", "pluggy==0.13.1", "redis==3.5.3", "limits==1.6", "Flask-Limiter==1.4", "Flask-DebugToolbar==0.11.0"),
    *("Flask-Redis==0.4.0", "Flask-Caching==1.10.1", "Flask-Mail==0.9.1", "simplejson==4.3.0", "Pygments==2.19.2", "Unidecode==1.4.0"),
    *(
        "click-log==0.3.2",
        "WTForms==2.3.3",
        "requests==2.34.2",
        "Babel==2.9.1",
        "setuptools<81",
        "speaklater==1.3",
        "email_validator==2.4.0",
    ),
    *("SQLAlchemy-Utils==0.41.2", "python-dateutil==4.0.0", "blinker==1.9.0", "attrs==26.1.0", "Pillow==13.0.0"),
)
_SETTINGS = """
SQLALCHEMY_DATABASE_URI = "sqlite:///%s/site.sqlite3"
SECRET_KEY = WTF_CSRF_SECRET_KEY = "known to all: this site is read once and thrown away"
LOG_DEFAULT_CONF = {"version": 1}
RATELIMIT_ENABLED = False
"""
_START = """
import collections, collections.abc, json, os, sys
for name in ("Callable", "Mapping", "MutableMapping", "MutableSet", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))  # where its libraries look for them
from flaskbb import create_app
application = create_app(os.path.abspath("settings.cfg"))
"""
_FILL = """
from datetime import datetime, timedelta, timezone
from flaskbb.extensions import db
from flaskbb.forum.models import Category, Forum, Post, Topic
from flaskbb.user.models import User
from flaskbb.utils.populate import create_default_groups, create_default_settings
from flaskbb.utils.settings import flaskbb_config
documents, addresses = json.load(open("documents.json")), {}
begin = datetime(2023, 9, 1, 8, tzinfo=timezone.utc)
with application.test_request_context():
    db.create_all()
    groups = create_default_groups()
    create_default_settings()
    language = documents[0]["language"]
    flaskbb_config.update({"project_title": %r, "project_subtitle": "Harbour, routes and boats", "posts_per_page": 100,
      "default_language": language if language in ("de", "fr", "es", "ru", "zh_CN") else "en"})
    users = [User(username=name, email=name + "@example.org", password="quay-ada-1854", activated=True, primary_group_id=groups[place].id,
      date_joined=begin, signature=words) for place, name, words in ((3, "ada", "*Fair winds.*"), (3, "bela", "*The tide waits.*"),
      (1, "chidi", ""), (3, "dora", "*Mind the rope!*"), (3, "emil", ""))]
    for user in users:
        user.save()
    category = Category(title="Boards", position=1).save()
    forums = [Forum(title=name, description="", category_id=category.id).save() for name in ("Harbour", "Routes", "Workshop")]
    for number, document in enumerate(documents):
        when = datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
        first, *others = document["posts"]
        topic = Topic(title=document["title"])
        topic.save(user=users[number %% 5], forum=forums[number %% 3], post=Post(content=first))
        for place, text in enumerate(others, 1):
            Post(content=text).save(user=users[(number + place) %% 5], topic=topic)
        for place, post in enumerate(Post.query.filter_by(topic_id=topic.id).order_by(Post.id)):
            post.date_created = when + timedelta(hours=3 * place)
        topic.date_created = topic.last_updated = when
        db.session.commit()
        addresses[document["slug"]] = topic.url
json.dump(addresses, open("addresses.json", "w"))
"""
_SERVER = """
application.run("127.0.0.1", int(sys.argv[1]))
"""
_MISAGO_SETTINGS = """
import json, os
from pathlib import Path
os.environ.pop("IN_MISAGO_DOCKER", None)  # else it adds its toolbar of debugging
from devproject.settings import *
FOLDER = Path(__file__).parent
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "site", "USER": "postgres", "HOST": os.environ["SERVICES"]}}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
SECRET_KEY = "known to all: this site is read once and thrown away"
ALLOWED_HOSTS = ["*"]
MEDIA_ROOT, STATIC_ROOT = str(FOLDER / "media"), str(FOLDER / "static")
MISAGO_AVATAR_GALLERY = None
LANGUAGE_CODE = {"en": "en-us"}.get(LANGUAGE := json.load(open(FOLDER / "documents.json"))[0]["language"], LANGUAGE)
"""
_MISAGO_FILL = """
import json
from datetime import datetime, timedelta
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
from misago.categories.models import Category, RoleCategoryACL
from misago.conf.models import Setting
from misago.threads.checksums import update_post_checksum
from misago.threads.test import post_thread, reply_thread
from misago.users.avatars import dynamic
from misago.users.models import Rank
from misago.users.test import create_test_user
for name, value in {"forum_name": "The Tide Tables", "forum_branding_text": "The Tide Tables",
  "forum_footnote": "Kept by the harbour of Quay", "posts_per_page": "60"}.items():
    Setting.objects.filter(setting=name).update(dry_value=value)
users = [create_test_user(name, name + "@example.org", "quay-ada-1854", title=title, signature="<p>%s</p>" % words if words else None,
  signature_parsed="<p>%s</p>" % words if words else None) for name, title, words in (("ada", "Harbour master", "Fair winds."),
  ("bela", "", ""), ("chidi", "Pilot", ""), ("dora", "", "Mind the rope!"), ("emil", "", ""))]
for user in users:
    dynamic.set_avatar(user)
    user.save()
first = Category.objects.get(slug="first-category")
Category.objects.filter(pk=first.pk).update(name="Harbour", slug="harbour")
categories = [Category.objects.get(pk=first.pk)]
for name in ("Routes", "Workshop"):
    category = Category(name=name, slug=name.lower())
    category.insert_at(Category.objects.root_category(), position="last-child", save=True)
    for role in RoleCategoryACL.objects.filter(category=first):
        RoleCategoryACL.objects.create(category=category, role=role.role, category_role=role.category_role)
    categories.append(category)
addresses = {}
for number, document in enumerate(json.load(open("documents.json"))):
    when = datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    texts = document["posts_html"]
    category = Category.objects.get(pk=categories[number % 3].pk)
    thread = post_thread(category, title=document["title"], poster=users[number % 5], started_on=when)
    post = thread.first_post
    post.original = post.parsed = texts[0]
    update_post_checksum(post)
    post.save()
    for place, text in enumerate(texts[1:], 1):
        reply_thread(thread, poster=users[(number + place) % 5], message=text, posted_on=when + timedelta(hours=5 * place))
    addresses[document["slug"]] = thread.get_absolute_url()
json.dump(addresses, open("addresses.json", "w"))
"""


def write_flaskbb(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a forum's settings and topics, each a document whose parts are posts in Markdown."""
    del theme
    write_text(project / "settings.cfg", _SETTINGS % project.resolve())
    write_text(project / "fill.py", _START + _FILL % NAME)
    write_text(project / "server.py", _START + _SERVER)
    write_text(project / "documents.json", json.dumps([describe(document) for document in documents]))


def build_flaskbb(project: Path) -> None:
    """Install the program, fill its database and read the topics."""
    programs, port = project.parents[1].resolve() / "bin", free_port()
    run_program([str(programs / "pip"), "install", "-q", "--disable-pip-version-check", "--no-deps", FLASKBB], project)
    run_tool([str(programs / "python"), "fill.py"], project)
    pages = {f"{slug}.html": address for slug, address in json.loads((project / "addresses.json").read_text("utf-8")).items()}
    save_pages(project, [str(programs / "python"), "server.py", str(port)], port, pages)
    for path in (project / "html").glob("*.html"):
        path.write_text(without_fonts(path.read_text("utf-8")), "utf-8")


def write_misago(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the settings of a forum, and threads whose posts are the parts of a document."""
    del theme
    written = [describe(document) | {"posts_html": posts_html(document)} for document in documents]
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "settings.py", _MISAGO_SETTINGS)
    write_text(project / "fill.py", _MISAGO_FILL)


def build_misago(project: Path) -> None:
    """Fill the forum's database and read the threads."""
    python, port, folder = str(project.parents[1].resolve() / "bin/python"), free_port(), project.resolve()
    with database(folder) as services:
        paths = {"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": str(folder), "SERVICES": services}
        run_tool([python, "fill.py"], folder, paths)
        pages = {f"{slug}.html": address for slug, address in json.loads((folder / "addresses.json").read_text("utf-8")).items()}
        save_pages(folder, [python, *DJANGO_SERVER, str(port)], port, pages, paths)
