"""What Redmine, PunkwebBB, HyperKitty, Shuup, An Otter Wiki and Hugo are filled with holds the gold text of each page."""

import json
import re

import pytest

from benchmarks.sites.applications.communities import shuup_gold, write_application
from benchmarks.sites.applications.more_applications import write_otterwiki, write_redmine
from benchmarks.sites.generators.more_blogs import write_hugo
from benchmarks.sites.texts.documents import gold_text, to_markdown, write_documents
from benchmarks.sites.texts.sentences import language_of


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("de"), 10, "seed")


def words(text):
    return re.findall(r"\w+", text)


def test_posts_in_the_markup_of_forums_and_of_mail_hold_the_gold_text(documents, tmp_path):
    write_application(tmp_path, "punkweb", documents)
    for document, found in zip(documents, json.loads((tmp_path / "documents.json").read_text("utf-8")), strict=True):
        forum = re.sub(r"\[/?(?:b|size|url|ul|ol|li|code|quote|font)(?:=[^\]]*)?\]", " ", "\n".join(found["posts_bbcode"]))
        assert words(found["title"] + " " + forum) == words(gold_text(document))
        mail = re.sub(r"^(?:\d+\.|```|\*|>)\s", "", "\n".join(found["posts_mail"]), flags=re.M)
        assert words(found["title"] + " " + mail) == words(gold_text(document))
        assert found["comments"]


def test_a_product_with_a_short_description_has_it_above_its_price(documents, tmp_path):
    write_application(tmp_path, "shuup", documents)
    for document, found in zip(documents, json.loads((tmp_path / "documents.json").read_text("utf-8")), strict=True):
        assert shuup_gold(document).split("\n")[:3] == [document.title, found["summary"], f"€{found['price']}"]


def test_each_issue_has_a_description_and_notes_in_the_order_of_the_document(documents, tmp_path):
    write_redmine(tmp_path, "alternate", documents)
    assert "ui_theme: 'alternate'" in (tmp_path / "fill.rb").read_text("utf-8")
    for document, issue in zip(documents, json.loads((tmp_path / "documents.json").read_text("utf-8")), strict=True):
        assert "\n".join(issue["posts"]).split() == to_markdown(document).split()


def test_pages_of_a_wiki_are_named_by_their_titles_and_no_two_alike(documents, tmp_path):
    write_otterwiki(tmp_path, "wiki", [*documents, *write_documents(language_of("de"), 10, "seed")])
    names = json.loads((tmp_path / "names.json").read_text("utf-8"))
    assert len(set(names.values())) == len(names) == 10
    for document in documents:
        assert (tmp_path / f"pages/{names[document.slug]}.md").is_file()


def test_posts_of_hugo_have_front_matter_and_the_document(documents, tmp_path):
    write_hugo(tmp_path, "doks", documents)
    for document in documents:
        text = (tmp_path / f"posts/{document.slug}/index.md").read_text("utf-8")
        assert json.dumps(document.title, ensure_ascii=False) in text.split("---\n")[1]
        assert text.endswith(to_markdown(document))
