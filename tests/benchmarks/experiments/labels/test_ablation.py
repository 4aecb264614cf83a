"""Each rule of the labeler can be switched off, and is on again afterwards."""

import numpy as np
import pytest

from benchmarks.experiments.labels.ablation import BY_NAME, RULES, Rule, switched_off
from sightread.labeling.label_site import label_site
from tests.labeling.sites import Look, articles, kept, lines_of, page_with

NOTE = Look("main/section/p", {"font-size": "13px"}, 400)
NOTES = [" ".join(article.spare[0].split()[:8]) for article in articles(8)]
PAGES = [page_with(article, [*lines_of(article), NOTE(note)]) for article, note in zip(articles(8), NOTES, strict=True)]
PREDICTIONS = [
    np.array([(1.0 if row < 4 else -2.0) if block.text in NOTES else 0.0 for block in page.blocks]) for row, page in enumerate(PAGES)
]
"""Of a model that keeps the notes on half of the pages."""


def kept_notes() -> int:
    found = kept(label_site(PAGES, predictions=PREDICTIONS), PAGES)
    return sum(note in of_page for note, of_page in zip(NOTES, found, strict=True))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_off_inside_and_on_again_behind(rule: Rule) -> None:
    before = [getattr(switch.owner, switch.name) for switch in rule.without]
    with switched_off(rule):
        assert all(getattr(switch.owner, switch.name) is switch.value for switch in rule.without)
        kept_notes()
    assert [getattr(switch.owner, switch.name) for switch in rule.without] == before


def test_labels_are_those_without_the_rule() -> None:
    with switched_off(BY_NAME["contradicting predictions"]):
        assert kept_notes() == 0
    assert kept_notes() == 4
