"""Pages of a repository of packages (simple-repository-browser), and questions with their answers (djaodjin-answers) in a frame of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage, installed
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage, write_filled
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html

_HELPERS = """
engine.globals.update(url_for=lambda name, **names: "/", static_file_url=lambda path: "static" + path, fmt_size=lambda size: "41 kB")
"""
_STYLE = "#releases-page, #files-page, #dependencies-page { display: none }"
"""Until a button shows them."""
_CLASSES = (("Topic", ("Scientific", "Utilities")), ("License", ("OSI Approved",)), ("Operating System", ("OS Independent", "POSIX")))


def _name(document: SourceDocument) -> tuple[str, str]:
    """Return the name and the version of a package."""
    number = int(document.slug[-2:])
    return f"tide-{('charts', 'tables', 'lights', 'ropes')[number % 4]}-{number + 1}", f"{1 + number % 3}.{number % 7}.{number % 4}"


def package_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a package shows, with its former releases and its files behind buttons."""
    document = documents[place]
    name, version = _name(document)
    day = {"year": 2024, "strftime()": f"{document.published:%b %d, %Y}"}
    files = [{"filename": f"{name}-{version}{kind}", "url": "/", "yanked": False} for kind in (".tar.gz", "-py3-none-any.whl")]
    releases = [{"version": f"0.{number}", "labels": [], "release_date": day} for number in range(1 + place % 4)]
    release = {"version": version, "labels": ["latest-release"], "files": files, "release_date": day}
    links = [["Homepage", "https://tide.example/"], ["Issues", "https://tide.example/issues"]]
    metadata: dict[str, object] = {
        "summary": document.summary,
        "description": f"<h1>{document.title}</h1>{to_html(document)}",
        "author": "Ada Quay",
    }
    metadata |= {"requires_python": ">=3.9", "project_urls": dict(links), "files_info": {}}
    return {
        "project": {"name": name, "private_metadata": {}},
        "this_release": release,
        "latest_release": release,
        "releases": [*releases, release],
        "file_info": {"upload_time": day},
        "file_metadata": metadata,
        "classifiers_by_top_level": {head: [f"{head} :: {one}" for one in found] for head, found in _CLASSES},
        "compatibility_matrix": {},
        "browser_version": "0.12.1",
    }


def package_gold(document: SourceDocument) -> str:
    """Return the gold text of a package: its name and version, what it is, and its description."""
    name, version = _name(document)
    return "\n".join((f"{name} {version}", document.summary, gold_text(document)))


PACKAGES = JinjaPackage(
    "simple-repository-browser==0.12.1",
    "simple_repository_browser/templates/base",
    "project.html",
    {"static": "../static"},
    _STYLE,
    helpers=_HELPERS,
)


_QUESTIONS_FRAME = """<!DOCTYPE html><html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ question.title }} -
{{ site }}</title>
</head><body class="bg-light"><nav class="navbar navbar-expand navbar-dark bg-success"><div class="container"><a class="navbar-brand"
href="/">{{ site }}</a><ul class="navbar-nav me-auto">{% for name in menu %}<li class="nav-item"><a class="nav-link" href="/">{{ name }}</a>
</li>{% endfor %}</ul><form><input class="form-control form-control-sm" placeholder="Search questions"></form></div></nav>
<div class="container py-3"><div class="row"><div class="col-8 bg-white border p-3">{% block content %}{% endblock %}</div>
<aside class="col-4"><h2 class="h6">Similar questions</h2><ul class="list-group">{% for one in others %}<li class="list-group-item"><a
href="{{ one.slug }}.html">{{ one.title }}</a><small class="text-muted d-block">{{ one.count }} answers</small></li>{% endfor %}</ul>
<h2 class="h6 mt-3">Members with most answers</h2><p class="small">{% for name in members %}{{ name }}{% if not forloop.last %}, {% endif %}
{% endfor %}</p></aside></div></div><footer class="border-top py-3"><div class="container small text-muted">{{ site }}. House rules. Contact
</div></footer></body></html>"""
_QUESTIONS_HELPERS = """
listed("get_comment_count", "get_comment_list", "get_comment_form")
nothing("get_comment_permalink", "comment_form_target")
register.filter("is_broker_manager", lambda request: False)
same("date")
"""


def question_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a question shows: the posts of a document after the first one are answers."""
    document = documents[place]
    first, *others = posts_html(document)
    question = {
        "title": document.title,
        "text": {"html": first},
        "user": READERS[place % 8],
        "created_at": f"{document.published:%b %d, %Y}",
    }
    answers = [
        {
            "id": number,
            "user": READERS[(place + 3 * number) % 8],
            "comment": {"html": text},
            "created_at": f"{document.published:%b %d, %Y}",
        }
        for number, text in enumerate(others, 1)
    ]
    near = [documents[(place + step) % len(documents)] for step in (2, 6, 11, 17, 21)]
    similar = [{"slug": one.slug, "title": one.title, "count": len(posts_html(one)) - 1} for one in near]
    frame = {
        "site": NAME,
        "language": document.language,
        "menu": ("Questions", "Tags", "Members"),
        "others": similar,
        "members": READERS[:5],
    }
    found = {"answers_count": len(answers), "answer_list": answers}
    return frame | {"question": question, "found": found, "votes_score": 3 + place, "nb_followers": place % 6}


write_questions = write_filled(question_context, {"base.html": _QUESTIONS_FRAME})
_QUESTIONS = DjangoPackage(
    "djaodjin-answers==0.1.6",
    "answers/templates",
    "answers/question_detail.html",
    style="h4 { font-size: 1rem; border-top: 1px solid #ddd; padding-top: 12px }",
    bootstrap="bootstrap5",
    helpers=_QUESTIONS_HELPERS,
)


def build_questions(project: Path) -> None:
    """End what the template of a question leaves open, and fill it."""
    path = installed(project, _QUESTIONS.package, _QUESTIONS.folder) / _QUESTIONS.template
    text = path.read_text("utf-8")
    if "{% endif %}{% endblock %}" not in text:
        path.write_text(text.rstrip().removesuffix("{% endblock %}") + "{% endif %}{% endblock %}", "utf-8")
    _QUESTIONS.build(project)
