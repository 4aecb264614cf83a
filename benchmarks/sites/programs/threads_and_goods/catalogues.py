"""Records of a service of data (pygeoapi), and recipes in the type of a cookbook (ladlebook), whose page alone is framed by ours."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.builders.application_django import demand_bootstrap
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, inline_html, part_gold

_STYLE = "#items-map { background: #d5e3ea; border: 1px solid #bbb } .crumbs { background: #f4f4f4 }"


def properties(document: SourceDocument) -> list[tuple[str, str]]:
    """Return the properties of a record: a heading names what follows it, and each row of a table begins with its name."""
    found, name = [("description", document.summary)], "note"
    for part in document.parts:
        lines = part_gold(part)
        if part.kind == "heading":
            name = lines[0]
        elif part.kind == "table":
            found += [(row.split(" ", 1)[0], row.split(" ", 1)[1]) for row in lines[1:]]
        else:
            found.append((name, " ".join(" ".join(lines).split())))
    return [(f"{name} {number}" if name in [one for one, _ in found[:number]] else name, text) for number, (name, text) in enumerate(found)]


def record_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a record shows, with those before and after it."""
    document = documents[place]
    data: dict[str, object] = {"id": document.slug, "title_field": "title", "id_field": "id", "links": [], "collections_path": "/"}
    data |= {"properties": {"title": document.title} | dict(properties(document))}
    data |= {"prev": f"{documents[place - 1].slug}", "next": f"{documents[(place + 1) % len(documents)].slug}"}
    server = {"url": ".", "encoding": "utf-8", "language": document.language, "icon": "favicon.ico", "logo": "static/img/logo.png"}
    metadata: dict[str, object] = {
        "identification": {"title": NAME, "description": NAME, "keywords": []},
        "contact": {"email": "ada@example.org"},
    }
    return {"data": data, "config": {"server": server, "metadata": metadata}, "locale": document.language, "version": "0.21.0"}


def record_gold(document: SourceDocument) -> str:
    """Return the gold text of a record: its title and the table of its properties."""
    rows = [f"{name} {text}" for name, text in (("id", document.slug), ("title", document.title), *properties(document))]
    return "\n".join((document.title, "Property Value", *rows, "Links"))


_RECORDS = JinjaPackage(
    "pygeoapi==0.21.0",
    "pygeoapi/templates",
    "collections/items/item.html",
    {"static": "static"},
    _STYLE,
    lambda text: text.replace("text_direction", "rtl" if 'lang="ar"' in text else "ltr"),
)


def build_records(project: Path) -> None:
    """Fill the template of a record, with Bootstrap in place of that from the network."""
    _RECORDS.build(project)
    demand_bootstrap("bootstrap5")
    shutil.copy("/usr/share/javascript/bootstrap5/css/bootstrap.min.css", project / "html/static/css")
    for path in (project / "html").glob("*.html"):
        text = path.read_text("utf-8").replace("https://unpkg.com/bootstrap@5.1.3/dist/css/", "static/css/")
        path.write_text(text.replace('<link rel="stylesheet" href="https://unpkg.com/leaflet@1.3.1/dist/leaflet.css"/>', ""), "utf-8")


_LABELS = {"ingredients": "Ingrédients", "directions": "Préparation", "yields": "Pour", "notes": "Remarques", "recipe_by": "Recette de"}
_PANTRY = (
    "200 g de farine",
    "3 carottes",
    "1 oignon",
    "2 cuillères d'huile",
    "1 litre de bouillon",
    "150 g de lentilles",
    "du sel",
    "du poivre",
)
_COURSES = ("Soupes", "Salades", "Pains", "Desserts")
_BOOK_STYLE = """body { margin: 0; background: #faefdb } .frame { display: flex; max-width: 1120px; margin: 0 auto; gap: 40px }
.frame > main { flex: 1; min-width: 0; padding: 0 24px 40px } .frame > aside { width: 260px; padding-top: 40px; font-size: 14px }
.bar { background: #16203a; color: #faefdb; padding: 14px 32px; display: flex; gap: 24px } .bar a { color: inherit }"""


def _recipe(document: SourceDocument) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """Return what a recipe needs, in groups, and what is to be done: the lists of a document are groups, under the headings above them."""
    number, heading = int(document.slug[-2:]), ""
    groups: list[tuple[str, list[str]]] = [("", [_PANTRY[(number + 3 * step) % len(_PANTRY)] for step in range(4)])]
    directions = []
    for part in document.parts:
        if part.kind == "heading":
            heading = part_gold(part)[0]
        elif part.kind == "bullets":
            groups.append((heading, [inline_html(row[0]) for row in part.rows]))
        elif part.kind in ("paragraph", "steps", "quote"):
            directions += [inline_html(row[0]) for row in part.rows]
    return groups, directions


def recipe_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template shows of one recipe, and the others of its menu."""
    document = documents[place]
    groups, directions = _recipe(document)
    recipe = {"slug": "recipe", "title": document.title, "has_story": True, "author": {"name": f"{READERS[place % 8]} Quay"}}
    recipe |= {"story_html": [document.summary], "illustration_url": f"figure-{place % FIGURES}.png", "servings": str(2 + place % 5)}
    recipe |= {"ingredient_groups": [{"label": label, "lines": lines} for label, lines in groups], "directions": directions}
    others = [documents[(place + step) % len(documents)] for step in (1, 4, 9, 13, 18)]
    links = "".join(f'<p><a href="{one.slug}.html">{one.title}</a></p>' for one in others)
    menu = "".join(f'<a href="/">{course}</a>' for course in _COURSES)
    book = {"language": document.language, "title": f"{document.title} - {NAME}", "labels": _LABELS}
    recipe["attribution"] = f"MENU{menu}ASIDE<h3>Autres recettes</h3>{links}<h3>Lettre</h3><p>Une recette par semaine.</p>END"
    return {"book": book, "recipes": [recipe], "intro": {"body_html": []}}


def _framed(text: str) -> str:
    """Return a page with a menu above the recipe and others beside it, in place of the introduction and the attribution of the book."""
    found = re.search(r'<p class="attribution">MENU(.*?)ASIDE(.*?)END</p>', text, re.DOTALL)
    menu, aside = found.groups() if found else ("", "")
    links = "".join(f'<link rel="stylesheet" href="css/{name}.css">' for name in ("common", "epub"))
    text = re.sub(r'<p class="attribution">MENU.*?END</p>', f"</main><aside>{aside}</aside></div>", text, flags=re.DOTALL)
    head = f'<div class="bar"><b>{NAME}</b>{menu}<a href="/">Connexion</a></div><div class="frame"><main>'
    return re.sub(r'<h1 id="introduction">.*?</h1>', lambda _: head, text, count=1).replace("</title>", f"</title>{links}", 1)


def recipe_gold(document: SourceDocument) -> str:
    """Return the gold text of a recipe: its title and story, what it needs, for how many it is, and what is to be done."""
    groups, directions = _recipe(document)
    needs = [line for label, lines in groups for line in (*([label] if label else []), *lines)]
    found = [document.title, document.summary, _LABELS["ingredients"], *needs, f"{_LABELS['yields']}: {2 + int(document.slug[-2:]) % 5}"]
    return re.sub(r"</?(?:a|code|strong)\b[^>]*>", "", "\n".join((*found, _LABELS["directions"], *directions)))


RECIPES = JinjaPackage(
    "ladlebook==0.2.0",
    "ladle/themes/default/templates",
    "epub.html.j2",
    {"css": "css", "fonts": "fonts"},
    _BOOK_STYLE,
    _framed,
)
