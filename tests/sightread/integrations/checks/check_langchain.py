"""The loader with the real LangChain: files, a page in the browser, and its own interface."""

import pytest
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from sightread.integrations.langchain import SightreadLoader
from sightread.render.network.egress import LOCAL

STORY = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. "
PAGE = f"""<html lang="en"><head><title>The green lighthouse</title><meta name="author" content="Ana Lim"></head><body>
<nav><a href="/">Home</a></nav><article><h1>The green lighthouse</h1><p>{STORY * 3}</p><p>{STORY * 3}</p></article></body></html>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.html").write_text(PAGE.replace("green", "red"))
    return tmp_path


def test_files_become_documents_in_order(folder):
    loader = SightreadLoader([folder / "a.html", str(folder / "b.html")])
    documents = loader.load()
    assert isinstance(loader, BaseLoader) and all(isinstance(each, Document) for each in documents)
    assert [each.page_content[:22] for each in documents] == ["# The green lighthouse", "# The red lighthouse\n\n"]
    assert documents[0].metadata["title"] == "The green lighthouse"
    assert documents[1].metadata["source"] == str(folder / "b.html")


def test_a_page_in_chunks_is_a_document_per_chunk(folder):
    (whole,) = SightreadLoader([folder / "a.html"]).load()
    chunks = SightreadLoader([folder / "a.html"], chunk_tokens=60, chunk_overlap=30).load()
    assert len(chunks) > 2 and {each.metadata["title"] for each in chunks} == {"The green lighthouse"}
    assert [whole.page_content[each.metadata["start"] : each.metadata["end"]] for each in chunks] == [each.page_content for each in chunks]
    assert chunks[1].metadata["headings"] == ["The green lighthouse"] and max(each.metadata["tokens"] for each in chunks) <= 60


async def test_a_page_is_read_in_the_browser_and_passes_through_a_chain(serve):
    url = serve({"/": PAGE}).url()
    loader = SightreadLoader([url], egress=LOCAL)
    documents = [document async for document in loader.alazy_load()]
    chain = RunnableLambda(lambda each: each.metadata["source"]) | RunnableLambda(str.upper)
    assert documents[0].page_content.startswith("# The green lighthouse")
    assert await chain.abatch(documents) == [url.upper()]
    assert Document.model_validate_json(documents[0].model_dump_json()) == documents[0]
