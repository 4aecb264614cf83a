"""Digests before and after a refactoring."""

from benchmarks.experiments.snapshot import compare


def test_what_differs_is_counted_by_kind_and_named(capsys):
    before = {"markdown @ a": "1", "markdown @ b": "2", "labels @ npr": "3", "text @ a": "4"}
    assert compare(before, before) == 0
    assert compare(before, {"markdown @ a": "9", "markdown @ b": "8", "labels @ npr": "3", "tei @ a": "5"}) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        "changed: markdown: 2, such as markdown @ a, markdown @ b",
        "missing: text: 1, such as text @ a",
        "new: tei: 1, such as tei @ a",
        "2 of 4 digests have changed",
    ]
