"""Readers of the data sets."""
