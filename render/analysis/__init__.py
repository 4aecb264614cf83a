"""Analyses of a page record: overlays, block pages, fallback text, JSON-LD, text that is not laid out."""
