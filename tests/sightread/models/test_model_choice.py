"""Which model reads a page, and the registry that names them."""

import subprocess
import sys

import numpy as np
import pytest

from sightread.classify.site.model import SiteModel
from sightread.cli.parser import build_parser
from sightread.cli.sites import AsShipped
from sightread.document.notes import joined
from sightread.models.model_choice import DOM_ONLY, NAMES, check_name, choose_model
from sightread.models.registry import MODELS, SHIPPED
from sightread.render.errors import BadRecord, Rejected, UnknownModel
from sightread.render.static.parse import read_html
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from sightread.sites.store import SiteStore
from sightread.sites.trust import SiteEvaluation

URL = "https://courier.example/ferry"


@pytest.fixture
def folder(demo, tmp_path):
    """The folder of a learned site in a home of the test's own, without its evaluation."""
    copied = open_current(SiteHome.of(URL, tmp_path))
    copied.model.write_bytes(demo.learned.folder.model.read_bytes())
    return copied


def site_evaluation(confidence=1.0, f1=1.0):
    return SiteEvaluation(pages=20, confidence=confidence, precision=1.0, recall=1.0, f1=f1, folds=((1.0, 1.0, f1),), corpus="0")


@pytest.mark.parametrize("rendered", [True, False])
@pytest.mark.parametrize("name", DOM_ONLY)
def test_a_model_of_the_dom_is_taken_by_name_for_any_page(tmp_path, name, rendered):
    choice = choose_model(name, URL, SiteStore(tmp_path), rendered=rendered)
    assert (choice.model.name, choice.notes) == (name, ())


def test_auto_takes_the_sites_model_where_it_is_trusted(folder, tmp_path):
    folder.save_evaluation(site_evaluation())
    choice = choose_model("auto", URL, SiteStore(tmp_path), rendered=True)
    assert isinstance(choice.model, SiteModel)
    assert choice.notes == ()


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        (site_evaluation(confidence=0.74), "the site's model is not trusted: the confidence of its labels is 0.74, below the minimum 0.75"),
        (site_evaluation(f1=0.89), "the site's model is not trusted: its F1 on unseen pages is 0.89, below the minimum 0.9"),
        (None, "the site's model is not trusted: it was never evaluated (sightread evaluate)"),
    ],
)
def test_auto_takes_the_global_model_and_states_why_where_the_sites_model_is_uncertain(folder, tmp_path, kept, why):
    if kept:
        folder.save_evaluation(kept)
    choice = choose_model("auto", URL, SiteStore(tmp_path), rendered=True)
    assert (choice.model.name, joined(choice.notes)) == ("global", f"global read the page: {why}")


def test_an_uncertain_model_is_taken_where_it_is_requested(folder, tmp_path):
    folder.save_evaluation(site_evaluation(confidence=0.1))
    assert isinstance(choose_model("site", URL, SiteStore(tmp_path), rendered=True).model, SiteModel)


def test_the_sites_model_cannot_read_a_page_without_boxes(folder, tmp_path):
    folder.save_evaluation(site_evaluation())
    assert choose_model("auto", URL, SiteStore(tmp_path), rendered=False).model.name == "global"
    with pytest.raises(Rejected, match="no student was taught that reads HTML alone"):
        choose_model("site", URL, SiteStore(tmp_path), rendered=False)


def test_the_model_of_one_site_does_not_read_another(folder, tmp_path):
    folder.save_evaluation(site_evaluation())
    assert choose_model("auto", "https://other.example/", SiteStore(tmp_path), rendered=True).model.name == "global"


def test_a_damaged_evaluation_is_not_passed_over(folder, tmp_path):
    folder.evaluation.write_text("{}")
    with pytest.raises(BadRecord, match="delete it and evaluate the site again"):
        choose_model("auto", URL, SiteStore(tmp_path), rendered=True)


@pytest.mark.parametrize(
    ("name", "near"), [("Boilerpipe", "boilerpipe"), ("boilerpipe-densty", "boilerpipe-density"), ("autos", "auto"), ("globe", "global")]
)
def test_a_name_that_is_none_is_reported_its_nearest(name, near):
    with pytest.raises(UnknownModel, match=rf"no model is called '{name}'; did you mean {near}\? There are auto, "):
        check_name(name)


ARTICLE = read_html(
    "<body><nav><ul><li><a href='/'>Home</a></li><li><a href='/sport'>Sport</a></li></ul></nav><main><h1>The night ferry</h1>"
    + "<p>It has carried workers across the estuary every night for ninety years, and now it runs half empty most of the time.</p>" * 4
    + "</main><aside><h3>More stories</h3><a href='/boots'>Fine boots for the wet season</a></aside>"
    + "<footer>All rights reserved</footer></body>"
)


def test_the_shipped_model_reads_an_article_and_states_why():
    model = DOM_ONLY["global"]()
    probabilities = model.predict(ARTICLE).relative
    kept = {block.text[:10] for block, probability in zip(ARTICLE.blocks, probabilities, strict=True) if probability >= 0.5}
    assert "It has car" in kept
    assert not kept & {"Home", "Sport", "More stori", "Fine boots"}
    paragraph = next(row for row, block in enumerate(ARTICLE.blocks) if block.text.startswith("It has"))
    assert model.explain(ARTICLE, paragraph)[0][1] > 0


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
