"""Pages in disguise: what may differ from the page, and what may not."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from classify.corpus import Corpus
from classify.disguise import disguise
from classify.metrics import CONTENT
from render.static import read_html

MENU = "".join(f'<li class="item"><a href="/{row}">Place {row}</a>' for row in range(20))
LINE = "which goes on until it is as long as one that people write"
STORY = "".join(f"<p>Paragraph {row} of the story, {LINE}.<img src=/{row}.jpg alt=Picture></p>" for row in range(12))
PAGE = read_html(
    f'<title>A story</title><nav class="menu" role="navigation"><ul>{MENU}</ul></nav>'
    f'<article class="story"><h1>A story</h1>{STORY}</article><footer id="end">All rights reserved</footer>',
    "https://a.example/story",
)
LABELS = np.array([block.text.startswith("Paragraph") for block in PAGE.blocks], np.int8)
SEEDS = st.integers(0, 10_000)


@given(SEEDS)
def test_every_block_keeps_its_text_and_its_label(seed: int) -> None:
    page, labels = disguise(PAGE, LABELS, seed)
    said = dict(zip((block.text for block in PAGE.blocks), LABELS, strict=True))
    assert [said[block.text] for block in page.blocks] == labels.tolist()
    texts = [block.text for block in page.blocks]
    assert texts == [block.text for block in PAGE.blocks if block.text in set(texts)]
    assert (labels == CONTENT).any()


@given(SEEDS)
def test_a_seed_gives_one_disguise(seed: int) -> None:
    first, second = disguise(PAGE, LABELS, seed), disguise(PAGE, LABELS, seed)
    assert first[0] == second[0]
    assert (first[1] == second[1]).all()


@given(SEEDS)
def test_pictures_stand_behind_the_same_text(seed: int) -> None:
    page, _ = disguise(PAGE, LABELS, seed)
    left = {block.text for block in page.blocks}
    for image, disguised in zip(PAGE.images, page.images, strict=True):
        before = [block.text for block in PAGE.blocks[: image.before] if block.text in left]
        assert [block.text for block in page.blocks[: disguised.before]] == before


def test_names_are_lost_on_some_pages_and_elements_that_shared_one_still_do_on_others() -> None:
    disguises = [disguise(PAGE, LABELS, seed)[0] for seed in range(60)]
    classes = [{element.classes for element in page.elements if element.tag == "li"} for page in disguises]
    assert all(len(of_page) <= 1 for of_page in classes)
    assert {frozenset(of_page) for of_page in classes} >= {frozenset([()]), frozenset([("item",)])}
    assert any(name.startswith("x") for of_page in classes for names in of_page for name in names)
    assert any(not any(block.heading for block in page.blocks) for page in disguises)
    assert {"nav", "div"} <= {element.tag for page in disguises for element in page.elements}


def test_some_pages_say_less_and_some_stand_alone() -> None:
    amounts = [(int((labels == 1).sum()), int((labels == 0).sum())) for _, labels in (disguise(PAGE, LABELS, seed) for seed in range(60))]
    whole = (int((LABELS == 1).sum()), int((LABELS == 0).sum()))
    assert whole in amounts
    assert any(content < whole[0] / 2 and rest == whole[1] for content, rest in amounts)
    assert any(content == whole[0] and rest < whole[1] / 2 for content, rest in amounts)


def test_a_page_without_content_loses_nothing() -> None:
    nothing = np.zeros(len(LABELS), np.int8)
    assert all(len(disguise(PAGE, nothing, seed)[1]) == len(LABELS) for seed in range(20))


def test_words_are_learned_from_pages_as_they_are() -> None:
    corpus = Corpus.of([PAGE, PAGE], [LABELS, LABELS])
    assert corpus.real * 2 == len(corpus.outlines) == len(corpus.fold)
    assert corpus.plain.sum() == 2 * len(LABELS) < corpus.known.sum()
