"""Cache of learned sites: read from disk once, and again when their files change.

Record of whether recently read pages are evidence of a change of their site, shared by processes.

A line is a digest of what the page counts as (`Familiarity.counted_as`: its URL or a section), and 1 if the page is evidence of a change,
else 0. Each is appended in one write, so any number of processes may write; what is read again counts once, with its last value.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from os import SEEK_END
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec

from sightread.classify.model import Model, Prediction, Probabilities
from sightread.classify.site.mixture import mix_prediction
from sightread.classify.site.model import SiteModel
from sightread.crawler.corpus import Corpus
from sightread.document.notes import Note
from sightread.labeling.known_clusters import KnownClusters, compare_looks, has_drifted
from sightread.labeling.labels import PartDecision, load_known, load_parts
from sightread.render.errors import SightreadError, StorageFailed
from sightread.render.files import write_atomically
from sightread.render.labels import THRESHOLD
from sightread.render.page import Page
from sightread.sites.corrections.records import NO_CORRECTIONS, Corrections, load_corrections
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.student import Student, StudentEvaluation
from sightread.sites.trust import Familiarity, SiteEvaluation, directory_of, expected_page_f1, unseen_expected_f1

PAGES_CONSIDERED = 10
LOOK_BACK = 200
"""Lines read for them: the same page may have been read many times."""
MOST_LINES = 2000
"""Number of lines from which on the older ones are deleted."""

_LINE = re.compile(rb"^([0-9a-f]{16}) ([01])\n", re.MULTILINE)
_BYTES = 19


class Recent(NamedTuple):
    """The last different pages: their number, and how many of them are evidence of a change."""

    strange: int
    pages: int


def note_page(path: Path, url: str, *, strange: bool) -> Recent:
    """Record whether one page is evidence of a change, and return the last ones, this one included.

    If the file cannot be written or read, only this page is returned: reading a page must not fail for that.
    """
    line = f"{blake2b(url.encode('utf-8', 'replace'), digest_size=8).hexdigest()} {int(strange)}\n".encode()
    content = line
    with suppress(OSError, StorageFailed), path.open("a+b", buffering=0) as file:
        file.write(line)
        size = file.tell()
        file.seek(max(0, size - LOOK_BACK * _BYTES))
        content = file.read()
        if size > MOST_LINES * _BYTES:
            write_atomically(path, content)
    return _last(content)


def read_recent(path: Path) -> Recent:
    """Return the last pages that were recorded; none if none were."""
    with suppress(OSError), path.open("rb") as file:
        file.seek(0, SEEK_END)
        file.seek(max(0, file.tell() - LOOK_BACK * _BYTES))
        return _last(file.read())
    return Recent(0, 0)


def read_readings(path: Path) -> tuple[bool, ...]:
    """Return whether each page is evidence of a change, the oldest first; a page that was read several times is there as often."""
    with suppress(OSError):
        return tuple(mark == b"1" for _, mark in _LINE.findall(path.read_bytes()))
    return ()


def _last(content: bytes) -> Recent:
    last: dict[bytes, int] = {}
    for digest, is_strange in reversed(_LINE.findall(content)):
        if len(last) < PAGES_CONSIDERED:
            last.setdefault(digest, int(is_strange))
    return Recent(sum(last.values()), len(last))


MOST_DISAGREEMENTS = 2
"""Of the last pages of a template that were read both ways, from which on the browser renders them all."""
SITES = 64
"""Learned sites kept in memory, some megabytes each at most."""


@dataclass(frozen=True, slots=True)
class LearnedSite:
    """One version of a learned site."""

    folder: SiteFolder
    model: SiteModel
    site_evaluation: SiteEvaluation | None
    """None if it was never evaluated."""
    known: KnownClusters | None
    """None if it has no labels."""
    unseen_expected_f1: float
    """The model's expected F1 on a page without any known feature."""
    parts: tuple[PartDecision, ...] = ()
    """Whether comments and other parts of pages are content on the site."""
    corrections: Corrections = NO_CORRECTIONS
    """Corrections by a person; they hold whichever model reads a page."""
    by_html: LearnedSite | None = None
    """The site as its student reads pages without a browser; None if it has none."""
    agreement: StudentEvaluation | None = None
    """How the student agrees with the model of rendered pages; None of the site with a browser."""

    @classmethod
    def load(cls, folder: SiteFolder) -> LearnedSite:
        """Read a version whose model is there. Raises `BadRecord` for a damaged file."""
        model = SiteModel.load(folder.model)
        learned = cls(
            folder,
            model,
            folder.read_evaluation(),
            load_known(folder.labels),
            unseen_expected_f1(model),
            load_parts(folder.labels),
            load_corrections(folder.corrections),
        )
        student = Student.load(folder.student, folder.agreement)
        return replace(learned, by_html=learned.as_read_by(student)) if student else learned

    def as_read_by(self, student: Student) -> LearnedSite:
        """Return the site as its student reads pages without a browser."""
        evaluation = self.site_evaluation and msgspec.structs.replace(self.site_evaluation, usual=student.evaluation.usual, is_mixed=False)
        return replace(
            self,
            model=student.model,
            site_evaluation=evaluation,
            known=student.known,
            unseen_expected_f1=unseen_expected_f1(student.model),
            agreement=student.evaluation,
        )

    @property
    def version(self) -> str:
        """The version's number, four digits at least; of a folder that `--out` named, its name."""
        return self.folder.path.name

    def familiarity(self, page: Page, probabilities: Probabilities) -> Familiarity | None:
        """Return the familiarity of a page to the pages learned from; None if it cannot be computed."""
        usual = self.site_evaluation.usual if self.site_evaluation else None
        if usual is None or self.known is None:
            return None
        looks = compare_looks(self.known, page)
        return Familiarity(
            looks.known,
            expected_page_f1(page, probabilities),
            self.unseen_expected_f1,
            usual,
            looks.kept,
            keeps_known=bool((looks.seen & (probabilities >= THRESHOLD)).any()),
            url=page.final_url,
        )

    def complete(self, page: Page, own: Prediction, other: Model) -> Prediction:
        """Return the site model's prediction, with the other model's mixed in if the place of a block is unknown, if that was better."""
        if self.site_evaluation is None or not self.site_evaluation.is_mixed or not self.model.unknown(page).any():
            return own
        return mix_prediction(self.model, page, own, other.predict(page))

    def needs_browser(self, page: Page) -> tuple[Note, ...]:
        """Return a note if the student may not read the page without a browser, by the template of its HTML."""
        if self.agreement is None:
            return ()
        row = self.agreement.template_of(page)
        if (template := self.agreement.templates[row]).needs_browser:
            f1 = f"without a browser the word F1 of such pages is {template.f1:.3f}"
            return (Note("page-needs-browser", f"scripts bring or hide text on pages like it: {f1}: render it"),)
        return self._html_change(row)

    @property
    def html_changes(self) -> tuple[Note, ...]:
        """A note if the HTML of some template was found to be no longer enough; none of the site without a browser."""
        templates = self.by_html.agreement.templates if self.by_html and self.by_html.agreement else ()
        return next(filter(None, map(self._html_change, range(len(templates)))), ())

    def _html_change(self, template: int) -> tuple[Note, ...]:
        """Return a note if pages of a template differed that were read both ways, so that the browser renders them all."""
        checks = read_recent(self._checks(template))
        if checks.strange < MOST_DISAGREEMENTS:
            return ()
        were = f"of the last {checks.pages} pages of a template that were read with a browser and without one, {checks.strange} differed"
        return (Note("site-changed", f"{were}: such pages are rendered until you run: sightread learn {self._sample()[0]} --refresh"),)

    def check_interval(self, page: Page, most: int) -> int:
        """Return for how many pages like this one, `most` at most, one is to be read both ways."""
        assert self.agreement is not None
        row = self.agreement.template_of(page)
        checks = read_recent(self._checks(row))
        agreed = 0 if checks.strange else checks.pages
        return min(most, self.agreement.templates[row].pages << agreed)

    def note_check(self, page: Page, *, agrees: bool) -> None:
        """Record whether a page has the same document with a browser and without one."""
        assert self.agreement is not None
        with suppress(OSError):  # then the check is lost, and the page is read all the same
            self.folder.checks.mkdir(exist_ok=True)
        note_page(self._checks(self.agreement.template_of(page)), page.url, strange=not agrees)

    def _checks(self, template: int) -> Path:
        return self.folder.checks / f"{template}"

    def remark(self, page: Page, found: Familiarity, *, is_new: bool = True) -> tuple[Note, ...]:
        """Return a note of a page that is not as expected, with its remedy.

        Whether a page that `is_new` is evidence of a change is recorded.
        """
        live = is_new and page.source == "browser"  # a saved page may lack its style sheets, which is no evidence about the site
        recent = note_page(self.folder.recent, found.counted_as, strange=found.is_changed) if live else None
        if not found.is_strange:
            return ()
        looks = f"{found.known:.0%} of its text looks like theirs, {found.usual.known:.0%} is usual"
        expected = f"its model expects an F1 of {found.expected_f1:.2f} there, {found.usual.expected_f1:.2f} is usual"
        what = f"the page is unlike those that version {self.version} of the site was learned from ({looks}; {expected})"
        if self.agreement is not None:
            return (Note("page-unlike-site", f"{what}; render it"),)
        if recent is None:
            return (Note("page-unlike-site", f"{what}; a saved page may lack its style sheets: read it from its URL"),)
        start, pages = self._sample()
        refresh = f"run: sightread learn {start} --refresh"
        if found.is_changed and has_drifted(recent.strange, recent.pages, found.usual.odd):
            were = f"so were {recent.strange} of the last {recent.pages} pages, so the site has changed"
            return (Note("site-changed", f"{what}; {were}; {refresh}"),)
        if found.is_changed and found.counted_as == found.url:
            return (Note("page-unlike-site", f"{what}; if others are too, {refresh}"),)
        lack = f"the sample is too narrow: it lacks pages of this kind, in {directory_of(found.url)}"
        return (Note("sample-too-narrow", f"{what}; {lack}; {refresh} --pages {2 * pages}"),)

    def _sample(self) -> tuple[str, int]:
        try:
            corpus = Corpus.open(self.folder.path)
        except SightreadError:
            return "SITE", self.model.pages
        return corpus.start_url, len(corpus)


