"""The collapsed DOM: what is merged, what is a leaf, and that a page gives what its HTML gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify.neural.web2text.tree import TAGS, CollapsedTree, derive_tree
from sightread.render.errors import Unusable
from sightread.render.page import Block, Element, Page
from sightread.render.static.parse import read_html
from tests.pages.web2text_html import read_tree

ARTICLE = """
<body>
  <div class="story"><h1>Header</h1><div></div>
    <p>Paragraph with an <em>italic</em> section.<br>Next <a href="/">link <strong>bold</strong></a></p>
  </div>
  <ul><li><a href="/one">One</a></li><li>Two <input></li></ul>
</body>
"""


def tags(tree: CollapsedTree, row: int) -> set[str]:
    return {tag for place, tag in enumerate(TAGS) if tree.tags[row] >> place & 1}


def outline(tree: CollapsedTree, row: int = 0) -> list[object]:
    """The tree as nested lists of its leaves' texts."""
    if row in tree.leaves:
        return [tree.texts[int(tree.first[row])]]
    return [outline(tree, child) for child in range(len(tree.parent)) if tree.parent[child] == row]


def test_the_example_of_the_authors_collapses_as_in_their_introduction() -> None:
    tree = read_tree("<body><h1>Header</h1><p>Paragraph with an <i>Italic</i> section.</p></body>")
    assert outline(tree) == [["Header"], [["Paragraph with an"], ["Italic"], ["section."]]]
    assert [tags(tree, row) for row in range(6)] == [{"body"}, {"h1"}, {"p"}, set(), {"i"}, set()]


def test_a_chain_of_only_children_is_one_node_with_all_their_tags() -> None:
    tree = read_tree("<body><table><tr><td><div><b>Alone</b></div></td></tr></table></body>")
    assert list(tree.parent) == [-1]
    assert tags(tree, 0) == {"body", "table", "tr", "td", "div", "b"}


def test_elements_without_text_are_left_out() -> None:
    with_empty = read_tree("<body><div><p></p><img src=x></div><div> &nbsp; </div><p>One</p><p>Two</p></body>")
    assert outline(with_empty) == outline(read_tree("<body><p>One</p><p>Two</p></body>"))


def test_what_shows_no_text_is_no_leaf() -> None:
    unseen = "<script>a()</script><style>p{}</style><noscript>No</noscript><!-- no --><select><option>No</select><textarea>No</textarea>"
    assert read_tree(f"<body>Text{unseen}").texts == ("Text",)


def test_lines_break_at_blocks_and_rules_and_not_in_a_paragraph() -> None:
    tree = read_tree(ARTICLE)
    assert tree.texts == ("Header", "Paragraph with an", "italic", "section.", "Next", "link", "bold", "One", "Two")
    assert list(tree.breaks) == [True, True, False, False, True, False, False, True, True]
    assert list(tree.linked) == [False, False, False, False, False, True, True, True, False]


def test_a_form_field_marks_all_that_it_stands_in() -> None:
    tree = read_tree(ARTICLE)
    marked = {row for row in range(len(tree.parent)) if tree.has_input[row]}
    two = int(tree.leaves[-1])
    assert marked == {two, int(tree.parent[two]), 0}


def test_equal_paths_of_tags_and_classes_share_a_number() -> None:
    tree = read_tree("<body><p class=a>1</p><p class=b>2</p><p class=a>3</p><div class=a>4</div></body>")
    assert tree.paths[0] == tree.paths[2]
    assert len(set(tree.paths.tolist())) == 3


def test_a_page_gives_the_tree_of_its_html() -> None:
    html = ARTICLE.replace("<input>", "")
    of_page, of_html = derive_tree(read_html(html, "http://a.example/")).tree, read_tree(html)
    assert outline(of_page) == outline(of_html)
    assert [tags(of_page, row) for row in range(14)] == [tags(of_html, row) for row in range(14)]
    assert list(of_page.breaks) == list(of_html.breaks)
    assert list(of_page.linked) == list(of_html.linked)


def test_each_leaf_of_a_page_knows_its_block() -> None:
    page = read_html(ARTICLE, "http://a.example/")
    tree, blocks = derive_tree(page)
    assert len(blocks) == len(tree.texts)
    assert set(blocks.tolist()) == set(range(len(page.blocks)))
    assert all(text in page.blocks[row].text for text, row in zip(tree.texts, blocks.tolist(), strict=True))


def test_preformatted_text_is_one_leaf() -> None:
    assert derive_tree(read_html("<pre>one\ntwo\n\nthree</pre>", "http://a.example/")).tree.texts == ("one two three",)


def test_blocks_in_another_order_than_their_elements_open_new_nodes() -> None:
    elements = (Element("body", -1), Element("div", 0), Element("div", 0))
    blocks = (Block("One", 1), Block("Two", 2), Block("Three", 1))
    tree, owners = derive_tree(Page("", "", "imported", elements, blocks))
    assert list(tree.parent) == [-1, 0, 0, 0]
    assert list(owners) == [0, 1, 2]


@pytest.mark.parametrize("html", ["", "<body></body>", "<p> </p>", "<script>a</script>"])
def test_a_document_without_text_has_no_nodes(html: str) -> None:
    tree = read_tree(html)
    assert len(tree.parent) == len(tree.leaves) == len(tree.texts) == 0


def test_binary_data_is_refused() -> None:
    with pytest.raises(Unusable, match="binary"):
        read_tree(b"%PDF-1.7 \x00\x01")


def test_depth_and_length_are_survived() -> None:
    deep = read_tree("<div>" * 30_000 + "deep" + "</div>" * 30_000)
    assert deep.texts == ("deep",)
    assert len(read_tree("<p>word</p>" * 60_000).texts) == 50_000  # a node each for the element and its text, and NODE_CAP of them


MARKUP = st.recursive(
    st.sampled_from(["word ", "more <br>", " ", "<hr>", "<input>"]),
    lambda inner: st.tuples(st.sampled_from(("div", "p", "span", "a", "b", "ul", "td", "section")), st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=20,
)


@settings(max_examples=60)
@given(MARKUP)
def test_every_tree_is_sound(html: str) -> None:
    tree = read_tree(html)
    count = len(tree.texts)
    for row in range(1, len(tree.parent)):
        above = int(tree.parent[row])
        assert above < row
        assert tree.first[above] <= tree.first[row] < tree.stop[row] <= tree.stop[above]
        assert sum(tree.parent == above) > 1
    assert list(tree.first[tree.leaves]) == list(range(count))
    assert list(tree.stop[tree.leaves]) == list(range(1, count + 1))
    assert sorted(tree.leaves.tolist()) == tree.leaves.tolist()
