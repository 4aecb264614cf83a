"""The commands, each a frozen record of its options: defaults and help of every option are declared here, once.

The first paragraph of a record's docstring is the command's help, the rest are examples. Records hold what was typed;
`sightread.cli.visiting` makes the options of a visit from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, dataclass_transform

from sightread.cli.options import (
    COUNT,
    DELAY,
    FILE,
    FOLDER,
    FOLDS,
    HOST_NAME,
    HOURS,
    NAME,
    NUMBER,
    ORIGIN,
    PORT,
    SECONDS,
    TEXT,
    Group,
    Kind,
    OneOf,
    argument,
    arguments,
    checked,
    duration,
    flag,
    one_of,
    option,
    repeated,
    text,
)
from sightread.document.formats import CHUNK_TOKENS, Marks, WriteOptions, format_names
from sightread.models.registry import MODELS
from sightread.render.labels import PART_KINDS, PartKind, Visible
from sightread.render.visit.options import DeadlineOption, ReadyOptions, Way

if TYPE_CHECKING:
    from sightread.crawler.site_state import State
    from sightread.document.formats import Also
    from sightread.document.tree.nodes import Part
    from sightread.render.network.http import ListeningSockets

SERVICE_PORT = 8412
DEMO_PORT = 8417
"""Fixed, so that a killed demo finds its corpus again."""
NAMED = ", ".join(("site", *MODELS))
FORMATS = ", ".join(format_names())
STORED = "an HTML, MHTML, HAR or WARC file, a folder of saved pages (host/path)"
CONVERTED = "a PDF, feed, Markdown, JSON or text file"
GIVEN = "@FILE reads it from a file, env:NAME from the environment"
RESOURCE_KINDS = "image, media, font, stylesheet, script, fetch, frame, ping or other"
STATIC = "read without a browser: no boxes and styles, so only models of the DOM"
SCOPES = ("read", "jobs", "learn", "metrics")
SHELLS = ("bash", "zsh", "fish")
PART = one_of(*PART_KINDS, metavar="PART")
GLOB, URL, LIST = text("GLOB"), text("URL"), text("FILE")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Command:
    """A record of options; its subclasses are frozen dataclasses, whose fields are given by name."""

    SYNOPSIS: ClassVar[str] = ""
    """Arguments as the usage shows them, in place of their names."""

    def __init_subclass__(cls) -> None:
        # without slots, which Python does not inherit from several classes, and without methods that no start should wait for
        dataclass(frozen=True, kw_only=True, repr=False, eq=False)(cls)


class HomeOption(Command):
    """The folder of learned sites."""

    home: Path | None = option(FOLDER, None, "where learned sites are kept (else SIGHTREAD_HOME, else your data folder)")


class JsonOption(Command):
    """The form of the printed result."""

    json: bool = flag("print the result as one line of JSON, and no progress")


class ModelOption(Command):
    """The model that reads pages."""

    model: str = option(NAME, "auto", f"auto, {NAMED}")


class ChromiumOption(Command):
    """The browser."""

    browser: Path | None = option(FILE, None, "the Chromium to use (else SIGHTREAD_BROWSER, else one that is found)")


class LightOption(Command):
    """Resources that a page loads."""

    light: bool = flag("load no images and no web fonts: fewer requests, and a sixth less CPU time")


class TabsOptions(LightOption):
    """The tabs of the browser."""

    tabs: int | None = option(COUNT, None, "pages open at once, fewer while memory is low (default: one per CPU core)")


class BrowserOptions(DeadlineOption, ChromiumOption):
    """The browser, and what it may take and open."""

    local: bool = flag("also open pages of this machine, of private networks and at unusual ports")


class EgressOptions(Command):
    """Addresses that are opened, and their proxy, which applies to every request."""

    local: bool = False
    allow_network: tuple[str, ...] = repeated(
        text("NETWORK|HOST"), "also open pages of a private network, such as 10.1.0.0/16, or of a host, such as wiki.corp; repeatable"
    )
    proxy: str | None = option(URL, None, f"upstream proxy, http://HOST:PORT or socks5://HOST:PORT, with USER:PASSWORD@ if needed; {GIVEN}")


class DelayOption(Command):
    """The pause between the pages of a host."""

    delay: float | None = option(DELAY, None, "seconds between two pages of one host (default: 0.5; 0 on this machine)")


class WithoutOption(Command):
    """Parts of a document that are left out."""

    without: tuple[Part, ...] = repeated(
        one_of("comments", "tables", "images", "links"), "parts to leave out: comments, tables, images or links; repeatable"
    )


class WaitOptions(ReadyOptions, Command):
    """Conditions and actions before a page is read."""

    GROUP = Group("late content")
    action: tuple[str, ...] = repeated(
        text("'VERB …'"),
        "done before a page is read, repeatable: 'click SELECTOR', 'click-all SELECTOR' (while it brings more), "
        "'type SELECTOR TEXT', 'press KEY', "
        "'scroll bottom' (or top, px, a selector), 'wait SECONDS' (or a selector, or text=…)",
    )


class DeviceOptions(EgressOptions):
    """The device, and credentials for the page's site: values, `@FILE` or `env:NAME`."""

    GROUP = Group("device and access", "device, language and time zone; credentials for the page's site only", is_advanced=True)
    device: str | None = option(NAME, None, "a device by its name, such as 'iPhone 15'; the options below change it")
    viewport: str | None = option(text("WxH"), None, "window size in CSS px (default: 1600x1000)")
    scale: str | None = option(text("N"), None, "device pixels per CSS pixel (default: 1)")
    mobile: bool = flag("touch screen and mobile layout")
    colour_scheme: str | None = option(NAME, None, "light or dark (default: light)")
    language: str | None = option(text("TAG"), None, "such as de-AT (default: en-US)")
    time_zone: str | None = option(text("ZONE"), None, "such as Europe/Vienna (default: this machine's)")
    user_agent: str | None = option(TEXT, None, "user agent (default: the browser's own, with sightread's name)")
    header: tuple[str, ...] = repeated(text("'NAME: VALUE'"), f"sent to the page's site only; {GIVEN}, one per line")
    cookie: tuple[str, ...] = repeated(text("NAME=VALUE"), "sent to the page's host only; likewise")
    credentials: str | None = option(text("USER:PASSWORD"), None, f"for HTTP authentication by the page's site; {GIVEN}")


