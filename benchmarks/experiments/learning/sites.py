"""The original authors' seven news sites through our labeler and site model, 4 folds by page (their Table 2).

The labels themselves are judged by the sites' own article containers (`benchmarks.datasets.spider`), by character.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.spider import SITES, read_site, reference_labels
from sightread.classify.evaluation import character_score, cross_validate
from sightread.classify.site.mixture import better_evaluation
from sightread.classify.site.model import SiteModel
from sightread.render.labels import CONTENT
from sightread.sites.learn import label_pages, predict_site

PAPER = 1.00
"""F1 of every site in Table 2."""
TARGET = 0.98


def run(data: Path | None) -> int:
    """Print one row per site; return 1 if a site falls below the target."""
    folder = data_folder(data)
    print(f"{'':43}{'labels, by character':>24}{'model, by block':>19}")
    print(f"{'site':12}{'pages':>6}{'blocks':>8}{'clusters':>9}{'content':>8}{'sure':>8}{'P':>8}{'R':>8}{'F1':>11}{'least':>8}{'paper':>7}")
    worst = 1.0
    for name in SITES:
        pages = [found.page for found in read_site(folder, name)]
        overall = predict_site(pages)
        labels = label_pages(pages, predictions=overall)
        kept = np.concatenate(labels.labels) == CONTENT
        gold = np.concatenate([reference_labels(name, page) for page in pages])
        characters = character_score(kept, gold, [block.text for page in pages for block in page.blocks])
        alone = cross_validate(SiteModel, pages, labels.labels)
        evaluation, _ = better_evaluation(alone, pages, [found.relative for found in overall], labels.labels)
        worst = min(worst, evaluation.score.f1)
        print(
            f"{name:12}{len(pages):6}{len(kept):8}{len(labels.clusters):9}{sum(bool(cluster.role) for cluster in labels.clusters):8}"
            f"{labels.confidence.value:8.3f}{characters.precision:8.4f}{characters.recall:8.4f}"
            f"{evaluation.score.f1:11.4f}{np.min([fold.f1 for fold in evaluation.folds]):8.4f}{PAPER:7.2f}"
        )
    print(f"least F1 {worst:.4f}, target {TARGET}")
    return int(worst < TARGET)


COMMAND = Command("sites", "label, train and evaluate the original authors' seven sites", lambda options: run(options.data))
