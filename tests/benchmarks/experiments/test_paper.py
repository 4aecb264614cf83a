"""The paper's tables, on sites made up here: the real ones are not part of the project."""

from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.datasets.spider import SpiderPage
from benchmarks.experiments.paper_tables.learners import average_looks, fit_boosted, fit_svm
from benchmarks.experiments.paper_tables.name_features import NameTable, best_cut, ceiling
from benchmarks.experiments.paper_tables.name_svm import Cell, divide, divide_hosts, site_cells
from benchmarks.experiments.paper_tables.tables import below, figures, markdown, within_reach
from benchmarks.experiments.paper_tables.text_lengths import AS_RUN, length_cells, run_as_published
from benchmarks.experiments.paper_tables.unseen_sites import chaos_cells, hold_out_features, label_page_by_gold, read_chaos
from sightread.labeling.published import label_site_as_published
from sightread.render.page import Block, Box, Element, Page

WORDS = ["river", "bridge", "council", "winter", "market", "song", "letter", "garden", "stone", "harbour", "light", "morning", "road"]


def page(number: int, host: str = "a.example", names: Sequence[str] = ("p", "q")) -> Page:
    """Three links, then four paragraphs of one look, their title's words among them, then a comment; `names` are the tags of the two."""
    chance = np.random.default_rng(number)
    texts = [" ".join(chance.choice(WORDS, 30)) + "." for _ in range(4)]
    elements = [Element("body", -1), Element("div", 0)]
    elements += [*(Element("li", 0) for _ in range(3)), *(Element(names[0], 1, f"p{number}") for _ in texts)]
    elements += [Element("div", 0), Element(names[1], 9)]
    blocks = [Block(f"Menu {row}", 2 + row, 0, Box(0, 20 * row, 100, 18), link_chars=6) for row in range(3)]
    blocks += [Block(text, 5 + row, 1, Box(200, 100 * row, 600, 90)) for row, text in enumerate(texts)]
    blocks.append(Block(" ".join(chance.choice(WORDS, 25)), 10, 2, Box(200, 500, 600, 30)))
    styles = tuple({"color": "gray", "quotes": name} for name in ("none", *names))
    return Page(f"http://{host}/{number}", "", "imported", tuple(elements), tuple(blocks), styles, titles=(texts[0][:60],))


PAGES = [page(number) for number in range(8)]
CONTENT = [0, 0, 0, 1, 1, 1, 1, 0]


def test_the_published_labels_are_one_cluster_of_the_whole_site():
    labels = label_site_as_published(PAGES).labels
    assert [of_page.tolist() for of_page in labels] == [CONTENT] * len(PAGES)


def test_a_page_that_the_winning_cluster_misses_is_boilerplate_as_published():
    other = page(9, names=("span", "q"))
    assert label_site_as_published([*PAGES, other]).labels[-1].sum() == 0


def test_the_gold_text_picks_one_cluster_of_the_page():
    first = PAGES[0]
    assert label_page_by_gold(first, "\n".join(block.text for block in first.blocks[3:7])).tolist() == CONTENT
    assert label_page_by_gold(first, first.blocks[7].text).tolist() == [0, 0, 0, 0, 0, 0, 0, 1]


def test_a_site_of_one_template_is_learned_from_every_kind_of_name():
    cells = {cell.table: cell for cell in site_cells("npr", PAGES, label_site_as_published(PAGES).labels, "published")}
    assert [cells[table].f1 for table in ("T2", "T6", "T7", "T8")] == [1, 1, 1, 1]
    assert set(cells) == {"T2", "T6", "T7", "T8"}


def test_the_ceiling_is_what_equal_blocks_allow():
    table = NameTable([PAGES[0]], ("path",))
    labels = np.array([0, 0, 0, 1, 1, 1, 0, 0], np.int8)
    assert ceiling(table, labels) == pytest.approx(2 * 3 / (4 + 3))


def test_unlabelled_blocks_are_not_learned_from():
    labels = np.array(CONTENT * 2, np.int8)
    table = NameTable(PAGES[:2], ("style",))
    trained = np.ones(16, np.bool_)
    labels[8:] = [1, 1, 1, 0, 0, 0, 0, 1]
    assert ((table.decide(np.where(table.page == 1, -1, labels).astype(np.int8), trained) > 0)[:8] == labels[:8]).all()


def test_the_cut_is_where_f1_is_best():
    decision, content = np.array([5.0, 4.0, 3.0, 2.0, 1.0]), np.array([True, True, False, True, False])
    assert best_cut(decision, content) == 1.5
    assert best_cut(decision, np.array([True, False, False, False, False])) == 4.5