class VisitOptions(BrowserOptions, HomeOption, WaitOptions, DeviceOptions):
    """Options of rendering a page."""

    block: tuple[str, ...] = repeated(
        text("WHAT"), f"requests that a page may not make, repeatable: {RESOURCE_KINDS}; or an address, with * for any characters"
    )


class PageOptions(ModelOption, VisitOptions):
    """Options of reading a page that is named on the command line."""

    url: str = option(URL, "", "of an archive, the page to read; of an HTML file, its address, for links and the site's model")
    static: bool = flag(STATIC)
    standard_input: bytes = b""
    """The page, or list of pages, if "-" is named."""


class CaptureFiles(Command):
    """Files about a page."""

    GROUP = Group("capture", "files to write besides the content; secrets are redacted in them")
    save_html: Path | None = option(FILE, None, "write the HTML as it is when the page is read")
    save_har: Path | None = option(FILE, None, "write the network log, with bodies, to be read again offline")
    save_console: Path | None = option(FILE, None, "write the messages of the page's scripts, one JSON object per line")
    save_pdf: Path | None = option(FILE, None, "write the page as it would be printed")

    @property
    def files(self) -> dict[str, Path]:
        """The files to write, by what they hold: html, har, console or pdf."""
        named = {"html": self.save_html, "har": self.save_har, "console": self.save_console, "pdf": self.save_pdf}
        return {kind: path for kind, path in named.items() if path is not None}


TABLES = ("csv", "parquet")
"""Formats of a table of pages, in a folder."""


class PathOptions(Command):
    """Pages of a site by their addresses."""

    within: str | None = option(text("PATH"), None, "only pages below this path")
    include: tuple[str, ...] = repeated(GLOB, "only addresses that match, such as '/blog/*'; repeatable")
    exclude: tuple[str, ...] = repeated(GLOB, "leave out addresses that match, such as '*/tag/*'; repeatable")
    depth: int | None = option(NUMBER, None, "at most N links from the start page")
    sitemap: str | None = option(URL, None, "the pages of this sitemap alone; links are not followed")


