"""A web of twenty sites on addresses of this machine, each with another difficulty; its log is the judge of a crawl.

Run as a program: `python -m benchmarks.experiments.crawling.local_web PORT PAGES LOG`. Each site has `PAGES` articles.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sys
import time
from calendar import month_name
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

KINDS = (
    *("plain", "disallow", "delay", "no-robots", "allow", "long-robots", "packed-sitemap", "slow", "failing", "huge", "mislabelled"),
    *("redirects", "duplicates", "calendar", "sessions", "parameters", "paths", "gone", "next", "print"),
)
LIST = 100
"""Articles of a list, of which the sitemap alone names the fourth, and the feed alone the eighth."""
SPECIAL = 50
"""Of as many articles one has the difficulty of the site."""
DELAY = 0.05
"""Seconds between two requests of the site `delay`."""
TRAPS = {"calendar": "/calendar", "sessions": "/shop", "parameters": "/find", "paths": "/a/"}
CHANGED, GONE, NEW, REDESIGNED = 50, 20, 30, 100
"""Pages of the second generation."""
LATER = "next-generation"
_WORDS = [
    f"{start}{end}"
    for start in ("har", "fer", "ti", "coun", "brid", "mar", "win", "lan", "bo")
    for end in ("bour", "ry", "de", "cil", "ge")
]


class Answer(NamedTuple):
    """An HTTP answer."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    """Before it is sent."""


def page(title: str, text: str, links: str = "", head: str = "") -> Answer:
    """Return a page."""
    start = f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head>"
    return Answer(200, f"{start}<body><nav>{links}</nav><main><h1>{title}</h1>{text}</main>".encode())


def links_to(*paths: str) -> str:
    """Return links."""
    return "".join(f'<li><a href="{path}">More of {path}</a></li>' for path in paths)


class Site:
    """One site: the answers to its paths."""

    def __init__(self, number: int, port: int, pages: int) -> None:
        self.kind, self.host, self.pages = KINDS[number], f"127.0.1.{number + 1}", pages
        self.root, self.port = f"http://{self.host}:{port}", port
        self.generation = 0
        self.requests: dict[str, int] = {}

    def path(self, number: int) -> str:
        """Return the path of an article."""
        folder = "private" if self.kind in ("disallow", "allow") and number % 20 == 0 else "story"
        return f"/{folder}/{number}-{_WORDS[number % len(_WORDS)]}"

    def expected(self) -> set[str]:
        """Return the paths that a crawl must read, each once."""
        lists = set() if self.kind == "next" else {f"/list/{number}" for number in range(0, self.pages, LIST)}
        articles, special = set(map(self.path, range(self.pages))), range(0, self.pages, SPECIAL)
        if self.kind in ("gone", "huge", "mislabelled", "redirects"):
            articles -= set(map(self.path, special))
        articles |= {f"/moved/{number}" for number in special if self.kind == "redirects"}
        articles |= {f"{self.path(number)}?print=1" for number in special if self.kind == "print"}
        return {"/", *lists, *(path for path in articles if not path.startswith("/private"))}

    def text(self, number: int) -> str:
        """Return the text of a page."""
        chance = random.Random(f"{self.root} {number} {self.generation == 1 and 0 <= number < CHANGED}")
        return "".join(f"<p>{' '.join(chance.choices(_WORDS, k=40)).capitalize()}.</p>" for _ in range(4))

    def article(self, number: int) -> Answer:
        """Return an article."""
        head, links = "", links_to(self.path((number * 7 + 3) % self.pages), *filter(None, [TRAPS.get(self.kind)]))
        if self.generation and CHANGED + GONE <= number < CHANGED + GONE + REDESIGNED:
            links += links_to("/?from=another-design")
        if self.kind == "next":
            head, links = f'<link rel=next href="{self.path(number + 1)}">' if number + 1 < self.pages else "", ""
        if self.kind == "print" and number % SPECIAL == 0:
            head, links = f'<link rel=canonical href="{self.path(number)}">', links + links_to(f"{self.path(number)}?print=1")
        if self.kind == "duplicates":
            head = "<link rel=canonical href=/>"
        return page(f"Story {number}", self.text(number), links, head)

    def special(self, number: int, requests: int) -> Answer:
        """Return an article with the difficulty of the site."""
        match self.kind:
            case "slow":
                return self.article(number)._replace(seconds=0.5)
            case "failing" if requests < 2:
                return Answer(503, headers=(("Retry-After", "1"),)) if requests else Answer(500)
            case "huge":
                return Answer(200, b"x" * 25_000_000)
            case "mislabelled":
                return Answer(200, b"%PDF-1.7\x00\x01\x02") if number % 100 else Answer(200, b"{}", (("Content-Type", "application/json"),))
            case "redirects":
                return Answer(301, headers=(("Location", f"/hop/{number}"),))
            case "gone":
                return Answer(404 if number % 100 else 410)
        return self.article(number)

    def answer(self, target: str) -> Answer:
        """Return the answer to a target."""
        requests = self.requests[target] = self.requests.get(target, -1) + 1
        path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
        name, _, rest = path[1:].partition("/")
        number = int(digits) if (digits := rest.partition("-")[0]).isdigit() else 0
        match name:
            case "":
                lists = [self.path(0)] if self.kind == "next" else [f"/list/{each}" for each in range(0, self.pages, LIST)]
                return page(
                    f"Site {self.kind}", self.text(-1), links_to(*lists), "<link rel=alternate type=application/rss+xml href=/feed>"
                )
            case "list":
                named = range(number, min(number + LIST, self.pages))
                return page(
                    f"List {number}", self.text(-2 - number), links_to(*(self.path(each) for each in named if each % LIST not in (3, 7)))
                )
            case "story" | "private" if self.generation and CHANGED <= number < CHANGED + GONE:
                return Answer(410)
            case "story" | "private" if number < self.pages + NEW * self.generation:
                return self.special(number, requests) if number % SPECIAL == 0 else self.article(number)
            case "hop":
                return Answer(302, headers=(("Location", f"/moved/{number}"),))
            case "moved":
                return self.article(number)
            case "calendar":
                month = int(query.get("month", ["0"])[0])
                days = "".join(f"<td>{day}" for day in range(1, 29 + month % 4))
                turns = links_to(f"/calendar?month={month + 1}", f"/calendar?month={month - 1}")
                return page(f"{month_name[month % 12 + 1]} {2020 + month // 12}", f"<p>No events</p><table><tr>{days}</table>", turns)
            case "shop" | "find" | "a":
                serial = random.Random(f"{target} {requests}").getrandbits(48)
                shop = (f"/shop?visit={serial:x}", f"/shop/cart?visit={serial:x}")
                find = (f"{target}{'&' if '?' in target else '?'}f{serial % 1000}={serial % 7}", f"/find?sort={serial}")
                return page("Our offers", self.text(-1000), links_to(*{"shop": shop, "find": find}.get(name, (f"{path}a/", f"{path}b/"))))
        return self.file(name)

    def file(self, name: str) -> Answer:
        """Return robots.txt, the sitemap, the feed, or that there is no such file."""
        rules = {"disallow": "Disallow: /private/", "allow": "Disallow: /*\nAllow: /$\nAllow: /list/\nAllow: /story/"}
        rules |= {"delay": f"Crawl-delay: {DELAY}", "long-robots": "".join(f"Disallow: /secret{each}*x\n" for each in range(5000))}
        further = range(self.pages, self.pages + NEW * self.generation)
        match name:
            case "robots.txt" if self.kind != "no-robots":
                return Answer(200, f"User-agent: *\n{rules.get(self.kind, '')}\n".encode())
            case "sitemap.xml" if self.kind != "next":
                named = [*range(3, self.pages, LIST), *further]
                body = f"<urlset>{''.join(f'<url><loc>{self.root}{self.path(each)}</loc></url>' for each in named)}</urlset>".encode()
                return Answer(200, gzip.compress(body) if self.kind == "packed-sitemap" else body)
            case "feed":
                items = "".join(f"<item><link>{self.root}{self.path(each)}</link></item>" for each in range(7, self.pages, LIST))
                return Answer(200, f"<rss><channel>{items}</channel></rss>".encode())
        return Answer(404, b"<p>Not found")


async def serve(port: int, pages: int, log: Path) -> None:
    """Serve all sites until the process is ended; a request for `/next-generation` changes its site."""
    sites = {site.host: site for site in (Site(number, port, pages) for number in range(len(KINDS)))}
    written = log.open("a", buffering=1)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                target, began, site = first.split(" ")[1], time.time(), sites[fields["host"].partition(":")[0]]
                site.generation |= target == f"/{LATER}"
                answer = site.answer(target)
                await asyncio.sleep(answer.seconds)
                tag = f'"{hash(answer.body[:100_000])}"'
                if answer.status == 200 and fields.get("if-none-match") == tag:
                    answer = Answer(304)
                sent = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(answer.body)), "ETag": tag} | dict(
                    answer.headers
                )
                head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
                writer.write(f"HTTP/1.1 {answer.status} x\r\n{head}\r\n".encode() + answer.body)
                await writer.drain()
                written.write(json.dumps([began, site.host, target, answer.status, len(answer.body)]) + "\n")
        writer.close()

    async with await asyncio.start_server(handle, "0.0.0.0", port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
