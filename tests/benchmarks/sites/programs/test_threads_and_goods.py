import re
from datetime import date

from benchmarks.sites.programs.threads_and_goods.catalogues import properties, recipe_context, recipe_gold
from benchmarks.sites.programs.threads_and_goods.desks_and_repositories import history
from benchmarks.sites.programs.threads_and_goods.forums import thread_context
from benchmarks.sites.texts.documents import Part, SourceDocument

PARTS = (
    Part("paragraph", (("The **ferry** waits.",),)),
    Part("heading", (("Routes",),), 2),
    Part("bullets", (("To the island",), ("To the pier",))),
    Part("table", (("Name", "Number", "Use"), ("`harbour`", "7", "Depth"), ("`harbour`", "9", "Width"))),
    Part("paragraph", (("Write to ada@example.org.",),)),
)
DOCUMENT = SourceDocument("guide-04", "Ferries", "en", date(2024, 1, 8), ("travel", "history"), "On ferries.", PARTS)


def test_the_last_revision_of_a_file_has_the_beginning_of_the_document() -> None:
    text = history(DOCUMENT, 0)
    assert text.startswith("head\t1.2;")
    first, second = re.findall(r"\nlog\n@(.*?)\n@\ntext", text, re.DOTALL)
    assert first.startswith("Ferries\n\nThe ferry waits.")
    assert second == "Write to ada@@example.org."


def test_properties_of_a_record_have_names_of_their_own() -> None:
    found = properties(DOCUMENT)
    assert dict(found)["harbour"] == "7 Depth"
    assert len(dict(found)) == len(found)


def test_lists_of_a_recipe_are_what_it_needs_under_their_heading() -> None:
    recipe = recipe_context([DOCUMENT] * 25, 4)["recipes"][0]  # type: ignore[index]
    assert recipe["ingredient_groups"][1] == {"label": "Routes", "lines": ["To the island", "To the pier"]}
    assert "Routes\nTo the island\nTo the pier\nPour: 6\nPréparation\nThe ferry waits." in recipe_gold(DOCUMENT)


def test_every_third_comment_of_a_thread_answers_the_post() -> None:
    long = SourceDocument("guide-04", "Ferries", "en", date(2024, 1, 8), (), "", PARTS[:1] * 21)
    first, second = thread_context([long] * 25, 0)["post"]["root_comment"]["children"]  # type: ignore[index]
    assert first["children"][0]["children"][0]["id"] == "c3"
    assert second["id"] == "c4"