class WholeSiteOptions(PathOptions):
    """The crawl of whole sites."""

    GROUP = Group("whole sites", "every page that sitemaps, feeds and links lead to; after a stop, the same command continues")
    site: tuple[str, ...] = repeated(URL, "read all pages of this site that its robots.txt allows; repeatable")
    update: bool = flag("once it is finished: read what is new or may have changed since, and report what changed")
    status: bool = flag("with --output-dir alone: show how far the crawl is")
    list: State | None = option(
        one_of("ready", "read", "skipped", "failed", "gone", metavar="STATE"),
        None,
        "with --output-dir alone: list the pages that are ready, read, skipped, failed or gone, and why",
    )
    log: Path | None = option(FILE, None, "append a line of JSON there for each requested page; - for standard output")
    warc: Path | None = option(FOLDER, None, "also write what was received there, as WARC files of a GiB with a CDXJ index each")
    from_warc: Path | None = option(FOLDER, None, "read the pages from the WARC files of an earlier crawl, without the network")
    skip_noindex: bool = flag("leave out pages that declare noindex, by <meta> or X-Robots-Tag")
    follow_nofollow: bool = flag("also follow links that declare nofollow, or whose page does")
    skip_near_duplicates: bool = flag("leave out pages whose text is nearly that of an earlier one; else the index marks them")


class ExtractCommand(WholeSiteOptions, TabsOptions, DelayOption, WithoutOption, CaptureFiles, PageOptions):
    """Print the main content of a page, or write that of many.

    sightread extract https://example.com/article > article.md
    sightread extract page.html --url https://example.com/article --format json
    sightread extract --urls urls.txt --output-dir articles
    sightread extract --site https://example.com/ --render auto --output-dir articles
    sightread extract https://example.com/a https://example.com/b --format jsonl --output pages.jsonl
    """

    targets: tuple[str, ...] = arguments("URL|FILE|FOLDER", f"an http(s) URL, {STORED}, {CONVERTED}, or - for standard input")
    urls: str | None = option(LIST, None, "read further URLs and file names from a file, one per line; - for standard input")
    output_dir: Path | None = option(FOLDER, None, "write a file per page there, and index.jsonl; after a stop, the same command continues")
    per_host: int | None = option(COUNT, None, "pages of one host open at once (default: 2; any number on this machine)")
    format: str = option(
        Kind("NAME", OneOf(lambda: (*format_names(), "jsonl", *TABLES))), "markdown", f"{FORMATS}, jsonl, {', '.join(TABLES)}"
    )
    chunk_tokens: int = option(COUNT, CHUNK_TOKENS, f"with --format chunks: most tokens of a chunk (default: {CHUNK_TOKENS})")
    chunk_overlap: int = option(NUMBER, 0, "with --format chunks: most tokens that a chunk repeats from the one before")
    json: bool = flag("the same as --format json")
    also: tuple[Also, ...] = repeated(
        one_of("posts", "attributes"), "further fields of the JSON, posts or attributes; repeatable", name="--with"
    )
    visible: Visible = option(
        one_of("reachable", "visible", "all"),
        "reachable",
        "text that may be kept: what a person sees or can open (default: reachable), sees without opening it (visible), or all",
    )
    citations: Marks | None = option(
        one_of("footnotes", "comments"),
        None,
        "where each block is on its page: in Markdown as footnotes with links that highlight it, or as comments with numbers; in JSON and "
        "chunks as spans",
    )
    explain: bool = flag("list dropped blocks with the reason: on standard error, or in the JSON")
    output: Path | None = option(FILE, None, "write there instead of to standard output")
    picture: Path | None = option(
        Kind("FILE.webp|png", Path), None, "write a screenshot of the whole page; tall pages continue in further files"
    )
    picture_of: str | None = option(text("SELECTOR"), None, "with --picture: of the first element alone that a CSS selector matches")
    overlay: Path | None = option(Kind("FILE.svg", Path), None, "write an SVG of the screenshot with all blocks, kept or dropped")

    @property
    def write_options(self) -> WriteOptions:
        """The options of the format."""
        return WriteOptions(self.also, self.chunk_tokens, self.chunk_overlap, self.citations)


