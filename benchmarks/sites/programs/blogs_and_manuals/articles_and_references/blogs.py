"""Blogs by static generators of Python: Ark, Bakesite and BlogTuner without readers' comments, bucket3 with them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.texts.documents import SourceDocument, to_html, to_markdown

_BLOGTUNER = """
import sys, types
from pathlib import Path
class Importer(types.ModuleType):
    def __getattr__(self, name):
        return type(name, (), {})
sys.modules["substack_api"] = Importer("substack_api")  # which it only needs to read blogs of others
from blogtuner.core.blog import BlogConfig
from blogtuner.rendering.site import build_site
build_site(Path("html"), BlogConfig.from_directory(Path("posts")))
"""
_COMMENTS = """
<section class="comments"><h3>{{ meta.comments|length }} comments</h3>{% for one in meta.comments %}<div class="media">
<div class="media-body"><h5 class="media-heading">{{ one[0] }} <small>{{ one[1] }}</small></h5><p>{{ one[2] }}</p><a href="#reply">Reply</a>
</div></div>{% endfor %}<form><h4>Leave a comment</h4><p><input class="form-control" placeholder="Name"></p>
<p><textarea class="form-control" rows="4"></textarea></p><button class="btn btn-default">Send</button></form></section>
<aside><h4>Recent posts</h4><ul>{% for one in meta.recent %}<li><a href="{{ one[0] }}">{{ one[1] }}</a></li>{% endfor %}</ul></aside>
{% endblock %}
"""
_SCRIPTS = re.compile(r'<script\b.*?</script>|<link[^>]*href="https:[^>]*>', re.DOTALL)
_FONTS = re.compile(r"@import url\([^)]*googleapis[^)]*\);?")


def write_ark(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog with their subtitles, its menu, and the settings."""
    run_tool([str(project.parents[1].resolve() / "bin/ark"), "init", "."], project)
    shutil.rmtree(project / "src")
    write_text(project / "site.py", f'theme = {theme!r}\ntitle = {NAME!r}\ntagline = "Ada Quay writes on ports"\n')
    menu = [f"* [{one.title}](@root/posts/{one.slug}//)" for one in documents[:12]]
    write_text(project / "inc/menu.md", "\n".join(("* [Home](@root/)", "* [About](@root/about//)", *menu)))
    write_text(project / "inc/foot.md", f"{NAME}, 12 Quay Street. All texts may be copied.")
    write_text(project / "src/index.md", f"---\ntitle: {NAME}\n---\n\n{documents[0].summary}\n")
    for document in documents:
        front = _front({"title": document.title, "subtitle": document.summary})
        write_text(project / f"src/posts/{document.slug}.md", front + to_html(document))


def write_bakesite(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, and the settings."""
    del theme
    settings = dict.fromkeys(("site_url", "github_url", "linkedin_url"), "https://example.org")
    settings |= {"base_path": "", "subtitle": NAME, "author": "Ada Quay", "gtag_id": "", "cname": ""}
    write_text(project / "bakesite.yaml", json.dumps(settings))
    write_text(project / "content/home.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        head = _front({"title": document.title, "tags": list(document.tags)})
        write_text(project / f"content/blog/{document.published}-{document.slug}.md", head + to_html(document))


def build_bakesite(project: Path) -> None:
    """Build the blog, without scripts and the style of code from the network."""
    run_tool([str(project.parents[1].resolve() / "bin/bakesite"), "bake"], project)
    for path in sorted(project.glob("_site/blog/*/index.html")):
        write_text(path, _SCRIPTS.sub("", path.read_text("utf-8")))


def write_blogtuner(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog with links and a footer below them."""
    del theme
    language = documents[0].language
    settings = f'name = "{NAME}"\nauthor = "Ada Quay"\nlang = "{language}"\nbase_path = "/"\n'
    links = "".join(f'"{name}" = "https://example.org/{name.lower()}"\n' for name in ("About", "Harbour", "Archive", "Feed"))
    write_text(project / "posts/blog.toml", f"{settings}[links]\n{links}")
    for document in documents:
        head: dict[str, object] = {
            "title": document.title,
            "slug": document.slug,
            "pubdate": str(document.published),
            "tags": list(document.tags),
        }
        text = f"# {document.title}\n\n{to_markdown(document, tables=False)}"
        write_text(project / f"posts/{document.published}-{document.slug}.md", _front(head) + text)
    write_text(project / "build.py", _BLOGTUNER)


def build_blogtuner(project: Path) -> None:
    """Build the blog."""
    run_tool([str(project.parents[1].resolve() / "bin/python"), "build.py"], project)


def write_bucket3(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog with their comments, which its template shows below."""
    del theme
    run_tool([str(project.parents[1].resolve() / "bin/bucket3"), "init"], project)
    path = project / "templates/post.html"
    write_text(path, _COMMENTS.join(path.read_text("utf-8").rsplit("{% endblock %}", 1)))
    for name in ("rss-medium", "rss-fb"):  # which the program asks for, and does not have
        write_text(project / f"templates/{name}.xml", "")
    blog: dict[str, object] = {
        "title": NAME,
        "url": "/",
        "description": "Notes from the quay",
        "author": "Ada Quay",
        "copyright": "Ada Quay",
    }
    blog |= {"author_email": "ada@example.org", "rss_tags": ["harbour", "travel", "history"]}
    settings = {"blog": blog, "theme": "bucket3", "use_slugs": True, "tags_lowercase": True, "posts_in_homepage": 10, "minify_html": False}
    write_text(project / "bucket3.conf.yaml", json.dumps(settings))
    for number, document in enumerate(documents):
        others = [documents[(number + step) % len(documents)] for step in (1, 2, 5, 9)]
        head: dict[str, object] = {"title": document.title, "date": f"{document.published} 08:00:00", "slug": document.slug}
        head |= {"tags": ", ".join(document.tags), "abstract": document.summary}
        head |= {"comments": [[reader, f"{day:%d.%m.%Y}", text] for reader, day, text in comments_on(documents, number)]}
        head |= {"recent": [[f"/{bucket3_page(other).removesuffix('index.html')}", other.title] for other in others]}
        write_text(project / f"posts/{document.slug}.html", _front(head) + to_html(document))


def build_bucket3(project: Path) -> None:
    """Build the blog, without scripts."""
    program = str(project.parents[1].resolve() / "bin/bucket3")
    run_tool([program, "update"], project)
    for path in sorted(project.glob("html/assets/css/*.css")):
        write_text(path, _FONTS.sub("", path.read_text("utf-8")))
    for path in sorted(project.glob("html/**/index.html")):
        text = path.read_text("utf-8")
        write_text(path, "".join(line for line in text.splitlines(keepends=True) if "<script" not in line))


def bucket3_page(document: SourceDocument) -> str:
    """Return the path of a post's page."""
    return f"{document.published:%Y/%m/%d}/{document.slug}/index.html"


def _front(head: Mapping[str, object]) -> str:
    lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
    return f"---\n{lines}---\n\n"
