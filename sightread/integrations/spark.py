"""Spark: a function for `DataFrame.mapInPandas` that extracts rows of HTML.

from sightread.integrations.spark import SCHEMA, extract_frames
articles = pages.select("url", "html").mapInPandas(extract_frames, schema=SCHEMA)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from sightread.batch.outcome import defect
from sightread.reading.extraction import extract
from sightread.render.errors import SightreadError

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "url string, markdown string, title string, language string, model string, expected_f1 double, error string, message string"
"""Schema of the rows: one per page, with the document or the class name and message of its error."""


def extract_frames(frames: Iterable[pd.DataFrame], model: str = "auto") -> Iterator[pd.DataFrame]:
    """Yield a frame of results for each frame with the columns `url` and `html`; one row per row, in order. The model is loaded once."""
    import pandas as pd  # noqa: PLC0415  (half a second, which the import of this module need not take)

    columns = [field.split()[0] for field in SCHEMA.split(", ")]
    for frame in frames:
        rows = [_row(url, html, model) for url, html in zip(frame["url"], frame["html"], strict=True)]
        yield pd.DataFrame(rows, columns=columns, dtype=object)  # else missing strings would be NaN


def extractor(model: str) -> Any:
    """Return the function for another model."""
    return partial(extract_frames, model=model)


def _row(url: Any, html: Any, model: str) -> tuple[Any, ...]:
    url = url if isinstance(url, str) else ""
    try:
        document = extract(bytes(html) if isinstance(html, bytearray) else html, url or None, model)
        metadata, f1 = document.metadata, round(document.expected_f1, 4)
        return url, document.markdown, metadata.title, metadata.language, document.model, f1, None, None
    except SightreadError as error:
        failure: Exception = error
    except Exception as error:  # noqa: BLE001  (one page of many: recorded as its error, and the others are read)
        failure = defect(url, error)
    return url, None, None, None, None, None, type(failure).__name__, str(failure)
