"""A site that changes its template: it is noticed, reported and repaired; and which version may take the place of another."""

import asyncio
import json
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import pytest

from sightread.cli.parser import main
from sightread.crawler.corpus import Corpus
from sightread.document.document import Document
from sightread.reading.reader import Reader
from sightread.render.network.egress import LOCAL
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.history import read_mark
from sightread.sites.learn import Site, learn_corpus
from sightread.sites.refresh import decide_refresh
from sightread.sites.store import LearnedSite
from tests.labeling.sites import Look, lines_of, page_with, write_article, write_corpus
from tests.pages.towns import headline, newspaper, path, sentences
from tests.pages.websites import Website, serving
from tests.processes.families import family, left, needs_proc
from tests.processes.terminal import Ran, start

PAGES = 8
FIRST, LATER = range(PAGES), range(100, 100 + PAGES)
OPTIONS = ("--no-pictures", "--json")


class Paper(NamedTuple):
    """A learned site, served as it was when it was learned, in a home of the test's own."""

    site: Website
    home: Path

    @property
    def versions(self) -> SiteHome:
        return SiteHome.of(self.site.url(), self.home)

    @property
    def in_use(self) -> str:
        current = self.versions.current
        assert current is not None
        return current.path.name

    def publish(self, *editions: dict) -> None:
        """Replace what the site serves."""
        self.site.pages.clear()
        for edition in editions:
            self.site.pages.update(edition)


@pytest.fixture
def refresh(paper, sightread) -> Callable[[], Ran]:
    """Refresh the site here and now."""
    return lambda: sightread("learn", paper.site.url(), "--refresh", *OPTIONS, "--home", paper.home)


@pytest.fixture(scope="module")
def learned(kept_browsers, tmp_path_factory) -> Iterator[Paper]:
    """The site, learned once; only to be copied."""
    home = tmp_path_factory.mktemp("learned")
    with serving(newspaper(FIRST, "old")) as site:
        command = ["learn", site.url(), "--local", "--pages", str(PAGES), *OPTIONS, "--home", str(home)]
        assert kept_browsers.run_main(main, command) == 0
        yield Paper(site, home)


@pytest.fixture
def paper(learned, tmp_path) -> Iterator[Paper]:
    shutil.copytree(learned.home, tmp_path / "home", symlinks=True)
    yield Paper(learned.site, tmp_path / "home")
    learned.site.pages.clear()
    learned.site.pages.update(newspaper(FIRST, "old"))


BYLINES = ("By our own reporter", "Our reporter")
"""Text of an article or not: the labeler may decide either way."""


def text_of(number: int) -> list[str]:
    return [headline(number), *sentences(number)]


