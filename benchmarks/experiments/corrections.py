"""Corrections of learned sites (`build-sites`): what ten answers gain, what a wrong one costs, and what a redesign leaves of them.

A script answers the questions of `sightread.review.questions` from the gold text: a look is content if most of its characters are gold.
The loss of a site is one minus the mean word F1 of its documents against the gold text, as `auto` gives them of pages that the site's
model was not trained on. The sites are those with the largest loss before any answer.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.alignment.gold_labels import gold_labels
from benchmarks.commands import Command
from benchmarks.experiments.redesigns import REDESIGNS
from benchmarks.sites.build import read_sites
from benchmarks.sites.captures import CapturedSite, capture_sites
from classify.metrics import word_score
from classify.model import Prediction
from render.array_types import Labels
from render.errors import SightreadError
from render.labels import CONTENT
from render.page import Page
from sightread.document.document import build_document
from sightread.document.selection import Policy
from sightread.review.questions import Question, answer, is_surprising, rank_questions
from sightread.review.workbench import Trained, Workbench
from sightread.sites.corrections.anchors import anchor_pages
from sightread.sites.corrections.file import decode_corrections, encode_corrections
from sightread.sites.corrections.matching import match_corrections
from sightread.sites.corrections.records import NO_CORRECTIONS, Corrections
from sightread.sites.parts import site_policy

WORST = 20
ANSWERS = 10
WRONG_ANSWER = 3
"""Number of the answer, from 0, that is given wrongly: an early one misleads the most."""
FEWEST_PAGES = 20
CHANGED_SHARE = 0.5
"""Share of the pages that a partial redesign changes."""
REDESIGNED = ("class names", "colours", "sizes, typeface", "a container more", "elements")
SAME = 0.002
"""Loss by which a site counts as no worse."""


@dataclass(frozen=True, slots=True)
class SiteLoss:
    """Losses of a site by what was answered, and the share of corrections that apply after each redesign."""

    name: str
    before: float
    after: float
    with_wrong_answers: float
    """With one wrong answer among them."""
    oracle: float
    """If every block were decided by its gold label: no answer can do better."""
    answers: int
    applied: dict[str, float]


def run(out: Path, only: Sequence[str], worst: int, answers: int) -> int:
    """Print a row per site and the means. Return 1 if the mean loss does not fall by half, a wrong answer makes a site worse, or too few
    corrections apply after a redesign.
    """
    known = [site.name for _, site in read_sites(out) if (out / site.name / "corpus-1600" / "complete").is_file()]
    ranked: list[tuple[float, str, CapturedSite, Workbench, Trained]] = []
    for name in only or known:
        site = capture_sites(out, only=[name])[0]
        if len(site.pages) < FEWEST_PAGES:
            continue
        try:
            bench = Workbench(site.pages)
            start = bench.train(NO_CORRECTIONS)
            ranked.append((_loss(site, start), name, site, bench, start))
        except SightreadError as error:
            print(f"{name}: not learned: {error}", flush=True)
    ranked.sort(key=lambda each: -each[0])
    print(f"{len(ranked)} sites, mean loss {np.mean([each[0] for each in ranked]):.4f}; the {worst} with the largest:", flush=True)
    rows = []
    print(f"{'site':32}{'before':>8}{'after':>8}{'1 wrong':>8}{'oracle':>8}{'answers':>9}  applied after redesigns")
    for _, _, site, bench, start in ranked[:worst]:
        row = _row(site, bench, start, answers)
        rows.append(row)
        applied = ", ".join(f"{change} {share:.2f}" for change, share in row.applied.items())
        print(
            f"{row.name:32}{row.before:8.4f}{row.after:8.4f}{row.with_wrong_answers:8.4f}{row.oracle:8.4f}{row.answers:9}  {applied}",
            flush=True,
        )
    return _summarise(rows)


def _summarise(rows: Sequence[SiteLoss]) -> int:
    before, after, with_wrong_answers, oracle = (
        float(np.mean([getattr(row, name) for row in rows])) for name in ("before", "after", "with_wrong_answers", "oracle")
    )
    print(f"mean loss {before:.4f} before, {after:.4f} after ({1 - after / before:+.0%} less)")
    print(f"{with_wrong_answers:.4f} with one wrong answer, {oracle:.4f} at best")
    worse = [row.name for row in rows if row.with_wrong_answers > row.before + SAME]
    print(f"worse than before with one wrong answer: {', '.join(worse) or 'none'}")
    shares = {change: float(np.mean([row.applied[change] for row in rows])) for change in rows[0].applied}
    print("applied: " + ", ".join(f"{change} {share:.3f}" for change, share in shares.items()))
    return int(after > before / 2 or bool(worse) or min(shares.values()) < 0.95)


def _row(site: CapturedSite, bench: Workbench, start: Trained, answers: int) -> SiteLoss:
    gold = [gold_labels(page, text.gold) for page, text in zip(site.pages, site.gold, strict=True)]
    common = _with_answers(bench, start, gold, range(min(answers, WRONG_ANSWER)))
    right = _with_answers(bench, common, gold, range(WRONG_ANSWER, answers))
    wrong = _with_answers(bench, common, gold, range(WRONG_ANSWER, answers), WRONG_ANSWER)
    return SiteLoss(
        site.site.name,
        _loss(site, start),
        _loss(site, right),
        _loss(site, wrong),
        _oracle(site, gold),
        len(right.corrections.active),
        {change: _applied(site.pages, right.corrections, change) for change in REDESIGNED},
    )


def _with_answers(bench: Workbench, start: Trained, gold: Sequence[Labels], numbers: range, wrong: int = -1) -> Trained:
    """Return the site after the answers of these numbers; the one of the number `wrong` is the opposite of the truth.

    An answer that all evidence contradicts counts when it is given twice, as in the inspector.
    """
    trained = start
    to_confirm: set[tuple[int, int]] = set()
    for number in numbers:
        questions = rank_questions(bench, trained)
        if not questions:
            break
        is_content = _truth(bench.pages, questions[0], gold) != (number == wrong)
        place = questions[0].page, questions[0].block
        if is_surprising(questions[0], is_content=is_content) and place not in to_confirm:
            to_confirm.add(place)  # its second answer counts as one more
            continue
        trained = bench.train(trained.corrections.with_answer(answer(bench, questions[0], is_content=is_content, by="script")))
    return trained


def _truth(pages: Sequence[Page], question: Question, gold: Sequence[Labels]) -> bool:
    members = [(row, block) for row, blocks in question.blocks.items() for block in blocks]
    lengths = np.array([len(pages[row].blocks[block].text) + 1 for row, block in members], np.float64)
    return bool(np.average([gold[row][block] == CONTENT for row, block in members], weights=lengths) >= 1 / 2)


def _loss(site: CapturedSite, trained: Trained) -> float:
    """Return the loss of what `auto` gives of held-out pages."""
    texts = []
    for row, reading in enumerate(trained.readings):
        found = trained.evaluation.held_out[row]
        prediction = (
            reading.prediction if trained.site_evaluation.distrust_reason or found is None else Prediction(found, needs_postprocessing=True)
        )
        policy = site_policy([part for part in trained.labels.parts if part.is_chosen or not trained.site_evaluation.distrust_reason])
        policy = replace(policy, corrected=reading.document.policy.corrected)
        texts.append(build_document(reading.page, prediction, policy=policy).text)
    return _text_loss(site, texts)


def _oracle(site: CapturedSite, gold: Sequence[Labels]) -> float:
    policies = [Policy(corrected={row: bool(label == CONTENT) for row, label in enumerate(of_page)}) for of_page in gold]
    pairs = zip(site.pages, policies, strict=True)
    return _text_loss(site, [build_document(page, Prediction(np.zeros(len(page.blocks))), policy=policy).text for page, policy in pairs])


def _text_loss(site: CapturedSite, texts: Sequence[str]) -> float:
    return 1 - float(np.mean([word_score(text, page.gold).f1 for text, page in zip(texts, site.gold, strict=True)]))


def _applied(pages: Sequence[Page], corrections: Corrections, change: str) -> float:
    """Return the share of corrections that apply after an export, a new crawl in which half of the pages have a redesign, and an import."""
    imported = decode_corrections(encode_corrections(corrections), "the export")
    redesign = REDESIGNS[change]
    half = int(len(pages) * CHANGED_SHARE)
    crawled = [*pages[half:], *map(redesign, pages[:half])]
    whole = [redesign(page) for page in pages]
    shares = []
    for new in (crawled, whole):
        matching = match_corrections(anchor_pages(new), imported)
        shares.append(sum(match.state == "matches" for match in matching.matches) / max(len(matching.matches), 1))
    return min(shares)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sites", type=Path, metavar="SITES", help="the folder of build-sites; sites that were rendered before are learned")
    parser.add_argument("--only", nargs="+", default=[], metavar="SITE", help="sites to choose from (default: all that were rendered)")
    parser.add_argument("--worst", type=int, default=WORST, metavar="N", help="sites with the largest loss (default: %(default)s)")
    parser.add_argument("--answers", type=int, default=ANSWERS, metavar="N", help="answers per site (default: %(default)s)")


COMMAND = Command(
    "corrections",
    "learned sites after ten answers from gold, with a wrong one among them, and after redesigns",
    lambda options: run(options.sites, options.only, options.worst, options.answers),
    _add_options,
    needs_data=False,
)
