"""Metadata of a page: title, authors, dates, page type, posts, attributes."""
