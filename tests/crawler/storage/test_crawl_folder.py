import random
import shutil
from dataclasses import replace

import pytest

from sightread.crawler.crawl import CrawlOptions, crawl
from sightread.crawler.storage.crawl_folder import CrawlRecord
from sightread.crawler.storage.journal import Stored, read_journal
from sightread.render.errors import Rejected
from sightread.render.network.egress import LOCAL
from sightread.render.visit.picture import Picture
from tests.crawler.sites import blog, story, town
from tests.crawler.stub import render

OPTIONS = CrawlOptions(pages=12, backoff=0.001, egress=LOCAL)


@pytest.mark.parametrize("first", range(0, 20, 5))
async def test_files_cut_anywhere_are_brought_into_agreement(site_server, tmp_path, first):
    """Every state that a kill can leave is among these, and many that only a failing disk could."""
    site = await site_server(town())
    options = replace(OPTIONS, pages=25)  # more than there are: lists are promoted too
    whole = await crawl(site.url(), tmp_path / "whole", render, options)
    for seed in range(first, first + 5):
        chance, cut = random.Random(seed), tmp_path / str(seed)
        shutil.copytree(tmp_path / "whole", cut)
        for name in chance.sample(["pages.jsonl.gz", "crawl.jsonl", "aside/pages.jsonl.gz"], chance.randint(1, 3)):
            path = cut / name
            path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])
        again = await crawl(site.url(), cut, render, options)
        assert again.digest() == whole.digest(), seed
        assert [again.picture(row) for row in range(len(again))] == [Picture((page.url.encode(),)) for page in again]


async def test_a_page_without_its_entry_is_not_fetched_again(site_server, tmp_path):
    site = await site_server(blog(14))
    digest = (await crawl(site.url(), tmp_path, render, OPTIONS)).digest()
    path = tmp_path / "crawl.jsonl"
    journal = read_journal(path)
    assert isinstance(journal.entries[-1], Stored)
    path.write_bytes(path.read_bytes()[: journal.starts[-1]])
    site.requests.clear()
    corpus = await crawl(site.url(), tmp_path, render, replace(OPTIONS, pages=13))
    assert site.requests == [story(12)]
    assert len(corpus) == 13
    assert digest != corpus.digest()


def test_two_crawls_of_one_folder_exclude_each_other(tmp_path):
    with (
        CrawlRecord(tmp_path, "https://example.com/"),
        pytest.raises(Rejected, match="another process"),
        CrawlRecord(tmp_path, "https://example.com/"),
    ):
        pass
