"""Units of a course (openedx2zim) and guides of repair (ifixit2zim), in the layouts of Open edX and iFixit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.programs.publishing_sites.readers import READERS, comments_on
from benchmarks.sites.texts.documents import FIGURES, Part, SourceDocument, inline_html, part_gold, part_html

_TABS = ("Course", "Discussion", "Wiki", "Progress")
_PROBLEM = (
    '<div class="xblock xmodule_display xmodule_CapaModule" data-block-type="problem"><div class="problems-wrapper"><div class="problem">'
    '<div class="wrapper-problem-response"><fieldset class="choicegroup">{}</fieldset></div><div class="action">'
    '<button class="submit btn-brand" type="button"><span class="submit-label">Submit</span></button></div></div></div></div>'
)
_CHOICE = '<div class="field"><input type="radio" name="choice"><label class="response-label">{}</label></div>'
_DIFFICULTIES = ("Easy", "Moderate", "Difficult")
_TOOLS = ("Spudger", "Tweezers", "Marlinspike", "Needle and thread", "Pliers", "Brass brush", "Oil can")
_LABELS = {
    "written_by": "Written By:",
    "difficulty": "Difficulty",
    "steps": "Steps",
    "time_required": "Time Required",
    "introduction": "Introduction",
    "step_no_before": "Step ",
    "author": "Author",
    "reputation": "Reputation",
    "comments_count_after": " comments",
    "comments_count_one": "One comment",
    "comments_stats_title": "Comments: ",
    "comments_show_more": "Load more comments",
    "tools": "Tools",
}
_GUIDE_HEAD = f"""<header style="display: flex; gap: 24px; padding: 16px 32px; border-bottom: 1px solid #ddd"><strong>{NAME}</strong>
<a href="/">Fix your boat</a><a href="/">Repair guides</a><a href="/">Answers forum</a><a href="/">Tools</a>
<a href="/">Log in</a></header>"""
_GUIDE_HELPERS = """
engine.filters.update(get_image_url=lambda one, **names: one.get("image", "") if isinstance(one, dict) else one,
  get_item_comments_count=lambda one: len(one.get("comments", ())), get_guide_total_comments_count=lambda one: len(one["comments"]),
  get_user_display_name=lambda one: one["username"], get_user_link_from_obj=lambda one: "/" + one["username"])
