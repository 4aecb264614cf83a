"""Output formats: one file each, known to command line and API without another change."""

import sys

import pytest

import sightread
from sightread.document import formats
from sightread.document.formats import find_format, format_names, write_document

HTML = "<h1>The night ferry</h1><p>It has carried shift workers across the estuary for ninety years, and by now it runs half empty.</p>"


@pytest.fixture
def added(tmp_path, monkeypatch):
    """Add a format for the length of the test."""
    (tmp_path / "capitals.py").write_text(
        "from sightread.document.formats import Format\n"
        "FORMAT = Format(lambda document, _: document.text.upper(), 'text/x-capitals', aliases=('caps',))\n"
    )
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    format_names.cache_clear()
    find_format.cache_clear()
    yield "capitals"
    sys.modules.pop("sightread.document.formats.capitals", None)
    format_names.cache_clear()
    find_format.cache_clear()


def test_a_new_file_is_a_new_format_everywhere(request, added, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(HTML)
    ran = request.getfixturevalue("sightread")("extract", page, "--static", "--format", added)
    assert ran.out.startswith("THE NIGHT FERRY\n")
    assert sightread.extract(HTML, output_format="caps").startswith("THE NIGHT FERRY\n")


def test_every_format_writes_a_document_under_its_name_and_its_aliases():
    document = sightread.extract(HTML)
    assert format_names() == ("chunks", "html", "json", "markdown", "tei", "text")
    for name in format_names():
        written = write_document(document, name)
        assert "The night ferry" in written
        assert all(write_document(document, alias) == written for alias in find_format(name).aliases)


def test_a_name_of_no_format_is_found_out():
    assert find_format("docx") is None
    with pytest.raises(KeyError, match="docx"):
        write_document(sightread.extract(HTML), "docx")
