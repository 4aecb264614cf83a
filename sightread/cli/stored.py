"""The pages that a command reads without a browser: files, archives and standard input; and targets that are URLs.

Nothing here imports a browser, which takes longer to load than most pages take to read.
"""

from __future__ import annotations

from pathlib import Path

from sightread.cli.commands import PageOptions
from sightread.reading import Reading, read_static
from sightread.reading.archived import open_file, open_input, read_archived_static
from sightread.reading.extraction import is_bare_host
from sightread.reading.reading import read_converted
from sightread.render.archives.base import Archive
from sightread.render.errors import Rejected
from sightread.render.page import Page

Stored = bytes | Archive | Page
"""The content of a file argument: HTML, an archive, or a converted document."""


def site_of(target: str) -> str:
    """Return the target if it is a URL; empty for a file."""
    return target if target.lower().startswith(("http://", "https://")) else ""


def with_scheme(target: str) -> str:
    """Return the target; an address without its scheme, such as news.example/article, gets https://, unless a file has that name."""
    first, _, rest = target.partition("/")
    is_file = Path(target).exists() or (rest and Path(first).is_dir())
    return f"https://{target}" if not is_file and is_bare_host(target) else target


def read_target_static(options: PageOptions, stored: Stored | None) -> Reading:
    """Return the main content of a stored page, without a browser. Raises `Rejected` for a URL."""
    if stored is None:
        raise Rejected("--static reads files and standard input, and opens no URL: save the page, or leave --static out")
    if isinstance(stored, Page):
        return read_converted(stored, options.model, options.home)
    if isinstance(stored, Archive):
        return read_archived_static(stored, options.url, options.model, options.home)
    return read_static(stored, options.url, options.model, options.home)


def load_stored(options: PageOptions, target: str) -> Stored | None:
    """Return the content of the file that the target names; None for a URL."""
    if target == "-":
        return open_input(options.standard_input, options.url)
    if site_of(target):
        return None
    if not Path(target).exists():
        raise Rejected(f"{target}: there is no such file, and it is no URL: check its name, or give an http or https URL")
    return open_file(Path(target), options.url)


def read_lines(urls: str, standard_input: bytes, option: str = "--urls") -> list[str]:
    """Return the lines of the list of URLs that an option names. Raises `Rejected` if it cannot be read."""
    try:
        content = standard_input if urls == "-" else Path(urls).read_bytes()
        return content.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise Rejected(f"{option} {urls}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Rejected(f"{option} {urls}: not a list of URLs: the file is not text in UTF-8") from error
