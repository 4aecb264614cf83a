"""The protocol of Jina Reader: `GET /{url}` and `POST /`, options in headers, the answer as text or JSON.

Facts of the protocol: Jina's documentation of its Reader API, and the README of the published reader. The text form begins with the title
and the address; the JSON form wraps the same content with its status.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast
from urllib.parse import parse_qsl

import msgspec

from sightread.document.tree.markdown_inlines import to_image, to_link, to_phrase
from sightread.render.errors import Rejected, quoted
from sightread.render.network.address import percent_encode
from sightread.server.schema.answers import ExtractAnswer, ScreenshotRecord
from sightread.server.schema.requests import MOST_DEADLINE, ExtractRequest, convert, decode_object, ignored_options, near_key

Form = Literal["content", "markdown", "html", "text", "screenshot", "pageshot"]
FORMS: frozenset[str] = frozenset(("content", "markdown", "html", "text", "screenshot", "pageshot"))
LANGUAGE_MODEL_FORMS = frozenset(("readerlm-v2", "vlm"))
CHARACTERS_PER_TOKEN = 4
"""The usual estimate for English; Jina counts with the tokeniser of a model."""
TRUE = frozenset(("true", "1", "yes", "all"))
REASONS = {
    "x-no-cache": "",
    "x-engine": "",
    "x-with-shadow-dom": "",
    "x-no-gfm": "Markdown has the tables of GitHub",
    "x-with-generated-alt": "it needs a vision model",
    "x-with-iframe": "frames of the page's own origin are always read, others never",
    "x-proxy": "requests go out from this service's own address",
    "x-proxy-url": "requests go out from this service's own address",
    "x-user-agent": "the browser sends its own",
    "x-referer": "the browser sends its own",
    "x-respond-timing": "a page is read when its layout is stable",
    "x-robots-txt": "robots.txt holds for crawls; one page is read as a reader would",
    "x-md-link-style": "links are inline",
    "x-md-heading-style": "headings begin with #",
    "x-md-bullet-list-marker": "lists begin with -",
    "x-base": "addresses are absolute",
    "x-instruction": "it needs a language model",
    "x-json-schema": "it needs a language model",
    "x-inject-page-script": "scripts of callers are never run",
    "x-inject-frame-script": "scripts of callers are never run",
    "x-detach-invisibles": "hidden text is left out by the model",
    "x-preset": "it is not known here",
    "x-tokenizer": "tokens are estimated",
    "x-remove-overlay": "",
    "x-keep-img-data-url": "images are given by address",
    "x-dnt": "",
}
"""Options without an effect, and why; without a warning if the reason is empty."""
_TAKEN = frozenset(
    (
        "x-return-format",
        "x-respond-with",
        "x-target-selector",
        "x-remove-selector",
        "x-wait-for-selector",
        "x-timeout",
        "x-with-links-summary",
        "x-with-images-summary",
        "x-retain-images",
        "x-retain-links",
        "x-set-cookie",
        "x-cache-tolerance",
        "x-token-budget",
        "x-locale",
        "x-viewport",
    )
)
WEB = ("http://", "https://")
IN_ADDRESS = "!#$%&'()+,/:;=?@"
"""Characters of an address that mean nothing in Markdown: brackets would be a link, backticks code."""
_SIDE = re.compile(r"\s*[0-9]{1,6}\s*")
_NUMBER = re.compile(r"\s*[0-9]{1,15}(?:\.[0-9]{1,15})?\s*")
_OF_PROXIES = ("x-forwarded-", "x-real-ip", "x-request-id", "x-amzn-", "x-cloud-", "x-envoy-", "x-b3-")
"""Headers that HTTP proxies and load balancers add."""


class TokenBudgetExceeded(Rejected):
    """The content has more tokens than the caller allows."""


@dataclass(frozen=True, slots=True)
class Presentation:
    """How the answer is written."""

    form: Form = "content"
    links: bool = False
    """Whether a list of links follows the content."""
    images: bool = False
    """Whether a list of images follows the content."""
    most_tokens: float = math.inf
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """A call of the reader in our terms."""

    request: ExtractRequest
    presentation: Presentation


def options_of_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a request's headers: those with names that begin with `X-`, in lower case."""
    named = {name.lower(): value for name, value in headers.items()}
    return {name: value for name, value in named.items() if name.startswith("x-") and not name.startswith(_OF_PROXIES)}


