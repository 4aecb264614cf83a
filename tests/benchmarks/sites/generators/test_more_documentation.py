"""Documentation generators of the third part: what they are given holds the gold text of each page."""

import json

import pytest

from benchmarks.sites.generators.documentation_recipes import DOCUMENTATION_GENERATORS, DOCUMENTATION_THEMES
from benchmarks.sites.generators.more_documentation import compodoc_page, redocly_gold, write_documentation, write_redocly
from benchmarks.sites.parts import PARTS
from benchmarks.sites.texts.documents import gold_text, to_markdown, write_documents
from benchmarks.sites.texts.sentences import language_of


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("zh"), 5, "seed")


def test_each_generator_has_one_theme():
    assert sorted(theme.generator for theme in DOCUMENTATION_THEMES) == sorted(DOCUMENTATION_GENERATORS)
    assert set(DOCUMENTATION_GENERATORS) <= {name for generators in PARTS.values() for name in generators}


@pytest.mark.parametrize("name", sorted(DOCUMENTATION_GENERATORS))
def test_a_project_names_every_document(name, documents, tmp_path):
    theme = next(theme for theme in DOCUMENTATION_THEMES if theme.generator == name)
    DOCUMENTATION_GENERATORS[name].write(tmp_path, theme.name, documents)
    written = "\n".join(path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file())
    for document in documents:
        assert document.title in written or json.dumps(document.title)[1:-1] in written
        assert any(document.slug in path.name for path in tmp_path.rglob("*"))


def test_the_sections_of_a_contents_file_are_the_document(documents, tmp_path):
    write_documentation(tmp_path, "default", documents)
    for document in documents:
        notes = json.loads((tmp_path / f"{document.slug}.yml").read_text("utf-8"))["toc"]
        text = " ".join(f"{note['name']} {note['description']}" for note in notes)
        words = [word for word in gold_text(document).split() if word.isalnum()]
        assert all(word in text for word in words)


def test_an_interface_has_the_document_as_its_text_and_a_version_in_its_title(documents, tmp_path):
    write_redocly(tmp_path, "redoc", documents)
    for document in documents:
        info = json.loads((tmp_path / f"{document.slug}.json").read_text("utf-8"))["info"]
        assert redocly_gold(document).split("\n")[0] == f"{info['title']} ({info['version']})"
        assert info["description"] == to_markdown(document)
        assert redocly_gold(document).split("\n")[1:] == gold_text(document).split("\n")[1:]


def test_a_guide_is_named_by_its_title(documents):
    title = documents[0].title.lower()
    assert compodoc_page(documents[0]) == f"additional-documentation/{title}.html".replace(" ", "-")
