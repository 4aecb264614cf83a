"""Settings of applications of Django: advertisements (django-classified), jobs (django-career-app), tickets (pretix), goods (Cartridge),
events (Joyous).

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

from benchmarks.sites.texts.documents import SourceDocument, gold_text

_CLASSIFIED_SETTINGS = """
INSTALLED_APPS = [*(name for name in DJANGO if name != "django.contrib.flatpages"), "django.contrib.sitemaps", "sorl.thumbnail",
  "django_classified"]
PROCESSORS += ["django_classified.context_processors.common_values"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
DCF_SITE_NAME, DCF_CURRENCY = "The Tide Tables", "EUR"
LOGIN_URL = "/login/"
"""
_CLASSIFIED_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("django_classified.urls", namespace="django_classified"))]
"""
_CLASSIFIED_FILL = """
from django.contrib.auth import get_user_model
from django_classified.models import Area, Group, Item, Profile, Section
users = [get_user_model().objects.create_user(name) for name in ("ada", "bela", "chidi", "dora", "emil")]
for number, user in enumerate(users):
    Profile.objects.create(user=user, phone="0100 55%d" % number)
areas = [Area.objects.create(slug=name.lower(), title=name) for name in ("Northport", "Seahaven", "Old Quay")]
sections = [Section.objects.create(title=name) for name in ("Boats", "Workshop")]
groups = [Group.objects.create(title=name, section=sections[place % 2]) for place, name in enumerate(("Sails", "Tools", "Ropes", "Lamps"))]
for number, document in enumerate(DOCUMENTS):
    item = Item.objects.create(slug=document["slug"], user=users[number % 5], group=groups[number % 4], area=areas[number % 3],
      title=document["title"][:100], description="\\n\\n".join(document["posts_text"]), price=document["price"])
    ADDRESSES[document["slug"]] = item.get_absolute_url()
"""
_PRETIX_SETTINGS = """
import os
from importlib.util import find_spec
FOLDER = BASE_DIR
os.environ["DATA_DIR"] = str(FOLDER / "data")
from pretix.settings import *
DATABASES["default"] = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(FOLDER / "db.sqlite3"), "ATOMIC_REQUESTS": False}
SECRET_KEY = "known to all: this site is read once and thrown away"
SITE_URL, ALLOWED_HOSTS = "http://127.0.0.1", ["*"]
DEBUG, HAS_REDIS, HAS_CELERY, CELERY_TASK_ALWAYS_EAGER = False, False, False, True
STATICFILES_DIRS = [os.path.join(os.path.dirname(find_spec("pretix").origin), "static.dist")]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = False
"""
_PRETIX_ADDRESSES = """
from pretix.multidomain.maindomain_urlconf import *
"""
_PRETIX_FILL = """
from decimal import Decimal
from django_scopes import scopes_disabled
from i18nfield.strings import LazyI18nString
from pretix.base.models import Event, Item, ItemCategory, Organizer, Quota
language = DOCUMENTS[0]["language"]
def escaped(text):
    return text.replace("{", "{{").replace("}", "}}")  # else they are names of values
with scopes_disabled():
    organizer = Organizer.objects.create(name="The Tide Tables", slug="tide")
    for number, document in enumerate(DOCUMENTS):
        start = datetime.datetime(2044, 5, 2, 18, tzinfo=datetime.timezone.utc) + datetime.timedelta(days=11 * number)
        event = Event.objects.create(organizer=organizer, name=document["title"], slug=document["slug"], currency="EUR", live=True,
          date_from=start, is_public=True, plugins="")
        event.set_defaults()
        for name, value in {"locale": language, "locales": [language], "timezone": "UTC", "show_times": True,
          "frontpage_text": LazyI18nString({language: escaped(document["html"])}), "contact_mail": "ada@example.org"}.items():
            event.settings.set(name, value)
        category = ItemCategory.objects.create(event=event, name="Tickets", position=0)
        for place, (name, words, price) in enumerate(document["tickets"]):
            item = Item.objects.create(event=event, name=name, description=words, default_price=Decimal(price), category=category,
              position=place, admission=True)
            quota = Quota.objects.create(event=event, name=name, size=100)
            quota.items.add(item)
        ADDRESSES[document["slug"]] = "/tide/" + document["slug"] + "/"
"""
_CAREER_SETTINGS = """
INSTALLED_APPS = [*(name for name in DJANGO if name != "django.contrib.flatpages"), "django.contrib.admin", "django_career_app"]
STORAGES = {"default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
  "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
"""
_CAREER_ADDRESSES = """
from django.contrib import admin
from django.urls import include, path
urlpatterns = [path("admin/", admin.site.urls), path("", include("django_career_app.urls"))]
"""
_CAREER_FILL = """
from django_career_app.models import CompanyProfile, JobPosting
company = CompanyProfile.objects.create(name="The Tide Tables", description=DOCUMENTS[0]["summary"])
for document in DOCUMENTS:
    job = JobPosting.objects.create(title=document["title"], description=document["markdown"], city=document["job"][0],
      department=document["job"][1], company_profile=company)
    ADDRESSES[document["slug"]] = "/job/%d/" % job.pk
"""
CARTRIDGE_SETTINGS = """
import locale
locale._override_localeconv = {"int_curr_symbol": "EUR ", "currency_symbol": "\u20ac", "mon_decimal_point": ".", "mon_thousands_sep": "",
  "mon_grouping": [], "int_frac_digits": 2, "frac_digits": 2, "p_cs_precedes": 1, "p_sep_by_space": 0, "p_sign_posn": 1,
  "n_sign_posn": 1, "positive_sign": "", "negative_sign": "-"}  # of no locale that the machine may lack
INSTALLED_APPS = [*INSTALLED_APPS[:INSTALLED_APPS.index("mezzanine.blog")], "cartridge.shop", "mezzanine.blog",
  *INSTALLED_APPS[INSTALLED_APPS.index("mezzanine.blog") + 1:]]
MIDDLEWARE += ["cartridge.shop.middleware.ShopMiddleware"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
SHOP_USE_RATINGS = SHOP_USE_RELATED_PRODUCTS = SHOP_USE_WISHLIST = True
"""
"""Further settings of Mezzanine."""
CARTRIDGE_ADDRESSES = """
from django.urls import include, path
from mezzanine.blog.views import blog_post_list
urlpatterns = [path("shop/", include("cartridge.shop.urls")), path("", blog_post_list, name="home"), path("", include("mezzanine.urls"))]
"""
CARTRIDGE_FILL = """
from decimal import Decimal
from cartridge.shop.models import Category, Product, ProductVariation
from mezzanine.pages.models import RichTextPage
shop = Category.objects.create(title="Shop")
categories = [Category.objects.create(title=name, parent=shop) for name in ("Charts", "Lanterns", "Ropes")]
for name in ("About us", "Shipping", "Contact"):
    RichTextPage.objects.create(title=name, content="<p>The Tide Tables</p>")
products = []
for number, document in enumerate(DOCUMENTS):
    product = Product.objects.create(title=document["title"], slug=document["slug"], content=document["html"], available=True, status=2,
      sku="TT-%04d" % (7 * number + 3), unit_price=Decimal(document["price"]), description=document["summary"], gen_description=False)
    product.categories.add(categories[number % 3])
    ProductVariation.objects.create(product=product, default=True, sku=product.sku, unit_price=product.unit_price, num_in_stock=9)
    products.append(product)
    ADDRESSES[document["slug"]] = product.get_absolute_url()
for number, product in enumerate(products):
    product.related_products.add(*(products[(number + step) % len(products)] for step in (1, 4, 9)))
"""
FILE_SERVER = """
import sys
from wsgiref.simple_server import make_server
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.contrib.staticfiles.views import serve
from django.core.wsgi import get_wsgi_application
class Handler(StaticFilesHandler):
    def serve(self, request):
        return serve(request, self.file_path(request.path), insecure=True)
make_server("127.0.0.1", int(sys.argv[1]), Handler(get_wsgi_application())).serve_forever()
"""
"""Serves an application whose own server would build its scripts first."""
_JOYOUS_SETTINGS = """
from django.urls import resolvers
compiled = resolvers.RegexPattern._compile
resolvers.RegexPattern._compile = lambda self, text: compiled(self, "(?i)" + text.replace("(?i)", "") if "(?i)" in text else text)
INSTALLED_APPS = [*(name for name in DJANGO if name != "django.contrib.flatpages"), "django.contrib.admin",
  "wagtail.contrib.forms", "wagtail.contrib.redirects", "wagtail.contrib.routable_page", "wagtail.contrib.modeladmin",
  "wagtail.users", "wagtail.sites", "wagtail.images", "wagtail.documents",
  "wagtail.embeds", "wagtail.snippets", "wagtail.search", "wagtail.admin", "wagtail.core", "taggit", "modelcluster", "ls.joyous"]
TEMPLATES[0]["DIRS"] = [str(BASE_DIR / "templates")]
STATICFILES_DIRS = ["/usr/share/javascript"]
WAGTAIL_SITE_NAME = "The Tide Tables"
LANGUAGE_CODE = {"zh": "zh-hans"}.get(LANGUAGE := json.load(open(BASE_DIR / "documents.json"))[0]["language"], LANGUAGE)
JOYOUS_THEME_CSS = "/static/joyous/css/joyous_forest_theme.css"
"""
_JOYOUS_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("wagtail.core.urls"))]
"""
_JOYOUS_FILL = """
from ls.joyous.models import CalendarPage, SimpleEventPage
from wagtail.core.models import Page, Site
calendar = CalendarPage(title="The Tide Tables", slug="calendar")
CalendarPage.is_creatable = True
Page.objects.get(depth=1).add_child(instance=calendar)
Site.objects.all().delete()
Site.objects.create(hostname="localhost", root_page=calendar, is_default_site=True)
for number, document in enumerate(DOCUMENTS):
    when = datetime.date.fromisoformat(document["published"])
    event = SimpleEventPage(title=document["title"], slug=document["slug"], details=document["html"], location=document["location"],
      date=when.replace(year=2044) if number % 2 else when, time_from=datetime.time(9 + number % 9),
      time_to=datetime.time(11 + number % 9))
    calendar.add_child(instance=event)
    ADDRESSES[document["slug"]] = "/%s/" % document["slug"]
