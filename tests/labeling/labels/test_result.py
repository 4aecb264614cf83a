"""The clusters as a person is told of them."""

from dataclasses import replace

import pytest

from sightread.labeling.label_site import label_site
from sightread.labeling.labels.labels import Cluster
from tests.labeling.sites import BODY, QUOTE, SHARE, Look, articles, lines_of, page_with, with_middle

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


def test_each_cluster_stands_at_its_number(clusters: tuple[Cluster, ...]):
    assert [cluster.id for cluster in clusters] == list(range(len(clusters)))


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


def test_shares_of_links_and_text_are_between_nothing_and_all(clusters: tuple[Cluster, ...]):
    assert [cluster.link_share for cluster in clusters if cluster.tag_path == "body/header/ul/li"] == [1.0]
    assert sum(cluster.text_share for cluster in clusters) == pytest.approx(1)
    assert max(clusters, key=lambda cluster: cluster.text_share).role == "body"


def test_samples_are_the_longest_texts_of_different_pages(clusters: tuple[Cluster, ...]):
    longest = sorted((max(article.paragraphs, key=len) for article in articles(6)), key=len, reverse=True)[:3]
    assert cluster_of(clusters, BODY).samples == tuple(longest)
    assert cluster_of(clusters, SHARE).samples == ("Share",)
