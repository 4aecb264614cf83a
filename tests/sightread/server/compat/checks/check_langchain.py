"""LangChain's Firecrawl loader, unchanged, against this service."""

import os

import pytest
from langchain_core.documents import Document
from langchain_firecrawl import FirecrawlLoader

SERVICE, SITE, TOKEN = (os.environ[name] for name in ("SERVICE", "SITE", "TOKEN"))


@pytest.mark.parametrize(
    ("mode", "params", "found"), [("scrape", {}, 1), ("crawl", {"limit": 3, "poll_interval": 0.1}, 3), ("map", {"limit": 4}, 4)]
)
def test_a_mode_of_the_loader(mode, params, found):
    path = "/story/1" if mode == "scrape" else ""
    documents = FirecrawlLoader(f"{SITE}{path}", api_key=TOKEN, api_url=SERVICE, mode=mode, params=params).load()
    assert len(documents) == found and all(isinstance(document, Document) for document in documents)
    if mode == "map":
        assert all(document.page_content.startswith(SITE) for document in documents)
    else:
        assert all(document.page_content.startswith("# ") for document in documents)
        assert documents[0].metadata["source_url"].startswith(SITE)
