"""Real pages, damaged at random: only the project's own errors are raised, and every output format is written.

Each page is a page of the data sets with up to three mutations, all drawn from the seed: the same command makes the same pages.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from types import FrameType
from typing import NamedTuple

import sightread
from benchmarks.commands import Command, add_out, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import find_sets, read_samples
from sightread.document.document import Document
from sightread.document.formats import format_names, write_document
from sightread.render.errors import SightreadError, Unusable

LONGEST = 30.0
"""Seconds for one page, after which it counts as hanging."""
MOST = 3
"""Mutations of one page."""
CHUNK = 20
URL = "https://site.example/section/page.html"

JUNK = (
    "<svg>",
    "<math>",
    "<template>",
    "<table><tr><td>",
    "</p></div>",
    "<!--",
    "<![CDATA[",
    "<plaintext>",
    "<frameset>",
    "<select><option>",
    "<svg><a xlink:href='/x'><text>x</text></a><area xlink:href='y'/><foreignObject><p>z",
    "<math><mi><a href='/z'>q</a><mtext><h1>t",
    "<pre><code class='language-\ud83d\ude00'>",
    "<td colspan=1e16 rowspan=-1>",
    "<ol start=99999999999999999999>",
    "<li value=-1>",
    "<a href='http://[::1'>x</a>",
    "<a href='//'>x</a>",
    "<a href='\\\\\\\\x\x01'>x</a>",
    "<img srcset=', ,1x 2w,'>",
    "<base href='x:y'>",
    "<time datetime='2024-05-01T00:00:00+99:99'>May</time>",
    "<i>2024 0:0+24</i>",
    "<p class=date>99.99.9999 25:61",
    "<p>by 2024-13-45T",
    "\u202e",
    "\u2067",
    "\u2069",
    "\ufeff",
    "\x0b",
    "\x1b[31m",
    "&#xD800;",
    "&#0;",
    "&#x110000;",
    "&CounterClockwiseContourIntegral;",
    "\ufffe",
    r'<script type="application/ld+json">{"@type":["Article"],"headline":"\ud800 x","datePublished":"2024-02-30T25:00+24:00"}</script>',
    '<script type="application/ld+json">[[[[{"@graph":{"@type":{"a":1},"author":[[{"name":7}]],"image":{"url":["\\u0000"]}}}]]]]</script>',
    '<meta property="article:published_time" content="0000-00-00T00:00:00+24:00"><meta name="date" content="1e999">',
    "<h1 role=heading aria-level=99999999999>",
    "<div hidden style='display:none'>",
    "<details><summary>",
    "<dl><dd><dt><dd>",
    "<blockquote>" * 50,
    "<div>" * 600,
    "<b><i><a href=/><b>" * 20,
    "$$ \\frac{",
    "<span class='math'>\\(",
    "<sup><a href='#fn1'>1</a></sup><li id=fn1>",
)
"""Mutations of pages."""
DECLARED = (b"utf-7", b"utf-16", b"gbk", b"shift_jis", b"iso-2022-jp", b"x-user-defined", b"koi8-r", b"big5", b"nonsense", b"")
"""Charsets that a page falsely declares."""

Mutation = Callable[[bytes, Random], bytes]


def _flip(html: bytes, random: Random) -> bytes:
    changed = bytearray(html)
    for _ in range(random.choice((1, 10, 100))):
        if changed:
            changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _cut(html: bytes, random: Random) -> bytes:
    return html[: random.randrange(len(html) + 1)]


def _remove(html: bytes, random: Random) -> bytes:
    start = random.randrange(len(html) + 1)
    return html[:start] + html[start + random.choice((1, 20, 1000)) :]


def _repeat(html: bytes, random: Random) -> bytes:
    start = random.randrange(len(html) + 1)
    piece = html[start : start + random.choice((10, 300, 3000))]
    return html[:start] + piece * random.choice((2, 5, 30)) + html[start:]


def _move(html: bytes, random: Random) -> bytes:
    start, to = sorted((random.randrange(len(html) + 1), random.randrange(len(html) + 1)))
    piece = html[start : start + random.choice((20, 500, 5000))]
    return html[:to] + piece + html[to:]


def _insert(html: bytes, random: Random) -> bytes:
    for _ in range(random.choice((1, 1, 5, 20))):
        place = html.find(b">", random.randrange(len(html) + 1)) + 1 or random.randrange(len(html) + 1)
        html = html[:place] + random.choice(JUNK).encode("utf-8", "surrogatepass") + html[place:]
    return html


def _drop_tags(html: bytes, random: Random) -> bytes:
    tag = random.choice((b"</div>", b"</p>", b"</a>", b"</td>", b"</table>", b"</script>", b"<body", b"</head>", b"<p", b'"', b"<li"))
    return html.replace(tag, b"", random.choice((1, 10, -1)))


def _declare(html: bytes, random: Random) -> bytes:
    return b"<meta charset=" + random.choice(DECLARED) + b">" + html


def _encode(html: bytes, random: Random) -> bytes:
    return html.decode("utf-8", "replace").encode(random.choice(("utf-16", "utf-16-le", "cp1251", "gb18030", "latin-1")), "replace")


MUTATIONS: tuple[Mutation, ...] = (_flip, _cut, _remove, _repeat, _move, _insert, _insert, _insert, _drop_tags, _declare, _encode)


class Page(NamedTuple):
    """A page to be mutated: where it is from, and the seed of its own mutations."""

    name: str
    seed: str
    url: str
    html: str


class Failure(NamedTuple):
    """Errors raised that are none of the project's own."""

    page: Page
    how: str
    error: str
    where: str


