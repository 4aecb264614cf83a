"""Projects of documentation from npm: docute, whose scripts fill the pages, Zudoku and Fumadocs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.rendered_pages import keep_rendered
from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_WEB_FONT = re.compile(r'@import "https://fonts\.googleapis[^"]*";')

_FUMADOCS = {
    "source.config.ts": "import {defineDocs} from 'fumadocs-mdx/config';\nexport const docs = defineDocs({dir: 'content/docs'});\n",
    "next.config.mjs": """import {createMDX} from 'fumadocs-mdx/next';
export default createMDX()({output: 'export', trailingSlash: true, eslint: {ignoreDuringBuilds: true},
  typescript: {ignoreBuildErrors: true}, outputFileTracingRoot: import.meta.dirname});
""",
    "postcss.config.mjs": "export default {plugins: {'@tailwindcss/postcss': {}}};\n",
    "jsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./*"]}}}',
    "lib/source.js": """import {docs} from '@/.source';
import {loader} from 'fumadocs-core/source';
export const source = loader({baseUrl: '/docs', source: docs.toFumadocsSource()});
""",
    "app/layout.jsx": """import './global.css';
import {RootProvider} from 'fumadocs-ui/provider';
export default function Layout({children}) {
  return <html lang={LANGUAGE} suppressHydrationWarning><body className="flex min-h-screen flex-col">
    <RootProvider search={{enabled: false}}>{children}</RootProvider></body></html>;
}
""",
    "app/docs/layout.jsx": """import {DocsLayout} from 'fumadocs-ui/layouts/docs';
import {source} from '@/lib/source';
export default function Layout({children}) {
  return <DocsLayout tree={source.pageTree} nav={{title: NAME}} githubUrl="https://example.org/" links={LINKS}>{children}</DocsLayout>;
}
""",
    "app/docs/[[...slug]]/page.jsx": """import {source} from '@/lib/source';
