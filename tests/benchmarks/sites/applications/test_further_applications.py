from dataclasses import replace
from datetime import date

from benchmarks.sites.applications.further_applications import raneto_gold
from benchmarks.sites.applications.further_django import LONGEST_CAPTION, captioned_gold
from benchmarks.sites.applications.trackers import message_texts
from benchmarks.sites.texts.documents import Part, SourceDocument

PARAGRAPHS = tuple(Part("paragraph", ((f"Sentence {number}.",),)) for number in range(5))
DOCUMENT = SourceDocument("short-00", "Tides: a table", "en", date(2024, 1, 8), ("travel",), "What the moon does.", PARAGRAPHS)


def test_a_caption_is_below_the_title_and_cut_where_the_program_cuts_it():
    assert captioned_gold(DOCUMENT).split("\n")[:3] == ["Tides: a table", "What the moon does.", "Sentence 0."]
    long = replace(DOCUMENT, summary="word " * LONGEST_CAPTION)
    assert len(captioned_gold(long).split("\n")[1]) == LONGEST_CAPTION


def test_a_title_of_the_knowledge_base_has_no_colon():
    assert raneto_gold(DOCUMENT).startswith("Tides, a table\nSentence 0.")


def test_messages_are_four_parts_of_a_document_each():
    assert message_texts(DOCUMENT) == ["Sentence 0.\n\nSentence 1.\n\nSentence 2.\n\nSentence 3.", "Sentence 4."]
