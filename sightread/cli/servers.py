"""The commands of the service: `serve`, over HTTP, `mcp`, and `token`, for its tokens."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any

from sightread.cli.commands import McpCommand, ServeCommand, ServingOptions, TokenCommand
from sightread.cli.run import print_json, print_message, print_result, stop_signals, write
from sightread.cli.visiting import egress
from sightread.models.model_choice import check_name
from sightread.reading.reader import TABS_AHEAD, Reader
from sightread.render.browser.limiter import cores
from sightread.render.errors import Rejected
from sightread.render.network.egress import Egress
from sightread.render.network.http import ListeningSockets
from sightread.server.access.gate import GatePolicy, TokenFile, TokenRecord, read_tokens
from sightread.server.access.limits import Limits
from sightread.server.engine.engine import Engine, EnginePolicy
from sightread.server.http import MOST_CONNECTIONS
from sightread.server.http import serve as serve_at
from sightread.server.jobs.store import HOUR, JobLimits
from sightread.server.jobs.webhooks import SECRET_SETTING
from sightread.server.mcp.protocol import serve_stdio
from sightread.server.mcp.tools import tool_server
from sightread.server.process.front import all_routes
from sightread.server.process.listener import Listener
from sightread.server.process.worker import Worker
from sightread.server.schema.requests import HARMLESS_ACTIONS
from sightread.server.service import JobStorage, Service
from sightread.sites.exchange import check_store
from sightread.sites.folders import home_folder

UNDER_WAY = 16
"""Jobs under way per site that is learned at once: most wait for their sites."""


def serve(options: ServeCommand) -> Coroutine[Any, Any, None]:
    """Serve the HTTP service until stopped. Requests under way are answered, new ones are refused meanwhile.

    The worker process is forked here, before an event loop exists.
    """
    check_name(options.model)
    if options.worker and not options.database:
        raise Rejected("--worker performs the jobs of a database that others use too: name it with --database")
    _allow_connections()
    policy = GatePolicy(
        read_tokens(options.host, options.token_file),
        frozenset(name.lower() for name in options.allow_host),
        frozenset(options.allow_origin),
    )
    limits = Limits(waiting=options.queue, at_once=TABS_AHEAD * (options.tabs or cores()))
    reach = egress(options)

    def make_service() -> tuple[Reader, Service]:
        reader = _reader(options, reach)
        return reader, Service(reader, limits, gate=policy, storage=_storage(options), policy=_policy(options))

    worker = Worker.fork(make_service, options.sockets.close)
    routes = () if options.worker else all_routes()
    return _serve(options.sockets, worker, Listener(worker, limits, policy, options.public_url or "", routes))


def _reader(options: ServingOptions, reach: Egress) -> Reader:
    return Reader(options.model, home=options.home, executable=options.browser, tabs=options.tabs, egress=reach, light=options.light)


def _allow_connections() -> None:
    """Raise the limit of open files for the connections, as far as the system lets it; many set 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * MOST_CONNECTIONS + 1000  # and what the worker and its browser open
    if soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed if hard == resource.RLIM_INFINITY else min(needed, hard), hard))


def _storage(options: ServeCommand) -> JobStorage:
    folder = options.state or (options.home or home_folder()) / "service"
    limits = JobLimits(
        lease=options.lease,
        keep=options.keep * HOUR,
        deadline=options.job_deadline * HOUR,
        per_caller=options.jobs_per_caller,
        under_way=UNDER_WAY * options.jobs,
    )
    return JobStorage(options.database or str(folder / "jobs.sqlite3"), folder / "crawls", limits)


def _policy(options: ServeCommand) -> EnginePolicy:
    secret = os.environ.get(SECRET_SETTING, "")
    actions = HARMLESS_ACTIONS | set(options.allow_action)
    return EnginePolicy(actions, webhook_secret=secret, learning=options.jobs, cache=options.cache << 20, store=check_store(options.store))


async def _serve(sockets: ListeningSockets, worker: Worker, listener: Listener) -> None:
    async with worker, listener, serve_at(listener.app(), sockets) as address:
        write(f"serving at {address} (Ctrl-C ends it)\n")
        await _stopped_or_failed(listener.failure())
        print_message("stopping: requests under way are answered first; a second signal ends it at once")
        await listener.drain()


async def _stopped_or_failed(failure: Coroutine[Any, Any, object]) -> None:
    """Wait for Ctrl-C or SIGTERM, or raise the error with which `failure` ends."""
    stopping = asyncio.Event()
    with stop_signals(stopping.set, signal.SIGINT, signal.SIGTERM):  # in this task: a second signal cancels the command
        stopped, failed = asyncio.ensure_future(stopping.wait()), asyncio.ensure_future(failure)
        try:
            await asyncio.wait((stopped, failed), return_when=asyncio.FIRST_COMPLETED)
            if failed.done():
                await failed
        finally:
            stopped.cancel()
            failed.cancel()


async def mcp(options: McpCommand) -> None:
    """Answer messages of the Model Context Protocol on standard input until it ends. The public web alone can be read."""
    check_name(options.model)
    reader = _reader(options, egress(options))
    engine, starting, is_open = Engine(reader), asyncio.Lock(), False
    async with AsyncExitStack() as stack:

        async def started() -> Engine:
            nonlocal is_open
            async with starting:
                if not is_open:
                    await stack.enter_async_context(reader)
                    is_open = True
            return engine

        await serve_stdio(tool_server(started))


async def token(options: TokenCommand) -> None:
    """Do one of the actions on the file of tokens."""
    file = TokenFile(options.file or (options.home or home_folder()) / "tokens.json")
    if options.action != "list" and not options.name:
        raise Rejected(
            f"token {options.action} needs a name: that of the caller{'' if options.action == 'add' else ', or the id of a token'}"
        )
    if options.action == "list" and options.name:
        raise Rejected(f"token list takes no name: leave {options.name} out")
    match options.action:
        case "add":
            made = file.add(options.name, options.scope or ("read", "jobs"), options.days)
            if options.json:
                print_json({"token": made, "file": str(file.path)})
            else:
                write(f"{made}\n")
                print_message(f"{file.path} holds its hash alone: keep the token, it is not shown again")
        case "list":
            records = [_described(record) for record in file.records()]
            if options.json:
                print_json({"tokens": records})
            else:
                write("".join("\t".join(map(str, record.values())) + "\n" for record in records))
        case _:
            revoked = file.revoke(options.name)
            going_on = sorted({record.name for record in revoked if "jobs" in file.rights(record.name)})
            ended = sorted({record.name for record in revoked}.difference(going_on))
            ids = [record.id for record in revoked]
            print_result({"revoked": ids, "jobs_end": ended, "jobs_go_on": going_on}, json=options.json)
            print_message("a running service ends the inspections of these tokens at once, and the jobs of callers without another token")


def _described(record: TokenRecord) -> dict[str, str]:
    now = datetime.now(UTC).timestamp()
    state = "revoked" if record.revoked else "in use" if record.is_accepted(now) else "expired"
    until = datetime.fromtimestamp(record.expires, UTC).isoformat(timespec="seconds") if record.expires else "never"
    return {"id": record.id, "name": record.name, "scopes": ",".join(record.scopes), "state": state, "expires": until}
