"""Generators of later parts: blogs and documentation from npm, PyPI and Debian."""
