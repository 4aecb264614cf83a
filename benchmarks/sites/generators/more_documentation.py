"""Projects of documentation generators: bookdown and pkgdown (R), FORD (Fortran), LDoc (Lua), Compodoc, documentation.js, Nextra."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import Part, SourceDocument, gold_text, part_gold, to_html, to_markdown
from sightread.render.errors import Rejected

BOOTSTRAP = Path("/usr/share/javascript/bootstrap5")
_VERSION = "1.4.0"
_BOOK = """
form <- bookdown::html_book(number_sections = FALSE, toc = TRUE, toc_depth = 1, theme = "cosmo",
  md_extensions = "-smart", split_by = "chapter")
bookdown::render_book("index.Rmd", form, output_dir = "html", quiet = TRUE)
"""
_BOOK_HEAD = {
    "title": NAME,
    "author": "Ada Quay",
    "date": "2024-01-08",
    "site": "bookdown::bookdown_site",
    "documentclass": "book",
    "description": "Notes",
}
_PACKAGE = """Package: tides
Title: {name}
Version: 1.4.0
Authors@R: person("Ada", "Quay", email = "ada@example.org", role = c("aut", "cre"))
Description: {summary}
License: MIT + file LICENSE
URL: https://github.com/example/tides
Encoding: UTF-8
Language: {language}
"""
_ARTICLES = """
options(pkgdown.internet = FALSE)
pkg <- pkgdown::as_pkgdown(".")
pkgdown::init_site(pkg)
pkgdown::build_home(pkg, preview = FALSE, quiet = TRUE)
pkgdown::build_articles(pkg, preview = FALSE, quiet = TRUE)
"""
_MODULE = """!> Tables of the tides.
module tides
  implicit none
  private
  public :: height
contains
  !> Height of the water.
  pure real function height(hour) result(metres)
    real, intent(in) :: hour !! Hours since noon.
    metres = 2.0 * cos(hour / 2.0)
  end function height
