"""Web2Text's benchmark: its labels of leaves, the pages that it reads, and its tables."""

import gzip
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from benchmarks.experiments.extraction import web2text
from sightread.classify.training import web2text as web2text_training

MENU = "<ul><li><a href=/>Home page</a> | <a href=/>All news</a></li></ul>"
STORY = "<p>The <b>harbour</b> - an old one - was quiet, and {word} ships lay there.</p>"


def write_set(folder: Path, count: int) -> None:
    """Write a set in the form of CleanEval's; every third page is of its development set."""
    records = []
    for number in range(count):
        story = STORY.format(word=number)
        gold = story.replace("<p>", "").replace("</p>", "").replace("<b>", "").replace("</b>", "")
        html = f"<body>{MENU}<div>{story * (1 + number % 4)}</div><p><a href=/>Imprint</a></p></body>"
        split = "final" if number % 3 else "dev"
        records.append({"id": str(number), "url": None, "html": html, "text": gold * (1 + number % 4), "split": split})
    (folder / "cleaneval").mkdir()
    lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    (folder / "cleaneval" / "pages.jsonl.gz").write_bytes(gzip.compress(lines))


def test_a_leaf_is_content_where_two_thirds_of_it_are_gold() -> None:
    texts = ("Menu", "one two three four five six", "one two three - a much longer sentence that nobody chose")
    assert web2text.leaf_labels(texts, "one two three four five six").tolist() == [0, 1, 0]


def test_a_leaf_without_letters_goes_with_both_its_neighbours() -> None:
    texts = ("|", "First part of the story", "—", "second part of the story", "*", "Menu", "|", "Imprint", "…")
    assert web2text.leaf_labels(texts, "First part of the story second part of the story").tolist() == [0, 1, 1, 1, 0, 0, 0, 0, 0]


def test_leaves_without_any_letters_are_boilerplate() -> None:
    assert web2text.leaf_labels(("|", "—"), "gold").tolist() == [0, 0]


def test_the_pages_come_with_their_labels_words_and_split(tmp_path: Path) -> None:
    write_set(tmp_path, 4)
    samples = list(web2text.read_cleaneval(tmp_path))
    assert [sample.is_development for sample in samples] == [True, False, False, True]
    first = samples[0]
    assert len(first.features.blocks) == 7
    assert first.labels.tolist() == [0, 0, 0, 1, 1, 1, 0]
    assert first.words.tolist() == [2, 1, 2, 1, 1, 12, 1]


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed: sightread[neural] trains neural models")
def test_both_splits_are_trained_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web2text_training, "OPTIONS", web2text_training.TrainingOptions(steps=100))
    monkeypatch.setattr(web2text, "HELD_OUT", 2)
    monkeypatch.setattr(web2text, "LARGER", (12, 4))
    write_set(tmp_path, 24)
    assert web2text.run(tmp_path, 1) == 0
    reported = capsys.readouterr().out
    assert "16 pages tested" in reported
    assert "8 pages tested" in reported
    rows = [line for line in reported.splitlines() if line.startswith("| pairs count 0.1")]
    assert len(rows) == 2
    for row in rows:
        assert float(row.split("|")[5].split()[0]) > 0.9
