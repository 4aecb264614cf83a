"""Which model reads a page."""

import pytest

from classify.site import SiteModel
from render.errors import BadRecord, Rejected, UnknownModel
from sightread.home import SiteFolder, Standing
from sightread.models import DOM_ONLY, NAMES, check_name, choose_model

URL = "https://courier.example/ferry"


@pytest.fixture
def folder(demo, tmp_path):
    """The folder of a learned site in a home of the test's own, without its evaluation."""
    copied = SiteFolder.of(URL, tmp_path)
    copied.path.mkdir(parents=True)
    copied.model.write_bytes(demo.learned.folder.model.read_bytes())
    return copied


def standing(confidence=1.0, f1=1.0):
    return Standing(pages=20, confidence=confidence, precision=1.0, recall=1.0, f1=f1, folds=((1.0, 1.0, f1),), corpus="0")


@pytest.mark.parametrize("rendered", [True, False])
@pytest.mark.parametrize("name", DOM_ONLY)
def test_a_model_of_the_dom_is_taken_by_name_for_any_page(tmp_path, name, rendered):
    choice = choose_model(name, URL, rendered=rendered, home=tmp_path)
    assert (choice.model.name, choice.note) == (name, "")


def test_auto_takes_the_sites_model_where_it_is_trusted(folder, tmp_path):
    folder.save_standing(standing())
    choice = choose_model("auto", URL, rendered=True, home=tmp_path)
    assert isinstance(choice.model, SiteModel)
    assert choice.note == ""


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        (standing(confidence=0.74), "the site's model is not trusted: its labels have a confidence of 0.74, 0.75 is asked"),
        (standing(f1=0.89), "the site's model is not trusted: its F1 on unseen pages is 0.89, 0.9 is asked"),
        (None, "the site's model is not trusted: it was never evaluated (sightread evaluate)"),
    ],
)
def test_auto_takes_boilerpipe_and_says_why_where_the_sites_model_is_doubtful(folder, tmp_path, kept, why):
    if kept:
        folder.save_standing(kept)
    choice = choose_model("auto", URL, rendered=True, home=tmp_path)
    assert (choice.model.name, choice.note) == ("boilerpipe", f"boilerpipe read the page: {why}")


def test_a_doubtful_model_is_taken_where_it_is_asked_for(folder, tmp_path):
    folder.save_standing(standing(confidence=0.1))
    assert isinstance(choose_model("site", URL, rendered=True, home=tmp_path).model, SiteModel)


def test_the_sites_model_cannot_read_a_page_without_boxes(folder, tmp_path):
    folder.save_standing(standing())
    assert choose_model("auto", URL, rendered=False, home=tmp_path).model.name == "boilerpipe"
    with pytest.raises(Rejected, match="looks at boxes and styles, and without a browser there are none"):
        choose_model("site", URL, rendered=False, home=tmp_path)


def test_the_model_of_one_site_does_not_read_another(folder, tmp_path):
    folder.save_standing(standing())
    assert choose_model("auto", "https://other.example/", rendered=True, home=tmp_path).model.name == "boilerpipe"


def test_a_damaged_evaluation_is_not_passed_over(folder, tmp_path):
    folder.evaluation.write_text("{}")
    with pytest.raises(BadRecord, match="delete it and evaluate the site again"):
        choose_model("auto", URL, rendered=True, home=tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_passes_the_check(name):
    check_name(name)


@pytest.mark.parametrize(("name", "near"), [("Boilerpipe", "boilerpipe"), ("boilerpipe-densty", "boilerpipe-density"), ("autos", "auto")])
def test_a_name_that_is_none_is_told_its_nearest(name, near):
    with pytest.raises(UnknownModel, match=rf"no model is called '{name}'; did you mean {near}\? There are auto, "):
        check_name(name)
