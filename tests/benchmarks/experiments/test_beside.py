"""Pages beside their Markdown: what is drawn, and what is told of a page that is none."""

import gzip
import json

from benchmarks.experiments import beside
from render.visit.picture import read_picture, webp_size

STORY = "<p>The ferry runs all night long, twice an hour, says the council, and it will do so until the winter comes.</p>" * 4


def test_a_page_and_its_markdown_make_one_picture_and_a_page_without_text_is_told(tmp_path, capsys):
    pages = [("1", f"<title>Ferry</title><h1>Ferry</h1>{STORY}"), ("2", "<title>Nothing</title>")]
    lines = [{"id": name, "url": f"http://a.example/{name}", "html": html, "text": "", "page_type": "article"} for name, html in pages]
    (tmp_path / "wcxb-dev").mkdir()
    (tmp_path / "wcxb-dev" / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    out = tmp_path / "out"
    assert beside.run(tmp_path, ["wcxb-dev"], 5, "global", out) == 0
    told = capsys.readouterr().out
    assert "wcxb-dev 2: " in told and "1 of 2 pages are in" in told
    assert (out / "wcxb-dev-1.md").read_text().startswith("# Ferry")
    picture = read_picture(out / "wcxb-dev-1.webp")
    assert picture and webp_size(picture.tiles[0])[0] == 1600 * beside.SCALE
    assert sorted(path.name for path in out.iterdir()) == ["wcxb-dev-1.md", "wcxb-dev-1.webp"]
