"""Which model reads a page: by name, or `auto`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from classify.dom.boilerpipe import Boilerpipe
from classify.model import Model, Needs
from classify.site import SiteModel
from render.errors import Rejected, UnknownModel
from sightread.home import SiteFolder

DOM_ONLY: dict[str, Callable[[], Model]] = {
    name: lambda name=name: Boilerpipe(name)  # type: ignore[misc]
    for name in ("boilerpipe", "boilerpipe-density")
}
FALLBACK = "boilerpipe"
"""What `auto` takes where no site model is trusted."""
NAMES = ("auto", "site", *DOM_ONLY)


@dataclass(frozen=True, slots=True)
class Choice:
    """The model that was taken, and why where that is not what one would expect."""

    model: Model
    note: str = ""


def choose_model(name: str, url: str = "", *, rendered: bool, home: Path | None = None) -> Choice:
    """Return the model of that name for a page of `url`.

    `auto` takes the site's own model where one was learned, is trusted, and the page is rendered; else Boilerpipe's published tree, and
    says why.
    Raises `UnknownModel` for a name that is none, and `Rejected` where the model cannot read such a page or is not there.
    """
    check_name(name)
    if name in DOM_ONLY:
        return Choice(DOM_ONLY[name]())
    refusal = _refusal(url, rendered=rendered, home=home, distrust=name == "auto")
    if not refusal:
        return Choice(SiteModel.load(SiteFolder.of(url, home).model))
    if name == "site":
        raise Rejected(f"no site model for {url or 'a page without a URL'}: {refusal}")
    return Choice(DOM_ONLY[FALLBACK](), f"{FALLBACK} read the page: {refusal}")


def check_name(name: str) -> None:
    """Raise `UnknownModel` for a name that is none."""
    if name not in NAMES:
        near = get_close_matches(name, NAMES, 1)
        raise UnknownModel(f"no model is called {name!r}; {f'did you mean {near[0]}? There' if near else 'there'} are {', '.join(NAMES)}")


def _refusal(url: str, *, rendered: bool, home: Path | None, distrust: bool) -> str:
    """Say why the site's own model cannot be taken; empty where it can."""
    if not url:
        return "without a URL its site is not known"
    folder = SiteFolder.of(url, home)
    if not folder.model.is_file():
        return f"{folder.path.name} was never learned (sightread learn)"
    if not rendered and SiteModel.needs & (Needs.BOXES | Needs.STYLES):
        return "the site's model looks at boxes and styles, and without a browser there are none"
    standing = folder.standing()
    doubt = "it was never evaluated (sightread evaluate)" if standing is None else standing.doubt
    return f"the site's model is not trusted: {doubt}" if distrust and doubt else ""
