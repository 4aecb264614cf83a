"""Inputs of a batch: WARC files, lists of URLs, corpora, Parquet and JSON Lines, cut into partitions and read page by page."""
