"""Jobs (django-jobboard) and talks (Symposion) in frames of ours, since the programs have none, and recipes as Gourmand exports them."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import installed
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.filled_templates import fill_template, with_bootstrap
from benchmarks.sites.texts.documents import FIGURES, Part, SourceDocument, gold_text, part_gold, part_html, to_html, write_media
from sightread.render.errors import Rejected

_JOBBOARD = "django-jobboard==0.1.0"
_FRAME = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>{{ site }}{% block head_title %}{% endblock %}</title></head><body>
<nav class="navbar navbar-expand navbar-dark bg-dark"><div class="container"><a class="navbar-brand" href="/">{{ site }}</a>
<ul class="navbar-nav">
{% for name in menu %}<li class="nav-item"><a class="nav-link" href="/">{{ name }}</a></li>{% endfor %}</ul></div></nav>
<div class="container py-4"><div class="row"><main class="col-8">{% block content %}{% endblock %}
<p><a class="btn btn-success btn-lg" href="/">Apply for this job</a></p></main>
<aside class="col-4"><div class="card mb-4"><div class="card-header">Other open positions</div><ul class="list-group list-group-flush">
{% for one in others %}<li class="list-group-item">
<a href="{{ one.slug }}.html">{{ one.title }}</a><br><small>{{ one.place }}</small></li>{% endfor %}
</ul></div><div class="card"><div class="card-body"><h5 class="card-title">Working with us</h5><p class="card-text">Sixty people in four
ports keep the tables of the bay.</p><a href="/">Read about our teams</a></div></div></aside></div></div>
<footer class="bg-light py-4 mt-5">
<div class="container text-muted">{{ site }}, 12 Ferry Lane, Northport. Privacy. Equal opportunities</div>
</footer></body></html>"""
_SYMPOSION = "symposion==1.0b2.dev2"
_CONFERENCE = """<!DOCTYPE html><html lang="{{ language }}" dir="{{ direction }}"><head><meta charset="utf-8">
<title>{% block head_title %}{% endblock %} | {{ site }}</title></head><body><header class="navbar navbar-inverse navbar-static-top">
<div class="container"><a class="navbar-brand" href="/">{{ site }} 2024</a>
<ul class="nav navbar-nav">{% for name in menu %}<li><a href="/">{{ name }}</a></li>
{% endfor %}</ul></div></header><div class="container"><ol class="breadcrumb"><li><a href="/">Home</a></li><li><a href="/">Schedule</a></li>
<li class="active">{{ presentation.title }}</li></ol><div class="row"><div class="col-md-9">{% block body %}{% endblock %}</div>
<div class="col-md-3"><div class="well"><h4>Next in this room</h4><ul class="list-unstyled">{% for one in others %}<li>{{ one.start }}
<a href="{{ one.slug }}.html">{{ one.title }}</a></li>{% endfor %}</ul></div>
<div class="panel panel-default"><div class="panel-heading">Sponsors</div>
<div class="panel-body">Quay Ferries<br>The Rope Workshop<br>Harbour office</div></div></div></div><hr><footer><p>{{ site }}, Northport.
<a href="/">Code of conduct</a> <a href="/">Contact</a></p></footer></div></body></html>"""
_AUDIENCES = ("Novice", "Intermediate", "Experienced")
_LEVELS = ("Junior", "Senior", "Lead")
_TEAMS = ("Harbour", "Ferries", "Workshop")
_PLACES = ("Northport", "Seahaven", "Old Quay", "Lantern Bay")
_QUALIFICATIONS = ("A licence for small boats", "Two winters at sea", "A good hand at knots", "Some knowledge of charts")
_FILL = """
import io, json, sys, types
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
def stand_in(name, **names):
    sys.modules[name] = found = types.ModuleType(name)
    vars(found).update(names)
attributes = {"Title": "title", "Category": "category", "Cuisine": "cuisine", "Rating": "rating", "Preparation Time": "preptime",
  "Cooking Time": "cooktime", "Yield": "yields", "Instructions": "instructions", "Notes": "modifications"}
stand_in("gourmand", gglobals=types.SimpleNamespace(NAME_TO_ATTR=attributes))  # the program needs a screen, its page does not
stand_in("gourmand.i18n", _=lambda text: text)
stand_in("gourmand.exporters")
stand_in("gourmand.exporters.exporter", ExporterMultirec=object, exporter_mult=object)
spec = spec_from_file_location("html_exporter", sys.argv[1])
module = module_from_spec(spec)
spec.loader.exec_module(module)
for number, one in enumerate(json.load(open("documents.json"))):
    page = module.html_exporter.__new__(module.html_exporter)
    vars(page).update(r=one, out=io.StringIO(), start_html=True, end_html=True, _embed_css=False, _css_file="style.css", images=[],
      imagedir="pics/", imagedir_absolute="html/pics/", imgcount=number, link_generator=None, _grab_attr_=lambda found, name: found[name])
    page.write_head()
    page.write_image(Path(one["picture"]).read_bytes())
    page.write_attr_head()
    for label, text in [["Title", one["title"]], *one["facts"]]:
        page.write_attr(label, text)
    page.write_attr_foot()
    page.write_inghead()
    for amount, unit, item in one["ingredients"]:
        page.write_ing(amount, unit, item)
    page.write_ingfoot()
    page.write_text("Instructions", one["text"])
    page.write_text("Notes", one["notes"])
    page.write_foot()
    text = page.out.getvalue().replace("<body>", "<body>" + one["head"]).replace("</body>", one["foot"] + "</body>")
    Path("html", one["slug"] + ".html").write_text(text, "utf-8")
"""
_BAR, _LINK = 'style="max-width: 760px; margin: 1em auto; padding: 1em"', "style='color: #ffe57f'"
"""Of a menu and a footer of ours: the program's pages have none."""
_GOURMAND = Path("/usr/lib/python3/dist-packages/gourmand")
_COURSES = ("Soups", "Salads", "Breads", "Desserts")
_PANTRY: tuple[tuple[str, str, str], ...] = (
    ("2", "cups", "flour"),
    ("1", "lb.", "lentils"),
    ("3", "", "carrots"),
    ("2", "Tbs.", "olive oil"),
    ("1", "", "onion"),
)
_PANTRY += (("1 1/2", "cups", "rice"), ("4", "oz.", "walnuts"), ("1", "tsp.", "honey"), ("2", "cups", "barley"), ("5", "", "apples"))