class ExplainCommand(JsonOption, PageOptions):
    """Explain why each block of a page is kept or left out.

    sightread explain https://example.com/article
    sightread explain page.html --row 12
    sightread explain page.html --json
    """

    target: str = argument(text("URL|FILE"), f"an http(s) URL, {STORED}, {CONVERTED}, or -")
    row: int | None = option(NUMBER, None, "explain only the block of this number, with its neighbours")


class CompareCommand(JsonOption, PageOptions):
    """Compare all models on a page or a corpus.

    sightread compare https://example.com/article --blocks
    sightread compare page.html --static
    """

    target: str = argument(text("URL|FILE|FOLDER"), f"an http(s) URL, {STORED}, a folder that crawl wrote, or -")
    blocks: bool = flag("of a single page, also show which model keeps which block")
    model: str = option(NAME, "auto", "reference of the comparison (default: auto; of a corpus: its labels)")


def _is_shard(text: str) -> bool:
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    return bool(found and int(found[1]) < int(found[2]))


SHARD = checked("I/N", str, _is_shard, "is not a shard: give I/N with I from 0 to N-1, such as 0/8")
ROWS = checked("N", COUNT.read, lambda rows: rows <= 20_000, "is more than 20000 rows")
MEGABYTES = checked("MiB", COUNT.read, lambda size: size >= 256, "MB is less than a model and a page need: give 256 or more")
"""A loaded model takes 100."""


class InputOptions(Command):
    """The input of a batch."""

    GROUP = Group("the input", "its kind, and the columns of its rows", is_advanced=True)
    input_format: str = option(
        one_of("auto", "warc", "urls", "corpus", "parquet", "jsonl"),
        "auto",
        "warc, urls, corpus, parquet or jsonl (default: auto, by the names of the files)",
    )
    url_column: str = option(NAME, "url", "column with the URL, in Parquet and JSON Lines")
    html_column: str = option(NAME, "html", "column with the HTML, in Parquet and JSON Lines")
    warc_base: str = option(
        text("FOLDER|URL"), "", "where the WARC files lie that rows name by warc_filename, warc_record_offset and warc_record_length"
    )
    partition_rows: int = option(ROWS, 0, "rows per partition (default: by the size of the input, 50 to 2000, rendered 10 to 100)")


class LimitOptions(BrowserOptions, LightOption):
    """Limits of a batch's pages."""

    GROUP = Group("limits and browser", "what a page may take, and how it is rendered", is_advanced=True)
    page_seconds: float = option(SECONDS, 60.0, "CPU seconds per page")
    page_memory: int = option(MEGABYTES, 2048, "memory of a process for pages")


class BatchCommand(WithoutOption, JsonOption, HomeOption, InputOptions, LimitOptions):
    """Extract millions of stored pages or URLs, over processes, shards or a cluster.

    sightread batch crawl.warc.gz articles --static
    sightread batch pages.parquet s3://bucket/articles --static --output-format parquet --shard 0/8
    sightread batch urls.txt articles --format text --format json
    sightread batch --status articles
    """

    SYNOPSIS = "INPUT OUTPUT"
    paths: tuple[str, ...] = arguments(
        "INPUT OUTPUT",
        "a WARC file, a list of URLs (.txt), a corpus, a Parquet or JSON Lines file; a folder, a pattern or a URL of such files; "
        "and the folder or URL to write to",
    )
    static: bool = flag(STATIC)
    fast: bool = flag("the text alone, with title and language, in half of the time of --static")
    render: Way = option(one_of("always", "auto"), "always", "pages that a browser renders: as in extract")
    model: str = option(NAME, "auto", "(default: auto, a learned site's own model if it is trusted)")
    formats: tuple[str, ...] = repeated(
        Kind("NAME", OneOf(format_names)), f"a format of the documents: {FORMATS}; repeatable (default: markdown)", name="--format"
    )
    output_format: Literal["jsonl", "parquet"] = option(one_of("jsonl", "parquet"), "jsonl", "format of the rows: jsonl or parquet")
    processes: int | None = option(COUNT, None, "worker processes on this machine (default: one per CPU core)")
    shard: str | None = option(
        SHARD,
        None,
        "run the I-th of N parts of the job, from 0 (else SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX, with the number of tasks)",
    )
    dask: str | None = option(text("ADDRESS"), None, "run on the workers of a Dask scheduler, such as tcp://host:8786")
    plan: bool = flag("only make and store the plan of the job")
    status: bool = flag("with OUTPUT alone: show how far the job is")
    verify: bool = flag("with OUTPUT alone: check checksums, and that each record is there once")
    learn_sites: int | None = option(COUNT, None, "with INPUT alone: learn each site with N pages or more in the input")
    log: Path | None = option(FILE, None, "append events there, one JSON object per line, with the ids of pages")
    metrics: Path | None = option(Kind("FILE.prom", Path), None, "with --status: also write it there as Prometheus metrics")


