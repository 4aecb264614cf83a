"""Scrapy item pipeline: extracts the main content of items that hold HTML.

    ITEM_PIPELINES = {"sightread.integrations.scrapy.SightreadPipeline": 300}

It reads an item's `html` (or `body`) and `url`, a mapping or an object, and writes `text`, `markdown`, `title`, `authors`,
`published`, `language` and `expected_f1`, as far as the item has such fields: a dict has them all. Only Scrapy's exception class is used.

"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import fields, is_dataclass
from typing import Any, Self

from sightread.integrations.common import framework
from sightread.reading.extraction import extract
from sightread.render.errors import SightreadError

HTML = ("html", "body")


class SightreadPipeline:
    """Reads the HTML of each item; drops items without readable text, with the reason.

    Settings: `SIGHTREAD_MODEL` (by default `auto`), and `SIGHTREAD_KEEP_HTML` (true by default) to leave the HTML in the item.
    """

    def __init__(self, model: str = "auto", *, keep_html: bool = True) -> None:
        self.model = model
        self.keep_html = keep_html

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """Return the pipeline according to the crawler's settings."""
        settings = crawler.settings
        return cls(settings.get("SIGHTREAD_MODEL", "auto"), keep_html=settings.getbool("SIGHTREAD_KEEP_HTML", True))

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Return the item with its page's content. Raises Scrapy's `DropItem` if the page cannot be read."""
        name = next((name for name in HTML if _get(item, name)), "")
        if not name:
            return item
        url = str(_get(item, "url") or "")
        try:
            document = extract(_get(item, name), url or None, self.model)
        except SightreadError as error:
            raise framework("scrapy.exceptions", "scrapy").DropItem(str(error)) from error
        metadata = document.metadata
        found = {
            "text": document.text,
            "markdown": document.markdown,
            "title": metadata.title,
            "authors": list(metadata.authors),
            "published": metadata.published,
            "language": metadata.language,
            "expected_f1": document.expected_f1,
        }
        for key, value in found.items():
            _set(item, key, value)
        if not self.keep_html:
            _set(item, name, "")
        return item


def _get(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, MutableMapping) else getattr(item, name, None)


def _set(item: Any, name: str, value: Any) -> None:
    if isinstance(item, MutableMapping):
        declared = getattr(item, "fields", None)
        if declared is None or name in declared:
            item[name] = value
    elif name in _names(item):
        setattr(item, name, value)


def _names(item: Any) -> set[str]:
    if is_dataclass(item):
        return {field.name for field in fields(item)}
    return {*vars(item), *getattr(type(item), "__annotations__", ())}
