"""The boundary: what it admits, what it dials, and what it refuses whatever the name said the last time."""

import asyncio
import itertools
import socket
from collections.abc import Sequence

import pytest

from sightread.render.errors import Private, Rejected, Retryable, Unusable
from sightread.render.network import egress as rules
from sightread.render.network.egress import LOCAL, PUBLIC, Boundary, Egress
from tests.internet import UNKNOWN, UNREACHABLE, Internet, public_url, victim

PUBLIC_ADDRESS = "9.9.9.9"


class Names:
    """A resolver that gives its answers one after the other, and a dialler that only notes what it is given."""

    def __init__(self, *answers: Sequence[str] | OSError) -> None:
        self._answers = itertools.cycle(answers)
        self.requested: list[str] = []
        self.dialled: list[str] = []

    @property
    def boundary(self) -> Boundary:
        return Boundary(Egress(resolve=self.resolve, dial=self.dial))

    async def resolve(self, host: str) -> Sequence[str]:
        self.requested.append(host)
        await asyncio.sleep(0)
        answer = next(self._answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    async def dial(self, addresses: Sequence[str], port: int) -> socket.socket:
        self.dialled += addresses
        raise ConnectionRefusedError(111, "refused")


async def dialled(boundary, host):
    """Connect as far as the dialler lets it, which refuses."""
    with pytest.raises(Retryable, match="connection refused: nothing listens there now"):
        await boundary.connect(host, 80)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "0", "0.0.0.0", "①②⑦.0.0.1", "[::1]", "[::]",
     "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2002:7f00::]", "[::127.0.0.1]", "[fec0::1]",
     "[ff02::1]", "[fe80::1]", "[fd00::1]", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"],
)  # fmt: skip
async def test_a_private_address_is_never_dialled_however_it_is_written(host):
    names = Names()
    with pytest.raises(Private, match=r"which is no public address; a Reader with egress=Egress\(local=True\) opens it$"):
        await names.boundary.admit(f"http://{host}/secret")
    assert (names.requested, names.dialled) == ([], [])


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "localhost.", "foo.localhost"])
async def test_the_names_of_this_machine_are_never_dialled(host):
    names = Names(["127.0.0.1", "::1"])
    with pytest.raises(Private, match=r"localhost\.? leads to 127.0.0.1, which is no public address"):
        await names.boundary.admit(f"http://{host}/")
    assert names.dialled == []


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "fe80::1%lo", "127.1", "2130706433", "0x7f.1", "localhost"])
async def test_whoever_passes_an_address_by_is_refused_at_the_dial(host):
    async with victim() as here:
        with pytest.raises((Private, Retryable)):
            await Boundary(PUBLIC).connect(host, 80)
        with pytest.raises(Private):
            await Boundary(PUBLIC).connect("127.0.0.1", here.port)
    assert here.received == []


@pytest.mark.parametrize(
    "answers", [("9.9.9.9", "127.0.0.1"), ("10.0.0.1", "9.9.9.9"), ("2606:4700::1111", "fe80::1%eth0"), ("64:ff9b::1",)]
)
async def test_a_name_with_one_private_answer_is_refused_whole(answers):
    names = Names(answers)
    boundary = names.boundary
    for attempt in (boundary.admit("http://mixed.example/"), boundary.connect("mixed.example", 443)):
        with pytest.raises(Private, match=r"mixed\.example leads to"):
            await attempt
    assert names.dialled == []


async def test_a_name_that_is_rebound_keeps_the_address_that_was_checked():
    names = Names([PUBLIC_ADDRESS], ["127.0.0.1"])
    boundary = names.boundary
    await boundary.admit("http://rebound.example/")
    for _ in range(3):
        await dialled(boundary, "rebound.example")
    assert (names.requested, names.dialled) == (["rebound.example"], [PUBLIC_ADDRESS] * 3)


async def test_a_name_that_is_rebound_after_its_pin_is_checked_again(monkeypatch):
    monkeypatch.setattr(rules, "LIMITS", rules.ConnectionLimits(keep_addresses=-1.0))
    names = Names([PUBLIC_ADDRESS], ["127.0.0.1"])
    boundary = names.boundary
    await boundary.admit("http://rebound.example/")
    with pytest.raises(Private):
        await boundary.connect("rebound.example", 80)
    assert names.dialled == []


