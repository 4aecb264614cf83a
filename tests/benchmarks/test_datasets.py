"""Data sets read as they were published, and as the data folder holds them; and gold labels aligned from gold text."""

import gzip
import json
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from benchmarks.alignment.align import GAP_COST, align, align_moved, settle
from benchmarks.alignment.gold_labels import CONTENT_SHARE, align_blocks, gold_labels, match_gold
from benchmarks.datasets.folder import data_folder, read_lines
from benchmarks.datasets.originals import read_gold
from benchmarks.datasets.samples import Sample, read_samples
from benchmarks.datasets.spider import REFERENCES, SITES, reference_labels
from benchmarks.experiments.learning.portals import Stored, read_portals
from sightread.render.errors import BadRecord, Rejected
from sightread.render.labels import BOILERPLATE, CONTENT
from sightread.render.static.parse import read_html

GOLD = "\nURL: http://news.test/a\n<h>Cats &amp; dogs\n\n<p>It rained\n the whole &#8220;day&#8221;.</p>\n\n<l>One\n<l>Two\n"
TEXT = "Cats & dogs\nIt rained the whole “day”.\nOne\nTwo"


@pytest.fixture
def portal_folder(tmp_path: Path) -> Path:
    made = tmp_path / "cleanportaleval"
    for name in ("input", "GoldStandard"):
        (made / name).mkdir(parents=True)
    return made


def test_a_gold_text_is_a_paragraph_a_line():
    assert read_gold(GOLD) == ("http://news.test/a", TEXT)


def test_both_forms_give_the_same_pages(portal_folder: Path):
    (portal_folder / "input" / "news.test_front_01.html").write_bytes("<p>Café".encode("cp1252"))
    (portal_folder / "GoldStandard" / "news.test_front_01.txt").write_text(GOLD)
    published = read_portals(portal_folder.parent)
    assert published == [Stored("news.test", "news.test_front_01", "http://news.test/a", "<p>Café", TEXT)]
    line = {"id": "news.test_front_01", "url": "http://news.test/a", "html": "<p>Café", "text": TEXT + "\n<!-- checked -->"}
    (portal_folder / "pages.jsonl.gz").write_bytes(gzip.compress(json.dumps(line).encode()))
    assert read_portals(portal_folder.parent) == published


HTML = "<html><body><p>Menu</p><p>The river rose.</p></body></html>"


def write_files(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def read_set(folder: Path, name: str) -> list[Sample]:
    return list(read_samples(name, folder))


@pytest.mark.parametrize(("pages", "gold"), [("orig", "clean/1.txt"), ("en_original", "en_cleaned/1-cleaned.txt")])
def test_cleaneval_is_read_under_either_name_and_without_its_wrapper(tmp_path: Path, pages: str, gold: str):
    files = {
        f"{pages}/1.html": f'<text id="1" title="x">\n{HTML}\n</text>\n',
        gold: " URL: http://a.test/\n\n<h>Head\n<p>The river\nrose.\n",
    }
    write_files(tmp_path / "cleaneval", files)
    assert read_set(tmp_path, "cleaneval") == [Sample("cleaneval", f"{pages}_1", "http://a.test/", HTML, "Head\nThe river rose.")]


def test_scrapinghub_s_pages_are_packed(tmp_path: Path):
    truth = {"ab": {"articleBody": "The river rose.", "url": "http://a.test/"}, "cd": {"articleBody": "Lost.", "url": ""}}
    write_files(tmp_path / "scrapinghub", {"html/ab.html.gz": gzip.compress(HTML.encode()), "ground-truth.json": json.dumps(truth)})
    assert read_set(tmp_path, "scrapinghub") == [Sample("scrapinghub", "ab", "http://a.test/", HTML, "The river rose.")]


def write(path: Path, *lines: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines)))


@pytest.mark.parametrize("line", [b"not json", b"[1, 2]", b'{"id": '])
def test_a_damaged_line_is_a_bad_record_with_its_number(tmp_path: Path, line: bytes):
    write(tmp_path / "lines.gz", b"{}", line)
    lines = read_lines(tmp_path / "lines.gz")
    assert next(lines) == {}
    with pytest.raises(BadRecord, match=r"lines\.gz line 2: "):
        next(lines)


def test_the_folder_of_the_data_is_named_by_option_or_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SIGHTREAD_DATA", str(tmp_path))
    assert data_folder(None) == tmp_path
    (tmp_path / "other").mkdir()
    assert data_folder(tmp_path / "other") == tmp_path / "other"
    monkeypatch.delenv("SIGHTREAD_DATA", raising=False)
    with pytest.raises(Rejected, match="name their folder with --data or SIGHTREAD_DATA"):
        data_folder(None)
    with pytest.raises(Rejected, match="missing: no such folder"):
        data_folder(tmp_path / "missing")


def test_a_block_of_the_articles_container_is_content_but_for_the_boilerplate_in_it():
    assert tuple(REFERENCES) == SITES
    page = read_html("""<div id=storytext><p>Text<div class=internallink><h3>Another story</h3></div></div>
        <div class=storytitle><h1>Title</h1></div><p>Footer""")
    labelled = dict(zip((block.text for block in page.blocks), reference_labels("npr", page).tolist(), strict=True))
    assert labelled == {"Text": 1, "Another story": 0, "Title": 1, "Footer": 0}


