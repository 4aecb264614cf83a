"""The browser: collection, the pool, waiting and determinism."""
