import pytest

from sightread.crawler.frontier import LIMITS, Frontier, Step
from sightread.crawler.journal import Begun, Candidate, Failed, Promoted, RobotsRead, SetAside, SitemapRead, Stored
from sightread.render.static.parse import read_html
from tests.crawler.sites import article, story

HOST = "https://example.com"
HOME = f"{HOST}/"


def _begun(pages=5, width=2, robots="", links=(), sitemap=()):
    """A frontier past its front page."""
    frontier = Frontier(HOME)
    for entry in (
        Begun(pages, width),
        RobotsRead(HOME, 200, robots),
        SetAside(HOME, HOME, "front", tuple(links)),
        SitemapRead(1, tuple(sitemap)),
    ):
        frontier.apply(entry)
    return frontier


def _stored(url, links=()):
    return Stored(url, url, f"text of {url}", tuple(links))


STORIES = [HOST + story(number) for number in range(60)]


def test_first_robots_then_the_start_page_alone_then_the_sitemaps():
    frontier = Frontier(HOME)
    frontier.apply(Begun(5, 2))
    assert frontier.step() == Step("robots", HOME)
    frontier.apply(RobotsRead(HOME, 404, ""))
    assert frontier.step() == Step("visit", HOME)
    frontier.apply(_stored(HOME, [Candidate(STORIES[0])]))
    assert frontier.step() == Step("sitemaps", HOME)
    frontier.apply(SitemapRead(0, ()))
    assert frontier.step() == Step("visit", STORIES[0])


def test_the_largest_section_comes_first_and_lists_last():
    links = [Candidate(f"{HOST}/politics"), Candidate(f"{HOST}/tag/fair"), Candidate(STORIES[1])]
    frontier = _begun(width=4, links=links, sitemap=[STORIES[0]])
    assert list(frontier.pending) == [STORIES[1], STORIES[0], f"{HOST}/politics", links[1].url]


def test_every_section_with_a_twentieth_of_the_pages_is_in_a_sample_of_25():
    shares = {"library": 60, "c-api": 14, "whatsnew": 10, "howto": 6, "tutorial": 5, "faq": 5}
    frontier = _begun(
        pages=25, sitemap=[f"{HOST}/{name}/topic-{chr(97 + n % 26)}{n}.html" for name, count in shares.items() for n in range(count)]
    )
    taken = []
    while frontier.pending:
        taken.append(frontier.pending[0].split("/")[3])
        frontier.apply(_stored(frontier.pending[0]))
    assert {name: abs(taken.count(name) - count / 4) < 2 and name in taken for name, count in shares.items()} == dict.fromkeys(shares, True)


def test_an_index_is_visited_for_its_links_and_is_no_page_of_the_sample_while_articles_are_left():
    frontier = _begun(pages=2, width=1, links=[Candidate(f"{HOST}/howto/")])
    index = frontier.pending[0]
    page = read_html(article("How to", "".join(f"<a href='/howto/do-thing-{name}.html'>Thing {name}</a>" for name in "abc")), index)
    entry = frontier.assess(index, page)
    assert isinstance(entry, SetAside) and len(entry.links) == 3 and entry.look
    frontier.apply(entry)
    for name in "ab":
        assert frontier.step() == Step("visit", f"{HOST}/howto/do-thing-{name}.html")
        frontier.apply(_stored(frontier.pending[0]))
    assert frontier.step() is None
    frontier.apply(Begun(9, 1))
    frontier.apply(_stored(frontier.pending[0]))
    assert frontier.step() == Step("promote", index)
    frontier.apply(Promoted(index))
    assert frontier.step() == Step("promote", HOME)


def test_known_articles_come_after_new_ones_and_before_what_is_no_article():
    frontier = Frontier(HOME, known=frozenset([f"{STORIES[0]}?utm_source=feed", STORIES[1], f"{HOST}/politics"]))
    sitemap = [STORIES[0], f"{HOST}/politics", STORIES[1], STORIES[2], f"{HOST}/tag/fair"]
    for entry in (Begun(8, 8), RobotsRead(HOME, 200, ""), SetAside(HOME, HOME, "front"), SitemapRead(1, tuple(sitemap))):
        frontier.apply(entry)
    assert list(frontier.pending) == [STORIES[2], STORIES[0], STORIES[1], f"{HOST}/politics", f"{HOST}/tag/fair"]


def test_no_more_is_visited_than_could_still_be_stored():
    frontier = _begun(pages=3, width=8, sitemap=STORIES)
    assert len(frontier.pending) == 3
    frontier.apply(_stored(frontier.pending[0]))
    assert len(frontier.pending) == 2
    frontier.apply(Failed(frontier.pending[0], "HTTP status 404"))
    assert len(frontier.pending) == 2


def test_what_robots_forbids_is_never_chosen():
    frontier = _begun(robots="User-agent: *\nDisallow: /2024", sitemap=[*STORIES, f"{HOST}/open-letter-to-the-mayor"])
    assert list(frontier.pending) == [f"{HOST}/open-letter-to-the-mayor"]
    closed = _begun(pages=2, robots="User-agent: *\nDisallow: /", sitemap=[f"{HOST}/story-of-the-{number}" for number in range(500)])
    assert len(closed.forbidden) == LIMITS.forbidden_per_visit * LIMITS.visits(2)


def test_an_entry_that_does_not_follow_is_refused():
    with pytest.raises(ValueError, match="not the next visit"):
        _begun(sitemap=STORIES).apply(_stored(STORIES[7]))
    with pytest.raises(ValueError, match="not the next page to promote"):
        _begun(sitemap=STORIES).apply(Promoted(HOME))


def _judge(html, final=STORIES[0], links=(), robots=""):
    frontier = _begun(robots=robots, sitemap=STORIES[:3])
    frontier.apply(Stored(STORIES[0], f"{HOST}/moved", "digest"))
    page = read_html(html, final)
    return frontier.assess(frontier.pending[0], page)


def test_links_are_followed_within_the_site_each_once_with_the_text_that_says_most():
    links = "".join(
        f"<a {attributes}>{text}</a>"
        for attributes, text in [
            ('href="/fair"', "More"),
            ('href="/fair?utm_source=front"', "What happened on the last day of the fair"),
            ('href="https://elsewhere.example/a"', "elsewhere"),
            ('href="/paid" rel="sponsored nofollow"', "paid"),
            ('href="/fair.jpg"', "picture"),
            (f'href="{STORIES[0]}"', "visited"),
            ('href="mailto:a@example.com"', "mail"),
        ]
    )
    visit = _judge(article("news", links), STORIES[1])
    assert isinstance(visit, Stored)
    assert visit.links == (Candidate(f"{HOST}/fair", "What happened on the last day of the fair"),)


def test_a_page_that_leads_elsewhere_or_round_robots_is_a_failure():
    elsewhere = "https://elsewhere.example/"
    assert _judge(article("news"), elsewhere) == Failed(STORIES[1], f"leads to another site: {elsewhere}")
    visit = _judge(article("news"), f"{HOST}/private/a", robots="User-agent: *\nDisallow: /private")
    assert visit == Failed(STORIES[1], f"leads to a page that robots.txt forbids: {HOST}/private/a")


def test_a_site_of_nothing_but_failures_ends():
    frontier = _begun(pages=2, sitemap=STORIES)
    visits = 1
    while frontier.pending:
        frontier.apply(Failed(frontier.pending[0], "HTTP status 500"))
        visits += 1
    assert visits == LIMITS.visits(2)
