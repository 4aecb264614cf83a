"""Runs of extractors over data sets, their stored results, and what reads those."""
