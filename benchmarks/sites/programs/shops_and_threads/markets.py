"""Markets whose pages are templates filled by a program of ours: two shops (expressCart, LFS), jobs (Djobberbase), houses
(django-realestate), questions (django-qa), recipes (django-vegetarian-cookbook).

The first one expects a database that no package has, the others were written for a Django that later Pythons do not run.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import posts_html, price
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.filled_templates import fill_template, with_bootstrap
from benchmarks.sites.programs.shops_and_threads.layout import without_network
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, part_gold, to_html, write_media

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
    package = fill_template(project, "lfs-theme==0.11.1", "lfs/catalog/product_base.html")
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
    package = fill_template(project, "django-djobberbase==0.1.1", "djobberbase/job_detail.html")
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
    fill_template(project, "django-realestate==1.5.1", "listing/listing.html")
    style = ".showcase-content img { max-width: 100% } .showcase-thumbnail { display: none } .thumbnails img { width: 130px }"
    with_bootstrap(project, f"{style} #contact_agent img {{ width: 108px }}")


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
    package = fill_template(project, "django-qa==0.10.0", "qa/detail_question.html")
    shutil.copytree(package / "static", project / "html/static")
    with_bootstrap(project, "#search, #apiModal { display: none }")


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
    package = fill_template(project, "django-vegetarian-cookbook==1.0.9", "vegetarian_cookbook/detail.html")
    static = project / "html/static/vegetarian_cookbook"
    for name in ("css", "img", "lightbox2"):
        shutil.copytree(package / "static/vegetarian_cookbook" / name, static / name)
    with_bootstrap(project, ".js_calculator { display: none } .recipe__image img { max-width: 100% }", "bootstrap4")


def recipe_gold(document: SourceDocument) -> str:
    """Return the gold text of a recipe: its title, time, complexity, nutrients and ingredients above its description."""
    title, rest = gold_text(document).split("\n", 1)
    number = int(document.slug[-2:])
    energy, *others = _nutrients(number).values()
    lines = [f"2 hours {5 + number} minutes", _COMPLEXITY[number % 3], f"{energy} kCal"]
    lines += [f"{name}: {grams:.1f} gr" for name, grams in zip(("Protein", "Fat", "Carbohydrate"), others, strict=True)]
    return "\n".join((title, *lines, *(f"{name} {grams} gr" for name, grams in _ingredients(number)), rest))
