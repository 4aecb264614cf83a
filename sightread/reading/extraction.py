"""`sightread.extract`: main content from HTML, without a browser; takes trafilatura's options."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict, Unpack, overload

import msgspec

from sightread.document.document import Document
from sightread.document.formats import DEFAULTS, Format, find_format, format_names
from sightread.document.tree.nodes import PARTS, Part
from sightread.reading import read_static
from sightread.render.argument_checks import check_type, known_names
from sightread.render.errors import Rejected, WrongCall, quoted
from sightread.render.labels import Visible
from sightread.render.network.address import check_url
from sightread.render.static.charset import DecodedHtml

LONGEST_NAME = 255
"""Characters of a file name or URL that is looked for in a string given as HTML."""
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_FILE = re.compile(r"[^<>\n]+\.(x?html?|mht(ml)?|har|warc(\.gz)?)", re.IGNORECASE)
_HOST = re.compile(r"([\w-]+\.)+[^\W\d_]{2,}\.?(:\d+)?([/?#]\S*)?", re.IGNORECASE)
_OTHER_FILE = re.compile(
    r"[^/:?#]+\.(xml|rss|atom|txt|log|md|markdown|json|jsonl|csv|tsv|parquet|pdf|docx?|zip|gz|wacz|png|jpe?g|gif|webp|svg)", re.IGNORECASE
)
"""Names of files that people have beside pages; as a name alone, a host that ends like one needs its scheme."""


def check_html(function: str, html: object) -> None:
    """Raise `Rejected` unless `html` is a string or bytes, and neither a URL nor the name of an HTML file or archive."""
    if html is None:
        raise Rejected(f"{function}: html is None: give HTML as a string or bytes; Reader.extract reads a URL, extract_file a file")
    if isinstance(html, Path):
        raise Rejected(f"{function}: html is a path: sightread.extract_file reads a file, and Reader.extract_archived in a browser")
    if not isinstance(html, DecodedHtml):
        check_type(f"{function}: html", html, str | bytes)
    name = _short_text(html)
    if _URL.fullmatch(name):
        raise Rejected(f"{function}: html is a URL: sightread.Reader reads it, with await reader.extract({name!r})")
    if _FILE.fullmatch(name):
        raise Rejected(f"{function}: html is a file name: sightread.extract_file({name!r}) reads it")


def check_file_name(function: str, html: str | bytes) -> None:
    """Raise `Rejected` if the string given as HTML is the name of a file on this machine: for callers of this machine alone."""
    name = _short_text(html)
    if name and "<" not in name and "\n" not in name and "\0" not in name and Path(name).is_file():
        raise Rejected(f"{function}: html is a file name: sightread.extract_file({name!r}) reads it")


def check_page_url(function: str, url: object) -> None:
    """Raise `Rejected` unless `url` is a string that may be the URL of a page."""
    if url is None:
        raise Rejected(f"{function}: url is None: give the URL of a page, such as 'https://example.com/article'")
    if isinstance(url, Path):
        raise Rejected(f"{function}: url is a path: read a file with Reader.extract_archived, or sightread.extract_file without a browser")
    check_type(f"{function}: url", url, str)
    assert isinstance(url, str)
    text = url.strip()
    if text.startswith("<"):
        raise Rejected(f"{function}: url is HTML: give it to Reader.extract_html, or to sightread.extract without a browser")
    if "://" in text:
        check_url(url)
    elif _FILE.fullmatch(text):
        raise Rejected(f"{function}: url is a file name: Reader.extract_archived({text!r}) reads it, or sightread.extract_file")
    elif is_bare_host(text):
        raise Rejected(f"{function}: {text!r} is not an http or https address: give 'https://{text}'")


def is_bare_host(text: str) -> bool:
    """Return whether a text looks like an address without its scheme, and not like a file name."""
    is_file = _OTHER_FILE.fullmatch(text) or ("/" not in text and _FILE.fullmatch(text))
    return _HOST.fullmatch(text) is not None and not is_file


def _short_text(html: object) -> str:
    if not isinstance(html, str | bytes) or len(html) > LONGEST_NAME:
        return ""
    return (html if isinstance(html, str) else html.decode("utf-8", "replace")).strip()


_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON allows and YAML reads as line breaks, or not at all."""

FAVOURED = {"favor_precision": 0.7, "favor_recall": 0.3}
"""Level relative to the model's, by the option that moves it; else 0.5."""

NOT_TAKEN = {
    "config": "options are arguments here",
    "date_extraction_params": "Document.metadata.published is what the page declares",
    "deduplicate": "text that a page repeats is left out in any case",
    "author_blacklist": "filter Document.metadata.authors",
    "fast": "extract_text gives the text alone, in less time",
    "include_formatting": "markdown, html and tei have the formatting, text has none",
    "max_tree_size": "a page is cut at 100,000 nodes, and then Document.page.truncated",
    "no_fallback": "there is one extraction, without fallbacks",
    "only_with_metadata": "test Document.metadata",
    "options": "options are arguments here",
    "prune_xpath": "Document.without leaves parts out, and Document.left_out lists the rest",
    "record_id": "keep it beside the document",
    "settingsfile": "options are arguments here",
    "target_language": "test Document.metadata.language",
    "tei_validation": "the TEI output is always valid",
    "url_blacklist": "filter the URLs before",
}
"""trafilatura's other options, with what to do instead."""


