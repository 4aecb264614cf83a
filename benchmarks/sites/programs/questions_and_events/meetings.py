"""Events of an association: the templates and the theme Juniper of Tendenci, filled without the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html
from sightread.render.errors import Rejected

_MONTHS = ("Jan.", "Feb.", "March", "April", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
_HALLS = ("Harbour hall", "Old library", "Rope walk", "Museum of boats")
_HELPERS = """
from datetime import datetime
from django.template.defaultfilters import date
from django.template.loader_tags import do_extends, do_include
from django.templatetags import i18n
register.tags.update(i18n.register.tags)
def extends(parser, token):  # after comments and loads, as the program allows
    node = do_extends(parser, token)
    node.must_be_first = False
    return node
register.tag("theme_extends", extends)
register.tag("theme_include", do_include)
fixtures = Path(folder).parent / "apps"
read = lambda name: json.loads((fixtures / name).read_text("utf-8"))
BOXES = {one["pk"]: one["fields"].get("content", "") for one in read("boxes/fixtures/willow-default-boxes.json")}
ITEMS = [one["fields"] for one in read("navs/fixtures/nav.json") if one["model"] == "navs.navitem" and one["fields"]["level"] == 0]
register.simple_tag(lambda number: SafeString(BOXES[number].replace("/static/themes/juniper", "static")), name="box")
register.simple_tag(lambda number: SafeString("".join(
    '<li><a href="%s">%s</a></li>' % (one["url"], one["label"]) for one in ITEMS if one["nav"] == number)), name="nav")
register.simple_tag(lambda path: "static/" + path, name="static")
register.simple_tag(lambda picture: picture, name="image_url")
register.simple_tag(lambda event: event["tags"], name="tags_for_object")
nothing("emergency_announcement", "embed_form", "has_perm", "is_admin", "registration_pricing_and_button", "fb_like_button_iframe")
nothing("meta_og_image", "render_json_ld", "child_events_display")
register.filter("date", lambda value, form=None: date(datetime.fromisoformat(value), form) if value else "")
register.filter("timezone_label", lambda name: name)
"""
_FLATLY = Path("/usr/share/javascript/bootswatch/flatly/bootstrap.min.css")
"""Style sheet of the theme, which has it from the network."""


def _start(document: SourceDocument) -> datetime:
    number = int(document.slug[-2:])
    return datetime.combine(document.published.replace(year=2026), time(9 + number % 10, 30))


def _place(document: SourceDocument) -> tuple[str, str]:
    number = int(document.slug[-2:])
    return _HALLS[number % 4], f"{2 + number} Ferry Lane, {('Northport', 'Quay')[number % 2]}"


def _speakers(document: SourceDocument) -> list[tuple[str, str]]:
    """Return the speakers of an event, each with a text about them."""
    number = int(document.slug[-2:])
    return [(f"{READERS[number % 8]} Quay", document.summary)] if number % 3 else []


def event_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of an event shows."""
    document = documents[place]
    start, (hall, street) = _start(document), _place(document)
    span = {"same_date": True, "start_dt": start.isoformat(), "end_dt": (start + timedelta(hours=2)).isoformat()}
    event = {"pk": place, "title": document.title, "get_title": document.title, "get_description": document.summary, "date_spans": [span]}
    event |= {"start_dt": span["start_dt"], "end_dt": span["end_dt"], "timezone": {"key": "Atlantic/Azores"}, "tags": list(document.tags)}
    event |= {"image": f"figure-{place % FIGURES}.png" if place % 2 else "", "description": {"html": to_html(document)}}
    event |= {"place": {"name": hall, "address": street}, "groups": {"count": 0}}
    speakers = [{"name": name, "description": text} for name, text in _speakers(document)]
    site = {"SITE_GLOBAL_SITEDISPLAYNAME": NAME, "SITE_GLOBAL_SITEPRIMARYKEYWORDS": NAME, "speakers_length": len(speakers)}
    return site | {"event": event, "speakers": speakers, "LANGUAGE_CODE": document.language}


def event_gold(document: SourceDocument) -> str:
    """Return the gold text of an event: when it is, its title, where it is, its description and its speakers; the side bar repeats some."""
    title, rest = gold_text(document).split("\n", 1)
    day = _start(document)
    return "\n".join(
        (
            f"{_MONTHS[day.month - 1]} {day.day}, {day.year}",
            title,
            *_place(document),
            rest,
            *(line for one in _speakers(document) for line in one),
        )
    )


def build_events(project: Path) -> None:
    """Fill the template, and add the style sheet that the theme has from the network. Raises `Rejected` if that is missing."""
    if not _FLATLY.is_file():
        raise Rejected("needs Bootswatch: apt-get install libjs-bootswatch")
    _EVENTS.build(project)
    sheet = _FLATLY.read_text("utf-8").replace('@import url("lato-debian.css");', "")
    write_text(project / "html/static/css/flatly.css", sheet.replace("../fonts/", "../bootstrap3/fonts/"))


_EVENTS = DjangoPackage(
    "tendenci==16.30",
    "tendenci/themes/juniper/templates",
    "events/view.html",
    {
        "static/bootstrap3/css": "../t7-base/static/bootstrap3/css",
        "static/bootstrap3/fonts": "../t7-base/static/bootstrap3/fonts",
        "static/yamm": "../t7-base/static/yamm",
        "static/font-awesome/css": "../t7-base/static/font-awesome/css",
        "static/font-awesome/webfonts": "../t7-base/static/font-awesome/webfonts",
        "static/css": "../t7-base/static/css",
        "static/css/base.css": "media/css/base.css",
        "static/img/tendenci-green.png": "media/img/tendenci-green.png",
    },
    helpers=_HELPERS,
    change=lambda text: text.replace("</head>", '<link rel="stylesheet" href="static/css/flatly.css"></head>', 1),
)
