"""Generators of the fifth final part: blogs and documentation from npm, PyPI and Debian."""
