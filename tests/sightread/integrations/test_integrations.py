"""The adapters without their frameworks: what they do alone, and the error that names what is missing."""

import builtins
import dataclasses

import pytest

from sightread.integrations.scrapy import SightreadPipeline
from sightread.render.errors import Unequipped

STORY = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. "
PAGE = f"""<html lang="en"><head><title>The green lighthouse</title><meta name="author" content="Ana Lim"></head><body>
<nav><a href="/">Home</a></nav><article><h1>The green lighthouse</h1><p>{STORY * 3}</p><p>{STORY * 3}</p></article></body></html>"""
URL = "https://post.example/lighthouse"


def absent(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let imports of a package fail."""
    real = builtins.__import__

    def refuse(module: str, *rest: object, **more: object) -> object:
        if module.partition(".")[0] == name:
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real(module, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.setattr("sightread.integrations.common.import_module", lambda module: refuse(module))


def test_the_pipeline_gives_an_item_its_pages_content() -> None:
    item = SightreadPipeline(keep_html=False).process_item({"url": URL, "html": PAGE})
    assert item["markdown"].startswith("# The green lighthouse\n\nThe lighthouse")
    assert (item["title"], item["authors"], item["language"], item["html"]) == ("The green lighthouse", ["Ana Lim"], "en", "")


def test_the_pipeline_fills_the_fields_that_an_item_has() -> None:
    @dataclasses.dataclass
    class Story:
        url: str
        body: bytes
        text: str = ""

    story = SightreadPipeline().process_item(Story(URL, PAGE.encode()))
    assert story.text.startswith("The green lighthouse") and not hasattr(story, "markdown")


def test_the_pipeline_leaves_items_without_a_page_alone() -> None:
    assert SightreadPipeline().process_item({"url": URL}) == {"url": URL}


def test_without_scrapy_an_item_that_cannot_be_read_states_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    absent(monkeypatch, "scrapy")
    with pytest.raises(Unequipped, match="scrapy is not installed here: pip install scrapy"):
        SightreadPipeline().process_item({"url": URL, "html": "<p></p>"})


def test_without_langchain_the_loader_states_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from sightread.integrations.langchain import SightreadLoader

    absent(monkeypatch, "langchain_core")
    with pytest.raises(Unequipped, match="langchain-core is not installed here: pip install langchain-core"):
        SightreadLoader([URL])


def test_without_llamaindex_the_reader_states_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from sightread.integrations.llamaindex import SightreadReader

    absent(monkeypatch, "llama_index")
    with pytest.raises(Unequipped, match="llama-index-core is not installed here: pip install llama-index-core"):
        SightreadReader()
