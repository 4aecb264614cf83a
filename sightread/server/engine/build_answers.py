"""Builds answers from readings: pure functions, which run in a thread, since the text of a large page takes seconds."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec

from sightread.batch.child_process import ChildDied, call_in_process
from sightread.classify.model import explain_blocks
from sightread.crawler.crawl import CrawlPlan
from sightread.crawler.urls import normalize, url_key
from sightread.document.chunks import check_sizes
from sightread.document.document import Document, check_selectors, choose_blocks
from sightread.document.formats import DEFAULTS, Also, find_format
from sightread.document.formats.json import build_record
from sightread.reading import Reading
from sightread.reading.reader import Reader
from sightread.reading.reading import is_large
from sightread.render.browser.browser import STORED, Rendered, RenderOptions
from sightread.render.errors import Rejected, Unusable
from sightread.render.page import Page
from sightread.render.visit.actions import Action, Click, Press, ScrollTo, TypeText, WaitFor, check_condition
from sightread.render.visit.capture import Blocking, Capture, CaptureOptions
from sightread.render.visit.options import visit_options
from sightread.render.visit.picture import Picture
from sightread.render.visit.requests import Access
from sightread.server.schema.answers import (
    ExplainAnswer,
    ExplainedBlock,
    ExtractAnswer,
    ImageRecord,
    LinkRecord,
    MapAnswer,
    MapLink,
    PageRecord,
    RenderAnswer,
    RenderedBlock,
    ResponseRecord,
    ScreenshotRecord,
)
from sightread.server.schema.requests import (
    HARMLESS_ACTIONS,
    ActionRequest,
    ClickAction,
    ExplainRequest,
    ExtractRequest,
    OnePage,
    Output,
    PageOptions,
    PressAction,
    RenderRequest,
    ScrollAction,
    TypeAction,
    WaitAction,
)

T = TypeVar("T")


def render_options(request: PageOptions, url: str, *, is_stored: bool, actions: frozenset[str] = HARMLESS_ACTIONS) -> RenderOptions:
    """Return how to render a page. `actions` are the types of the actions that the operator allows. Raises `Rejected`."""
    for action in request.actions:
        if (kind := type(action).__struct_config__.tag) not in actions:
            raise Rejected(f"the operator of this service does not allow the action {kind}: use {' and '.join(sorted(actions))} alone")
    check_sizes(request.chunk_tokens, request.chunk_overlap)
    check_selectors((*request.keep_selectors, *request.drop_selectors))
    done = tuple(_action(f"actions[{number}]", action) for number, action in enumerate(request.actions))
    if (request.wait_for or request.min_wait or request.actions) and (is_stored or not request.javascript):
        remedy = "leave them out of a request with html" if is_stored else "leave javascript out"
        raise Rejected(f"wait_for, min_wait and actions need the page's scripts, which do not run: {remedy}")
    outputs = frozenset(request.outputs)
    capture = CaptureOptions(
        html="page_html" in outputs,
        response="response" in outputs or bool(request.max_age),
        har="network" in outputs,
        console="console" in outputs,
    )
    options = RenderOptions(
        device=request.device.device(),
        access=_access(request, url),
        picture="screenshot" in outputs,
        actions=done,
        capture=capture,
        block=Blocking(request.block),
        **visit_options(request) | {"wait_for": request.wait_for or None},
    )
    return replace(options, javascript=False, collect=STORED.collect) if is_stored else options


def is_cacheable(request: OnePage) -> bool:
    """Return whether the answer may be kept for other requests: it depends on the address and the options alone."""
    return not request.html and request.access is None and not request.actions


def _access(request: PageOptions, url: str) -> Access | None:
    if request.access is None:
        return None
    if not url:
        raise Rejected("access is for the site of a url, and none was sent: leave access out")
    return Access(url, headers=tuple(request.access.headers.items()), cookies=tuple(request.access.cookies.items()))


def _action(name: str, action: ActionRequest) -> Action:
    """Return an action of the request in the browser's terms. Raises `Rejected`, by the name that the request has for it."""
    match action:
        case WaitAction(seconds=seconds, until=until):
            if until:
                check_condition(f"{name}.until", until)
            return WaitFor(until or seconds)
        case ScrollAction(to=target):
            return ScrollTo(target)
        case ClickAction(selector=selector, repeated=repeated):
            check_condition(f"{name}.selector", selector)
            return Click(selector, repeated=repeated)
        case TypeAction(selector=selector, text=text):
            check_condition(f"{name}.selector", selector)
            return TypeText(selector, text)
        case PressAction(key=key, selector=selector):
            if not key:
                raise Rejected(f"{name}.key is empty: give a key, such as Enter")
            return Press(key, selector)


