"""`python -m benchmarks ensembles`: ensembles of extractors that `run` has run, by their texts (Bevendorff et al. 2023, section 5).

- `ensemble-majority`: every member one vote a token;
- `ensemble-best`: the nine members with the best mean F1;
- `ensemble-weighted`: the same nine, the best three of which have two votes;
- `ensemble-learned`: a learned weight for every member's vote for a block (`benchmarks.runner.vote_weights`); our own models' votes there
  are their probabilities, which carry more information than their texts.

Which members are best, and what their votes are worth, is learned from the other sets than the one that is scored: leave one set out. The
comparison chose its nine by the very scores that it reports. A page's tokens are those of its static blocks, not of Resiliparse's text.
Results are kept as those of extractors are, so `table` and `compare` show them.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import COMPARISON, Sample, find_sets, read_samples
from benchmarks.runner import vote_weights, votes
from benchmarks.runner.arguments import add_cache, add_jobs
from benchmarks.runner.results import read_all, write_results
from benchmarks.runner.scoring import score_samples
from benchmarks.runner.store import Extraction, Store, default_cache, digest
from benchmarks.runner.vote_weights import PageVotes, Weighing, learn_weights
from benchmarks.runner.votes import count_votes, vote_blocks, vote_tokens
from sightread.models.registry import MODELS
from sightread.render.errors import Rejected
from sightread.render.static.parse import read_html
from sightread.render.text.words import plain_words

BEST, DOUBLE = 9, 3
"""Members of the best ensemble, and those of them that vote twice, as in the comparison."""
MEASURE = "rouge_f1"
MAJORITY, BEST_OF, WEIGHTED, LEARNED = (f"ensemble-{name}" for name in ("majority", "best", "weighted", "learned"))
"""Their names among the results."""
CHUNK = 20
"""Pages that a process reads in one go."""


@dataclass(frozen=True, slots=True)
class Read:
    """A page as its members read it."""

    blocks: tuple[str, ...]
    votes: NDArray[np.bool_]
    """For each token of its text, shape (members, tokens)."""
    page_votes: PageVotes


@dataclass(frozen=True, slots=True)
class _Place:
    """Where results are kept, and how the work is shared and shown."""

    store: Store
    cache: Path
    jobs: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class TextEnsemble:
    """The members, with what is known of them on each set."""

    members: tuple[str, ...]
    versions: Mapping[tuple[str, str], str]
    """By set and member."""
    means: Mapping[tuple[str, str], float]
    """Mean F1, by set and member."""

    def best(self, sets: Sequence[str]) -> list[str]:
        """Return the members by their mean over these sets, the best first."""
        return sorted(self.members, key=lambda member: (-float(np.mean([self.means[name, member] for name in sets])), member))

    def version(self, name: str) -> str:
        """Return a digest of the members' versions on a set and of what reads them."""
        modules = (votes, vote_weights, inspect.getmodule(TextEnsemble))
        code = "".join(inspect.getsource(module) for module in modules)  # type: ignore[arg-type]
        return digest(code, *(f"{member} {version}" for (data, member), version in sorted(self.versions.items()) if data), name)[:12]


def run(data: Path | None, cache: Path | None, sets: Sequence[str], members: Sequence[str], jobs: int) -> int:
    """Build, score and keep the ensembles of each set. Raises `Rejected` with fewer than two sets, or a member that was not run on all."""
    folder, kept = data_folder(data), cache or default_cache()
    names = find_sets(sets, folder) if sets else [name for name in find_sets((), folder) if name in COMPARISON]
    if len(names) < 2:
        raise Rejected("an ensemble learns from other sets than the one that is scored: name at least two with --sets")
    ensemble = assemble(kept, names, members)
    console = Console(stderr=True, highlight=False)
    with Store(kept) as store, Progress(console=console, disable=not console.is_terminal) as progress:
        place = _Place(store, kept, jobs, progress)
        samples = {name: list(read_samples(name, folder)) for name in names}
        read = {name: read_set(store, ensemble, name, samples[name], jobs) for name in names}
        for name in names:
            others = [other for other in names if other != name]
            learned = learn_weights([[page.page_votes for page in read[other]] for other in others])
            console.print(_describe(ensemble, name, learned), soft_wrap=True, markup=False)
            for title, texts in build(ensemble, read[name], learned, ensemble.best(others)).items():
                _keep(place, ensemble, title, samples[name], texts)
    return 0


