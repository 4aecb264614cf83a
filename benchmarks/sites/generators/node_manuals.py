"""Projects of documentation generators and wikis from npm: Starlight, TypeDoc, JSDoc, TiddlyWiki."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_html, to_markdown

_CONTENT = """import {defineCollection} from 'astro:content';
import {docsLoader} from '@astrojs/starlight/loaders';
import {docsSchema} from '@astrojs/starlight/schema';
export const collections = {docs: defineCollection({loader: docsLoader(), schema: docsSchema()})};
"""


def write_starlight(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with a side bar, and the time of the last change."""
    del theme
    side = [{"label": "Guide", "items": [{"slug": document.slug} for document in documents]}]
    options = {"title": NAME, "sidebar": side, "pagefind": False, "defaultLocale": "root"}
    options["locales"] = {"root": {"label": "Text", "lang": documents[0].language}}
    write_text(
        project / "astro.config.mjs",
        "import {defineConfig} from 'astro/config'; import starlight from '@astrojs/starlight';\n"
        f"export default defineConfig({{markdown: {{smartypants: false}}, integrations: [starlight({json.dumps(options)})]}});\n",
    )
    package = {"name": "site", "private": True, "type": "module", "dependencies": {"astro": "*", "@astrojs/starlight": "*"}}
    write_text(project / "package.json", json.dumps(package))
    write_text(project / "src/content.config.ts", _CONTENT)
    for document in documents:
        head = f"title: {json.dumps(document.title, ensure_ascii=False)}\nlastUpdated: {document.published}\n"
        write_text(project / f"src/content/docs/{document.slug}.md", f"---\n{head}---\n\n{to_markdown(document)}")


def write_typedoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the documents beside the reference of a small library."""
    del theme
    classes = "\n".join(
        f"/** {name.title()} of the harbour. */\nexport class {name.title()} {{ {name} = 1; }}" for name in ("tide", "buoy")
    )
    write_text(project / "index.ts", f"{classes}\n")
    options = {"entryPoints": ["index.ts"], "name": NAME, "readme": "none", "out": "html", "disableGit": True, "sourceLinkTemplate": "#"}
    options |= {"projectDocuments": ["*.md"], "includeVersion": False}
    write_text(project / "typedoc.json", json.dumps(options))
    write_text(project / "tsconfig.json", '{"compilerOptions": {"target": "es2022", "strict": true}, "files": ["index.ts"]}')
    write_text(project / "package.json", '{"name": "site", "version": "1.0.0", "private": true}')
    for document in documents:  # a title in the front matter would name the page's file
        write_text(project / f"{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def write_jsdoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the documents as tutorials beside the reference of a small library; the theme is a template's package."""
    classes = "\n".join(f"/** {name.title()} of the harbour. */\nexport class {name.title()} {{}}" for name in ("tide", "buoy"))
    write_text(project / "index.js", f"{classes}\n")
    options = {"destination": "html", "tutorials": "tutorials", "template": str((project.parents[1] / "node_modules" / theme).resolve())}
    write_text(project / "conf.json", json.dumps({"source": {"include": ["index.js"]}, "plugins": ["plugins/markdown"], "opts": options}))
    titles = {document.slug: {"title": document.title} for document in documents}
    write_text(project / "tutorials/tutorials.json", json.dumps(titles))
    for document in documents:
        write_text(project / f"tutorials/{document.slug}.md", to_markdown(document))


def write_tiddlywiki(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a wiki whose tiddlers become pages of their own, by the templates that come with TiddlyWiki."""
    pages = ["--render", "[has[page]]", "[get[page]addsuffix[.html]]", "text/plain", "$:/core/templates/static.tiddler.html"]
    style = ["--render", "$:/core/templates/static.template.css", "static.css", "text/plain"]
    themes = [f"tiddlywiki/{name}" for name in ("vanilla", theme)]
    write_text(project / "tiddlywiki.info", json.dumps({"plugins": [], "themes": themes, "build": {"static": [*pages, *style]}}))
    write_text(project / "tiddlers/name.tid", f"title: $:/SiteTitle\n\n{NAME}")
    write_text(project / "tiddlers/theme.tid", f"title: $:/theme\n\n$:/themes/tiddlywiki/{theme}")
    for document in documents:
        head = f"title: {document.title}\npage: {document.slug}\ntags: {' '.join(f'[[{tag}]]' for tag in document.tags)}\n"
        head += f"created: {document.published:%Y%m%d}080000000\nmodified: {document.published:%Y%m%d}080000000\n"
        write_text(project / f"tiddlers/{document.slug}.tid", f"{head}\n\\rules only html entity\n\n{to_html(document)}")