class CrawlOptions(JsonOption, TabsOptions, DelayOption, VisitOptions):
    """Options of crawling a site."""

    site: str | None = None
    """None for the demo site, and if a list of URLs names the site."""
    dry_run: bool = False
    pages: int | None = option(COUNT, None, "number of articles (default: 25; of a list of URLs, all)")
    out: Path | None = option(FOLDER, None, "a folder of your own (default: one below sites/HOST in the home folder)")
    no_pictures: bool = flag("take no screenshots")


class ScopeOptions(PathOptions):
    """Pages of a site that are taken."""

    GROUP = Group("which pages", "recorded with the crawl; the same command with the same choice continues")
    within: str | None = option(
        text("PATH"), None, "only pages below this path (default: below SITE's path if that is a section; / for all)"
    )
    language: str | None = option(
        text("TAG"), None, "request pages in this language, such as de-AT, and leave out those that declare another"
    )
    urls: str | None = option(LIST, None, "the pages of this list alone, one URL per line; - for standard input")
    dry_run: bool = flag("visit the pages and list those that would be taken, and why; write nothing")
    standard_input: bytes = b""
    """The list, if `urls` is "-"."""


class CrawlCommand(ScopeOptions, CrawlOptions):
    """Only crawl: render a sample of a site's pages into a corpus (for every page: extract --site).

    sightread crawl https://example.com/ --pages 100 --out example
    sightread label example && sightread train example && sightread evaluate example
    """

    site: str | None = argument(text("SITE"), "the URL to start from: a front page, a section, or an article", None)


class StoreOption(Command):
    """The store of learned sites."""

    store: str = option(text("URL|FOLDER"), "", "also put each learned site there, for `sightread sites import`; such as s3://bucket/sites")


class ManySitesOptions(StoreOption):
    """Learning the sites of a list."""

    GROUP = Group("many sites", "after a stop, the same command continues, and tries those again that failed; on any number of machines")
    sites: str | None = option(LIST, None, "learn each site of a list, one URL per line; - for standard input")
    database: str = option(
        text("URL|FILE"), "", "what is done: postgresql://… for several machines, or an SQLite file (default: one per home)"
    )
    sites_at_once: int | None = option(COUNT, None, "sites under way at once on this machine (default: four per CPU core)")
    dask: str | None = option(text("ADDRESS"), None, "a task per site on the workers of a Dask scheduler, in place of a database")


class LearnCommand(ManySitesOptions, CrawlCommand):
    """Crawl a site, label it, train its model, extract its articles, and report.

    sightread learn https://example.com/news/ --pages 40
    sightread learn https://example.com/news/ --refresh --json
    sightread learn --sites sites.txt --database postgresql://jobs@db.example/sightread
    """

    refresh: bool = flag("learn a known site again, and keep the old model unless the new one is as good; --pages as before")
    keep: tuple[PartKind, ...] = repeated(
        PART, f"keep this part of the site's pages, regardless of the evidence: {', '.join(PART_KINDS)} (repeatable)"
    )
    drop: tuple[PartKind, ...] = repeated(PART, "leave out this part of the site's pages; as --keep")


class DemoCommand(CrawlOptions):
    """Learn the bundled demo site, served on this machine.

    sightread demo --out demo
    sightread inspect demo
    """

    sockets: ListeningSockets
    local: bool = True
    pages: int = option(COUNT, 52, "number of articles")
    port: int = option(PORT, DEMO_PORT, "where to serve the demo site")


