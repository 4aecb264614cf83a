"""Built sites: read from their archives, rendered once, learned and scored; and the generated magazine."""

import os
import random
from pathlib import Path

import aiohttp
import pytest

from benchmarks.experiments.extraction import site_structure
from benchmarks.experiments.learning.site_scores import Options, run
from benchmarks.experiments.learning.student import WAYS, read_site
from benchmarks.sites.built_sites import NAME, PARTS, SiteStore
from benchmarks.sites.captures import capture_sites
from benchmarks.sites.local_site import SECTIONS, LocalSite
from sightread.render.errors import BadRecord
from tests.benchmarks.small_data import write_site

DATA = Path(os.environ.get("SIGHTREAD_DATA") or "no-data-sets")
with_data = pytest.mark.skipif(not (DATA / NAME).is_dir(), reason="no built sites: SIGHTREAD_DATA names the folder of the data sets")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SiteStore:
    """The store of one site of 15 pages; nothing can be written to its archives."""
    data = tmp_path_factory.mktemp("data")
    store = write_site(data, "drawn-news", "drawn", "choose")
    store.archives.chmod(0o555)
    return store


def test_a_built_site_is_rendered_once_learned_and_scored(store, capsys):
    assert run(store, ["choose"], options=Options(shuffle=1)) == 0
    printed = capsys.readouterr().out
    assert "15 of 15 pages rendered" in printed
    assert "choose, mean of 1 sites: labels" in printed
    row = next(line.split() for line in printed.splitlines() if line.startswith("drawn-news ") and "choose" in line)
    labels, site, auto, overall = (float(value) for value in row[3:7])
    assert min(labels, site, auto) > 0.97
    assert auto >= overall - 0.005
    captured = capture_sites(store, store.sites())[0]
    assert "rendered" not in capsys.readouterr().out
    assert captured.gold == store.read("drawn-news").pages
    row = random.Random(1).randrange(15)
    assert captured.gold[row].title.encode() in captured.source(row)
    assert [path.name for path in store.archives.iterdir()] == ["drawn-news.tar.gz"]


def test_a_built_site_is_read_without_a_browser_by_its_student(store):
    row = read_site(capture_sites(store, store.sites())[0])
    assert row is not None
    assert (row.pages, row.left, row.is_scripted) == (15, 0, False)
    assert min(row.f1[way] for way in WAYS) > 0.97
    assert row.f1["auto"] == row.f1["student"]
    assert row.evaluation.f1 > 0.99


def test_an_archive_with_another_content_is_unpacked_anew(tmp_path):
    store = write_site(tmp_path, "one", "drawn", "choose", 3)
    first = store.folder("one")
    assert store.folder("one") == first
    assert len(list(first.glob("html/*.html"))) == 3
    other = write_site(tmp_path, "one", "drawn", "choose", 4).folder("one")
    assert len(list(other.glob("html/*.html"))) == 4
    assert {page.path: html for page, html in store.sources(store.read("one"))}["2.html"] == (other / "html/2.html").read_bytes()
    (store.archives / "one.tar.gz").write_bytes((store.archives / "one.tar.gz").read_bytes()[:200])
    with pytest.raises(BadRecord, match="get the data set again"):
        store.folder("one")


def test_structure_comes_out_of_a_built_site_as_it_was_put_in(store, tmp_path, capsys):
    assert site_structure.run(store, [], [], 6, tmp_path) == 0
    printed = capsys.readouterr()
    rows = {cells[1].strip(): cells[2:] for line in printed.out.splitlines() if len(cells := line.split("|")) > 5}
    assert int(rows["list items"][0]) == 6
    assert float(rows["list items"][1].split()[0]) > 0.9
    assert (tmp_path / "site-structure.csv").read_text().count("\n") == 1 + 6 * 4


@with_data
def test_generators_divide_the_parts_of_the_data_set():
    sites = SiteStore.open(DATA).sites()
    of_part = {part: {site.generator for site in sites if site.part == part} for part in PARTS}
    assert all(of_part.values())
    assert sum(map(len, of_part.values())) == len({site.generator for site in sites})
    assert all(page.gold.strip() for site in sites for page in site.pages)


def test_the_same_seed_gives_the_same_pages():
    assert [LocalSite(8).html(row) for row in range(8)] == [LocalSite(8).html(row) for row in range(8)]
    assert LocalSite(8, seed=1).paths != LocalSite(8).paths
    assert {path.split("/")[1] for path in LocalSite(8).paths} == set(SECTIONS)


async def test_a_server_has_all_that_the_pages_load():
    site = LocalSite(4, is_mixed=True)
    async with site.serve() as root, aiohttp.ClientSession() as client:
        for path in ("/", "/sitemap.xml", "/style.css", "/site.js", "/data/2.json", "/images/3.svg", *site.paths):
            async with client.get(root + path) as answer:
                assert answer.status == 200
                assert await answer.read()
        async with client.get(root + "/robots.txt") as answer:
            assert answer.status == 404
