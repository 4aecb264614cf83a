"""The version of sightread, and the product name in its user agent."""

from importlib import metadata


def installed_version() -> str:
    """Return the version of the installed distribution; `0` if it runs from a plain checkout."""
    try:
        return metadata.version("sightread")
    except metadata.PackageNotFoundError:
        return "0"


VERSION = installed_version()
PRODUCT = f"sightread/{VERSION}"
"""The product token (RFC 9110, section 10.1.5) of every request: the crawler's whole user agent, and the end of the browser's."""
