"""The version written into a corpus and the user agent."""

from render.version import PRODUCT, VERSION

__all__ = ["USER_AGENT", "VERSION"]

USER_AGENT = PRODUCT
"""Sent with every request for robots.txt and sitemaps, and the name that robots.txt rules are matched against."""
