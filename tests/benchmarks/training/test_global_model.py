"""Scores of the global models on sites that they did not see, and the files that are written, on a few small pages."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.training import global_model as train_global
from classify.general.linear import LinearModel
from classify.general.model import GlobalModel
from render.static.parse import read_html

WORDS = ["river", "bridge", "council", "winter", "market", "song", "letter", "garden", "stone", "harbour", "light", "morning", "road"]
KINDS = ("article", "service")


def record(number: int) -> dict[str, str]:
    chance = np.random.default_rng(number)
    story = [" ".join(chance.choice(WORDS, 30)).capitalize() + "." for _ in range(4)]
    html = f"""<title>Headline of the day</title><ul><li><a href=/>Home</a><li><a href=/news>All the news</a></ul>
        <main><h1>Headline of the day</h1>{"".join(f"<p>{text}</p>" for text in story)}</main><footer>Prices in euro</footer>"""
    text = "\n".join(["Headline of the day", *story])
    return {"id": str(number), "url": f"http://site{number % 3}.test/{number}", "html": html, "text": text, "page_type": KINDS[number % 2]}


def test_models_are_scored_on_both_views_of_pages_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "wcxb-dev").mkdir()
    nothing = {"id": "nothing", "url": "http://site1.test/", "html": "<body></body>", "text": "", "page_type": "service"}
    records = [*(record(number) for number in range(12)), nothing]
    (tmp_path / "wcxb-dev" / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    out = tmp_path / "models"
    assert train_global.run(tmp_path, out, tmp_path / "renders", schedule=None) == 0
    reported = capsys.readouterr().out.splitlines()
    assert f"{len(records)} pages, 1 of them not rendered" in reported
    heads = next(line for line in reported if line.startswith("word F1"))
    names = ("global", "global-linear", "boilerpipe", "global, rendered", "global-linear, rendered")
    assert all(name in heads for name in names)
    means = [float(mean) for mean in next(line for line in reported if line.startswith("all ")).split()[2:]]
    assert len(means) == len(names)
    assert min(means) > 0.8
    shares = dict(re.findall(r"(article|service) (\d\.\d\d)", next(line for line in reported if line.startswith("page types correct"))))
    assert shares.keys() == set(KINDS)
    unseen = read_html(record(21)["html"], "http://elsewhere.test/")
    for model in (GlobalModel.load(out / "global.npz"), LinearModel.load(out / "global-linear.npz")):
        assert model.pages == len(records) - 1  # the page without text teaches nothing
        kept = [block.text for block, chance in zip(unseen.blocks, model.predict(unseen).relative, strict=True) if chance >= 0.5]
        assert "Prices in euro" not in kept
        assert len(kept) >= 4
