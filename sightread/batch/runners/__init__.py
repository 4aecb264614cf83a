"""Runners of a batch: processes on this machine, or the workers of a Dask cluster. Both run the same partitions with the same code."""
