"""What belongs to the blocks that a model keeps: the headline, and the first rows of tables."""

import numpy as np
import pytest

from classify.belonging import belonging
from render.static import read_html

DATA = "<tr><td>KEEP one<td>KEEP 1<tr><td>KEEP two<td>2"


def belongs(html: str) -> set[str]:
    """The texts that belong to those that begin with KEEP."""
    page = read_html(f"<html><head><title>What it is - Site</title></head><body>{html}", "https://example.org/")
    kept = np.array([block.text.startswith("KEEP") for block in page.blocks])
    return {page.blocks[row].text for row in belonging(page, kept)}


def test_the_headline_belongs_where_it_stands_before_what_is_kept() -> None:
    assert belongs("<h2>What it is</h2><h1>What it is</h1><p>KEEP") == {"What it is"}
    assert belongs("<h1>Another thing</h1><p>KEEP") == set()
    assert belongs("<p>KEEP<h1>What it is</h1>") == set()


@pytest.mark.parametrize("head", ["<tr><th>Name<th>Size", "<thead><tr><td>Name<td>Size<tbody>", "<tr><td><h3>Name</h3><td><b>Size</b>"])
def test_the_first_row_of_a_table_belongs_to_its_others(head: str) -> None:
    assert belongs(f"<p>KEEP this<table>{head}{DATA}</table>") == {"Name", "Size"}


def test_a_table_inside_a_cell_has_a_head_of_its_own() -> None:
    html = f"<table><tr><td>Menu<td>Search<tr><td><table><tr><th>Name<th>Size{DATA}</table><td>Advertisement</table>"
    assert belongs(html) == {"Name", "Size"}


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td><p>Home<p>News<td>Search<tr><td>KEEP one<td>KEEP 1<tr><td>KEEP two<td>KEEP 2",
        "<tr><td>Home<td>Search<tr><td>KEEP one<td>KEEP 1",
        "<tr><td>Home<td>Search<tr><td>KEEP one<tr><td>KEEP two",
        f"<tr><td>Home<td>Search{DATA}<tr><td>KEEP {'long ' * 100}<td>x",
        f"<tr><td>Home<td>Search{DATA}<tr><td>{'Not wanted at all. ' * 10}<td>x",
    ],
    ids=["cells of several blocks", "one row", "one column", "a cell of prose", "less than half is kept"],
)
def test_a_table_that_arranges_a_page_has_no_head(table: str) -> None:
    assert belongs(f"<table>{table}</table>") == set()