class SiteStore:
    """The learned sites of one home, by the URLs of their pages. Safe to use from several threads."""

    def __init__(self, home: Path | None = None) -> None:
        self._home = home
        self._sites: OrderedDict[Path, tuple[tuple[_Stamp, ...], LearnedSite]] = OrderedDict()
        self._lock = Lock()

    def site(self, url: str) -> SiteHome:
        """Return the home of the site that the URL belongs to, whether it exists or not."""
        return SiteHome.of(url, self._home)

    def find(self, url: str) -> LearnedSite | None:
        """Return the version in use of the URL's site; None if it has no model. Raises `BadRecord` for a damaged file."""
        folder = self.site(url).current
        if folder is None or not folder.model.is_file():
            return None
        files = (folder.model, folder.evaluation, folder.labels, folder.corrections, folder.student, folder.agreement)
        stamps = tuple(_stamp(path) for path in files)
        with self._lock:
            held = self._sites.get(folder.path)
            if held is None or held[0] != stamps:  # read with the lock held: threads that need the same site wait for it
                held = self._sites[folder.path] = stamps, LearnedSite.load(folder)
                while len(self._sites) > SITES:
                    self._sites.popitem(last=False)
            self._sites.move_to_end(folder.path)
            return held[1]


@cache
def site_store(home: Path | None = None) -> SiteStore:
    """Return the store of a home that all calls of a process share, for functions that read one page."""
    return SiteStore(home)


_Stamp = tuple[int, int, int]


def _stamp(path: Path) -> _Stamp:
    """Return a value that changes when a file is replaced; zeros if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_ino, found.st_size
