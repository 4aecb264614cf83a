"""Markets whose pages are templates filled by a program of ours: two shops (expressCart, LFS), jobs (Djobberbase), houses
(django-realestate), questions (django-qa), recipes (django-vegetarian-cookbook).

The first one expects a database that no package has, the others were written for a Django that later Pythons do not run.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import posts_html, price
from benchmarks.sites.builders.application_django import demand_bootstrap
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.publishing_sites.readers import READERS
from benchmarks.sites.shops_and_threads.layout import without_network
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, part_gold, to_html, write_media
from render.errors import Rejected

_CART_RENDER = """
const fs = require('fs'), path = require('path'), Handlebars = require('handlebars'), feather = require('feather-icons');
const views = path.join(path.dirname(require.resolve('express-cart/package.json')), 'views');
for (const name of fs.readdirSync(views, {recursive: true}))
  if (name.endsWith('.hbs')) Handlebars.registerPartial(name.slice(0, -4), fs.readFileSync(path.join(views, name), 'utf8'));
const compare = {'==': (a, b) => a == b, '!=': (a, b) => a != b, '===': (a, b) => a === b, '>': (a, b) => a > b, '<': (a, b) => a < b};
const chosen = (found, options, self) => found ? options.fn(self) : options.inverse(self);
Handlebars.registerHelper({__: text => text, getTheme: name => 'themes/Cloth/' + name, currencySymbol: sign => sign, snip: text => text,
  fixTags: text => text, feather: name => feather.icons[name].toSvg(), ifCond: function (a, sign, b, options) {
    return chosen(compare[sign](a, b), options, this); }, isNull: function (value, options) { return chosen(!value, options, this); },
  helperMissing: () => ''});
const render = name => Handlebars.compile('{{> ' + name + '}}');
const [product, layout] = [render('themes/Cloth/product'), render('layouts/layout')], words = {__: text => text};
const items = ['Charts', 'Lanterns', 'Ropes', 'Stories'].map(title => ({title, link: '/category/' + title.toLowerCase()}));
const config = {cartTitle: process.argv[2], cartDescription: process.argv[2], currencySymbol: '\\u20ac', theme: 'Cloth', env: '.min',
  baseUrl: '/', footerHtml: '<p class="text-center">Delivery in three days, returns within thirty. Write to ada@example.org</p>'};
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const page = {...words, title: one.title, config, session: {cart: {}}, menu: {items}, showFooter: 'showFooter', images: one.images,
    productDescription: one.summary, result: {productTitle: one.title, productPrice: one.price, productImage: one.images[0].path,
      productDescription: one.html, _id: one.slug}};
  fs.writeFileSync('html/' + one.slug + '.html', layout({...page, body: product(page)}));
}
"""

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
def url(*arguments):
    return "/"
@register.simple_tag
def get_categories():
    return ""
def part(name):
    def render(context, *arguments):
        names = context.get("parts", {}).get(" ".join([name, *(one for one in arguments if isinstance(one, str) and one)]), ())
        return SafeString("".join(engine.get_template(one).render(Context(context.flatten())) for one in names))
    register.simple_tag(render, takes_context=True, name=name)
for name in ("actions", "average_for_instance", "breadcrumbs", "category_children", "come_from_page", "google_analytics_tracking",
  "lfs_portlet_slot", "product_navigation", "reviews_for_instance", "shipping", "slots_information", "tabs",
  "bootstrap_css", "bootstrap_javascript", "categories_list", "plural_form", "recipe_cooking_time", "recipe_energy_nutrients"):
    part(name)
register.filter("nofollow", lambda text: text)
register.filter("markdown", lambda text: text)
register.filter("bootstrap_setting", lambda name: False)
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
  "vegetarian_cookbook_tags", "admin_urls")}
libraries |= {name: "django.templatetags." + name for name in ("i18n", "l10n", "static")}
libraries["staticfiles"] = "django.templatetags.static"
engine = Engine(dirs=[folder], libraries=libraries, builtins=[*Engine.default_builtins, "tags_of_ours"])
for slug, context in json.loads(Path("contexts.json").read_text("utf-8"), object_hook=named).items():
    for name, first in context.get("first", {}).items():
        context[name] = engine.get_template(first).render(Context(context))
    page = engine.get_template(template).render(Context(context))
    Path("html", slug + ".html").write_text(page, "utf-8")
"""
_PLACES = ("Northport", "Seahaven", "Old Quay", "Lantern Bay")
_COMPANIES = ("Quay Ferries", "Harbour office", "The Rope Workshop")
_SECTIONS = ("Charts", "Lanterns", "Ropes", "Tools")
_COURSES = ("Soups", "Salads", "Breads", "Desserts")
_COMPLEXITY = ("easy", "medium", "hard")
_INGREDIENTS = ("Flour", "Lentils", "Carrots", "Olive oil", "Onions", "Rice", "Walnuts", "Seaweed", "Honey", "Barley", "Apples")
_PICTURE_SIZES = ".main-image img { width: 200px } .sub-images img, .portlet-item > img { width: 60px }"
"""Of LFS, whose names of files have them."""
_FEATURES = ("Boathouse", "Slipway", "Garden", "Two storeys", "Stove", "Cellar", "View of the sea")


