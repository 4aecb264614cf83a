"""What is a web address, and what is a public one: the spellings with which others were fooled."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.render.errors import Rejected
from sightread.render.network.address import check_url, host_of, is_own, is_public, shown

PRIVATE_V4 = ("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1", "255.255.255.255")
EMBEDDED = ("::ffff:{}", "::{}", "64:ff9b::{}", "64:ff9b:1::{}", "::ffff:0:{}", "fe80::{}", "fec0::{}", "ff02::{}", "fd00::{}")


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "①②⑦.0.0.1", "127.0.0.1."])
def test_no_spelling_of_loopback_is_taken_for_another_host(host):
    assert check_url(f"http://{host}/").host == "127.0.0.1"


@pytest.mark.parametrize("host", ["0", "0x0", "0.0.0.0"])
def test_no_spelling_of_zero_is_taken_for_another_host(host):
    assert check_url(f"http://{host}/").host == "0.0.0.0"


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


def test_an_address_of_this_machine_is_its_own_wherever_it_is_from():
    assert is_own("127.0.0.1") and not is_own("192.0.2.1")


@given(st.integers(0, 2**32 - 1), st.sampled_from(EMBEDDED))
def test_no_form_that_carries_an_ipv4_address_is_public(number, form):
    assert not is_public(form.format(IPv4Address(number)))


@given(st.integers(0, 2**16 - 1), st.integers(0, 2**32 - 1))
def test_no_6to4_address_is_public(low, number):
    assert not is_public(str(IPv6Address((0x2002 << 112) | (number << 80) | low)))


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_is_public_is_so_for_python_too(address):
    if is_public(str(address)):
        assert ip_address(str(address)).is_global
        assert not address.is_multicast and not address.is_reserved


@pytest.mark.parametrize("text", ["example.com", "", "127.1", "1.2.3.4:80", "[::1]"])
def test_what_is_no_ip_address_is_a_value_error(text):
    with pytest.raises(ValueError, match="not appear to be an IPv4 or IPv6 address"):
        is_public(text)


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


@given(st.text(max_size=400))
def test_an_address_is_reported_in_one_line(text):
    assert len(shown(text).splitlines()) <= 1
    assert len(shown("http://x/" + text * 9)) <= 301


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
