"""Posts of threads, comments and reviews: who wrote what, and when."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.document.document import Document, build_document
from sightread.document.selection import Policy
from sightread.render.page.parts import author_of, time_of
from sightread.render.static.parse import read_html

TEXT = "The kettle hums before the rain begins, and nobody in the harbour ever asked why."


def document(body: str) -> Document:
    page = read_html(f"<html><body>{body}</body></html>", "https://forum.example/t/1")
    return build_document(page, np.ones(len(page.blocks)))


def post(name: str, when: str, text: str, inner: str = "") -> str:
    return (
        f'<div class="message"><div class="meta"><a href="/members/{name}.7/">{name}</a> <time datetime="{when}">May</time></div>'
        f"<p>{text}</p><button>Reply</button>{inner}</div>"
    )


def test_posts_have_author_time_and_text() -> None:
    found = document(post("ana", "2024-05-01T10:00Z", TEXT) + post("bo", "2024-05-02T10:00Z", f"No. {TEXT}")).posts
    assert [(each.author, each.time) for each in found] == [("ana", "2024-05-01T10:00Z"), ("bo", "2024-05-02T10:00Z")]
    assert found[0].text.startswith("The kettle hums")
    assert found[1].text.startswith("No. The kettle")
    assert all(each.is_kept for each in found)


def test_a_comment_within_a_comment_is_one_of_its_own() -> None:
    found = document(post("ana", "2024-05-01", TEXT, post("bo", "2024-05-02", f"Reply: {TEXT}")) + post("cy", "2024-05-03", TEXT)).posts
    assert [each.author for each in found] == ["ana", "bo", "cy"]
    assert "Reply:" not in found[0].text
    assert found[1].text.startswith("Reply: ")


def test_cards_that_lead_to_articles_are_no_posts() -> None:
    byline = '<a href="/author/ana">Ana</a> <time datetime="2024-05-0{0}">May</time>'
    card = f'<div class="post"><h3><a href="/a/{{0}}">Title {{0}}</a></h3>{byline}<p>{{1}}</p></div>'
    assert document("".join(card.format(number, TEXT) for number in range(1, 6))).posts == ()


COMMENTS = {
    "a heading": f"<div id=comments><h2>2 comments</h2>{post('ana', '2024-05-01', TEXT)}{post('bo', '2024-05-02', TEXT)}</div>",
    "a lone comment": f"<ol class=comment-list><li>{post('ana', '2024-05-01', TEXT)}</li></ol>",
    "replies without a name": post("ana", "2024-05-01", TEXT, post("bo", "2024-05-02", TEXT)) + post("cy", "2024-05-03", TEXT),
    "an empty form": "<section class=comments><h3>Leave a reply</h3><p>Be the first to comment.</section>",
}


@pytest.mark.parametrize("comments", COMMENTS.values(), ids=COMMENTS)
def test_comments_are_the_same_for_the_site_and_for_a_document(comments: str) -> None:
    page = read_html(f"<article><h1>Rain</h1><p>{TEXT.upper() * 3}</article>{comments}", "https://post.example/news/rain")
    ones = np.ones(len(page.blocks))
    left_out_of_site = build_document(page, ones, policy=Policy(drop=frozenset({"comments"})))
    without = build_document(page, ones).without("comments")
    assert without.text == left_out_of_site.text == f"Rain\n\n{(TEXT.upper() * 3)}"
    assert without.selection.reasons == left_out_of_site.selection.reasons
    alone = read_html(comments, "https://post.example/news/rain")
    assert build_document(alone, np.ones(len(alone.blocks))).without("comments").text


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Posted 3 days ago", "3 days ago"),
        ("May 5, 2024 at 10:30 PM", "May 5, 2024 at 10:30 PM"),
        ("5 May 2024", "5 May 2024"),
        ("2024-05-01 10:30", "2024-05-01 10:30"),
        ("Yesterday at 10:30", "Yesterday at 10:30"),
        ("We met today and talked", ""),
        ("No time at all", ""),
        ("In a long text, one that nobody would take for a byline, a date such as May 5, 2024 is what the text talks of. " * 2, ""),
    ],
)
def test_times_are_read_as_they_are_shown(text: str, time: str) -> None:
    page = read_html(f"<p>{text}</p>")
    assert time_of(page, page.blocks[0]) == time


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ('<p><a href="/u/ana">ana</a> wrote', "ana"),
        ('<p><a href="/people/ana-lim">Ana Lim</a>', "Ana Lim"),
        ('<p><a href="/user/login">Log in</a>', ""),
        ('<p><a href="https://other.example/@video">Video</a>', ""),
        ('<p class="comment-author">By Ana Lim', "Ana Lim"),
        ("<p itemprop=author>Ana Lim", "Ana Lim"),
        ("<p>Ana Lim · 03/03/2024 19:44", "Ana Lim"),
        ("<p>Ana Lim", ""),
    ],
)
def test_authors_are_links_to_members_and_names_in_marked_places(html: str, author: str) -> None:
    page = read_html(html, "https://forum.example/t/1")
    assert author_of(page, page.blocks[0]) == author


@settings(max_examples=50, deadline=None)
@given(st.text("<>divlapm class='post-1'=/ \n", max_size=300))
def test_any_page_has_posts_or_none(html: str) -> None:
    page = read_html(html)
    assert isinstance(build_document(page, np.ones(len(page.blocks))).posts, tuple)


# Posts that a page declares in JSON-LD.


QUESTION_TEXT = "Why does the kettle hum before the rain begins?"
SAID = "The kettle hums because the air in the harbour grows heavy."
ADDED = "Nobody in the harbour ever asked, as far as I remember it."


def declaring_document(reported: Any, body: str = "<p>Something else.", kept: str = "") -> Document:
    script = f'<script type="application/ld+json">{json.dumps(reported)}</script>'
    page = read_html(f"<html><head>{script}</head><body>{body}</body></html>", "https://forum.example/t/1")
    return build_document(page, np.array([float(kept in block.text) for block in page.blocks]))


def person(name: str) -> dict[str, str]:
    return {"@type": "Person", "name": name}


THREAD = {
    "@type": "DiscussionForumPosting",
    "author": person("ana"),
    "datePublished": "2024-05-01T10:00Z",
    "headline": "Kettles",
    "text": QUESTION_TEXT,
    "comment": [
        {"@type": "Comment", "author": person("bo"), "dateCreated": "2024-05-02", "text": f"<p>{SAID}</p><p>And so on &amp; on.</p>"},
        {"@type": "Comment", "author": person("cy"), "text": ADDED},
    ],
}
QUESTION = {
    "@type": "QAPage",
    "mainEntity": {
        "@type": "Question",
        "text": QUESTION_TEXT,
        "author": person("ana"),
        "suggestedAnswer": [{"@type": "Answer", "text": ADDED, "author": person("cy")}],
        "acceptedAnswer": {
            "@type": "Answer",
            "text": SAID,
            "author": person("bo"),
            "comment": {"@type": "Comment", "text": "Thanks!", "author": person("ana")},
        },
    },
}


def test_a_thread_told_to_machines_is_its_posts_where_the_page_shows_none() -> None:
    posts = declaring_document(THREAD).posts
    assert [(each.author, each.time) for each in posts] == [("ana", "2024-05-01T10:00Z"), ("bo", "2024-05-02"), ("cy", "")]
    assert posts[1].text == posts[1].markdown == f"{SAID}\n\nAnd so on & on."
    assert {(each.rows, each.is_kept) for each in posts} == {((), False)}


def test_answers_stand_behind_the_question_and_comments_behind_the_answer() -> None:
    assert [(each.author, each.text) for each in declaring_document(QUESTION).posts] == [
        ("ana", QUESTION_TEXT),
        ("bo", SAID),
        ("ana", "Thanks!"),
        ("cy", ADDED),
    ]


def test_comments_below_an_article_and_reviews_of_a_product_are_posts() -> None:
    comment = {"@type": "Comment", "author": "bo", "text": SAID}
    assert [
        each.author
        for each in declaring_document({"@type": "NewsArticle", "author": "ana", "articleBody": QUESTION_TEXT, "comment": comment}).posts
    ] == ["bo"]
    review = {"@type": "Review", "author": person("cy"), "reviewBody": ADDED, "datePublished": "2024-05-03"}
    assert [each.time for each in declaring_document({"@graph": [{"@type": "Product", "name": "Kettle", "review": [review]}]}).posts] == [
        "2024-05-03"
    ]


def test_rows_are_those_of_the_blocks_that_show_a_post() -> None:
    body = f"<p>Home<div>{SAID}</div><div><b>And so</b> on &amp; on.</div><p>Related<p>{QUESTION_TEXT}"
    posts = declaring_document(THREAD, body, "And so").posts
    assert [(each.rows, each.is_kept) for each in posts] == [((4,), False), ((1, 2), True), ((), False)]


def test_posts_that_are_shown_are_given_the_author_and_time_that_they_lack() -> None:
    shown = "".join(
        f'<div class="comment"><div class="author">{name}</div><i>{when}</i><p>{text}</p></div>'
        for name, when, text in (("", "3 days ago", QUESTION_TEXT), ("bo", "2 days ago", SAID), ("dan", "1 day ago", ADDED))
    )
    posts = declaring_document(THREAD, shown).posts
    assert [(each.author, each.time) for each in posts] == [("ana", "2024-05-01T10:00Z"), ("bo", "2024-05-02"), ("dan", "1 day ago")]
    assert posts[1].text == SAID


@pytest.mark.parametrize(
    "reported",
    [
        {
            "@type": "FAQPage",
            "mainEntity": [{"@type": "Question", "name": QUESTION_TEXT, "acceptedAnswer": {"@type": "Answer", "text": SAID}}],
        },
        {key: value for key, value in THREAD.items() if key != "comment"},
        {"@type": "Comment", "text": SAID},
        {"@type": "Product", "review": {"@type": "Review", "author": "ana"}},
        [],
        "text",
        {"@type": ["Comment", 3], "text": [1], "author": {"name": {}}, "comment": [[], None, {}]},
    ],
    ids=["frequent questions", "nobody answers", "nobody and no time", "no text", "list", "string", "odd shapes"],
)
def test_what_is_no_post_is_not_taken_for_one(reported: Any) -> None:
    assert declaring_document(reported).posts == ()


JSON = st.recursive(
    st.none() | st.text(max_size=5) | st.sampled_from(["Comment", "Question", SAID]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["@type", "text", "author", "comment", "@graph", "@id"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=40, deadline=None)
@given(JSON)
def test_any_json_is_read(reported: Any) -> None:
    assert isinstance(declaring_document(reported, f"<p>{SAID}").posts, tuple)
