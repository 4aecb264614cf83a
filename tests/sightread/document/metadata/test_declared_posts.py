"""Posts that a page tells machines, in JSON-LD."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.document.document import Document, build_document
from sightread.render.static.parse import read_html

QUESTION_TEXT = "Why does the kettle hum before the rain begins?"
SAID = "The kettle hums because the air in the harbour grows heavy."
ADDED = "Nobody in the harbour ever asked, as far as I remember it."


def document(reported: Any, body: str = "<p>Something else.", kept: str = "") -> Document:
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
    posts = document(THREAD).posts
    assert [(each.author, each.time) for each in posts] == [("ana", "2024-05-01T10:00Z"), ("bo", "2024-05-02"), ("cy", "")]
    assert posts[1].text == posts[1].markdown == f"{SAID}\n\nAnd so on & on."
    assert {(each.rows, each.is_kept) for each in posts} == {((), False)}


def test_answers_stand_behind_the_question_and_comments_behind_the_answer() -> None:
    assert [(each.author, each.text) for each in document(QUESTION).posts] == [
        ("ana", QUESTION_TEXT),
        ("bo", SAID),
        ("ana", "Thanks!"),
        ("cy", ADDED),
    ]


def test_comments_below_an_article_and_reviews_of_a_product_are_posts() -> None:
    comment = {"@type": "Comment", "author": "bo", "text": SAID}
    assert [
        each.author for each in document({"@type": "NewsArticle", "author": "ana", "articleBody": QUESTION_TEXT, "comment": comment}).posts
    ] == ["bo"]
    review = {"@type": "Review", "author": person("cy"), "reviewBody": ADDED, "datePublished": "2024-05-03"}
    assert [each.time for each in document({"@graph": [{"@type": "Product", "name": "Kettle", "review": [review]}]}).posts] == [
        "2024-05-03"
    ]


def test_rows_are_those_of_the_blocks_that_show_a_post() -> None:
    body = f"<p>Home<div>{SAID}</div><div><b>And so</b> on &amp; on.</div><p>Related<p>{QUESTION_TEXT}"
    posts = document(THREAD, body, "And so").posts
    assert [(each.rows, each.is_kept) for each in posts] == [((4,), False), ((1, 2), True), ((), False)]


def test_posts_that_are_shown_are_given_the_author_and_time_that_they_lack() -> None:
    shown = "".join(
        f'<div class="comment"><div class="author">{name}</div><i>{when}</i><p>{text}</p></div>'
        for name, when, text in (("", "3 days ago", QUESTION_TEXT), ("bo", "2 days ago", SAID), ("dan", "1 day ago", ADDED))
    )
    posts = document(THREAD, shown).posts
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
    assert document(reported).posts == ()


def test_a_post_told_twice_is_one() -> None:
    assert len(document([THREAD, THREAD]).posts) == 3


def test_two_posts_that_begin_alike_complete_none() -> None:
    twice = [{"@type": "Comment", "author": name, "text": f"{SAID * 2} {name}"} for name in ("ana", "bo")]
    shown = "".join(
        f'<div class="comment"><i>{day} days ago</i><p>{SAID * 2} {name}</p></div>' for day, name in enumerate(("ana", "bo"), 2)
    )
    assert [each.author for each in document(twice, shown).posts] == ["", ""]


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
    assert isinstance(document(reported, f"<p>{SAID}").posts, tuple)
