"""Projects of documentation generators from npm: VitePress, HonKit, Docusaurus, Rspress."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_HAS_LOCALE = ("en", "de", "fr", "es", "ru", "ja", "zh", "ar")
"""Languages of which Docusaurus has translations."""


def write_vitepress(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with a side bar."""
    del theme
    side = [{"text": document.title, "link": f"/{document.slug}"} for document in documents]
    config = {"title": NAME, "lang": documents[0].language, "themeConfig": {"nav": [{"text": "Home", "link": "/"}], "sidebar": side}}
    write_text(project / ".vitepress/config.mjs", f"export default {json.dumps(config)}")
    _write_pages(project, documents)


def write_honkit(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a book."""
    del theme
    write_text(project / "book.json", json.dumps({"title": NAME, "author": "Ada Quay", "plugins": ["-search", "-lunr", "-sharing"]}))
    chapters = "\n".join(f"* [{document.title}]({document.slug}.md)" for document in documents)
    write_text(project / "SUMMARY.md", f"# Summary\n\n{chapters}\n")
    write_text(project / "README.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def write_docusaurus(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual, or with the theme `blog` a blog."""
    language = documents[0].language if documents[0].language in _HAS_LOCALE else "en"
    options = {"docs": {"routeBasePath": "/"}, "blog": False} if theme == "docs" else {"docs": False, "blog": {"routeBasePath": "/"}}
    config = {
        "title": NAME,
        "url": "http://127.0.0.1",
        "baseUrl": "/",
        "onBrokenLinks": "ignore",
        "markdown": {"format": "md"},
        "i18n": {"defaultLocale": language, "locales": [language]},
        "presets": [["classic", options]],
        "themeConfig": {
            "navbar": {"title": NAME, "items": [{"to": f"/{documents[0].slug}", "label": documents[0].title}]},
            "footer": {"style": "dark", "copyright": f"© {NAME}"},
        },
    }
    write_text(project / "docusaurus.config.js", f"module.exports = {json.dumps(config)};")
    write_text(project / "package.json", '{"name": "site", "version": "1.0.0", "private": true}')
    for number, document in enumerate(documents):
        head: dict[str, Any] = {"title": document.title, "description": document.summary, "slug": f"/{document.slug}"}
        if theme == "docs":
            head |= {"sidebar_position": number}
        else:
            head |= {"date": str(document.published), "tags": list(document.tags), "authors": [{"name": "Ada Quay"}]}
        front = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items())
        folder = "docs" if theme == "docs" else "blog"
        write_text(project / f"{folder}/{document.slug}.md", f"---\n{front}\n---\n\n{to_markdown(document)}")


def write_rspress(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with a side bar."""
    del theme
    side = [{"text": document.title, "link": f"/{document.slug}"} for document in documents]
    config = {"root": "docs", "title": NAME, "lang": documents[0].language, "themeConfig": {"sidebar": {"/": side}}}
    write_text(project / "rspress.config.ts", f"export default {json.dumps(config)};")
    write_text(project / "package.json", '{"name": "site", "version": "1.0.0", "private": true}')
    _write_pages(project / "docs", documents)


def _write_pages(folder: Path, documents: Sequence[SourceDocument]) -> None:
    write_text(folder / "index.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(folder / f"{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")
