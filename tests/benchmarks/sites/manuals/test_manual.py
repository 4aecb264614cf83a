"""Gold text of packaged pages."""

from __future__ import annotations

from benchmarks.sites.manuals.manual import Manual, manual_pages

PAGE = f"<body>[ <a href='a'>Up</a> |\n Next ]<h1>Next</h1><p>{'text ' * 100}</p></body>"


def test_lines_beside_dropped_links_are_left_out(tmp_path):
    (tmp_path / "a.html").write_text(PAGE)
    manual = Manual("links", "none", "none", "", "*.html", "//body", "./a", count=1, drop_lines=r"(?=.*[\[\]|])(Next|[\[\]| ])*")
    ((_, _, gold),) = manual_pages(manual, 1, tmp_path)
    assert gold.split("\n")[0] == "Next"
    assert "[" not in gold


def test_lines_stay_without_a_pattern(tmp_path):
    (tmp_path / "a.html").write_text(PAGE)
    ((_, _, gold),) = manual_pages(Manual("links", "none", "none", "", "*.html", "//body", "./a", count=1), 1, tmp_path)
    assert gold.split("\n")[:3] == ["[ |", "Next ]", "Next"]
