"""Scrapy item pipeline: extracts the main content of items that hold HTML.

    ITEM_PIPELINES = {"sightread.integrations.scrapy.SightreadPipeline": 300}

It reads `html` (or `body`) and `url` of an item of any type that Scrapy supports, and writes `text`, `markdown`, `title`, `authors`,
`published`, `language` and `expected_f1`, as far as the item has such fields: a dict has them all.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Self

from sightread.integrations import framework
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
        adapter = framework("itemadapter", "scrapy").ItemAdapter(item)
        name = next((name for name in HTML if adapter.get(name)), "")
        if not name:
            return item
        url = str(adapter.get("url") or "")
        try:
            document = extract(adapter[name], url or None, self.model)
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
        for key, value in (found if self.keep_html else found | {name: ""}).items():
            with suppress(KeyError):  # a field that the item's class does not declare
                adapter[key] = value
        return item