def _halves(document: SourceDocument) -> tuple[Sequence[Part], Sequence[Part]]:
    """Return the parts of what a job is, and of what is to be done in it."""
    middle = (len(document.parts) + 1) // 2
    return document.parts[:middle], document.parts[middle:]


def _job(number: int) -> dict[str, str]:
    return {
        "level": _LEVELS[number % 3],
        "team": _TEAMS[number % 3],
        "kind": ("Full time", "Part time")[number % 2],
        "place": _PLACES[number % 4],
        "low": f"{31 + number},000",
        "high": f"{40 + 2 * number},500",
    }


def job_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a job shows, with others beside it."""
    document, job = documents[place], _job(place)
    about, duties = ({"html": "\n".join(part_html(part) for part in parts)} for parts in _halves(document))
    near = [documents[(place + step) % len(documents)] for step in (2, 5, 9, 13, 16, 21)]
    others = [{"slug": one.slug, "title": one.title, "place": _PLACES[int(one.slug[-2:]) % 4]} for one in near]
    shown = {
        "title": document.title,
        "get_level_display": job["level"],
        "department": {"name": job["team"]},
        "get_employment_display": job["kind"],
        "location": {"name": job["place"]},
        "description": about,
        "responsibilities": duties,
        "experience": document.summary,
        "plusses": _QUALIFICATIONS[place % 4],
        "salary_low": job["low"],
        "salary_high": job["high"],
    }
    menu = ("Careers", "Teams", "Places", "Life at the quay", "Log in")
    return {"object": shown, "site": NAME, "menu": menu, "others": others}


def build_jobs(project: Path) -> None:
    """Write the frame beside the package's templates, and fill that of a job."""
    write_text(installed(project, _JOBBOARD, "jobboard/templates") / "base.html", _FRAME)
    fill_template(project, _JOBBOARD, "jobboard/jobposting_detail.html")
    with_bootstrap(project, "main h3 { margin-top: 1.5rem; font-size: 1.3rem } main h2 { font-size: 1.15rem }", "bootstrap5")


def job_gold(document: SourceDocument) -> str:
    """Return the gold text of a job: its title, details, description, duties, qualifications and salary."""
    number = int(document.slug[-2:])
    job, (about, duties) = _job(number), _halves(document)
    lines = [document.title, "Details", f"Job Level: {job['level']}", f"Department: {job['team']}", f"Employment Type: {job['kind']}"]
    lines += [f"Location: {job['place']}", "Description", *(line for part in about for line in part_gold(part))]
    lines += ["Responsibilities", *(line for part in duties for line in part_gold(part)), "Experience", document.summary]
    return "\n".join((*lines, "Pluses", _QUALIFICATIONS[number % 4], "Salary Range", f"${job['low']}-${job['high']}"))