def options_of_body(content_type: str, body: bytes) -> tuple[str, str, dict[str, str]]:
    """Return the address, the HTML and the options of the body of `POST /`, JSON or a form.

    Names in a body are those of the headers in camel case without the X: `targetSelector`. Raises `Rejected` without an address or HTML.
    """
    if content_type == "application/x-www-form-urlencoded":
        try:
            # A form, not a URL; urllib's parser limits the number of fields.
            given: dict[str, Any] = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=100))
        except (UnicodeDecodeError, ValueError) as error:
            raise Rejected(f"the form is invalid: {error}") from error
    else:
        given = decode_object(body, "url, or html")
    url, html = given.pop("url", ""), given.pop("html", "")
    if not isinstance(url, str) or not isinstance(html, str) or not (url or html):
        raise Rejected(f"no url was sent, and no html: one of them is required, as text{near_key('url', given) or near_key('html', given)}")
    return url, html, {_header_name(name): _as_text(value) for name, value in given.items() if value is not None}


def translate(url: str, html: str, options: Mapping[str, str]) -> Read:
    """Return the request for a page with these options. Raises `Rejected` for formats that need a language model, and for wrong values."""
    form, warnings = _form(options.get("x-respond-with") or options.get("x-return-format") or "content")
    warnings += ignored_options(options, _TAKEN, REASONS)
    presentation = Presentation(
        form,
        _is_true(options, "x-with-links-summary"),
        _is_true(options, "x-with-images-summary"),
        _number(options, "x-token-budget", math.inf),
        warnings,
    )
    fields: dict[str, Any] = {"url": url, "html": html, "whole_page": form in ("markdown", "text"), "outputs": _outputs(presentation)}
    if keep := options.get("x-target-selector"):
        fields["keep_selectors"] = [keep]
    if drop := options.get("x-remove-selector"):
        fields["drop_selectors"] = [drop]
    if not html and (wait := options.get("x-wait-for-selector") or keep):
        fields["wait_for"] = wait
    if options.get("x-timeout"):
        fields["deadline"] = min(_number(options, "x-timeout", 0), MOST_DEADLINE)
    fields["without"] = [part for part in ("images", "links") if options.get(f"x-retain-{part}", "").lower() in ("none", "text")]
    if options.get("x-set-cookie"):
        pairs = (part.strip().partition("=") for part in options["x-set-cookie"].split(";")[:1])
        fields["access"] = {"cookies": {name: value for name, _, value in pairs}}
    if options.get("x-cache-tolerance"):
        fields["max_age"] = _number(options, "x-cache-tolerance", 0)
    device: dict[str, Any] = {"language": options["x-locale"]} if options.get("x-locale") else {}
    if options.get("x-viewport"):
        device["viewport"] = _viewport(options["x-viewport"])
    return Read(convert(fields | ({"device": device} if device else {}), ExtractRequest), presentation)


def picture_of(answer: ExtractAnswer) -> bytes:
    """Return the screenshot of a page as WebP; empty if there is none."""
    shot = answer.page.screenshot
    return shot.tiles[0] if isinstance(shot, ScreenshotRecord) and shot.tiles else b""


def as_json(answer: ExtractAnswer, presentation: Presentation) -> dict[str, Any]:
    """Return the answer in its JSON form. Raises `TokenBudgetExceeded`."""
    content = _content(answer, presentation)
    tokens = _tokens(content, presentation)
    data: dict[str, Any] = {
        "title": answer.metadata.title,
        "description": answer.metadata.description,
        "url": answer.page.final_url or answer.page.url,
    }
    match presentation.form:
        case "screenshot" | "pageshot":
            address = f"data:image/webp;base64,{base64.b64encode(picture_of(answer)).decode()}"
            data["screenshotUrl" if presentation.form == "screenshot" else "pageshotUrl"] = address
        case "html" | "text":
            data[presentation.form] = content
        case _:
            data["content"] = content
    if answer.metadata.published:
        data["publishedTime"] = answer.metadata.published
    if presentation.links:
        data["links"] = {text or url: url for text, url in _links(answer)}
    if presentation.images:
        data["images"] = {f"Image {number}: {alt}" if alt else f"Image {number}": url for number, (alt, url) in _images(answer)}
    if warning := _warning(answer, presentation):
        data["warning"] = warning
    usage = {"tokens": tokens}
    return {"code": 200, "status": 20000, "data": data | {"usage": usage}, "meta": {"usage": usage}}


