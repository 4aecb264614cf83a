"""The student of a learned site: its model of the HTML alone, taught by what the visual model keeps of the same pages.

It is the site's linear SVM over tag paths, selectors and text (the DOM features of Zhou and Mashuq 2013, tables 5 to 8), with the visual
reading in place of labels (distillation, Hinton et al. 2015): the look is needed to find out what is content, and once that is known, the
DOM is mostly enough. Where it is not, because scripts bring or hide text, is learned for each template of the site.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Annotated, NamedTuple

import msgspec
import numpy as np

from sightread.classify.evaluation import Score, block_score, page_folds
from sightread.classify.model import Model, Prediction, Probabilities
from sightread.classify.site.model import SiteModel, cache_for
from sightread.document.document import Document, build_document
from sightread.document.selection import Policy
from sightread.labeling.known_clusters import KnownClusters, held_out_shares, remember
from sightread.labeling.looks import build_table
from sightread.render.analysis.fallback_text import shows_little
from sightread.render.errors import BadRecord, Rejected
from sightread.render.files import write_atomically
from sightread.render.labels import BOILERPLATE, CONTENT, THRESHOLD, UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.render.static.parse import read_html
from sightread.render.text.words import letters, words
from sightread.sites.trust import UsualValues, directory_of, expected_page_f1, usual_pages

MOST_LOSS = 0.005
"""Word F1 that the student may lose against the visual reading, on pages of a template that it did not learn from."""
LARGE_LOSS = 0.02
"""The same for one page: those that lose more are separated from the others by what their HTML has."""
FOLDS = 4
LEAST_LETTERS = 12
"""Of a text that is looked for inside others, unless it follows what was found last: a shorter one is found by chance."""
MOST_TEMPLATES = 8
LEAST_PAGES = 2
"""Of a template."""
TIMED = 5
"""Pages that are read again to measure the time that one takes."""


class StudentModel(SiteModel):
    """The site model, of pages that no browser laid out."""

    name = "student"

    def predict(self, page: Page) -> Prediction:
        """Return one probability of content per block, shape (blocks,); what it was taught by has its headline."""
        return replace(super().predict(page), needs_headline=False)


class PageTemplate(msgspec.Struct, frozen=True):
    """Pages of a site that are alike as far as reading them without a browser goes: a leaf of a tree over the names of their elements."""

    has: tuple[str, ...]
    """Names (`element_names`) that each of its pages has."""
    lacks: tuple[str, ...]
    """Names that none of them has. A page has exactly one template."""
    pages: Annotated[int, msgspec.Meta(ge=1)]
    """How many were learned from."""
    f1: float
    """Mean word F1 between the student's documents, of pages that it did not learn from, and those of the visual reading."""

    @property
    def needs_browser(self) -> bool:
        """Whether the HTML of its pages is not enough to find what the browser shows."""
        return self.f1 < 1 - MOST_LOSS


class StudentEvaluation(msgspec.Struct, frozen=True):
    """How a student agrees with the visual reading of the same pages, which it did not learn from. Shares are 0 to 1."""

    pages: int
    """Pages of which the HTML is known."""
    blocks: Score
    """Of its decisions, by block, against what the visual reading kept."""
    f1: float
    """Mean word F1 between the documents."""
    global_f1: float
    """The same of the global model, which reads the HTML too."""
    brought: float
    """Share of the kept text that only scripts bring: it is not in the HTML."""
    hidden: float
    """Share of the text of the HTML that the browser does not have: scripts remove it."""
    templates: tuple[PageTemplate, ...]
    usual: UsualValues
    seconds: float
    """Processor time of one page without a browser, from its HTML to the document."""

    @property
    def pages_needing_browser(self) -> int:
        """Number of pages that are not of a template whose HTML is enough."""
        return self.pages - sum(template.pages for template in self.templates if not template.needs_browser)

    @property
    def distrust_reason(self) -> str:
        """Why no page of the site is read by the student; empty if some are."""
        if any(not template.needs_browser for template in self.templates):
            return ""
        return f"without one their word F1 is {self.f1:.3f} (minimum {1 - MOST_LOSS}): {self.cause}"

    @property
    def cause(self) -> str:
        """Why pages of the site need a browser."""
        if self.brought > MOST_LOSS:
            return f"scripts bring {self.brought:.0%} of the kept text"
        if self.hidden > MOST_LOSS:
            return f"scripts hide {self.hidden:.0%} of the text of the HTML"
        return "tags and classes alone leave open what is content"

    def describe(self) -> str:
        """Return how many pages need a browser, in one clause."""
        needing = self.pages_needing_browser
        return f"{needing} of {self.pages} pages {'needs' if needing == 1 else 'need'} a browser"

    def template_of(self, page: Page) -> int:
        """Return the row of the page's template. Raises `BadRecord` if it has none: `teach` leaves no page without one."""
        names = element_names(page)
        for row, each in enumerate(self.templates):
            if names.issuperset(each.has) and names.isdisjoint(each.lacks):
                return row
        raise BadRecord("agreement.json: its templates are damaged; delete it and learn the site again")


