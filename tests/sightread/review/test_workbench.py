"""A site in memory: questions, previews, the session of a person, explanations."""

import json

import msgspec
import numpy as np
import pytest

from sightread.classify.model import log_odds
from sightread.reading.reading import read_static
from sightread.render.errors import Rejected
from sightread.render.labels import CONTENT
from sightread.review.explanation import explain_reading
from sightread.review.questions import answer, rank_questions, settle
from sightread.review.session import Proposal, ReviewSession
from sightread.review.workbench import Workbench
from sightread.sites.corrections.records import NO_CORRECTIONS, load_corrections, save_corrections
from sightread.sites.learn import Site, label_pages, learn_corpus, predict_site
from tests.labeling.sites import articles, discussed, html_of, write_corpus
from tests.pages.stories import stories


@pytest.fixture(scope="module")
def bench():
    return Workbench([discussed(article, 2) for article in articles(6)])


@pytest.fixture(scope="module")
def trained(bench):
    return bench.train(NO_CORRECTIONS)


@pytest.fixture
def session(bench, tmp_path):
    return ReviewSession(Site.open(write_corpus(tmp_path, bench.pages)), by="ada")


def confirmed(answer):
    return msgspec.structs.replace(answer, needs=1)


def test_a_question_is_about_the_text_that_is_most_in_doubt_and_is_asked_once(bench, trained):
    first, *others = rank_questions(bench, trained, 4)
    assert first.value >= max(question.value for question in others) and first.characters > 0
    decided = bench.train(NO_CORRECTIONS.with_answer(confirmed(answer(bench, first, is_content=True))))
    for row, blocks in first.blocks.items():
        assert (decided.matching.labels[row][list(blocks)] == CONTENT).all() and set(blocks) <= set(decided.readings[row].document.rows)
    assert all((question.page, question.block) != (first.page, first.block) for question in rank_questions(bench, decided, 4))


def test_a_proposal_is_previewed_saved_undone_and_redone(session):
    comment = len(session.bench.pages[2].blocks) - 2
    kept = comment in session.trained.readings[2].document.rows
    preview = session.propose(Proposal(2, comment, is_content=not kept, target="look", scope="page"))
    assert [(change.page, change.blocks.get(comment)) for change in preview.pages] == [(2, not kept)]
    assert (preview.pages[0].gained if not kept else preview.pages[0].lost) > 10
    path = session.site.folder.corrections
    assert load_corrections(path) == NO_CORRECTIONS
    session.save()
    (made,) = load_corrections(path).made
    assert (made.by, made.scope.value, made.target) == ("ada", "/2", "look") and made.at and made.model
    assert session.state().changed == 1 and session.state().is_stale
    session.undo()
    assert load_corrections(path).made == () and session.state().can_redo and session.state().changed == 0
    session.redo()
    assert load_corrections(path).made == (made,)
    with pytest.raises(Rejected, match="nothing is proposed"):
        session.save()


def test_answers_are_saved_at_once_and_a_stale_question_is_refused(session):
    asked = session.state().question
    session.answer(asked.id, is_content=None)
    following = session.state().question
    path = session.site.folder.corrections
    assert following.id != asked.id and load_corrections(path).made == ()
    session.answer(following.id, is_content=False)
    assert [made.is_content for made in load_corrections(path).made] == [False]
    with pytest.raises(Rejected, match="another one by now"):
        session.answer(following.id, is_content=True)


def test_an_answer_on_which_much_text_depends_is_kept_and_asked_again_on_another_page(session):
    bench, path = session.bench, session.site.folder.corrections
    main = next(each for each in rank_questions(bench, session.trained, 99) if each.kept == 1 and each.characters > 1000)
    slip = answer(bench, main, is_content=False)
    assert settle(bench, session.trained, slip).corrections.made == (slip,)  # on its own it changes too much
    save_corrections(path, NO_CORRECTIONS.with_answer(slip))  # as if the process was killed before it was trained with
    again = next(each for each in rank_questions(bench, bench.train(load_corrections(path)), 99) if each.given)
    assert (again.page, again.block) != (main.page, main.block) and again.repeat_reason.startswith("Much text depends")
    assert session.state().changed == 0  # it decides nothing yet
    right = settle(bench, session.trained, answer(bench, again, is_content=True))
    third = next(each for each in rank_questions(bench, right, 99) if each.given)
    assert third.repeat_reason.startswith("Your answers") and right.corrections.made[:1] == (slip,)
    decided = settle(bench, right, answer(bench, third, is_content=True))
    labels = [label for row, rows in main.blocks.items() for label in decided.matching.labels[row][list(rows)].tolist()]
    assert {*labels} == {CONTENT}
    assert decided.matching.describe() == "3 of 3 corrections match"


