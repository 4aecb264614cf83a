"""What is said of a page that was read with doubt, or that shows nothing at all."""

import json

from sightread.reading.reading import WarningLimits, read_static
from tests.pages.stories import ARTICLE
from tests.sightread.cli.test_extract import ARTICLE as FERRY

MENU = f"<body><nav><ul>{''.join(f'<li><a href=/{n}>Page {n}</a>' for n in range(30))}</ul></nav><div><a href=/login>Log in</a></div>"
MUTE = {"@type": "NewsArticle", "headline": "The ferry", "articleBody": "It runs all night.\nNobody stops it."}


def test_an_uncertain_choice_is_reported_with_its_reason(monkeypatch):
    strict = WarningLimits(least_expected_f1=0.85)  # above what any training of the model promises of a bare menu
    monkeypatch.setattr("sightread.reading.reading.LIMITS", strict)
    reading = read_static(MENU, model="global")
    assert reading.document.expected_f1 < 0.85
    distrust_reason, _, reason = reading.note.partition(" (")
    assert distrust_reason == f"low confidence: global has an expected F1 of {reading.document.expected_f1:.2f} on this page"
    assert reason.endswith("surely content)")
    (note,) = (note for note in reading.document.notes if note.code == "low-confidence")
    assert note.level == "warning"
    assert json.loads(reading.document.to_json())["notes"] == [
        {"code": note.code, "level": note.level, "message": note.message} for note in reading.document.notes
    ]


def test_a_sure_choice_needs_no_remark():
    assert read_static(FERRY, model="global").note == ""


def test_where_there_is_nothing_to_choose_there_is_no_doubt():
    assert read_static(ARTICLE, model="global").note == ""


def test_other_models_have_no_doubt():
    assert read_static(MENU, model="bte").note == ""


def test_a_page_that_shows_nothing_is_read_by_what_it_tells_machines(sightread, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(f'<title>The ferry</title><script type="application/ld+json">{json.dumps(MUTE)}</script><body><div id=app></div>')
    ran = sightread("extract", path, "--static", "--format", "text", "--model", "global")
    assert (ran.code, ran.messages) == (0, ["the page shows no text: this is the text of its JSON-LD"])
    assert "It runs all night." in ran.out
    assert "Nobody stops it." in ran.out


def test_the_models_word_on_the_type_of_a_page_is_taken():
    page = f"<meta property='og:type' content='product'>{FERRY.partition('<title>')[2]}"
    assert read_static(page, model="bte").document.metadata.page_type == "product"
    assert read_static(FERRY, "https://courier.example/news/2024/ferry", model="global").document.metadata.page_type == "article"
