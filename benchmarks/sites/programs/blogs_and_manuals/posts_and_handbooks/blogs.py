"""Blogs: Catsup's own theme with readers' comments, and kioblog with related posts; the templates of both are filled."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME
from benchmarks.sites.packages import install_packages
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.programs.shops_and_threads.layout import without_network
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import FIGURES, TAG_WORDS, SourceDocument, to_html

_THREAD = """<div class="thread"><h3>{{ post.comments|length }} Comments</h3>
<form><textarea rows="3" placeholder="Join the discussion"></textarea>
<p><a href="#in">Log in</a> <button>Post as guest</button></p></form>
<ul>{% for one in post.comments %}<li><p class="by"><a href="#by">{{ one[0] }}</a> <time>{{ one[1] }}</time></p><p>{{ one[2] }}</p>
<p class="by"><a href="#up">Like</a> <a href="#reply">Reply</a> <a href="#share">Share</a></p></li>{% endfor %}</ul></div>
<div class="thread"><h3>Also on {{ site.name }}</h3><ul>{% for one in post.others %}<li><a href="{{ one[0] }}">{{ one[1] }}</a>
<p>{{ one[2] }}</p></li>{% endfor %}</ul></div>"""
_CATSUP = f"""
class Commented(Templates):  # the comments come from a service of the network
    def get_source(self, engine, name):
        text, path, fresh = super(Commented, self).get_source(engine, name)
        return text.replace("{{{{ render_comment(post) }}}}", {_THREAD!r}), path, fresh
engine.loader = Commented([folder, folder + "/../../../templates"])
engine.globals.update(static_url=lambda name: "static/" + name, url_for=lambda one: "/")
"""
_THREAD_STYLE = """
.thread ul { list-style: none; padding: 0; margin: 0 } .thread li { border-top: 1px solid #ddd; padding: 6px 0 }
.thread .by { font-size: 12px; color: #888; margin: 2px 0 } .thread textarea { width: 98% }
"""
_KIOBLOG = "register.filter('date', lambda value, form=None: value)"
_BASSCSS = '<link rel="stylesheet" href="basscss.min.css">'


def post_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what Catsup's template shows of a post: the post, its comments, other posts, and the lists of the footer."""
    document = documents[place]
    tags = [{"name": name, "count": sum(name in one.tags for one in documents)} for name in TAG_WORDS]
    near = [documents[(place + step) % len(documents)] for step in (1, 4, 9)]
    post: dict[str, object] = {"title": document.title, "date": f"{document.published}", "content": to_html(document)}
    post |= {"description": document.summary, "tags": [{"name": name} for name in document.tags]}
    post |= {"comments": [(reader, f"{day}", text) for reader, day, text in comments_on(documents, place)]}
    post |= {"others": [(f"{one.slug}.html", one.title, one.summary) for one in near]}
    links = [{"url": "https://example.org", "name": name, "description": name} for name in ("Harbour office", "Ferries", "Bela Moore")]
    return {
        "site": {"name": NAME, "description": "Ada Quay writes on ports"},
        "author": {"twitter": "adaquay"},
        "theme": {"github": "adaquay", "links": links},
        "pages": [{"title": title} for title in ("About", "Archive", "Letters")],
        "generator": {"tags": tags, "archives": [{"year": 2024, "count": len(documents)}]},
        "post": post,
        "tags": True,
    }


CATSUP = JinjaPackage(
    "catsup==0.3.11",
    "catsup/themes/sealscript/templates",
    "post.html",
    {"static": "static"},
    style=_THREAD_STYLE,
    change=without_network,
    helpers=_CATSUP,
)


def entry_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what kioblog's template shows of a post, with the posts before and after it, related and recent ones."""
    document = documents[place]
    count = len(documents)
    post: dict[str, object] = {"title": document.title, "content_html": to_html(document), "published": f"{document.published:%Y/%m/%d}"}
    post |= {"category": {"title": document.tags[0].capitalize()}, "reading_time": 2 + place % 6, "user": {"get_full_name": "Ada Quay"}}
    post |= {"tags": {"all": [{"title": name, "slug": name} for name in document.tags]}, "meta_description": document.summary}
    if place % 2:
        post["image"] = {"url": f"figure-{place % FIGURES}.png"}
    return {
        "kioblog_settings": {"blog_title": NAME},
        "kioblog_categories": [{"title": name.capitalize(), "slug": name} for name in TAG_WORDS],
        "post": post,
        "prev_post": {"title": documents[place - 1].title},
        "next_post": {"title": documents[(place + 1) % count].title},
        "related_posts": [{"title": documents[(place + step) % count].title} for step in (3, 7, 12)],
        "recent_posts": [{"title": one.title} for one in documents[-5:]],
    }


_PACKAGE = DjangoPackage(
    "kioblog==0.2.4",
    "kioblog/templates",
    "kioblog/post.html",
    {"static/kioblog": "static/kioblog"},
    helpers=_KIOBLOG,
    change=lambda text: text.replace("<link href=", f"{_BASSCSS}<link href=", 1),
)


def build_kioblog(project: Path) -> None:
    """Fill the template, with the style sheet of npm in place of that from the network."""
    tools = project.parents[2]
    install_packages(tools / "basscss", ("basscss@8.0.2",), "npm")
    _PACKAGE.build(project)
    shutil.copy(tools / "basscss/node_modules/basscss/css/basscss.min.css", project / "html")
