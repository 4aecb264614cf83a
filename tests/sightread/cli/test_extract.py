"""`sightread extract`: from a URL, a file or standard input, with a browser and without."""

import pytest

from sightread.data.demo import HELD_OUT
from sightread.models.model_choice import NO_STUDENT

ARTICLE = """<!doctype html><html lang="en"><title>The night ferry</title><body><nav><a href="/">Home</a></nav>
<article><h1>The night ferry</h1>
<p>It has carried shift workers across the estuary every night for ninety years, and now it runs half empty most of the time.</p>
<p>The council says that <a href="/budget">the budget</a> allows for two more winters, and that nobody has asked for a third one.</p>
</article></body></html>"""
FIRST = "It has carried shift workers across the estuary every night for ninety years, and now it runs half empty most of the time."
ADDRESS = "https://courier.example/ferry"
UNKNOWN = "global read the page: courier.example was never learned (sightread learn)"


@pytest.fixture
def article(tmp_path):
    path = tmp_path / "ferry.html"
    path.write_text(ARTICLE)
    return path


def test_a_file_in_every_format(sightread, article):
    read = ("extract", article, "--url", ADDRESS, "--static")
    ran = {name: sightread(*read, "--format", name) for name in ("markdown", "text", "html", "json", "tei")}
    assert [(result.code, result.messages) for result in ran.values()] == [(0, [UNKNOWN])] * 5
    assert ran["tei"].out.startswith('<?xml version="1.0"') and f"<p>{FIRST}</p>" in ran["tei"].out
    assert FIRST in ran["markdown"].out.splitlines()
    assert "[the budget](https://courier.example/budget)" in ran["markdown"].out
    assert FIRST in ran["text"].out.splitlines() and "](" not in ran["text"].out
    assert ran["html"].out.startswith("<article") and f"<p>{FIRST}</p>" in ran["html"].out
    record = ran["json"].json()
    assert sightread(*read, "--json").out == ran["json"].out
    assert (record["model"], record["url"], record["schema"]) == ("global", ADDRESS, 1)
    assert record["markdown"].rstrip("\n") + "\n" == ran["markdown"].out
    assert next(block["text"] for block in record["blocks"] if block["kind"] == "paragraph") == FIRST
    assert all(result.out.endswith("\n") and "Home" not in result.out for result in ran.values())


@pytest.mark.parametrize("how", [(), ("--static",)], ids=["rendered", "static"])
def test_a_file_has_boxes_where_a_browser_rendered_it(sightread, article, how):
    record = sightread("extract", article, "--url", ADDRESS, "--format", "json", *how).json()
    assert FIRST in record["text"]
    assert [block["box"] is None for block in record["blocks"]] == [bool(how)] * len(record["blocks"])


def test_standard_input_is_read_for_a_dash(sightread, article):
    ran = sightread("extract", "-", "--static", "--format", "text", typed=ARTICLE.encode())
    assert (ran.code, FIRST in ran.out) == (0, True)
    assert ran.messages == ["global read the page: without a URL its site is not known"]


def test_a_page_of_a_learned_site_live_or_saved_is_read_with_its_model_but_not_without_a_browser(sightread, demo, tmp_path, monkeypatch):
    monkeypatch.setenv("SIGHTREAD_HOME", str(demo.home))
    url, saved = demo.site.url(HELD_OUT[0]), tmp_path / "saved.html"
    ran = sightread("extract", url, "--format", "json")
    assert (ran.code, ran.err, ran.json()["model"]) == (0, "", "site")
    saved.write_bytes(demo.site.pages[HELD_OUT[0]][2])
    ran = sightread("extract", saved, "--url", url, "--format", "json")
    assert (ran.code, ran.json()["model"], ran.json()["url"]) == (0, "site", url)
    ran = sightread("extract", saved, "--url", url, "--static", "--format", "json")
    assert (ran.code, ran.json()["model"]) == (0, "global")
    assert ran.messages == [f"global read the page: {NO_STUDENT.message}"]


def test_a_page_of_an_unknown_site_is_read_with_the_global_model_and_the_reason_is_reported(sightread, serve):
    site = serve({"/ferry": ARTICLE})
    ran = sightread("extract", site.url("/ferry"))
    assert (ran.code, FIRST in ran.out) == (0, True)
    key = site.root.removeprefix("http://")
    assert ran.messages == [f"global read the page: {key} was never learned (sightread learn)"]


def test_the_site_model_of_an_unknown_site_is_refused(sightread, article):
    ran = sightread("extract", article, "--url", "https://courier.example/ferry", "--model", "site", "--static")
    assert ran.failed(2) == "no site model for https://courier.example/ferry: courier.example was never learned (sightread learn)"


def test_output_goes_into_a_file_whose_folder_is_made(sightread, article, tmp_path):
    path = tmp_path / "new" / "ferry.md"
    ran = sightread("extract", article, "--static", "--output", path, "--model", "boilerpipe")
    assert ran == (0, "", "")
    assert path.read_text() == sightread("extract", article, "--static", "--model", "boilerpipe").out


def test_a_page_on_which_nothing_is_kept_gives_nothing_and_states_so(sightread, tmp_path):
    (tmp_path / "short.html").write_text("<p>Short")
    ran = sightread("extract", tmp_path / "short.html", "--static", "--model", "boilerpipe")
    assert (ran.code, ran.out) == (0, "")
    assert ran.messages == ["no block reaches a probability of 0.5 (the highest is 0.00)"]


def test_what_was_left_out_is_reported_where_it_is_requested(sightread, article):
    ran = sightread("extract", article, "--static", "--url", ADDRESS, "--explain")
    assert "left out: " in ran.err and "Home" in ran.err and "Home" not in ran.out
    record = sightread("extract", article, "--static", "--json", "--explain", "--with", "posts", "--with", "attributes").json()
    assert [each["reason"] for each in record["left_out"] if each["text"] == "Home"] == ["low probability"]
    assert (record["posts"], record["attributes"]) == ([], [])


def test_what_nobody_wants_is_left_out_and_reported(sightread, tmp_path):
    message = "The ferry that has crossed the sound for ninety years makes its last trip on Sunday, and the whole town is invited. "
    posts = "".join(
        f"<div class=comment><a href=/members/{who}>{who}</a> <time datetime=2024-05-01>May</time><p>Comment: {message}</div>"
        for who in ("ana", "bo")
    )
    (tmp_path / "page.html").write_text(f"<article><h1>Ferry</h1><p>{message * 6}<a href=/x>Tickets</a></article>{posts}")
    read = ("extract", tmp_path / "page.html", "--static", "--model", "bte", "--url", "https://courier.example/news/ferry")
    assert sightread(*read).out.count("Comment: ") == 2
    ran = sightread(*read, "--without", "comments", "--without", "links", "--explain")
    assert "Comment: " not in ran.out and "](" not in ran.out and "Tickets" in ran.out
    assert "unwanted" in ran.err
    assert "nothing is called 'ads'; there are comments, tables, images, links" in sightread(*read, "--without", "ads").complaint
