"""Other people's extractors of a page's main text on stored HTML, as their users call them.

Each is imported when it is first called: most live in the dependency group `peers`, and some only in environments of their own. What a
function raises, its extractor raised. `gold` takes two of them with the title that they found ahead, because the gold texts there
begin with their headline: without it each loses less than 0.01 on CleanPortalEval.
"""

from __future__ import annotations


def read_with_trafilatura(html: str, url: str) -> str | None:
    """Return trafilatura's text without comments, which few gold texts hold; None if it finds nothing."""
    import trafilatura

    text: str | None = trafilatura.extract(html, url=url or None, include_comments=False)
    return text


def markdown_of_trafilatura(html: str, url: str) -> str | None:
    """Return trafilatura's Markdown with links and images; None if it finds nothing."""
    import trafilatura

    text: str | None = trafilatura.extract(
        html,
        url=url or None,
        output_format="markdown",
        include_comments=False,
        include_formatting=True,
        include_links=True,
        include_images=True,
    )
    return text


def html_of_readability(html: str, url: str) -> str:
    """Return readability-lxml's summary as HTML."""
    from readability import Document

    return str(Document(html, url=url or None).summary(html_partial=True))


def read_with_readability(html: str, url: str) -> str:
    """Return readability-lxml's summary, each block of it on a line of its own."""
    from benchmarks.metrics.fragments import text_of

    return text_of(html_of_readability(html, url))


def read_with_resiliparse(html: str, url: str) -> str:
    """Return Resiliparse's main content, without comments, links' targets and bullets."""
    from resiliparse.extract.html2text import extract_plain_text

    text: str = extract_plain_text(html, main_content=True, comments=False, links=False, alt_texts=False, list_bullets=False)
    return text


def title_and_text_of_trafilatura(html: str, url: str) -> str:
    """Return trafilatura's title and text; empty if it finds nothing."""
    import trafilatura

    found = trafilatura.extract_metadata(html, default_url=url or None)
    return f"{found.title or ''}\n{read_with_trafilatura(html, url) or ''}".strip()


def title_and_text_of_readability(html: str, url: str) -> str:
    """Return readability-lxml's short title and summary."""
    from readability import Document

    return f"{Document(html, url=url or None).short_title()}\n{read_with_readability(html, url)}".strip()


SETTINGS = (50, 200, 0.1, 0.2, 0.2, 200, True)
"""jusText's thresholds in the empirical comparison (Bevendorff et al. 2023): least and most characters of a short block, least and
most share of stop words, most link density, how far a heading looks, and that it does. On Scrapinghub its own defaults lose 0.01."""


def read_with_justext(html: str, url: str) -> str:
    """Return jusText's good paragraphs by its English stop words and the comparison's settings, each on a line."""
    import justext

    paragraphs = justext.justext(html, justext.get_stoplist("English"), *SETTINGS)
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


def read_with_boilerpy3(html: str, url: str) -> str:
    """Return what BoilerPy3's article extractor, a port of Boilerpipe's, keeps."""
    from boilerpy3.extractors import ArticleExtractor

    text: str = ArticleExtractor().get_content(html)
    return text


def read_with_readability_by_html_text(html: str, url: str) -> str:
    """Return readability-lxml's summary as html_text writes it down, which is how the empirical comparison takes it.

    With a line for each block, as `gold` has it, it gains 0.006 on the Readability set and loses 0.002 on
    Scrapinghub.
    """
    import html_text
    from readability import Document

    text: str = html_text.extract_text(Document(html, url=url or None).summary(html_partial=True))
    return text


def read_with_newspaper(html: str, url: str) -> str:
    """Return Newspaper4k's text of the article."""
    import newspaper

    article = newspaper.Article(url or "http://localhost/", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    text: str = article.text
    return text