LONGEST_TITLE = 200
"""Characters of a link's text that is taken for a title; a longer one has a teaser in it."""


def extract_answer(reading: Reading, request: ExtractRequest) -> ExtractAnswer:
    """Return the document with the requested extras."""
    document = _chosen(reading.document, request)
    also: list[Also] = [name for name in get_args(Also) if name in request.outputs or (name == "spans" and request.citations)]
    record = build_record(document, also)
    answer = ExtractAnswer(
        **{name: getattr(record, name) for name in record.__struct_fields__},
        page=page_record(request.url, reading.page, request.outputs, reading.picture, reading.capture),
    )
    if "chunks" in request.outputs:
        answer.chunks = document.chunks(request.chunk_tokens, request.chunk_overlap, citations=request.citations)
    for name in ("html", "tei"):
        if name in request.outputs:
            written = find_format(name)
            assert written is not None
            setattr(answer, name, written.write(document, DEFAULTS))
    return answer


def extract_answer_with_reading(reading: Reading, request: ExtractRequest) -> tuple[ExtractAnswer, Reading]:
    """Return the document and what it was made from."""
    return extract_answer(reading, request), reading


def render_answer(rendered: Rendered, request: RenderRequest) -> RenderAnswer:
    """Return the page with its blocks."""
    page = rendered.page
    tags, selectors = page.tag_paths(), page.selector_paths()
    blocks = tuple(
        RenderedBlock(block.text, tags[block.element], selectors[block.element], block.box, block.hidden, block.heading)
        for block in page.blocks
    )
    return RenderAnswer(page_record(request.url, page, request.outputs, rendered.picture, rendered.capture), blocks)


def explain_answer(reading: Reading, request: ExplainRequest) -> ExplainAnswer:
    """Return the decision about every block, with the evidence of models that can explain."""
    document, page, model = _chosen(reading.document, request), reading.page, reading.model
    kept, tags = frozenset(document.rows), page.tag_paths()
    evidence = explain_blocks(model, page, range(len(page.blocks))) if request.evidence and not page.recovered else [()] * len(page.blocks)
    blocks = tuple(
        ExplainedBlock(
            row=row,
            text=block.text,
            tag_path=tags[block.element],
            box=block.box,
            probability=round(float(probability), 4),
            kept=row in kept,
            reason=reason,
            evidence=tuple(evidence[row][: request.evidence]),
        )
        for row, (block, probability, reason) in enumerate(
            zip(page.blocks, reading.prediction.probabilities, document.selection.reasons, strict=True)
        )
    )
    return ExplainAnswer(
        page=page_record(request.url, page, request.outputs, reading.picture, reading.capture),
        model=document.model,
        version=document.version,
        expected_f1=round(document.expected_f1, 4),
        level=round(float(reading.prediction.level), 4),
        note=document.note,
        markdown=document.markdown,
        blocks=blocks,
    )


def map_answer(found: CrawlPlan, pages: Iterable[Page]) -> MapAnswer:
    """Return the addresses of a site; titles come from the pages that were read for them, and from their links."""
    known = _link_titles(pages)
    taken, spare, refused = (
        tuple(MapLink(visit.url, visit.why, *known.get(url_key(visit.url), ("", ""))) for visit in visits)
        for visits in (found.taken, found.spare, found.refused)
    )
    return MapAnswer(found.section, taken, spare, refused)


