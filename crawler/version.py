"""The version that a corpus records and the crawler tells the sites it visits."""

from importlib import metadata


def installed_version() -> str:
    """Return the version of the installed distribution; `0` where it runs from a plain checkout."""
    try:
        return metadata.version("sightread")
    except metadata.PackageNotFoundError:
        return "0"


VERSION = installed_version()
USER_AGENT = f"sightread/{VERSION}"
"""Sent with every request for robots.txt and sitemaps, and the name that robots.txt rules are matched against."""