@pytest.mark.parametrize("seed", range(5))
def test_copies_share_a_fold(seed: int):
    fold = divide([*PAGES, PAGES[0], PAGES[3]], seed)
    assert (fold[8], fold[9]) == (fold[0], fold[3])
    assert set(fold.tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize("seed", range(5))
def test_no_host_is_in_two_folds(seed: int):
    pages = [page(number, f"{number % 6}.example") for number in range(24)]
    fold = divide_hosts(pages, seed)
    assert all(len(set(fold[host::6].tolist())) == 1 for host in range(6))
    assert set(fold.tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize("fit", [fit_svm, fit_boosted])
def test_a_classifier_finds_a_band_and_takes_a_gap_for_a_value(fit):
    values = np.linspace(0, 1, 400, dtype=np.float32)
    values[::10] = np.nan
    labels = (np.isnan(values) | ((values > 0.3) & (values < 0.6))).astype(np.int8)
    decided = fit(np.column_stack([values] * 4), labels)(np.column_stack([values] * 4)) > 0
    assert (decided == labels).mean() > 0.95


def test_blocks_of_one_look_are_decided_together():
    decided = average_looks(PAGES[0], np.array([-1, -1, -1, 3, -1, 2, 0, -5], np.float64))
    assert decided.tolist() == [-1, -1, -1, 1, 1, 1, 1, -5]


def test_a_page_is_scored_by_a_classifier_that_did_not_see_it():
    seen: list[int] = []

    def fit(features, labels):
        seen.append(len(features))
        return lambda rows: np.full(len(rows), float(len(seen)))

    decisions = hold_out_features(fit, [np.zeros((2, 1), np.float32)] * 3, [np.zeros(2, np.int8)] * 3, np.array([0, 1, 1]))
    assert seen == [4, 2]
    assert [of_page.tolist() for of_page in decisions] == [[1, 1], [2, 2], [2, 2]]


def cells_of_chaos() -> Sequence[Cell]:
    found = []
    for number in range(16):
        made = page(number, f"{number % 4}.example", (("p", "q"), ("q", "p"))[number % 2])
        found.append(SpiderPage(str(number), made, "\n".join(block.text for block in made.blocks[3:7])))
    return list(chaos_cells(read_chaos(found), divisions=1))


def test_relative_features_carry_over_to_other_hosts_and_names_do_not():
    best: dict[str, float] = {}
    for cell in cells_of_chaos():
        if cell.table == "T3":
            kind = "names" if "names" in cell.method else "relative"
            best[kind] = max(best.get(kind, 0.0), cell.f1)
    assert best["relative"] > 0.95 > best["names"], "what is content on one host is the comment on the next"


def test_a_cell_below_the_paper_is_marked_and_explained():
    low = Cell("T8", "npr", "SVM", "published", (0.97, 0.99), 0.995)
    assert below([low]) == [low]
    assert not within_reach(low)
    text = markdown([Cell(table, "npr", "SVM", "published", (1,)) for table in ("T2", "T5", "T6", "T7")] + [low])
    assert "98.0 (100) ▼" in text
    assert "97.0 to 99.0, and 0 of 2 reach it" in text
    assert "99.5" in text


def test_a_cell_that_prints_as_the_papers_is_not_below_it():
    assert below([Cell("T8", "npr", "SVM", "published", (0.9996,))]) == []
    assert within_reach(Cell("T8", "npr", "SVM", "published", (0.97, 1)))


def test_of_several_methods_the_best_counts_and_the_others_are_still_marked():
    cells = [Cell("T5", "npr", method, "published", (f1,)) for method, f1 in (("one cut", 0.84), ("lengths around", 0.89))]
    assert below(cells) == []
    assert below(cells[:1]) == cells[:1]
    assert "84.0 (84.7) ▼" in markdown(cells)


def test_the_figures_of_a_cell_are_in_per_cent():
    found = figures(Cell("T5", "qq", "SVM", "published", (0.46, 0.47), 0.7))
    assert list(found.values()) == ["T5", "qq", "SVM", "published", 46.5, 46.0, 47.0, 2, 70.0, 44.7]
    assert [figures(Cell("T5", "qq", "SVM", "ours", (0.5,)))[name] for name in ("f1", "ceiling", "paper")] == [50, None, None]


def long_and_short(lengths: Sequence[int]) -> Page:
    elements = (Element("body", -1), *(Element("p", 0) for _ in lengths))
    return Page("", "", "imported", elements, tuple(Block("x" * length, row) for row, length in enumerate(lengths, 1)))


def test_the_lengths_beside_a_block_tell_a_short_paragraph_from_a_short_link():
    pages = [long_and_short([20, 20, 20, 300, 20, 300, 310 + number, 20, 20]) for number in range(8)]
    labels = [np.array([0, 0, 0, 1, 1, 1, 1, 0, 0], np.int8)] * 8
    cells = {cell.method: cell for cell in length_cells("npr", pages, labels, "published", divisions=3)}
    assert cells["text length"].f1 == pytest.approx(6 / 7)
    assert cells["text lengths, with its neighbours'"].f1 == 1
    assert cells["text length"].ceiling == pytest.approx(6 / 7)
    assert len(cells[AS_RUN].runs) == len(cells["text length"].runs) == 3


def test_the_authors_own_run_is_a_new_division_for_each_seed_and_knows_no_unknown_blocks():
    pages = [long_and_short([20, 30, 40 + 7 * number, 300, 90 + 10 * number]) for number in range(8)]
    truth = np.array([0, 0, 0, 1, 1] * 8, np.int8)
    found = [run_as_published(pages, truth, seed) for seed in (0, 0, 1, 2, 3)]
    assert found[0] == found[1]
    assert len(set(found)) > 1
    truth[5:] = -1
    assert 0 <= run_as_published(pages, truth, 0) <= 1
