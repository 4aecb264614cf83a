"""Structure of the documents of built sites against what was put in: headings, lists, tables, code, images, links, formulas.

Each page is read by the global model, rendered and static, and its Markdown is parsed again; beside it are trafilatura's Markdown, and the
HTML of readability-lxml. Scores are those of `benchmarks.metrics.structure`, means over the pages on which the gold or the
extractor has the kind, with intervals over resampled sites' pages. The gold is the HTML that a page was written from, or the content
container of a manual; pages whose gold has more than one document (threads, products, listings) are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from benchmarks.commands import Command, add_out
from benchmarks.datasets.samples import at_even_distances
from benchmarks.extractors.child import TRIAL
from benchmarks.extractors.peers import html_of_readability, markdown_of_trafilatura
from benchmarks.metrics.means import bootstrap
from benchmarks.metrics.structure import KINDS, Structure, compare, structure_of_html, structure_of_markdown
from benchmarks.report import grid, publish
from benchmarks.sites.built_sites import BuiltSite, SiteStore, add_sites
from benchmarks.sites.captures import capture_sites
from sightread.document.document import build_document
from sightread.models.model_choice import DOM_ONLY, FALLBACK
from sightread.render.page import Page
from sightread.render.static.parse import read_html

Scores = dict[str, dict[str, float | None]]
"""Of one page: by extractor and kind."""
RENDERED, STATIC = "sightread, rendered", "sightread, static"


def run(store: SiteStore, parts: Sequence[str], only: Sequence[str], count: int, report: Path | None) -> int:
    """Print the mean of each kind by extractor, over `count` pages of each site; write site-structure.md and .csv into `report`."""
    sites = store.sites(parts, only)
    capture_sites(store, sites)
    pages, figures, others = list[Scores](), [], _installed()
    with ProcessPoolExecutor(2) as pool:
        scored = pool.map(score_site, repeat(store), sites, repeat(count), repeat(others))
        for site, of_site in zip(sites, scored, strict=True):
            pages += of_site
            print(f"{site.name}: {len(of_site)} pages", flush=True)
            figures += [
                {"site": site.name, "page": row, "extractor": extractor, **of_kinds}
                for row, scores in enumerate(of_site)
                for extractor, of_kinds in scores.items()
            ]
    title = f"{len(pages)} pages of {len(sites)} sites, {', '.join(parts) or 'all parts'}"
    publish("site-structure", [title, table(pages)], report, figures)
    return 0


def table(pages: Sequence[Scores]) -> str:
    """Return a row per kind and a column per extractor; a kind's number of pages is that of the first extractor."""
    extractors = list(dict.fromkeys(name for scores in pages for name in scores))
    rows = []
    for kind in KINDS:
        values = {name: [value for scores in pages if (value := scores[name][kind]) is not None] for name in extractors}
        rows.append([kind, str(len(values[extractors[0]])), *(str(bootstrap(values[name])) for name in extractors)])
    return grid(("kind", "pages", *extractors), rows)


def score_site(store: SiteStore, site: BuiltSite, count: int, others: Sequence[str]) -> list[Scores]:
    """Return the scores of pages of one site, of our documents and of other extractors' by name."""
    (captured,) = capture_sites(store, [site])
    rows = [row for row, page in enumerate(captured.gold) if page.markup]
    model, readers, scores = DOM_ONLY[FALLBACK](), _others(), []

    def own(page: Page) -> Structure:
        return structure_of_markdown(build_document(page, model.predict(page)).markdown, page.url)

    for row in at_even_distances(rows, count or len(rows)):
        page, html = captured.pages[row], captured.source(row).decode("utf-8", "replace")
        gold = structure_of_html(captured.gold[row].markup, page.url)
        found = {RENDERED: own(page), STATIC: own(read_html(html, page.url))}
        found |= {other: _structure(readers[other], other, html, page.url) for other in others}
        scores.append({by: compare(structure, gold, captured.gold[row].title) for by, structure in found.items()})
    return scores


def _others() -> Mapping[str, Callable[[str, str], Structure]]:
    return {
        "trafilatura": lambda html, url: structure_of_markdown(markdown_of_trafilatura(html, url) or "", url),
        "readability-lxml": lambda html, url: structure_of_html(html_of_readability(html, url), url),
    }


def _installed() -> list[str]:
    """Return the names of the other extractors; those that are not installed are left out with a word."""
    found = []
    for name, read in _others().items():
        try:
            read(TRIAL, "")
        except ImportError as error:
            print(f"left out: {name}: {error}", file=sys.stderr, flush=True)
        else:
            found.append(name)
    return found


def _structure(read: Callable[[str, str], Structure], name: str, html: str, url: str) -> Structure:
    try:
        return read(html, url)
    except Exception as error:  # noqa: BLE001  (another extractor that raises any error found nothing)
        print(f"{name}: {url}: {error}"[:200], file=sys.stderr)
        return Structure()


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_sites(parser)
    parser.add_argument("--pages", type=int, default=0, metavar="N", help="pages of each site, at even distances (default: all)")
    add_out(parser, "write site-structure.md and site-structure.csv there")


COMMAND = Command(
    "site-structure",
    "structure of the documents of built sites against what was put in, beside other extractors",
    lambda options: run(SiteStore.open(options.data, options.work), options.part, options.only, options.pages, options.out),
    _add_options,
)
