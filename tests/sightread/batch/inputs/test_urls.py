"""Lists of URLs: a registrable domain has one owner."""

import pytest

from sightread.batch.inputs.files import bucket_of, listed_urls, registrable_domain


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.news.example.co.uk/a?b", "example.co.uk"),
        ("http://user@Blog.Example.COM:8080/", "example.com"),
        ("https://project.github.io/x", "project.github.io"),
        ("http://127.0.0.1:9/", "127.0.0.1"),
        ("http://[::1]:9/", "[::1]"),
        ("http://localhost/", "localhost"),
        ("not a URL", ""),
    ],
)
def test_a_domain_is_what_one_owner_registered(url, domain):
    assert registrable_domain(url) == domain


def test_hosts_of_one_domain_are_in_one_bucket():
    urls = [f"https://{host}.example.org/{page}" for host in ("a", "b", "www") for page in range(3)]
    assert len({bucket_of(url, 1000) for url in urls}) == 1


def test_a_list_has_one_url_per_line(tmp_path):
    path = tmp_path / "urls.txt"
    path.write_bytes(b"\xef\xbb\xbfhttps://a.example/\r\n# a comment\n\n  https://b.example/\n")
    assert list(listed_urls(str(path))) == ["https://a.example/", "https://b.example/"]
