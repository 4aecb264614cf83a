"""Converters of one text: what they are given holds the gold text of each page."""

import json
import re
from xml.etree import ElementTree

import pytest

from benchmarks.sites.generators.python_references import pdoc_gold, write_pdoc
from benchmarks.sites.generators.text_converters import notebook_gold, rfc_gold, write_notebooks, write_rfc
from benchmarks.sites.texts.documents import gold_text, part_gold, write_documents
from benchmarks.sites.texts.sentences import language_of


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("fr"), 5, "seed")


def test_a_draft_holds_its_title_abstract_and_sections(documents, tmp_path):
    write_rfc(tmp_path, "draft", documents)
    for document in documents:
        tree = ElementTree.parse(tmp_path / f"{document.slug}.xml")
        texts = [tree.find("front/title").text, "Abstract", "".join(tree.find("front/abstract").itertext())]
        for number, section in enumerate(tree.findall("middle/section"), 1):
            texts += [f"{number}.", *section.itertext()]
        assert "".join("".join(texts).split()) == "".join(rfc_gold(document).split())


def test_a_notebook_holds_the_document_and_a_line_of_output_per_piece_of_code(documents, tmp_path):
    write_notebooks(tmp_path, "lab", documents)
    for document in documents:
        cells = json.loads((tmp_path / f"{document.slug}.ipynb").read_text("utf-8"))["cells"]
        outputs = [output["text"][0] for cell in cells for output in cell.get("outputs", ())]
        assert len(outputs) == sum(part.kind == "code" for part in document.parts)
        assert sorted(notebook_gold(document).split()) == sorted((gold_text(document) + " " + " ".join(outputs)).split())
        assert len({cell["id"] for cell in cells}) == len(cells)


def test_a_module_has_a_function_per_section_that_describes_one(documents, tmp_path):
    write_pdoc(tmp_path, "default", documents)
    for document in documents:
        source = (tmp_path / f"tide/{document.slug.replace('-', '_')}.py").read_text("utf-8")
        compile(source, document.slug, "exec")
        signatures = re.findall(r"^def (.*):$", source.replace("def main(limit", ""), re.M)
        described = [line for line in pdoc_gold(document).split("\n") if line.startswith("def ") and "main" not in line]
        assert described == [f"def {signature}:" for signature in signatures if "main" not in signature]
        assert len(set(described)) == len(described)
        paragraphs = {line for part in document.parts if part.kind == "paragraph" for line in part_gold(part)}
        assert paragraphs <= set(pdoc_gold(document).split("\n"))
    assert sum(pdoc_gold(document).count("\ndef ") for document in documents) > 2
