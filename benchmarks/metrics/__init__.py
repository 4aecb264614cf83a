"""Metrics, intervals and tables."""