class _Stored(msgspec.Struct):
    evaluation: StudentEvaluation
    known: KnownClusters


@dataclass(frozen=True, slots=True)
class Student:
    """A student with what is known of the pages that it learned from."""

    model: StudentModel
    evaluation: StudentEvaluation
    known: KnownClusters
    """The tag paths that its pages have."""
    documents: tuple[Document, ...] = ()
    """Of the pages of which the HTML is known, each by a student that did not learn from it; not stored."""

    def save(self, model: Path, evaluation: Path) -> None:
        """Write it to two files. Raises `StorageFailed`."""
        self.model.save(model)
        write_atomically(evaluation, msgspec.json.encode(_Stored(self.evaluation, self.known)) + b"\n")

    @classmethod
    def load(cls, model: Path, evaluation: Path) -> Student | None:
        """Read what `save` wrote; None if it is not there. Raises `BadRecord`."""
        stored = _read(evaluation)
        return cls(StudentModel.load(model), stored.evaluation, stored.known) if stored and model.is_file() else None


def _read(evaluation: Path) -> _Stored | None:
    if not evaluation.is_file():
        return None
    try:
        return msgspec.json.decode(evaluation.read_bytes(), type=_Stored)
    except msgspec.DecodeError as error:
        raise BadRecord(f"{evaluation}: {error}; delete it and learn the site again") from error


def read_agreement(path: Path) -> StudentEvaluation | None:
    """Return how the student of a site agrees with its visual reading; None if there is no student. Raises `BadRecord`."""
    stored = _read(path)
    return stored.evaluation if stored else None


def element_names(page: Page) -> frozenset[str]:
    """Return the names that separate templates: tags and classes of elements, and the directory of the page's address."""
    names = {name for element in page.elements for name in (element.tag, *(f"{element.tag}.{each}" for each in element.classes))}
    return frozenset(names | {directory_of(page.final_url)})


class Lesson(NamedTuple):
    """The part of a page that its student learns from."""

    labels: Labels
    """Of the blocks of the HTML: content, boilerplate, or unknown for a short text that the rendered page does not have."""
    brought: float
    """Share of the letters of the kept text that are not in the HTML, 0 to 1."""
    hidden: float
    """Share of the letters of the HTML's text that the rendered page does not have, 0 to 1."""


def lesson(static: Page, document: Document) -> Lesson:
    """Match the blocks of a page's HTML with those of its rendered page, by text and place.

    Blocks of equal letters are matched in their order, or if one of both has more of them, with the next one after what was matched. Styles
    divide text otherwise than tags do: any other block has the label of most of its letters where the rendered page has them in a row, in
    one block or several, and is left out if that has them nowhere.
    """
    rendered = [letters(block.text) for block in document.page.blocks]
    kept = np.zeros(len(rendered), np.bool_)
    kept[list(document.rows)] = True
    sizes = np.array([len(text) for text in rendered], np.intp)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    whole, is_kept = "".join(rendered), np.repeat(kept, sizes)
    is_found = np.zeros(len(whole), np.bool_)
    texts = [letters(block.text) for block in static.blocks]
    counts, seen = Counter(texts), Counter[str]()
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(rendered):
        rows[text].append(row)
        is_found[starts[row] : starts[row + 1]] = text in counts
    labels, lost, place = np.full(len(texts), UNKNOWN, np.int8), 0, 0
    for block, text in enumerate(texts):
        if text in rows:
            same = rows[text]
            in_order = len(same) == counts[text]
            row = same[seen[text]] if in_order else next((each for each in same if starts[each] >= place), same[-1])
            seen[text] += 1
            labels[block], place = CONTENT if kept[row] else BOILERPLATE, int(starts[row + 1])
        elif len(text) >= LEAST_LETTERS or (text and whole.startswith(text, place)):
            start = whole.find(text, place)
            start = whole.find(text) if start < 0 else start
            if start < 0:
                labels[block] = BOILERPLATE
                lost += len(text)
                continue
            place = start + len(text)
            is_found[start:place] = True
            labels[block] = CONTENT if 2 * is_kept[start:place].sum() >= len(text) else BOILERPLATE
    brought = float((is_kept & ~is_found).sum() / max(1, is_kept.sum()))
    return Lesson(labels, brought, lost / max(1, sum(map(len, texts))))


