"""Templates of Jinja that packages have, filled by a program of ours: the packages themselves would ask the network for their data."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, write_media
from sightread.render.errors import Rejected

Context = Callable[[Sequence[SourceDocument], int], Mapping[str, object]]
"""Returns what a template shows of a document, which is named by its place. A name that ends with `()` is that of a method."""
_RENDER = """
import json, re, sys
from pathlib import Path
from jinja2 import ChainableUndefined, Environment, FileSystemLoader
folder, template, helpers = sys.argv[1:]
class Missing(ChainableUndefined):
    def __call__(self, *arguments, **names):
        return self
class Filters(dict):
    def __missing__(self, name):
        return lambda value, *arguments, **names: value
    def get(self, name, default=None):
        return self[name]
class Templates(FileSystemLoader):  # tags that the packages add to Jinja
    def get_source(self, engine, name):
        text, path, fresh = super().get_source(engine, name)
        text = re.sub(r"{%-?\\s*(?:asset|ckan_extends|resource|template_hook)\\b[^%]*%}", "", text)
        return re.sub(r"{%(-?)\\s*(snippet|link_for|url_for)\\s(.*?)(-?)%}", r"{{\\1 \\2(\\3) \\4}}", text, flags=re.DOTALL), path, fresh
def methods(found):
    return {name.removesuffix("()"): (lambda value: lambda *a, **n: value)(value) if name.endswith("()") else value
      for name, value in found.items()}
engine = Environment(loader=Templates(folder), undefined=Missing, extensions=["jinja2.ext.i18n", "jinja2.ext.do"])
engine.filters = Filters(engine.filters)
engine.install_null_translations()
engine.globals.update(str=str)
exec(helpers)
for slug, context in json.loads(Path("contexts.json").read_text("utf-8"), object_hook=methods).items():
    Path("html", slug + ".html").write_text(engine.get_template(template).render(context), "utf-8")
"""
_SCRIPTS = re.compile(r"<(script|iframe)\b.*?</\1>", re.DOTALL)


def write_contexts(context: Context) -> Callable[[Path, str, Sequence[SourceDocument]], None]:
    """Return what writes the context of a template for each document."""

    def write(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
        del theme
        write_text(project / "contexts.json", json.dumps({one.slug: context(documents, place) for place, one in enumerate(documents)}))
        write_text(project / "render.py", _RENDER)
        write_media(project / "html")

    return write


def installed(project: Path, package: str, folder: str) -> Path:
    """Install a package without what it needs, and return a folder of it."""
    tools = project.parents[1].resolve()
    run_program([str(tools / "bin/pip"), "install", "-q", "--disable-pip-version-check", "--no-deps", package], project)
    found = next(iter(sorted(tools.glob(f"lib/*/site-packages/{folder}"))), None)
    if found is None:
        raise Rejected(f"{package} has no {folder}")
    return found


def copy_files(folder: Path, files: Mapping[str, str], html: Path) -> None:
    """Copy files and folders of a package, by their place beside the pages."""
    for place, source in files.items():
        path = html / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if (folder / source).is_dir():
            shutil.copytree(folder / source, path, dirs_exist_ok=True)
        else:
            shutil.copy(folder / source, path)


@dataclass(frozen=True, slots=True)
class JinjaPackage:
    """A package whose templates are filled."""

    package: str
    """With its version."""
    folder: str
    """Of the templates, below the folder of packages."""
    template: str
    files: Mapping[str, str]
    """Further folders and files of the package, beside the templates, by their place beside the pages."""
    style: str = ""
    """Style sheet added to each page."""
    change: Callable[[str], str] = str
    """Changes of each page, which has lost its scripts."""
    helpers: str = ""
    """Python for the filters and names of the template's `engine` that are more than their first argument."""

    def build(self, project: Path) -> None:
        """Install the package, fill the template for each document, and copy the files."""
        found = installed(project, self.package, self.folder)
        run_tool([str(project.parents[1].resolve() / "bin/python"), "render.py", str(found), self.template, self.helpers], project)
        copy_files(found.parent, self.files, project / "html")
        for path in (project / "html").glob("*.html"):
            text = self.change(_SCRIPTS.sub("", path.read_text("utf-8")))
            if "charset" not in text[: text.find("</head>")].lower():
                text = text.replace("<head>", '<head><meta charset="utf-8">', 1)
            path.write_text(text.replace("</head>", f"<style>{self.style}</style></head>", 1), "utf-8")