def write_cart(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the products of a shop, each with three pictures and a document as its description."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    write_media(project / "html")
    written = [
        {"slug": document.slug, "title": document.title, "summary": document.summary, "price": price(document), "html": to_html(document)}
        | {"images": [{"path": f"figure-{(number + step) % FIGURES}.png"} for step in range(3)]}
        for number, document in enumerate(documents)
    ]
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "render.js", _CART_RENDER)


def build_cart(project: Path) -> None:
    """Fill the theme's templates, with Bootstrap beside the pages."""
    run_program(["node", "render.js", NAME], project, project.parents[2])
    packages, pages = project / "node_modules", project / "html"
    shutil.copytree(packages / "express-cart/public/stylesheets", pages / "stylesheets")
    (pages / "Cloth").mkdir()
    shutil.copy(packages / "express-cart/views/themes/Cloth/style.min.css", pages / "Cloth")
    shutil.copy(packages / "bootstrap/dist/css/bootstrap.min.css", pages / "stylesheets")
    for path in pages.glob("*.html"):
        text = re.sub(r"<script.*?</script>", "", without_network(path.read_text("utf-8")), flags=re.DOTALL)
        style = '<link rel="stylesheet" href="stylesheets/bootstrap.min.css">'
        path.write_text(text.replace("<title>", f"{style}<title>", 1), "utf-8")


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


def _fill(project: Path, package: str, template: str) -> Path:
    """Install a package without what it needs, fill one of its templates, and return the package's folder."""
    tools = project.parents[1].resolve()
    run_program([str(tools / "bin/pip"), "install", "-q", "--disable-pip-version-check", "--no-deps", package], project)
    name = package.split("==")[0].removeprefix("django-").replace("-", "_")
    found = next(iter(sorted(tools.glob(f"lib/*/site-packages/{name}/templates"))), None)
    if found is None:
        raise Rejected(f"{package} has no templates")
    write_media(project / "html")
    language = (project / "language.txt").read_text("utf-8")
    run_tool([str(tools / "bin/python"), "render.py", str(found), template, language], project)
    return found.parent


def goods_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a product of LFS shows: with others beside it, and readers' reviews below it."""
    document = documents[place]
    product: dict[str, object] = {
        "id": place,
        "get_name": document.title,
        "get_meta_title": document.title,
        "price": price(document),
        "get_image": {"image": {"url_200x200": f"figure-{place % FIGURES}.png"}},
        "get_sub_images": [{"image": {"url_60x60": f"figure-{(place + step) % FIGURES}.png"}} for step in (1, 2)],
        "get_displayed_properties": [{"property_group": "", "title": title, "value": value} for title, value in _properties(place)],
        "get_description": {"html": to_html(document)},
        "is_deliverable": True,
        "get_related_products": [
            {"get_name": other.title, "price": price(other), "get_image": {"image": {"url_60x60": f"figure-{step % FIGURES}.png"}}}
            for step, other in ((step, documents[(place + step) % len(documents)]) for step in (2, 5, 9, 14))
        ],
    }
    categories = [{"level": 1, "is_current": place % 4 == number, "category": {"name": name}} for number, name in enumerate(_SECTIONS)]
    others = [documents[(place + step) % len(documents)] for step in range(1, 3 + place % 3)]
    portlets = {"Left": ["categories", "cart"], "Right": ["related_products"]}
    return {
        "first": {"product_inline": "lfs/catalog/products/product_inline.html"},
        "parts": {f"lfs_portlet_slot {side}": [f"lfs/portlets/{name}.html" for name in names] for side, names in portlets.items()}
        | {"tabs": ["lfs/shop/tabs.html"], "breadcrumbs": ["lfs/catalog/breadcrumbs.html"]}
        | {"reviews_for_instance": ["reviews/reviews_for_instance.html"]},
        "product": product,
        "title": "Categories",
        "SHOP": {"get_meta_title": NAME},
        "request": "",
        "Footer": "",
        "SlotLeft": True,
        "SlotRight": True,
        "content_class": "span-15 padding-both",
        "quantity": 1,
        "categories": categories,
        "tabs": [{"title": title, "link": "/", "selected": title == "Shop"} for title in ("Shop", "Harbour", "Delivery")],
        "objects": [{"name": _SECTIONS[place % 4], "url": "/"}, {"name": document.title}],
        "actions": [{"title": title, "link": "/"} for title in ("Contact", "Terms and conditions", "Imprint")],
        "reviews": [
            {"name": name, "score": 3 + number, "comment": other.summary}
            for number, (name, other) in enumerate(zip(READERS, others, strict=False))
        ],
    }


