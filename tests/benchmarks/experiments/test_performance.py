"""The report of performance is made of the experiments' pages: their commands, first figures and pictures."""

from pathlib import Path

import msgspec
import pytest

from benchmarks.experiments.performance import DOCS, read_page, write_report
from benchmarks.soak.readings import Account, Part, Reading, Record
from sightread.render.errors import Rejected

PAGE = """# A thing

Command: `python -m benchmarks thing`

Words about it.

In seconds, [lower](other.md) is better:

| who | seconds |
|---|---|
| ours | 1 |
"""


def test_a_report_has_each_page_with_its_command_and_first_table(tmp_path):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "thing.md").write_text(PAGE)
    (tmp_path / "scale.svg").write_text("<svg/>")
    part = Part("batch", (Reading(0.0, 10**8, 2, 9), Reading(60.0, 10**8, 2, 9)), Account(3, 3, 0, 0, 0, 0))
    (tmp_path / "experiments" / "soak.json").write_bytes(msgspec.json.encode(Record(60.0, (part,), (), ())))
    write_report(tmp_path, ())
    text = (tmp_path / "performance.md").read_text()
    assert "### A thing\n\n`python -m benchmarks thing` ([all figures](experiments/thing.md))\n" in text
    assert "[lower](experiments/other.md) is better:\n\n| who | seconds |\n|---|---|\n| ours | 1 |" in text
    assert "![soak](images/growth-soak.svg)" in text
    assert "![scale](scale.svg)" in text and "Words about it" not in text


@pytest.mark.parametrize("path", sorted((DOCS / "experiments").glob("*.md")), ids=lambda path: path.stem)
def test_every_page_of_an_experiment_can_be_read(path):
    assert read_page(path).title


def test_a_page_without_a_title_is_refused(tmp_path):
    path = Path(tmp_path / "page.md")
    path.write_text("Words")
    with pytest.raises(Rejected, match="it has no title"):
        read_page(path)
