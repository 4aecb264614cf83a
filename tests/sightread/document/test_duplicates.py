"""What a page holds twice, and what only repeats itself."""

from dataclasses import replace

import numpy as np

from sightread.document.selection import find_duplicates
from sightread.render.page import Box
from sightread.render.static.parse import read_html

NIGHT, LATER = "The ferry runs all night long, twice an hour.", "It will not run in the coming winter, says the council."


def rows_of(html, probabilities=None):
    page = read_html(html)
    chance = np.full(len(page.blocks), 0.9) if probabilities is None else np.array(probabilities)
    return tuple(row for row in range(len(page.blocks)) if row not in find_duplicates(page, range(len(page.blocks)), chance))


def shown_rows_of(html, hidden=()):
    """The rows that stay of a page whose blocks are shown but for the hidden ones, if prose that is shown twice is kept."""
    page = read_html(html)
    blocks = (
        replace(block, hidden="display" if row in hidden else "", box=None if row in hidden else Box(0, 20 * row, 300, 18))
        for row, block in enumerate(page.blocks)
    )
    page = replace(page, blocks=tuple(blocks))
    copies = find_duplicates(page, range(len(page.blocks)), np.full(len(page.blocks), 0.9), keep_prose=True)
    return tuple(row for row in range(len(page.blocks)) if row not in copies)


def test_of_a_text_for_wide_and_for_narrow_screens_one_stays():
    assert rows_of(f"<div class=wide><p>{NIGHT}<p>{LATER}</div><div class=narrow><p>{NIGHT}<p>{LATER}</div>") == (0, 1)


def test_the_likeliest_copy_stays():
    assert rows_of(f"<div class=teaser><p>{NIGHT}</div><div class=post><p>{NIGHT}</div>", [0.6, 0.9]) == (1,)


def test_what_is_repeated_in_like_places_stays():
    step = f"<li><p>{NIGHT}"
    assert rows_of(f"<ul>{step * 4}</ul>") == (0, 1, 2, 3)


def test_a_table_keeps_the_cells_that_another_place_says_too_unless_it_says_nothing_else():
    table = f"<table><tr><th>Line<th>Runs<tr><td>Night<td>{NIGHT}<tr><td>Winter<td>{LATER}</table>"
    assert len(rows_of(f"<div class=lead><p>{NIGHT}</div>{table}")) == 7
    assert rows_of(f"<div class=lead><p>{NIGHT}</div><table><tr><td>{NIGHT}</table>") == (0,)


def test_short_texts_are_no_copies():
    assert rows_of("<div class=a><p>All day</div><div class=b><p>All day</div>") == (0, 1)


def test_a_copy_that_was_not_kept_takes_nothing_away():
    page = read_html(f"<div class=teaser><p>{NIGHT}</div><div class=post><p>{NIGHT}</div>")
    assert find_duplicates(page, [0], np.array([0.6, 0.9])) == frozenset()


def test_prose_that_is_shown_twice_can_be_kept_twice():
    twice = f"<div class=summary><p>{NIGHT}</div><div class=details><p>{NIGHT}</div>"
    assert shown_rows_of(twice) == (0, 1)
    assert shown_rows_of(twice, hidden=(1,)) == (0,)
    assert shown_rows_of(twice.replace("<p>", "<h2>")) == (0,)
    assert shown_rows_of(f"<div class=teaser><p><a href=/x>{NIGHT}</a></div><div class=post><p>{NIGHT}</div>") == (0,)
