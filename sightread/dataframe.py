"""Pages, documents and corpora as pandas DataFrames: one row per block, or of several documents one row per page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from sightread.batch.outcome import ArticleText, article_with_text
from sightread.crawler.corpus import Corpus
from sightread.document.document import Document
from sightread.labeling.labels import SiteLabels, load_labels
from sightread.render.errors import Rejected
from sightread.render.page import Page
from sightread.sites.folders import SiteFolder, SiteHome

if TYPE_CHECKING:
    import pandas as pd

FrameRow = dict[str, object]


def to_dataframe(source: Page | Document | Corpus | Path | str | Iterable[Document]) -> pd.DataFrame:
    """Return one row per block of a page, of the page of a document, or of all pages of a corpus: an open one, its folder, or
    the folder of a learned site. Of several documents, such as a list, it returns one row per document.

    Columns of blocks: `page` and `block` (rows, from 0), `url`, `text`, `tag_path`, `selector_path`, `x`, `y`, `width`, `height` (CSS px,
    document origin; NaN without a browser), `link_chars`, `hidden`, `z`, `heading`, `marker`, and one `css.*` column per computed property
    that differs from the body's on any block (NaN if it does not differ). A document adds `probability`, `reason` and `is_kept`, a labelled
    corpus `label` (1 content, 0 boilerplate, -1 unknown) and `cluster` (-1 for none). Columns of documents: `url`, `notes` (codes), `note`
    (their messages), `title`, `authors`, `published`, `modified`, `language`, `page_type`, `model`, `version`, `expected_f1`, `markdown`
    and `text`.

    Raises `Rejected` for a folder that is no corpus or any other source, `BadRecord` if a page of it is damaged.
    """
    import pandas as pd  # noqa: PLC0415  (half a second, which other users of the package need not wait)

    if isinstance(source, str) and ("<" in source or "\n" in source):
        raise Rejected("to_dataframe(): source is HTML, not a page, document or corpus: give the document of sightread.extract(html)")
    if isinstance(source, str | Path):
        current = SiteHome(Path(source)).current
        source = Corpus.open(current.path if current else source)
    if isinstance(source, Page):
        return pd.DataFrame(_rows(source))
    if isinstance(source, Document):
        return pd.DataFrame(_document_rows(source))
    if isinstance(source, Corpus):
        return pd.DataFrame(_corpus_rows(source, load_labels(SiteFolder(source.folder).labels, source.digest())))
    if isinstance(source, Iterable) and not isinstance(source, bytes):
        documents = list(source)
        if all(isinstance(document, Document) for document in documents):
            return table_of(article_with_text(document, "") for document in documents).drop(columns="source")
    allowed = "a Page, a Document, several of them, a Corpus or the folder of one"
    raise Rejected(f"to_dataframe(): source is of the type {type(source).__name__}: give {allowed}")


def table_of(articles: Iterable[ArticleText]) -> pd.DataFrame:
    """Return one row per extracted page; `source` is its file."""
    import pandas as pd  # noqa: PLC0415

    rows = map(msgspec.structs.asdict, articles)
    return pd.DataFrame(rows, columns=ArticleText.__struct_fields__).rename(columns={"file": "source"})


def _rows(page: Page, number: int = 0) -> Iterator[FrameRow]:
    tags, selectors = page.tag_paths(), page.selector_paths()
    for place, block in enumerate(page.blocks):
        x, y, width, height = block.box or (None,) * 4
        yield {
            "page": number,
            "block": place,
            "url": page.final_url or page.url,
            "text": block.text,
            "tag_path": tags[block.element],
            "selector_path": selectors[block.element],
            "x": x,
            "y": y,
            "width": width,
            "height": height,
            "link_chars": block.link_chars,
            "hidden": block.hidden,
            "z": block.z,
            "heading": block.heading,
            "marker": block.marker,
            **{f"css.{name}": value for name, value in sorted(page.style_of(block).items())},
        }


def _document_rows(document: Document) -> Iterator[FrameRow]:
    kept = set(document.selection.rows)
    decided = zip(document.prediction.probabilities.tolist(), document.selection.reasons, strict=True)
    for row, (probability, reason) in zip(_rows(document.page), decided, strict=True):
        yield {**row, "probability": probability, "reason": reason, "is_kept": row["block"] in kept}


def _corpus_rows(pages: Iterable[Page], labels: SiteLabels | None) -> Iterator[FrameRow]:
    for number, page in enumerate(pages):
        for place, row in enumerate(_rows(page, number)):
            known = {} if labels is None else {"label": labels.labels[number][place], "cluster": labels.assignments[number][place]}
            yield {**row, **known}
