"""`sightread batch`: runs a job, or shows or checks how far one is. Its exit codes are for schedulers.

0 done, 3 done, and a page failed (it is a row; a shard ends with 0), 75 try again (a full disk, an object store, dead workers), 128 and
more stopped by a signal: the same command continues; any other: do not try again.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import msgspec

from sightread.batch.inputs.files import Partition, is_remote
from sightread.batch.inputs.rows import ColumnNames, pyarrow
from sightread.batch.job.manifest import metrics, output_rows, read_progress, read_status, unnamed_parts, verify
from sightread.batch.job.plan import (
    SCHEDULERS,
    UNKNOWN_KIND,
    ExtractionOptions,
    InputOptions,
    JobOptions,
    Plan,
    load_plan,
    make_plan,
    shard_of,
)
from sightread.batch.runners.local import Result, WorkerOrder, is_temporary, job_log, run_local
from sightread.batch.storage import Storage, open_storage
from sightread.cli.commands import BatchCommand
from sightread.cli.progress import BatchProgress
from sightread.cli.run import print_message, print_result
from sightread.models.model_choice import check_name
from sightread.render.browser.limiter import cores
from sightread.render.errors import PageFailed, Rejected, StorageFailed
from sightread.render.files import write_atomically
from sightread.render.network.egress import Egress

TRY_AGAIN = 75
"""EX_TEMPFAIL of sysexits.h."""


async def batch(options: BatchCommand) -> int:
    """Run the command."""
    if options.metrics and not options.status:
        raise Rejected("--metrics goes with --status: sightread batch --status OUTPUT --metrics FILE.prom")
    try:
        if options.status or options.verify:
            return await asyncio.to_thread(_report, options)
        if options.learn_sites:
            return await _learn_sites(options, options.learn_sites)
        return await _run(options)
    except StorageFailed as error:
        if not is_temporary(error):
            raise
        print_message(str(error))
        return TRY_AGAIN


def job_options(options: BatchCommand) -> JobOptions:
    """Return the options of the job. Raises `Rejected`, `UnknownModel`."""
    check_name(options.model)
    if options.fast and (options.model != "auto" or options.without or not {"text"}.issuperset(options.formats)):
        raise Rejected("--fast gives the text alone, by a way of its own: leave --model, --without and other formats out")
    if options.output_format == "parquet":
        pyarrow("parquet")
    columns = ColumnNames(options.url_column, options.html_column, options.warc_base)
    extraction = ExtractionOptions(
        options.static or options.fast,
        options.fast,
        options.model,
        ("text",) if options.fast else tuple(dict.fromkeys(options.formats)) or ("markdown",),
        tuple(sorted(set(options.without))),
        options.light,
        options.local,
        options.deadline,
        options.render,
    )
    kind = "" if options.input_format == "auto" else options.input_format
    given = InputOptions(_absolute(options.paths[0]), kind, columns, options.partition_rows)
    return JobOptions(given, extraction, options.output_format)


def _absolute(path: str) -> str:
    """Return a path that means the same in another folder; URLs stay as they are."""
    return path if is_remote(path) else str(Path(path).absolute())


async def _run(options: BatchCommand) -> int:
    if len(options.paths) != 2:
        raise Rejected("batch needs an input and an output: sightread batch INPUT OUTPUT")
    output = _absolute(options.paths[1])
    number, shards = shard_of(options.shard, os.environ)
    storage = open_storage(output)
    plan = await asyncio.to_thread(make_plan, job_options(options), storage)
    own = plan.shard(number, shards)
    if plan.left_out:
        count = f"{len(plan.left_out)} of {len(plan.files)} files {'is' if len(plan.left_out) == 1 else 'are'} left out"
        print_message(f"{count}, the first is {plan.left_out[0]}: the kind of input is unknown: {UNKNOWN_KIND}")
    if options.plan:
        print_result({"output": output, "files": len(plan.files), "partitions": len(plan.partitions)}, json=options.json)
        return 0
    done = frozenset((await asyncio.to_thread(read_progress, storage, own)).done)
    waiting = [partition for partition in own if partition.number not in done]
    with BatchProgress(len(own), len(done), quiet=options.json) as progress, job_log(options.log) as log:
        log("job-begun", output=output, shard=f"{number}/{shards}", partitions=len(own), done=len(done))
        result = await _over_runner(options, output, waiting, progress)
        log("job-ended", pages=progress.pages, failed=progress.failed, is_stopped=result.is_stopped)
    for failure in result.failures:
        print_message(f"partition {failure.partition}: {failure.message}" if failure.partition >= 0 else failure.message)
    if result.failures:
        return TRY_AGAIN if all(failure.is_temporary for failure in result.failures) else result.failures[0].exit_code
    failed = await asyncio.to_thread(_print_status, options, storage, msgspec.structs.replace(plan, partitions=own))
    is_shard = bool(options.shard) or any(os.environ.get(name) for name, _, _ in SCHEDULERS)
    return PageFailed.exit_code if failed and not is_shard else 0  # a scheduler would run a shard that fails again, or end the others


async def _over_runner(options: BatchCommand, output: str, waiting: Sequence[Partition], progress: BatchProgress) -> Result:
    """Run the partitions in a thread, which a signal stops once the pages under way are committed."""
    order = WorkerOrder(
        output,
        str(options.home) if options.home else None,
        str(options.browser) if options.browser else None,
        str(options.log.absolute()) if options.log else None,
        options.page_memory << 20,
        options.page_seconds,
    )
    stop = Event()

    def run() -> Result:
        if options.dask:
            from sightread.batch.runners.dask import run_dask  # noqa: PLC0415  (an extra)

            return run_dask(options.dask, order, waiting, stop, progress.on_report)
        return run_local(order, waiting, options.processes or cores(), stop, progress.on_report)

    running = asyncio.ensure_future(asyncio.to_thread(run))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        progress.print_line("stopping: the pages under way are finished and committed")
        await asyncio.wait([running])
        raise


def _report(options: BatchCommand) -> int:
    if len(options.paths) != 1:
        raise Rejected("--status and --verify take the output alone: sightread batch --status OUTPUT")
    storage = open_storage(options.paths[0])
    plan = load_plan(storage)
    number, shards = shard_of(options.shard, os.environ)
    own = plan.shard(number, shards)
    if options.status:
        _print_status(options, storage, msgspec.structs.replace(plan, partitions=own))
        if options.metrics:
            write_atomically(options.metrics, metrics(read_status(storage, own)).encode())
        return 0
    faults = list(verify(storage, msgspec.structs.replace(plan, partitions=own)))
    progress = read_progress(storage, own)
    rows = sum(entry.rows for entry in progress.entries)
    spare = unnamed_parts(storage, progress.entries) if shards == 1 else []
    result = {"rows": rows, "faults": faults, "is_whole": "no" if faults else "yes", "files_without_entry": len(spare)}
    print_result(result, json=options.json)
    return TRY_AGAIN if faults else 0


def _print_status(options: BatchCommand, storage: Storage, plan: Plan) -> int:
    """Print how far the partitions are; return how many of their pages failed."""
    found = read_status(storage, plan.partitions)
    status = msgspec.to_builtins(found)
    if not options.json:
        for name in ("others", "models"):
            status[name] = ", ".join(f"{each} {number}" for each, number in status[name].items())
        status["is_done"] = "yes" if status["is_done"] else "no"
    print_result(status, json=options.json)
    if found.failed and found.failed == found.rows:
        reason = next(output_rows(storage, plan)).reason
        print_message(f"no page could be read: {reason}; the column reason of the rows has the causes of all")
    elif found.failed:
        print_message(f"{found.failed} of {found.rows} pages failed; the column reason of their rows has the causes")
    return found.failed


async def _learn_sites(options: BatchCommand, least: int) -> int:
    from sightread.batch.site_learning import learn_sites  # noqa: PLC0415  (a browser and scikit-learn, which other jobs do not need)
    from sightread.reading.reader import Reader  # noqa: PLC0415
    from sightread.viewer.report import write_site_report  # noqa: PLC0415

    if len(options.paths) != 1 or options.static or options.fast:
        raise Rejected("--learn-sites takes the input alone, and a browser: sightread batch --learn-sites 25 INPUT")
    with TemporaryDirectory(prefix="sightread-") as folder:
        storage = open_storage(folder)
        plan = await asyncio.to_thread(make_plan, job_options(options), storage)
        shard = shard_of(options.shard, os.environ)
        egress = Egress(local=options.local)
        async with (
            Reader(home=options.home, executable=options.browser, egress=egress, light=options.light) as reader,
            aclosing(learn_sites(plan, storage, least, reader, options.home, shard)) as results,
        ):
            async for result in results:
                if result.learned:
                    await asyncio.to_thread(write_site_report, result.learned.results)
                fields = {"site": result.site, "pages": result.pages, "learned_from": result.learned_from, "outcome": result.outcome}
                print_result(fields, json=options.json)
    return 0
