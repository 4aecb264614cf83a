"""Options of the commands: one frozen record per command, made by the parser. Below the parser no function reads argparse's `Namespace`."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sightread.render.labels import PartKind

if TYPE_CHECKING:
    from sightread.document.formats import Also
    from sightread.document.tree.nodes import Part
    from sightread.render.network.http import ListeningSockets

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Appearance:
    """The device, as written on the command line; None leaves the default."""

    device: str | None = None
    viewport: str | None = None
    scale: str | None = None
    mobile: bool = False
    colour_scheme: str | None = None
    language: str | None = None
    time_zone: str | None = None
    user_agent: str | None = None


@dataclass(frozen=True, slots=True)
class Secrets:
    """Credentials for the page's site, as written on the command line: values, `@FILE` or `env:NAME`."""

    header: tuple[str, ...] = ()
    cookie: tuple[str, ...] = ()
    credentials: str | None = None


@dataclass(frozen=True, slots=True)
class WaitOptions:
    """Options of waiting and acting on a page before it is read, as written on the command line."""

    wait_for: str | None = None
    min_wait: float = 0.0
    action: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CaptureFiles:
    """Files about a page to write besides its content."""

    save_html: Path | None = None
    save_har: Path | None = None
    save_console: Path | None = None
    save_pdf: Path | None = None

    def __bool__(self) -> bool:
        return any((self.save_html, self.save_har, self.save_console, self.save_pdf))


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """How a command renders pages."""

    appearance: Appearance = Appearance()
    secrets: Secrets = Secrets()
    waiting: WaitOptions = WaitOptions()
    block: tuple[str, ...] = ()
    local: bool = False
    proxy: str | None = None
    deadline: float = 30.0
    """Seconds per page."""
    browser: Path | None = None
    tabs: int | None = None
    light: bool = False


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """The page that a command reads, and the model that reads it."""

    target: str = ""
    url: str = ""
    standard_input: bytes = b""
    """Its content if `target` is "-"."""
    static: bool = False
    model: str = "auto"
    home: Path | None = None


@dataclass(frozen=True, slots=True)
class ListingOptions:
    """The pages that a command reads, and where several are written."""

    targets: tuple[str, ...] = ()
    urls: str | None = None
    """File of further targets, one per line; "-" for standard input."""
    standard_input: bytes = b""
    output_dir: Path | None = None
    per_host: int | None = None
    """Pages of one host at once."""
    delay: float | None = None
    """Seconds between two pages of one host."""


@dataclass(frozen=True, slots=True)
class DrawingOptions:
    """Image files to write."""

    picture: Path | None = None
    overlay: Path | None = None


@dataclass(frozen=True, slots=True)
class ExtractCommand:
    """Options of `extract`."""

    source: SourceOptions
    """Its target is empty: the targets are in `listing`."""
    browsing: BrowserOptions
    drawings: DrawingOptions
    files: CaptureFiles
    listing: ListingOptions
    format: str
    also: tuple[Also, ...]
    without: tuple[Part, ...]
    explain: bool
    output: Path | None


@dataclass(frozen=True, slots=True)
class CompareCommand:
    """Options of `compare`."""

    source: SourceOptions
    browsing: BrowserOptions
    blocks: bool
    json: bool


@dataclass(frozen=True, slots=True)
class InspectCommand:
    """Options of `inspect`."""

    source: SourceOptions
    browsing: BrowserOptions
    sockets: ListeningSockets
    no_open: bool


@dataclass(frozen=True, slots=True)
class ExplainCommand:
    """Options of `explain`."""

    source: SourceOptions
    browsing: BrowserOptions
    row: int | None
    """The block to explain; None for all."""
    json: bool


@dataclass(frozen=True, slots=True)
class ScopeOptions:
    """Which pages of a site are taken, as written on the command line."""

    within: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    depth: int | None = None
    sitemap: str | None = None
    urls: str | None = None
    """File of URLs, one per line; "-" for standard input."""
    standard_input: bytes = b""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class CrawlCommand:
    """Options of `crawl`, and of the crawl of `learn` and `demo`."""

    browsing: BrowserOptions
    pages: int | None
    delay: float | None
    no_pictures: bool
    out: Path | None
    home: Path | None
    json: bool
    scope: ScopeOptions = ScopeOptions()
    site: str | None = None
    """None for the demo site, and if a list of URLs names the site."""


@dataclass(frozen=True, slots=True)
class LearnCommand:
    """Options of `learn`."""

    crawl: CrawlCommand
    refresh: bool
    keep: tuple[PartKind, ...] = ()
    """Parts of pages that are content, regardless of the evidence."""
    drop: tuple[PartKind, ...] = ()
    """Parts of pages that are not."""


@dataclass(frozen=True, slots=True)
class DemoCommand:
    """Options of `demo`."""

    crawl: CrawlCommand
    sockets: ListeningSockets


@dataclass(frozen=True, slots=True)
class TrainCommand:
    """Options of `train`, and of the other steps on a crawled site."""

    folder: str
    home: Path | None
    json: bool


@dataclass(frozen=True, slots=True)
class SitesCommand:
    """Options of `sites`."""

    action: str
    site: str | None
    """A name, a URL, or of an import the file."""
    file: Path | None
    replace: bool
    home: Path | None
    json: bool


@dataclass(frozen=True, slots=True)
class CorrectionsCommand:
    """Options of `corrections`."""

    action: str
    site: str
    """A name, a URL or a folder."""
    file: Path | None
    format: str
    home: Path | None
    json: bool


@dataclass(frozen=True, slots=True)
class LabelCommand:
    """Options of `label`."""

    step: TrainCommand
    labeler: str


@dataclass(frozen=True, slots=True)
class EvaluateCommand:
    """Options of `evaluate`."""

    step: TrainCommand
    model: str
    folds: int


def read_options(record: type[Record], parsed: Namespace) -> Record:
    """Return the record of a command, from what argparse parsed: each field has its option's name, a nested record is read likewise.

    Lists become tuples. An option that the command does not have keeps the field's default.
    """
    values: dict[str, Any] = {}
    for field in fields(record):  # type: ignore[arg-type]
        nested = globals().get(str(field.type))
        if is_dataclass(nested):
            values[field.name] = read_options(nested, parsed)  # type: ignore[arg-type]
        elif hasattr(parsed, field.name):
            value = getattr(parsed, field.name)
            values[field.name] = tuple(value) if isinstance(value, list) else value
    return record(**values)
