"""The adapters to frameworks: each with the real one where it is installed, and a clear word where it is not."""

import builtins
import dataclasses
import importlib.util

import pytest

from render.errors import Unequipped, Unusable
from sightread.integrations.scrapy import SightreadPipeline

STORY = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. "
PAGE = f"""<html lang="en"><head><title>The green lighthouse</title><meta name="author" content="Ana Lim"></head><body>
<nav><a href="/">Home</a></nav><article><h1>The green lighthouse</h1><p>{STORY * 3}</p><p>{STORY * 3}</p></article></body></html>"""
URL = "https://post.example/lighthouse"


def needs(module: str) -> pytest.MarkDecorator:
    found = importlib.util.find_spec(module.partition(".")[0]) is not None
    return pytest.mark.skipif(not found, reason=f"{module} is not installed here: pip install it to test its adapter")


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


def test_without_scrapy_an_item_that_cannot_be_read_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    absent(monkeypatch, "scrapy")
    with pytest.raises(Unequipped, match="scrapy is not installed here: pip install scrapy"):
        SightreadPipeline().process_item({"url": URL, "html": "<p></p>"})


@needs("scrapy")
def test_scrapy_drops_what_cannot_be_read_and_fills_its_own_items() -> None:
    import scrapy
    from scrapy.exceptions import DropItem
    from scrapy.settings import Settings

    class Story(scrapy.Item):
        url = scrapy.Field()
        html = scrapy.Field()
        markdown = scrapy.Field()

    class Crawler:
        settings = Settings({"SIGHTREAD_MODEL": "boilerpipe"})

    pipeline = SightreadPipeline.from_crawler(Crawler())
    assert (pipeline.model, pipeline.keep_html) == ("boilerpipe", True)
    assert "painted green" in pipeline.process_item(Story(url=URL, html=PAGE))["markdown"]
    with pytest.raises(DropItem, match="no text on the page"):
        pipeline.process_item(Story(url=URL, html="<p></p>"))


def test_without_langchain_the_loader_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from sightread.integrations.langchain import SightreadLoader

    absent(monkeypatch, "langchain_core")
    with pytest.raises(Unequipped, match="langchain-core is not installed here: pip install langchain-core"):
        SightreadLoader([URL])


def test_without_llamaindex_the_reader_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from sightread.integrations.llamaindex import SightreadReader

    absent(monkeypatch, "llama_index")
    with pytest.raises(Unequipped, match="llama-index-core is not installed here: pip install llama-index-core"):
        SightreadReader()


@needs("langchain_core")
def test_langchain_gets_documents_of_files(tmp_path) -> None:
    from langchain_core.document_loaders import BaseLoader

    from sightread.integrations.langchain import SightreadLoader

    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.html").write_text(PAGE.replace("green", "red"))
    loader = SightreadLoader([tmp_path / "a.html", str(tmp_path / "b.html")])
    documents = loader.load()
    assert isinstance(loader, BaseLoader)
    assert [each.page_content[:22] for each in documents] == ["# The green lighthouse", "# The red lighthouse\n\n"]
    assert documents[0].metadata["title"] == "The green lighthouse"
    assert documents[1].metadata["source"] == str(tmp_path / "b.html")


@needs("llama_index")
def test_llamaindex_gets_documents_of_files_and_their_faults(tmp_path) -> None:
    from llama_index.core.readers.base import BaseReader

    from sightread.integrations.llamaindex import SightreadReader

    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "empty.html").write_text("")
    reader = SightreadReader()
    (document,) = reader.load_data([tmp_path / "a.html"])
    assert isinstance(reader, BaseReader)
    assert document.text.startswith("# The green lighthouse") and document.metadata["authors"] == ["Ana Lim"]
    with pytest.raises(Unusable, match="no text on the page"):
        reader.load_data([tmp_path / "empty.html"])
