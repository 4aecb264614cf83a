"""What WordPress, Ghost, Trac, Roundup and mail archives are filled with holds the gold text of each page."""

import json
import re
from email import message_from_string, policy

import lxml.html
import pytest

from benchmarks.sites.applications.publishing import LONGEST_EXCERPT, standfirst_gold, write_posts
from benchmarks.sites.applications.trackers import roundup_gold, write_mail, write_roundup, write_trac
from benchmarks.sites.texts.documents import gold_text, write_documents
from benchmarks.sites.texts.sentences import language_of


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("de"), 10, "seed")


def test_posts_in_the_markup_of_the_block_editor_hold_the_gold_text(documents, tmp_path):
    write_posts(tmp_path, "a-theme", documents)
    for document, post in zip(documents, json.loads((tmp_path / "documents.json").read_text("utf-8")), strict=True):
        markup = re.sub(r"<!-- /?wp:.*? -->", "", post["blocks"])
        text = " ".join(lxml.html.fragment_fromstring(markup, create_parent="div").itertext())
        assert [*post["title"].split(), *text.split()] == gold_text(document).split()
        assert post["blocks"].count("<!-- wp:") == post["blocks"].count("<!-- /wp:") == len(document.parts)
        assert post["comments"]
        assert standfirst_gold(document).split("\n")[:2] == [document.title, document.summary[:LONGEST_EXCERPT]]


def test_pages_of_trac_hold_the_gold_text_without_its_marks(documents, tmp_path):
    write_trac(tmp_path, "wiki", documents)
    for document in documents:
        text = (tmp_path / f"pages/{document.slug}.txt").read_text("utf-8")
        text = re.sub(r"\[https?://\S+ ([^\]]*)\]", r"\1", text).replace("'''", "").replace("`", "")
        text = re.sub(r"^=+ | =+$|^ \* |^ 1\. |^> |\|\|=? ?| ?=?\|\||[{}]{3}", " ", text, flags=re.M)
        assert re.findall(r"\w+", text) == re.findall(r"\w+", gold_text(document))


def test_messages_of_an_issue_are_in_its_gold_text_the_last_one_first(documents, tmp_path):
    write_roundup(tmp_path, "classic", documents)
    for document, issue in zip(documents, json.loads((tmp_path / "documents.json").read_text("utf-8")), strict=True):
        words = [word for message in reversed(issue["messages"]) for word in message.split()]
        assert [*document.title.split(), *words] == roundup_gold(document).split()


def test_mail_holds_the_gold_text_and_answers_the_message_before_it(documents, tmp_path):
    write_mail(tmp_path, "archive", documents)
    box = re.split(r"^From quay@.*\n", (tmp_path / "archive.mbox").read_text("utf-8"), flags=re.M)[1:]
    messages = [message_from_string(each, policy=policy.default) for each in box]
    assert [message["subject"] for message in messages] == [document.title for document in documents]
    for document, message in zip(documents, messages, strict=True):
        assert message.get_content().split() == gold_text(document).split("\n", 1)[1].split()
    assert [message["in-reply-to"] is None for message in messages] == [number % 5 == 0 for number in range(10)]
