"""The ensemble of our own models."""

from pathlib import Path

import pytest

from classify.model import save_payload
from render.errors import BadRecord
from render.static.parse import read_html
from sightread.models.shipped_models import NamedEnsemble, our_ensemble


def test_our_ensemble_reads_a_page_and_is_saved_by_names(tmp_path: Path):
    story = "".join(
        f"<p>In chapter {number} the old ferry crosses the wide river once more, and the whole town comes to watch." for number in range(9)
    )
    page = read_html(f"<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><h1>The last ferry</h1>{story}")
    ensemble = our_ensemble()
    votes = ensemble.predict(page).relative
    texts = [block.text for block in page.blocks]
    assert votes[texts.index("Home")] < 0.5 <= votes[-2]
    ensemble.save(tmp_path / "ensemble.json")
    again = NamedEnsemble.load(tmp_path / "ensemble.json")
    assert again.predict(page).relative.tolist() == votes.tolist()
    assert [(model.name, weight) for model, weight in again.members] == [(model.name, weight) for model, weight in ensemble.members]


def test_a_file_with_an_unknown_member_is_refused(tmp_path: Path):
    save_payload(tmp_path / "ensemble.json", "ensemble", [("nobody", 1.0)])
    with pytest.raises(BadRecord, match=r"no model is called nobody in this sightread; make the ensemble again"):
        NamedEnsemble.load(tmp_path / "ensemble.json")
