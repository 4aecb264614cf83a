"""Wikis: Hiki (Debian), with its own markup, and wikmd (PyPI), of Markdown files."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages
from benchmarks.sites.programs.publishing_sites.cgi_programs import serve_program
from benchmarks.sites.texts.documents import Part, SourceDocument, to_markdown
from sightread.render.errors import Rejected

_BOOTSTRAP = re.compile(r'href="https://[^"]*/bootstrap\.min\.css"')
_FROM_NETWORK = re.compile(r'<link[^>]*href="https://[^>]*>|@font-face\s*\{[^}]*\}')
HIKI = Path("/usr/share/hiki")
_HIKI_SETTINGS = """
@data_path, @plugin_path, @template_path, @theme, @theme_url, @theme_path = DATA, PROGRAM + '/plugin', PROGRAM + '/template', THEME,
  '/theme', PROGRAM + '/theme'
@cgi_name, @lang, @charset, @site_name, @author_name, @mail = '/', 'en', 'utf-8', TITLE, 'Ada Quay', ['ada@example.org']
@use_plugin, @mail_on_update, @use_sidebar, @main_class, @sidebar_class, @auto_link, @use_wikiname = true, false, true, 'main', 'sidebar',
  false, false
@xmlrpc_enabled, @options = false, {}
"""
_HIKI_FILL = """
$:.unshift('hiki', 'hiki/hiki')
require 'json'
require 'time'
require 'hiki/config'
database = Hiki::Config.new.database
JSON.parse(File.read('documents.json')).each do |document|
  page = document['slug']
  database.store(page, document['text'], database.md5hex(page))
  database.set_attribute(page, title: document['title'], last_modified: Time.parse(document['published'] + ' 08:00:00 UTC'))
end
"""


def write_hiki(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki, its menu and its settings."""
    settings = _HIKI_SETTINGS
    for name, value in {
        "DATA": str(project.resolve() / "data"),
        "PROGRAM": str(project.resolve() / "hiki"),
        "THEME": theme,
        "TITLE": NAME,
    }.items():
        settings = settings.replace(name, json.dumps(value))
    write_text(project / "hikiconf.rb", settings)
    write_text(project / "fill.rb", _HIKI_FILL)
    menu = [("FrontPage", "The Tide Tables"), *((one.slug, one.title) for one in documents[:9])]
    side = "!Menu\n" + "".join(f"*[[{title}|{name}]]\n" for name, title in menu)
    pages: list[dict[str, object]] = [{"slug": "SideMenu", "title": "", "published": "2024-01-01", "text": side}]
    pages += [describe(document) | {"text": "\n".join(_HIKI[part.kind](part) for part in document.parts) + "\n"} for document in documents]
    write_text(project / "documents.json", json.dumps(pages))


def build_hiki(project: Path) -> None:
    """Put the pages into the wiki, and read them."""
    ruby = find_program("ruby")
    if not (HIKI / "hiki.cgi").is_file():
        raise Rejected("needs Hiki: apt-get install hiki")
    copy = project / "hiki"
    shutil.copytree(HIKI, copy)
    plugins = copy / "hiki/plugin.rb"  # later Rubies demand that a block is named
    write_text(plugins, plugins.read_text("utf-8").replace("block = Proc.new )", "given = nil, &block ); block ||= given"))
    shutil.copytree(HIKI / "misc/text/default.en", project / "data/text", ignore=shutil.ignore_patterns("SideMenu"))
    run_tool([ruby, "fill.rb"], project)
    slugs = [one["slug"] for one in json.loads((project / "documents.json").read_text("utf-8"))[1:]]
    program = ["env", "-C", str(project.resolve()), ruby, "-W0", str(copy.resolve() / "hiki.cgi")]
    serve_program(project, program, copy.resolve(), {f"{slug}.html": f"/?{slug}" for slug in slugs})


def write_wikmd(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki, whose files have the names of the pages."""
    del theme
    names = {f"{document.slug}.html": f"/{quote(document.title)}" for document in documents}
    write_text(project / "addresses.json", json.dumps(names))
    write_text(project / "wiki/homepage.md", "".join(f"- [{one.title}](/{quote(one.title)})\n" for one in documents))
    for document in documents:
        write_text(project / f"wiki/{document.title}.md", to_markdown(document))


def build_wikmd(project: Path) -> None:
    """Read the pages of the wiki, with Bootstrap from npm in place of that from the network."""
    tools, folder, port = project.parents[2], project.resolve(), free_port()
    install_packages(tools / "bootstrap", ("bootstrap@5.1.3",), "npm")
    python = project.parents[1].resolve() / "bin/python"
    paths = {"WIKMD_HOST": "127.0.0.1", "WIKMD_PORT": str(port), "WIKI_TITLE": NAME, "HOME": str(folder), "WIKMD_LOGGING": "0"}
    paths |= {"CACHE_DIR": str(folder / "cache"), "SEARCH_DIR": str(folder / "search")}
    paths |= {"PATH": f"{python.parent}:/usr/bin:/bin"}
    pages = json.loads((folder / "addresses.json").read_text("utf-8"))
    save_pages(folder, [str(python), "-c", "from wikmd.wiki import run_wiki; run_wiki()"], port, pages, paths)
    shutil.copy(tools / "bootstrap/node_modules/bootstrap/dist/css/bootstrap.min.css", folder / "html")
    for path in sorted(folder.glob("html/*.html")):
        write_text(path, _FROM_NETWORK.sub("", _BOOTSTRAP.sub('href="bootstrap.min.css"', path.read_text("utf-8"))))


def _inline(text: str) -> str:
    """Return inline Markdown in Hiki's markup."""
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"[[\1|\2]]", text)
    return re.sub(r"\*\*([^*]*)\*\*", r"'''\1'''", re.sub(r"`([^`]*)`", r"``\1``", text))


def _table(part: Part) -> str:
    head, *rows = part.rows
    lines = ["".join(f"||!{_inline(cell)}" for cell in head), *("".join(f"||{_inline(cell)}" for cell in row) for row in rows)]
    return "\n".join(lines) + "\n"


_HIKI: dict[str, Callable[[Part], str]] = {
    "heading": lambda part: f"{'!' * (part.level - 1)}{_inline(part.rows[0][0])}",
    "paragraph": lambda part: f"{_inline(part.rows[0][0])}\n",
    "quote": lambda part: f'""{_inline(part.rows[0][0])}\n',
    "bullets": lambda part: "".join(f"*{_inline(row[0])}\n" for row in part.rows),
    "steps": lambda part: "".join(f"#{_inline(row[0])}\n" for row in part.rows),
    "table": _table,
    "code": lambda part: "<<<\n" + "\n".join(row[0] for row in part.rows) + "\n>>>\n",
}
