"""Questions of customers and the answers to them: the feed of Salesforce's Lightning design system in a frame of its parts."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from string import Template

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, write_media

_PAGE = """<!doctype html><html lang="$language"><head><meta charset="utf-8"><title>$title - $name</title>
<link rel="stylesheet" href="lightning.css"></head><body style="background: #f3f3f3">
<header class="slds-brand-band"><div class="slds-global-header slds-grid slds-grid_align-spread" style="background: #fff; padding: 0 1rem">
<div class="slds-global-header__item"><b>$name</b></div><div class="slds-global-header__item slds-global-header__item_search"><div
class="slds-form-element"><input class="slds-input" type="search" placeholder="Search questions"></div></div>
<ul class="slds-global-header__item slds-grid slds-grid_vertical-align-center"><li><a class="slds-button slds-button_neutral"
href="/">Sign in</a></li></ul>
</div><div class="slds-context-bar"><nav class="slds-context-bar__secondary"><ul class="slds-grid">
<li class="slds-context-bar__item"><a class="slds-context-bar__label-action" href="/">Home</a></li>
<li class="slds-context-bar__item slds-is-active"><a class="slds-context-bar__label-action" href="/">Questions</a></li>
<li class="slds-context-bar__item"><a class="slds-context-bar__label-action" href="/">Knowledge</a></li>
<li class="slds-context-bar__item"><a class="slds-context-bar__label-action" href="/">Groups</a></li></ul></nav></div></header>
<div class="slds-grid slds-gutters slds-wrap" style="max-width: 1200px; margin: 1.5rem auto"><main class="slds-col slds-size_2-of-3"><div
class="slds-card" style="padding: 1rem"><div class="slds-feed" style="max-width: none"><ul class="slds-feed__list"><li
class="slds-feed__item">
<article class="slds-post">$header<div class="slds-post__content slds-text-longform"><h1
class="slds-text-heading_medium">$title</h1>$question</div>
<footer class="slds-post__footer"><ul class="slds-post__footer-actions-list slds-list_horizontal">
<li class="slds-col slds-item slds-m-right_medium"><button class="slds-button_reset slds-post__footer-action">Like</button></li>
<li class="slds-col slds-item slds-m-right_medium"><button class="slds-button_reset slds-post__footer-action">Answer</button></li>
<li class="slds-col slds-item slds-m-right_medium"><button class="slds-button_reset slds-post__footer-action">Follow</button></li></ul>
<ul class="slds-post__footer-meta-list slds-list_horizontal slds-has-dividers_right slds-text-title"><li
class="slds-item">$count answers</li>
<li class="slds-item">$views views</li></ul></footer></article><div class="slds-feed__item-comments"><div
class="slds-p-horizontal_medium slds-p-vertical_x-small slds-grid"><button
class="slds-button_reset slds-text-link">Sort by oldest</button><span
class="slds-text-body_small slds-col_bump-left">$count of $count</span></div><ul>$answers</ul><div
class="slds-media slds-comment slds-hint-parent">
<div class="slds-media__body"><div class="slds-publisher slds-publisher_comment"><label
class="slds-publisher__toggle-visibility slds-m-bottom_small">
<textarea class="slds-publisher__input slds-input_bare slds-text-longform"
placeholder="Write an answer"></textarea></label></div></div></div></div>
</li></ul></div></div></main><aside class="slds-col slds-size_1-of-3">
<article class="slds-card"><div class="slds-card__header slds-grid"><header class="slds-media slds-media_center slds-has-flexi-truncate">
<div class="slds-media__body"><h2 class="slds-card__header-title">Related questions</h2></div></header></div><div
class="slds-card__body slds-card__body_inner"><ul class="slds-has-dividers_bottom-space">$near</ul></div></article>
<article class="slds-card"><div class="slds-card__header slds-grid"><h2 class="slds-card__header-title">Topics</h2></div>
<div class="slds-card__body slds-card__body_inner">$topics</div></article></aside></div>
<footer class="slds-p-around_large slds-text-align_center slds-text-color_weak">$name, 12 Quay Street. Terms. Privacy.</footer></body>
</html>
"""
_HEADER = """<header class="slds-post__header slds-media"><div class="slds-media__figure"><a href="/" class="slds-avatar slds-avatar_circle
slds-avatar_large"><img alt="" src="figure-$face.png" style="height:
100%"></a></div><div class="slds-media__body"><p><a href="/">$member</a> posted in
<a href="/">$group</a></p><p class="slds-text-body_small">$when</p></div></header>"""
_ANSWER = """<li><article class="slds-comment slds-media slds-hint-parent"><div class="slds-media__figure"><a href="/" class="slds-avatar
slds-avatar_circle slds-avatar_medium"><img alt="" src="figure-$face.png" style="height: 100%"></a></div><div class="slds-media__body">
<header class="slds-media slds-media_center"><div class="slds-grid slds-grid_align-spread slds-has-flexi-truncate"><p
class="slds-truncate"><a
href="/">$member</a></p>$best</div></header><div class="slds-comment__content slds-text-longform">$text</div><footer><ul
class="slds-list_horizontal slds-has-dividers_right slds-text-body_small"><li class="slds-item"><button
class="slds-button_reset slds-text-color_weak">
Like</button></li><li class="slds-item">$when</li></ul></footer></div></article></li>"""
_BEST = '<span class="slds-badge slds-theme_success">Best answer</span>'
_GROUPS = ("Moorings", "Tickets", "Charts", "Weather")


def write_questions(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per question, whose answers are the posts of a document after the first one, and the style sheet."""
    del theme
    write_media(project / "html")
    styles = project.parents[1] / "node_modules/@salesforce-ux/design-system/assets/styles"
    shutil.copy(styles / "salesforce-lightning-design-system.min.css", project / "html/lightning.css")
    for number, document in enumerate(documents):
        question, *others = posts_html(document)
        answers = "".join(
            _fill(_ANSWER, number + 3 * place + 1, text=text, best=_BEST * (place == number % 3), when=f"{1 + place} days ago")
            for place, text in enumerate(others)
        )
        near = [documents[(number + step) % len(documents)] for step in (2, 6, 11, 15, 19)]
        page = {"language": document.language, "title": document.title, "name": NAME, "question": question, "answers": answers}
        page |= {"header": _fill(_HEADER, number, group=_GROUPS[number % 4], when=f"{document.published:%d %B %Y}")}
        page |= {"near": "".join(f'<li class="slds-item"><a href="{one.slug}.html">{one.title}</a></li>' for one in near)}
        page |= {"topics": "".join(f'<span class="slds-badge slds-m-right_x-small">{name}</span>' for name in document.tags)}
        page |= {"count": str(len(others)), "views": str(31 + 14 * number)}
        write_text(project / f"html/{document.slug}.html", Template(_PAGE).substitute(page))


def _fill(template: str, member: int, **more: str) -> str:
    return Template(template).substitute(face=member % FIGURES, member=f"{READERS[member % 8]} Quay", **more)
