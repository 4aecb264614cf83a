"""The report, one self-contained HTML file, and what it and the inspector show of a learned site."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from statistics import median

from sightread.classify.site.model import SiteModel
from sightread.crawler.urls import site_of
from sightread.models.model_choice import FALLBACK, distrust_reason_of, refusal_of
from sightread.render.analysis.fallback_text import shows_little
from sightread.render.errors import BadRecord
from sightread.render.files import write_atomically
from sightread.render.network.address import origin_of
from sightread.render.static.parse import read_html
from sightread.sites.folders import site_address, site_key
from sightread.sites.learn import Site, SiteResults, advice_for
from sightread.sites.store import SiteStore
from sightread.sites.student import MOST_LOSS, StudentEvaluation, read_agreement
from sightread.sites.trust import SiteEvaluation
from sightread.viewer.build import Findings, build_map, build_page, build_site
from sightread.viewer.records import JobSummary, UnlearnedSite, WithoutBrowser, encode

STEP = "writing the report"
"""The name of the step in the progress of a job."""

SCRIPTS = (
    *("dom.js", "working.js", "source.js", "state.js", "page/samples.js", "site/pages.js", "page/sheet.js", "page/legend.js"),
    *("page/detail.js", "site/overview.js", "site/looks.js", "site/map_points.js", "site/map.js", "site/versions.js", "page/pairing.js"),
    *("page/text.js", "page/correct.js", "page/word_diff.js", "page/models.js", "site/learn.js", "main.js"),
)
"""The viewer's scripts in the order in which they run; together they are `viewer.js`."""
STYLES = tuple(f"styles/{name}.css" for name in ("palette", "frame", "page", "site", "phone"))
"""The viewer's style sheets in their order; together they are `viewer.css`."""
REPORT_REASONS = 5
"""Reasons embedded per block; the inspector, which fetches them, shows more."""

_STYLE_LINK = '<link rel="stylesheet" href="viewer.css">'
_SCRIPT_LINK = '<script src="viewer.js" defer></script>'


def viewer_part(name: str) -> str:
    """Return a file of the viewer; `viewer.js` and `viewer.css` are several, one after the other."""
    folder = files("sightread.viewer") / "assets"
    return "".join((folder / part).read_text("utf-8") for part in {"viewer.js": SCRIPTS, "viewer.css": STYLES}.get(name, (name,)))


def report_parts(findings: Findings) -> Iterator[str]:
    """Yield the report piece by piece.

    All data from the pages are in data blocks, which no browser runs; the policy admits the viewer's own script and style by hash.
    """
    style, script = viewer_part("viewer.css"), viewer_part("viewer.js")
    policy = f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    head, after_style = viewer_part("index.html").split(_STYLE_LINK)
    body, tail = after_style.split(_SCRIPT_LINK)
    yield head
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>'
    yield body
    yield _data("site", _packed(encode(build_site(findings))))
    yield _data("site-map", _packed(encode(build_map(findings))))
    for row in range(len(findings.pages)):
        yield _data(f"page-{row}", _packed(encode(build_page(findings, row, REPORT_REASONS))))
        picture = findings.pictures[row] if findings.pictures else None
        for number, tile in enumerate(picture.tiles if picture else (), 1):
            yield _data(f"picture-{row}-{number}", base64.b64encode(tile).decode())
    yield f"<script>{script}</script>"
    yield tail


def write_report(findings: Findings, path: Path) -> None:
    """Write the report to `path` atomically. Raises `StorageFailed`."""
    write_atomically(path, "".join(report_parts(findings)).encode())


def _data(name: str, text: str) -> str:
    return f'<script type="text/plain" id="{name}">{text}</script>\n'


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


NEVER_EVALUATED = ("Do not use", f"The site's own model is not used: {distrust_reason_of(None)}.")


def write_site_report(results: SiteResults) -> None:
    """Write the report into the site's folder. Raises `StorageFailed`."""
    write_report(site_findings(results), results.site.folder.report)


