"""Articles of a learned site: Markdown with front matter, an index, and all of them with their text as JSON lines."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sightread.batch.outcome import article_of, article_with_text, with_front_matter
from sightread.document.document import Document
from sightread.render.files import write_atomically
from sightread.sites.folders import SiteFolder


def save_articles(folder: SiteFolder, articles: Sequence[Document]) -> None:
    """Write the Markdown of every page, then an index of all, and last `articles.jsonl` with their text. Raises `StorageFailed`.

    Each file is replaced at once, so a killed job leaves whole files; the next run writes the same ones.
    """
    index, lines = [], []
    for number, document in enumerate(articles, 1):
        path = folder.articles / f"{number:04}.md"
        write_atomically(path, with_front_matter(document, document.markdown).encode())
        index.append(msgspec.json.encode(article_of(document, path.name)) + b"\n")
        lines.append(msgspec.json.encode(article_with_text(document, f"{folder.articles.name}/{path.name}")) + b"\n")
    write_atomically(folder.articles / "index.jsonl", b"".join(index))
    write_atomically(folder.article_lines, b"".join(lines))
