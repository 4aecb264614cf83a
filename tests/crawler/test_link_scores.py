from collections.abc import Sequence

import pytest

from sightread.crawler.link_scores import article_score, is_asset, is_listing
from sightread.render.static.parse import read_html

HOST = "https://example.com"


@pytest.mark.parametrize(
    ("article", "other"),
    [
        ("/2024/05/12/council-votes-on-new-bridge", "/politics"),
        ("/news/council-votes-on-new-bridge-482913.html", "/tag/council-votes-on-new-bridge"),
        ("/a/20240512A05KLM00", "/author/jane-doe"),
        ("/story.php?id=48123", "/story.php?page=2"),
        ("/world/%E6%96%B0%E5%A4%A7%E6%A1%A5%E8%8E%B7%E5%BE%97%E6%89%B9%E5%87%86%E5%BC%80%E5%B7%A5", "/world"),
        ("/blog/why-bridges-fail", "/blog/page/2"),
        ("/why-bridges-fail", "/"),
        ("/why-bridges-fail", "/login"),
    ],
)
def test_an_article_scores_above_what_is_none(article, other):
    assert article_score(HOST + article) > article_score(HOST + other)


@pytest.mark.parametrize("headline", ["Council votes on the new bridge after a long night", "市议会经过漫长的夜晚后就新大桥进行表决"])
def test_a_headline_as_link_text_speaks_for_a_link_and_a_button_against_it(headline):
    url = f"{HOST}/x/bridge"
    assert article_score(url, headline) > article_score(url) > article_score(url, "More")


def test_files_are_no_pages():
    assert is_asset(f"{HOST}/report.PDF?download=1")
    assert is_asset(f"{HOST}/feed.xml")
    assert not is_asset(f"{HOST}/report.html")
    assert not is_asset(f"{HOST}/version-2.0")


def _page(path: str, teasers: int, paragraphs: Sequence[str]):
    links = "".join(f'<li><a href="/story/{i}">What happened on day {i} of the fair</a></li>' for i in range(teasers))
    return read_html(f"<ul>{links}</ul>" + "".join(f"<p>{text}</p>" for text in paragraphs), HOST + path)


PARAGRAPH = "The council voted for the bridge after a debate of nine hours, and the works are to begin before the summer is over. "


def test_a_page_of_teasers_is_a_list():
    assert is_listing(_page("/fair", 40, ["All the stories"]))


@pytest.mark.parametrize(
    "paragraphs",
    [[PARAGRAPH] * 8, ["市议会经过九个小时的辩论后投票赞成修建大桥，工程将在夏季结束之前开始，市长对结果表示满意并感谢所有参与者。"] * 8],
)
def test_an_article_beside_many_teasers_is_none(paragraphs):
    assert not is_listing(_page("/story/1", 40, paragraphs))


def test_a_short_page_with_few_links_is_no_list():
    assert not is_listing(_page("/story/1", 10, ["A short note."]))


def test_a_front_page_with_links_is_a_list_even_if_it_has_text():
    assert is_listing(_page("/", 5, [PARAGRAPH] * 8))
    assert not is_listing(_page("/", 2, [PARAGRAPH] * 8))