def talk_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a talk shows, with those that follow it in its room."""
    document = documents[place]
    talk = {
        "title": document.title,
        "slot": {"day": {"date": ""}, "start": f"{9 + place % 8}:00", "end": f"{9 + place % 8}:45"},
        "speakers": [f"{name} Quay" for name in READERS[place % 8 : place % 8 + 1 + place % 2]],
        "proposal": {"get_audience_level_display": _AUDIENCES[place % 3]},
        "description": document.summary,
        "abstract": {"html": to_html(document)},
    }
    near = [documents[(place + step) % len(documents)] for step in (1, 4, 8, 12)]
    others = [{"slug": one.slug, "title": one.title, "start": f"{10 + number}:00"} for number, one in enumerate(near)]
    menu = ("About", "Schedule", "Speakers", "Venue", "Tickets", "Log in")
    direction = "rtl" if document.language == "ar" else "ltr"
    return {"presentation": talk, "site": NAME, "menu": menu, "others": others, "language": document.language, "direction": direction}


def build_talks(project: Path) -> None:
    """Write the frame beside the package's templates, and fill that of a talk."""
    write_text(installed(project, _SYMPOSION, "symposion/templates") / "site_base.html", _CONFERENCE)
    fill_template(project, _SYMPOSION, "schedule/presentation_detail.html")
    with_bootstrap(project, "[dir=rtl] .navbar-nav > li { float: right }")


def talk_gold(document: SourceDocument) -> str:
    """Return the gold text of a talk: its title, for whom it is, its description and its abstract."""
    title, rest = gold_text(document).split("\n", 1)
    audience = f"Audience level: {_AUDIENCES[int(document.slug[-2:]) % 3]}"
    return "\n".join((title, audience, "Description", document.summary, "Abstract", rest))


def _facts(number: int) -> list[tuple[str, str]]:
    facts = [("Category", _COURSES[number % 4]), ("Cuisine", _PLACES[number % 4]), ("Rating", f"{3 + number % 3}/5 stars")]
    return [*facts, ("Preparation Time", f"{10 + 5 * (number % 5)} minutes"), ("Yield", f"{2 + number % 5} servings")]


def _ingredients(number: int) -> list[tuple[str, str, str]]:
    return [_PANTRY[(number + 3 * step) % len(_PANTRY)] for step in range(4 + number % 4)]


def _instructions(document: SourceDocument) -> list[str]:
    """Return a document's headings, paragraphs and items, each of which a recipe shows as a paragraph."""
    return [line for part in document.parts if part.kind not in ("code", "table") for line in part_gold(part)]


def write_recipes(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the recipes of a collection, each with a picture."""
    del theme
    write_media(project)
    head = f"<nav {_BAR}><b>{NAME}</b>{''.join(f' &middot; <a {_LINK} href=/>{course}</a>' for course in _COURSES)}</nav>"
    written = []
    for number, document in enumerate(documents):
        near = [documents[(number + step) % len(documents)] for step in (1, 4, 9, 15)]
        links = "".join(f"<li><a {_LINK} href={one.slug}.html>{one.title}</a></li>" for one in near)
        written.append(
            {"slug": document.slug, "title": document.title, "facts": _facts(number), "ingredients": _ingredients(number)}
            | {"text": "\n\n".join(_instructions(document)), "notes": document.summary, "picture": f"figure-{number % FIGURES}.png"}
            | {"head": head, "foot": f"<footer {_BAR}>More recipes<ul>{links}</ul>Collected by Ada Quay</footer>"}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "fill.py", _FILL)


def build_recipes(project: Path) -> None:
    """Write a page per recipe, with the program's style sheet."""
    exporter = _GOURMAND / "plugins/import_export/html_plugin/html_exporter.py"
    if not exporter.is_file():
        raise Rejected("needs Gourmand: apt-get install gourmand")
    (project / "html").mkdir()
    run_tool([sys.executable, "fill.py", str(exporter)], project)
    shutil.copy(_GOURMAND / "data/style/default.css", project / "html/style.css")


def recipe_gold(document: SourceDocument) -> str:
    """Return the gold text of a recipe: its title and facts, its ingredients, instructions and notes."""
    number = int(document.slug[-2:])
    facts = [f"{name.capitalize()}: {value}" for name, value in _facts(number)]
    found = [" ".join(filter(None, one)) for one in _ingredients(number)]
    return "\n".join((document.title, *facts, "Ingredients", *found, "Instructions", *_instructions(document), "Notes", document.summary))
