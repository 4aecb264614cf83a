"""Gold labels from gold text: planted pages, awkward texts, and agreement with a plain longest common subsequence."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from benchmarks.alignment.align import GAP_COST, align, align_moved, settle
from benchmarks.alignment.gold_labels import CONTENT_SHARE, align_blocks, gold_labels, match_gold
from sightread.render.labels import BOILERPLATE, CONTENT
from sightread.render.static.parse import read_html

MENU = ["Home", "News", "Sport", "About us", "Sign in"]
FOOTER = ["Terms of use", "© 2024 Valley News"]
FIRST = "The river rose by two metres overnight and flooded the lower town."
SECOND = "Nobody was hurt, but forty families had to leave their houses."
THIRD = "The mayor thanked the fire brigade for its quick work."


def kept(texts: list[str], gold: str) -> list[str]:
    """Return the texts of the blocks that are content."""
    return [text for text, share in zip(texts, align_blocks(texts, gold), strict=True) if share >= CONTENT_SHARE]


def test_the_blocks_that_the_gold_text_holds_are_content() -> None:
    assert kept([*MENU, FIRST, "Advertisement", SECOND, *FOOTER], f"{FIRST}\n\n{SECOND}") == [FIRST, SECOND]


def test_labels_come_one_a_block_hidden_blocks_included() -> None:
    page = read_html(f"<nav><a>Home</a></nav><p>{FIRST}<p hidden>{SECOND}<p hidden>Please sign in to comment")
    labels = gold_labels(page, f"{FIRST} {SECOND}")
    assert [block.hidden for block in page.blocks] == ["", "", "display", "display"]
    assert labels.tolist() == [BOILERPLATE, CONTENT, CONTENT, BOILERPLATE]
    assert labels.dtype == np.int8


def test_text_that_is_missing_from_the_page_is_not_strewn_over_its_menus() -> None:
    missing = "No new sports hall is to be signed off, said a member of the home office about the use of us soldiers as its terms ended."
    assert kept([*MENU, FIRST, *FOOTER], f"{missing} {FIRST} {missing}") == [FIRST]


def test_two_thirds_of_a_block_are_enough_and_less_is_not() -> None:
    shares = align_blocks(
        ["abcdefghijklmnopqrst" + "0" * 10, "uvwxyzabcdefghijklmn" + "1" * 11], "abcdefghijklmnopqrst uvwxyzabcdefghijklmn"
    )
    assert shares.tolist() == [20 / 30, 20 / 31]
    page = read_html("<p>abcdefghijklmnopqrst0000000000<p>uvwxyzabcdefghijklmn11111111111")
    assert gold_labels(page, "abcdefghijklmnopqrst uvwxyzabcdefghijklmn").tolist() == [CONTENT, BOILERPLATE]


@pytest.mark.parametrize(
    "gold",
    [
        f"• {FIRST}\n• {SECOND}\n",
        f"* **{FIRST}**\n* [{SECOND}](https://valley.test/news/2024/flood?ref=main)\n",
        f"1. {FIRST}\n2. {SECOND}",
        f"<p>{FIRST}</p>\n<h>{SECOND}",
        f"{FIRST}{SECOND}".replace(" ", ""),
        f"{FIRST}\n{SECOND}".upper(),
        f"{SECOND}\n{FIRST}",
        f"{FIRST}\n{SECOND}".replace("metres", "meters").replace("flooded", "floded"),
        f"{FIRST} “quoted” — {SECOND}".replace("two metres", "two\u00a0\u200bmet\u00adres"),
    ],
    ids=["bullets", "markdown", "numbers", "markup", "no spaces", "capitals", "another order", "typing errors", "invisible characters"],
)
def test_the_way_the_gold_text_is_written_down_does_not_matter(gold: str) -> None:
    assert kept([*MENU, FIRST, "Share", SECOND, *FOOTER], gold) == [FIRST, SECOND]


@pytest.mark.parametrize(
    ("content", "boilerplate"),
    [
        (["昨晚河水上涨两米，淹没了下城区。", "没有人受伤", "市长感谢消防队迅速行动。"], ["首页", "体育新闻", "版权所有"]),
        (["แม่น้ำสูงขึ้นสองเมตรในชั่วข้ามคืน", "ไม่มีใครได้รับบาดเจ็บ"], ["หน้าแรก", "กีฬา"]),
        (["नदी रातभर में दो मीटर बढ़ गई।", "किसी को चोट नहीं आई।"], ["मुख्य पृष्ठ", "खेल"]),
        (["ارتفع منسوب النهر مترين خلال الليل", "لم يصب أحد بأذى"], ["الرئيسية", "رياضة"]),
        (["Ｆｕｌｌ　ｗｉｄｔｈ　ｌｅｔｔｅｒｓ", "Straße"], ["ＭＥＮＵ"]),
    ],
    ids=["chinese", "thai", "hindi", "arabic", "full width"],
)
def test_any_script_is_aligned(content: list[str], boilerplate: list[str]) -> None:
    assert kept([*boilerplate, *content, *boilerplate], "\n".join(content)) == content


def test_a_repeated_block_is_content_as_often_as_the_gold_text_repeats_it() -> None:
    texts = [FIRST, "Read more", SECOND, "Advertisement", SECOND, THIRD]
    assert align_blocks(texts, f"{FIRST} {SECOND} {THIRD}")[[2, 4]].tolist() == [0, 1]
    assert align_blocks(texts, f"{FIRST} {SECOND} {SECOND} {THIRD}")[[2, 4]].tolist() == [1, 1]
    apart = [SECOND, *MENU, FIRST, SECOND, THIRD]
    assert align_blocks(apart, f"{FIRST} {SECOND} {THIRD}").tolist() == [0] * 6 + [1, 1, 1], "the copy beside the other content"


@pytest.mark.parametrize("gold", ["", " \n", "• — …"])
def test_empty_gold_makes_every_block_boilerplate(gold: str) -> None:
    match = match_gold([*MENU, FIRST], gold)
    assert not match.shares.any()
    assert match.found == 1
    assert align_blocks([], FIRST).shape == gold_labels(read_html("<body>"), FIRST).shape == (0,)
    assert align_blocks(["", "•", FIRST, "★★★"], f"• {FIRST} ★★★").tolist() == [0, 0, 1, 0]
    assert align_blocks(["Ｆｕｌｌ ｗｉｄｔｈ", "STRASSE ①"], "full width straße 1").tolist() == [1, 1]


def test_the_share_of_the_gold_text_that_was_found_tells_the_wrong_page() -> None:
    assert match_gold([*MENU, FIRST, SECOND], f"{FIRST} {SECOND}").found == 1
    assert match_gold([FIRST], f"{FIRST} {SECOND}").found == pytest.approx(54 / 104)
    assert match_gold(["404", "Not found", *FOOTER], f"{FIRST} {SECOND}").found < 0.02


@pytest.mark.parametrize(("page", "gold", "found"), [("a" * 1_000_000, "a" * 400_000, 1.0), ("ab" * 300_000, "c" + "ba" * 100_000, 0.99)])
def test_text_that_only_repeats_itself_is_aligned(page: str, gold: str, found: float) -> None:
    match = match_gold([page], gold)
    assert match.found >= found
    assert match.shares[0] * len(page) == pytest.approx(match.found * len(gold))


texts_of_few_letters = st.text("abc", max_size=30)


@settings(deadline=None, derandomize=True)
@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_small_texts_get_the_best_alignment(page: str, gold: str) -> None:
    assert score(align(page, gold), len(gold)) == best_score(page, gold)


@settings(deadline=None, derandomize=True)
@given(st.lists(st.text("ab", max_size=5), max_size=8), st.text("ab", max_size=30))
def test_settling_keeps_an_alignment_as_good(texts: list[str], gold: str) -> None:
    page = "".join(texts)
    partner = align(page, gold)
    settled = settle(page, partner, np.cumsum([0, *map(len, texts)]))
    aligned = np.flatnonzero(settled >= 0)
    assert [page[at] for at in aligned] == [gold[at] for at in settled[aligned]]
    assert settled[aligned].tolist() == partner[partner >= 0].tolist()
    assert score(settled, len(gold)) >= score(partner, len(gold))


def test_of_equally_good_alignments_the_one_that_tears_no_block_is_taken() -> None:
    assert align_blocks([FIRST, "Now playing", "Nobody was hurt"], f"{FIRST} Nobody was hurt").tolist() == [1, 0, 1]
    assert align_blocks(["The river rose", "Close", "Nobody was hurt"], "The river rose Nobody was hurt").tolist() == [1, 0, 1]


@settings(deadline=None, derandomize=True)
@given(st.lists(st.text("abcd é字९", min_size=1, max_size=12), min_size=1, max_size=12))
def test_a_page_that_is_all_gold_aligns_fully(texts: list[str]) -> None:
    assert align_blocks(texts, "\n".join(texts)).tolist() == [float(bool(text.strip())) for text in texts]


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.sampled_from(["ab", "abcdefgh"]), st.integers(0, 80))
def test_large_texts_keep_to_the_same_bounds(seed: int, letters: str, errors: int) -> None:
    chance = random.Random(seed)
    page = "".join(chance.choices(letters, k=2000))
    pieces = [page[at : at + chance.randint(5, 300)] for at in sorted(chance.sample(range(2000), 6))]
    gold = list("".join(pieces))
    for at in chance.choices(range(len(gold)), k=errors):
        gold[at] = "z"
    gold_text = "".join(gold)
    partner = align(page, gold_text)
    aligned = np.flatnonzero(partner >= 0)
    assert [page[at] for at in aligned] == [gold_text[at] for at in partner[aligned]]
    assert (np.diff(partner[aligned]) > 0).all()
    assert len(aligned) <= LCSseq.similarity(page, gold_text)
    moved = align_moved(page, gold_text, partner)
    taken = moved[moved >= 0]
    assert len(set(taken.tolist())) == len(taken)
    assert (moved[aligned] == partner[aligned]).all()


def score(partner: np.ndarray, gold_length: int) -> int:
    """Return the aligned characters, less the cost of every stretch of either text that is skipped."""
    aligned = [-1, *np.flatnonzero(partner >= 0).tolist(), len(partner)]
    partners = [-1, *partner[partner >= 0].tolist(), gold_length]
    stretches = sum(int(step > 1) for steps in (np.diff(aligned), np.diff(partners)) for step in steps)
    return len(aligned) - 2 - GAP_COST * stretches


def best_score(page: str, gold: str) -> int:
    """Return the best score of any alignment, by trying every next pair."""

    @cache
    def rest(row: int, column: int) -> int:
        """Return the best score from here on, where the characters before were a pair or the texts' start."""
        best = -GAP_COST * ((row < len(page)) + (column < len(gold)))
        for next_row in range(row, len(page)):
            for next_column in range(column, len(gold)):
                if page[next_row] == gold[next_column]:
                    skipped = (next_row > row) + (next_column > column)
                    best = max(best, 1 - GAP_COST * skipped + rest(next_row + 1, next_column + 1))
        return best

    return rest(0, 0)
