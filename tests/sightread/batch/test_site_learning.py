"""Sites of a batch: which have enough pages, and what becomes of those that cannot be learned."""

from contextlib import aclosing

from sightread.batch.job.plan import InputOptions, JobOptions, make_plan
from sightread.batch.job.storage import FolderStorage
from sightread.batch.site_learning import count_sites, learn_sites
from sightread.crawler.corpus import Corpus
from sightread.reading.reader import Reader
from sightread.render.static.parse import read_html
from sightread.sites.folders import SiteHome


async def test_sites_with_enough_pages_are_learned_and_the_others_left(tmp_path):
    with Corpus.create(tmp_path / "in", "https://a.example/") as corpus:
        for host, pages in (("a.example", 6), ("www.b.example", 5), ("b.example", 4), ("c.example", 2)):
            for number in range(pages):
                corpus.append(read_html(f"<title>{number}</title><p>Page {number} of {host}", f"https://{host}/{number}"))
    storage = FolderStorage(tmp_path / "out")
    plan = make_plan(JobOptions(InputOptions(str(tmp_path / "in"), partition_rows=7)), storage)
    assert count_sites(plan, storage) == {"a.example": 6, "b.example": 9, "c.example": 2}
    found = []
    for shard in ((0, 2), (1, 2)):
        async with aclosing(learn_sites(plan, storage, 5, Reader(), tmp_path / "home", shard)) as results:
            found += [result async for result in results]
    assert sorted((each.site, each.pages, each.learned_from) for each in found) == [("a.example", 6, 0), ("b.example", 9, 0)]
    assert all(each.outcome.startswith("not learned: ") for each in found)
    assert not SiteHome.of("https://a.example/", tmp_path / "home").path.exists()
