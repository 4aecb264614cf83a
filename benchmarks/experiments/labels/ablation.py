"""Ablation of the labeler: built sites labelled with one rule switched off at a time.

Every figure is the mean over sites of the word F1 between the documents of a site's labels and its gold texts, less that with all rules.
Intervals are those of a bootstrap over sites. The global model is the shipped one: sites of generators that it learned from are read better
by it than others are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.samples import at_even_distances
from benchmarks.experiments.learning.built_sites import add_sites, mean_f1, predictions_of_labels
from benchmarks.metrics.means import bootstrap
from benchmarks.sites.build import choose_sites
from benchmarks.sites.captures import CapturedSite, capture_sites
from sightread.classify.model import Prediction, log_odds
from sightread.labeling import combination
from sightread.labeling.articles import article, geometry, site_articles
from sightread.labeling.combination import WEIGHTS, combine_labels
from sightread.labeling.evidence.site_table import SiteTable
from sightread.labeling.label_site import label_site
from sightread.labeling.labels.labels import SiteLabels
from sightread.labeling.site_parts.slots import find_prose
from sightread.models.model_choice import DOM_ONLY, FALLBACK
from sightread.render.errors import Rejected
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Floats, Rows
from sightread.sites.parts import site_policy

NOTICEABLE = 0.002
"""Difference in word F1 from which on a site counts as better or worse."""
ALL_RULES = "all rules"


class Switch(NamedTuple):
    """A name of a module or class, and what it is without the rule."""

    owner: object
    name: str
    value: object


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, and how to switch it off."""

    name: str
    without: tuple[Switch, ...]
    of_relevance: bool = False
    """Whether it changes the labels by relevance, and not only how they are combined with predictions."""


def _none(table: SiteTable, *_: object) -> Bools:
    return np.zeros(len(table.text), np.bool_)


def _weights(name: str, **changes: float | tuple[int, int]) -> Rule:
    return Rule(name, (Switch(combination, "WEIGHTS", replace(WEIGHTS, **changes)),))  # type: ignore[arg-type]


def _finder(name: str, function: str) -> Rule:
    return Rule(name, (Switch(combination, function, _none),))


def _no_place(name: str, mask: str) -> Rule:
    """Return the rule that reads one mask of the article's places."""
    original: Callable[[article._Sites, str, Rows], Bools] = article._Sites.at

    def at(sites: article._Sites, of: str, members: Rows) -> Bools:
        return np.zeros(len(members), np.bool_) if of == mask else original(sites, of, members)

    return Rule(name, (Switch(article._Sites, "at", at),), of_relevance=True)


def _no_lines(table: SiteTable, *_: object) -> tuple[Bools, Bools]:
    return _none(table), _none(table)


def _no_templated(table: SiteTable, look: Rows, is_single: Bools) -> tuple[Bools, Bools]:
    return find_prose(table, look, is_single)[0], _none(table)


def _all_classes(table: SiteTable) -> frozenset[str]:
    return frozenset(name for page in table.pages for element in page.elements for name in element.classes)


RULES = (
    Rule("bylines and datelines", (Switch(combination, "find_bylines", _no_lines),)),
    _finder("headlines", "find_headlines"),
    _finder("header fields of mail", "find_mail_fields"),
    _finder("comments without a name", "find_replies"),
    _finder("previews", "find_previews"),
    _finder("slots of the template", "find_slots"),
    Rule("prose and sentences of the template", (Switch(combination, "find_prose", _no_lines),)),
    Rule("sentences of the template", (Switch(combination, "find_prose", _no_templated),)),
    _weights("named looks weigh more", named=0.0),
    _weights("prose weighs more", prose=0.0),
    _weights("content of unsure labels weighs less", uncertain_content=WEIGHTS.content),
    _weights("less where relevance misses text", missed=WEIGHTS.boilerplate),
    _weights("less by the square of the recall", least_recall=1e-6),
    _weights("more for repeated text", repeated=0.0, repeated_outside=0.0),
    _weights("more for repeated text outside the content", repeated_outside=0.0),
    _weights("less for looks on few pages", common=1e-9),
    _weights("none for headings above content", leading=2.0),
    _weights("contradicting predictions", undecided=1.0),
    _weights("two pages contradict on small sites", undecided_on=(3, 3)),
    _weights("not where most texts repeat", mostly_repeated=2.0),
    _weights("text on half of the pages is a look", most_pages=2.0),
    Rule("text in the same parent", (Switch(combination, "content_around", lambda _, look, *__: np.full(len(look), 0.5)),)),
    Rule("classes of one page do not count", (Switch(combination, "_shared_classes", _all_classes),)),
    _no_place("article: boxes as wide as its paragraphs", "column"),
    _no_place("article: captions", "captions"),
    _no_place("article: headings right above a paragraph", "heads"),
    _no_place("article: text before its paragraphs", "lead"),
    Rule("article: headlines", (Switch(article, "_is_headline", lambda *_: False),), of_relevance=True),
    Rule("article: lists, tables and quotations", (Switch(article, "_structured", lambda *_: False),), of_relevance=True),
    Rule("article: inserted boxes", (Switch(article, "is_inserted", lambda *_: False),), of_relevance=True),
    Rule(
        "article: cards",
        (Switch(article, "_without_cards", lambda _, __, parts: set(parts)), Switch(article, "_in_cards", lambda *_: False)),
        of_relevance=True,
    ),
    Rule("article: controls", (Switch(geometry, "CONTROLS", frozenset()),), of_relevance=True),
    Rule("article: usual container", (Switch(geometry, "PLACE", replace(geometry.PLACE, fewest_pages=10**9)),), of_relevance=True),
    Rule("article: comments", (Switch(site_articles, "split_template", lambda evidence, _: evidence),), of_relevance=True),
)
BY_NAME = {rule.name: rule for rule in RULES}


