"""Topics of a forum (Niji) and threads as Reddit has them (arcticzim)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import FIGURES, SourceDocument

_BOARDS = ("Harbour", "Routes", "Workshop", "Boats", "Weather")
_NIJI_HELPERS = """
register.simple_tag(lambda user: user.picture, name="avatar_url")
nothing("get_pagination", "crispy")
"""


def _member(number: int) -> dict[str, object]:
    name = READERS[number % len(READERS)]
    return {"name": name.lower(), "username": name.lower(), "picture": f"figure-{number % FIGURES}.png"}


def topic_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a topic shows: the author adds to every third one."""
    document = documents[place]
    first, *others = posts_html(document)
    added = [{"content_rendered": {"html": others.pop(0)}, "pub_date": f"{document.published}"}] if place % 3 == 2 and others else []
    board = {"title": _BOARDS[place % 5], "description": f"All about the {_BOARDS[place % 5].lower()} of Quay"}
    topic = {
        "title": document.title,
        "node": board,
        "user": _member(place),
        "view_count": 31 + 14 * place,
        "pub_date": f"{document.published}",
    }
    topic |= {"content_rendered": {"html": first}, "reply_count": len(others), "appendix_set": {"all": added}}
    posts = [
        {"content_rendered": {"html": text}, "user": _member(place + 3 * number), "pub_date": f"{document.published}"}
        for number, text in enumerate(others, 1)
    ]
    nodes = [{"title": title} for title in _BOARDS]
    return {"topic": topic, "posts": posts, "node": board, "nodes": nodes, "site_name": NAME, "title": document.title}


NIJI = DjangoPackage(
    "django-niji==0.1.0",
    "niji/templates",
    "niji/topic.html",
    {"static/niji": "static/niji"},
    bootstrap="bootstrap",
    helpers=_NIJI_HELPERS,
    change=lambda text: (
        text.replace('"/static/', '"static/')
        .replace("NIJI APP", NAME)
        .replace("NIJI is a forum app built with Django", "A forum of those who go to sea in small boats")
    ),
)

_REDDIT_HELPERS = """
engine.tests["local_post_url"] = lambda address: False
engine.globals["options"] = {"with_users": True, "with_stats": True}
"""
_STYLE = "import sass, sys; print(sass.compile(string='$theme: light;' + open(sys.argv[1]).read()), file=open('html/style_light.css', 'w'))"
_FLAIRS = ("Question", "Photograph", "News", "")


def thread_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a thread shows: two of three comments answer the one before them."""
    document = documents[place]
    first, *others = posts_html(document)
    root: dict[str, object] = {"children": []}
    above = [root]
    for number, text in enumerate(others, 1):
        name = READERS[(place + 3 * number) % len(READERS)]
        comment: dict[str, object] = {"id": f"c{number}", "author": {"name": f"{name}_{17 * number}"}, "score": 90 - number, "body": text}
        comment |= {"created_utc": f"{document.published} 09:{10 + number}", "children": [], "distinguished_class": None}
        comment |= {
            "author_flair_text": "Harbour office" if number % 4 == 3 else "",
            "post": {"id": f"t{place}", "subreddit": {"name": "tides"}},
        }
        above = above[:1] if number % 3 == 1 else above
        above[-1]["children"].append(comment)  # type: ignore[attr-defined]
        above.append(comment)
    post = {"id": f"t{place}", "title": document.title, "score": 120 + 31 * place, "icon_name": "text", "is_self": True, "url": "/"}
    post |= {"author": {"name": READERS[place % 8]}, "subreddit": {"name": "tides"}, "created_utc": f"{document.published} 08:04"}
    post |= {"selftext": first, "comments": [0, *others], "root_comment": root, "link_flair_text": _FLAIRS[place % 4]}
    return {"post": post, "to_root": "."}


_THREADS = JinjaPackage(
    "arcticzim==1.0.0",
    "arcticzim/zimbuild/templates",
    "postpage.html.jinja",
    {"icons/icon_text.png": "../resources/icons/icon_text.png", "favicon.png": "../resources/icons/arcticzim.png"},
    change=lambda text: text.replace("ArcticZim", NAME).replace('<link rel="stylesheet" href="./style_dark', "<link data-file="),
    helpers=_REDDIT_HELPERS,
)


def build_threads(project: Path) -> None:
    """Fill the template of a thread, and compile the package's style sheet."""
    _THREADS.build(project)
    tools = project.parents[1].resolve()
    source = next(tools.glob("lib/*/site-packages/arcticzim/resources/style.scss"))
    run_tool([str(tools / "bin/python"), "-c", _STYLE, str(source)], project)