class TrainCommand(JsonOption, HomeOption):
    """Train a site's model on its labels.

    sightread train example.com
    """

    folder: str = argument(text("FOLDER|SITE"), "a folder that crawl wrote, or the URL of a site crawled before")


class ReportCommand(TrainCommand):
    """Write the articles and the report of a site again.

    sightread report example.com
    """


class LabelCommand(TrainCommand):
    """Label the blocks of a crawled site automatically.

    sightread label example.com
    sightread label folder --labeler published
    """

    labeler: str = option(
        NAME, "auto", "auto, hdbscan (clusters without a radius) or published (the original paper's, one cluster per site)"
    )


class EvaluateCommand(TrainCommand):
    """Cross-validate a model by page against the labels, and write articles and report.

    sightread evaluate example.com
    sightread evaluate folder --model boilerpipe --json
    """

    model: str = option(NAME, "site", NAMED)
    folds: int = option(FOLDS, 4, "number of folds")


class SitesCommand(JsonOption, HomeOption):
    """List, show, export, import or forget learned sites.

    sightread sites
    sightread sites show example.com
    sightread sites export example.com example.zip
    sightread sites import example.zip
    sightread sites import s3://bucket/sites
    sightread sites forget example.com
    """

    SYNOPSIS = "[list | show SITE | export SITE FILE | import FILE|STORE | forget SITE]"
    action: str = argument(
        one_of("list", "show", "export", "import", "forget", metavar="ACTION"),
        "list all (default), show one, export its version in use, import an export or what is newer in a store, or forget one",
        "list",
    )
    site: str | None = argument(text("SITE"), "name or URL of the site; of an import, the file, or the folder or URL of a store", None)
    file: Path | None = argument(FILE, "the ZIP file to export to", None)
    replace: bool = flag("put an import into use in place of a site that is known already")


class CorrectionsCommand(JsonOption, HomeOption):
    """List, export, import, undo or redo the corrections of a learned site.

    sightread corrections list example.com
    sightread corrections export example.com corrections.json
    sightread corrections import example.com corrections.json
    sightread corrections export example.com tasks.json --format label-studio
    """

    SYNOPSIS = "list|export|import|undo|redo SITE [FILE]"
    action: str = argument(one_of("list", "export", "import", "undo", "redo", metavar="ACTION"), "list, export, import, undo, redo")
    site: str = argument(text("SITE|FOLDER"), "name or URL of a learned site, or a folder that crawl wrote")
    file: Path | None = argument(FILE, "the file to export to, or to import", None)
    format: str = option(one_of("corrections", "label-studio", "gold"), "corrections", "corrections, label-studio, gold")


class InspectCommand(PageOptions):
    """Show a page or a corpus in the browser: every block, and why it was kept.

    sightread inspect https://example.com/article
    sightread inspect folder
    """

    sockets: ListeningSockets | None = None
    static: bool = False
    target: str = argument(
        text("URL|FILE|FOLDER|SITE|JOB"),
        f"an http(s) URL, {STORED}, a folder that crawl wrote, the name of a learned site, or the id of a job of the service",
    )
    port: int = option(PORT, 0, "(default: any free one)")
    no_open: bool = flag("only print the address")


class ServingOptions(ModelOption, EgressOptions, TabsOptions, ChromiumOption, HomeOption):
    """Options of a program that reads pages of the public web for others."""


class AccessOptions(Command):
    """Callers that may use the service."""

    GROUP = Group("who may use it")
    token_file: Path | None = option(FILE, None, "the tokens of `sightread token add`; read again when it changes")
    allow_host: tuple[str, ...] = repeated(HOST_NAME, "answer under this host name alone; repeatable")
    allow_origin: tuple[str, ...] = repeated(ORIGIN, "let scripts of this origin use it (CORS); repeatable")
    allow_action: tuple[str, ...] = repeated(
        one_of("click", "type", "press", metavar="ACTION"),
        "let callers do this on pages: click, type or press; repeatable (wait and scroll are always allowed)",
    )
    public_url: str | None = option(ORIGIN, None, "the origin behind a reverse proxy, such as https://read.example")


