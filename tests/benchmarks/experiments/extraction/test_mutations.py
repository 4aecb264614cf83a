"""Pages damaged at random: the same ones for a seed, and none raises anything but the project's own errors."""

import gzip
import json
from random import Random

import pytest

from benchmarks.experiments.extraction import mutations
from sightread.data.demo import build_site


@pytest.fixture(scope="module")
def pages():
    return [answer.body.decode() for path, answer in build_site().items() if path.endswith((".html", "/")) and answer.status == 200][:12]


@pytest.fixture
def data(pages, tmp_path):
    """A data set of pages of the demo site."""
    (tmp_path / "cleaneval").mkdir()
    with gzip.open(tmp_path / "cleaneval" / "pages.jsonl.gz", "wt") as lines:
        for number, html in enumerate(pages):
            lines.write(json.dumps({"id": str(number), "url": "", "html": html, "text": ""}) + "\n")
    return tmp_path


def test_a_seed_makes_the_same_page_again_and_another_seed_another(pages):
    first, again, other = (mutations.mutate(pages[0], Random(seed)) for seed in ("1.2", "1.2", "1.3"))
    assert first == again != other


def test_no_page_raises_anything_but_the_projects_own_errors(data, capsys):
    assert mutations.run(data, 24, 2, 7, None) == 0
    assert capsys.readouterr().out.startswith("24 pages static, 2 rendered, seed 7, ")


def test_what_else_is_raised_is_reported_with_its_seed_and_its_page_is_kept(data, tmp_path, capsys, monkeypatch):
    def broken(*_: object) -> None:
        raise KeyError("href")

    monkeypatch.setattr(mutations, "write_document", broken)
    monkeypatch.setattr(mutations, "ProcessPoolExecutor", SamePool)
    assert mutations.run(data, 2, 0, 7, tmp_path) == 1
    assert "KeyError: 'href' at test_mutations.py" in capsys.readouterr().out
    assert list(tmp_path.glob("cleaneval-*.html"))


class SamePool:
    """Runs everything here, where a fault that was planted is seen."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def map(self, function, values, chunksize):
        return map(function, values)
