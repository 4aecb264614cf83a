"""The reader with the real LlamaIndex: documents, errors, and the framework's own pipeline."""

import pytest
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import TokenTextSplitter  # SentenceSplitter imports NLTK, which imports SciPy and scikit-learn
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from sightread.integrations.llamaindex import SightreadReader
from sightread.render.errors import Rejected, Unusable

STORY = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. "
PAGE = f"""<html lang="en"><head><title>The green lighthouse</title><meta name="author" content="Ana Lim"></head><body>
<nav><a href="/">Home</a></nav><article><h1>The green lighthouse</h1><p>{STORY * 3}</p><p>{STORY * 3}</p></article></body></html>"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(PAGE)
    return path


def test_files_become_documents_that_a_pipeline_splits(page):
    reader = SightreadReader()
    documents = reader.load_data([page])
    assert isinstance(reader, BaseReader) and isinstance(documents[0], Document)
    assert documents[0].text.startswith("# The green lighthouse")
    splitter = TokenTextSplitter(chunk_size=128, chunk_overlap=0, tokenizer=str.split)
    nodes = IngestionPipeline(transformations=[splitter], disable_cache=True).run(documents=documents)
    assert len(nodes) > 1
    assert {node.metadata["source"] for node in nodes} == {str(page)}
    assert nodes[0].metadata["authors"] == ["Ana Lim"]


def test_a_page_in_chunks_is_a_document_per_chunk(page):
    chunks = SightreadReader(chunk_tokens=60).load_data([page])
    assert len(chunks) > 2 and chunks[0].text.startswith("# The green lighthouse")
    assert chunks[1].metadata["headings"] == ["The green lighthouse"] and chunks[1].metadata["start"] > chunks[0].metadata["end"] - 1
    with pytest.raises(Rejected, match="overlap is 60, more than half of a chunk"):
        SightreadReader(chunk_tokens=60, chunk_overlap=60)


async def test_documents_are_read_within_an_event_loop(page):
    (document,) = await SightreadReader().aload_data([page])
    assert Document.from_dict(document.to_dict()).text == document.text


def test_a_page_without_text_is_an_error_of_ours(tmp_path):
    (tmp_path / "empty.html").write_text("")
    with pytest.raises(Unusable, match="no text on the page"):
        SightreadReader().load_data([tmp_path / "empty.html"])
