"""A collection of photographs in the layout of MediaGoblin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.programs.publishing_sites.readers import READERS, comments_on
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, to_html

_HELPERS = """
class User(dict):
    id, username, is_banned = 3, "ada", lambda self: False
    def has_privilege(self, name):
        return name in ("active", "commenter")
class Store:
    file_url = staticmethod(lambda path: path)
class Request:
    user, app = User(name="ada"), type("App", (), {"public_store": Store})
    staticdirect, urlgen = staticmethod(lambda path: path.lstrip("/")), staticmethod(lambda *arguments, **names: "/")
engine.globals.update(request=Request(), timesince=lambda moment: "2 years")
"""


def picture_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a picture shows, with readers' comments below it."""
    document = documents[place]
    member = READERS[place % 8].lower()
    comments = [
        {
            "id": number,
            "comment()": {"get_actor": {"username": reader.lower()}, "created": {"strftime()": str(day)}, "content_html": f"<p>{text}</p>"},
        }
        for number, (reader, day, text) in enumerate(comments_on(documents, place))
    ]
    picture = f"figure-{place % FIGURES}.png"
    media = {
        "title": document.title,
        "description_html": to_html(document),
        "get_actor": {"username": member},
        "actor": 9,
        "id": place,
        "created": {"strftime()": str(document.published)},
        "tags": [{"name": tag, "slug": tag} for tag in document.tags],
        "get_display_media()": ["", picture],
        "media_files": {"has_key()": True, "original": picture},
        "collections": [{"title": ("Boats", "Lanterns", "Winter")[place % 3], "get_actor": {"username": member}, "url_for_self()": "/"}],
        "url_to_prev()": f"{documents[place - 1].slug}.html" if place else "",
        "url_to_next()": f"{documents[place + 1].slug}.html" if place + 1 < len(documents) else "",
    }
    return {
        "media": media,
        "comments": comments,
        "app_config": {"html_title": NAME, "allow_comments": True, "source_link": "/"},
        "auth": True,
    }


PICTURES = JinjaPackage(
    "mediagoblin==0.9.0",
    "mediagoblin/templates",
    "mediagoblin/user_pages/media.html",
    {"css": "static/css", "images": "static/images"},
    "#header_dropdown, .header_dropdown_up { display: none }",  # until a script shows it
    helpers=_HELPERS,
)
