"""What is a web address, and what is a public one: the spellings with which others were fooled."""

import asyncio
import itertools
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.render.errors import Private, Rejected, Retryable, Unusable
from sightread.render.network import egress as rules
from sightread.render.network.address import check_url, host_of, is_own, is_public, shown
from sightread.render.network.egress import LOCAL, PUBLIC, Boundary, Egress
from tests.internet import UNKNOWN, UNREACHABLE, Internet, public_url, victim

PRIVATE_V4 = ("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1", "255.255.255.255")
EMBEDDED = ("::ffff:{}", "::{}", "64:ff9b::{}", "64:ff9b:1::{}", "::ffff:0:{}", "fe80::{}", "fec0::{}", "ff02::{}", "fd00::{}")


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "①②⑦.0.0.1", "127.0.0.1."])
def test_no_spelling_of_loopback_is_taken_for_another_host(host):
    assert check_url(f"http://{host}/").host == "127.0.0.1"


@pytest.mark.parametrize(
    "address",
    ["::1", "::", "::ffff:7f00:1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::7f00:1", "2002:7f00::",
     "2002:7f00:1::", "::127.0.0.1", "fec0::1", "fe80::1", "fe80::1%eth0", "2606:4700::1%eth0",
     "fc00::1", "fd00:ec2::254", "ff02::1", "2001::1",
     "2001:db8::1", "2001:2::1", "3fff::1", "100::1", "5f00::1", "224.0.0.1", "239.1.2.3", "240.0.0.1", "192.0.0.192", "192.0.2.1",
     "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "168.63.129.16", "100.100.100.200", *PRIVATE_V4],
)  # fmt: skip
def test_a_private_or_reserved_address_is_never_public(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "8.8.8.8", "9.9.9.9", "93.184.216.34", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "2001:4860::8888", "2a00::1"],
)
def test_an_address_of_the_internet_is_public(address):
    assert is_public(address)


async def test_an_address_of_this_machine_is_its_own_wherever_it_is_from(monkeypatch):
    assert is_own("127.0.0.1") and not is_own("192.0.2.1")
    monkeypatch.setattr(rules, "is_own", lambda address: address == PUBLIC_ADDRESS)
    for host in (PUBLIC_ADDRESS, "here.example"):
        with pytest.raises(Private, match=f"{PUBLIC_ADDRESS}, which is an address of this machine"):
            await Names([PUBLIC_ADDRESS]).boundary.connect(host, 80)


@given(st.integers(0, 2**32 - 1), st.sampled_from(EMBEDDED))
def test_no_form_that_carries_an_ipv4_address_is_public(number, form):
    assert not is_public(form.format(IPv4Address(number)))


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_is_public_is_so_for_python_too(address):
    if is_public(str(address)):
        assert ip_address(str(address)).is_global
        assert not address.is_multicast and not address.is_reserved


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1\\@example.com/", "http:\\\\example.com", "http://exam\tple.com/", "http://example.com/\r\nX: 1", "http://a\x00b/",
     "http://example。com/", "http://127．0．0．1/", "http://127｡1/", "http://user@example.com/", "http://u:p@example.com/", "http://@example.com/",
     "http://example.com@127.0.0.1/", "http://:@example.com/"],
)  # fmt: skip
def test_what_parsers_read_differently_is_refused(url):
    with pytest.raises(Rejected) as raised:
        check_url(url)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "view-source:http://example.com/", "view-source:file:///etc/passwd", "chrome://version", "data:text/html,<p>x",
     "blob:http://example.com/1", "ftp://example.com/", "javascript:alert(1)", "about:blank", "ws://example.com/", "//example.com/",
     "example.com", "http://", "http://[fe80::1%eth0]/", "http://[fe80::1%25eth0]/",
     "http://1.2.3.256/", "http://a:99999/", "http://exa mple.com/", ""],
)  # fmt: skip
def test_only_web_addresses_are_taken(url):
    with pytest.raises(Rejected, match="not an http or https address"):
        check_url(url)


def test_a_password_is_not_repeated():
    with pytest.raises(Rejected) as raised:
        check_url("https://user:secret@example.com/")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://example.com", ("https://example.com/", "example.com", 443)),
        ("HTTP://EXAMPLE.com:80/a b?q=@#x", ("http://example.com/a%20b?q=@#x", "example.com", 80)),
        ("http://münchen.de:8080/", ("http://xn--mnchen-3ya.de:8080/", "xn--mnchen-3ya.de", 8080)),
        ("https://faß.de/", ("https://xn--fa-hia.de/", "xn--fa-hia.de", 443)),
        ("http://[2606:4700::1111]/", ("http://[2606:4700::1111]/", "2606:4700::1111", 80)),
    ],
)
def test_an_address_is_read_as_a_browser_reads_it(url, address):
    assert check_url(url) == address


