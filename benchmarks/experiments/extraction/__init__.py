"""Extraction by the models: gold labels, structure of the documents, damaged pages, and CPU time."""
