"""Sites of Django's applications: a forum (django-machina), a shop (django-oscar) and a blog (Mezzanine), each with its own theme.

The settings of further ones are in `forum_and_cms`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.forum_and_cms import PUPUT, SPIRIT
from benchmarks.sites.applications.further_django import FURTHER_APPLICATIONS, start_coderedcms
from benchmarks.sites.applications.more_django import MORE_APPLICATIONS, to_bbcode, to_mail
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.applications.shop_and_questions import ASKBOT, SHUUP, described_gold, install_jinja, start_askbot
from benchmarks.sites.applications.trackers import message_texts
from benchmarks.sites.builders.application_django import BUILT_APPLICATIONS
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.django_settings import PAGE_APPLICATIONS
from benchmarks.sites.programs.publications.django_settings import PUBLICATION_APPLICATIONS
from benchmarks.sites.programs.publishing_sites.django_sites import PUBLISHED_APPLICATIONS
from benchmarks.sites.programs.shops_and_threads.django_settings import (
    CARTRIDGE_ADDRESSES,
    CARTRIDGE_FILL,
    CARTRIDGE_SETTINGS,
    THREAD_APPLICATIONS,
    job,
    location,
    tickets,
)
from benchmarks.sites.texts.documents import Part, SourceDocument, gold_text, to_html, to_markdown

POSTS = 4
"""Parts of a document that are one post of a thread."""
DJANGO_SERVER = ("-m", "django", "runserver", "--noreload", "--insecure")

_SETTINGS = """
import json
from pathlib import Path
BASE_DIR = Path(__file__).parent
SECRET_KEY = "known to all: this site is read once and thrown away"
ALLOWED_HOSTS = ["*"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(BASE_DIR / "db.sqlite3")}}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
ROOT_URLCONF = "urls"
STATIC_URL = "/static/"
STATIC_ROOT = str(BASE_DIR / "static")
MEDIA_ROOT = str(BASE_DIR / "media")
MEDIA_URL = "/media/"
TIME_ZONE = "UTC"
USE_TZ = True
SITE_ID = 1
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
  "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"]
PROCESSORS = ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
  "django.template.context_processors.static", "django.template.context_processors.media",
  "django.contrib.messages.context_processors.messages", "django.template.context_processors.i18n"]
DJANGO = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.sites",
  "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.humanize", "django.contrib.flatpages"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "DIRS": [],
  "OPTIONS": {"context_processors": PROCESSORS}}]
"""
_START = """
import json, datetime, django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
DOCUMENTS = json.load(open("documents.json"))
ADDRESSES = {}
"""
_END = """
json.dump(ADDRESSES, open("addresses.json", "w"))
"""
_FORUM_SETTINGS = """
from machina import MACHINA_MAIN_TEMPLATE_DIR, MACHINA_MAIN_STATIC_DIR
INSTALLED_APPS = [*DJANGO, "mptt", "haystack", "widget_tweaks", "machina", "machina.apps.forum", "machina.apps.forum_conversation",
  "machina.apps.forum_conversation.forum_attachments", "machina.apps.forum_conversation.forum_polls", "machina.apps.forum_feeds",
  "machina.apps.forum_moderation", "machina.apps.forum_search", "machina.apps.forum_tracking", "machina.apps.forum_member",
  "machina.apps.forum_permission"]