end module tides
"""
_NEXTRA_LAYOUT = """
import { Footer, Layout, Navbar } from 'nextra-theme-docs'
import { getPageMap } from 'nextra/page-map'
import 'nextra-theme-docs/style.css'
export const metadata = { title: NAME }
export default async function RootLayout({ children }) {
  return (
    <html lang={LANGUAGE} dir="ltr" suppressHydrationWarning>
      <body>
        <Layout navbar={<Navbar logo={<b>{NAME}</b>} projectLink="https://example.org/" />} pageMap={await getPageMap()}
          docsRepositoryBase="https://example.org/tree" search={null} footer={<Footer>© {NAME}</Footer>}>
          {children}
        </Layout>
      </body>
    </html>
  )
}
"""
_NEXTRA_PAGE = """
import { generateStaticParamsFor, importPage } from 'nextra/pages'
import { useMDXComponents as getMDXComponents } from '../../mdx-components'
export const generateStaticParams = generateStaticParamsFor('mdxPath')
export async function generateMetadata(props) {
  const params = await props.params
  return (await importPage(params.mdxPath)).metadata
}
const Wrapper = getMDXComponents().wrapper
export default async function Page(props) {
  const params = await props.params
  const { default: MDXContent, toc, metadata, sourceCode } = await importPage(params.mdxPath)
  return <Wrapper toc={toc} metadata={metadata} sourceCode={sourceCode}><MDXContent {...props} params={params} /></Wrapper>
}
"""
_NEXTRA_COMPONENTS = """
import { useMDXComponents as getThemeComponents } from 'nextra-theme-docs'
export function useMDXComponents(components) { return { ...getThemeComponents(), ...components } }
"""


def write_bookdown(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a book with a chapter per document."""
    del theme
    files = ["index.Rmd", *(f"{document.slug}.Rmd" for document in documents)]
    write_text(project / "_bookdown.yml", json.dumps({"rmd_files": files, "language": {"ui": {"chapter_name": ""}}}))
    head = _BOOK_HEAD | {"lang": documents[0].language}
    write_text(project / "index.Rmd", f"{_front(head)}\n# Preface {{-}}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"{document.slug}.Rmd", f"# {document.title} {{#{document.slug}}}\n\n{to_markdown(document)}")


def build_bookdown(project: Path) -> None:
    """Build the book in Bootstrap's theme."""
    write_text(project / "build.R", _BOOK)
    run_tool([find_program("Rscript"), "--vanilla", "build.R"], project, {"HOME": str(project)})


def write_pkgdown(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an R package with an article per document."""
    document = documents[0]
    write_text(project / "DESCRIPTION", _PACKAGE.format(name=NAME, summary=document.summary, language=document.language))
    write_text(project / "LICENSE", "YEAR: 2024\nCOPYRIGHT HOLDER: Ada Quay\n")
    write_text(project / "NAMESPACE", "")
    write_text(project / "README.md", f"# {NAME}\n\n{document.summary}\n")
    settings = {"destination": "html", "template": {"bootstrap": int(theme.removeprefix("bootstrap"))}}
    write_text(project / "_pkgdown.yml", json.dumps(settings))
    for document in documents:
        head = {"title": document.title, "output": {"rmarkdown::html_vignette": {"md_extensions": "-smart"}}}
        write_text(project / f"vignettes/{document.slug}.Rmd", f"{_front(head)}\n{to_markdown(document)}")


def build_pkgdown(project: Path) -> None:
    """Build the front page and the articles."""
    write_text(project / "build.R", _ARTICLES)
    run_tool([find_program("Rscript"), "--vanilla", "build.R"], project, {"HOME": str(project)})


def write_ford(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a Fortran project with a page per document."""
    del theme
    write_text(project / "src/tides.f90", _MODULE)
    head = f"project: {NAME}\nsummary: {documents[0].summary}\nauthor: Ada Quay\nsrc_dir: ./src\noutput_dir: ./html\npage_dir: ./pages\n"
    write_text(project / "ford.md", f"---\n{head}search: false\npreprocess: false\ngraph: false\n---\n\n{documents[0].summary}\n")
    write_text(project / "pages/index.md", f"---\ntitle: Guide\n---\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"pages/{document.slug}.md", f"---\ntitle: {document.title}\n---\n\n{to_markdown(document)}")


def build_ford(project: Path) -> None:
    """Build with Debian's Bootstrap in the place of that from the network."""
    run_tool([str(project.parents[1].resolve() / "bin/ford"), "ford.md"], project)
    if not BOOTSTRAP.is_dir():
        raise Rejected("needs Bootstrap: apt-get install libjs-bootstrap5")
    for name in ("css/bootstrap.min.css", "js/bootstrap.bundle.min.js"):
        shutil.copy(BOOTSTRAP / name, project / "html" / name)
    for page in (project / "html").rglob("*.html"):
        top = "../" * (len(page.relative_to(project / "html").parts) - 1)
        text = re.sub(r'https://cdn[^"]*/bootstrap@[^"]*/dist/', top, page.read_text("utf-8"))
        page.write_text(re.sub(r'integrity="[^"]*" crossorigin="anonymous"', "", text), "utf-8")


def write_ldoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a Lua module with a topic per document; its Markdown has neither tables nor fences."""
    del theme
    topics = ", ".join(f"'topics/{document.slug}.md'" for document in documents)
    settings = f"project = '{NAME}'\ntitle = '{NAME}'\ndescription = 'Tables of the tides'\nformat = 'markdown'\ndir = 'html'\n"
    write_text(project / "config.ld", f"{settings}file = 'src/tides.lua'\ntopics = {{{topics}}}\n")
    write_text(project / "src/tides.lua", "--- Tables of the tides.\n-- @module tides\nlocal tides = {}\nreturn tides\n")
    for document in documents:
        write_text(project / f"topics/{document.slug}.md", f"<h1>{html.escape(document.title)}</h1>\n\n{to_html(document)}\n")


def write_compodoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an Angular project with a guide per document."""
    del theme
    write_text(project / "package.json", json.dumps({"name": "tides", "version": "1.4.0", "description": documents[0].summary}))
    write_text(project / "tsconfig.json", json.dumps({"files": ["src/tides.ts"]}))
    write_text(project / "src/tides.ts", "/** Tables of the tides. */\nexport class Tides {\n  /** Metres. */\n  height = 2;\n}\n")
    write_text(project / "README.md", f"# {NAME}\n\n{documents[0].summary}\n")
    pages = [{"title": document.title, "file": f"{document.slug}.md"} for document in documents]
    write_text(project / "guides/summary.json", json.dumps(pages))
    for document in documents:
        write_text(project / f"guides/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def compodoc_page(document: SourceDocument) -> str:
    """Return the path of a guide: its title in small letters with lines for spaces."""
    return f"additional-documentation/{document.title.lower().replace(' ', '-')}.html"


def write_nextra(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual of Nextra's theme for documentation, as static pages."""
    del theme
    write_text(project / "package.json", json.dumps({"name": "site", "version": "1.0.0", "private": True}))
    options = "{ output: 'export', trailingSlash: true, images: { unoptimized: true }, outputFileTracingRoot: import.meta.dirname }"
    write_text(project / "next.config.mjs", f"import nextra from 'nextra'\nexport default nextra({{ search: false }})({options})\n")
    names = f"const NAME = {json.dumps(NAME)}\nconst LANGUAGE = {json.dumps(documents[0].language)}\n"
    write_text(project / "app/layout.jsx", _NEXTRA_LAYOUT.replace("export const", f"{names}export const", 1))
    write_text(project / "app/[[...mdxPath]]/page.jsx", _NEXTRA_PAGE)
    write_text(project / "mdx-components.js", _NEXTRA_COMPONENTS)
    titles = {"index": NAME} | {document.slug: document.title for document in documents}
    write_text(project / "content/_meta.js", f"export default {json.dumps(titles)}\n")
    write_text(project / "content/index.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"content/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def write_documentation(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a contents file per document, whose sections are those of the page; code whose language is named would be left out."""
    del theme
    write_text(project / "package.json", json.dumps({"name": "tides", "version": "1.4.0", "description": documents[0].summary}))
    write_text(project / "index.js", "export function height() {}\n")
    for document in documents:
        notes = [
            {"name": heading, "description": re.sub("^```.+", "```", _markdown(document, parts), flags=re.M)}
            for heading, parts in _sections(document)
        ]
        write_text(project / f"{document.slug}.yml", json.dumps({"toc": notes}, ensure_ascii=False))


def build_documentation(project: Path) -> None:
    """Build a page per document."""
    tools = project.parents[1].resolve()
    program = str(tools / "node_modules/.bin/documentation")
    for path in sorted(project.glob("*.yml")):
        options = ["-f", "html", "--shallow", "-c", path.name, "-o", f"html/{path.stem}", "--project-name", NAME]
        run_program([program, "build", "index.js", *options], project, tools.parent)


def write_esdoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a library with a manual, of a page per document."""
    del theme
    write_text(project / "package.json", json.dumps({"name": "tides", "version": "1.4.0", "description": documents[0].summary}))
    write_text(project / "README.md", f"# {NAME}\n\n{documents[0].summary}\n")
    write_text(project / "src/tides.js", "/** Tables of the tides. */\nexport default class Tides {}\n")
    write_text(project / "manual/index.md", f"# {NAME}\n\n{documents[0].summary}\n")
    manual = {"index": "./manual/index.md", "files": [f"./manual/{document.slug}.md" for document in documents]}
    plugin = {"name": "esdoc-standard-plugin", "option": {"manual": manual, "brand": {"title": NAME}}}
    write_text(project / ".esdoc.json", json.dumps({"source": "./src", "destination": "./html", "plugins": [plugin]}))
    for document in documents:
        write_text(project / f"manual/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def write_redocly(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the description of an interface per document, whose text is the document."""
    del theme
    for document in documents:
        answer = {"200": {"description": document.summary}}
        paths = {f"/{tag.replace(' ', '-')}": {"get": {"tags": [tag], "summary": tag, "responses": answer}} for tag in document.tags}
        info = {"title": document.title, "version": _VERSION, "description": to_markdown(document)}
        interface = {"openapi": "3.0.3", "info": info, "servers": [{"url": "https://tides.example.org"}], "paths": paths}
        write_text(project / f"{document.slug}.json", json.dumps(interface))


def build_redocly(project: Path) -> None:
    """Build a page per description; without the scripts from the network it shows the text, and the operations closed."""
    tools = project.parents[1].resolve()
    program = str(tools / "node_modules/.bin/redocly")
    for path in sorted(project.glob("*.json")):
        run_program([program, "build-docs", path.name, "-o", f"html/{path.stem}.html"], project, tools.parent)


def redocly_gold(document: SourceDocument) -> str:
    """Return the gold text of an interface's page: the title has the version."""
    return gold_text(document).replace(document.title, f"{document.title} ({_VERSION})", 1)


def _front(head: Mapping[str, object]) -> str:
    lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
    return f"---\n{lines}---\n"


def _sections(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return heading and parts of each section; the first one has the document's title."""
    found: list[tuple[str, list[Part]]] = [(document.title, [])]
    for part in document.parts:
        if part.kind == "heading" and part.level == 2:
            found.append((part_gold(part)[0], []))
        else:
            found[-1][1].append(part)
    return found


def _markdown(document: SourceDocument, parts: Sequence[Part]) -> str:
    return to_markdown(SourceDocument(document.slug, "", "", document.published, (), "", tuple(parts)))
