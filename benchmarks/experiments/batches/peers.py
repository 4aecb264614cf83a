"""A batch over Dask and over datatrove, run by an interpreter that has them.

`python -m benchmarks.experiments.batches.peers WAY INPUT OUTPUT` runs one.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from sightread.cli.parser import main


def over_dask(source: str, output: str, workers: int, options: list[str]) -> int:
    """Run the job on a cluster of worker processes with one thread each."""
    distributed = import_module("distributed")
    import_module("dask").config.set({"distributed.worker.profile.enabled": False})  # as docs/batch.md advises
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        return main(["batch", source, output, *options, "--dask", cluster.scheduler_address])


def over_datatrove(source: str, output: str, workers: int) -> int:
    """Run datatrove's local executor with as many tasks; the input is a folder with a file per task."""
    executor = import_module("datatrove.executor").LocalPipelineExecutor
    readers, writers = import_module("datatrove.pipeline.readers"), import_module("datatrove.pipeline.writers")
    extractor = import_module("sightread.integrations.datatrove").SightreadExtractor(output_format="markdown")

    def adapt(_: object, row: dict[str, str], path: str, place: int) -> dict[str, object]:
        return {"text": row["html"], "id": row["id"], "metadata": {"url": row["url"]}}

    steps = [
        readers.JsonlReader(source, adapter=adapt),
        extractor,
        writers.JsonlWriter(output, "${rank}.jsonl", compression=None),
    ]
    executor(steps, tasks=workers, workers=workers, logging_dir=str(Path(output).parent / "datatrove-log")).run()
    return 0


if __name__ == "__main__":
    way, source, output, workers, *options = sys.argv[1:]
    sys.exit(over_dask(source, output, int(workers), options) if way == "dask" else over_datatrove(source, output, int(workers)))
