"""Extractors under comparison, ours and others, and the processes that run them."""