MENU = ["Home", "News", "Sport", "About us", "Sign in"]
FOOTER = ["Terms of use", "© 2024 Valley News"]
FIRST_SENTENCE = "The river rose by two metres overnight and flooded the lower town."
SECOND_SENTENCE = "Nobody was hurt, but forty families had to leave their houses."
THIRD_SENTENCE = "The mayor thanked the fire brigade for its quick work."


def kept(texts: list[str], gold: str) -> list[str]:
    """Return the texts of the blocks that are content."""
    return [text for text, share in zip(texts, align_blocks(texts, gold), strict=True) if share >= CONTENT_SHARE]


def test_the_blocks_that_the_gold_text_holds_are_content() -> None:
    assert kept([*MENU, FIRST_SENTENCE, "Advertisement", SECOND_SENTENCE, *FOOTER], f"{FIRST_SENTENCE}\n\n{SECOND_SENTENCE}") == [
        FIRST_SENTENCE,
        SECOND_SENTENCE,
    ]


def test_labels_come_one_a_block_hidden_blocks_included() -> None:
    page = read_html(f"<nav><a>Home</a></nav><p>{FIRST_SENTENCE}<p hidden>{SECOND_SENTENCE}<p hidden>Please sign in to comment")
    labels = gold_labels(page, f"{FIRST_SENTENCE} {SECOND_SENTENCE}")
    assert [block.hidden for block in page.blocks] == ["", "", "display", "display"]
    assert labels.tolist() == [BOILERPLATE, CONTENT, CONTENT, BOILERPLATE]
    assert labels.dtype == np.int8


def test_text_that_is_missing_from_the_page_is_not_strewn_over_its_menus() -> None:
    missing = "No new sports hall is to be signed off, said a member of the home office about the use of us soldiers as its terms ended."
    assert kept([*MENU, FIRST_SENTENCE, *FOOTER], f"{missing} {FIRST_SENTENCE} {missing}") == [FIRST_SENTENCE]


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
        f"• {FIRST_SENTENCE}\n• {SECOND_SENTENCE}\n",
        f"* **{FIRST_SENTENCE}**\n* [{SECOND_SENTENCE}](https://valley.test/news/2024/flood?ref=main)\n",
        f"1. {FIRST_SENTENCE}\n2. {SECOND_SENTENCE}",
        f"<p>{FIRST_SENTENCE}</p>\n<h>{SECOND_SENTENCE}",
        f"{FIRST_SENTENCE}{SECOND_SENTENCE}".replace(" ", ""),
        f"{FIRST_SENTENCE}\n{SECOND_SENTENCE}".upper(),
        f"{SECOND_SENTENCE}\n{FIRST_SENTENCE}",
        f"{FIRST_SENTENCE}\n{SECOND_SENTENCE}".replace("metres", "meters").replace("flooded", "floded"),
        f"{FIRST_SENTENCE} “quoted” — {SECOND_SENTENCE}".replace("two metres", "two\u00a0\u200bmet\u00adres"),
    ],
    ids=["bullets", "markdown", "numbers", "markup", "no spaces", "capitals", "another order", "typing errors", "invisible characters"],
)
def test_the_way_the_gold_text_is_written_down_does_not_matter(gold: str) -> None:
    assert kept([*MENU, FIRST_SENTENCE, "Share", SECOND_SENTENCE, *FOOTER], gold) == [FIRST_SENTENCE, SECOND_SENTENCE]


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
    texts = [FIRST_SENTENCE, "Read more", SECOND_SENTENCE, "Advertisement", SECOND_SENTENCE, THIRD_SENTENCE]
    assert align_blocks(texts, f"{FIRST_SENTENCE} {SECOND_SENTENCE} {THIRD_SENTENCE}")[[2, 4]].tolist() == [0, 1]
    assert align_blocks(texts, f"{FIRST_SENTENCE} {SECOND_SENTENCE} {SECOND_SENTENCE} {THIRD_SENTENCE}")[[2, 4]].tolist() == [1, 1]
    apart = [SECOND_SENTENCE, *MENU, FIRST_SENTENCE, SECOND_SENTENCE, THIRD_SENTENCE]
    assert align_blocks(apart, f"{FIRST_SENTENCE} {SECOND_SENTENCE} {THIRD_SENTENCE}").tolist() == [0] * 6 + [1, 1, 1], (
        "the copy beside the other content"
    )


@pytest.mark.parametrize("gold", ["", " \n", "• — …"])
def test_empty_gold_makes_every_block_boilerplate(gold: str) -> None:
    match = match_gold([*MENU, FIRST_SENTENCE], gold)
    assert not match.shares.any()
    assert match.found == 1
    assert align_blocks([], FIRST_SENTENCE).shape == gold_labels(read_html("<body>"), FIRST_SENTENCE).shape == (0,)
    assert align_blocks(["", "•", FIRST_SENTENCE, "★★★"], f"• {FIRST_SENTENCE} ★★★").tolist() == [0, 0, 1, 0]
    assert align_blocks(["Ｆｕｌｌ ｗｉｄｔｈ", "STRASSE ①"], "full width straße 1").tolist() == [1, 1]


def test_the_share_of_the_gold_text_that_was_found_tells_the_wrong_page() -> None:
    assert match_gold([*MENU, FIRST_SENTENCE, SECOND_SENTENCE], f"{FIRST_SENTENCE} {SECOND_SENTENCE}").found == 1
    assert match_gold([FIRST_SENTENCE], f"{FIRST_SENTENCE} {SECOND_SENTENCE}").found == pytest.approx(54 / 104)
    assert match_gold(["404", "Not found", *FOOTER], f"{FIRST_SENTENCE} {SECOND_SENTENCE}").found < 0.02


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
