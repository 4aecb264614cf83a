"""Regular expressions over paths as the crawler's patterns."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.crawler.urls import Scope
from sightread.render.errors import Rejected
from sightread.server.compat.firecrawl.scrape_options import path_patterns

HOST = "https://paper.example"


def takes(patterns: tuple[str, ...], path: str) -> bool:
    return Scope(include=patterns).includes(HOST + path)


@pytest.mark.parametrize(
    ("expression", "patterns"),
    [
        ("blog/.*", ("*blog/*",)),
        ("^/blog/.+$", ("/blog/*",)),
        (r"/\d{4}/.*\.html$", ("*/*/*.html",)),
        ("^/(news|sport)/", ("/news/*", "/sport/*")),
        ("/a(?:/b)?$", ("*/a", "*/a/b")),
        ("", ("*",)),
    ],
)
def test_an_expression_becomes_patterns(expression, patterns):
    assert path_patterns("includePaths", [expression]) == patterns


LITERAL = st.text(alphabet="abz/-_0", min_size=1, max_size=6)
PART = LITERAL | st.sampled_from([".*", ".+", "[a-z]+", r"\d*", "a|b", "(news|blog)", "x?"])


@given(st.lists(PART, min_size=1, max_size=5).map("".join), LITERAL.map("/".__add__))
def test_what_an_expression_finds_its_patterns_take(expression, path):
    if re.search(expression, path):
        assert takes(path_patterns("includePaths", [expression]), path)


@pytest.mark.parametrize("expression", ["(?!admin)", "a(b", "[a", r"\bblog", "*a", "a{2", "a^b", "(" * 12 + ")" * 12, "(a|b)" * 8])
def test_what_has_no_equivalent_is_refused(expression):
    with pytest.raises(Rejected, match=r"includePaths: .* has no equivalent here"):
        path_patterns("includePaths", [expression])


def test_a_pattern_of_whole_addresses():
    assert path_patterns("excludePaths", ["^https://paper.example/x/", "paper.example/y"], full_url=True) == (
        "https://paper*example/x/*",
        "*://*paper*example/y*",
    )
