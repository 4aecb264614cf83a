"""A batch over Dask, run by an interpreter that has it, as a module, with input, output and number of workers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from sightread.cli.parser import main


def over_dask(source: str, output: str, workers: int, options: Sequence[str]) -> int:
    """Run the job on a cluster of worker processes with one thread each."""
    distributed = import_module("distributed")
    import_module("dask").config.set({"distributed.worker.profile.enabled": False})  # as docs/batch.md advises
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        return main(["batch", source, output, *options, "--dask", cluster.scheduler_address])


if __name__ == "__main__":
    sys.exit(over_dask(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]))