class ExtractOptions(TypedDict, total=False):
    """Options of the extracted document; everything is kept by default."""

    with_metadata: bool
    """Put the metadata before text and Markdown, between lines of `---`. JSON and TEI always contain it."""
    include_comments: bool
    include_tables: bool
    include_images: bool
    include_links: bool
    favor_precision: bool
    favor_recall: bool
    visible: Visible
    """Text that may be kept: "reachable" (what a person sees or can open, as by default), "visible" (without opening it) or "all"."""


@overload
def extract(
    html: str | bytes, url: str | None = None, model: str = "auto", *, output_format: None = None, **options: Unpack[ExtractOptions]
) -> Document: ...


@overload
def extract(
    html: str | bytes, url: str | None = None, model: str = "auto", *, output_format: str, **options: Unpack[ExtractOptions]
) -> str: ...


def extract(
    html: str | bytes, url: str | None = None, model: str = "auto", *, output_format: str | None = None, **options: Unpack[ExtractOptions]
) -> Document | str:
    """Return the main content of HTML, without a browser: a `Document`, or with an `output_format` its text in that format.

    Without a browser there are no boxes and styles: `auto` takes the best model that reads the DOM alone. trafilatura returns None for a
    page without kept text; this returns an empty text. Raises `Unusable` for input that is not HTML or has no text, `Walled` for a block
    page, `UnknownModel`, and `Rejected` for a URL or a file name given as HTML, an unknown format or contradictory options.
    """
    shape = ResultForm.of("extract()", url, model, output_format, options)
    check_html("extract()", html)
    check_file_name("extract()", html)
    return shape.applied(read_static(html, url or "", model).document)


@dataclass(frozen=True, slots=True)
class ResultForm:
    """The form of a result: the document, or its text in a format, without unwanted parts."""

    format: Format | None
    threshold: float | None
    """Relative to the model's level; None for the level itself."""
    without: tuple[Part, ...]
    visible: Visible
    with_metadata: bool

    @classmethod
    def of(cls, function: str, url: object, model: object, output_format: object, options: ExtractOptions) -> ResultForm:
        """Return the checked options of a function. Raises `Rejected`."""
        check_type(f"{function}: url", url, str | None)
        check_type(f"{function}: model", model, str)
        check_type(f"{function}: output_format", output_format, str | None)
        check_names(function, options)
        for name, value in options.items():
            check_type(f"{function}: {name}", value, Visible if name == "visible" else bool)
        chosen = named_format(str(output_format)) if output_format else None
        favoured = [name for name in FAVOURED if options.get(name)]
        if len(favoured) > 1:
            raise Rejected("favor_precision and favor_recall contradict each other: leave one of them out")
        with_metadata = bool(options.get("with_metadata"))
        if with_metadata and chosen is not None and chosen.media_type == "text/html":
            raise Rejected("with_metadata has no place in html: take markdown, text, json or tei, or read Document.metadata")
        unwanted = tuple(part for part in PARTS if not options.get(f"include_{part}", True))
        return cls(chosen, FAVOURED[favoured[0]] if favoured else None, unwanted, options.get("visible", "reachable"), with_metadata)

    def applied(self, document: Document) -> Document | str:
        """Return the document, or its text in the format."""
        if self.threshold is not None:
            document = document.from_threshold(self.threshold)
        if self.without:
            document = document.without(*self.without)
        if self.visible != document.policy.visible:
            document = document.by_visibility(self.visible)
        if self.format is None:
            return document
        text = self.format.write(document, DEFAULTS)
        return front_matter(document) + text if self.with_metadata and not self.format.holds_metadata else text


def front_matter(document: Document, **more: object) -> str:
    """Return the metadata and `more` as YAML between lines of `---`, with an empty line after it: strings and lists in JSON's notation."""
    fields = {"url": document.url} | asdict(document.metadata) | more
    lines = [f"{name}: {_UNPRINTABLE.sub(_as_escape, msgspec.json.encode(value).decode())}" for name, value in fields.items() if value]
    return "\n".join(["---", *lines, "---", "", ""])


def _as_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def check_names(function: str, options: ExtractOptions) -> None:
    """Raise `WrongCall` for an option that does not exist, with the nearest, or the remedy for one of trafilatura's."""
    known = ("model", "output_format", *ExtractOptions.__annotations__)
    for name in sorted(options.keys() - set(known)):
        if name in NOT_TAKEN:
            raise WrongCall(f"{function} does not take trafilatura's {name}: {NOT_TAKEN[name]}; leave it out")
        raise WrongCall(f"{function} has no option {name}; {known_names(name, known)}")


def named_format(name: str) -> Format:
    """Return the output format of that name. Raises `Rejected` with the nearest."""
    chosen = find_format(name)
    if chosen is None:
        names = [*format_names(), *(alias for each in format_names() if (found := find_format(each)) for alias in found.aliases)]
        raise Rejected(f"output_format is {quoted(name)}; {known_names(name, names)}")
    return chosen
