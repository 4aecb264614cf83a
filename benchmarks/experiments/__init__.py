"""One experiment per module, registered as a command of `python -m benchmarks`."""
