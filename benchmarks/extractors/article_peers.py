"""Other people's readers of articles, on stored HTML; most look for title, authors and date as well, and take their time.

See `benchmarks.extractors.peers` for what all adapters share.
"""

from __future__ import annotations


def read_with_readability(html: str, url: str) -> str:
    """Return readability-lxml's summary as html_text writes it down, which is how the empirical comparison takes it.

    With a line for each block (`benchmarks.extractors.peers`), as `gold` has it, it gains 0.006 on the Readability set and loses 0.002 on
    Scrapinghub.
    """
    import html_text
    from readability import Document

    text: str = html_text.extract_text(Document(html, url=url or None).summary(html_partial=True))
    return text


def read_with_goose3(html: str, url: str) -> str:
    """Return Goose3's cleaned text."""
    from goose3 import Goose

    with Goose({"enable_image_fetching": False}) as goose:
        text: str = goose.extract(raw_html=html).cleaned_text
    return text


def read_with_newspaper(html: str, url: str) -> str:
    """Return Newspaper4k's text of the article."""
    import newspaper

    article = newspaper.Article(url or "http://localhost/", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    text: str = article.text
    return text


def read_with_news_please(html: str, url: str) -> str | None:
    """Return news-please's main text; None if it finds none."""
    from newsplease import NewsPlease

    text: str | None = NewsPlease.from_html(html, url=url or None, fetch_images=False).maintext
    return text