async def test_many_who_ask_at_once_share_one_resolution_and_one_who_goes_away_does_not_spoil_it():
    names = Names([PUBLIC_ADDRESS], ["127.0.0.1"])
    boundary = names.boundary
    first, *others = [asyncio.ensure_future(boundary.admit("http://busy.example/")) for _ in range(5)]
    await asyncio.sleep(0)
    first.cancel()
    assert [address.host for address in await asyncio.gather(*others)] == ["busy.example"] * 4
    assert names.requested == ["busy.example"]


@pytest.mark.parametrize(
    ("failure", "error", "reason"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), Unusable, UNKNOWN),
        (socket.gaierror(socket.EAI_AGAIN, "no answer"), Retryable, UNREACHABLE),
        (TimeoutError(), Retryable, UNREACHABLE),
        ((), Retryable, UNREACHABLE),
    ],
)
async def test_a_failed_resolution_is_tried_again(failure, error, reason):
    names = Names(failure, [PUBLIC_ADDRESS])
    boundary = names.boundary
    with pytest.raises(error, match=rf"^http://late\.example/: {reason}$"):
        await boundary.admit("http://late.example/")
    await boundary.admit("http://late.example/")


async def test_a_resolver_that_never_answers_is_not_waited_for(monkeypatch):
    async def never(_: str) -> Sequence[str]:
        await asyncio.Event().wait()
        return ()

    monkeypatch.setattr(rules, "LIMITS", rules.ConnectionLimits(resolve=0.01))
    with pytest.raises(Retryable, match="the name does not resolve"):
        await Boundary(Egress(resolve=never)).admit("http://silent.example/")


async def test_a_server_that_never_answers_is_not_waited_for(monkeypatch):
    async def never(addresses: Sequence[str], port: int) -> socket.socket:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(rules, "LIMITS", rules.ConnectionLimits(connect=0.01))
    with pytest.raises(Retryable, match="no connection within"):
        await Boundary(Egress(dial=never)).connect(PUBLIC_ADDRESS, 80)


@pytest.mark.parametrize("name", ["a" * 64 + ".example", "a..example"])
async def test_what_is_no_name_does_not_resolve(name):
    with pytest.raises(Unusable, match=UNKNOWN):
        await Boundary(PUBLIC).connect(name, 80)


@pytest.mark.parametrize("port", [0, 1, 22, 25, 81, 6379, 8080, 8412, 8443, 9222, 65535])
async def test_no_port_but_the_webs_own_is_opened(port):
    names = Names([PUBLIC_ADDRESS])
    with pytest.raises(Private, match=f"port {port} is not one of the web's, 80 and 443"):
        await names.boundary.connect("example.com", port)
    assert (names.requested, names.dialled) == ([], [])


async def test_the_names_of_a_hostile_page_are_not_kept_for_ever(monkeypatch):
    monkeypatch.setattr(rules, "LIMITS", rules.ConnectionLimits(names_kept=3))
    names = Names([PUBLIC_ADDRESS])
    boundary = names.boundary
    for host in ("a", "b", "c", "d", "a", "d"):
        await boundary.admit(f"http://{host}.example/")
    assert names.requested == ["a.example", "b.example", "c.example", "d.example", "a.example"]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "http://u:p@example.com/", "http://127.0.0.1\\@example.com/"])
async def test_what_is_no_web_address_is_refused_by_the_local_door_too(url):
    with pytest.raises(Rejected):
        await Boundary(LOCAL).admit(url)


async def test_the_local_door_leads_to_this_machine_and_to_any_port():
    async with victim() as here:
        boundary = Boundary(LOCAL)
        await boundary.admit(here.root)
        for host in ("127.0.0.1", "localhost"):
            (await boundary.connect(host, here.port)).close()


async def test_a_public_name_is_dialled_at_its_address(site_server):
    site, internet = await site_server({}), Internet()
    boundary = Boundary(internet.egress())
    address = await boundary.admit(public_url(site.root))
    (await boundary.connect(address.host, address.port)).close()
    assert internet.resolved == [address.host]
    assert [port for _, port in internet.dialled] == [80]