def assemble(cache: Path, names: Sequence[str], members: Sequence[str]) -> TextEnsemble:
    """Return the members, those that have results on all the sets if none are named. Raises `Rejected` if one lacks a set."""
    found = read_all(cache, names, members)
    found = found[~found["extractor"].str.startswith("ensemble-")]
    counts = found.groupby("extractor")["data"].nunique()
    if members and (counts < len(names)).any():
        raise Rejected(f"{', '.join(counts.index[counts < len(names)])}: not run on all of {', '.join(names)}")
    able = tuple(sorted(str(name) for name in counts.index[counts == len(names)]))
    if len(able) < DOUBLE:
        raise Rejected(f"{cache}: {len(able)} extractors were run on all of {', '.join(names)}; an ensemble requires at least {DOUBLE}")
    grouped = found[found["extractor"].isin(able)].groupby(["data", "extractor"])
    return TextEnsemble(able, grouped["version"].first().to_dict(), grouped[MEASURE].mean().to_dict())


def read_set(store: Store, ensemble: TextEnsemble, name: str, samples: Sequence[Sample], jobs: int) -> list[Read]:
    """Return each page's blocks, and the members' votes for them."""
    task = [(sample, dict(_answers(store, ensemble, name, sample))) for sample in samples]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(read_page, task, chunksize=CHUNK))


def read_page(task: tuple[Sample, Mapping[str, str]]) -> Read:
    """Return a page's blocks with the votes for each, from its members' texts by name."""
    sample, answers = task
    page = read_html(sample.html, sample.url)
    blocks = tuple(block.text for block in page.blocks)
    votes = vote_blocks(blocks, [*answers.values(), sample.gold])
    for column, member in enumerate(answers):
        if member in MODELS:
            votes[:, column] = MODELS[member].make().predict(page).relative
    words = np.array([len(plain_words(block)) for block in blocks], np.float64)
    tokens = "\n".join(blocks).split()
    by_token = np.array([vote_tokens(tokens, answer.split()) for answer in answers.values()])
    return Read(blocks, by_token, PageVotes(votes[:, :-1], words, votes[:, -1], float(len(plain_words(sample.gold)))))


def build(ensemble: TextEnsemble, pages: Sequence[Read], learned: Weighing, ranked: Sequence[str]) -> dict[str, list[str]]:
    """Return the texts of each ensemble; `learned` and `ranked`, the members from best to worst, come from other sets."""
    best = [ensemble.members.index(member) for member in ranked[:BEST]]
    doubled = [2.0 if rank < DOUBLE else 1.0 for rank in range(len(best))]
    wholes = ["\n".join(page.blocks) for page in pages]
    return {
        MAJORITY: [count_votes(whole, page.votes) for whole, page in zip(wholes, pages, strict=True)],
        BEST_OF: [count_votes(whole, page.votes[best]) for whole, page in zip(wholes, pages, strict=True)],
        WEIGHTED: [count_votes(whole, page.votes[best], doubled) for whole, page in zip(wholes, pages, strict=True)],
        LEARNED: [weighed_text(learned, page) for page in pages],
    }


def weighed_text(learned: Weighing, page: Read) -> str:
    """Return the kept blocks, one per line; none without a vote."""
    kept = learned.keep(page.page_votes.votes, page.page_votes.words) & page.page_votes.votes.any(axis=1)
    return "\n".join(block for block, is_kept in zip(page.blocks, kept, strict=True) if is_kept)


def _answers(store: Store, ensemble: TextEnsemble, name: str, sample: Sample) -> Iterator[tuple[str, str]]:
    for member in ensemble.members:
        yield member, store.text(member, ensemble.versions[name, member], sample.key)


def _keep(place: _Place, ensemble: TextEnsemble, title: str, samples: Sequence[Sample], texts: Sequence[str]) -> None:
    """Keep and score an ensemble's texts, and write its results."""
    name = samples[0].data
    version = ensemble.version(name)
    place.store.keep(title, version, [(sample.key, Extraction(text)) for sample, text in zip(samples, texts, strict=True)])
    frame = score_samples(place.store, place.jobs, (title, version), samples, place.progress)
    write_results(place.cache, name, title, frame)
    place.progress.console.print(f"{name}: {title} {frame[MEASURE].mean():.3f}", markup=False)


def _describe(ensemble: TextEnsemble, name: str, learned: Weighing) -> str:
    weights = sorted(zip(learned.weights.tolist(), ensemble.members, strict=False), reverse=True)
    return f"{name}: learned from the others: {', '.join(f'{member} {weight:.2f}' for weight, member in weights)}"


def _add_options(parser: argparse.ArgumentParser) -> None:
    text = "(default: all with results on all the sets)"
    parser.add_argument("--members", nargs="+", default=(), metavar="EXTRACTOR", help=text)
    add_cache(parser)
    add_jobs(parser)


COMMAND = Command(
    "ensembles",
    "ensembles of what run found, learned on the sets that are not scored",
    lambda options: run(options.data, options.cache, options.sets, options.members, max(options.jobs, 1)),
    _add_options,
)