def _properties(number: int) -> list[tuple[str, str]]:
    return [("Length", f"{12 + 3 * number} cm"), ("Weight", f"{200 + 35 * number} g"), ("Made in", _PLACES[number % 4])][: 2 + number % 2]


def build_goods(project: Path) -> None:
    """Fill the templates of a product, with the theme's style sheets and pictures."""
    package = _fill(project, "lfs-theme==0.11.1", "lfs/catalog/product_base.html")
    shutil.copytree(package / "static", project / "html/static", ignore=shutil.ignore_patterns("bower_components"))
    for path in (project / "html").glob("*.html"):
        text = re.sub(r"<script.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r"<link[^>]*(?:bower_components|favicon)[^>]*>|<!--\[if IE\].*?-->", "", text, flags=re.DOTALL)
        path.write_text(text.replace("</head>", f"<style>{_PICTURE_SIZES}</style></head>", 1), "utf-8")


def priced_gold(document: SourceDocument) -> str:
    """Return the gold text of a product: its title, properties and price, and its description."""
    title, rest = gold_text(document).split("\n", 1)
    properties = (f"{name}: {value}" for name, value in _properties(int(document.slug[-2:])))
    return "\n".join((title, *properties, f"€{price(document)}", rest))


def job_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a job shows."""
    document = documents[place]
    categories = [
        {"name": name, "var_name": name.lower(), "get_total_jobs": total} for name, total in (("Boats", 9), ("Harbour", 8), ("Office", 8))
    ]
    advertisement = {
        "title": document.title,
        "company": _COMPANIES[place % 3],
        "city": _PLACES[place % 4],
        "jobtype": {"var_name": ("fulltime", "parttime", "freelance")[place % 3]},
        "description_html": {"html": to_html(document)},
        "get_application_count": place % 5,
        "category": categories[place % 3],
        "created_on": str(document.published),
        "views_count": 40 + 7 * place,
    }
    frame: dict[str, object] = {
        "DJOBBERBASE_SITE_NAME": NAME,
        "DJOBBERBASE_HTML_TITLE": f"{document.title} - {NAME}",
        "MEDIA_URL": "media/",
    }
    frame |= {"categories": categories, "selected_category": categories[place % 3], "total_jobs": len(documents)}
    return frame | {"object": advertisement, "page_type": "detail", "markup_lang": "html"}


def build_jobs(project: Path) -> None:
    """Fill the template of a job, with the package's style sheet and pictures."""
    package = _fill(project, "django-djobberbase==0.1.1", "djobberbase/job_detail.html")
    shutil.copytree(package / "media", project / "html/media")
    for path in (project / "html").glob("*.html"):
        path.write_text(without_network(path.read_text("utf-8")), "utf-8")


def place_gold(document: SourceDocument) -> str:
    """Return the gold text of a job: its title, company and place, and its description."""
    title, rest = gold_text(document).split("\n", 1)
    number = int(document.slug[-2:])
    return "\n".join((title, f"at {_COMPANIES[number % 3]} in {_PLACES[number % 4]}", rest))


def _address(number: int) -> str:
    return f"{3 + number} Ferry Lane, {_PLACES[number % 4]}"


def _features(number: int) -> list[str]:
    return [_FEATURES[(number + 3 * step) % len(_FEATURES)] for step in range(3 + number % 3)]


def _sentences(document: SourceDocument) -> list[str]:
    """Return the lines of a document's paragraphs: the program shows a description as one."""
    return [line for part in document.parts if part.kind == "paragraph" for line in part_gold(part)]


def estate_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a house for sale shows, with four others nearby."""
    document = documents[place]
    listing = {
        "title": document.title,
        "get_address": _address(place),
        "price": price(document).replace(".50", ",500"),
        "images": {"all": [place, place + 1, place + 2]},
        "get_features": _features(place),
        "description": " ".join(_sentences(document)),
        "nearby": [
            {"title": other.title, "price": price(other).replace(".50", ",500"), "address": _address(int(other.slug[-2:]))}
            for other in (documents[(place + step) % len(documents)] for step in (3, 7, 12, 18))
        ],
        "agent": {"name": "Ada Quay", "phone": "0100 55", "cellphone": "0100 56"},
    }
    return {"listing": listing, "place": place % FIGURES}


def build_estates(project: Path) -> None:
    """Fill the template of a house, with Bootstrap beside the pages."""
    _fill(project, "django-realestate==1.5.1", "listing/listing.html")
    style = ".showcase-content img { max-width: 100% } .showcase-thumbnail { display: none } .thumbnails img { width: 130px }"
    _with_bootstrap(project, f"{style} #contact_agent img {{ width: 108px }}")


def _with_bootstrap(project: Path, style: str, bootstrap: str = "bootstrap") -> None:
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


def estate_gold(document: SourceDocument) -> str:
    """Return the gold text of a house: its title, address and price, its features and its description."""
    number = int(document.slug[-2:])
    amount, text = price(document).replace(".50", ",500"), " ".join(_sentences(document))
    return "\n".join((document.title, _address(number), f"€{amount}", "Características", *_features(number), "Description", text))


def question_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a question shows: the first post of a document's thread is the question, the others are answers."""
    document = documents[place]
    first, *others = posts_html(document)
    answers = [
        {
            "answer_text": {"html": text},
            "user": {"username": READERS[(place + number) % 8].lower(), "userqaprofile": {"points": 5 + 13 * number + place}},
            "total_points": 3 * number,
            "answer": number == 1,
        }
        for number, text in enumerate(others, 1)
    ]
    problem = {"title": document.title, "description": {"html": first}, "closed": place % 4 == 1, "pub_date": str(document.published)}
    return {"question": problem | {"user": {"username": READERS[place % 8].lower()}, "id": place}, "answers": answers}


def build_questions(project: Path) -> None:
    """Fill the template of a question, with the package's style sheet and Bootstrap."""
    package = _fill(project, "django-qa==0.10.0", "qa/detail_question.html")
    shutil.copytree(package / "static", project / "html/static")
    _with_bootstrap(project, "#search, #apiModal { display: none }")


def _ingredients(number: int) -> list[tuple[str, int]]:
    """Return the ingredients of a recipe, with grams."""
    return [(_INGREDIENTS[(number + 5 * step) % len(_INGREDIENTS)], 40 + 35 * ((number + step) % 9)) for step in range(4 + number % 4)]


def _nutrients(number: int) -> dict[str, int]:
    """Return what a hundred grams have: kilocalories, and grams of protein, fat and carbohydrate."""
    return {"energy": 90 + 13 * number, "protein": 3 + number % 7, "fat": 2 + number % 5, "carbohydrate": 11 + number % 17}


def recipe_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a recipe shows."""
    document = documents[place]
    picture = {"url": f"figure-{place % FIGURES}.png"}
    ingredients = [
        {"ingredient": {"name": name, "energy": 100 + grams}, "weight": grams, "quantity": 0, "id": number}
        for number, (name, grams) in enumerate(_ingredients(place))
    ]
    recipe = {
        "id": place,
        "title": document.title,
        "url": "/",
        "category": {"name": _COURSES[place % 4]},
        "image": picture,
        "thumbnail": picture,
        "time": 1,
        "get_complexity_display": _COMPLEXITY[place % 3],
        "recipeingredient_set": {"all": ingredients},
        "recipeimage_set": {"all": []},
        "description": {"html": to_html(document)},
        "tags": {"all": [{"name": tag} for tag in document.tags]},
    }
    parts = {name: [f"vegetarian_cookbook/templatetags/{name}.html"] for name in ("recipe_cooking_time", "recipe_energy_nutrients")}
    parts["categories_list dropdown-item"] = ["vegetarian_cookbook/templatetags/categories_list.html"]
    context: dict[str, object] = {"recipe": recipe, "parts": parts, "categories": [{"name": name} for name in _COURSES]}
    return context | {"hours": 2, "minutes": 5 + place, "size": 80, "show_legend": True, "a_class": "dropdown-item"} | _nutrients(place)


def build_recipes(project: Path) -> None:
    """Fill the template of a recipe, without its calculator, which needs the program."""
    package = _fill(project, "django-vegetarian-cookbook==1.0.9", "vegetarian_cookbook/detail.html")
    static = project / "html/static/vegetarian_cookbook"
    for name in ("css", "img", "lightbox2"):
        shutil.copytree(package / "static/vegetarian_cookbook" / name, static / name)
    _with_bootstrap(project, ".js_calculator { display: none } .recipe__image img { max-width: 100% }", "bootstrap4")


def recipe_gold(document: SourceDocument) -> str:
    """Return the gold text of a recipe: its title, time, complexity, nutrients and ingredients above its description."""
    title, rest = gold_text(document).split("\n", 1)
    number = int(document.slug[-2:])
    energy, *others = _nutrients(number).values()
    lines = [f"2 hours {5 + number} minutes", _COMPLEXITY[number % 3], f"{energy} kCal"]
    lines += [f"{name}: {grams:.1f} gr" for name, grams in zip(("Protein", "Fat", "Carbohydrate"), others, strict=True)]
    return "\n".join((title, *lines, *(f"{name} {grams} gr" for name, grams in _ingredients(number)), rest))
