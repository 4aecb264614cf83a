"""The registry of models: every name makes its model, and everyone lists the same names."""

import subprocess
import sys

import numpy as np
import pytest

from sightread.cli.parser import build_parser
from sightread.cli.sites import AsShipped
from sightread.models.model_choice import NAMES
from sightread.models.registry import MODELS, SHIPPED
from sightread.render.static.parse import read_html

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


def test_a_trained_model_is_a_class_its_file_and_a_line_of_the_registry(tmp_path):
    code = (
        "import sys, types, numpy as np\n"
        "from sightread.classify.model import Prediction, load_payload, save_payload\n"
        "from sightread.classify.model import Published\n"
        "from pathlib import Path\n"
        "class Longer(Published):\n"
        "    name = 'longer'\n"
        "    def __init__(self, least=0): self.least = least\n"
        "    def fit(self, pages, labels):\n"
        "        self.least = min(len(b.text) for p, l in zip(pages, labels) for b, x in zip(p.blocks, l) if x == 1)\n"
        "        return self\n"
        "    def predict(self, page): return Prediction(np.array([float(len(b.text) >= self.least) for b in page.blocks]))\n"
        "    def save(self, path): save_payload(path, self.name, self.least)\n"
        "    @classmethod\n"
        "    def load(cls, path): return cls(load_payload(path, cls.name, int))\n"
        "sys.modules['longer'] = types.SimpleNamespace(Longer=Longer)\n"
        "from sightread.render.static.parse import read_html\n"
        "page = read_html('<p>one<p>one and two')\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "Longer().fit([page], [np.array([0, 1], np.int8)]).save(folder / 'longer.json')\n"
        "from sightread.models import registry\n"
        "registry.SHIPPED = folder\n"
        "registry.MODELS = {**registry.MODELS, 'longer': registry.NamedModel('longer:Longer', 'longer.json')}\n"
        "import sightread; print(sightread.extract('<p>six<p>six and more', model='longer').text)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "six and more\n"
