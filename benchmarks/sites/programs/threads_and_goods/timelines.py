"""Threads of short posts, each as react-tweet embeds it, in a frame of ours: the program has the posts alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.chats import messages
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, write_media

_RENDER = """
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { EmbeddedTweet } from 'react-tweet';
import 'react-tweet/theme.css';
const frame = fs.readFileSync('frame.html', 'utf8'), pages = JSON.parse(fs.readFileSync('documents.json'));
for (const one of pages) {
  const posts = one.posts.map(tweet => renderToStaticMarkup(h(EmbeddedTweet, {tweet}))).join('')
    .replace(/https:\\/\\/tide.example\\/(figure-\\d)[^"]*/g, '$1.png');
  const trends = one.trends.map(([slug, title]) => `<a href="${slug}.html"><small>Trending in Quay</small>${title}</a>`).join('');
  const page = frame.replaceAll('TITLE', one.title).replace('POSTS', () => posts).replace('TRENDS', () => trends);
  fs.writeFileSync(`html/${one.slug}.html`, page.replace('LANGUAGE', one.language));
}
"""
_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE" data-theme="light"><head><meta charset="utf-8"><title>Post by TITLE</title>
<link rel="stylesheet" href="style.css"><style>
body {{ margin: 0; font-family: system-ui, sans-serif; color: #0f1419 }} a {{ color: inherit; text-decoration: none }}
.page {{ display: grid; grid-template-columns: 240px 600px 320px; gap: 24px; max-width: 1230px; margin: 0 auto }}
.menu a {{ display: block; padding: 12px; font-size: 20px }} .menu .new {{ background: #1d9bf0; color: #fff; border-radius: 24px;
text-align: center }}
main {{ border: solid #eff3f4; border-width: 0 1px }} main header {{ padding: 16px; font-weight: bold; font-size: 20px }}
main > div > div {{ margin: 0 !important; border-radius: 0 !important; max-width: none !important }}
aside div {{ background: #f7f9f9; border-radius: 16px; padding: 12px 16px; margin: 12px 0 }} aside div a {{ display: block; padding: 8px
0 }}
aside small {{ display: block; color: #536471 }} aside h2 {{ font-size: 20px; margin: 0 }} aside footer {{ font-size: 13px; color:
#536471 }}
input {{ width: 100%; box-sizing: border-box; padding: 12px; border-radius: 24px; border: 0; background: #eff3f4 }}
</style></head><body><div class="page"><nav class="menu"><a href="/"><b>{NAME}</b></a><a href="/">Home</a><a href="/">Explore</a>
<a href="/">Notifications</a><a href="/">Messages</a><a href="/">Lists</a><a href="/">Bookmarks</a><a href="/">Profile</a>
<a class="new" href="/">Post</a></nav><main><header>Thread</header><div>POSTS</div></main><aside><div><input placeholder="Search"></div>
<div><h2>What is happening</h2>TRENDS<a href="/">Show more</a></div><div><h2>Who to follow</h2><a href="/">Harbour of Quay
<small>@harbour</small></a><a href="/">Northport ferries<small>@ferries</small></a></div><footer>Terms. Privacy. Cookies.
{NAME}</footer></aside>
</div></body></html>"""


def _post(number: int, text: str, moment: datetime, member: int, first: str) -> dict[str, object]:
    """Return a post as the network's interface has it: those after the first answer it."""
    name = READERS[member % len(READERS)]
    user: dict[str, object] = {"id_str": str(member), "name": f"{name} Quay", "screen_name": name.lower(), "profile_image_shape": "Circle"}
    user |= {"profile_image_url_https": f"member-{member % 4}.svg", "verified": False, "is_blue_verified": member % 3 == 0}
    found: dict[str, object] = {"__typename": "Tweet", "lang": "en", "id_str": str(1000 + number), "text": text, "user": user}
    entities: dict[str, object] = {"hashtags": [], "urls": [], "user_mentions": [], "symbols": []}
    found |= {"created_at": moment.isoformat(), "display_text_range": [0, len(text)], "entities": entities}
    found |= {"favorite_count": (7 * number + 3) % 400, "conversation_count": number % 5, "edit_control": {}}
    return found | ({"in_reply_to_status_id_str": "1000", "in_reply_to_screen_name": first} if number else {})


def write_timeline(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a thread per document, most of its author, some with a picture."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    write_media(project / "html")
    for number, colour in enumerate(("#457", "#754", "#475", "#547")):
        write_text(project / f"html/member-{number}.svg", ICON.replace("#457", colour))
    written = []
    for number, document in enumerate(documents):
        posts = []
        for place, text in enumerate(messages(document)):
            moment = datetime.combine(document.published, time(8, 4), UTC) + timedelta(minutes=13 * place)
            posts.append(_post(place, text, moment, number + (place if place % 4 == 3 else 0), READERS[number % 8].lower()))
        if number % 2:
            picture = {
                "type": "photo",
                "media_url_https": f"https://tide.example/figure-{number % FIGURES}.png",
                "original_info": {"width": 640, "height": 360},
            }
            posts[0]["mediaDetails"] = [picture | {"url": "/", "sizes": {}, "indices": [0, 0]}]
        near = [documents[(number + step) % len(documents)] for step in (2, 6, 11, 17)]
        written.append(
            {"slug": document.slug, "title": f"{READERS[number % 8]} Quay", "posts": posts, "language": document.language}
            | {"trends": [(one.slug, one.title) for one in near]}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "frame.html", _FRAME)
    write_text(project / "render.mjs", _RENDER)


def build_timeline(project: Path) -> None:
    """Bundle the program, fill its pages, and keep the style sheets of the bundle."""
    tools = project.parents[2]
    options = ["--bundle", "--platform=node", "--jsx=automatic", "--outfile=bundle.cjs", "--loader:.module.css=local-css"]
    run_program(["node_modules/.bin/esbuild", "render.mjs", *options], project, tools)
    run_program(["node", "bundle.cjs"], project, tools)
    (project / "bundle.css").rename(project / "html/style.css")