def as_text(answer: ExtractAnswer, presentation: Presentation) -> str:
    """Return the answer in its text form: a head of one line per fact, then the content. HTML and plain text come alone.

    The head and the lists are Markdown like the content, in which the text of a page stays text. Raises `TokenBudgetExceeded`.
    """
    content = _content(answer, presentation)
    _tokens(content, presentation)
    if presentation.form in ("html", "text"):
        return content
    head = [f"Title: {_line(answer.metadata.title)}", f"URL Source: {percent_encode(answer.page.final_url or answer.page.url, IN_ADDRESS)}"]
    if answer.metadata.published:
        head.append(f"Published Time: {answer.metadata.published}")
    if warning := _warning(answer, presentation):
        head.append(f"Warning: {_line(warning)}")
    parts = ["\n\n".join(head), f"Markdown Content:\n{content}"]
    if presentation.links:
        parts.append("\n".join(["Links/Buttons:", *(f"- {to_link(text, url)}" for text, url in _links(answer))]))
    if presentation.images:
        parts.append("\n".join(["Images:", *(f"- {to_image(f'Image {number}: {alt}', url)}" for number, (alt, url) in _images(answer))]))
    return "\n\n".join(parts) + "\n"


def failure(status: int, name: str, message: str) -> dict[str, Any]:
    """Return the body of an answer to a request that failed."""
    return {"data": None, "code": status, "name": name, "status": status * 100, "message": message, "readableMessage": f"{name}: {message}"}


def _content(answer: ExtractAnswer, presentation: Presentation) -> str:
    match presentation.form:
        case "html":
            return answer.page.html if isinstance(answer.page.html, str) else ""
        case "text":
            return answer.text
        case _:
            return answer.markdown


def _tokens(content: str, presentation: Presentation) -> int:
    tokens = math.ceil(len(content) / CHARACTERS_PER_TOKEN)
    if tokens > presentation.most_tokens:
        raise TokenBudgetExceeded(f"the content has about {tokens} tokens, and the budget is {presentation.most_tokens:g}")
    return tokens


def _warning(answer: ExtractAnswer, presentation: Presentation) -> str:
    notes = (note.message for note in answer.notes if note.level == "warning")
    return "; ".join(dict.fromkeys(filter(None, (*presentation.warnings, *notes, *answer.page.warnings, answer.reason))))


def _line(text: str) -> str:
    return to_phrase((" ".join(text.split()),))


def _links(answer: ExtractAnswer) -> list[tuple[str, str]]:
    links = () if answer.page.links is msgspec.UNSET else answer.page.links
    return list({link.url: (" ".join(link.text.split()), link.url) for link in links if link.url.startswith(WEB)}.values())


def _images(answer: ExtractAnswer) -> list[tuple[int, tuple[str, str]]]:
    images = () if answer.page.images is msgspec.UNSET else answer.page.images
    found = {image.url: (" ".join(image.alt.split()), image.url) for image in images if image.url.startswith(WEB)}
    return list(enumerate(found.values(), 1))


def _outputs(presentation: Presentation) -> list[str]:
    form = presentation.form
    outputs = ["page_html"] if form == "html" else ["screenshot"] if form in ("screenshot", "pageshot") else []
    return outputs + ["links"] * presentation.links + ["images"] * presentation.images


def _form(given: str) -> tuple[Form, tuple[str, ...]]:
    name = given.strip().lower()
    if name in LANGUAGE_MODEL_FORMS:
        raise Rejected(
            f"format {quoted(given)} needs a language model, which this service does not have: request {', '.join(sorted(FORMS))}"
        )
    if name == "screenshot":
        return "screenshot", ("the screenshot shows the full page, not the first screen alone",)
    if name in FORMS or name in ("", "default"):
        return cast(Form, name if name in FORMS else "content"), ()
    return "content", (f"format {quoted(given)} is not known here, and the main content is given: formats are {', '.join(sorted(FORMS))}",)


def _is_true(options: Mapping[str, str], name: str) -> bool:
    return options.get(name, "").strip().lower() in TRUE


def _number(options: Mapping[str, str], name: str, default: float) -> float:
    text = options.get(name)
    if not text:
        return default
    if not _NUMBER.fullmatch(text):
        raise Rejected(f"{name} is {quoted(text[:60])}: give a number")
    return float(text)


def _viewport(text: str) -> tuple[int, int]:
    width, sign, height = text.lower().partition("x")
    if not (sign and _SIDE.fullmatch(width) and _SIDE.fullmatch(height)):
        try:
            sides = msgspec.json.decode(text, type=dict[str, int])
            return sides["width"], sides["height"]
        except (msgspec.DecodeError, KeyError) as error:
            raise Rejected(f"x-viewport is {quoted(text)}: give width and height, as in 1280x800") from error
    return int(width), int(height)


def _header_name(name: str) -> str:
    return "x-" + "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in name)


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return msgspec.json.encode(value).decode()
