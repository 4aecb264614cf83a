"""Templates of Django's applications that later Pythons do not run, filled by a program of ours with tags in place of theirs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.sites.builders.application_django import demand_bootstrap
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.shops_and_threads.layout import without_network
from benchmarks.sites.texts.documents import SourceDocument, write_media
from sightread.render.errors import Rejected

_TEMPLATES = """
import json, sys
from pathlib import Path
import django
from django.conf import settings
from django.template import Context, Engine, Library, Node
from django.utils.safestring import SafeString
folder, template, language = sys.argv[1:]
settings.configure(USE_I18N=True, LANGUAGE_CODE=language, STATIC_URL="static/", INSTALLED_APPS=[])
django.setup()
register = Library()
class Inside(Node):
    def __init__(self, inside, render=None):
        self.inside, self.render = inside, render or inside.render
class Thumbnail(Node):
    def __init__(self, name, inside):
        self.name, self.inside = name, inside
    def render(self, context):
        with context.push(**{self.name: {"url": "figure-%d.png" % context["place"]}}):
            return self.inside.render(context)
@register.tag
def thumbnail(parser, token):
    if "as" not in token.split_contents():
        picture = parser.compile_filter(token.split_contents()[1])
        return Inside(None, picture.resolve)
    inside = parser.parse(("endthumbnail",))
    parser.delete_first_token()
    return Thumbnail(token.split_contents()[-1], inside)
@register.tag
def compress(parser, token):
    inside = parser.parse(("endcompress",))
    parser.delete_first_token()
    return Inside(inside)
@register.tag
def ifequal(parser, token):
    inside = parser.parse(("endifequal",))
    parser.delete_first_token()
    return Inside(inside, lambda context: "")
@register.simple_tag
def url(*arguments, **names):
    return "/"
def named_value(name):
    register.simple_tag(lambda context: context.get(name, ""), takes_context=True, name=name)
for name in ("get_badges", "get_categories", "get_tags"):
    named_value(name)
def part(name):
    def render(context, *arguments):
        names = context.get("parts", {}).get(" ".join([name, *(one for one in arguments if isinstance(one, str) and one)]), ())
        return SafeString("".join(engine.get_template(one).render(Context(context.flatten())) for one in names))
    register.simple_tag(render, takes_context=True, name=name)
for name in ("actions", "average_for_instance", "breadcrumbs", "category_children", "come_from_page", "google_analytics_tracking",
  "lfs_portlet_slot", "product_navigation", "reviews_for_instance", "shipping", "slots_information", "tabs",
  "bootstrap_css", "bootstrap_javascript", "sitetree_breadcrumbs",
  "categories_list", "plural_form", "recipe_cooking_time", "recipe_energy_nutrients"):
    part(name)
register.filter("nofollow", lambda text: text)
register.filter("markdown", lambda text: text)
register.filter("bootstrap_setting", lambda name: False)
for name in ("is_topic_followed", "is_topic_like"):
    register.filter(name, lambda topic, user: False)
register.filter("user_profile_pic", lambda user: user["picture"] if user else "")
register.filter("sub_comments", lambda comment: [comment])
register.filter("human_float", lambda number, places: format(number, "." + places + "f"))
register.filter("multiply", lambda number, times: number * times)
register.filter("quantity", lambda number: number)
register.filter("currency", lambda price, request=None: "\u20ac" + price)
for name in ("base_price_gross", "standard_price_gross", "standard_price", "price_gross", "price", "for_sale_price_gross",
  "for_sale_price"):
    register.filter("get_" + name, lambda product, request=None: product["price"])
class Named(str):
    pass
def named(found):
    if "html" in found:
        return SafeString(found["html"])
    if "name" not in found:
        return found
    text = Named(found["name"])
    vars(text).update(found)
    return text
sys.modules["tags_of_ours"] = tags = type(sys)("tags_of_ours")
tags.register = register
libraries = {name: "tags_of_ours" for name in ("djobberbase_tags", "extra_functions", "thumbnail", "home_widgets",
  "lfs_tags", "lfs_theme_tags", "lfs_portlets_tags", "reviews_tags", "compress", "django_markdown", "bootstrap4",
  "vegetarian_cookbook_tags", "admin_urls", "sitetree", "forum_tags")}
libraries |= {name: "django.templatetags." + name for name in ("i18n", "l10n", "static")}
libraries["humanize"] = "django.contrib.humanize.templatetags.humanize"
libraries["staticfiles"] = "django.templatetags.static"
engine = Engine(dirs=[folder], libraries=libraries, builtins=[*Engine.default_builtins, "tags_of_ours"])
for slug, context in json.loads(Path("contexts.json").read_text("utf-8"), object_hook=named).items():
    for name, first in context.get("first", {}).items():
        context[name] = engine.get_template(first).render(Context(context))
    page = engine.get_template(template).render(Context(context))
    Path("html", slug + ".html").write_text(page, "utf-8")
"""


def write_filled(
    context: Callable[[Sequence[SourceDocument], int], Mapping[str, object]],
) -> Callable[[Path, str, Sequence[SourceDocument]], None]:
    """Return what writes the context of a template for each document."""

    def write(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
        del theme
        write_text(project / "contexts.json", json.dumps({one.slug: context(documents, place) for place, one in enumerate(documents)}))
        write_text(project / "render.py", _TEMPLATES)
        write_text(project / "language.txt", documents[0].language)

    return write


def fill_template(project: Path, package: str, template: str, folder: str = "") -> Path:
    """Install a package without what it needs, fill one of its templates, and return its folder, which has its name if not `folder`."""
    tools = project.parents[1].resolve()
    run_program([str(tools / "bin/pip"), "install", "-q", "--disable-pip-version-check", "--no-deps", package], project)
    name = folder or package.split("==")[0].removeprefix("django-").replace("-", "_")
    found = next(iter(sorted(tools.glob(f"lib/*/site-packages/{name}/templates"))), None)
    if found is None:
        raise Rejected(f"{package} has no templates")
    write_media(project / "html")
    language = (project / "language.txt").read_text("utf-8")
    run_tool([str(tools / "bin/python"), "render.py", str(found), template, language], project)
    return found.parent


def with_bootstrap(project: Path, style: str, bootstrap: str = "bootstrap") -> None:
    """Copy Bootstrap beside the pages, which linked to it on the network, and take out their scripts and pictures from the network."""
    demand_bootstrap(bootstrap)
    source = Path("/usr/share/javascript") / bootstrap
    shutil.copytree(source, project / "html/bootstrap", ignore=shutil.ignore_patterns("js", "*.map"))
    sheets = sorted(path.name for path in source.glob("css/bootstrap*.min.css") if path.name.count("-") == 0 or "theme" in path.name)
    links = "".join(f'<link rel="stylesheet" href="bootstrap/css/{name}">' for name in reversed(sheets))
    for path in (project / "html").glob("*.html"):
        text = re.sub(r"<(script|iframe).*?</\1>", "", without_network(path.read_text("utf-8")), flags=re.DOTALL)
        text = text.replace("Your Business Name HERE", NAME).replace("Address HERE", "12 Ferry Lane, Northport")
        text = re.sub(r'<img[^>]*src="(http[^"]*)?"[^>]*>', "", text)
        path.write_text(re.sub(r"<head>", lambda _: f"<head>{links}<style>{style}</style>", text, count=1), "utf-8")
