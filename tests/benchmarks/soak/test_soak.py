"""How the record of a soak test is judged, and its crawls are compared; the soak test itself is `make soak`."""

import pytest

from benchmarks.soak.readings import Account, Part, Reading, Record, growth
from benchmarks.soak.soak import is_good


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([100.0] * 90, 0.0),
        ([50.0] * 30 + [100.0] * 60, 0.0),  # the first third warms up
        ([float(1000 + row) for row in range(90)], 59 / 1030),
        ([100.0, 110.0] * 45, 0.0),
        ([1.0, 2.0], 0.0),
    ],
)
def test_growth_is_that_of_a_line_through_the_last_two_thirds(values, expected):
    assert growth([(float(row), value) for row, value in enumerate(values)]) == pytest.approx(expected, abs=0.01)


def test_a_record_is_good_if_every_page_came_out_once_and_the_same_nothing_is_left_and_memory_is_flat():
    flat = tuple(Reading(float(second), 10**8, 3, 20) for second in range(0, 900, 10))
    rising = tuple(Reading(float(second), 10**8 + second * 10**5, 3, 20) for second in range(0, 900, 10))
    whole = Account(3, 2, 1, 0, 0, 0)

    def record(account=whole, readings=flat, left=()) -> Record:
        return Record(900.0, (Part("batch", readings, account),), (), left)

    assert is_good(record())
    assert not is_good(record(Account(3, 2, 0, 1, 0, 0))) and not is_good(record(Account(3, 3, 0, 0, 1, 0)))
    assert not is_good(record(Account(3, 3, 0, 0, 0, 1)))
    assert not is_good(record(Account(0, 0, 0, 0, 0, 0)))
    assert not is_good(record(readings=rising)) and not is_good(record(left=("file",)))
