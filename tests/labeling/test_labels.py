"""Labels on disk: what was written is read again, for the same pages only, and damage is reported; and the labelers by name."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sightread.labeling.label_site import label_site
from sightread.labeling.labels import Cluster, SiteLabels, load_labels, save_labels
from sightread.labeling.registry import LABELERS, find_labeler
from sightread.render.errors import BadRecord, Rejected
from sightread.render.labels import CONTENT, UNKNOWN
from sightread.render.page import Page
from tests.labeling.sites import BODY, QUOTE, SHARE, Look, articles, insert, kept, lines_of, make_page, news_site, page_with, with_middle

DIGEST = "digest of the pages"


@pytest.fixture(scope="module")
def labels() -> SiteLabels:
    return label_site([*news_site(3), make_page("https://x.test/empty", [])])


@pytest.fixture
def path(tmp_path: Path, labels: SiteLabels) -> Path:
    save_labels(tmp_path / "labels.json", labels, DIGEST)
    return tmp_path / "labels.json"


def test_labels_are_read_as_they_were_written(path: Path, labels: SiteLabels):
    read = load_labels(path, DIGEST)
    assert (read.clusters, read.page_confidence, read.confidence) == (labels.clusters, labels.page_confidence, labels.confidence)
    assert read.known == labels.known
    for found, written in ((read.labels, labels.labels), (read.assignments, labels.assignments)):
        assert [of_page.dtype for of_page in found] == [of_page.dtype for of_page in written]
        assert [of_page.tolist() for of_page in found] == [of_page.tolist() for of_page in written]


def test_labels_of_other_pages_are_none(path: Path):
    assert load_labels(path, "digest of other pages") is None


@pytest.mark.parametrize("damage", [b"", b"\x00\x01", b"not json", b"[]", b"{}", b'{"schema":2,"corpus":"\xff"}'])
def test_a_file_that_is_no_labels_file_is_a_bad_record(path: Path, damage: bytes):
    path.write_bytes(damage)
    with pytest.raises(BadRecord, match=r"labels\.json: not a labels file.*delete it and label the corpus again"):
        load_labels(path, DIGEST)


def test_a_file_cut_short_anywhere_is_a_bad_record(path: Path):
    whole = path.read_bytes().rstrip()
    for length in range(0, len(whole), len(whole) // 20):
        path.write_bytes(whole[:length])
        with pytest.raises(BadRecord):
            load_labels(path, DIGEST)


LOOK = ("known", "looks", 0)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("labels", 0, 0), 2),
        (("labels", 0, 0), 300),
        (("assignments", 0, 0), 2**40),
        (("confidence", "value"), None),
        ((*LOOK, "widths"), [[0, 100, 0], [100, 200, 1]]),  # they overlap
        ((*LOOK, "widths"), [[100, 50, 0]]),
        ((*LOOK, "widths", 0, 2), -2),
        (("known", "reach"), -1.0),
        ((*LOOK, "digest"), "0" * 33),
        (("known", "looks"), [{"digest": "0" * 32, "widths": []}] * 2),
    ],
)
def test_values_that_no_label_has_are_a_bad_record(path: Path, place: tuple[str | int, ...], value: object):
    stored = json.loads(path.read_bytes())
    *above, last = place
    holder = stored
    for key in above:
        holder = holder[key]
    holder[last] = value
    path.write_text(json.dumps(stored))
    with pytest.raises(BadRecord, match="delete it and label the corpus again"):
        load_labels(path, DIGEST)


def test_labels_of_an_older_schema_are_reported_by_their_version_and_not_by_what_they_lack(path: Path):
    stored = json.loads(path.read_bytes())
    del stored["known"]
    path.write_text(json.dumps(stored | {"schema": 1}))
    with pytest.raises(BadRecord, match="schema version 1, this sightread reads"):
        load_labels(path, DIGEST)


SERIF = replace(BODY, path="div/section/p", style={"font-family": "serif"}, width=560)
SERIF_HEADLINE = Look("div/header/h1", {"font-family": "serif"}, 900)


@pytest.fixture(scope="module")
def clusters() -> tuple[Cluster, ...]:
    """Of a site of six pages in one template and three in another; the first page was fetched twice."""
    pages = with_middle(lambda article: [QUOTE(article.spare[0]), QUOTE(article.spare[1]), SHARE("Share")], 6)
    pages += [page_with(article, lines_of(article, SERIF, SERIF_HEADLINE)) for article in articles(9)[6:]]
    return label_site([*pages, pages[0]]).clusters


def cluster_of(clusters: tuple[Cluster, ...], look: Look) -> Cluster:
    (found,) = [cluster for cluster in clusters if dict(cluster.style) == look.style and cluster.width == look.width]
    return found


def test_blocks_pages_and_characters_are_counted(clusters: tuple[Cluster, ...]):
    quote = cluster_of(clusters, QUOTE)
    assert (quote.blocks, quote.pages) == (14, 7)
    assert quote.characters == sum(len(text) for article in [*articles(6), articles(1)[0]] for text in article.spare[:2])
    assert quote.tag_path == "body/main/article/div/blockquote/p"


def test_roles_state_what_was_chosen_and_for_which_template(clusters: tuple[Cluster, ...]):
    assert {(cluster.tag_path, cluster.role, cluster.template) for cluster in clusters} == {
        ("body/header/ul/li", "", -1),
        ("body/main/article/h1", "part", 0),
        ("body/main/article/div/p", "body", 0),
        ("body/main/article/div/blockquote/p", "part", 0),
        ("body/main/article/div/span", "", -1),
        ("body/div/header/h1", "part", 1),
        ("body/div/section/p", "body", 1),
        ("body/footer/p", "", -1),
    }


@pytest.mark.parametrize("name", LABELERS)
def test_every_labeler_finds_the_paragraphs_of_a_plain_site(name: str):
    pages = news_site()
    found = find_labeler(name)(pages)
    for article, texts in zip(articles(8), kept(found, pages), strict=True):
        assert set(article.paragraphs) <= set(texts)
    assert [len(of_page) for of_page in found.labels] == [len(page.blocks) for page in pages]


def test_the_published_way_takes_one_cluster_and_nothing_else():
    pages = [page_with(article, insert(lines_of(article), article.paragraphs[0], QUOTE(article.spare[0]))) for article in articles(8)]
    found = find_labeler("published")(pages)
    assert list(kept(found, pages)) == [list(article.paragraphs) for article in articles(8)]
    assert [cluster.role for cluster in found.clusters if cluster.role] == ["body"]


def test_the_published_way_leaves_no_page_unknown():
    pages = [*news_site(), make_page("https://x.test/empty", [QUOTE("Nothing of the kind.")])]
    labels = find_labeler("published")(pages).labels
    assert not any((of_page == UNKNOWN).any() for of_page in labels)
    assert (labels[-1] != CONTENT).all()


def test_a_labeler_is_a_function_and_a_line_of_the_registry(monkeypatch: pytest.MonkeyPatch):
    def first_block(pages: Sequence[Page], *, predictions: Sequence[np.ndarray] | None = None) -> SiteLabels:
        found = label_site(pages, predictions=predictions)
        return replace(found, labels=tuple((np.arange(len(page.blocks)) == 0).astype(np.int8) for page in pages))

    monkeypatch.setattr("sightread.labeling.registry.LABELERS", {**LABELERS, "first-block": first_block})
    found = find_labeler("first-block")(news_site())
    assert {int(of_page.argmax()) for of_page in found.labels} == {0}
    with pytest.raises(Rejected, match="first-block"):
        find_labeler("frst-block")
