"""Arguments and option records of the commands that listen."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightread.cli.options.argument_types import Duration, choice, count, host_name, origin, port, seconds
from sightread.cli.options.browser_options import add_proxy

if TYPE_CHECKING:
    from sightread.cli.options.options import BrowserOptions
    from sightread.render.network.http import ListeningSockets

SERVICE_PORT = 8412
ACTIONS = ("click", "type", "press")
SCOPES = ("read", "jobs", "learn", "metrics")


@dataclass(frozen=True, slots=True)
class ServeCommand:
    """Options of `serve`."""

    browsing: BrowserOptions
    host: str
    sockets: ListeningSockets
    model: str
    home: Path | None
    token_file: Path | None
    allow_host: tuple[str, ...]
    allow_origin: tuple[str, ...]
    allow_action: tuple[str, ...]
    public_url: str | None
    database: str
    state: Path | None
    queue: int
    jobs: int
    jobs_per_caller: int
    keep: float
    """Hours."""
    job_deadline: float
    """Hours."""
    lease: float
    cache: int
    """MiB."""


@dataclass(frozen=True, slots=True)
class McpCommand:
    """Options of `mcp`."""

    browsing: BrowserOptions
    model: str
    home: Path | None


@dataclass(frozen=True, slots=True)
class TokenCommand:
    """Options of `token`."""

    action: str
    name: str
    file: Path | None
    scope: tuple[str, ...]
    days: float
    home: Path | None
    json: bool


def add_serve(serve: ArgumentParser) -> None:
    """Add the options of `serve` but for those of every browser command."""
    serve.set_defaults(module="servers.commands", record=ServeCommand)
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen on (default: %(default)s; any other requires --token-file or SIGHTREAD_TOKEN)",
    )
    serve.add_argument("--port", type=port, default=SERVICE_PORT, help="(default: %(default)s)")
    add_proxy(serve)
    access = serve.add_argument_group("who may use it")
    access.add_argument("--token-file", type=Path, metavar="FILE", help="the tokens of `sightread token add`; read again when it changes")
    access.add_argument(
        "--allow-host", action="append", default=[], type=host_name, metavar="NAME", help="answer under this host name alone; repeatable"
    )
    access.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        type=origin,
        metavar="ORIGIN",
        help="let scripts of this origin use it (CORS); repeatable",
    )
    access.add_argument(
        "--allow-action",
        action="append",
        default=[],
        type=choice(*ACTIONS),
        metavar="ACTION",
        help="let callers do this on pages: click, type or press; repeatable (wait and scroll are always allowed)",
    )
    access.add_argument("--public-url", type=origin, metavar="URL", help="the origin behind a reverse proxy, such as https://read.example")
    jobs = serve.add_argument_group("queue, jobs and cache")
    jobs.add_argument("--queue", type=count, default=32, metavar="N", help="most requests under way at once (default: %(default)s)")
    jobs.add_argument("--database", default="", metavar="URL|FILE", help="jobs: postgresql://… or an SQLite file (default: one in --state)")
    jobs.add_argument("--state", type=Path, metavar="FOLDER", help="files of jobs (default: service in the home folder)")
    jobs.add_argument("--jobs", type=count, default=2, metavar="N", help="sites learned at once, of 16 N jobs (default: %(default)s)")
    jobs.add_argument("--jobs-per-caller", type=count, default=100, metavar="N", help="unfinished jobs per caller (default: %(default)s)")
    jobs.add_argument(
        "--keep", type=Duration("hours"), default=24.0, metavar="H", help="hours for which results are kept (default: %(default)g)"
    )
    jobs.add_argument("--job-deadline", type=Duration("hours"), default=24.0, metavar="H", help="hours for one job (default: %(default)g)")
    jobs.add_argument(
        "--lease", type=seconds, default=10.0, metavar="S", help="seconds until a killed process's job is continued (default: %(default)g)"
    )
    jobs.add_argument(
        "--cache", type=count, default=64, metavar="MiB", help="memory for answers that requests with max_age share (default: %(default)s)"
    )


def add_mcp(mcp: ArgumentParser) -> None:
    """Add the options of `mcp` but for those of every browser command."""
    mcp.set_defaults(module="servers.commands", record=McpCommand)
    add_proxy(mcp)


def add_token(token: Any) -> None:
    """Add the options of `token`."""
    token.set_defaults(module="servers.token_command", record=TokenCommand)
    token.add_argument("action", type=choice("add", "list", "revoke"), metavar="ACTION", help="add, list or revoke")
    token.add_argument("name", nargs="?", default="", metavar="NAME", help="name of the caller; to revoke, a name or the id of a token")
    token.add_argument("--file", type=Path, metavar="FILE", help="(default: tokens.json in the home folder)")
    token.add_argument(
        "--scope",
        action="append",
        default=[],
        type=choice(*SCOPES),
        metavar="SCOPE",
        help=f"scopes of the token: {', '.join(SCOPES)}; repeatable (default: read and jobs)",
    )
    token.add_argument("--days", type=Duration("days"), default=0.0, metavar="N", help="days until it expires (default: never)")
