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

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from benchmarks.extractors.child import MODEL
from sightread.models.registry import MODELS
from sightread.render.errors import Rejected

OWN_GROUP, ALL = "ours", "all"
"""Names of groups: `peers` and `texts` are the others."""


@dataclass(frozen=True, slots=True)
class Extractor:
    """How an extractor is called."""

    name: str
    target: str
    """`module:function`, of HTML and URL, or `model:` and a model's name."""
    package: str = ""
    """The distribution whose version its results are kept under; none if it is not installed."""


PEERS = tuple(
    Extractor(name, f"benchmarks.extractors.{module}:read_with_{function}", package)
    for name, module, function, package in (
        ("resiliparse", "peers", "resiliparse", "resiliparse"),
        ("readability-lxml", "article_peers", "readability", "readability-lxml"),
        ("trafilatura", "peers", "trafilatura", "trafilatura"),
        ("defuddle", "defuddle", "defuddle", ""),
        ("boilerpy3", "older_peers", "boilerpy3", "boilerpy3"),
        ("justext", "older_peers", "justext", "jusText"),
        ("goose3", "article_peers", "goose3", "goose3"),
        ("newspaper4k", "article_peers", "newspaper", "newspaper4k"),
        ("news-please", "article_peers", "news_please", "news-please"),
    )
)
"""Extractors of the main text, the quickest first."""
SITE_PEERS = (
    Extractor("trafilatura", "benchmarks.extractors.peers:read_with_trafilatura", "trafilatura"),
    Extractor("readability-lxml", "benchmarks.extractors.peers:read_with_readability", "readability-lxml"),
    Extractor("resiliparse", "benchmarks.extractors.peers:read_with_resiliparse", "resiliparse"),
    Extractor("defuddle", "benchmarks.extractors.defuddle:title_and_text_of_defuddle"),
)
"""Extractors compared with the models on built sites. Defuddle takes the title out of the content, so it is put ahead again."""
TITLED = (
    Extractor("trafilatura", "benchmarks.extractors.peers:title_and_text_of_trafilatura", "trafilatura"),
    Extractor("readability-lxml", "benchmarks.extractors.peers:title_and_text_of_readability", "readability-lxml"),
)
"""Extractors that `gold` takes, with the title that they found ahead of the text."""
TEXTS = tuple(
    Extractor(name, f"benchmarks.extractors.whole_text:read_with_{function}", package)
    for name, function, package in (
        ("html-text", "html_text", "html-text"),
        ("inscriptis", "inscriptis", "inscriptis"),
        ("beautifulsoup", "soup", "beautifulsoup4"),
        ("lxml-cleaner", "lxml_cleaner", "lxml-html-clean"),
        ("xpath-text", "xpath", "lxml"),
    )
)
"""Tools that return all of a page's text."""
OWN = tuple(Extractor(name, f"{MODEL}{name}") for name in MODELS)
KNOWN: Mapping[str, Extractor] = MappingProxyType({each.name: each for each in (*OWN, *TEXTS, *PEERS)})
GROUPS: Mapping[str, tuple[Extractor, ...]] = MappingProxyType(
    {OWN_GROUP: OWN, "texts": TEXTS, "peers": PEERS, ALL: (*OWN, *TEXTS, *PEERS)}
)


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
