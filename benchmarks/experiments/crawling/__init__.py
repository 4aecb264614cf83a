"""Crawls of whole sites, judged by the log of a local web."""
