"""Forums whose templates are filled by programs of ours: NodeBB, which expects a database of its own, and django-simple-forum."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.filled_templates import fill_template, with_bootstrap
from benchmarks.sites.texts.documents import FIGURES, SourceDocument

_NODEBB = "nodebb@1.4.0"
"""Its files alone: it would compile what it needs."""
_COLOURS = ("#e91e63", "#673ab7", "#2196f3", "#009688", "#33691e", "#ff5722", "#607d8b", "#795548")
_RENDER = """
const fs = require('fs'), path = require('path'), templates = require('templates.js'), less = require('less');
const theme = path.join(path.dirname(require.resolve('nodebb-theme-persona/package.json'))), core = path.resolve('package');
const folders = [path.join(theme, 'templates'), path.join(core, 'src/views')];
const [name, language] = process.argv.slice(2);
const read = file => {
  const found = folders.map(folder => path.join(folder, file)).find(place => fs.existsSync(place));
  return found ? load(found) : '';
};
const load = file => fs.readFileSync(file, 'utf8').replace(/<!-- IMPORT (\\S+) -->/g, (_, other) => read(other));
const chosen = fs.existsSync(path.join(core, 'public/language', language)) ? language : 'en-GB';
const words = {};
const translated = text => text.replace(/\\[\\[(\\w+):([\\w.-]+)(?:, ?([^\\]]*))?\\]\\]/g, (_, part, key, first) => {
  const file = path.join(core, 'public/language', chosen, part + '.json');
  words[part] = words[part] || JSON.parse(fs.existsSync(file) ? fs.readFileSync(file) : '{}');
  return (words[part][key] || key).replace('%1', first || '');
});
templates.registerHelper('displayMenuItem', () => true);
templates.registerHelper('localeToHTML', () => language);
for (const helper of ['buildMetaTag', 'buildLinkTag']) templates.registerHelper(helper, () => '');
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const text = ['header.tpl', 'topic.tpl', 'footer.tpl'].map(read).join('');
  const page = translated(templates.parse(text, one)).replace(/<script[^]*?<\\/script>|<!--\\[if[^]*?endif\\]-->/g, '')
    .replace(/(<span class="timeago" title="([^"]*)">)/g, '$1$2').replace('/stylesheet.css', 'stylesheet.css')
    .replace(/(class="topic col-lg-)12/, '$19')
    .replace(/(widget-area="sidebar" class="col-lg-3 col-sm-12) hidden">/, '$1">' + translated(one.recent))
    .replace(/<img[^>]*forum-logo[^>]*>/, '<span class="navbar-brand forum-title">' + name + '</span>')
    .replace('<head>', '<head><meta charset="utf-8">')
    .replace('<div widget-area="footer">', '$&' + one.foot);
  fs.writeFileSync('html/' + one.slug + '.html', page);
}
const files = ['./theme', 'font-awesome', ...['generics', 'mixins', 'global'].map(file => core + '/public/less/' + file)];
const source = files.map(file => '@import "' + file + '";').join('');
less.render(source, {paths: [theme, path.join(core, 'public/vendor/fontawesome/less'), path.join(core, 'public')]}).then(
  found => fs.writeFileSync('html/stylesheet.css', found.css.replace(/@import[^;]*fonts.googleapis[^;]*;/g, '')
    .replace(/[^"'(]*vendor\\/fontawesome\\/fonts/g, 'fonts')),
  error => { console.error(error.message); process.exit(1); });
"""


def write_nodebb(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write what the templates of a topic show: its posts with their members, and the latest topics beside them."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    written = []
    for number, document in enumerate(documents):
        found = []
        for place, text in enumerate(posts_html(document)):
            member = (number + 3 * place) % 8
            name = READERS[member]
            user = {"username": name, "userslug": name.lower(), "uid": member, "icon:bgColor": _COLOURS[member], "icon:text": name[0]}
            user |= {"status": "online" if member % 3 else "offline", "signature": "Fair winds" if member % 4 == 1 else ""}
            when = f"{document.published} {8 + place:02}:04"
            found.append(
                {"index": place, "pid": 40 * number + place, "content": text, "user": user, "timestampISO": when, "votes": place % 4}
            )
        others = [documents[(number + step) % len(documents)] for step in (2, 5, 11, 17, 20)]
        recent = "".join(f'<li class="list-group-item"><a href="{one.slug}.html">{one.title}</a></li>' for one in others)
        board = ("Harbour", "Routes", "Workshop")[number % 3]
        crumbs = [{"text": text, "url": "/"} for text in (NAME, board, document.title)]
        titles = (
            ("/categories", "Categories", "list"),
            ("/recent", "Recent", "clock-o"),
            ("/tags", "Tags", "tags"),
            ("/users", "Users", "user"),
        )
        written.append(
            {"slug": document.slug, "title": document.title, "browserTitle": f"{document.title} | {NAME}", "posts": found, "tid": number}
            | {
                "breadcrumbs": crumbs,
                "postcount": len(found),
                "viewcount": 40 + 9 * number,
                "tags": [{"value": tag} for tag in document.tags],
            }
            | {
                "navigation": [
                    {"route": route, "text": text, "iconClass": f"fa-{sign}", "textClass": "hidden-xs"} for route, text, sign in titles
                ]
            }
            | {
                "config": {"relative_path": "", "showSiteTitle": 0, "loggedIn": 0},
                "relative_path": "",
                "hideReplies": 1,
                "allowRegistration": 1,
            }
            | {
                "recent": f'<div class="panel panel-default"><div class="panel-heading">[[global:header.recent]]</div>'
                f'<ul class="list-group">{recent}</ul></div>'
            }
            | {"foot": f'<footer id="footer" class="container footer"><div class="copyright">{NAME}, powered by NodeBB</div></footer>'}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "render.js", _RENDER)
    write_text(project / "language.txt", documents[0].language)


def build_nodebb(project: Path) -> None:
    """Read the program's files, fill its templates and compile its style sheets."""
    tools = project.parents[2]
    run_program(["npm", "pack", "--silent", _NODEBB], project, tools)
    run_program(["tar", "xzf", f"{_NODEBB.replace('@', '-')}.tgz"], project)
    (project / "html").mkdir()
    run_program(["node", "render.js", NAME, (project / "language.txt").read_text("utf-8")], project, tools)
    shutil.copytree(project / "package/public/vendor/fontawesome/fonts", project / "html/fonts")


def _member(number: int) -> dict[str, object]:
    """Return a member with a picture, as the forum's templates name them."""
    name, picture = READERS[number % 8].lower(), f"figure-{number % FIGURES}.png"
    return {"username": name, "picture": picture, "profile_pic": picture, "user": {"username": name}}


def topic_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a topic shows: every third post answers the one before it."""
    document = documents[place]
    first, *others = posts_html(document)
    when = f"{document.published:%b %d, %Y}"
    comments: list[dict[str, object]] = []
    for number, text in enumerate(others, 1):
        replies: list[dict[str, object]] = []
        comment = {"id": number, "comment": {"html": text}, "commented_by": _member(place + 3 * number), "created_on": when}
        comment |= {"comment_parent": {"all": replies}, "updated_on": when}
        if number % 3 == 0:
            comments[-1]["comment_parent"]["all"].append(comment)  # type: ignore[index]
        else:
            comments.append(comment)
    boards = [{"title": title, "slug": title.lower()} for title in ("Harbour", "Routes", "Workshop", "Boats")]
    near = [documents[(place + step) % len(documents)] for step in (2, 7, 13)]
    topics = [
        {"title": one.title, "slug": one.slug, "category": boards[step], "updated_on": when, "no_of_views": 9 + 40 * step}
        for step, one in enumerate(near)
    ]
    topic: dict[str, object] = {
        "title": document.title,
        "description": {"html": first},
        "created_by": _member(place),
        "created_on": when,
        "slug": document.slug,
    }
    topic |= {"tags": {"all": [{"title": tag} for tag in document.tags]}, "category": boards[place % 4], "no_of_views": 50 + 11 * place}
    topic |= {"get_topic_users": [_member(place + step) for step in range(3)], "get_comments": comments, "get_all_comments": others}
    tags = [{"title": tag, "slug": tag} for tag in ("tides", "ropes", "winter", "maps")]
    return {"topic": topic, "suggested_topics": topics, "get_categories": boards, "get_tags": tags}


def build_topics(project: Path) -> None:
    """Fill the template of a topic, with the package's style sheets and Bootstrap."""
    package = fill_template(project, "django-simple-forum==0.0.7", "forum/view_topic.html", "django_simple_forum")
    shutil.copytree(package / "static/css", project / "html/static/css")
    with_bootstrap(project, ".view_topic_container h2 { font-size: 18px }")
