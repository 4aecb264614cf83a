import re
from datetime import date

from benchmarks.sites.programs.boards_and_catalogues.catalogues import papers_gold
from benchmarks.sites.programs.boards_and_catalogues.jobs_talks_and_recipes import job_gold, recipe_gold
from benchmarks.sites.programs.boards_and_catalogues.lessons_and_guides import guide_context, guide_gold, unit_context
from benchmarks.sites.programs.boards_and_catalogues.questions import threads
from benchmarks.sites.texts.documents import Part, SourceDocument, part_html

PARTS = (
    Part("paragraph", (("The **ferry** waits.",),)),
    Part("paragraph", (("It is `late`.",),)),
    Part("heading", (("Routes",),), 2),
    Part("code", (("make ferry",),), language="bash"),
    Part("bullets", (("To the island",), ("To the pier",))),
)
DOCUMENT = SourceDocument("guide-04", "Ferries", "en", date(2024, 1, 8), ("travel", "history"), "On ferries.", PARTS)


def test_the_last_paragraph_of_a_post_is_a_comment_if_it_follows_a_paragraph() -> None:
    both = SourceDocument("guide-04", "Ferries", "en", date(2024, 1, 8), (), "", PARTS[:2])
    assert threads(both) == [([PARTS[0]], "It is <code>late</code>.")]
    assert threads(DOCUMENT) == [(list(PARTS[:4]), ""), ([PARTS[4]], "")]


def test_the_last_list_of_a_unit_is_the_choices_of_a_question() -> None:
    *before, problem = unit_context([DOCUMENT] * 25, 0)["vertical_content"]  # type: ignore[misc]
    assert before == [part_html(part) for part in PARTS[:-1]]
    assert re.findall(r'<label class="response-label">([^<]*)', problem) == ["To the island", "To the pier"]


def test_a_step_of_a_guide_begins_with_its_heading() -> None:
    steps = guide_context([DOCUMENT] * 6, 4)["guide"]["steps"]  # type: ignore[index]
    assert [step["lines"][0]["text_rendered"] for step in steps] == [
        "<span>The <strong>ferry</strong> waits.</span>",
        "<strong>Routes</strong>",
    ]
    assert "Step 2\nRoutes\nmake ferry\nTo the island" in guide_gold(DOCUMENT)


def test_recipes_have_no_code_and_jobs_have_it() -> None:
    assert "make ferry" not in recipe_gold(DOCUMENT)
    assert "Responsibilities\nmake ferry\nTo the island" in job_gold(DOCUMENT)


def test_each_paper_of_a_list_is_followed_by_its_abstract() -> None:
    lines = papers_gold(DOCUMENT).split("\n")
    assert lines[0] == "Ferries"
    assert lines[2::2] == ["On ferries.", "The ferry waits.", "It is late.", "To the island", "To the pier"]
    assert lines[3].split(". ")[1] == "The ferry waits"
