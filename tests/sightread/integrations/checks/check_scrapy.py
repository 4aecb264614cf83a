"""The pipeline in a real crawl of Scrapy."""

from dataclasses import dataclass

import scrapy
from scrapy.crawler import AsyncCrawlerProcess

from sightread.integrations.scrapy import SightreadPipeline

STORY = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. "
PAGES = {
    "/": "<a href='/green'>The green lighthouse</a><a href='/empty'>Nothing</a>",
    "/green": f"<html lang='en'><title>The green lighthouse</title><nav><a href='/'>Home</a></nav><article><h1>The green lighthouse</h1>"
    f"<p>{STORY * 3}</p><p>{STORY * 3}</p></article></html>",
    "/empty": "<p></p>",
}


SETTINGS = {
    "ITEM_PIPELINES": {"sightread.integrations.scrapy.SightreadPipeline": 300},
    "SIGHTREAD_KEEP_HTML": False,
    "LOG_LEVEL": "WARNING",
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
}


class Story(scrapy.Item):
    """An item that declares some of the fields that the pipeline fills."""

    url = scrapy.Field()
    html = scrapy.Field()
    title = scrapy.Field()
    markdown = scrapy.Field()


class Stories(scrapy.Spider):
    """Follows the links of the front page."""

    name = "stories"

    def parse(self, response):
        """Yield one item per linked page."""
        for link in response.css("a"):
            yield response.follow(link, self.parse_page)

    def parse_page(self, response):
        """Yield the item of a page."""
        yield Story(url=response.url, html=response.text)


def test_items_of_a_crawl_have_their_content_and_unreadable_pages_are_dropped(serve):
    process, kept, dropped = AsyncCrawlerProcess(SETTINGS), [], []
    crawler = process.create_crawler(Stories)
    crawler.signals.connect(lambda item: kept.append(dict(item)), scrapy.signals.item_scraped, weak=False)
    crawler.signals.connect(lambda item, exception: dropped.append(str(exception)), scrapy.signals.item_dropped, weak=False)
    process.crawl(crawler, start_urls=[serve(PAGES).url()])
    process.start()
    (story,) = kept
    assert story["title"] == "The green lighthouse"
    assert story["markdown"].startswith("# The green lighthouse\n\nThe lighthouse at the end")
    assert (story["html"], set(story)) == ("", {"url", "html", "title", "markdown"})
    (reason,) = dropped
    assert "no text on the page" in reason


@dataclass
class Part:
    """An item that has few of the fields."""

    url: str
    body: bytes
    text: str = ""


def test_an_item_of_any_type_gets_what_it_has_fields_for():
    html, url = PAGES["/green"], "https://post.example/"
    item = SightreadPipeline(keep_html=False).process_item({"url": url, "html": html})
    assert item["markdown"].startswith("# The green lighthouse\n\nThe lighthouse")
    assert (item["title"], item["authors"], item["language"], item["html"]) == ("The green lighthouse", [], "en", "")
    part = SightreadPipeline().process_item(Part(url, html.encode()))
    assert part.text.startswith("The green lighthouse") and part.body and not hasattr(part, "markdown")
    assert SightreadPipeline().process_item({"url": url}) == {"url": url}