@given(st.text(max_size=100))
def test_an_address_is_reported_in_one_line(text):
    assert len(shown(text).splitlines()) <= 1
    assert len(shown("http://x/" + text * 36)) <= 301


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://News.Example:8080/a", "news.example"),
        ("http://127.0.0.1\\@example.com/", "127.0.0.1"),
        ("http://[::1]/", "::1"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("mailto:ana@news.example", ""),
        ("page.html", ""),
        ("", ""),
    ],
)
def test_the_host_is_the_one_that_a_browser_would_visit(url, host):
    assert host_of(url) == host


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


async def test_a_resolver_or_a_server_that_never_answers_is_not_waited_for(monkeypatch):
    async def never(*_: object) -> Sequence[str]:
        await asyncio.Event().wait()
        return ()

    monkeypatch.setattr(rules, "LIMITS", rules.ConnectionLimits(resolve=0.01, connect=0.01))
    with pytest.raises(Retryable, match="the name does not resolve"):
        await Boundary(Egress(resolve=never)).admit("http://silent.example/")
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


INTRANET = """
import asyncio, subprocess, sys, time
from sightread.render.errors import SightreadError
from sightread.render.network.egress import Boundary, Egress

other = subprocess.Popen(["unshare", "-n", sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"], stdout=subprocess.PIPE)
other.stdout.readline()
there = ["nsenter", "-t", str(other.pid), "-n"]
for command in (
    ["ip", "link", "set", "lo", "up"], ["ip", "link", "add", "here", "type", "veth", "peer", "name", "there"],
    ["ip", "link", "set", "there", "netns", str(other.pid)],
    ["ip", "addr", "add", "10.1.0.1/8", "dev", "here"], ["ip", "link", "set", "here", "up"],
    [*there, "ip", "addr", "add", "10.1.0.2/8", "dev", "there"], [*there, "ip", "addr", "add", "10.2.0.2/8", "dev", "there"],
    [*there, "ip", "link", "set", "there", "up"],
):
    subprocess.run(command, check=True)
server = subprocess.Popen([*there, sys.executable, "-c", '''
import socket
server = socket.create_server(("", 8080)); print(flush=True)
while True: server.accept()'''], stdout=subprocess.PIPE)
server.stdout.readline()

async def resolve(host):
    return {"wiki.corp": ("10.2.0.2",), "mixed.corp": ("10.1.0.2", "10.2.0.2"), "own.corp": ("10.1.0.1",)}[host]

async def main():
    for networks in (), ("10.1.0.0/16",), ("wiki.corp", "own.corp"):
        boundary, reached = Boundary(Egress(networks=networks, resolve=resolve)), []
        for host in "10.1.0.2", "10.2.0.2", "10.1.0.1", "127.0.0.1", "wiki.corp", "mixed.corp", "own.corp":
            try:
                (await boundary.connect(host, 8080)).close()
                reached.append(host)
            except SightreadError as error:
                assert type(error).__name__ == "Private", error
        print(*reached, flush=True)

try:
    asyncio.run(main())
finally:
    other.kill(), server.kill()
"""


def test_networks_and_hosts_that_were_named_are_reached_and_nothing_else():
    unshare = ["unshare", "--user", "--map-root-user", "--net"]
    pair = [*unshare, "ip", "link", "add", "here", "type", "veth", "peer", "name", "there"]
    has_tools = all(map(shutil.which, ("ip", "unshare", "nsenter")))
    if not has_tools or subprocess.run(pair, check=False, capture_output=True).returncode:
        pytest.skip("network namespaces cannot be made here")
    ran = subprocess.run([*unshare, sys.executable, "-c", INTRANET], check=True, capture_output=True, text=True, timeout=60)
    assert ran.stdout.splitlines() == ["", "10.1.0.2", "wiki.corp"]


@pytest.mark.parametrize("name", ["10.1.0.0/99", "10.1.0.1/16", "1.2.3", "http://wiki.corp", "", "a b"])
def test_what_is_neither_a_network_nor_a_host_is_refused(name):
    with pytest.raises(Rejected, match="neither a network"):
        Egress(networks=(name,))