def site_findings(results: SiteResults, former: Findings | None = None) -> Findings:
    """Return the results as the viewer shows them; with the global model's predictions also where both models differ. `former` are
    findings of the same pages: what has not changed since is taken from there.

    Predictions are those of models that did not see the page, if there was one; Markdown is that of the articles.
    """
    site, model, evaluation = results.site, results.model, results.evaluation
    held_out = evaluation.held_out if evaluation else [None] * len(site.pages)
    predictions = None
    if model:
        predictions = [model.predict(page).relative if own is None else own for page, own in zip(site.pages, held_out, strict=True)]
    overall = results.predictions if model else None
    return Findings(
        job=_job_summary(results, former.job.without_browser if former else None),
        pages=site.pages,
        pictures=former.pictures if former else [site.corpus.picture(row) for row in range(len(site.pages))],
        labels=results.labels,
        predictions=predictions,
        overall=[found.relative for found in overall] if overall else None,
        explain=model.explain if model else None,
        documents=results.articles,
    )


def _job_summary(results: SiteResults, former: WithoutBrowser | None) -> JobSummary:
    site, labels = results.site, results.labels
    site_evaluation = site.folder.read_evaluation()
    return JobSummary(
        name=_name(site),
        url=site.corpus.start_url,
        model=_model_summary(results.model, site_evaluation) if results.model else "",
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        folds=results.evaluation.folds if results.evaluation else (),
        failures=tuple(site.corpus.failures),
        conclusion=(site_evaluation.conclusion if site_evaluation else NEVER_EVALUATED) if results.model else None,
        expected_f1=site_evaluation.expected_f1 if site_evaluation and results.model else None,
        advice=advice_for(site.folder, site.corpus, labels, site_evaluation) if labels and site_evaluation else (),
        without_browser=_without_browser(site, site_evaluation, former) if results.model else None,
    )


def _without_browser(site: Site, site_evaluation: SiteEvaluation | None, former: WithoutBrowser | None) -> WithoutBrowser:
    found = read_agreement(site.folder.agreement)
    note = refusal_of(site_evaluation, found, rendered=False)
    refusal = note.message if note else ""
    if found is None:
        return WithoutBrowser(refusal, None)
    rendered = [(page.timing.ready + page.timing.collect) / 1000 for page in site.pages if page.timing]
    if former and former.agreement == found:
        return replace(former, refusal=refusal)
    examples = _examples(site, found)
    return WithoutBrowser(
        refusal,
        found,
        needing=found.pages_needing_browser,
        least_f1=1 - MOST_LOSS,
        examples=tuple(examples.get(row) for row in range(len(found.templates))),
        rendered_seconds=median(rendered) if rendered else None,
    )


def _examples(site: Site, found: StudentEvaluation) -> dict[int, int]:
    examples: dict[int, int] = {}
    for row, page in enumerate(site.pages):
        if len(examples) == len(found.templates):
            break
        with suppress(BadRecord):
            html = site.corpus.html(row)
            if html and not shows_little(static := read_html(html, page.final_url)):
                examples.setdefault(found.template_of(static), row)
    return examples


def _name(site: Site) -> str:
    names = Counter(meta.content for page in site.pages for meta in page.metas if meta.name == "og:site_name")
    return names.most_common(1)[0][0] if names else site_of(site.corpus.start_url)


def _model_summary(model: SiteModel, site_evaluation: SiteEvaluation | None) -> str:
    if site_evaluation is None or site_evaluation.distrust_reason:
        return FALLBACK
    return f"site model, trained on {model.pages} pages, expected F1 {site_evaluation.expected_f1:.2f}"


def unlearned_site(url: str, sites: SiteStore, *, can_learn: bool = False) -> UnlearnedSite | None:
    """Return the site of a page, if it has no model; None for a page without a URL."""
    if not url or sites.find(url) is not None:
        return None
    start = f"{origin_of(url)}/"
    return UnlearnedSite(site_address(site_key(start)), f"sightread learn {start}", can_learn)
