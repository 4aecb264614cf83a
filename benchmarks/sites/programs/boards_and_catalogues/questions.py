"""Questions and answers in the layout of Stack Exchange: sotoki, which keeps its sites for reading without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchmarks.sites.applications.communities import POSTS
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import FIGURES, Part, SourceDocument, inline_html, to_html

_STYLE = """
.grid { display: flex } .container { display: flex; max-width: 1264px; margin: 0 auto; width: 100% } .mobile-only { display: none }
.site-header { background: #2f5d7c; margin-bottom: 16px } .site-header--container { max-width: 1264px; margin: 0 auto; padding: 24px }
.site-header--link { color: #fff } .left-sidebar { width: 164px; flex: none; padding-top: 24px; border-right: 1px solid #d6d9dc }
.nav-links { list-style: none; margin: 0; padding: 0 } .nav-links--link { display: block; padding: 8px; color: #525960 }
.youarehere { font-weight: bold; background: #f1f2f3; border-right: 3px solid #2f5d7c } #content { flex: 1; min-width: 0; padding: 24px }
#mainbar { float: left; width: calc(100% - 324px) } #sidebar { float: right; width: 300px } .post-layout { display: grid;
grid-template-columns: max-content 1fr; border-bottom: 1px solid #e3e6e8; padding: 16px 0 } .post-layout--right { grid-column: 2;
padding-left: 16px } .comments-list { list-style: none; margin: 0; padding: 0; font-size: 13px } .comment { display: flex; padding: 6px;
border-bottom: 1px solid #e3e6e8 } .comment-actions { width: 30px; color: #6a737c } .post-tag { background: #e1ecf4; color: #39739d;
padding: 4px 6px; border-radius: 3px; font-size: 12px } .post-signature { width: 200px; background: #f1f2f3; padding: 6px }
.spacer { display: flex; gap: 8px; padding: 4px 0 } button { background: none; border: 0 } #question-header h1 { font-size: 27px }
"""
"""The sites of Stack Exchange have their own style sheets for this, which the program reads from the network."""


def _member(number: int) -> dict[str, object]:
    name = READERS[number % len(READERS)]
    return {
        "id": number % FIGURES,
        "name": name,
        "rep": 31 + 117 * number,
        "slug": name.lower(),
        "nb_silver": number % 4,
        "nb_bronze": 3 + number,
    }


def threads(document: SourceDocument) -> list[tuple[list[Part], str]]:
    """Return the posts of a document: the parts of each, and a comment on it, which is its last paragraph if that follows a paragraph."""
    found = []
    for start in range(0, len(document.parts), POSTS):
        parts, comment = list(document.parts[start : start + POSTS]), ""
        if len(parts) > 1 and parts[-1].kind == parts[-2].kind == "paragraph":
            comment = inline_html(parts.pop().rows[0][0])
        found.append((parts, comment))
    return found


def question_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a question shows, with others beside it."""
    document = documents[place]
    when = f"{document.published:%b %d '%y} at 08:04"
    posts: list[dict[str, object]] = [
        {
            "Id": 100 * place + number,
            "Body": to_html(replace(document, parts=tuple(parts))),
            "Score": (place + 7 * number) % 12,
            "OwnerUserId": _member(place + number),
            "CreationDate": when,
            "comments": [{"Id": number, "Text": comment, "Score": number % 3, "UserId": _member(place + 3), "CreationDate": when}]
            if comment
            else [],
        }
        for number, (parts, comment) in enumerate(threads(document))
    ]
    first, *answers = posts
    related = [documents[(place + step) % len(documents)] for step in (2, 5, 9, 14, 17, 21)]
    question = first | {
        "Title": document.title,
        "Tags": [tag.replace(" ", "-") for tag in document.tags],
        "answers": answers,
        "AcceptedAnswerId": 100 * place + 1,
        "FavoriteCount": place % 5,
        "LastActivityDate": when,
        "ViewCount": 71 + 13 * place,
        "links": {"relateds": [{"Id": 3 + int(one.slug[-2:]) % 7, "Name": one.title, "Title": one.title, "Score": 3} for one in related]},
    }
    frame = {"to_root": "", "whereis": "questions", "title": document.title, "body_class": "question-page"}
    return frame | {"post": question, "conf": {"site_details": {"site_title": NAME}}}


QUESTIONS = JinjaPackage(
    "sotoki==2.2.1",
    "sotoki/templates",
    "question.html",
    {"static": "assets/static"},
    _STYLE,
    lambda text: re.sub(r"users/profiles/(\d)\.webp", r"figure-\1.png", re.sub(r"<link [^>]*(?:primary|secondary)\.css[^>]*>", "", text)),
)