MIDDLEWARE += ["machina.apps.forum_permission.middleware.ForumPermissionMiddleware"]
PROCESSORS += ["machina.core.context_processors.metadata"]
TEMPLATES[0]["DIRS"] = [MACHINA_MAIN_TEMPLATE_DIR]
STATICFILES_DIRS = [MACHINA_MAIN_STATIC_DIR]
CACHES = {name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"} for name in ("default", "machina_attachments")}
MACHINA_MARKUP_LANGUAGE = ("markdown2.markdown", {"extras": ["tables", "fenced-code-blocks", "cuddled-lists", "code-friendly"]})
MACHINA_TOPIC_POSTS_NUMBER_PER_PAGE = 100
"""
_FORUM_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("machina.urls"))]
"""
_FORUM_FILL = """
from django.contrib.auth import get_user_model
from machina.core.db.models import get_model
members = [get_user_model().objects.create_user(name) for name in ("ada", "bela", "chidi", "dora", "emil")]
Forum, Topic, Post = get_model("forum", "Forum"), get_model("forum_conversation", "Topic"), get_model("forum_conversation", "Post")
Permission, Granted = get_model("forum_permission", "ForumPermission"), get_model("forum_permission", "UserForumPermission")
for name in ("can_see_forum", "can_read_forum"):
    Granted.objects.create(permission=Permission.objects.get(codename=name), anonymous_user=True, has_perm=True)
forums = [Forum.objects.create(name=name, type=Forum.FORUM_POST) for name in ("Harbour", "Routes", "Workshop")]
for number, document in enumerate(DOCUMENTS):
    topic = Topic.objects.create(forum=forums[number % 3], poster=members[number % 5], subject=document["title"], type=0, status=0,
      approved=True)
    for place, text in enumerate(document["posts"]):
        subject = document["title"] if not place else "Re: " + document["title"]
        Post.objects.create(topic=topic, poster=members[(number + place) % 5], subject=subject[:255], content=text, approved=True)
    ADDRESSES[document["slug"]] = f"/forum/{topic.forum.slug}-{topic.forum.id}/topic/{topic.slug}-{topic.id}/"
when = datetime.datetime(2024, 3, 1, 8, tzinfo=datetime.timezone.utc)
Post.objects.update(created=when, updated=when)
"""
_SHOP_SETTINGS = """
from oscar.defaults import *
INSTALLED_APPS = ["django.contrib.admin", *DJANGO, "oscar.config.Shop", "oscar.apps.analytics.apps.AnalyticsConfig",
  "oscar.apps.checkout.apps.CheckoutConfig", "oscar.apps.address.apps.AddressConfig", "oscar.apps.shipping.apps.ShippingConfig",
  "oscar.apps.catalogue.apps.CatalogueConfig", "oscar.apps.catalogue.reviews.apps.CatalogueReviewsConfig",
  "oscar.apps.communication.apps.CommunicationConfig", "oscar.apps.partner.apps.PartnerConfig",
  "oscar.apps.basket.apps.BasketConfig", "oscar.apps.payment.apps.PaymentConfig", "oscar.apps.offer.apps.OfferConfig",
  "oscar.apps.order.apps.OrderConfig", "oscar.apps.customer.apps.CustomerConfig", "oscar.apps.search.apps.SearchConfig",
  "oscar.apps.voucher.apps.VoucherConfig", "oscar.apps.wishlists.apps.WishlistsConfig",
  "oscar.apps.dashboard.apps.DashboardConfig", "oscar.apps.dashboard.reports.apps.ReportsDashboardConfig",
  "oscar.apps.dashboard.users.apps.UsersDashboardConfig", "oscar.apps.dashboard.orders.apps.OrdersDashboardConfig",
  "oscar.apps.dashboard.catalogue.apps.CatalogueDashboardConfig", "oscar.apps.dashboard.offers.apps.OffersDashboardConfig",
  "oscar.apps.dashboard.partners.apps.PartnersDashboardConfig", "oscar.apps.dashboard.pages.apps.PagesDashboardConfig",
  "oscar.apps.dashboard.ranges.apps.RangesDashboardConfig", "oscar.apps.dashboard.reviews.apps.ReviewsDashboardConfig",
  "oscar.apps.dashboard.vouchers.apps.VouchersDashboardConfig",
  "oscar.apps.dashboard.communications.apps.CommunicationsDashboardConfig",
  "oscar.apps.dashboard.shipping.apps.ShippingDashboardConfig",
  "widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2"]
MIDDLEWARE += ["oscar.apps.basket.middleware.BasketMiddleware"]
PROCESSORS += ["oscar.apps.search.context_processors.search_form", "oscar.apps.checkout.context_processors.checkout",
  "oscar.apps.communication.notifications.context_processors.notifications", "oscar.core.context_processors.metadata"]
LANGUAGE_CODE = "en-gb"
OSCAR_SHOP_NAME = "The Tide Tables"
OSCAR_DEFAULT_CURRENCY = "EUR"
"""
_SHOP_ADDRESSES = """
from django.apps import apps
from django.urls import include, path
urlpatterns = [path("i18n/", include("django.conf.urls.i18n")), path("", include(apps.get_app_config("oscar").urls[0]))]
"""
_SHOP_FILL = """
from decimal import Decimal
from oscar.core.loading import get_model
Product, Kind, Category = (get_model("catalogue", name) for name in ("Product", "ProductClass", "Category"))
kind = Kind.objects.create(name="Goods", track_stock=False)
partner = get_model("partner", "Partner").objects.create(name="Quay")
categories = [Category.add_root(name=name) for name in ("Charts", "Lanterns", "Ropes")]
products = []
for number, document in enumerate(DOCUMENTS):
    product = Product.objects.create(title=document["title"], description=document["html"], upc=document["slug"], product_class=kind)
    product.categories.add(categories[number % 3])
    get_model("partner", "StockRecord").objects.create(product=product, partner=partner, partner_sku=document["slug"],
      price=Decimal(document["price"]))
    products.append(product)
    ADDRESSES[document["slug"]] = f"/catalogue/{product.slug}_{product.id}/"
for number, product in enumerate(products):
    for step in (1, 5, 9):
        other = products[(number + step) % len(products)]
        get_model("catalogue", "ProductRecommendation").objects.create(primary=product, recommendation=other)
"""
_BLOG_SETTINGS = """
from mezzanine.utils.conf import set_dynamic_settings
USE_MODELTRANSLATION = False
USE_I18N = True
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "django.contrib.redirects",
  "django.contrib.sitemaps", "mezzanine.boot", "mezzanine.conf", "mezzanine.core", "mezzanine.generic", "mezzanine.pages",
  "mezzanine.blog", "mezzanine.forms", "mezzanine.galleries", "filebrowser_safe", "grappelli_safe", "django_comments"]
PACKAGE_NAME_FILEBROWSER, PACKAGE_NAME_GRAPPELLI = "filebrowser_safe", "grappelli_safe"
COMMENTS_APP = "mezzanine.generic"
MIDDLEWARE += ["mezzanine.core.request.CurrentRequestMiddleware", "mezzanine.pages.middleware.PageMiddleware"]
PROCESSORS += ["mezzanine.conf.context_processors.settings", "mezzanine.pages.context_processors.page"]
TEMPLATES[0]["OPTIONS"]["builtins"] = ["mezzanine.template.loader_tags"]
AUTHENTICATION_BACKENDS = ["mezzanine.core.auth_backends.MezzanineBackend"]
SITE_TITLE = "The Tide Tables"
RICHTEXT_FILTER_LEVEL = 3
NEVERCACHE_KEY = "known to all"
LANGUAGE_CODE = "en"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
set_dynamic_settings(globals())
"""
_BLOG_ADDRESSES = """
from django.urls import include, path
from mezzanine.blog.views import blog_post_list
urlpatterns = [path("", blog_post_list, name="home"), path("", include("mezzanine.urls"))]
"""
_BLOG_FILL = """
from django.contrib.auth import get_user_model
from mezzanine.blog.models import BlogCategory, BlogPost
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay")
for document in DOCUMENTS:
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    post = BlogPost.objects.create(title=document["title"], slug=document["slug"], content=document["html"], user=author, status=2,
      publish_date=when, description=document["summary"], gen_description=False)
    category, _ = BlogCategory.objects.get_or_create(title=document["tags"][0].title())
    post.categories.add(category)
    ADDRESSES[document["slug"]] = f"/blog/{post.slug}/"
"""
_APPLICATIONS = {
    "machina": (_FORUM_SETTINGS, _FORUM_ADDRESSES, _FORUM_FILL),
    "oscar": (_SHOP_SETTINGS, _SHOP_ADDRESSES, _SHOP_FILL),
    "mezzanine": (_BLOG_SETTINGS, _BLOG_ADDRESSES, _BLOG_FILL),
    "spirit": SPIRIT,
    "puput": PUPUT,
    **MORE_APPLICATIONS,
    "shuup": SHUUP,
    "askbot": ASKBOT,
    **FURTHER_APPLICATIONS,
    **BUILT_APPLICATIONS,
    **PUBLISHED_APPLICATIONS,
    **THREAD_APPLICATIONS,
    **PUBLICATION_APPLICATIONS,
    **PAGE_APPLICATIONS,
    "cartridge": (_BLOG_SETTINGS + CARTRIDGE_SETTINGS, CARTRIDGE_ADDRESSES, CARTRIDGE_FILL),
}
"""Settings, addresses, and what puts the documents in, for the Python that has the application."""


def write_application(project: Path, name: str, documents: Sequence[SourceDocument]) -> None:
    """Write the settings of an application, and the documents: as a thread of posts, a product or an article."""
    settings, addresses, fill = _APPLICATIONS[name]
    write_text(project / "settings.py", _SETTINGS + settings)
    write_text(project / "urls.py", addresses)
    write_text(project / "fill.py", _START + fill + _END)
    written = [
        describe(document)
        | {
            "html": to_html(document),
            "markdown": to_markdown(document),
            "posts_html": posts_html(document),
            "posts_bbcode": [to_bbcode(parts) for parts in _posts(document)],
            "posts_text": message_texts(document),
            "posts_mail": [to_mail(parts) for parts in _posts(document)],
            "comments": [documents[(number + step) % len(documents)].summary for step in range(1, 2 + number % 3)],
            "price": price(document),
            "tickets": tickets(document),
            "job": job(document),
            "location": location(document),
        }
        for number, document in enumerate(documents)
    ]
    write_text(project / "documents.json", json.dumps(written))


def describe(document: SourceDocument) -> dict[str, object]:
    """Return a document as applications get it: its names, and its parts as posts in Markdown."""
    return {
        "slug": document.slug,
        "title": document.title,
        "language": document.language,
        "summary": document.summary,
        "published": str(document.published),
        "tags": document.tags,
        "posts": posts(document),
    }


def build_application(project: Path, server: Sequence[str] = DJANGO_SERVER) -> None:
    """Fill the application's database and read its pages; `server` are the arguments of Python before the port."""
    python = project.parents[1].resolve() / "bin/python"
    port = free_port()
    paths = {"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": str(project.resolve())}
    run_tool([str(python), "fill.py"], project, paths)
    pages = {f"{slug}.html": address for slug, address in json.loads((project / "addresses.json").read_text("utf-8")).items()}
    save_pages(project, [str(python), *server, str(port)], port, pages, paths)


def build_askbot(project: Path) -> None:
    """Start a site of questions, fill it and read its pages."""
    start_askbot(project)
    build_application(project)


def build_coderedcms(project: Path) -> None:
    """Start a site of the CMS, fill it and read its pages."""
    start_coderedcms(project)
    build_application(project)


def build_shuup(project: Path) -> None:
    """Fill the shop and read its pages."""
    install_jinja(project)
    build_application(project)


def shuup_gold(document: SourceDocument) -> str:
    """Return the gold text of a product with its short description."""
    return described_gold(document, price(document))


def price(document: SourceDocument) -> str:
    """Return what a product costs."""
    return f"{4 + int(document.slug[-2:]) * 7}.50"


def product_gold(document: SourceDocument) -> str:
    """Return the gold text of a product: its title and price above the description."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, f"€{price(document)}", rest))


def posts(document: SourceDocument) -> list[str]:
    """Return the posts of a document's thread, in Markdown."""
    return [to_markdown(_with(document, parts)) for parts in _posts(document)]


def posts_html(document: SourceDocument) -> list[str]:
    """Return the posts of a document's thread, in HTML."""
    return [to_html(_with(document, parts)) for parts in _posts(document)]


def _posts(document: SourceDocument) -> list[tuple[Part, ...]]:
    return [document.parts[start : start + POSTS] for start in range(0, len(document.parts), POSTS)]


def _with(document: SourceDocument, parts: tuple[Part, ...]) -> SourceDocument:
    return SourceDocument(document.slug, document.title, document.language, document.published, document.tags, document.summary, parts)
