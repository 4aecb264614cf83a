from datetime import date
from pathlib import Path

from benchmarks.sites.programs.shops_and_threads.chats import messages
from benchmarks.sites.programs.shops_and_threads.collections import rows, table_gold
from benchmarks.sites.programs.shops_and_threads.django_settings import tickets, tickets_gold
from benchmarks.sites.programs.shops_and_threads.layout import add_style, without_fonts, without_network
from benchmarks.sites.texts.documents import Part, SourceDocument, gold_text

PARTS = (
    Part("paragraph", (("The **ferry** waits.",),)),
    Part("heading", (("Routes",),), 2),
    Part("bullets", (("To the island",), ("To the pier",))),
    Part("heading", (("Later",),), 2),
)
DOCUMENT = SourceDocument("guide-04", "Ferries", "en", date(2024, 1, 8), ("travel", "history"), "On ferries.", PARTS)


def test_headings_are_in_the_message_of_the_part_below_them() -> None:
    assert messages(DOCUMENT) == ["Ferries", "The ferry waits.", "Routes\nTo the island\nTo the pier", "Later"]
    assert "\n".join(messages(DOCUMENT)) == gold_text(DOCUMENT)


def test_the_gold_text_of_an_event_ends_with_its_tickets() -> None:
    name, words, price = tickets(DOCUMENT)[-1]
    assert tickets_gold(DOCUMENT).endswith(f"\n{name}\n{words}\n€{price}" if words else f"\n{name}\n€{price}")


def test_a_style_is_added_to_the_head_of_each_page(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html/a.html").write_text("<html><head></head><body></body></html>", "utf-8")
    add_style(tmp_path, "body { margin: 0 }")
    assert (tmp_path / "html/a.html").read_text("utf-8").startswith("<html><head><style>body { margin: 0 }</style></head>")


def test_fonts_from_the_network_are_left_out() -> None:
    own = '<link href="/site.css" rel="stylesheet">'
    assert without_fonts(f'{own}<link rel="preconnect" href="https://fonts.example.org">') == own


def test_a_row_of_a_table_has_the_heading_above_it() -> None:
    found = [row[2:] for row in rows(DOCUMENT)]
    assert found == [("Ferries", "The ferry waits."), ("Routes", "To the island"), ("Routes", "To the pier")]
    assert table_gold(DOCUMENT).startswith("Ferries\nOn ferries.\ncode topic title note\nG04-00 ")


def test_a_page_keeps_no_script_style_sheet_or_font_of_the_network() -> None:
    own = '<link rel="stylesheet" href="own.css"><script src="own.js"></script><style>p { margin: 0 }</style>'
    other = '<link href="//example.org/a.css"><script async src="https://example.org/a.js"></script>'
    font = "<style>@font-face { src: url(https://example.org/a.woff2) }</style>"
    assert without_network(own + other + font) == own + "<style></style>"
