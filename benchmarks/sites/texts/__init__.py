"""Texts that sites are built from: sentences, documents of known structure, and boilerplate that is inserted."""
