"""Late content from the command line: what a page is waited for, and what is done on it first."""

import pytest

from sightread.cli.options.visit_options import read_action
from sightread.render.errors import Rejected
from sightread.render.visit.actions import Click, Press, ScrollTo, TypeText, WaitFor
from tests.pages.stories import ARTICLE

LONG = "<p>The towns along the river keep their markets, and the markets keep the towns.</p>" * 30


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click #more a", Click("#more a")),
        ("type input[name=q] 'river towns'", TypeText("input[name=q]", "river towns")),
        ("press Control+A", Press("Control+A")),
        ("scroll", ScrollTo("bottom")),
        ("scroll 900", ScrollTo(900)),
        ("scroll #last", ScrollTo("#last")),
        ("wait 1.5", WaitFor(1.5)),
        ("wait text=Showing 20 of", WaitFor("text=Showing 20 of")),
    ],
)
def test_an_action_is_a_verb_and_what_it_is_done_to(text, action):
    assert read_action(text) == action


@pytest.mark.parametrize("text", ["", "click", "klick #more", "type #q", "type #q two words", "type #q 'two", "press", "wait"])
def test_anything_else_is_refused_with_an_example(text):
    with pytest.raises(Rejected, match=r"--action .*: give "):
        read_action(text)


def test_a_page_is_acted_on_and_waited_for(sightread, serve):
    late = "document.querySelector('main').innerHTML += '<p id=late>At last they came home, and the market was open again.'"
    script = f"<script>more.onclick = () => setTimeout(() => {{ {late} }}, 900)</script>"
    site = serve({"/": f"<title>Markets</title><button id=more>More</button><main><h1>Markets</h1>{LONG}</main>{script}"})
    ran = sightread("extract", site.url(), "--action", "click #more", "--wait-for", "#late", "--model", "boilerpipe", "--format", "text")
    assert "At last they came home" in ran.out
    ran = sightread("extract", site.url(), "--wait-for", "#never", "--deadline", 4, "--model", "boilerpipe")
    assert (ran.code, ran.out) == (6, "")
    assert ran.complaint.startswith(f"{site.url()}: --wait-for '#never' was not met within 3 s: check it, or give a longer deadline")
    ran = sightread("extract", site.url(), "--action", "click ##", "--model", "boilerpipe")
    assert (ran.code, ran.complaint) == (2, "--action is '##', no CSS selector: correct it")


def test_a_stored_page_is_not_waited_for(sightread):
    ran = sightread("extract", "-", "--wait-for", ".late", typed=ARTICLE.encode())
    assert (ran.code, ran.complaint) == (
        2,
        "--wait-for, --min-wait and --action are for pages that are opened by their URL: leave them out",
    )
