"""Words of any script."""

import unicodedata

import pytest

from sightread.render.text.words import count_words, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Old Bridge", ["the", "old", "bridge"]),
        ("naïve, re-read; 3 times!", ["naïve", "re", "read", "3", "times"]),
        ("Straße ＦＬＯＯＤ ﬁre", ["strasse", "flood", "fire"]),
        ("新的桥 built", ["新", "的", "桥", "built"]),
        ("ひらがなカナ", ["ひ", "ら", "が", "な", "カ", "ナ"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("বাংলাদেশের নদী।", ["বাংলাদেশের", "নদী"]),
        ("नदी पर पुल। दूसरा", ["नदी", "पर", "पुल", "दूसरा"]),
        ("كَتَبَ الولد", ["كَتَبَ", "الولد"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("", []),
        (" — … !", []),
    ],
)
def test_words_are_found_in_every_script(text: str, found: list[str]):
    assert words(text) == found


@pytest.mark.parametrize("text", ["café", "नदी", "Việt Nam", "كَتَبَ"])
def test_composition_makes_no_difference(text: str):
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The flood took the old bridge.", 6),
        ("বাংলাদেশের নদী ভাঙন", 3),
        ("नदी पर पुल।", 3),
        ("السيول جرفت الجسر", 3),
        ("한국어 문장", 2),
        ("", 0),
        ("?!", 0),
    ],
)
def test_words_between_spaces_count_one_each(text: str, count: int):
    assert count_words(text) == count


@pytest.mark.parametrize("text", ["昨天的洪水冲走了旧桥上的行人车辆牛", "ไฟไหม้บ้านหลังเก่า", "ហើយទៅផ្ទះ", "မြန်မာစာ"])
def test_scripts_without_spaces_count_a_word_for_1_7_characters(text: str):
    assert count_words(text) == pytest.approx(len(text) / 1.7)


def test_mixed_scripts_add_up():
    assert count_words("用 Python 写的 17") == pytest.approx(2 + 3 / 1.7)


def test_punctuation_between_characters_counts_nothing():
    assert count_words("桥，没了。") == count_words("桥没了")