"""


def unit_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a unit shows: its last list of a document is the choices of a question."""
    document = documents[place]
    lists = [number for number, part in enumerate(document.parts) if part.kind == "bullets"]
    content = [_problem(part) if [number] == lists[-1:] else part_html(part) for number, part in enumerate(document.parts)]
    units: list[dict[str, object]] = []
    for number, one in enumerate(documents):
        names = {"id": one.slug, "display_name": one.title}
        units.append({**names, "relative_path": one.slug, "xblock_json": names, "icon_type": ("fa-book", "fa-edit")[number % 2]})
    sections: list[dict[str, object]] = [
        {
            "id": f"section-{number}",
            "display_name": documents[5 * number].summary.split(".")[0][:60],
            "descendants": units[5 * number : 5 * number + 5],
        }
        for number in range(len(units) // 5)
    ]
    chapters = [
        {"id": f"week-{week}", "display_name": f"Week {week + 1}", "descendants": sections[2 * week : 2 * week + 2]} for week in range(3)
    ]
    return {
        "rooturl": "",
        "vertical": units[place],
        "vertical_content": content,
        "sequential": sections[place // 5],
        "chapter": chapters[place // 10],
        "side_menu": True,
        "prev_vertical": units[place - 1] if place else None,
        "next_vertical": units[place + 1] if place + 1 < len(units) else None,
        "mooc": {
            "course_id": NAME,
            "course_tabs": {tab: f"{tab.lower()}.html" for tab in _TABS},
            "head_course_xblock": {"descendants": chapters},
        },
    }


def _problem(part: Part) -> str:
    return _PROBLEM.format("".join(_CHOICE.format(inline_html(row[0])) for row in part.rows))


UNITS = JinjaPackage(
    "openedx2zim==1.0.1",
    "openedx2zim/templates",
    "vertical.html",
    {"assets/main.css": "templates/assets/main.css", "assets/fontawesome": "templates/assets/fontawesome"},
    change=lambda text: re.sub(r"<link [^>]*(?:video-js|favicon)[^>]*>", "", text).replace("/index.html", ".html"),
)


def _steps(document: SourceDocument) -> list[list[Part]]:
    """Return the parts of each step: those from one heading to the next."""
    found: list[list[Part]] = [[]]
    for part in document.parts:
        if part.kind == "heading" and found[-1]:
            found.append([])
        found[-1].append(part)
    return found


def _lines(part: Part) -> list[str]:
    """Return a part as lines of a step."""
    if part.kind in ("heading", "paragraph", "bullets", "steps"):
        tag = "strong" if part.kind == "heading" else "span"
        return [f"<{tag}>{inline_html(row[0])}</{tag}>" for row in part.rows]
    return [part_html(part)]


def _minutes(number: int) -> str:
    return f"{10 + 5 * (number % 6)} minutes - {1 + number % 3} hours"


def _tools(number: int) -> list[str]:
    return [_TOOLS[(number + 2 * step) % len(_TOOLS)] for step in range(2 + number % 3)]


def guide_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a guide shows, with pictures of its steps and readers' comments below them."""
    document = documents[place]
    author = {"username": f"{READERS[place % 8]} Quay", "reputation": 17 + 40 * place, "image": f"figure-{place % FIGURES}.png"}
    comments = [
        {"commentid": number, "text_rendered": f"<p>{text}</p>", "author": {"username": reader}, "modified_date": str(day), "replies": []}
        for number, (reader, day, text) in enumerate(comments_on(documents, place)[:3])
    ]
    steps = [
        {
            "stepid": number,
            "media": {"type": "image", "data": [f"figure-{(place + number) % FIGURES}.png"]},
            "lines": [{"bullet": "black", "level": 0, "text_rendered": line} for part in parts for line in _lines(part)],
            "comments": [],
        }
        for number, parts in enumerate(_steps(document))
    ]
    guide = {
        "title": document.title,
        "image": f"figure-{place % FIGURES}.png",
        "author": author,
        "difficulty": _DIFFICULTIES[place % 3],
        "difficulty_class": f"difficulty-{1 + place % 3}",
        "time_required": _minutes(place),
        "introduction_rendered": f"<p>{document.summary}</p>",
        "tools": [{"text": name, "url": "/", "thumbnail": f"figure-{number % FIGURES}.png"} for number, name in enumerate(_tools(place))],
        "parts": [],
        "steps": steps,
        "guideid": place,
        "comments": comments,
    }
    stats = [{"value": value, "label": label} for value, label in (("1,204", "repair guides"), ("311", "solutions"), ("48", "boats"))]
    return {"guide": guide, "label": _LABELS, "metadata": {"stats": stats, "current_year": 2026}}


def guide_gold(document: SourceDocument) -> str:
    """Return the gold text of a guide: its title, difficulty, time and tools, and its numbered steps."""
    number = int(document.slug[-2:])
    steps = _steps(document)
    lines = [document.title, "Difficulty", _DIFFICULTIES[number % 3], "Steps", str(len(steps)), "Time Required", _minutes(number)]
    lines += ["Introduction", document.summary, "Tools", *_tools(number)]
    for place, parts in enumerate(steps, 1):
        lines += [f"Step {place}", *(line for part in parts for line in part_gold(part))]
    return "\n".join(lines)


GUIDES = JinjaPackage(
    "ifixit2zim==0.2.4",
    "ifixit2zim/templates",
    "guide.html",
    {"assets": "assets"},
    change=lambda text: (
        text.replace("../../", "")
        .replace('lang="fr"', 'lang="en"')
        .replace('<div id="background">', f'{_GUIDE_HEAD}<div id="background">', 1)
    ),
    helpers=_GUIDE_HELPERS,
)