import {DocsBody, DocsDescription, DocsPage, DocsTitle} from 'fumadocs-ui/page';
import components from 'fumadocs-ui/mdx';
export const generateStaticParams = () => source.generateParams();
export default async function Page(props) {
  const {data} = source.getPage((await props.params).slug);
  const Text = data.body;
  return <DocsPage toc={data.toc}><DocsTitle>{data.title}</DocsTitle>
    <DocsDescription>{data.description}</DocsDescription><DocsBody><Text components={components} /></DocsBody></DocsPage>;
}
""",
}


def write_docute(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with side bar and menu; every page starts as the same file, which its scripts fill."""
    links = [{"title": document.title, "link": f"/{document.slug}"} for document in documents]
    settings = {
        "target": "#app",
        "title": NAME,
        "router": {"mode": "history"},
        "layout": theme,
        "nav": [{"title": "Home", "link": "/"}, *({"title": link["title"], "link": link["link"]} for link in links[:3])],
        "sidebar": [{"title": "Guide", "children": links[:12]}, {"title": "Reference", "children": links[12:]}],
        "editLinkBase": "https://example.org/tides/edit/main/docs",
        "editLinkText": "Edit this page",
        "footer": f"© {NAME}",
        "fetchOptions": {"cache": "no-store"},
    }
    head = f'<meta charset="utf-8"><title>{NAME}</title><link rel="stylesheet" href="/docute.css">'
    body = f'<div id="app"></div><script src="/docute.js"></script><script>new Docute({json.dumps(settings)});</script>'
    page = f'<!DOCTYPE html><html lang="{documents[0].language}"><head>{head}</head><body>{body}</body></html>'
    write_text(project / "html/README.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"html/{document.slug}/index.html", page)
        write_text(project / f"html/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def build_docute(project: Path) -> None:
    """Put the script and the style sheet in, and keep the pages as the script shows them."""
    for name in ("docute.css", "docute.js"):
        shutil.copy(project.parents[1].resolve() / "node_modules/docute/dist" / name, project / "html")
    slugs = sorted(path.parent.name for path in project.glob("html/*/index.html"))
    keep_rendered(project / "html", {f"{slug}/index.html": slug for slug in slugs}, ".page-content p")


def write_zudoku(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a developer portal with a side bar, whose pages have a standfirst, a contents list and links to their neighbours."""
    del theme
    names = [document.slug for document in documents]
    groups = [{"type": "category", "label": label, "items": items} for label, items in (("Guide", names[:12]), ("Reference", names[12:]))]
    settings = {
        "site": {"title": NAME, "footer": {"copyright": f"© {NAME}", "position": "center"}},
        "navigation": [{"type": "category", "label": "Documentation", "items": groups}, {"type": "link", "label": "News", "to": "/index"}],
        "metadata": {"favicon": "/favicon.svg"},
        "redirects": [{"from": "/", "to": f"/{names[0]}"}],
        "docs": {
            "files": "/pages/**/*.md",
            "defaultOptions": {"suggestEdit": {"url": "https://example.org/edit", "text": "Edit this page"}},
        },
    }
    write_text(project / "public/favicon.svg", ICON)
    write_text(project / "zudoku.config.tsx", f"export default {json.dumps(settings)};\n")
    packages = {"zudoku": "*", "react": "*", "react-dom": "*"}
    write_text(project / "package.json", json.dumps({"name": "site", "private": True, "type": "module", "dependencies": packages}))
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    write_text(project / "tsconfig.json", json.dumps({"compilerOptions": {"jsx": "react-jsx", "moduleResolution": "bundler"}}))
    for document in documents:
        head = f"title: {json.dumps(document.title, ensure_ascii=False)}\ndescription: {json.dumps(document.summary, ensure_ascii=False)}\n"
        write_text(project / f"pages/{document.slug}.md", f"---\n{head}---\n\n{to_markdown(document)}")


def build_zudoku(project: Path) -> None:
    """Build the portal, which looks for no newer version of its program, and give each page a folder: its scripts know that address."""
    tools = project.parents[1].resolve()
    settings = ("ZUDOKU_DISABLE_UPDATE_CHECK=1", "ZUDOKU_DO_NOT_TRACK=1")
    run_program(["env", *settings, str(tools / "node_modules/.bin/zudoku"), "build"], project, tools.parent)
    for path in sorted((project / "pages").glob("*.md")):
        folder = project / "dist" / path.stem
        folder.mkdir()
        folder.with_suffix(".html").rename(folder / "index.html")
    for path in sorted((project / "dist/assets").glob("*.css")):
        path.write_text(_WEB_FONT.sub("", path.read_text("utf-8")), "utf-8")


def write_fumadocs(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with a side bar, whose pages have a standfirst, a contents list and links to their neighbours."""
    links = [{"text": document.tags[0].title(), "url": f"/docs/{document.slug}"} for document in documents[:3]]
    for name, text in _FUMADOCS.items():
        filled = text.replace("LANGUAGE", json.dumps(documents[0].language)).replace("LINKS", json.dumps(links))
        write_text(project / name, filled.replace("NAME", json.dumps(NAME)))
    styles = ("tailwindcss", f"fumadocs-ui/css/{theme}.css", "fumadocs-ui/css/preset.css")
    write_text(project / "app/global.css", "".join(f"@import '{style}';\n" for style in styles))
    write_text(project / "package.json", json.dumps({"name": "site", "private": True, "type": "module"}))
    pages = [document.slug for document in documents]
    write_text(project / "content/docs/meta.json", json.dumps({"pages": ["---Guide---", *pages[:12], "---Reference---", *pages[12:]]}))
    for document in documents:
        head = f"title: {json.dumps(document.title, ensure_ascii=False)}\ndescription: {json.dumps(document.summary, ensure_ascii=False)}\n"
        write_text(project / f"content/docs/{document.slug}.md", f"---\n{head}---\n\n{to_markdown(document)}")


def build_fumadocs(project: Path) -> None:
    """Build the manual."""
    tools = project.parents[1].resolve()
    run_program(["env", "NEXT_TELEMETRY_DISABLED=1", str(tools / "node_modules/.bin/next"), "build"], project, tools.parent)
