"""Documents of a site's pages by every model that can read them: the registered ones, `auto`, and other versions of the site."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property

from sightread.document.document import Document, build_document
from sightread.models.model_choice import choose_for
from sightread.models.registry import MODELS
from sightread.reading import Reading, apply_model
from sightread.render.errors import Rejected, SightreadError, quoted
from sightread.render.page import Page
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.store import LearnedSite

AUTO = "auto"
MOST_CACHED = 64
"""Documents in memory; `auto`'s, which corrections change, are never among them."""
_VERSION = "version "


class ModelDocuments:
    """The documents of one site's pages, each read on first use."""

    def __init__(self, pages: Sequence[Page], home: SiteHome | None = None, own: SiteFolder | None = None) -> None:
        self._pages = pages
        self._home = home
        self._own = own
        self._cached: OrderedDict[tuple[int, str], Document] = OrderedDict()

    @cached_property
    def versions(self) -> dict[str, LearnedSite]:
        """The other versions of the site that can be read, by name, the newest first."""
        found = {}
        for folder in reversed(self._home.versions if self._home else ()):
            if folder != self._own and folder.model.is_file():
                try:
                    found[f"{_VERSION}{folder.path.name}"] = LearnedSite.load(folder)
                except SightreadError:  # a damaged file: `sightread.sites.history` has the reason
                    continue
        return found

    def names(self, readings: Sequence[Reading] = ()) -> tuple[str, ...]:
        """Return the names of all models: `auto` first if there are readings, then other versions, then the registry."""
        return (*([AUTO] if readings else []), *self.versions, *MODELS)

    def read(self, row: int, name: str, readings: Sequence[Reading] = ()) -> Document:
        """Return the document of a page by the model of that name; `auto`'s is that of the readings.

        Raises `Rejected` if there is no such model, or if it needs what the page lacks.
        """
        if name == AUTO and readings:
            return readings[row].document
        found = self._cached.get((row, name))
        if found is None:
            found = self._cached[row, name] = self._read(self._pages[row], name)
            while len(self._cached) > MOST_CACHED:
                self._cached.popitem(last=False)
        return found

    def _read(self, page: Page, name: str) -> Document:
        if name in self.versions:
            return apply_model(choose_for(self.versions[name]), page, is_new=False).document
        if name not in MODELS:
            raise Rejected(f"there is no model {quoted(name)} here")
        return build_document(page, MODELS[name].make().predict(page), name)

    def kept(self, row: int, readings: Sequence[Reading] = ()) -> dict[str, list[int]]:
        """Return which blocks of a page each model keeps; those that cannot read the page are left out."""
        kept = {}
        for name in self.names(readings):
            try:
                kept[name] = sorted(self.read(row, name, readings).rows)
            except Rejected:  # it needs what the page lacks
                continue
        return kept