def teach(documents: Sequence[Document], sources: Sequence[str], policy: Policy, other: Model) -> Student:
    """Return the student of a site, from the documents of its visual reading and the HTML of the same pages, empty if it is not known.

    `policy` is that of the site; `other` is the global model. Deterministic. Raises `Rejected` if there is nothing to learn from.
    """
    known = [(document, html) for document, html in zip(documents, sources, strict=True) if html]
    if len(known) < len(documents) / 2:
        raise Rejected("the HTML of its pages as it came from the server was not kept: learn it again (sightread learn)")
    pages = [read_html(html, document.page.final_url) for document, html in known]
    visual = [document for document, _ in known]
    lessons = [lesson(page, document) for page, document in zip(pages, visual, strict=True)]
    labels, cache, folds = [each.labels for each in lessons], cache_for(pages), page_folds(pages, FOLDS)
    held_out: dict[int, Probabilities] = {}
    found: dict[int, Document] = {}
    for fold in np.unique(folds).tolist():
        others = [row for row in range(len(pages)) if folds[row] != fold]
        model = StudentModel(cache).fit([pages[row] for row in others], [labels[row] for row in others])
        for row in np.flatnonzero(folds == fold).tolist():
            prediction = model.predict(pages[row])
            held_out[row] = prediction.probabilities
            found[row] = build_document(pages[row], prediction, model.name, policy)
    f1s = [word_f1(found[row], document) for row, document in enumerate(visual)]
    model = StudentModel(cache).fit(pages, labels)
    table = build_table(pages)
    looks = remember(table, table.signature)
    evaluation = StudentEvaluation(
        pages=len(pages),
        blocks=block_score(np.concatenate([held_out[row] >= THRESHOLD for row in range(len(pages))]), np.concatenate(labels)),
        f1=float(np.mean(f1s)),
        global_f1=float(np.mean([word_f1(build_document(page, other.predict(page)), of) for page, of in zip(pages, visual, strict=True)])),
        brought=float(np.mean([each.brought for each in lessons])),
        hidden=float(np.mean([each.hidden for each in lessons])),
        templates=tuple(_templates(pages, f1s)),
        usual=usual_pages(
            held_out_shares(looks, pages),
            [expected_page_f1(page, held_out[row]) for row, page in enumerate(pages)],
            [page.final_url for page in pages],
        ),
        seconds=_seconds(model, [html for _, html in known[:TIMED]], policy),
    )
    return Student(model, evaluation, looks, tuple(found[row] for row in range(len(pages))))


def _seconds(model: StudentModel, sources: Sequence[str], policy: Policy) -> float:
    began = process_time()
    for html in sources:
        page = read_html(html)
        build_document(page, model.predict(page), model.name, policy)
    return (process_time() - began) / len(sources)


def word_f1(document: Document, other: Document) -> float:
    """Return the word F1 between the texts of two documents."""
    one, two = Counter(words(document.text)), Counter(words(other.text))
    return Score.of((one & two).total(), one.total(), two.total()).f1


def _templates(pages: Sequence[Page], f1s: Sequence[float]) -> Iterator[PageTemplate]:
    """Yield the leaves of the tree (CART; Breiman et al. 1984) that separates pages whose HTML is enough from others by their names.

    A page that shows little may be the shell of what scripts build: it is no evidence about others, and is rendered in any case.
    """
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415  (only learning needs it)

    rows = [row for row, page in enumerate(pages) if not shows_little(page)]
    if not rows:
        yield PageTemplate((), (), len(pages), 0.0)
        return
    of_pages = [element_names(pages[row]) for row in rows]
    names = sorted(frozenset[str]().union(*of_pages))
    has = np.array([[name in of_page for name in names] for of_page in of_pages])
    is_lacking = np.array([f1s[row] < 1 - LARGE_LOSS for row in rows])
    tree = DecisionTreeClassifier(max_leaf_nodes=MOST_TEMPLATES, min_samples_leaf=LEAST_PAGES, random_state=0).fit(has, is_lacking)
    leaves, nodes = tree.apply(has), tree.tree_
    of_leaf: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {0: ((), ())}
    for node in range(nodes.node_count):
        with_them, without = of_leaf[node]
        if nodes.children_left[node] < 0:
            f1 = float(np.mean([f1s[row] for row, leaf in zip(rows, leaves, strict=True) if leaf == node]))
            yield PageTemplate(with_them, without, int((leaves == node).sum()), f1)
            continue
        name = names[nodes.feature[node]]
        of_leaf[nodes.children_left[node]] = with_them, (*without, name)
        of_leaf[nodes.children_right[node]] = (*with_them, name), without
