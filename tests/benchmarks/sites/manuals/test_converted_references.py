"""Packaged pages that are copied with changes, and manuals that are short."""

from __future__ import annotations

import pytest

from benchmarks.sites.manuals import converted_references
from benchmarks.sites.manuals.converted_references import copy_imagemagick, copy_macaulay
from benchmarks.sites.manuals.manual import Manual, manual_pages
from sightread.render.errors import Rejected


def test_empty_elements_of_xhtml_do_not_swallow_the_text_after_them(tmp_path, monkeypatch):
    source, project = tmp_path / "source", tmp_path / "project"
    (source / "www").mkdir(parents=True)
    (source / "images").mkdir()
    page = "<html><body><iframe src='https://example.org/'/><a id='top'/><main>text<br/>more</main><script src='a.js'/></body></html>"
    (source / "www/fx.html").write_text(page)
    (tmp_path / "bootstrap.css").write_text("a {}")
    monkeypatch.setattr(converted_references, "IMAGEMAGICK", source)
    monkeypatch.setattr(converted_references, "BOOTSTRAP", tmp_path / "bootstrap.css")
    copy_imagemagick(project)
    written = (project / "html/www/fx.html").read_text()
    assert '<a id="top"></a><main>text<br>more</main>' in written
    assert "iframe" not in written
    assert "script" not in written
    assert (project / "html/www/css/magick.css").read_text().startswith("a {}")


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(converted_references, "MACAULAY", tmp_path)
    with pytest.raises(Rejected, match="apt-get install macaulay2-common"):
        copy_macaulay(tmp_path)


def test_a_short_manual_has_the_pages_that_it_says(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.html").write_text(f"<p>{'text ' * 100}</p>")
    assert len(manual_pages(Manual("short", "none", "none", "", "*.html", "//p", count=2), 25, tmp_path)) == 2
    with pytest.raises(Rejected, match="3 pages with text, wanted 25"):
        manual_pages(Manual("whole", "none", "none", "", "*.html", "//p"), 25, tmp_path)
