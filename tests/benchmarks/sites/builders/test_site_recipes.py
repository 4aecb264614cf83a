"""Blogs, product pages, guides, interfaces: what generators are given holds the documents, and gold has what a page shows beside them."""

import json

import pytest

from benchmarks.sites.builders.interfaces import interface, interface_gold
from benchmarks.sites.builders.posts import offer_gold, tiers
from benchmarks.sites.builders.site_recipes import SITE_GENERATORS, SITE_THEMES
from benchmarks.sites.parts import PARTS
from benchmarks.sites.texts.documents import gold_text, write_documents
from benchmarks.sites.texts.sentences import language_of


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("fr"), 5, "seed")


def test_each_generator_has_one_theme_and_a_part():
    assert sorted(theme.generator for theme in SITE_THEMES) == sorted(SITE_GENERATORS)
    assert set(SITE_GENERATORS) <= {name for part in PARTS.values() for name in part}


@pytest.mark.parametrize("name", sorted(SITE_GENERATORS))
def test_a_project_names_every_document(name, documents, tmp_path):
    theme = next(theme for theme in SITE_THEMES if theme.generator == name)
    project = tmp_path / "projects" / "site"
    project.mkdir(parents=True)
    SITE_GENERATORS[name].write(project, theme.name, documents)
    written = "\n".join(path.read_text("utf-8") for path in project.rglob("*") if path.is_file())
    for document in documents:
        assert document.title in written or json.dumps(document.title)[1:-1] in written
        assert document.slug in written or any(document.slug in path.name for path in project.rglob("*"))


def test_an_interface_has_its_introduction_and_then_each_operation_in_its_group(documents):
    for document in documents:
        gold = interface_gold(document)
        operations = gold.removeprefix(gold_text(document)).split("\n")[1:]
        assert gold.startswith(gold_text(document))
        assert len(operations) == sum(1 + len(found) for found in interface(document).values())
        assert interface(document) == interface(document)


def test_an_offer_has_claim_text_and_prices_and_no_buttons(documents):
    for document in documents:
        lines = offer_gold(document).split("\n")
        words = offer_gold(document).split()
        assert lines[:2] == [document.title, document.summary]
        assert set(gold_text(document).split()) <= set(words)
        for tier in tiers(document):
            assert tier["price"] in lines
            assert tier["cta"]["label"] not in lines
