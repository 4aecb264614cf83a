"""Pages in disguise: what may differ from the page, and what may not."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.model import Prediction
from sightread.classify.training.dataset import FOREIGN, TrainingBlocks, augment
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Rows
from sightread.render.static.parse import read_html

MENU = "".join(f'<li class="item"><a href="/{row}">Place {row}</a>' for row in range(20))
LINE = "which goes on until it is as long as one that people write"
STORY = "".join(f"<p>Paragraph {row} of the story, {LINE}.<img src=/{row}.jpg alt=Picture></p>" for row in range(12))
PAGE = read_html(
    f'<title>A story</title><nav class="menu" role="navigation"><ul>{MENU}</ul></nav>'
    f'<article class="story"><h1>A story</h1>{STORY}</article><footer id="end">All rights reserved</footer>',
    "https://a.example/story",
)
CONTENT = np.array([block.text.startswith("Paragraph") for block in PAGE.blocks])
LABELS = CONTENT.astype(np.int8)
OTHER = read_html(
    f"<title>Elsewhere</title><main><p>What stands elsewhere, {LINE}.</p></main>"
    + "".join(f'<aside id="a{box}">' + f"<p>Advertisement for a thing, {LINE}.</p>" * 5 + "</aside>" for box in range(4)),
    "https://b.example/",
)
OWN = {block.text: is_content for block, is_content in zip(PAGE.blocks, CONTENT.tolist(), strict=True)}
OTHERS = np.array([block.text.startswith("What") for block in OTHER.blocks])
SEEDS = st.integers(0, 10_000)


def disguised(seed: int, content: Bools = CONTENT) -> tuple[Page, Rows]:
    return augment(PAGE, content, OTHER, OTHERS, seed)


def own(page: Page) -> list[int]:
    """Return the rows of what is of the page itself."""
    return [row for row, block in enumerate(page.blocks) if block.text in OWN]


@given(SEEDS)
def test_every_block_keeps_its_text_and_is_known_by_its_row(seed: int) -> None:
    page, rows = disguised(seed)
    assert [block.text for block in page.blocks if block.text in OWN] == [PAGE.blocks[row].text for row in rows if row != FOREIGN]
    assert [block.text in OWN for block in page.blocks] == (rows != FOREIGN).tolist()
    assert (np.diff(rows[rows != FOREIGN]) > 0).all()
    assert CONTENT[rows[rows != FOREIGN]].any()


@given(SEEDS)
def test_a_seed_gives_one_disguise(seed: int) -> None:
    first, second = disguised(seed), disguised(seed)
    assert first[0] == second[0]
    assert (first[1] == second[1]).all()


@given(SEEDS)
def test_pictures_stand_behind_the_same_text(seed: int) -> None:
    page, _ = disguised(seed)
    left = {block.text for block in page.blocks}
    for image, page_with in zip(PAGE.images, page.images, strict=True):
        before = [block.text for block in PAGE.blocks[: image.before] if block.text in left]
        assert [page.blocks[row].text for row in own(page) if row < page_with.before] == before


def test_names_are_lost_on_some_pages_and_elements_that_shared_one_still_do_on_others() -> None:
    disguises = [disguised(seed)[0] for seed in range(60)]
    menus = [[page.elements[block.element] for block in page.blocks if block.text.startswith("Place")] for page in disguises]
    classes = [{element.classes for element in menu} for menu in menus]
    assert all(len(of_page) <= 1 for of_page in classes)
    assert {"li", "div", "p", "td"} <= {element.tag for menu in menus for element in menu}
    assert {frozenset(of_page) for of_page in classes} >= {frozenset([()]), frozenset([("item",)])}
    assert any(name.startswith("x") for of_page in classes for names in of_page for name in names)
    assert any(not any(block.heading for block in page.blocks) for page in disguises)
    assert {"nav", "div"} <= {element.tag for page in disguises for element in page.elements}


def test_some_pages_say_less_and_some_stand_alone() -> None:
    found = [CONTENT[rows[rows != FOREIGN]] for _, rows in map(disguised, range(60))]
    amounts = [(int(content.sum()), int((~content).sum())) for content in found]
    whole = (int(CONTENT.sum()), int((~CONTENT).sum()))
    assert whole in amounts
    assert any(content < whole[0] / 2 and rest == whole[1] for content, rest in amounts)
    assert any(content == whole[0] and rest < whole[1] / 2 for content, rest in amounts)


def test_a_page_without_content_loses_nothing() -> None:
    assert all(len(own(disguised(seed, CONTENT & False)[0])) == len(CONTENT) for seed in range(20))


def test_some_pages_stand_among_whole_boxes_of_another() -> None:
    pages = [disguised(seed)[0] for seed in range(60)]
    boxes = [Counter(block.element for block in page.blocks if block.text.startswith("Advertisement")) for page in pages]
    assert not all(boxes)
    assert {len(of_page) for of_page in boxes} == {0, 15, 5, 10}
    hosts = {page.elements[page.elements[row].parent].parent for page, of_page in zip(pages, boxes, strict=True) for row in of_page}
    assert len(hosts) > 1


class UnsureTeacher:
    """A teacher that only doubts short texts more than long ones."""

    name = "unsure"

    def predict(self, page: Page) -> Prediction:
        return Prediction(np.array([0.5 if len(block.text) > len(LINE) else 0.25 for block in page.blocks]))


def test_pages_that_a_teacher_labels_are_learned_from_with_a_copy_but_not_their_words() -> None:
    training = TrainingBlocks.of([PAGE], [LABELS], unlabelled=[PAGE] * 9, teacher=UnsureTeacher())
    assert len(training.outlines) == len(training.fold) == len(training.taught) == len(training.natural) == 1 + 9 + 9
    assert training.plain.sum() == training.natural_blocks.sum() == len(LABELS) < training.known.sum() - len(LABELS)
    assert {*training.content[training.plain].tolist()} == {0, 1}
    of_unlabelled, of_copies = (training.content[(training.page > before) & (training.page <= before + 9)] for before in (0, 9))
    assert {*of_unlabelled.tolist()} == {0.25, 0.5}
    assert {*of_copies.tolist()} == {0.0, 0.25, 0.5}


def test_words_are_not_learned_from_generated_text_but_names_are() -> None:
    training = TrainingBlocks.of([PAGE, PAGE], [LABELS, LABELS], generated=[False, True])
    assert training.plain.sum() == 2 * training.natural_blocks.sum() == 2 * len(LABELS)
    assert set(training.page[training.natural_blocks].tolist()) == {0}
    assert training.taught.tolist() == [False, False, True]


def test_what_is_unknown_of_a_page_is_unknown_of_its_copy() -> None:
    training = TrainingBlocks.of([PAGE], [np.where(CONTENT, 1, -1).astype(np.int8)], generated=[True])
    blocks = training.outlines[1].page.blocks
    assert training.known[training.page == 1].tolist() == [OWN.get(block.text, True) for block in blocks]
