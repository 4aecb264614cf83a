"""Packaged pages that are copied with changes."""

from __future__ import annotations

from zipfile import ZipFile

import pytest

from benchmarks.sites.manuals import more_manuals
from benchmarks.sites.manuals.more_manuals import convert_natural_docs, copy_scaladoc, unpack_scilab
from sightread.render.errors import Rejected


def test_scaladoc_pages_are_copied_without_the_script_that_leads_to_frames(tmp_path, monkeypatch):
    library, project = tmp_path / "library", tmp_path / "project"
    (library / "lib").mkdir(parents=True)
    (library / "scala/io").mkdir(parents=True)
    (project / "html").mkdir(parents=True)
    script = "<script type='text/javascript'>\n if(top === self) {\n location = 'index.html'; }\n</script>"
    (library / "scala/io/Source.html").write_text(f"<script src='a.js'></script>{script}<p>text</p>")
    monkeypatch.setattr(more_manuals, "SCALA_LIBRARY", library)
    copy_scaladoc(project)
    assert (project / "html/scala/io/Source.html").read_text() == "<script src='a.js'></script><p>text</p>"
    assert (project / "html/lib").is_dir()


def test_scilab_pages_are_unpacked_without_the_pictures_of_its_viewer(tmp_path, monkeypatch):
    (tmp_path / "html").mkdir()
    with ZipFile(tmp_path / "help.jar", "w") as jar:
        jar.writestr("scilab_en_US_help/hank.html", "<p>a<img src='jarsci:./_LaTeX_1.png' style='text' />b<img src='c.png'></p>")
        jar.writestr("scilab_en_US_help/style.css", "p {}")
        jar.writestr("scilab_en_US_help/JavaHelpSearch/DOCS", "index")
    monkeypatch.setattr(more_manuals, "SCILAB_HELP", tmp_path / "help.jar")
    unpack_scilab(tmp_path)
    assert (tmp_path / "html/hank.html").read_text() == "<p>ab<img src='c.png'></p>"
    assert sorted(path.name for path in (tmp_path / "html").iterdir()) == ["hank.html", "style.css"]


@pytest.mark.parametrize(
    ("setting", "build", "package"),
    [
        ("SCALA_LIBRARY", copy_scaladoc, "scala-doc"),
        ("SCILAB_HELP", unpack_scilab, "scilab-doc"),
        ("NATURAL_DOCS", convert_natural_docs, "naturaldocs"),
    ],
)
def test_a_missing_package_is_named(tmp_path, monkeypatch, setting, build, package):
    monkeypatch.setattr(more_manuals, setting, tmp_path / "missing")
    with pytest.raises(Rejected, match=f"apt-get install {package}"):
        build(tmp_path)
