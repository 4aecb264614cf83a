"""The automatic labels of the authors' chaos set against the text that people chose there: 189 pages of 42 hosts.

Nothing of the gold text reaches the labeler; the ceiling alone is made from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

import numpy as np

from benchmarks.alignment.gold_labels import gold_labels, match_gold
from benchmarks.datasets.spider import LIVE, SpiderPage
from benchmarks.metrics.outcomes import MethodResult, Outcome, Subject, label_confidence, score_page
from sightread.classify.evaluation import cross_validate
from sightread.classify.site.model import SiteModel
from sightread.document.document import build_document
from sightread.labeling.clusterings import CLUSTERINGS
from sightread.labeling.label_site import label_site
from sightread.labeling.looks import build_table
from sightread.labeling.published import label_site_as_published
from sightread.render.errors import Rejected
from sightread.render.labels import BOILERPLATE, CONTENT
from sightread.render.page import Page
from sightread.render.page.array_types import Labels

DATA = "chaos"
PUBLISHED = "the paper, page by page: the most relevant cluster, by characters"
LARGEST = "page by page: the largest cluster outside links"
LOCAL = "ours, page by page"
HOST = "ours, a host at a time"
DOCUMENT = "ours, a host at a time, as the document's text"
LEARNED = "site model, each page held out, as the document's text"
ON_MODEL_PAGES = "ours, a host at a time, on the site model's pages"
CEILING = "ceiling: the blocks that the gold text is made of"
METHODS = (PUBLISHED, LARGEST, LOCAL, HOST, DOCUMENT, LEARNED, ON_MODEL_PAGES, CEILING)


def chaos_outcomes(found: Sequence[SpiderPage]) -> Iterator[Outcome]:
    """Yield the outcome of every method on every page; of the site model on pages of hosts where one could be trained and held out."""
    hosts: defaultdict[str, list[SpiderPage]] = defaultdict(list)
    for each in found:
        hosts[urlsplit(each.page.url).hostname or each.page.url].append(each)
    for host, of_host in hosts.items():
        subjects = [_subject(host, each) for each in of_host]
        pages = [each.page for each in of_host]
        for subject, page in zip(subjects, pages, strict=True):
            yield from _alone(subject, page)
        yield from _together(subjects, pages)


def text_of(page: Page, labels: Labels) -> str:
    """Return the text of the blocks labelled as content, one block per line."""
    return "\n".join(block.text for block, label in zip(page.blocks, labels, strict=True) if label == CONTENT)


def document_text(page: Page, labels: Labels) -> str:
    """Return the text of the document that is made of the blocks labelled content."""
    return build_document(page, (labels == CONTENT).astype(np.float64)).text


def label_by_size(page: Page) -> Labels:
    """Label the cluster with the most text outside links content."""
    cluster = CLUSTERINGS["dbscan"](build_table([page]))
    unlinked = [max(0, len(block.text) - block.link_chars) for block in page.blocks]
    sizes = np.bincount(cluster, unlinked, 1)
    return np.where(cluster == sizes.argmax(), CONTENT, BOILERPLATE).astype(np.int8)


def _subject(host: str, each: SpiderPage) -> Subject:
    found = match_gold([block.text for block in each.page.blocks], each.gold_text).found
    return Subject(DATA, host, each.id, each.gold_text, found >= LIVE)


def _alone(subject: Subject, page: Page) -> Iterator[Outcome]:
    """Yield the features of a single page."""
    kept: dict[str, Callable[[], Labels]] = {
        PUBLISHED: lambda: label_site_as_published([page]).labels[0],
        LARGEST: lambda: label_by_size(page),
        CEILING: lambda: gold_labels(page, subject.gold),
    }
    for method, label in kept.items():
        yield score_page(subject, method, MethodResult(text_of(page, label())))
    try:
        labels = label_site([page])
    except Rejected as error:
        yield score_page(subject, LOCAL, MethodResult("", str(error)))
        return
    yield score_page(subject, LOCAL, MethodResult(text_of(page, labels.labels[0]), confidence=label_confidence(labels, 0)))


def _together(subjects: Sequence[Subject], pages: Sequence[Page]) -> Iterator[Outcome]:
    """Yield the features of all pages of one host."""
    try:
        labels = label_site(pages)
    except Rejected as error:
        for subject in subjects:
            yield score_page(subject, HOST, MethodResult("", str(error)))
            yield score_page(subject, DOCUMENT, MethodResult("", str(error)))
        return
    texts = [MethodResult(text_of(page, labels.labels[row]), confidence=label_confidence(labels, row)) for row, page in enumerate(pages)]
    for row, (subject, page) in enumerate(zip(subjects, pages, strict=True)):
        yield score_page(subject, HOST, texts[row])
        yield score_page(subject, DOCUMENT, texts[row]._replace(text=document_text(page, labels.labels[row])))
    try:
        held_out = cross_validate(SiteModel, pages, labels.labels).held_out
    except Rejected:  # one page, or pages that are all the same: nothing to hold out
        return
    for row, probabilities in enumerate(held_out):
        if probabilities is not None:
            yield score_page(subjects[row], LEARNED, texts[row]._replace(text=build_document(pages[row], probabilities).text))
            yield score_page(subjects[row], ON_MODEL_PAGES, texts[row])
