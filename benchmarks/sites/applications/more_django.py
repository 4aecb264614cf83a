"""Settings of further applications of Django: a forum (PunkwebBB), a mail archive (HyperKitty), a blog (Zinnia).

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.sites.texts.documents import Part, part_gold

_PUNKWEB_SETTINGS = """
INSTALLED_APPS = [*(name for name in DJANGO if name != "django.contrib.flatpages"), "punkweb_bb"]
MIDDLEWARE += ["punkweb_bb.middleware.ProfileOnlineCacheMiddleware"]
PUNKWEB_BB = {"SITE_NAME": "The Tide Tables", "SITE_TITLE": "The Tide Tables", "SHOUTBOX_ENABLED": False}
"""
_PUNKWEB_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("forum/", include("punkweb_bb.urls"))]
"""
_PUNKWEB_FILL = """
from django.contrib.auth import get_user_model
from punkweb_bb.models import BoardProfile, Category, Post, Subcategory, Thread
joined = datetime.datetime(2023, 5, 2, 8, tzinfo=datetime.timezone.utc)
members = [get_user_model().objects.create_user(name, date_joined=joined) for name in ("ada", "bela", "chidi", "dora", "emil")]
for member, text in zip(members, ("Keeper of the harbour", "", "[i]Ropes and lanterns[/i]", "", "")):
    BoardProfile.objects.update_or_create(user=member, defaults={"signature": text})
board = Category.objects.create(name="The quay", slug="quay")
parts = [Subcategory.objects.create(category=board, name=name, slug=name.lower()) for name in ("Harbour", "Routes", "Workshop")]
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    first, *others = document["posts_bbcode"]
    thread = Thread.objects.create(subcategory=parts[number % 3], user=members[number % 5], title=document["title"], content=first)
    for place, text in enumerate(others, 1):
        post = Post.objects.create(thread=thread, user=members[(number + place) % 5], content=text)
        Post.objects.filter(pk=post.pk).update(created_at=when + datetime.timedelta(hours=5 * place))
    Thread.objects.filter(pk=thread.pk).update(created_at=when)
    ADDRESSES[document["slug"]] = thread.get_absolute_url()
"""
_HYPERKITTY_SETTINGS = """
import sys
INSTALLED_APPS = ["hyperkitty", "django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"),
  "rest_framework", "django_gravatar", "compressor", "haystack", "django_extensions", "django_q", "django_mailman3", "allauth",
  "allauth.account", "allauth.socialaccount"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware", "django_mailman3.middleware.TimezoneMiddleware",
  "allauth.account.middleware.AccountMiddleware"]
PROCESSORS += ["django.template.context_processors.debug", "django.template.context_processors.tz",
  "django_mailman3.context_processors.common", "hyperkitty.context_processors.common"]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder",
  "django.contrib.staticfiles.finders.AppDirectoriesFinder", "compressor.finders.CompressorFinder"]
HAYSTACK_CONNECTIONS["default"]["EXCLUDED_INDEXES"] = ["hyperkitty.search_indexes.EmailIndex"]
MAILMAN_REST_API_URL, MAILMAN_REST_API_USER, MAILMAN_REST_API_PASS = "http://127.0.0.1:9", "none", "none"
MAILMAN_ARCHIVER_KEY, MAILMAN_ARCHIVER_FROM = "known to all", ("127.0.0.1",)
HYPERKITTY_BATCH_MODE = True
HYPERKITTY_DISABLE_SINGLETON_TASKS = True
Q_CLUSTER = {"orm": "default", "sync": True}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
COMPRESS_ENABLED = False
COMPRESS_PRECOMPILERS = (("text/x-scss", str(Path(sys.executable).parent / "pysassc") + " {infile} {outfile}"),)
FILTER_VHOST = False
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_URL = "account_login", "hk_root", "account_logout"
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
GRAVATAR_SECURE = False
"""
_HYPERKITTY_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("hyperkitty/", include("hyperkitty.urls")), path("", include("django_mailman3.urls")),
  path("accounts/", include("allauth.urls"))]
"""
_HYPERKITTY_FILL = """
from email.message import EmailMessage
from django.contrib.sites.models import Site
from hyperkitty.lib.incoming import add_to_list
from hyperkitty.models import Email, MailingList
from hyperkitty.models.mailinglist import ArchiveRenderingMode
Site.objects.update(domain="127.0.0.1", name="The Tide Tables")
name = "tide@example.org"
MailingList.objects.create(name=name, display_name="The Tide Tables", description="Notes from the harbour",
  archive_rendering_mode=ArchiveRenderingMode.markdown.name)
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    for place, text in enumerate(document["posts_mail"]):
        sender, message = (number + place) % 4, EmailMessage()
        message["From"] = "%s Quay <quay%d@example.org>" % (("Ada", "Bela", "Chidi", "Dora")[sender], sender)
        message["To"], message["Message-ID"] = name, "<%s.%d@example.org>" % (document["slug"], place)
        message["Subject"] = ("Re: " if place else "") + document["title"]
        message["Date"] = (when + datetime.timedelta(hours=3 * place)).strftime("%a, %d %b %Y %H:%M:%S +0000")
        if place:
            message["In-Reply-To"] = "<%s.%d@example.org>" % (document["slug"], place - 1)
        message.set_content(text)
        add_to_list(name, message, from_import=True)
    thread = Email.objects.get(message_id="%s.0@example.org" % document["slug"]).thread
    ADDRESSES[document["slug"]] = "/hyperkitty/list/%s/thread/%s/?noscript&sort=date" % (name, thread.thread_id)
