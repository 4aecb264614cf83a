"""Corrections of learned sites (`build-sites`): what ten answers gain, what a wrong one costs, and what a redesign leaves of them.

The sites are those with the largest loss before any answer (`benchmarks.experiments.corrections_and_drift.scripted_answers`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.alignment.gold_labels import gold_labels
from benchmarks.commands import Command
from benchmarks.experiments.corrections_and_drift.redesigns import REDESIGNS
from benchmarks.experiments.corrections_and_drift.scripted_answers import ANSWERS, HEADER, ScriptedReview, summarise
from benchmarks.sites.build import read_sites
from benchmarks.sites.captures import CapturedSite, capture_sites
from sightread.render.errors import SightreadError
from sightread.render.page import Page
from sightread.review.workbench import Workbench
from sightread.sites.corrections.anchors import anchor_pages
from sightread.sites.corrections.file import decode_corrections, encode_corrections
from sightread.sites.corrections.matching import match_corrections
from sightread.sites.corrections.records import Corrections

WORST = 20
FEWEST_PAGES = 20
CHANGED_SHARE = 0.5
"""Share of the pages that a partial redesign changes."""
REDESIGNED = ("class names", "colours", "sizes, typeface", "a container more", "elements")
PARTS = ("choose", "calibrate")


def run(out: Path, only: Sequence[str], worst: int, answers: int) -> int:
    """Print a row per site and the means. Return 1 if the mean loss does not fall by half, a wrong answer makes a site worse, or too few
    corrections apply after a redesign.
    """
    rendered = [site for _, site in read_sites(out) if (out / site.name / "corpus-1600" / "complete").is_file()]
    known = [site.name for site in rendered if site.part in PARTS]
    reviews = [review for name in only or known if (review := _review(capture_sites(out, only=[name])[0])) is not None]
    reviews.sort(key=lambda each: -each.before)
    print(f"{len(reviews)} sites, mean loss {np.mean([each.before for each in reviews]):.4f}; the {worst} with the largest:", flush=True)
    print(HEADER)
    outcomes, shares = [], []
    for review in reviews[:worst]:
        outcomes.append(review.run(answers))
        print(outcomes[-1].line(), flush=True)
        shares.append([_applied(review.bench.pages, outcomes[-1].corrections, change) for change in REDESIGNED])
    is_good = summarise(outcomes)
    applied = np.mean(shares, axis=0)
    print("applied: " + ", ".join(f"{change} {share:.3f}" for change, share in zip(REDESIGNED, applied, strict=True)))
    return int(not is_good or min(applied) < 0.95)


def _review(site: CapturedSite) -> ScriptedReview | None:
    """Return the review of a site; None if it has too few pages or cannot be learned."""
    if len(site.pages) < FEWEST_PAGES:
        return None
    texts = [page.gold for page in site.gold]
    try:
        gold = [gold_labels(page, text) for page, text in zip(site.pages, texts, strict=True)]
        return ScriptedReview(site.site.name, Workbench(site.pages), gold, texts)
    except SightreadError as error:
        print(f"{site.site.name}: not learned: {error}", flush=True)
        return None


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
    text = "sites to choose from (default: all that were rendered, but for the final part)"
    parser.add_argument("--only", nargs="+", default=[], metavar="SITE", help=text)
    parser.add_argument("--worst", type=int, default=WORST, metavar="N", help="sites with the largest loss (default: %(default)s)")
    parser.add_argument("--answers", type=int, default=ANSWERS, metavar="N", help="answers per site (default: %(default)s)")


COMMAND = Command(
    "corrections",
    "learned sites after ten answers from gold, with a wrong one among them, and after redesigns",
    lambda options: run(options.sites, options.only, options.worst, options.answers),
    _add_options,
    needs_data=False,
)
