"""The report of performance is made of the experiments' pages: their commands, first figures and pictures."""

from pathlib import Path

import pytest

from benchmarks.experiments.report import DOCS, read_page, write_report
from sightread.render.errors import Rejected

PAGE = """# A thing

Command: `python -m benchmarks thing`

Words about it.

In seconds, [lower](other.md) is better:

| who | seconds |
|---|---|
| ours | 1 |

## Another thing

Command: `python -m benchmarks other`

It holds.

## A thought

No command measured it.
"""


def test_a_report_has_each_command_with_its_first_table(tmp_path):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "thing.md").write_text(PAGE)
    write_report(tmp_path, ())
    text = (tmp_path / "performance.md").read_text()
    assert "### A thing\n\n`python -m benchmarks thing` ([all figures](experiments/thing.md))\n" in text
    assert "[lower](experiments/other.md) is better:\n\n| who | seconds |\n|---|---|\n| ours | 1 |" in text
    assert "### Another thing\n\n`python -m benchmarks other` ([all figures](experiments/thing.md#another-thing))\n\nIt holds.\n" in text
    assert "Words about it" not in text and "A thought" not in text


@pytest.mark.parametrize("path", sorted((DOCS / "experiments").glob("*.md")), ids=lambda path: path.stem)
def test_every_page_of_an_experiment_can_be_read_and_fits_on_two_screens(path):
    assert all(claim.title and claim.figures for claim in read_page(path))
    assert path.read_text("utf-8").count("\n") <= 120


def test_a_page_without_a_title_is_refused(tmp_path):
    path = Path(tmp_path / "page.md")
    path.write_text("Words")
    with pytest.raises(Rejected, match="it has no title"):
        read_page(path)
