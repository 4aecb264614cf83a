"""Settings of further applications of Django: a shop (Shuup) and questions with answers (Askbot)."""

from __future__ import annotations

from pathlib import Path

from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, gold_text

SHUUP_PACKAGES = ("shuup==3.1.0", "MarkupSafe==2.0.1", "setuptools<81")
_LATER_JINJA = "Jinja2==2.11.3"
"""Shuup declares an older one, which later Pythons do not run."""
_SHUUP_SETTINGS = """
import collections, collections.abc, enum, os
for name in ("Callable", "Mapping", "MutableMapping", "MutableSet", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))  # where the packages that it declares look for them
class Names(dict):
    remove = dict.pop  # they take the names of an enumeration for a list
begin = enum._EnumDict.__init__
def _begin(self):
    begin(self)
    self._member_names = Names()
enum._EnumDict.__init__ = _begin
os.environ["SHUUP_WORKBENCH_BASE_DIR"] = str(BASE_DIR / "work")
(BASE_DIR / "work").mkdir(exist_ok=True)
from shuup_workbench.settings.base_settings import *
DATABASES["default"]["NAME"] = str(Path(__file__).parent / "db.sqlite3")
SECRET_KEY = "known to all: this site is read once and thrown away"
DEBUG = True
ROOT_URLCONF = "urls"
LOGGING = {"version": 1}
SHUUP_ALLOW_HTML_IN_PRODUCT_DESCRIPTION = SHUUP_ADMIN_ALLOW_HTML_IN_PRODUCT_DESCRIPTION = True
SHUUP_TELEMETRY_ENABLED = False
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
"""
_SHUUP_ADDRESSES = """
from shuup_workbench.urls import urlpatterns
"""
_SHUUP_FILL = """
call_command("shuup_init")
from shuup.core.models import (Category, CategoryStatus, CategoryVisibility, CustomerTaxGroup, Manufacturer, Product, ProductCrossSell,
  ProductCrossSellType, ProductType, SalesUnit, Shop, ShopProduct, ShopProductVisibility, Supplier, SupplierModule, TaxClass)
shop = Shop.objects.first()
shop.name = shop.public_name = "The Tide Tables"
shop.currency, shop.prices_include_tax, shop.domain = "EUR", True, "127.0.0.1"
shop.save()
from shuup.xtheme.models import Snippet, SnippetType
Snippet.objects.create(shop=shop, location="head_end", snippet_type=SnippetType.InlineCSS,
  snippet=".owl-carousel { display: flex !important } .owl-carousel > * { width: 25% }")  # as its script lays them out
tax = TaxClass.objects.create(identifier="default", name="Goods")
categories = []
for name in ("Charts", "Lanterns", "Ropes"):
    category = Category.objects.create(identifier=name.lower(), name=name, status=CategoryStatus.VISIBLE,
      visibility=CategoryVisibility.VISIBLE_TO_ALL)
    category.shops.add(shop)
    categories.append(category)
Category.objects.rebuild()
maker, supplier = Manufacturer.objects.create(name="Quay and Daughters"), Supplier.objects.first()
supplier.supplier_modules.add(SupplierModule.objects.get_or_create(module_identifier="simple_supplier")[0])
products = []
for number, document in enumerate(DOCUMENTS):
    product = Product.objects.create(type=ProductType.objects.get(identifier="default"), tax_class=tax, sku="TT-%04d" % (7 * number + 3),
      name=document["title"], slug=document["slug"], short_description=document["summary"], description=document["html"],
      sales_unit=SalesUnit.objects.first(), manufacturer=maker, width=10, height=20, depth=5)
    offer = ShopProduct.objects.create(product=product, shop=shop, default_price=shop.create_price(document["price"]),
      visibility=ShopProductVisibility.ALWAYS_VISIBLE, primary_category=categories[number % 3])
    offer.categories.add(categories[number % 3])
    offer.suppliers.add(supplier)
    products.append(product)
    ADDRESSES[document["slug"]] = "/p/%d-%s/" % (product.pk, product.slug)
for number, product in enumerate(products):
    for step, kind in ((1, "RECOMMENDED"), (4, "RECOMMENDED"), (6, "RELATED"), (9, "RELATED")):
        other = products[(number + step) % len(products)]
        ProductCrossSell.objects.create(product1=product, product2=other, type=getattr(ProductCrossSellType, kind))
call_command("reindex_product_catalog")
"""
ASKBOT_PACKAGES = ("askbot==0.13.0", "Django==5.2.19", "setuptools<81")
_ASKBOT_START = ["--noinput", "--force", "-r", "start", "--proj-name", "tide", "-e", "sqlite", "-d", "db.sqlite3", "--admin-name", "Ada"]
_ASKBOT_START += ["--admin-email", "ada@example.org", "--domain-name", "tide.example.org", "--language-code", "en", "--timezone", "UTC"]
_ASKBOT_START += ["--log-file-path", "stdout"]
_ASKBOT_SETTINGS = """
import sys
sys.path.insert(0, str(BASE_DIR / "start"))
from tide.settings import *
DATABASES["default"]["NAME"] = str(Path(__file__).parent / "db.sqlite3")
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
RATELIMIT_ENABLE = False
ALLOWED_HOSTS = ["*"]
DEBUG = True  # without it each page warns of the server
SILENCED_SYSTEM_CHECKS = ["askbot.W001", "askbot.W002", "django_recaptcha.recaptcha_test_key_error"]
ROOT_URLCONF = "urls"
"""
_ASKBOT_ADDRESSES = """
from tide.urls import urlpatterns
"""
_ASKBOT_FILL = """
from askbot.conf import settings
from askbot.models import User
settings.update("APP_TITLE", "The Tide Tables")
settings.update("APP_SHORT_NAME", "The Tide Tables")
settings.update("GREETING_FOR_ANONYMOUS_USER", "")
members = [User.objects.create_user(name, name + "@example.org") for name in
  "ada bela chidi dora emil fatma goro hana ivan jana kofi lena".split()]
for member in members:
    member.set_status("d")
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    first, *answers = document["posts"]
    question = members[number % 12].post_question(title=document["title"], body_text=first, timestamp=when,
      tags=" ".join(tag.replace(" ", "-") for tag in document["tags"]))
    for place, text in enumerate(answers, 1):
        members[(number + place) % 12].post_answer(question=question, body_text=text,
          timestamp=when + datetime.timedelta(hours=place))
    ADDRESSES[document["slug"]] = question.get_absolute_url() + "?sort=oldest"
"""
ASKBOT = (_ASKBOT_SETTINGS, _ASKBOT_ADDRESSES, _ASKBOT_FILL)
SHUUP = (_SHUUP_SETTINGS, _SHUUP_ADDRESSES, _SHUUP_FILL)


def install_jinja(project: Path) -> None:
    """Replace the Jinja2 that Shuup declares by a later one."""
    pip = project.parents[1].resolve() / "bin/pip"
    run_program([str(pip), "install", "-q", "--disable-pip-version-check", _LATER_JINJA], project)


def start_askbot(project: Path) -> None:
    """Write the settings that Askbot starts with."""
    run_program([str(project.parents[1].resolve() / "bin/askbot-setup"), *_ASKBOT_START], project)


def described_gold(document: SourceDocument, price: str) -> str:
    """Return the gold text of a product: its title, short description and price above the description."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, f"€{price}", rest))
