"""`python -m benchmarks build-sites OUT`: builds sites of real themes from known text.

`OUT/SITE/html` holds the pages, `OUT/SITE/site.json` each page's path and gold text, `OUT/tools` the generators. A site that is there is
not built again; a theme that does not build is left out with the reason. Packages have fixed versions, so a build can be repeated.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import msgspec

from benchmarks.commands import Command
from benchmarks.datasets import output_paths
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import read_samples
from benchmarks.sites.generators.debian_generators import find_program
from benchmarks.sites.generators.drawn_layouts import write_drawn
from benchmarks.sites.generators.page_templates import write_page_template
from benchmarks.sites.manuals.manual import Manual, manual_markup, manual_pages
from benchmarks.sites.manuals.packaged import MANUALS
from benchmarks.sites.packages import install_packages, run_program
from benchmarks.sites.parts import PARTS, part_of
from benchmarks.sites.recipe import Generator, Theme, flat
from benchmarks.sites.recipes import GENERATORS, THEMES
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html, with_media, write_documents, write_media
from benchmarks.sites.texts.sentences import language_of, languages
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

PAGES = 25
ENGLISH_SET = "readability"
"""The data set whose gold texts are the English sentences: no shipped model was trained on it."""
WITH_MEDIA = ("drawn", "template")
"""Generators whose pages hold figures and formulas: their pages are written here, as HTML."""
SMALLEST = 500
"""Bytes of a page."""


class BuiltPage(msgspec.Struct, frozen=True):
    """A page of a built site: its path below `html`, and its gold text."""

    path: str
    title: str
    gold: str
    markup: str = ""
    """HTML of what was put in as the main content, without the title; empty if it is not known."""


class BuiltSite(msgspec.Struct, frozen=True):
    """A built site."""

    name: str
    generator: str
    theme: str
    licence: str
    language: str
    part: str
    """`choose`, `calibrate` or `final`."""
    pages: tuple[BuiltPage, ...]


def run(data: Path | None, out: Path, only: Sequence[str], parts: Sequence[str]) -> int:
    """Build all sites, or those named or of the parts, that are not there yet; return 1 if none could be built."""
    builders = _builders(out, data)
    if unknown := set(only) - set(builders):
        raise Rejected(f"no site is called {', '.join(sorted(unknown))}; there are {', '.join(builders)}")
    part = {theme.site: part_of(theme.generator) for theme in THEMES} | {manual.site: part_of(manual.generator) for manual in MANUALS}
    chosen = [name for name in builders if (not only or name in only) and (not parts or part[name] in parts)]
    built = 0
    for name in chosen:
        if (out / name / "site.json").is_file():
            built += 1
            continue
        try:
            site = builders[name]()
            write_atomically(out / name / "site.json", msgspec.json.encode(site))
            built += 1
            print(f"{name}: {len(site.pages)} pages ({site.language})", flush=True)
        except (subprocess.SubprocessError, OSError, Rejected) as error:
            print(f"{name}: left out: {_reason(error)}", flush=True)
    print(f"{built} of {len(chosen)} sites are in {out}")
    return int(not built)


def _builders(out: Path, data: Path | None) -> dict[str, Callable[[], BuiltSite]]:
    """Return by name what builds each site."""
    texts = english_texts(data)
    return {
        **{theme.site: partial(_build_theme, out, theme, texts) for theme in THEMES},
        **{manual.site: partial(build_manual, out, manual) for manual in MANUALS},
    }


def read_sites(out: Path) -> Iterator[tuple[Path, BuiltSite]]:
    """Yield the sites that are there, by name, each with its folder of pages and the part that it belongs to now.

    Raises `Rejected` if there is none.
    """
    found = sorted(out.glob("*/site.json"))
    if not found:
        raise Rejected(f"{out}: no built sites: run python -m benchmarks build-sites {out}")
    for path in found:
        site = msgspec.json.decode(path.read_bytes(), type=BuiltSite)
        yield path.parent / "html", msgspec.structs.replace(site, part=part_of(site.generator))


def choose_sites(out: Path, parts: Sequence[str], only: Sequence[str]) -> list[str]:
    """Return the names of the built sites of these parts and names; without parts those of all, without names all.

    Raises `Rejected` if there is none, or none of one of the names.
    """
    part = {site.name: site.part for _, site in read_sites(out)}
    for name in only:
        if name not in part:
            near = ", ".join(get_close_matches(name, part, 3)) or "none has a name like it"
            raise Rejected(f"{out}: no site {name} among {len(part)} built sites; near: {near}")
    names = [name for name in part if (not parts or part[name] in parts) and (not only or name in only)]
    if not names:
        raise Rejected(f"{out}: no such sites; there are sites of the parts {', '.join(sorted(set(part.values())))}")
    return names


def page_markup(html: Path, site: BuiltSite, texts: Sequence[str]) -> list[str]:
    """Return the HTML of the main content of each page, as it was put in; empty if it is not known.

    A site that was built before pages had their markup is written again from its recipe, and left out if that has changed. `texts` are
    those of `ENGLISH_SET`.
    """
    if any(page.markup for page in site.pages):
        return [page.markup for page in site.pages]
    for manual in MANUALS:
        if manual.site == site.name:
            return [manual_markup(html / page.path, manual) for page in site.pages]
    documents = write_documents(language_of(site.language, texts), len(site.pages), site.name)
    pairs = zip(site.pages, documents, strict=True)
    return [to_html(document) if page.gold == gold_text(document) else "" for page, document in pairs]


def english_texts(data: Path | None) -> list[str]:
    """Return the texts that English sites are written from."""
    return [sample.gold for sample in read_samples(ENGLISH_SET, data_folder(data))]


def site_language(theme: Theme) -> str:
    """Return the language of a theme's site: every second one English, the others in turn by the digest of the name."""
    number = int(hashlib.sha256(theme.site.encode()).hexdigest(), 16)
    codes = languages()
    return codes[0] if number % 2 else codes[1 + number // 2 % (len(codes) - 1)]


def _build_theme(out: Path, theme: Theme, texts: Sequence[str]) -> BuiltSite:
    code = site_language(theme)
    language = language_of(code, texts)
    documents = write_documents(language, PAGES, theme.site)
    project = out / "tools" / theme.generator / "projects" / theme.site  # Node.js looks for packages in the folders above
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir(parents=True)
    gold = {document.slug: gold_text(document) for document in documents}
    output = project / "html"
    address: Callable[[SourceDocument], str] = flat
    if theme.generator in WITH_MEDIA:
        documents = [with_media(document) for document in documents]
        gold = {document.slug: gold_text(document) for document in documents}
    if theme.generator == "drawn":
        gold = write_drawn(project, theme.name, documents, language)
    elif theme.generator == "template":
        folder = out / "tools" / "template"
        install_packages(folder, theme.package.split(), "npm")
        (project / "node_modules").symlink_to((folder / "node_modules").resolve())
        gold = write_page_template(project, theme.name, documents, language)
    else:
        generator = GENERATORS[theme.generator]
        gold = {document.slug: generator.gold(document) for document in documents}
        _generate(out / "tools" / generator.name, project, generator, theme, documents)
        output, address = project / generator.output, generator.page
    if theme.generator in WITH_MEDIA:
        write_media(output)
    pages = tuple(_page(output, address(document), document, gold[document.slug]) for document in documents)
    html = out / theme.site / "html"
    shutil.rmtree(html, ignore_errors=True)
    shutil.copytree(output, html, ignore=shutil.ignore_patterns("*.pickle", "*.doctree", ".doctrees"))
    shutil.rmtree(project)
    return BuiltSite(theme.site, theme.generator, theme.name, theme.licence, code, part_of(theme.generator), pages)


def _generate(tools: Path, project: Path, generator: Generator, theme: Theme, documents: Sequence[SourceDocument]) -> None:
    """Install the packages, write the project and run the generator."""
    install_packages(tools, [*generator.packages, *theme.package.split()], generator.registry)
    if generator.name == "hexo":  # it looks for its plugins nowhere else
        (project / "node_modules").symlink_to((tools / "node_modules").resolve())
    generator.write(project, theme.name, documents)
    if callable(generator.command):
        generator.command(project)
        return
    name, *options = generator.command
    programs = {"npm": tools.resolve() / "node_modules/.bin" / name, "pypi": tools.resolve() / "bin" / name}
    program = str(programs.get(generator.registry) or find_program(name))
    run_program([program, *options], project, tools.parent if generator.registry == "npm" else None)


def build_manual(out: Path, manual: Manual, count: int = PAGES) -> BuiltSite:
    """Take the pages of a packaged manual, or convert its sources first."""
    html = out / manual.site / "html"
    html.parent.mkdir(parents=True, exist_ok=True)
    if html.is_symlink():
        html.unlink()
    if manual.build:
        project = out / "tools" / "manuals" / manual.site
        for folder in (project, html):
            shutil.rmtree(folder, ignore_errors=True)
        (project / "html").mkdir(parents=True)
        manual.build(project.resolve())
        (project / "html").rename(html)
        shutil.rmtree(project)
    folder = html if manual.build else Path(manual.folder)
    found = manual_pages(manual, count, folder)
    pages = tuple(BuiltPage(address, title, gold, manual_markup(folder / address, manual)) for address, title, gold in found)
    if not manual.build:
        html.symlink_to(manual.folder)
    return BuiltSite(manual.site, manual.generator, manual.name, manual.licence, manual.language, part_of(manual.generator), pages)


def _page(output: Path, path: str, document: SourceDocument, gold: str) -> BuiltPage:
    if not (output / path).is_file() or (output / path).stat().st_size < SMALLEST:
        raise Rejected(f"the build has no {path}, or an empty one")
    return BuiltPage(path, document.title, gold, to_html(document) if gold == gold_text(document) else "")


def _reason(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        lines = (error.stderr or error.stdout or b"").decode(errors="replace").strip().splitlines()
        return f"{Path(str(error.cmd[0])).name} failed: {next((line for line in reversed(lines) if line.strip()), 'without a word')[:200]}"
    return str(error)


def _add_options(parser: argparse.ArgumentParser) -> None:
    text = "folder of the sites; what is there already is not built again"
    parser.add_argument("out", type=output_paths.folder, metavar="OUT", help=text)
    parser.add_argument("--only", nargs="+", default=[], metavar="SITE", help="the sites to build (default: all)")
    parser.add_argument("--parts", nargs="+", default=[], choices=list(PARTS), help="the parts to build (default: all)")


COMMAND = Command(
    "build-sites",
    "build sites of real themes and packaged manuals, with exact gold",
    lambda options: run(options.data, options.out, options.only, options.parts),
    _add_options,
)
