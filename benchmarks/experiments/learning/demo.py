"""The demo site against the gold labels in its markup: labels found without help, the trained model, and pages it never saw."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from benchmarks.commands import Command
from sightread.classify.evaluation import block_score, cross_validate
from sightread.classify.site.model import SiteModel
from sightread.data.demo import HELD_OUT, article_paths
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.labels import THRESHOLD
from sightread.render.network.egress import LOCAL
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.render.visit.collect import CollectOptions
from sightread.server.http import serve_demo
from sightread.sites.learn import label_pages, predict_site

GOLD = "data-gold"
TEMPLATES = ("news", "feature", "report")


def run() -> int:
    """Print block F1 against the gold labels; return 1 if labels fall below 0.98 on a template and language, or the model below 0.99."""
    paths = (*article_paths(), *HELD_OUT)
    pages = asyncio.run(render_demo(paths))
    gold = [gold_labels(page) for page in pages]
    known = len(article_paths())
    labels = label_pages(pages[:known], predictions=predict_site(pages[:known]))
    print(f"{known} pages, confidence {labels.confidence.value:.3f}; block F1 of the labels against gold, by template and language:")
    least = 1.0
    for template in TEMPLATES:
        cells = []
        for language in dict.fromkeys(path.split("/")[1] for path in paths):
            rows = [row for row in range(known) if paths[row].startswith(f"/{language}/") and template in pages[row].elements[0].classes]
            f1 = block_score(_joined(labels.labels, rows), _joined(gold, rows)).f1
            least = min(least, f1)
            cells.append(f"{language} {f1:.4f} ({len(rows)})")
        print(f"  {template:8} {'  '.join(cells)}")
    evaluation = cross_validate(SiteModel, pages[:known], labels.labels)
    held_out = [np.asarray(found is not None and found >= THRESHOLD, np.int8) for found in evaluation.held_out]
    against_gold = block_score(_joined(held_out, range(known)), _joined(gold, range(known)))
    print(
        f"model, {len(evaluation.folds)} folds by page: F1 {evaluation.score.f1:.4f} against the labels, {against_gold.f1:.4f} against gold"
    )
    model = SiteModel().fit(pages[:known], labels.labels)
    new = [(model.predict(page).relative >= THRESHOLD).astype(np.int8) for page in pages[known:]]
    wrong = int(sum((guess != truth).sum() for guess, truth in zip(new, gold[known:], strict=True)))
    print(f"{len(new)} new pages: {wrong} blocks wrong of {sum(map(len, new))}")
    return int(least < 0.98 or evaluation.score.f1 < 0.99 or against_gold.f1 < 0.99 or wrong > 0)


async def render_demo(paths: Sequence[str]) -> list[Page]:
    """Render pages of the demo site with its gold labels kept."""
    options = RenderOptions(collect=CollectOptions(attributes=(GOLD,)))
    async with serve_demo() as url, Browser(egress=LOCAL) as browser:
        rendered = await asyncio.gather(*(browser.render(url.rstrip("/") + path, options) for path in paths))
    return [each.page for each in rendered]


def gold_labels(page: Page) -> Labels:
    """Return 1 for each block in an element that the markup calls content, else 0."""
    inside = [any(GOLD in page.elements[row].attributes for row in page.ancestors(block.element)) for block in page.blocks]
    return np.array(inside, np.int8)


def _joined(values: Sequence[Labels], rows: Sequence[int]) -> Labels:
    return np.concatenate([values[row] for row in rows])


COMMAND = Command("demo", "labels, model and extraction of the demo site against its gold labels", lambda _: run(), needs_data=False)
