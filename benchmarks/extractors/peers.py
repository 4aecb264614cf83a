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
