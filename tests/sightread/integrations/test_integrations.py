"""The adapters without their frameworks: what they do alone, and the error that names what is missing."""

import builtins

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
    monkeypatch.setattr("sightread.integrations.import_module", lambda module: refuse(module))


def test_without_scrapy_the_pipeline_states_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    absent(monkeypatch, "itemadapter")
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
