import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.crawler.urls import is_loopback, normalize, origin_of, parse_start_url, site_of, url_key
from sightread.render.errors import Rejected

_SEGMENT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
_ADDRESSES = st.builds(
    lambda scheme, host, port, path, query: f"{scheme}://{host}{port}/{'/'.join(path)}{query}",
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["example.com", "WWW.Example.com", "münchen.de", "127.0.0.1", "[::1]", "example.com."]),
    st.sampled_from(["", ":80", ":443", ":8080"]),
    st.lists(_SEGMENT, max_size=3),
    st.one_of(st.just(""), st.builds("?{}".format, _SEGMENT), st.builds("?a={}&utm_source=x&b={}#c".format, _SEGMENT, _SEGMENT)),
)


@settings(deadline=None)  # a busy machine must not fail a property
@given(_ADDRESSES)
def test_a_normal_url_is_its_own_normal_form(url):
    normal = normalize(url)
    assert normal is None or normalize(normal) == normal


@settings(deadline=None)  # a busy machine must not fail a property
@given(_ADDRESSES)
def test_every_normal_url_has_a_site_an_origin_and_a_key(url):
    normal = normalize(url)
    if normal is not None:
        assert normal.startswith(origin_of(normal))
        assert url_key(normal).startswith(site_of(normal))


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTPS://Example.COM:443/a#part", "https://example.com/a"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com:8080/a/../b", "http://example.com:8080/b"),
        ("https://example.com/a?utm_source=x&id=7&fbclid=y&gclid=z", "https://example.com/a?id=7"),
        ("https://example.com/a?b=2&a=1", "https://example.com/a?b=2&a=1"),
        ("https://example.com/新闻", "https://example.com/%E6%96%B0%E9%97%BB"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("mailto:a@example.com", None),
        ("javascript:void(0)", None),
        ("https://user:secret@example.com/", None),
        ("https://example.com\\@127.0.0.1/", None),
        ("https://example.com:99999/", None),
        ("https:///path", None),
        ("https://example.com/" + "a" * 2000, None),
    ],
)
def test_the_url_that_is_visited_keeps_what_the_site_wrote(url, normal):
    assert normalize(url) == normal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://www.example.com/a", "https://example.com/a"),
        ("https://example.com/a?b=2&a=1", "https://example.com/a?a=1&b=2"),
    ],
)
def test_two_addresses_of_one_page_have_one_key(one, other):
    assert url_key(one) == url_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a", "https://example.com/a/"),
        ("https://example.com/a?s=1&s=2", "https://example.com/a?s=2&s=1"),
        ("https://example.com/a", "https://example.com:8443/a"),
        ("https://example.com/a", "https://news.example.com/a"),
    ],
)
def test_what_may_be_two_pages_has_two_keys(one, other):
    assert url_key(one) != url_key(other)


@pytest.mark.parametrize(
    ("typed", "url", "assumed"),
    [
        ("https://example.com/news", "https://example.com/news", ""),
        (" example.com ", "https://example.com/", "no scheme given: https assumed"),
        ("example.com:8080/a", "https://example.com:8080/a", "no scheme given: https assumed"),
        ("localhost:8000", "http://localhost:8000/", "no scheme given: http assumed"),
        ("127.0.0.1:8000/x", "http://127.0.0.1:8000/x", "no scheme given: http assumed"),
    ],
)
def test_a_start_url_states_what_was_assumed(typed, url, assumed):
    assert parse_start_url(typed) == (url, assumed)


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "empty"),
        ("ftp://example.com", "only http and https"),
        ("mailto:someone@example.com", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("http:example.com", "only http and https"),
        ("https://me:secret@example.com", "user name or password"),
        ("https://example.com\\@10.0.0.1", "backslash"),
        ("https://exa mple.com", "space"),
        ("https://example.com/\x00", "control character"),
        ("https://", "check its spelling"),
        ("https://example.com:99999", "check its spelling"),
    ],
)
def test_a_start_url_that_cannot_be_used_is_rejected_with_the_reason(typed, complaint):
    with pytest.raises(Rejected, match=complaint) as caught:
        parse_start_url(typed)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost/", True),
        ("http://127.8.9.1/", True),
        ("http://[::1]:80/", True),
        ("http://10.0.0.1/", False),
        ("https://a.b", False),
    ],
)
def test_loopback_is_this_machine_only(url, expected):
    assert is_loopback(url) is expected
