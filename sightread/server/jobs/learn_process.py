"""The learning process of a job: reads a `LearnTask` from standard input, and writes a `LearnLine` per step and for the result."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from sightread.batch.child_process import end_with_parent
from sightread.render.errors import SightreadError
from sightread.server.jobs.learn import LearnLine, LearnTask
from sightread.server.schema.answers import LearnedRecord
from sightread.sites import learn as steps
from sightread.sites.folders import SiteFolder
from sightread.sites.refresh import decide_refresh
from sightread.sites.store import LearnedSite
from sightread.viewer.report import STEP, write_site_report

NICENESS = 5
"""Added to the niceness of the worker: pages of callers have priority."""


def main() -> int:
    """Learn, and return the exit status."""
    end_with_parent(int(sys.argv[1]))
    os.nice(NICENESS)
    try:
        _write(_learn(msgspec.json.decode(sys.stdin.buffer.read(), type=LearnTask)))
    except SightreadError as error:
        _write(LearnLine(error=type(error).__name__, reason=str(error)))
        return error.exit_code
    return 0


def _learn(task: LearnTask) -> LearnLine:
    folder = Path(task.folder)
    old = SiteFolder(Path(task.old)) if task.old else None
    choices = {**steps.stored_choices(old), **task.choices} if old else task.choices
    learned = steps.learn_corpus(folder, lambda step: _write(LearnLine(step=step)), choices)
    _write(LearnLine(step=STEP))
    write_site_report(learned.results)
    reason = ""
    if old:
        _write(LearnLine(step=f"comparing with version {old.path.name}"))
        reason = decide_refresh(LearnedSite.load(old), steps.Site.open(folder), learned).reason
    site_evaluation = learned.site_evaluation
    record = LearnedRecord(
        site=folder.parent.name,
        version=folder.name,
        version_in_use=folder.name,
        pages=learned.pages,
        failures=learned.failures,
        trusted=not site_evaluation.distrust_reason,
        distrust_reason=site_evaluation.distrust_reason,
        expected_f1=round(site_evaluation.expected_f1, 4),
        advice=learned.advice,
    )
    return LearnLine(learned=record, reason=reason)


def _write(line: LearnLine) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