def _link_titles(pages: Iterable[Page]) -> dict[str, tuple[str, str]]:
    """Return title and description by `url_key`: of a page its own, of others the longest text of a link that may be a title."""
    known: dict[str, tuple[str, str]] = {}
    for page in pages:
        for link in page.links:
            text = " ".join(link.text.split())
            if text and len(text) <= LONGEST_TITLE and (url := normalize(link.url)) is not None:
                known[url_key(url)] = max(known.get(url_key(url), ("", "")), (text, ""), key=lambda pair: len(pair[0]))
        for address in (page.url, page.final_url):
            if (url := normalize(address)) is not None:
                known[url_key(url)] = (page.titles or ("",))[0], (page.descriptions or ("",))[0]
    return known


def _chosen(document: Document, request: PageOptions) -> Document:
    chosen = choose_blocks(document, whole=request.whole_page, keep=request.keep_selectors, drop=request.drop_selectors)
    return chosen.without(*request.without).by_visibility(request.visible)


def page_record(url: str, page: Page, outputs: Sequence[Output], picture: Picture | None, capture: Capture | None) -> PageRecord:
    """Return the record of a page with the requested parts."""
    record = PageRecord(
        url=url,
        final_url=page.final_url,
        status=page.status,
        titles=page.titles,
        language=page.language,
        rendered_at=page.rendered_at,
        viewport=page.viewport,
        document=page.document,
        unfinished=page.unfinished,
        truncated=page.truncated,
    )
    found: dict[str, object] = {}
    if "links" in outputs:
        found["links"] = tuple(LinkRecord(link.url, link.text, link.rel) for link in page.links)
    if "images" in outputs:
        found["images"] = tuple(ImageRecord(image.source, image.alt, image.box) for image in page.images)
    if "screenshot" in outputs:
        found["screenshot"] = ScreenshotRecord(picture.tiles, picture.scale) if picture else None
    if capture is not None:
        found |= _captured(capture, outputs)
    return msgspec.structs.replace(record, **found)


def _captured(capture: Capture, outputs: Sequence[Output]) -> dict[str, object]:
    found: dict[str, object] = {"warnings": (capture.note,) if capture.note else ()}
    if "page_html" in outputs:
        found["html"] = capture.html
    if "response" in outputs:
        found["response"] = ResponseRecord(capture.status, capture.headers)
    if "network" in outputs and capture.har:
        found["network"] = msgspec.Raw(capture.har)
    if "console" in outputs:
        found["console"] = capture.console
    return found


_PARTS = re.compile(r"[\s>+~|]+|[(\\]")
"""Combinators of a selector, and functions; what follows an escape is not read."""


def is_slow(page: Page, request: PageOptions) -> bool:
    """Return whether the page is read in a process of its own: it is large, or a selector takes a time with a power of its depth."""
    selectors = (*request.keep_selectors, *request.drop_selectors)
    if any(":has" in selector.lower() or len(_PARTS.findall(selector.strip())) > 1 for selector in selectors):
        return True
    return is_large(page)


async def answer_in_process(
    make: Callable[[Any, Any], T], request: OnePage, rendered: Rendered, model: str, home: Path | None, ends: float
) -> T:
    """Return what `_answer` returns, in a process that is killed at `ends` of the event loop's clock. Raises `Unusable` then."""
    name = request.url or "the document"
    try:
        async with asyncio.timeout_at(ends):
            return await call_in_process(_answer, make, request, rendered, model, home)
    except TimeoutError as error:
        raise Unusable(f"{name}: too large: not processed within its deadline") from error
    except ChildDied as error:
        raise Unusable(f"{name}: too large: the process that read it ended") from error


def _answer(make: Callable[[Any, Any], T], request: OnePage, rendered: Rendered, model: str, home: Path | None) -> T:
    return make(Reader(home=home).apply(rendered, model) if model else rendered, request)
