"""What a page says of itself in JSON-LD, whatever its shape."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.render.analysis.jsonld import MAX_NODES, Linked, read_linked
from sightread.render.static.parse import read_html


def read(*nodes: object, titles: tuple[str, ...] = ()) -> Linked:
    return read_scripts(*map(json.dumps, nodes), titles=titles)


def read_scripts(*scripts: str, titles: tuple[str, ...] = ()) -> Linked:
    page = read_html("")
    return read_linked(replace(page, json_ld=scripts, titles=titles))


def article(headline: str, **more: object) -> dict[str, object]:
    return {"@type": "NewsArticle", "headline": headline, **more}


@pytest.mark.parametrize(
    "wrap", [lambda node: [node], lambda node: {"@graph": [node]}, lambda node: {"@type": "WebPage", "mainEntity": node}]
)
def test_it_may_stand_in_lists_graphs_and_pages(wrap):
    assert read(wrap(article("Rain"))).title == "Rain"


@pytest.mark.parametrize("name", ["Article", "BlogPosting", "https://schema.org/Report", "Recipe", ["Thing", "NewsArticle"]])
def test_types_that_a_page_may_be_about_are_known_with_and_without_their_vocabulary(name: object):
    assert read({"@type": name, "headline": "Rain"}).title == "Rain"


@pytest.mark.parametrize("name", ["Person", "BreadcrumbList", "ImageObject", "Organization"])
def test_what_only_stands_on_the_page_has_no_say(name: str):
    assert read({"@type": name, "name": "Rain"}).title == ""


def test_of_several_articles_the_one_in_the_pages_titles_counts_and_without_one_none():
    several = [article(name, description=name.upper()) for name in ("sun", "rain", "snow")]
    assert read(*several, titles=("rain | Post",)).description == "RAIN"
    assert read(*several, titles=("Latest",)) == Linked()


@pytest.mark.parametrize("wrapped", ["<!-- {} -->", "// <![CDATA[\n{}\n// ]]>", "<![CDATA[{}]]>"])
def test_a_script_inside_a_comment_is_read(wrapped: str):
    assert read_scripts(wrapped.replace("{}", json.dumps(article("Rain")))).title == "Rain"


@pytest.mark.parametrize("broken", ["", "{", "null", "7", "[" * 100_000, '{"@type": "Article", "headline": {"a": []}}'])
def test_a_broken_script_leaves_the_others_alone(broken: str):
    assert read_scripts(broken, json.dumps(article("Rain")), titles=("Rain",)).title == "Rain"


def test_of_endless_nodes_only_the_first_are_read():
    filler = [{"@type": "Thing"}] * (MAX_NODES - 1)
    assert read([*filler, article("Rain")]).title == "Rain"
    assert read([*filler, {"@type": "Thing"}, article("Rain")]).title == ""


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(("Article", "WebPage", "#a")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("@type", "@id", "@graph", "mainEntity", "headline", "name", "author", "image", "url", "description")), inner
        )
    ),
    max_leaves=12,
)


@given(st.lists(anything, max_size=3), st.lists(st.text(max_size=8), max_size=2))
def test_json_of_any_shape_gives_texts(nodes: list[object], titles: list[str]):
    found = read(*nodes, titles=tuple(titles))
    assert all(isinstance(text, str) for text in (found.title, found.description, found.image, found.site_name, *found.authors))