def mutate(html: str, random: Random) -> tuple[bytes, str]:
    """Return the page with up to `MOST` mutations, and their names."""
    mutated, chosen = html.encode("utf-8", "replace"), random.choices(MUTATIONS, k=random.randint(1, MOST))
    for mutation in chosen:
        mutated = mutation(mutated, random)
    return mutated, ", ".join(mutation.__name__.strip("_") for mutation in chosen)


def write_all(document: Document) -> None:
    """Write the document in every format, in UTF-8."""
    for name in format_names():
        write_document(document, name).encode()
    repr(document.posts), repr(document.attributes), repr(document.left_out)


def run(data: Path | None, static: int, rendered: int, seed: int, out: Path | None) -> int:
    """Read a number of mutated pages without a browser, and a number with one; print what failed, and return 1 if anything did."""
    pages = list(_pages(data_folder(data), static + rendered, seed))
    clock = time.perf_counter()
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(_read_static, pages[:static], chunksize=CHUNK))
    results += asyncio.run(_read_rendered(pages[static:])) if rendered else []
    failures = [result for result in results if isinstance(result, Failure)]
    counts = Counter("failed" if isinstance(result, Failure) else result or "read" for result in results)
    print(f"{static} pages static, {rendered} rendered, seed {seed}, in {time.perf_counter() - clock:.0f} s:", dict(counts.most_common()))
    for failure in failures:
        print(f"  {failure.page.name} seed {failure.page.seed} ({failure.how}): {failure.error} at {failure.where}")
        if out is not None:
            name = f"{failure.page.name} {failure.page.seed}".replace("/", "_").replace(" ", "-")
            (out / f"{name}.html").write_bytes(mutate(failure.page.html, Random(failure.page.seed))[0])
    return int(bool(failures))


def _pages(data: Path, count: int, seed: int) -> Iterator[Page]:
    """Yield pages of all data sets that are there, in an order of the seed's, again and again."""
    samples = [each for name in find_sets((), data) for each in read_samples(name, data)]
    Random(seed).shuffle(samples)
    for number in range(count):
        sample = samples[number % len(samples)]
        yield Page(f"{sample.data} {sample.id}", f"{seed}.{number}", sample.url, sample.html)


def _read_static(page: Page) -> Failure | str:
    """Return the name of the project's own error, empty if the page was read, or what else was raised."""
    html, how = mutate(page.html, Random(page.seed))

    def too_long(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"not read within {LONGEST:g} s")

    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        with suppress(Unusable):  # a page that shows no text may have some in its scripts
            sightread.extract_text(html).text.encode()
        write_all(sightread.extract(html, page.url or URL, "global"))
    except SightreadError as error:
        return type(error).__name__
    except Exception as error:  # noqa: BLE001  (what this looks for)
        return _failure(page, how, error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


async def _read_rendered(pages: Sequence[Page]) -> list[Failure | str]:
    async with sightread.Reader("global") as reader:

        async def read(page: Page) -> Failure | str:
            html, how = mutate(page.html, Random(page.seed))
            try:
                document = await reader.extract_html(html, page.url or URL)
                await asyncio.to_thread(write_all, document)
            except SightreadError as error:
                return type(error).__name__
            except Exception as error:  # noqa: BLE001  (what this looks for)
                return _failure(page, f"rendered, {how}", error)
            return ""

        found: list[Failure | str] = []
        for start in range(0, len(pages), CHUNK):
            found += await asyncio.gather(*map(read, pages[start : start + CHUNK]))
        return found


def _failure(page: Page, how: str, error: Exception) -> Failure:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return Failure(page, how, f"{type(error).__name__}: {error}"[:200], f"{Path(place.filename).name}:{place.lineno}")


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 10_000, "read without a browser")
    parser.add_argument("--rendered", type=int, default=500, metavar="N", help="read with a browser (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the pages and their mutations (default: %(default)s)")
    add_out(parser, "write the pages that fail there")


COMMAND = Command(
    "mutations",
    "pages damaged at random raise our own errors alone",
    lambda options: run(options.data, options.pages, options.rendered, options.seed, options.out),
    _add_options,
)
