"""Boards of discussion: a forum (Misago), with its database (PostgreSQL)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import DJANGO_SERVER, describe, posts_html
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.shops_and_threads.events import database
from benchmarks.sites.texts.documents import SourceDocument

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
