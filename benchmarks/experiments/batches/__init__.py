"""Batches and long runs: throughput, killed processes, the soak test; with a fake object store."""
