"""Sentences against titles, labels and buttons, in any script."""

import pytest

from sightread.labeling.articles.prose import LABEL, SENTENCES, is_prose


@pytest.mark.parametrize(
    "text",
    [
        "The river took the bridge.",
        "Who was it?",
        "Help!",
        "And then it all began anew…",
        "“We saw it coming.”",
        'He said: "Run!"',
        'He turned round and said: "Run"',
        "河上建了新的桥。",
        "नदी पर नया पुल बना।",
        "تم بناء جسر جديد على النهر؟",
        "پل بن گیا۔",
        "It is done.  \n",
    ],
)
def test_what_ends_like_a_sentence_is_prose(text: str):
    assert is_prose(text)


@pytest.mark.parametrize(
    "text", ["", "  ", "Share", "Flood takes the old bridge", "Read more »", "Share…", "“Next”", "12 views", "河上建了新的桥", "Next,"]
)
def test_titles_and_buttons_are_not(text: str):
    assert not is_prose(text)


@pytest.mark.parametrize("colon", [":", "："])
def test_a_colon_ends_an_announcement_of_enough_words_but_not_a_label(colon: str):
    assert is_prose(" ".join(["word"] * LABEL) + colon)
    assert not is_prose(" ".join(["word"] * (LABEL - 1)) + colon)


def test_a_long_text_is_prose_whatever_it_ends_with():
    assert is_prose(" ".join(["word"] * SENTENCES))
    assert not is_prose(" ".join(["word"] * (SENTENCES - 1)))


def test_in_scripts_without_spaces_a_text_is_long_by_its_characters():
    assert is_prose("桥" * 2 * SENTENCES)
    assert not is_prose("桥" * SENTENCES)
