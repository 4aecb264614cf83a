"""Generators from npm with themes of their own: VuePress, Hugo with the theme Doks, and Docco."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_VUEPRESS = """import {defaultTheme} from '@vuepress/theme-default';
import {viteBundler} from '@vuepress/bundler-vite';
export default {
  bundler: viteBundler(), lang: %s, title: %s,
  theme: defaultTheme({navbar: [{text: 'Home', link: '/'}], sidebar: %s, contributors: false}),
};
"""


def write_vuepress(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with a side bar."""
    del theme
    side = [{"text": document.title, "link": f"/{document.slug}.html"} for document in documents]
    config = _VUEPRESS % (json.dumps(documents[0].language), json.dumps(NAME), json.dumps(side, ensure_ascii=False))
    write_text(project / "docs/.vuepress/config.js", config)
    write_text(project / "package.json", '{"name": "site", "private": true, "type": "module"}')
    write_text(project / "docs/README.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"docs/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")
