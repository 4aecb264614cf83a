"""Trust in the models of built sites: its costs fitted anew, and what other levels would trust.

Reads the rows that `site-scores --rows` wrote. Every generator is predicted by a fit to the others, so that the error of the expected F1 is
that on a kind of site that the costs were not fitted to.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import QuantileRegressor

from benchmarks.commands import Command
from benchmarks.experiments.learning.site_scores import TOLERANCE, SiteRow
from sightread.render.errors import Rejected
from sightread.sites.trust import TRUST, TrustLevels

SUPPORTED = (0.98, 0.94, 0.9, 0.8, 0.7, 0.6)
F1 = (0.98, 0.97, 0.95)


def read_rows(files: Sequence[Path]) -> list[SiteRow]:
    """Return the rows of sites that something was learned of. Raises `Rejected` if a file is not one of `site-scores --rows`."""
    rows = []
    for file in files:
        try:
            rows += [msgspec.json.decode(line, type=SiteRow) for line in file.read_bytes().splitlines()]
        except (OSError, msgspec.MsgspecError) as error:
            raise Rejected(f"{file}: not rows of site-scores --rows: {error}") from error
    found = [row for row in rows if row.site_evaluation is not None and row.site_evaluation.supported is not None]
    if not found:
        raise Rejected("no site of these files was learned from both sources of evidence")
    return found


def losses(rows: Sequence[SiteRow]) -> NDArray[np.float64]:
    """Return what the expected F1 is computed from, of shape (rows, 3): unsupported text, the model's own errors, weak labels."""
    return np.array([(1 - (each.supported or 0.0), 1 - each.f1, each.weak) for row in rows if (each := row.site_evaluation) is not None])


def fit_costs(rows: Sequence[SiteRow]) -> NDArray[np.float64]:
    """Return the costs of the three, fitted by absolute error to the word F1 that the sites' models lack; none is negative."""
    missing = np.array([1 - row.site for row in rows])
    used = np.array([0, 1, 2])
    costs = np.zeros(3)
    while len(used):
        found = QuantileRegressor(quantile=0.5, alpha=0, fit_intercept=False).fit(losses(rows)[:, used], missing).coef_
        if (found >= 0).all():
            costs[used] = found
            break
        used = np.delete(used, int(np.argmin(found)))
    return costs


def expected_error(rows: Sequence[SiteRow], trusted: NDArray[np.bool_]) -> float:
    """Return the mean difference of the expected and the true F1 of the trusted rows, each generator predicted by a fit to the others."""
    errors = np.zeros(len(rows))
    generators = np.array([row.generator for row in rows])
    true = np.array([row.site for row in rows])
    for generator in np.unique(generators):
        left_out = generators == generator
        costs = fit_costs([row for row, is_in in zip(rows, trusted & ~left_out, strict=True) if is_in])
        errors[left_out] = np.abs(1 - losses(rows)[left_out] @ costs - true[left_out])
    return float(errors[trusted].mean()) if trusted.any() else 0.0


def is_trusted(rows: Sequence[SiteRow], levels: TrustLevels = TRUST) -> NDArray[np.bool_]:
    """Return which rows are trusted at these levels."""
    return np.array([not each.distrust_reason_of_combined(levels) for row in rows if (each := row.site_evaluation) is not None])


def run(files: Sequence[Path]) -> int:
    """Print the fitted costs, the error of the expected F1, and the trusted sites by levels."""
    rows = read_rows(files)
    trusted = is_trusted(rows)
    shipped = np.array([TRUST.unsupported_cost, TRUST.unlearned_cost, TRUST.weak_cost])
    print(f"{len(rows)} results, {trusted.sum()} trusted; costs of unsupported text, errors and weak labels:")
    of_trusted = [row for row, is_in in zip(rows, trusted, strict=True) if is_in]
    true = np.array([row.site for row in of_trusted])
    as_shipped = float(np.abs(1 - losses(of_trusted) @ shipped - true).mean())
    print(f"  as shipped {shipped.round(2).tolist()}: error {as_shipped:.4f} (on what is trusted)")
    print(f"  fitted     {fit_costs(of_trusted).round(2).tolist()}: error {expected_error(rows, trusted):.4f} of a generator left out")
    for name, of_size in (("fewer than", False), ("at least", True)):
        some = [row for row in rows if (row.pages >= TRUST.enough_pages) is of_size]
        if some:
            print(f"\nlearned from {name} {TRUST.enough_pages} pages, {len(some)} results")
            _print_levels(some)
    return 0


def _print_levels(rows: Sequence[SiteRow]) -> None:
    print(f"{'supported':>10}{'F1':>8}{'trusted':>9}{'auto':>9}{'global':>9}{'worse':>7}  worse by over {TOLERANCE}")
    gain = np.array([row.site - row.rendered for row in rows])
    overall = np.array([row.rendered for row in rows])
    for supported, f1 in product(SUPPORTED, F1):
        chosen = is_trusted(rows, replace(TRUST, least_supported=(supported,) * 2, least_f1=f1))
        auto = overall + np.where(chosen, gain, 0.0)
        worse = chosen & (gain < -TOLERANCE)
        names = ", ".join(f"{row.name} ({row.pages}) {by:+.3f}" for row, by, is_in in zip(rows, gain, worse, strict=True) if is_in)
        print(f"{supported:10.2f}{f1:8.2f}{chosen.sum():9}{auto.mean():9.4f}{overall.mean():9.4f}{worse.sum():7}  {names}")


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rows", type=Path, nargs="+", metavar="FILE", help="rows of site-scores --rows, of any numbers of pages")


COMMAND = Command(
    "trust",
    "trust in the models of built sites: costs and levels fitted to rows of site-scores",
    lambda options: run(options.rows),
    _add_options,
    needs_data=False,
)