@contextmanager
def switched_off(rule: Rule) -> Iterator[None]:
    """Label without the rule."""
    with ExitStack() as stack:
        for switch in rule.without:
            stack.enter_context(mock.patch.object(switch.owner, switch.name, switch.value))
        yield


@dataclass(frozen=True, slots=True)
class SiteAblation:
    """Word F1 of the labels of one site, by the rule that is switched off, and of the global model."""

    name: str
    rendered: float
    f1: Mapping[str, float]


def run(out: Path, parts: Sequence[str], only: Sequence[str], pages: int, rules: Sequence[str]) -> int:
    """Print what each rule is worth as a Markdown table; `pages` limits what is labelled, 0 for all."""
    if pages < 0:
        raise Rejected(f"--pages {pages}: a number of pages is wanted, or 0 for all")
    names = choose_sites(out, parts, only)
    with ProcessPoolExecutor(2) as pool:
        found = [each for each in pool.map(ablate_site, repeat(out), names, repeat(pages), repeat(rules or list(BY_NAME))) if each]
    if not found:
        raise Rejected(f"{out}: nothing could be labelled on these sites")
    whole = np.array([site.f1[ALL_RULES] for site in found])
    rendered = np.array([site.rendered for site in found])
    print(f"{len(found)} sites: labels {whole.mean():.4f}, global {rendered.mean():.4f}\n")
    print("| without | labels | interval | sites worse, better, changed | most |\n| --- | --- | --- | --- | --- |")
    for name in rules or BY_NAME:
        gains = np.array([site.f1[name] for site in found]) - whole
        mean = bootstrap(gains)
        most = int(np.abs(gains).argmax())
        counts = f"{(gains < -NOTICEABLE).sum()}, {(gains > NOTICEABLE).sum()}, {(gains != 0).sum()}"
        extreme = f"{found[most].name} {gains[most]:+.3f}" if gains[most] else ""
        print(f"| {name} | {mean.mean:+.4f} | {mean.low:+.4f} to {mean.high:+.4f} | {counts} | {extreme} |")
    return 0


def ablate_site(out: Path, name: str, pages: int, rules: Sequence[str]) -> SiteAblation | None:
    """Label one site with all rules, and without each of them; None if there is nothing to label."""
    captured = capture_sites(out, only=[name])[0]
    chosen = at_even_distances(range(len(captured.pages)), pages or len(captured.pages))
    site = _Site.of(captured, chosen)
    try:
        relevance = label_site(site.pages)
    except Rejected:
        return None
    f1 = {ALL_RULES: site.f1(combine_labels(site.pages, relevance, site.odds))}
    for rule in (BY_NAME[each] for each in rules):
        with switched_off(rule):
            labels = label_site(site.pages) if rule.of_relevance else relevance
            f1[rule.name] = site.f1(combine_labels(site.pages, labels, site.odds))
    return SiteAblation(name, site.score(site.predictions), f1)


@dataclass(frozen=True, slots=True)
class _Site:
    """Pages of a site with gold and predictions, and the scores of the labels that were seen."""

    pages: Sequence[Page]
    gold: Sequence[str]
    predictions: Sequence[Prediction]
    odds: Sequence[Floats]
    seen: dict[bytes, float]

    @classmethod
    def of(cls, captured: CapturedSite, chosen: Sequence[int]) -> _Site:
        model = DOM_ONLY[FALLBACK]()
        pages = [captured.pages[row] for row in chosen]
        predictions = [model.predict(page) for page in pages]
        return cls(pages, [captured.gold[row].gold for row in chosen], predictions, [log_odds(each.relative) for each in predictions], {})

    def f1(self, labels: SiteLabels) -> float:
        """Return the mean word F1 of the documents of the labels; those of pages without labels are the global model's."""
        key = b"|".join(of_page.tobytes() for of_page in labels.labels)
        if key not in self.seen:
            self.seen[key] = self.score(predictions_of_labels(labels, self.predictions))
        return self.seen[key]

    def score(self, predictions: Sequence[Prediction]) -> float:
        """Return the mean word F1 of the documents of predictions."""
        return mean_f1(self.pages, predictions, self.gold, site_policy(()))


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_sites(parser)
    parser.add_argument("--rules", nargs="+", default=[], choices=tuple(BY_NAME), metavar="RULE", help="rules to switch off (default: all)")
    add_pages(parser, 0, "pages to label, at even distances, 0 for all")


COMMAND = Command(
    "labeler-ablation",
    "what each rule of the labeler is worth on built sites",
    lambda options: run(options.sites, options.parts, options.only, options.pages, options.rules),
    _add_options,
    needs_data=False,
)