"""
JOYOUS_PAGE = """{% load static %}<!DOCTYPE html>
<html lang="{{ LANGUAGE_CODE|default:'en' }}"><head><meta charset="utf-8"><title>{{ page.title }}</title>
<link rel="stylesheet" href="{% static 'bootstrap4/css/bootstrap.min.css' %}">{% block extra_css %}{% endblock %}</head>
<body class="{% block body_class %}{% endblock %}">
<nav class="navbar navbar-expand navbar-dark bg-success mb-4"><a class="navbar-brand" href="/">The Tide Tables</a>
<div class="navbar-nav"><a class="nav-link" href="/">Calendar</a><a class="nav-link" href="/past/">Past events</a>
<a class="nav-link" href="/contact/">Contact</a></div></nav>
<div class="container"><div class="row"><main class="col-8">{% block content %}{% endblock %}</main>
<aside class="col-4"><h4>Further events</h4><ul>{% for other in page.get_siblings|slice:"4:9" %}
<li><a href="{{ other.url }}">{{ other.title }}</a></li>{% endfor %}</ul>
<h4>Newsletter</h4><p>Once a month, about all that happens at the quay.</p></aside>
</div><footer class="border-top py-3 mt-4 text-muted">The Tide Tables, kept by the harbour of Quay</footer></div>
</body></html>
"""
"""The page around the events: the program has none."""
THREAD_APPLICATIONS = {
    "joyous": (_JOYOUS_SETTINGS, _JOYOUS_ADDRESSES, _JOYOUS_FILL),
    "career": (_CAREER_SETTINGS, _CAREER_ADDRESSES, _CAREER_FILL),
    "classified": (_CLASSIFIED_SETTINGS, _CLASSIFIED_ADDRESSES, _CLASSIFIED_FILL),
    "pretix": (_PRETIX_SETTINGS, _PRETIX_ADDRESSES, _PRETIX_FILL),
}
_PLACES = ("Northport", "Seahaven", "Old Quay", "Lantern Bay")
_DEPARTMENTS = ("Harbour office", "Workshop", "Ferries")
_TICKETS = ("Deck seat", "Cabin seat", "Family table", "Standing place")


def job(document: SourceDocument) -> tuple[str, str]:
    """Return the place and the department of a job."""
    number = int(document.slug[-2:])
    return _PLACES[number % 4], _DEPARTMENTS[number % 3]


def job_gold(document: SourceDocument) -> str:
    """Return the gold text of a job's page: its title, place and department above the description."""
    title, rest = gold_text(document).split("\n", 1)
    place, department = job(document)
    return "\n".join((title, f"Location: {place}", f"Department: {department}", rest))


