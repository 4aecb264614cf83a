"""A small site of any number of articles, alike in look and different in text; and bodies that are no page."""

from __future__ import annotations

from collections.abc import Callable

from sightread.data.demo import ODD_PAGES, build_site
from tests.pages.websites import Answer

NOWHERE = "http://courier.invalid/"
PDF = (200, "application/pdf", build_site()[ODD_PAGES["pdf"]].body)
ARTICLE = (
    "<title>Ferry</title><p>It has carried shift workers across the estuary for ninety years, "
    "and by now it runs half empty most of the time.</p>"
)


def stories(number: int, head: Callable[[str], str]) -> dict[str, Answer]:
    """A site of a list and `number` articles; `head` makes the head of each."""
    towns = ("Aldmoor", "Breck", "Carrow", "Dunlin", "Elver", "Fenwick", "Garle", "Hythe")
    trades = ("coopers", "glaziers", "weavers", "farriers", "chandlers", "tanners", "thatchers", "millers")
    pages: dict[str, Answer] = {
        "/": "<nav><a href='/'>Home</a></nav>" + "".join(f"<p><a href='/story/{n}'>{towns[n]} looks back</a></p>" for n in range(number))
    }
    for n in range(number):
        town, trade = towns[n], trades[n]
        pages[f"/story/{n}"] = f"""<!doctype html><html lang="en"><head>{head(town)}<style>
            nav {{ font: 12px sans-serif }} main {{ width: 640px; font: 18px serif }} footer {{ color: #777 }}</style></head>
            <body><nav><a href="/">Home</a></nav><main><h1>{town} looks back</h1>
            <p>The {trade} of {town} kept a ledger for {n + 3} hundred years, and it came to light under a stair this spring.</p>
            <p>It names {n * 17 + 40} masters, their apprentices, and what each was fined for when work in {town} was done badly.</p>
            <p>Where the {trade} have their yard today, half of {town} came to see it, and some found their own names.</p></main>
            <footer>All rights are reserved, and letters are welcome at the office on the quay.</footer></body></html>"""
    return pages
