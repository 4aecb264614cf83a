"""Scores of the global model on sites that they did not see, and the files that are written, on a few small pages."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.sites.built_sites import BuiltPage, BuiltSite, SiteStore
from benchmarks.training import forecasts, training_pages
from benchmarks.training import global_model as train_global
from sightread.classify.general.model import GlobalModel
from sightread.classify.weights import Schedule
from sightread.models.registry import SHIPPED
from sightread.render.errors import Rejected
from sightread.render.static.parse import read_html
from tests.benchmarks.small_data import write_archive

WORDS = ["river", "bridge", "council", "winter", "market", "song", "letter", "garden", "stone", "harbour", "light", "morning", "road"]
KINDS = ("article", "service")
BRIEF = Schedule(epochs=20, rate=5e-3, batch=4)


def record(number: int) -> dict[str, str]:
    chance = np.random.default_rng(number)
    story = [" ".join(chance.choice(WORDS, 30)).capitalize() + "." for _ in range(4)]
    html = f"""<title>Headline of the day</title><ul><li><a href=/>Home</a><li><a href=/news>All the news</a></ul>
        <main><h1>Headline of the day</h1>{"".join(f"<p>{text}</p>" for text in story)}</main><footer>Prices in euro</footer>"""
    text = "\n".join(["Headline of the day", *story])
    return {"id": str(number), "url": f"http://site{number % 3}.test/{number}", "html": html, "text": text, "page_type": KINDS[number % 2]}


def built_site(data: Path, name: str, generator: str, part: str = "choose") -> SiteStore:
    """Write the archive of a site of three pages of one template, whose class names are its own."""
    pages = []
    for number in range(3):
        of_page = record(30 + number)
        html = of_page["html"].replace("<main>", "<div class=prose-box>").replace("</main>", "</div>")
        pages.append((BuiltPage(f"{number}.html", "Headline of the day", of_page["text"]), html))
    site = BuiltSite(name, generator, "default", "MIT", "en", part, tuple(page for page, _ in pages))
    return write_archive(data, site, pages)


def test_pages_of_built_sites_are_learned_from_if_they_are_of_the_part_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("torch", reason="training needs the extra `neural`")
    (tmp_path / "wcxb-dev").mkdir()
    records = [record(number) for number in range(12)]
    (tmp_path / "wcxb-dev" / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    built_site(tmp_path, "learned", "hexo")
    store = built_site(tmp_path, "kept", "roost", "final")
    pages = training_pages.read_built(store)
    assert [page.page.url for page in pages] == [f"https://learned.hexo.example/{number}.html" for number in range(3)]
    for page in pages:
        assert [block.text in page.text for block in page.page.blocks] == page.labels.astype(bool).tolist()
    out = tmp_path / "models"
    assert train_global.run(tmp_path, out, store, schedule=BRIEF, is_scored=False) == 0
    reported = capsys.readouterr().out
    assert "3 pages of built sites beside them" in reported
    assert "3 made pages" in reported
    assert GlobalModel.load(out / "global.npz").pages == len(records) + 2 * len(pages)


def test_forecasts_are_reported_by_set_and_page_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "scrapinghub").mkdir()
    lines = [json.dumps(each) for each in (record(1), record(2), record(3) | {"html": "<body></body>"})]
    (tmp_path / "scrapinghub" / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    assert forecasts.run(tmp_path, []) == 0
    _, _, row, *of_kinds, others, _ = capsys.readouterr().out.splitlines()
    assert (row[:25], len(of_kinds) > 0, others) == ("| scrapinghub | 2 | 1.000", True, "1 pages without a forecast")


def test_wrong_options_are_refused_before_anything_is_read(tmp_path: Path):
    with pytest.raises(Rejected, match="--out"):
        train_global.run(tmp_path, None, schedule=BRIEF, is_scored=False)
    with pytest.raises(Rejected, match="no such sites; there are sites of the parts final"):
        training_pages.read_built(built_site(tmp_path, "kept", "roost", "final"))


def test_models_are_scored_on_all_views_of_pages_and_on_built_sites_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("torch", reason="training needs the extra `neural`")
    (tmp_path / "wcxb-dev").mkdir()
    nothing = {"id": "nothing", "url": "http://site1.test/", "html": "<body></body>", "text": "", "page_type": "service"}
    records = [*(record(number) for number in range(12)), nothing]
    (tmp_path / "wcxb-dev" / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    out = tmp_path / "models"
    generators = ("hexo", "sphinx")
    store = [built_site(tmp_path, generator, generator) for generator in generators][-1]
    with pytest.raises(Rejected, match="no models of folds"):
        train_global.fold_model(out, generators[0])
    (tmp_path / "readability").mkdir()
    others = [record(number) for number in range(50, 54)]
    (tmp_path / "readability" / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, others)).encode()))
    teacher = SHIPPED / "global.npz"
    assert train_global.run(tmp_path, out, store, renders=tmp_path / "renders", schedule=BRIEF, teacher=teacher) == 0
    reported = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"global: {len(generators)} built sites of other generators 1.000") for line in reported)
    learned = [train_global.fold_model(out, generator).pages for generator in generators]
    assert learned == [GlobalModel.load(train_global.fold_folder(out, number) / "global.npz").pages for number in range(len(generators))]
    assert max(learned) < train_global.fold_model(out, "another").pages
    assert {f"{len(records)} pages, 1 of them not rendered", "2 pages without labels"} <= {*reported}
    heads = next(line for line in reported if line.startswith("word F1"))
    names = ("global", "boilerpipe", "global, rendered", "global, fast")
    assert all(name in heads for name in names)
    means = [float(mean) for mean in next(line for line in reported if line.startswith("all ")).split()[2:]]
    assert len(means) == len(names)
    assert min(means) > 0.8
    shares = dict(re.findall(r"(article|service) (\d\.\d\d)", next(line for line in reported if line.startswith("page types correct"))))
    assert shares.keys() == set(KINDS)
    assert any(re.match(r"\| WCXB dev \| 12 \| \d\.\d{3} ", line) for line in reported)
    assert GlobalModel.load(out / "global.npz").calibration is not None
    assert train_global.fold_model(out, generators[0]).calibration is None
    unseen = read_html(record(21)["html"], "http://elsewhere.test/")
    built = made = 3 * len(generators)
    model = GlobalModel.load(out / "global.npz")
    assert model.pages == built + made + len(records) - 1  # the page without text teaches nothing
    kept = [block.text for block, chance in zip(unseen.blocks, model.predict(unseen).relative, strict=True) if chance >= 0.5]
    assert "Prices in euro" not in kept
    assert len(kept) >= 4
