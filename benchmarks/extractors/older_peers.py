"""Other people's extractors of the time before, which judge a page block by block.

See `benchmarks.extractors.peers` for what all adapters share.
"""

from __future__ import annotations

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