def tickets(document: SourceDocument) -> list[tuple[str, str, str]]:
    """Return the tickets of an event: name, description, which only the second one has, and price."""
    number = int(document.slug[-2:])
    chosen = _TICKETS[number % 2 : 2 + number % 3]
    return [(name, document.summary if place == 1 else "", f"{6 + 5 * place + number}.00") for place, name in enumerate(chosen)]


def tickets_gold(document: SourceDocument) -> str:
    """Return the gold text of an event: its title and description, and below them the tickets."""
    lines = [line for name, words, price in tickets(document) for line in (name, words, f"€{price}") if line]
    return "\n".join((gold_text(document), "Tickets", *lines))


def goods_gold(document: SourceDocument, price: str) -> str:
    """Return the gold text of a product of Cartridge: its title and description, and below them its price."""
    return "\n".join((gold_text(document), f"€{price}"))


def advertisement_gold(document: SourceDocument, price: str) -> str:
    """Return the gold text of an advertisement: its title and price above the description."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, f"{price} €", rest))


def location(document: SourceDocument) -> str:
    """Return the place of an event."""
    number = int(document.slug[-2:])
    return f"{2 + number} Ferry Lane, {_PLACES[number % 4]}"


def event_gold(document: SourceDocument) -> str:
    """Return the gold text of an event: its title, its place and its description."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, location(document), rest))
