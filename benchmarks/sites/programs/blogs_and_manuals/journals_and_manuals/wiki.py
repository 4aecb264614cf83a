"""A wiki of Wikked, whose templates are filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.texts.documents import SourceDocument, to_html

_TOOLS = {"Random page": "random", "What links here": "link", "All pages": "list", "Recent changes": "history", "Orphans": "unlink"}


def page_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template shows of a page: its text, its categories, the wiki's menu and its footer."""
    document = documents[place]
    links = {name: f"url_{name}" for name in ("home", "new", "read", "edit", "hist", "help")}
    extras = [{"title": title, "icon": icon, "url": "/special"} for title, icon in _TOOLS.items()]
    categories = [{"name": name, "url": f"/category/{name}"} for name in document.tags]
    meta: dict[str, object] = {"title": document.title, "url": f"/{document.slug}"}
    return {
        "page_title": f"{document.title} ({NAME})",
        "meta": meta | ({"category": categories} if place % 4 else {}),
        "redirected_from": [documents[place - 3].title] if place % 5 == 2 else [],
        "get_read_url()": f"{document.slug}.html",
        "text": to_html(document),
        "auth": {"is_logged_in": place % 6 == 1, "username": "ada", "url_login": "/login"},
        "nav": {
            **dict.fromkeys(links.values(), "/page"),
            "locked": True,
            "lock_icon": "lock",
            "extras": extras,
            "footers": [
                {"title": f"Last change {document.published:%d.%m.%Y}", "url": "/history"},
                {"title": "Terms of the wiki", "url": "/terms"},
            ],
        },
    }


WIKKED = JinjaPackage(
    "Wikked==0.8.1",
    "wikked/templates",
    "read-page.html",
    {"static/css": "static/css", "static/webfonts": "static/webfonts"},
    change=lambda text: text.replace('"/static/', '"static/'),
)
