"""The service as a program that reads pages of a local site: its boundary maps public names to this machine, and allows nothing else."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

from benchmarks.metrics.cost import descendants
from sightread.render.errors import Unequipped
from sightread.render.network.egress import Egress, dial
from sightread.server.http import serve_on_loopback

NAME = re.compile(r"bench-(\d+)\.example")
ADDRESS = "9.9.9.9"
"""The public address by which the local site is reached."""
_GZIP = b"\x1f\x8b"
_SERVING = re.compile(r"serving at (http://\S+)")
_PROGRAM = """
import sys
from benchmarks.service.programs import local_egress
from sightread.cli import parser, servers

servers.egress = lambda options: local_egress(int(sys.argv[1]))
sys.exit(parser.main(["serve", "--port", "0", *sys.argv[2:]]))
"""


def local_egress(port: int) -> Egress:
    """Return an egress that reaches the site at `port` of this machine as `bench-PORT.example`, and nothing else."""

    async def resolve(host: str) -> Sequence[str]:
        if NAME.fullmatch(host):
            return (ADDRESS,)
        raise socket.gaierror(socket.EAI_NONAME, "only the local site has a name")

    async def connect(_addresses: Sequence[str], _port: int) -> socket.socket:
        return await dial(["127.0.0.1"], port)

    return Egress(resolve=resolve, dial=connect)


@asynccontextmanager
async def local_site(pages: Sequence[bytes], log: list[str] | None = None) -> AsyncIterator[int]:
    """Serve the pages at `/0`, `/1` and so on, after as many `seconds` as the query names; yield the port.

    Gzipped pages are sent as such. `log` receives the requested paths with queries.
    """

    async def answer(request: web.Request) -> web.Response:
        number = request.path.strip("/")
        if not number.isdigit() or int(number) >= len(pages):
            return web.Response(status=404)
        if log is not None:
            log.append(request.path_qs)
        await asyncio.sleep(float(request.query.get("seconds", 0)))
        body = pages[int(number)]
        headers = {"Content-Encoding": "gzip"} if body.startswith(_GZIP) else None
        return web.Response(body=body, content_type="text/html", charset="utf-8", headers=headers)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with serve_on_loopback(app) as root:
        yield int(root.rpartition(":")[2])


async def start_service(
    port: int, options: Sequence[str], environment: Mapping[str, str], *, own_session: bool = False
) -> tuple[asyncio.subprocess.Process, str]:
    """Start the service for the site at `port`, and return its process and address. Raises `Unequipped` if it does not start."""
    return await start_server([sys.executable, "-c", _PROGRAM, str(port), *options], environment, own_session=own_session)


async def start_server(
    command: Sequence[str], environment: Mapping[str, str], *, own_session: bool = False
) -> tuple[asyncio.subprocess.Process, str]:
    """Start a server that prints `serving at` and its address first; return its process and address. Raises `Unequipped`."""
    service = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, env=dict(environment), start_new_session=own_session
    )
    assert service.stdout is not None
    found = _SERVING.search((await service.stdout.readline()).decode())
    if found is None:
        await service.wait()
        raise Unequipped("the service did not start: see the lines above")
    return service, found[1]


def family_memory(pid: int) -> int:
    """Return the bytes of memory (proportional set size) of a process and all below it; those that cannot be read count as 0."""
    total = 0
    for each in (pid, *descendants(pid)):
        try:
            for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        except OSError:
            continue
    return total


def family_cpu(pid: int) -> float:
    """Return the seconds of CPU time that a process and all below it have used, without those that have ended."""
    ticks = 0
    for each in (pid, *descendants(pid)):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
    return ticks / 100