class JobOptions(StoreOption):
    """Queue, jobs and cache of the service."""

    GROUP = Group("queue, jobs and cache")
    worker: bool = flag("only perform the jobs of --database; the port is for /healthz, /readyz and /metrics alone")
    queue: int = option(COUNT, 32, "most requests under way at once")
    database: str = option(text("URL|FILE"), "", "jobs: postgresql://… or an SQLite file (default: one in --state)")
    state: Path | None = option(FOLDER, None, "files of jobs (default: service in the home folder)")
    jobs: int = option(COUNT, 2, "sites learned at once, of 16 N jobs")
    jobs_per_caller: int = option(COUNT, 100, "unfinished jobs per caller")
    keep: float = option(HOURS, 24.0, "hours for which results are kept")
    job_deadline: float = option(HOURS, 24.0, "hours for one job")
    lease: float = option(SECONDS, 10.0, "seconds until a killed process's job is continued")
    cache: int = option(replace(COUNT, metavar="MiB"), 64, "memory for answers that requests with max_age share")


class ServeCommand(ServingOptions, AccessOptions, JobOptions):
    """Answer over HTTP: pages, jobs, and a start page.

    sightread serve
    curl -s localhost:8412/api/v1/extract -H 'Content-Type: application/json' -d '{"url": "https://example.com/article"}'
    """

    sockets: ListeningSockets
    host: str = option(
        text("ADDRESS"), "127.0.0.1", "address to listen on (default: 127.0.0.1; any other requires --token-file or SIGHTREAD_TOKEN)"
    )
    port: int = option(PORT, SERVICE_PORT, "")


class McpCommand(ServingOptions):
    """Tools for language models over standard input and output (Model Context Protocol).

    sightread mcp
    sightread mcp --light --tabs 2
    """


class TokenCommand(JsonOption, HomeOption):
    """Add, list and revoke tokens of the service.

    sightread token add reporter --scope read
    sightread token list
    """

    SYNOPSIS = "add NAME | list | revoke NAME|ID"
    action: str = argument(one_of("add", "list", "revoke", metavar="ACTION"), "add, list or revoke")
    name: str = argument(NAME, "name of the caller; to revoke, a name or the id of a token", "")
    file: Path | None = option(FILE, None, "(default: tokens.json in the home folder)")
    scope: tuple[str, ...] = repeated(
        one_of(*SCOPES, metavar="SCOPE"), f"scopes of the token: {', '.join(SCOPES)}; repeatable (default: read and jobs)"
    )
    days: float = option(duration("N", "days"), 0.0, "days until it expires (default: never)")


class SetupCommand(JsonOption):
    """Install what is missing here: a browser and fonts.

    sightread setup
    sightread setup --dry-run
    """

    dry_run: bool = flag("print the commands that would run, and run none")


class DoctorCommand(JsonOption, ChromiumOption, HomeOption):
    """Check this machine: browser, sandbox, fonts, memory, disk, data folder, proxy.

    sightread doctor
    sightread doctor --json
    """


class CompletionCommand(Command):
    """Print a script with which a shell completes commands, options and their values.

    eval "$(sightread completion bash)"
    sightread completion fish | source
    """

    shell: str = argument(one_of(*SHELLS, metavar="SHELL"), ", ".join(SHELLS))


_BY_MODULE: Mapping[str, tuple[type[Command], ...]] = {
    "extract": (ExtractCommand,),
    "review": (ExplainCommand, CompareCommand),
    "batch": (BatchCommand,),
    "learn": (LearnCommand, CrawlCommand, DemoCommand),
    "sites": (LabelCommand, TrainCommand, EvaluateCommand, ReportCommand, SitesCommand, CorrectionsCommand),
    "inspect": (InspectCommand,),
    "servers": (ServeCommand, TokenCommand, McpCommand),
    "machine": (SetupCommand, DoctorCommand, CompletionCommand),
}
_NAMED = tuple((each.__name__.removesuffix("Command").lower(), module, each) for module, records in _BY_MODULE.items() for each in records)
COMMANDS: Mapping[str, type[Command]] = MappingProxyType({name: record for name, _, record in _NAMED})
"""The commands by name, in the order of the help."""
MODULES: Mapping[str, str] = MappingProxyType({name: module for name, module, _ in _NAMED})
"""Modules of the commands, with a function of each one's name."""
