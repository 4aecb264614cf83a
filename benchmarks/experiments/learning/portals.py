"""CleanPortalEval, four news portals with gold text: label, learn and extract per portal, from their stored HTML rendered offline.

Every page is extracted by a model that did not see it. Two other extractors read the same HTML. A page without an article has an empty gold
text: the right answer is nothing.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import sightread.render
from benchmarks.alignment.gold_labels import gold_labels
from benchmarks.datasets.samples import read_samples
from benchmarks.experiments.learning.chaos_set import text_of
from benchmarks.extractors.registry import TITLED
from benchmarks.extractors.workers import PageTask, Workers
from benchmarks.metrics.outcomes import MethodResult, Outcome, Subject, label_confidence, score_sentences
from sightread.classify.evaluation import cross_validate
from sightread.classify.model import Prediction, Probabilities
from sightread.classify.site.mixture import better_evaluation
from sightread.classify.site.model import SiteModel
from sightread.document.document import build_document
from sightread.labeling.labels import SiteLabels
from sightread.render.browser.browser import Browser
from sightread.render.browser.limiter import cores
from sightread.render.errors import BadRecord, Rejected, SightreadError
from sightread.render.files import write_atomically
from sightread.render.page import Page, decode_page, encode_page
from sightread.sites.learn import label_pages, predict_site

DATA = "cleanportaleval"
_REMARK = re.compile(r"<!--.*?-->", re.DOTALL)
"""Annotators' marks in place of a gold text: there is no article."""


class Stored(NamedTuple):
    """A page of the data set; a page without an article has an empty gold text."""

    portal: str
    """Prefix of its id."""
    id: str
    url: str
    html: str
    gold: str


def read_portals(data: Path) -> list[Stored]:
    """Return the pages in the file's order, or in that of their names. Raises `Rejected` if the set is not there."""
    return [
        Stored(sample.id.partition("_")[0], sample.id, sample.url, sample.html, _REMARK.sub("", sample.gold).strip())
        for sample in read_samples(DATA, data)
    ]


LABELS = "our labels, the portal's pages together"
LEARNED = "label, learn, extract: the site model, each page held out"
CEILING = "ceiling: the blocks that the gold text is made of"
METHODS = (LEARNED, LABELS, *(each.name for each in TITLED), CEILING)


Shown = Page | str
"""A page as it was rendered, or what was raised."""


async def render_all(stored: Sequence[Stored], cache: Path | None) -> list[Shown]:
    """Render the pages offline; what `cache` holds of a former run is taken from there, and what it lacks is put there.

    A page is known again by its HTML, its URL and the scripts that collect blocks.
    """
    paths = [cache / f"{_digest(page)}.json" if cache else None for page in stored]
    shown: dict[int, Shown] = {row: known for row, path in enumerate(paths) if path and (known := _cached(path))}
    missing = [row for row in range(len(stored)) if row not in shown]
    if missing:
        async with Browser() as browser:
            shown.update(zip(missing, await asyncio.gather(*(_render(browser, stored[row]) for row in missing)), strict=True))
    for row in missing:
        page, path = shown[row], paths[row]
        if path and isinstance(page, Page):
            write_atomically(path, encode_page(page))
    return [shown[row] for row in range(len(stored))]


def portal_outcomes(stored: Sequence[Stored], shown: Sequence[Shown]) -> Iterator[Outcome]:
    """Yield the outcome of each of our ways on every page. A page that was not rendered is a failure of each."""
    portals: defaultdict[str, list[int]] = defaultdict(list)
    for row, page in enumerate(stored):
        portals[page.portal].append(row)
    for rows in portals.values():
        subjects = [_subject(stored[row]) for row in rows]
        yield from _read_own(subjects, [shown[row] for row in rows])


def peer_outcomes(stored: Sequence[Stored]) -> Iterator[Outcome]:
    """Yield the outcome of other extractors on every page, each run in processes that are ended if they hang.

    One that is not installed is left out with a word.
    """
    workers = Workers(jobs=cores())
    subjects = {str(row): _subject(page) for row, page in enumerate(stored)}
    pages = [PageTask(str(row), page.html, page.url) for row, page in enumerate(stored)]
    for extractor in TITLED:
        try:
            texts = dict(workers.extract(extractor, pages))  # they come in any order
        except Rejected as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        for key, subject in subjects.items():
            yield score_sentences(subject, extractor.name, MethodResult(texts[key].text, texts[key].failure))


def extract_held_out(pages: Sequence[Page], labels: SiteLabels, overall: Sequence[Prediction]) -> list[Probabilities]:
    """Return for each page what `auto` would read it by, from site models that did not see it. Raises `Rejected` if none can be trained.

    A page without labels teaches nothing: the model of all the others reads it (`auto` would take the global model).
    """
    alone = cross_validate(SiteModel, pages, labels.labels)
    held_out = better_evaluation(alone, pages, [found.relative for found in overall], labels.labels)[0].held_out
    whole = SiteModel().fit(pages, labels.labels)
    return [whole.predict(page).relative if found is None else found for page, found in zip(pages, held_out, strict=True)]


def _read_own(subjects: Sequence[Subject], shown: Sequence[Shown]) -> Iterator[Outcome]:
    rendered: list[tuple[Subject, Page]] = []
    for subject, page in zip(subjects, shown, strict=True):
        if isinstance(page, Page):
            rendered.append((subject, page))
        else:
            yield from (score_sentences(subject, method, MethodResult("", page)) for method in (CEILING, LABELS, LEARNED))
    pages = [page for _, page in rendered]
    labelled, learned = _label_and_learn(pages)
    for row, (subject, page) in enumerate(rendered):
        yield score_sentences(subject, CEILING, MethodResult(text_of(page, gold_labels(page, subject.gold))))
        yield score_sentences(subject, LABELS, labelled[row])
        yield score_sentences(subject, LEARNED, learned[row])


def _label_and_learn(pages: Sequence[Page]) -> tuple[list[MethodResult], list[MethodResult]]:
    """Return the scores of labels and held-out models for each page."""
    overall = predict_site(pages)
    try:
        labels = label_pages(pages, predictions=overall)
    except Rejected as error:
        return [MethodResult("", str(error))] * len(pages), [MethodResult("", str(error))] * len(pages)
    confidences = [label_confidence(labels, row) for row in range(len(pages))]
    labelled = [
        MethodResult(text_of(page, kept), confidence=each) for page, kept, each in zip(pages, labels.labels, confidences, strict=True)
    ]
    try:
        found = extract_held_out(pages, labels, overall)
    except Rejected as error:
        return labelled, [MethodResult("", str(error))] * len(pages)
    texts = [build_document(page, probabilities).text for page, probabilities in zip(pages, found, strict=True)]
    return labelled, [MethodResult(text, confidence=each) for text, each in zip(texts, confidences, strict=True)]


def _subject(page: Stored) -> Subject:
    return Subject(DATA, page.portal, page.id, page.gold, bool(page.gold))


async def _render(browser: Browser, page: Stored) -> Shown:
    try:
        return (await browser.render_html(page.html, page.url)).page
    except SightreadError as error:
        return str(error)


def _cached(path: Path) -> Page | None:
    """Return the page of a former run; a damaged file is as good as none."""
    if not path.is_file():
        return None
    try:
        return decode_page(path.read_bytes(), str(path))
    except BadRecord:
        return None


def _digest(page: Stored) -> str:
    digest = blake2b(digest_size=16)
    scripts = [path.read_bytes() for path in sorted(Path(sightread.render.__file__).parent.rglob("*.js"))]
    for part in (page.url.encode(), page.html.encode(), *scripts):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
