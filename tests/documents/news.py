"""The site that the documents call https://news.example: articles, one of them late, one behind a login."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES = (
    "The storm reached the coast before dawn and broke two of the three moorings of the night ferry.",
    "Nobody was hurt, the harbour master said, because the crew had been sent ashore at midnight.",
    "Repairs will take three weeks, and until then a smaller boat carries workers across the estuary.",
    "The council has met twice about it, and wants to have the quay raised by a metre before the autumn.",
)
NAVIGATION = "<nav><a href='/'>News</a> <a href='/sport/'>Sport</a> <a href='/weather/'>Weather</a></nav>"
FOOTER = "<footer><p>© The Estuary Courier. <a href='/imprint'>Imprint</a> <a href='/privacy'>Privacy</a></p></footer>"


STYLE = "body{font:16px/1.5 serif;margin:0}main{width:680px;margin:32px 96px}nav,aside,footer{font:13px sans-serif;padding:16px}"
ASIDE = "<aside><h2>Most read</h2><a href='/a'>Bridge closed on Sunday</a> <a href='/b'>Tide tables for May</a></aside>"
PARAGRAPHS = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)


def article(title: str, more: str = "", head: str = "") -> str:
    """Return an article of four paragraphs."""
    return page(title, f"<h1>{title}</h1>{PARAGRAPHS}{more}", f"<meta name='author' content='Ana Lim'>{head}")


def page(title: str, main: str, head: str = "") -> str:
    """Return a page with the site's navigation around its main part."""
    head = f"<meta charset='utf-8'><title>{title}</title><style>{STYLE}</style>{head}"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{NAVIGATION}<main>{main}</main>{ASIDE}{FOOTER}</body></html>"


STORM = "Storm breaks the moorings of the night ferry"
FILL = "document.getElementById('story').innerHTML = document.querySelector('template').innerHTML"
LATE = page(
    STORM,
    f"<h1>{STORM}</h1><div id='story'>Loading…</div><template>{PARAGRAPHS}</template><script>setTimeout(() => {{ {FILL} }}, 600)</script>",
)
BUTTON = f"<div id='story'><button onclick=\"{FILL}\">Read on</button></div>"
FOLDED = page(STORM, f"<h1>{STORM}</h1><p>{SENTENCES[0]}</p>{BUTTON}<template>{PARAGRAPHS}</template>")
LOGIN = """<!doctype html><title>Log in</title><main><h1>Log in</h1>
<p>Members of the Estuary Courier read all articles of the archive.</p>
<form onsubmit="if (user.value == 'ana') { document.cookie = 'member=1;path=/'; location = '/members' } return false">
<input id="user"><input id="password" type="password"><button>Log in</button></form></main>"""
MEMBERS = page(
    "The archive",
    "<h1>The archive</h1><div id='story'>Please log in to read the archive of the Estuary Courier.</div>"
    f"<template>{PARAGRAPHS}</template><script>if (document.cookie.includes('member=1')) {FILL}</script>",
)
TOWNS = ("bridge", "harbour", "school")


def news_pages() -> Mapping[str, str]:
    """Return the pages of the site by path."""
    articles = {f"/2026/05/{name}": article(f"What the {name} needs now") for name in TOWNS}
    comments = (
        "<section class='comments'><h2>Comments</h2><p>Raise the quay, and be done with it, before the next storm does it.</p></section>"
    )
    return {
        "/": article("The Estuary Courier", "".join(f"<p><a href='{path}'>{path}</a></p>" for path in articles)),
        "/2026/05/storm": article(STORM, comments, "<meta property='article:published_time' content='2026-05-21'>"),
        "/late": LATE,
        "/folded": FOLDED,
        "/login": LOGIN,
        "/members": MEMBERS,
        **articles,
    }
