"""The rules that say what the articles of the authors' sites are."""

from benchmarks.datasets.references import REFERENCES, reference_labels
from benchmarks.datasets.spider import SITES
from sightread.render.static.parse import read_html


def test_every_site_has_rules():
    assert tuple(REFERENCES) == SITES


def test_a_block_of_the_articles_container_is_content_but_for_the_boilerplate_in_it():
    page = read_html("""<div id=storytext><p>Text<div class=internallink><h3>Another story</h3></div></div>
        <div class=storytitle><h1>Title</h1></div><p>Footer""")
    labelled = dict(zip((block.text for block in page.blocks), reference_labels("npr", page).tolist(), strict=True))
    assert labelled == {"Text": 1, "Another story": 0, "Title": 1, "Footer": 0}
