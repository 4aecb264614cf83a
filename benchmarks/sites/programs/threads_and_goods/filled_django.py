"""Templates of Django that packages have, filled by a program of ours: the packages themselves expect earlier releases or a database."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.sites.builders.application_django import demand_bootstrap
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import Context, copy_files, installed, write_contexts
from benchmarks.sites.programs.shops_and_threads.layout import without_network
from benchmarks.sites.texts.documents import SourceDocument

_RENDER = """
import json, sys
from pathlib import Path
import django
from django.conf import settings
from django.template import Context, Engine, Library, Node
from django.utils.safestring import SafeString
folder, template, language, helpers = sys.argv[1:]
settings.configure(USE_I18N=True, LANGUAGE_CODE=language, STATIC_URL="static/", INSTALLED_APPS=[], LOCALE_PATHS=[folder + "/../locale"])
django.setup()
register = Library()
class Libraries(dict):
    def __missing__(self, name):  # of the package
        return register
class Named(str):
    pass
class Rows(list):
    def count(self):
        return len(self)
def named(found):
    if isinstance(found.get("all"), list):
        found["all"] = Rows(found["all"])
    if "html" in found:
        return SafeString(found["html"])
    if "name" not in found:
        return found
    text = Named(found["name"])
    vars(text).update(found)
    return text
def nothing(*names):
    for name in names:
        register.simple_tag(lambda *arguments, **more: "", name=name)
def same(*names):
    for name in names:
        register.filter(name, lambda value, argument=None: value)
class Listed(Node):
    def __init__(self, name):
        self.name = name
    def render(self, context):
        context[self.name] = context.get("found", {}).get(self.name, ())
        return ""
def listed(*names):  # of tags that end with the name of what they find
    for name in names:
        register.tag(name, lambda parser, token: Listed(token.split_contents()[-1]))
register.simple_tag(lambda *arguments, **names: "/", name="url")
same("naturaltime", "naturalday", "intcomma")
exec(helpers)
near = sorted(map(str, [*Path(folder).parent.glob("*/templates"), *Path(folder).parent.glob("../*/templates")]))
engine = Engine(dirs=["frame", folder, *near], libraries={name: "django.templatetags." + name for name in ("i18n", "l10n", "static")})
engine.template_libraries = Libraries(engine.template_libraries)
engine.template_builtins.append(register)
for slug, context in json.loads(Path("contexts.json").read_text("utf-8"), object_hook=named).items():
    Path("html", slug + ".html").write_text(engine.get_template(template).render(Context(context)), "utf-8")
"""
_SCRIPTS = re.compile(r"<(script|iframe)\b.*?</\1>", re.DOTALL)


def write_filled(context: Context, frame: Mapping[str, str] | None = None) -> Callable[[Path, str, Sequence[SourceDocument]], None]:
    """Return what writes the context of a template for each document, and templates of ours that are used before the package's."""

    def write(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
        write_contexts(context)(project, theme, documents)
        write_text(project / "render.py", _RENDER)
        write_text(project / "language.txt", documents[0].language)
        for name, text in (frame or {}).items():
            write_text(project / "frame" / name, text)

    return write


@dataclass(frozen=True, slots=True)
class DjangoPackage:
    """A package whose templates are filled."""

    package: str
    """With its version."""
    folder: str
    """Of the templates, below the folder of packages."""
    template: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Further folders and files, beside that of the templates, by their place beside the pages."""
    style: str = ""
    """Style sheet added to each page."""
    bootstrap: str = ""
    """Debian's folder of Bootstrap, in place of that on the network."""
    helpers: str = ""
    """Python that registers the package's tags and filters."""
    change: Callable[[str], str] = str
    """Changes of each page, which has lost its scripts."""
    scripts: bool = False
    """Whether the pages keep their scripts, which then must not ask the application for anything."""

    def build(self, project: Path) -> None:
        """Install the package, fill the template for each document, and copy the files."""
        found = installed(project, self.package, self.folder)
        language = (project / "language.txt").read_text("utf-8")
        run_tool(
            [str(project.parents[1].resolve() / "bin/python"), "render.py", str(found), self.template, language, self.helpers], project
        )
        copy_files(found.parent, self.files, project / "html")
        head = ""
        if self.bootstrap:
            demand_bootstrap(self.bootstrap)
            source_folder = Path("/usr/share/javascript") / self.bootstrap
            shutil.copytree(source_folder, project / "html/bootstrap", ignore=shutil.ignore_patterns("js", "*.map"))
            head = '<link rel="stylesheet" href="bootstrap/css/bootstrap.min.css">'
        for path in (project / "html").glob("*.html"):
            text = without_network(path.read_text("utf-8"))
            text = self.change(text if self.scripts else _SCRIPTS.sub("", text))
            text = re.sub("<head>", f'<head><meta charset="utf-8">{head}', text, count=1)
            path.write_text(re.sub("</head>", lambda _: f"<style>{self.style}</style></head>", text, count=1), "utf-8")
