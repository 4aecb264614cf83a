"""One experiment per module."""
