"""The registry of models: every name makes its model, and everyone lists the same names."""

import subprocess
import sys

import numpy as np
import pytest

from render.static.parse import read_html
from sightread.cli.parser import build_parser
from sightread.model_choice import NAMES
from sightread.registry import MODELS, SHIPPED
from sightread.shipped_models import AsShipped

PAGE = read_html(
    "<nav><a href=/>Home</a></nav><main><h1>Ferry</h1>" + "<p>It has carried workers across the estuary for ninety years.</p>" * 4
)


@pytest.mark.parametrize("name", MODELS)
def test_every_name_makes_a_model_of_that_name_that_reads_a_static_page(name: str):
    model = MODELS[name].make()
    found = model.predict(PAGE).relative
    assert model.name == name
    assert found.shape == (len(PAGE.blocks),)
    assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model.file])
def test_the_files_of_trained_models_are_shipped_and_small_and_read_once(name: str):
    assert (SHIPPED / MODELS[name].file).stat().st_size < 3_000_000
    assert MODELS[name].make() is MODELS[name].make()


@pytest.mark.parametrize("command", ["extract", "evaluate", "inspect", "serve"])
def test_the_help_lists_every_model(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        build_parser().parse_args([command, "--help"])
    listed = "".join(capsys.readouterr().out.split())
    assert all(f"{name}," in listed or f"{name}(default" in listed for name in NAMES if (command, name) != ("evaluate", "auto"))


def test_a_model_as_it_ships_learns_nothing():
    model = AsShipped(MODELS["boilerpipe"].make())
    labels = [np.zeros(len(PAGE.blocks), np.int8)]
    assert model.fit([PAGE], labels).predict(PAGE).relative.tolist() == MODELS["boilerpipe"].make().predict(PAGE).relative.tolist()


def test_a_new_file_of_heuristics_is_a_model_under_its_name(tmp_path):
    (tmp_path / "longest_block.py").write_text(
        "import numpy as np\n"
        "from classify.model import Prediction\n"
        "from classify.parameter_free import Published\n"
        "class Longest(Published):\n"
        "    name = 'longest-block'\n"
        "    def predict(self, page):\n"
        "        lengths = np.array([len(block.text) for block in page.blocks])\n"
        "        return Prediction((lengths == lengths.max()).astype(float))\n"
        "MODEL = Longest\n"
    )
    code = (
        f"from classify import heuristics; heuristics.__path__.append({str(tmp_path)!r})\n"
        "import sightread; print(sightread.extract('<p>one<p>one and two', model='longest-block').text)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "one and two\n"