def test_a_site_with_one_correction_more_is_labelled_and_learned_as_from_nothing(tmp_path):
    pages = [discussed(article, 2) for article in articles(6)]
    folders = [write_corpus(tmp_path / name / "corpus", pages, sources=map(html_of, pages)) for name in ("session", "nothing")]
    for folder in folders:
        learn_corpus(folder)
    session = ReviewSession(Site.open(folders[0]))
    site = Site.open(folders[1])
    for page, target in ((2, "look"), (3, "block"), (4, "place")):
        session.propose(Proposal(page, len(pages[page].blocks) - 2, is_content=True, target=target, scope="site", trains=False))
        session.save()
        save_corrections(site.folder.corrections, session.trained.corrections)
        anew = label_pages(site.pages, predictions=predict_site(site.pages), matching=site.matching())
        for ours, theirs in ((session.trained.labels.labels, anew.labels), (session.trained.labels.assignments, anew.assignments)):
            assert all(np.array_equal(one, other) for one, other in zip(ours, theirs, strict=True))
        assert session.trained.labels.clusters == anew.clusters
    session.write()
    session.teach()
    learn_corpus(folders[1])
    written = [{path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()} for folder in folders]
    differing = {name for name in written[0] | written[1] if written[0].get(name) != written[1].get(name)}
    assert {"labels.json", "model.json", "evaluation.json", "articles.jsonl", "0003.md", "student.json"} <= set(written[1])
    assert differing <= {"agreement.json"}  # it has the seconds that reading took


def test_what_is_changed_while_the_site_is_trained_is_trained_with_next(session, monkeypatch):
    train, path = session.bench.train, session.site.folder.corrections
    session.answer(session.state(0).question.id, is_content=True)
    assert session.state().is_training and not session.state().changed

    def and_undo(corrections):
        session.undo()
        return train(corrections)

    monkeypatch.setattr(session.bench, "train", and_undo)
    session.train()
    assert load_corrections(path).made == () and not session.state().is_training
    monkeypatch.setattr(session.bench, "train", train)
    session.redo()
    session.train()
    (made,) = load_corrections(path).made
    assert not session.state().is_training and session.trained.corrections.made == (made,)


def test_two_sessions_of_one_site_lose_no_correction_of_each_other(session):
    other = ReviewSession(session.site, by="bob")
    for each, block in ((session, 1), (other, 2)):
        each.propose(Proposal(0, block, is_content=False, target="block", scope="page"))
        each.save()
    assert [made.by for made in load_corrections(session.site.folder.corrections).made] == ["ada", "bob"]
    session.propose(Proposal(0, 3, is_content=False))
    other.undo()
    with pytest.raises(Rejected, match="changed elsewhere"):
        session.save()


@pytest.mark.parametrize(
    ("proposal", "said"),
    [
        (Proposal(9, 0, is_content=True), "no block 0 on page 9"),
        (Proposal(0, 0, is_content=True, scope="pattern", pattern="x"), "begins with"),
    ],
)
def test_a_wrong_proposal_is_refused(session, proposal, said):
    with pytest.raises(Rejected, match=said):
        session.propose(proposal)


def test_contributions_sum_to_the_log_odds_and_every_block_has_its_cause(trained):
    for row, reading in enumerate(trained.readings[:2]):
        found = explain_reading(reading)
        assert len(found.blocks) == len(reading.page.blocks) and json.loads(found.to_json())["url"] == reading.page.url
        own = reading.model.predict(reading.page)
        for block in found.blocks:
            assert block.why.startswith("Kept" if block.kept else "Dropped") and block.would_change
            whole = block.base + sum(weight for _, weight in block.contributions) + block.others
            assert whole == pytest.approx(float(log_odds(np.clip(own.probabilities[block.row], 1e-12, 1 - 1e-12))), abs=0.01), row


def test_the_fewest_features_without_which_a_block_would_be_decided_otherwise_are_named_if_three_are_enough(trained):
    named = []
    menu = "".join(f"<li><a href=/{word}>{word}</a>" for word in ("News", "Sports", "Letters to the editor of the paper"))
    story = stories(1, lambda town: f"<title>{town}</title>")["/story/0"]
    for reading in (trained.readings[0], read_static(f"<ul>{menu}</ul>{story}<p>Read more<p>{menu}", model="global")):
        for block in explain_reading(reading).blocks:
            if block.reason not in ("probability", "low probability", "hidden"):
                continue
            sign, selection = 1 if block.kept else -1, reading.document.selection
            distance, level = (log_odds(values[block.row]) for values in (reading.prediction.probabilities, selection.levels))
            for_it = sorted((sign * weight for _, weight in block.contributions if sign * weight > 0), reverse=True)
            found = next((text for text in block.would_change if text.startswith("Without “")), "")
            named.append(found.count("“"))
            enough = (count for count in range(1, 1 + min(3, len(for_it))) if sum(for_it[:count]) > sign * float(distance - level))
            assert named[-1] == next(enough, 0), found
    assert {0, 2} <= set(named)
