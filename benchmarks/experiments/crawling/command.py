"""`python -m benchmarks whole-site SUBJECT`: crawls of whole sites on a local web, with kills, updates, archives, a million known URLs."""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from benchmarks.commands import Command
from benchmarks.experiments.crawling.local_web import CHANGED, DELAY, GONE, KINDS, LATER, NEW, TRAPS, Site

MOST_TRAP_REQUESTS = 50
KILLS, WARC_KILLS = 20, 3
CUT = 10
"""Seconds without a network."""
RATED = 20
"""Requests in a row of which the rate is measured, by the clock of the server, which lags up to 20 ms."""
SIZES = (1_000, 10_000, 100_000, 1_000_000)
MOST_SECONDS, MOST_MEGABYTES, LEAST_OPERATIONS, MOST_GROWTH = 5.0, 300.0, 5_000.0, 1.5
"""Required of a million known URLs: to continue, and of the cost of a page to that with a thousand."""
HERE = "benchmarks.experiments.crawling"


class Web:
    """The local web in a process of its own, and crawls of it, in a folder."""

    def __init__(self, folder: Path, port: int, pages: int) -> None:
        self.folder, self.sites = folder, [Site(number, port, pages) for number in range(len(KINDS))]
        self._serve = [sys.executable, "-m", f"{HERE}.local_web", str(port), str(pages), str(folder / "log")]
        self.open()

    def open(self) -> None:
        """Serve."""
        self._server = subprocess.Popen(self._serve)
        while not (self.folder / "log").exists():
            time.sleep(0.1)
        time.sleep(0.5)

    def close(self) -> None:
        """Serve no longer, until it is opened again."""
        self._server.kill()
        self._server.wait()

    def requests(self) -> list[list[object]]:
        """Return time, host, target, status and bytes of all requests so far."""
        return [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]

    def start(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        """Start or continue the crawl of that name."""
        command = [sys.executable, "-m", f"{HERE}.engine", str(self.folder / name), *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def crawl(self, name: str, *arguments: str) -> str:
        """Crawl to the end, and return how it ended."""
        return self.start(name, *arguments).communicate()[0].strip()

    def documents(self, name: str) -> list[list[str]]:
        """Return URL, change and name of the documents of a crawl."""
        return [json.loads(line) for line in (self.folder / name / "documents").read_text().splitlines()]


@contextmanager
def serving(pages: int) -> Iterator[Web]:
    """Serve the web."""
    with tempfile.TemporaryDirectory(prefix="whole-site-") as name:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        web = Web(Path(name), port, pages)
        try:
            yield web
        finally:
            web.close()


def report(name: str, figures: Mapping[str, object], *, holds: bool) -> bool:
    """Print figures, and return whether the requirement holds."""
    print(f"{name}: {', '.join(f'{value} {key}' for key, value in figures.items())}: {'holds' if holds else 'MISSED'}", flush=True)
    return holds


def run_web(pages: int) -> bool:
    """Crawl all sites at once; the server's log has every expected page once, and no other."""
    with serving(pages) as web:
        began = time.time()
        all_hold = web.crawl("crawl", *(f"{site.root}/" for site in web.sites)) == "finished"
        seconds, cpu, requests = time.time() - began, resource.getrusage(resource.RUSAGE_CHILDREN), web.requests()
    for site in web.sites:
        own = [(float(str(at)), str(target), status) for at, host, target, status, _ in requests if host == site.host]
        bodies = Counter(target for _, target, status in own if status == 200)
        missing, again = len(site.expected() - bodies.keys()), sum(bodies[path] > 1 for path in site.expected())
        trapped = sum(target.startswith(TRAPS.get(site.kind, "none")) for _, target, _ in own)
        forbidden = sum(target.startswith("/private") for _, target, _ in own)
        spans = (after[0] - before[0] for before, after in zip(own, own[RATED:], strict=False)) if site.kind == "delay" else ()
        gap = min(spans, default=DELAY * RATED) / RATED
        figures = {
            "requests": len(own),
            "missing": missing,
            "again": again,
            "forbidden": forbidden,
            "in a trap": trapped,
            "ms per request at the fastest": round(1000 * gap, 1),
        }
        holds = not (missing or again or forbidden) and trapped <= MOST_TRAP_REQUESTS and gap >= 0.98 * DELAY
        all_hold &= report(site.kind, figures, holds=holds)
    print(
        f"{len(requests)} requests in {seconds:.0f} s, {1000 * (cpu.ru_utime + cpu.ru_stime) / len(requests):.1f} ms CPU time per request"
    )
    return all_hold


def run_kills(pages: int) -> bool:
    """Kill the crawl of a site at random moments, and its web during another; both have the documents of an undisturbed one, in order."""
    with serving(pages) as web:
        began, start = time.time(), f"{web.sites[0].root}/"
        web.crawl("whole", start)
        seconds, requests, chance, kills = time.time() - began, len(web.requests()), random.Random(52), 0
        for _ in range(KILLS):
            engine = web.start("killed", start)
            time.sleep(1.0 + chance.random() * seconds / KILLS)  # a second for the program to start
            kills += engine.poll() is None
            engine.kill()
            engine.wait()
        end, whole, killed = web.crawl("killed", start), web.documents("whole"), web.documents("killed")
        requests_more = len(web.requests()) - 2 * requests
        cut = web.start("cut", start)
        time.sleep(1.0 + seconds / 2)
        web.close()
        time.sleep(CUT)
        web.open()
        cut_end, is_same = cut.communicate()[0].strip(), web.documents("cut") == whole
        figures = {"documents": len(whole), "kills": kills, "requests more": requests_more, "at the end": end}
        all_hold = report("kills", figures, holds=whole == killed and end == "finished")
        return report("no network", {"s": CUT, "at the end": cut_end}, holds=is_same and cut_end == "finished") and all_hold


def run_update(pages: int) -> bool:
    """Crawl a site, change it, and request it again."""
    with serving(pages) as web:
        site = web.sites[0]
        web.crawl("crawl", f"{site.root}/")
        before, known = len(web.requests()), len(web.documents("crawl"))
        with socket.create_connection((site.host, site.port)) as opened:
            opened.sendall(f"GET /{LATER} HTTP/1.1\r\nHost: {site.host}\r\n\r\n".encode())
            opened.recv(1000)
        web.crawl("crawl", "--update", f"{site.root}/")
        requests, changes = web.requests()[before + 1 :], web.documents("crawl")[known:]
    counts = Counter(change for _, change, _ in changes)
    keep_names = all(document == f"{url}.md" for url, change, document in changes if change == "changed")
    figures = {**counts, "requests per page": round(len(requests) / known, 3), "bodies": sum(status == 200 for *_, status, _ in requests)}
    holds = counts == {"new": NEW, "changed": CHANGED, "gone": GONE} and keep_names and len(requests) <= 1.1 * known
    return report("update", figures, holds=holds)


def run_million(_: int) -> bool:
    """Fill states of four sizes; continue each, and choose and commit pages."""
    all_hold, first = True, 0.0
    with tempfile.TemporaryDirectory() as name:
        for size in SIZES:
            for step in ("--fill", "--continue"):
                ran = subprocess.run(
                    [sys.executable, "-m", f"{HERE}.engine", f"{name}/{size}", step, str(size)], stdout=subprocess.PIPE, check=True
                )
            figures = json.loads(ran.stdout)
            first = first or figures["us per page"]
            holds = figures["s to continue"] <= MOST_SECONDS and figures["MB"] <= MOST_MEGABYTES
            holds &= figures["operations/s"] >= LEAST_OPERATIONS and figures["us per page"] <= MOST_GROWTH * first
            all_hold &= report(f"{size} known URLs", figures, holds=holds)
    return all_hold


def run_warc(pages: int) -> bool:
    """Crawl a site with and without WARC files, by HTML and rendered, with kills too; replay it when its server is gone."""
    all_hold = True
    for name, number, way in (("by HTML", pages, ["--static"]), ("rendered", max(10, pages // 10), [])):
        with tempfile.TemporaryDirectory() as folder, serving(number) as web:
            command = [sys.executable, "-m", "sightread.cli.parser", "extract", "--site", f"{web.sites[0].root}/", "--local", *way]

            def extract(name: str, *options: str) -> list[str]:
                return [*command, "--output-dir", f"{folder}/{name}", *options]  # noqa: B023

            plain = _cpu_seconds(extract("plain"))
            archived = _cpu_seconds(extract("archived", "--warc", f"{folder}/archive"))
            for _ in range(WARC_KILLS):
                job = subprocess.Popen(extract("killed", "--warc", f"{folder}/of-killed"), stderr=subprocess.DEVNULL)
                time.sleep(2.0 + plain / WARC_KILLS * random.Random(52).random())
                job.kill()
                job.wait()
            _cpu_seconds(extract("killed", "--warc", f"{folder}/of-killed"))
            web.close()
            replayed = _cpu_seconds(extract("replayed", "--from-warc", f"{folder}/archive"))
            _cpu_seconds(extract("replayed-of-killed", "--from-warc", f"{folder}/of-killed"))
            found = {each: _documents(Path(folder, each)) for each in ("plain", "archived", "killed", "replayed", "replayed-of-killed")}
            files = sorted(Path(folder).glob("*/*.warc.gz"))
            damaged, checked = sum(map(_damaged_records, files)), _warcio_check(files)
            read = len(found["archived"])
            figures = {
                "documents": read,
                "different": sum(each != found["archived"] for each in found.values()),
                "damaged records": damaged,
                "by warcio check": checked,
                "ms of CPU time per page": round(1000 * plain / read, 1),
                "with WARC": round(1000 * archived / read, 1),
                "replayed": round(1000 * replayed / read, 1),
                "bytes per page": sum(path.stat().st_size for path in files if path.parent.name == "archive") // read,
            }
            all_hold &= report(name, figures, holds=not (figures["different"] or damaged) and checked != "damaged" and read > number)
    return all_hold


def _cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _documents(folder: Path) -> list[tuple[str, bytes]]:
    """Return address and content of the documents of a crawl in their order."""
    lines = map(json.loads, (folder / "index.jsonl").read_text().splitlines())
    return [(line["source"], (folder / line["article"]["file"]).read_bytes()) for line in lines if line.get("article")]


def _damaged_records(path: Path) -> int:
    with path.open("rb") as file:
        records = ArchiveIterator(file, parse_http=False)
        return sum(each.record_type != WarcRecordType.revisit and not each.verify_block_digest() for each in records)


def _warcio_check(files: list[Path]) -> str:
    if not (program := shutil.which("warcio")):
        return "not installed"
    return "damaged" if subprocess.run([program, "check", *files], stdout=subprocess.DEVNULL).returncode else "whole"


SUBJECTS: dict[str, Callable[[int], bool]] = {
    "web": run_web,
    "kills": run_kills,
    "update": run_update,
    "million": run_million,
    "warc": run_warc,
}


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("--pages", type=int, default=1000, metavar="N", help="articles of a site (default: %(default)s)")


def _run(options: argparse.Namespace) -> int:
    return 0 if SUBJECTS[options.subject](options.pages) else 1


COMMAND = Command(
    "whole-site", "crawls of whole sites: completeness, kills, updates, WARC files, a million URLs", _run, _add_options, needs_data=False
)
