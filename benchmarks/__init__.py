"""Measurements that anyone can run again: `python -m benchmarks --help`. Not shipped with the package."""
