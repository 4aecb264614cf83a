"""Throughput of batches and of the browser pool, beside other programs."""
