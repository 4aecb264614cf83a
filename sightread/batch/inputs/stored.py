"""Pages of a corpus that `sightread crawl` wrote: already rendered, with boxes and styles."""

from __future__ import annotations

from collections.abc import Iterator

from sightread.batch.inputs.record import InputRecord, Partition
from sightread.crawler.corpus import Corpus
from sightread.render.errors import BadRecord
from sightread.render.page import encode_page


def read_corpus(partition: Partition, start: int) -> Iterator[InputRecord]:
    """Yield the pages of a partition by number."""
    corpus = Corpus.open(partition.file)
    for number in range(start, min(len(corpus), partition.end)):
        try:
            page = corpus.page(number)
        except BadRecord as error:
            yield InputRecord(number, failed=str(error))
        else:
            yield InputRecord(number, page.final_url or page.url, page=encode_page(page))