@pytest.fixture
def extract(paper) -> Iterator[Callable[..., Document]]:
    """Extract an article, by its number, with a reader that stays open."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        reader = Reader(home=paper.home, egress=LOCAL)
        runner.run(reader.__aenter__())
        yield lambda number, **options: runner.run(reader.extract(paper.site.url(path(number)), **options))
        runner.run(reader.__aexit__(None, None, None))


def test_a_redesign_is_reported_repaired_by_a_refresh_and_read_on_without_a_restart(paper, extract, refresh):
    paper.publish(newspaper(FIRST, "old"), newspaper(LATER, "old"))
    document = extract(100)
    assert (document.model, document.version, document.note) == ("site", "0001", "")
    assert [block.text for block in document.blocks if block.text not in BYLINES] == text_of(100)

    paper.publish(newspaper(FIRST, "new"), newspaper(LATER, "new"))
    documents = [extract(number) for number in LATER]
    assert {(document.model, document.version) for document in documents} == {("global", "")}
    advice = f"run: sightread learn {paper.site.url()} --refresh"
    assert documents[0].note.startswith("global read the page: the page is unlike those that version 0001 of the site was learned from (")
    assert documents[0].note.endswith(f"; if others are too, {advice}")
    assert documents[-1].note.endswith(f"; so were 8 of the last 8 pages, so the site has changed; {advice}")
    assert json.loads(documents[-1].to_json())["note"] == documents[-1].note
    by_name = extract(100, model="site")
    assert (by_name.model, by_name.version) == ("site", "0001")
    assert by_name.note.startswith("the page is unlike those that version 0001 of the site was learned from (")

    ran = refresh()
    assert (ran.code, ran.err) == (0, "")
    told_of = ran.json()
    assert (told_of["changed"], told_of["strange_pages"], told_of["version_in_use"]) == (True, PAGES, "0002")

    document = extract(101)
    assert (document.model, document.version, document.note) == ("site", "0002", "")
    assert [block.text for block in document.blocks if block.text not in BYLINES] == text_of(101)
    assert paper.in_use == "0002"
    assert [version.path.name for version in paper.versions.versions] == ["0001", "0002"]


def test_a_refresh_takes_new_pages_first_and_replaces_a_version_that_is_as_good(paper, refresh):
    paper.publish(newspaper([*FIRST, *LATER], "old"))
    before = len(paper.site.requests)
    ran = refresh()
    assert (ran.code, ran.err) == (0, "")
    assert (ran.json()["changed"], ran.json()["version_in_use"], paper.in_use) == (False, "0002", "0002")
    assert (ran.json()["strange_pages"], ran.json()["strange_means"]) == (0, "")
    visited = {url for url in paper.site.requests[before:] if url.startswith("/story/")}
    assert visited == {path(number) for number in LATER}


def test_a_refresh_from_which_nothing_as_good_comes_leaves_the_old_version_in_use_and_states_why(paper, refresh):
    paper.publish()
    assert (refresh().code, paper.in_use) == (3, "0001")  # the site cannot be reached
    paper.publish(newspaper(LATER[:2], "new"))
    ran = refresh()
    assert (ran.code, ran.json()["version_in_use"], paper.in_use) == (5, "0001", "0001")
    assert ran.messages[0].startswith("version 0001 stays in use: of ")
    assert "it was learned from 2 pages, the minimum is 5; look at" in ran.messages[0]
    rejected = paper.versions.versions[-1]
    mark = read_mark(rejected)
    assert mark is not None and mark.rejected in ran.messages[0] and rejected.report.is_file()
    paper.publish({"/": "<title>Moved</title><p><a href='https://elsewhere.invalid/'>We have moved to another address, follow us</a></p>"})
    ran = refresh()
    assert (ran.code, ran.out) == (5, "")
    assert ran.messages[0].startswith("version 0001 stays in use, because no version could be learned from the new pages: ")
    mark = read_mark(paper.versions.versions[-1])
    assert mark is not None and mark.rejected != ""


@needs_proc
def test_a_killed_refresh_leaves_the_old_version_and_goes_on_when_run_again(paper, refresh):
    paper.publish(newspaper(LATER, "new"))
    before = len(paper.site.requests)
    job = start("learn", paper.site.url(), "--refresh", "--no-pictures", "--json", home=paper.home)
    while sum(url.startswith("/story/") for url in paper.site.requests[before:]) < 5:
        time.sleep(0.002)
    pids = family(job.pid)
    job.send_signal(signal.SIGKILL)
    job.communicate()
    assert (left(pids), paper.in_use) == ({}, "0001")
    stored = {page.final_url for page in Corpus.open(paper.versions.numbered(2).path)}
    assert 0 < len(stored) < PAGES
    visited = len(paper.site.requests)
    assert (refresh().code, paper.in_use) == (0, "0002")
    assert not stored & {paper.site.url(url) for url in paper.site.requests[visited:]}


OTHER, HEAD = Look("div/section/div.text", {"font-family": "serif"}, 610), Look("div/section/h2", {"color": "red"}, 610)


def pages(first, **looks):
    return [page_with(write_article(number), lines_of(write_article(number), **looks)) for number in range(first, first + 10)]


def learn(folder, found):
    return Site.open(write_corpus(folder, found)), learn_corpus(folder)


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    folder = tmp_path_factory.mktemp("old")
    learn(folder, pages(0))
    return LearnedSite.load(SiteFolder(folder))


@pytest.fixture(scope="module")
def same(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("same"), pages(20))


@pytest.fixture(scope="module")
def redesigned(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("redesigned"), pages(20, body=OTHER, headline=HEAD))


def with_evaluation(learned, **changes):
    return replace(learned, site_evaluation=msgspec.structs.replace(learned.site_evaluation, **{"global_f1": None} | changes))


def test_after_a_redesign_a_trusted_version_may_take_the_place_though_it_is_less_sure(old, redesigned):
    site, learned = redesigned
    decision = decide_refresh(old, site, with_evaluation(learned, supported=0.96, f1=0.985))
    assert (decision.strange, decision.drifted, decision.reason) == (10, True, "")


def test_no_version_that_is_not_trusted_may_take_the_place_not_even_after_a_redesign(old, redesigned):
    site, learned = redesigned
    decision = decide_refresh(old, site, with_evaluation(learned, supported=0.6))
    assert decision.drifted
    assert decision.reason.startswith("neither the global model nor titles and descriptions support 40.0% of what it keeps (maximum 30%)")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"supported": 0.955}, "its evidence supports 95.5% of what it keeps, that of the old one 100.0%"),
        ({"f1": 0.981}, "F1 on unseen pages is 0.98, that of the old one"),
        ({"supported": None, "confidence": 0.76}, "the confidence of its labels is 0.76"),
        ({"supported": None, "f1": 0.91}, "F1 on unseen pages is 0.91"),
    ],
)
def test_a_version_that_is_worse_may_not_take_the_place_of_one_that_still_reads_the_site(old, same, changes, message):
    site, learned = same
    many = replace(old, site_evaluation=msgspec.structs.replace(old.site_evaluation, pages=250))
    assert message in decide_refresh(many, site, with_evaluation(learned, **{"pages": 250} | changes)).reason
    doubtful = replace(old, site_evaluation=msgspec.structs.replace(old.site_evaluation, f1=0.5))
    assert decide_refresh(doubtful, site, with_evaluation(learned, **changes)).reason == ""


def test_the_figures_of_a_version_whose_sample_lacks_a_kind_of_page_are_no_measure(old, same):
    site, learned = same
    found = [
        page_with(write_article(number), [*lines_of(write_article(number)), *[OTHER("A line of a reference.")] * 99]) for number in range(9)
    ]
    many = replace(old, site_evaluation=msgspec.structs.replace(old.site_evaluation, pages=250))
    wide = replace(site, pages=tuple(found))
    decision = decide_refresh(many, wide, with_evaluation(learned, pages=250, f1=0.981))
    assert (decision.strange, decision.lacking, decision.drifted, decision.reason) == (9, 9, False, "")


def test_a_version_that_keeps_other_text_of_pages_that_look_as_before_may_not_take_the_place(old, same):
    site, learned = same
    footers = [np.array([len(page.blocks) - 1 == row for row in range(len(page.blocks))], np.int8) for page in site.pages]
    wrong = replace(learned, labels=replace(learned.labels, labels=tuple(footers)))
    reason = decide_refresh(old, site, wrong).reason
    assert reason == "on 10 pages with unchanged layout it keeps other text than the old one (F1 0.00, below 0.9)"
