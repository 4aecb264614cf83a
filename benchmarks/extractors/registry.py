"""Which extractors there are: our own models, other people's that can be installed, and any function that a user names.

Anyone's own takes part in five lines, a module that can be imported from where the command runs:

    # mine.py
    import re

    def read(html: str, url: str) -> str:
        return re.sub("<[^>]*>", " ", html)

    python -m benchmarks run mine:read trafilatura --sets scrapinghub --data FOLDER

It runs in a process of its own, a page at a time, and may crash, hang or eat memory there: that page counts as empty then, and is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from benchmarks.extractors.child import MODEL
from sightread.document.document import build_document
from sightread.models.registry import MODELS
from sightread.reading.plain_text import read_text
from sightread.render.errors import Rejected, Unusable
from sightread.render.static.parse import read_html

OWN_GROUP, ALL = "ours", "all"
"""Names of groups; `peers` is the other one."""


@dataclass(frozen=True, slots=True)
class Extractor:
    """How an extractor is called."""

    name: str
    target: str
    """`module:function`, of HTML and URL, or `model:` and a model's name."""
    package: str = ""
    """The distribution whose version its results are kept under; none if it is not installed."""


PEERS = tuple(
    Extractor(name, f"benchmarks.extractors.peers:read_with_{function}", package)
    for name, function, package in (
        ("resiliparse", "resiliparse", "resiliparse"),
        ("readability-lxml", "readability_by_html_text", "readability-lxml"),
        ("trafilatura", "trafilatura", "trafilatura"),
        ("boilerpy3", "boilerpy3", "boilerpy3"),
        ("justext", "justext", "jusText"),
        ("newspaper4k", "newspaper", "newspaper4k"),
    )
)
"""Extractors of the main text, the quickest first."""
SITE_PEERS = (
    Extractor("trafilatura", "benchmarks.extractors.peers:read_with_trafilatura", "trafilatura"),
    Extractor("readability-lxml", "benchmarks.extractors.peers:read_with_readability", "readability-lxml"),
    Extractor("resiliparse", "benchmarks.extractors.peers:read_with_resiliparse", "resiliparse"),
)
"""Extractors compared with the models on built sites."""
TITLED = (
    Extractor("trafilatura", "benchmarks.extractors.peers:title_and_text_of_trafilatura", "trafilatura"),
    Extractor("readability-lxml", "benchmarks.extractors.peers:title_and_text_of_readability", "readability-lxml"),
)
"""Extractors that `gold` takes, with the title that they found ahead of the text."""
OWN = (*(Extractor(name, f"{MODEL}{name}") for name in MODELS), Extractor("fast", "benchmarks.extractors.registry:read_fast"))
KNOWN: Mapping[str, Extractor] = MappingProxyType({each.name: each for each in (*OWN, *PEERS)})
GROUPS: Mapping[str, tuple[Extractor, ...]] = MappingProxyType({OWN_GROUP: OWN, "peers": PEERS, ALL: (*OWN, *PEERS)})


def find_extractors(names: Iterable[str]) -> list[Extractor]:
    """Return the extractors of these names, each once: a known one, a group of them, or `module:function`. Raises `Rejected` for others."""
    found: dict[str, Extractor] = {}
    for name in names:
        if name in GROUPS:
            found |= {each.name: each for each in GROUPS[name]}
        elif name in KNOWN:
            found[name] = KNOWN[name]
        elif ":" in name and all(part.replace(".", "_").isidentifier() for part in name.split(":", 1)):
            found[name] = Extractor(name, name)
        else:
            near = get_close_matches(name, (*KNOWN, *GROUPS), 1)
            known = f"{', '.join(KNOWN)}, the groups {', '.join(GROUPS)}, or module:function"
            raise Rejected(f"no extractor is called {name!r}; {f'did you mean {near[0]}? There' if near else 'there'} are {known}")
    return list(found.values())


def read_fast(html: str, url: str) -> str:
    """Return what `sightread.extract_text` finds; an empty text if a page has none."""
    try:
        return read_text(html, url).text
    except Unusable:
        return ""


def reader(name: str) -> Callable[[str, str], str]:
    """Return the function from HTML and its URL to the text that the model of this name finds.

    It is the way of `sightread extract --static` but for walls, which are not checked on a benchmark's pages; a page without text gives
    an empty one. Raises KeyError for a name that no model has.
    """
    model = MODELS[name].make()

    def read(html: str, url: str) -> str:
        page = read_html(html, url)
        return build_document(page, model.predict(page)).text

    return read