"""
_ZINNIA_SETTINGS = """
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "django_comments", "mptt",
  "tagging", "zinnia"]
PROCESSORS += ["zinnia.context_processors.version"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
USE_I18N = USE_L10N = True
ZINNIA_PING_DIRECTORIES, ZINNIA_PING_EXTERNAL_URLS, ZINNIA_SAVE_PING_DIRECTORIES = (), False, False
ZINNIA_MAIL_COMMENT_AUTHORS = False
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
"""
_ZINNIA_ADDRESSES = """
from django.conf.urls import include, url
from django.urls.resolvers import RegexPattern
compiled = RegexPattern._compile
RegexPattern._compile = lambda self, regex: compiled(self, regex.replace("(?u)", ""))  # later Pythons reject such a flag in the middle
urlpatterns = [url(r"^weblog/", include("zinnia.urls")), url(r"^comments/", include("django_comments.urls"))]
"""
_ZINNIA_FILL = """
from django.contrib.contenttypes.models import ContentType
from django.contrib.sites.models import Site
from django_comments.models import Comment
from zinnia.managers import PUBLISHED
from zinnia.models import Author, Category, Entry
site = Site.objects.get_current()
Site.objects.filter(pk=site.pk).update(domain="127.0.0.1", name="The Tide Tables")
author = Author.objects.create_user("ada", first_name="Ada", last_name="Quay")
entries = []
for document in DOCUMENTS:
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    entry = Entry.objects.create(title=document["title"], slug=document["slug"], content=document["html"], excerpt=document["summary"],
      tags=", ".join(document["tags"]), publication_date=when, status=PUBLISHED)
    entry.sites.add(site)
    entry.authors.add(author)
    category, _ = Category.objects.get_or_create(title=document["tags"][0].title(), slug=document["tags"][0].replace(" ", "-"))
    entry.categories.add(category)
    for place, text in enumerate(document["comments"]):
        Comment.objects.create(content_type=ContentType.objects.get_for_model(Entry), object_pk=str(entry.pk), site=site,
          user_name=("Bela", "Chidi", "Dora")[place % 3], user_email="reader@example.org", comment=text,
          submit_date=when + datetime.timedelta(hours=3 + place), is_public=True)
    Entry.objects.filter(pk=entry.pk).update(comment_count=len(document["comments"]), last_update=when)
    entries.append(entry)
    ADDRESSES[document["slug"]] = entry.get_absolute_url()
for number, entry in enumerate(entries):
    entry.related.add(*(entries[(number + step) % len(entries)] for step in (2, 7)))
"""
MORE_APPLICATIONS = {
    "punkweb": (_PUNKWEB_SETTINGS, _PUNKWEB_ADDRESSES, _PUNKWEB_FILL),
    "hyperkitty": (_HYPERKITTY_SETTINGS, _HYPERKITTY_ADDRESSES, _HYPERKITTY_FILL),
    "zinnia": (_ZINNIA_SETTINGS, _ZINNIA_ADDRESSES, _ZINNIA_FILL),
}


def to_bbcode(parts: Sequence[Part]) -> str:
    """Return parts in the markup of forums, which has no headings and no tables."""
    return "\n\n".join(_bbcode(part) for part in parts)


def to_mail(parts: Sequence[Part]) -> str:
    """Return parts as people write them in mail: headings are lines of their own, cells have a bar between them."""
    return "\n\n".join(_mail(part) for part in parts)


def _mail(part: Part) -> str:
    if part.kind == "code":
        return "```\n" + "\n".join(row[0] for row in part.rows) + "\n```"
    rows = [" | ".join(line for cell in row for line in part_gold(replace(part, rows=((cell,),)))) for row in part.rows]
    match part.kind:
        case "bullets":
            return "\n".join(f"* {row}" for row in rows)
        case "steps":
            return "\n".join(f"{number}. {row}" for number, row in enumerate(rows, 1))
        case "quote":
            return "\n".join(f"> {row}" for row in rows)
        case _:
            return "\n".join(rows)


def _bbcode(part: Part) -> str:
    rows = [" | ".join(_inline(cell) for cell in row) for row in part.rows]
    match part.kind:
        case "heading":
            return f"[size=5][b]{rows[0]}[/b][/size]"
        case "bullets" | "steps":
            tag = "ol" if part.kind == "steps" else "ul"
            return f"[{tag}]" + "".join(f"[li]{row}[/li]" for row in rows) + f"[/{tag}]"
        case "code":
            return f"[code={part.language}]" + "\n".join(row[0] for row in part.rows) + "[/code]"
        case "quote":
            return f"[quote]{rows[0]}[/quote]"
        case _:
            return "\n".join(rows)


def _inline(text: str) -> str:
    """Return inline Markdown as BBCode."""
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"[url=\2]\1[/url]", text)
    text = re.sub(r"\*\*([^*]*)\*\*", r"[b]\1[/b]", text)
    return re.sub(r"`([^`]*)`", r"[font=monospace]\1[/font]", text)
