"""Blogs with comments, listings, landing pages: what a page is given holds what its gold text has, and readers write below every post."""

import re

import pytest

from benchmarks.sites.parts import PARTS
from benchmarks.sites.programs.publishing_sites.landing import claims, fill_landing, landing_gold
from benchmarks.sites.programs.publishing_sites.listings import entries, entries_gold
from benchmarks.sites.programs.publishing_sites.python_programs import TEASER, feed_gold
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.programs.publishing_sites.recipes import PUBLISHING_GENERATORS, PUBLISHING_THEMES
from benchmarks.sites.texts.documents import write_documents
from benchmarks.sites.texts.sentences import language_of

LANDING = """<html><head><title>Sample</title><script>1</script></head><body><h1>Sample</h1><h2>Sample</h2>
<div class="info-horizontal"><h5>Sample</h5><p>Sample</p></div>
<div class="features-1"><span class="badge">Sample</span><h3>Sample</h3><p class="lead">Sample</p>
<div class="col-md-4"><h6>Sample</h6><p>Sample</p></div></div></body></html>"""


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("fr"), 25, "seed")


def test_each_generator_has_one_theme_and_a_part():
    assert sorted(theme.generator for theme in PUBLISHING_THEMES) == sorted(PUBLISHING_GENERATORS)
    assert set(PUBLISHING_GENERATORS) <= {name for part in PARTS.values() for name in part}


def test_every_page_of_a_listing_has_entries_with_text(documents):
    for document in documents:
        found = entries(document)
        assert found[0] == (document.title, document.summary)
        assert len(found) > 1
        assert all(title and text for title, text in found)
        assert entries_gold(document).count("\n") == 2 * len(found) - 1


def test_a_teaser_is_no_longer_than_its_program_shows(documents):
    assert max(len(line) for document in documents for line in feed_gold(document).split("\n")) <= TEASER + 2


def test_three_to_eight_readers_write_below_a_post(documents):
    counts = {len(comments_on(documents, number)) for number in range(len(documents))}
    assert counts == {3, 4, 5, 6, 7, 8}
    assert all(text != documents[0].summary for _, _, text in comments_on(documents, 0))


def test_a_landing_page_shows_its_gold_text_and_nothing_of_the_sample(documents):
    for document in documents:
        text = fill_landing(LANDING, document)
        words = re.sub(r"<[^>]*>", " ", text.partition("<body>")[2])
        assert "Sample" not in text
        assert not set(re.findall(r"\w+", landing_gold(document))) - set(re.findall(r"\w+", words))
        assert text.count("info-horizontal") == len(claims(document)[0])
