"""The record of how the last new pages stood."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from sightread.sites.store import MOST_LINES, PAGES_CONSIDERED, Recent, note_page


@pytest.fixture
def path(tmp_path):
    return tmp_path / "recent"


def noted(path, decisions, start=0):
    for number, strange in enumerate(decisions, start):
        found = note_page(path, f"https://courier.example/{number}", strange=strange)
    return found


def test_pages_add_up_over_calls(path):
    assert noted(path, [True]) == Recent(1, 1)
    assert noted(path, [False, True, False], 1) == Recent(2, 4)


def test_a_page_read_again_counts_once_as_it_was_last(path):
    noted(path, [True, True, False])
    assert note_page(path, "https://courier.example/0", strange=False) == Recent(1, 3)
    assert note_page(path, "https://courier.example/2", strange=True) == Recent(2, 3)


def test_only_the_last_pages_count(path):
    noted(path, [True] * 30)
    assert noted(path, [False] * 4, 30) == Recent(PAGES_CONSIDERED - 4, PAGES_CONSIDERED)


def test_a_torn_or_foreign_line_is_passed_over(path):
    noted(path, [True, True])
    with path.open("ab") as file:
        file.write(b"0123456789abcdef 1 and more\nfedcba")
    assert note_page(path, "https://courier.example/9", strange=True).strange >= 2


def test_many_writers_lose_nothing(path):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: note_page(path, f"https://courier.example/{number}", strange=True), range(200)))
    assert len(set(path.read_bytes().splitlines())) == 200


def test_the_file_does_not_grow_for_ever(path):
    for _ in range(MOST_LINES + 10):
        note_page(path, "https://courier.example/", strange=False)
    assert len(path.read_bytes().splitlines()) < MOST_LINES


def test_where_nothing_can_be_written_only_this_page_is_known(tmp_path):
    assert note_page(tmp_path / "gone" / "recent", "https://courier.example/", strange=True) == Recent(1, 1)
    assert note_page(tmp_path, "https://courier.example/", strange=False) == Recent(0, 1)
