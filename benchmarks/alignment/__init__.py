"""Alignment of gold text with the blocks of a page."""
