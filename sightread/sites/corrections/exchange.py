"""Exchange of corrections with other tools: `corrections.json` itself, Label Studio tasks, and gold labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
import numpy as np

from sightread.render.errors import BadRecord
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page import Page
from sightread.sites.corrections.anchors import Names, anchor_pages, block_anchor
from sightread.sites.corrections.matching import Matching
from sightread.sites.corrections.records import Correction, CorrectionScope, address_of

CHOICES = {True: "content", False: "boilerplate"}
FIELD = "text"
"""Name of the data field, which a Label Studio template names as `$text`."""


class _TaskData(msgspec.Struct):
    text: str
    url: str
    row: Annotated[int, msgspec.Meta(ge=0)]


class _Result(msgspec.Struct):
    value: Mapping[str, Any]
    type: str = "choices"


class _Annotation(msgspec.Struct):
    result: tuple[_Result, ...] = ()
    was_cancelled: bool = False
    completed_by: Any = None
    updated_at: str = ""


class _Task(msgspec.Struct):
    data: _TaskData
    annotations: tuple[_Annotation, ...] = ()


def to_label_studio(pages: Sequence[Page], matching: Matching, labels: Sequence[Any]) -> bytes:
    """Return a Label Studio import: one task per block that has text on screen, those of corrections with an annotation.

    The other tasks have the site's label as a prediction. `labels` are the site's: one array per page. A project needs a `Choices` control
    named `label` with the choices `content` and `boilerplate`, on a `Text` named `text`.
    """
    tasks = []
    for page, corrected, own in zip(pages, matching.labels, labels, strict=True):
        for row, block in enumerate(page.blocks):
            if block.hidden == "display":
                continue
            task: dict[str, Any] = {"data": {FIELD: block.text, "url": page.final_url or page.url, "row": row}}
            if corrected[row] != UNKNOWN:
                task["annotations"] = [{"result": [_choice(bool(corrected[row] == CONTENT))]}]
            elif own[row] != UNKNOWN:
                task["predictions"] = [{"model_version": "sightread", "result": [_choice(bool(own[row] == CONTENT))]}]
            tasks.append(task)
    return msgspec.json.format(msgspec.json.encode(tasks), indent=1) + b"\n"


def _choice(is_content: bool) -> dict[str, Any]:
    return {"from_name": "label", "to_name": FIELD, "type": "choices", "value": {"choices": [CHOICES[is_content]]}}


def from_label_studio(data: bytes, pages: Sequence[Page], matching: Matching, name: str) -> tuple[Correction, ...]:
    """Return corrections of single blocks from a Label Studio export (JSON), each on the page that its task names.

    What the corrections of the site (`matching`) decide already is passed over: an export that comes back unchanged adds nothing.

    Raises `BadRecord` for another file, and for a task whose block is not on its page: the export belongs to another crawl.
    """
    try:
        tasks = msgspec.json.decode(data, type=tuple[_Task, ...])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{name}: not an export of Label Studio as JSON: {error}; export the project with the format JSON") from error
    rows = {address_of(page.final_url or page.url): row for row, page in enumerate(pages)}
    anchors = anchor_pages(pages)
    names = Names.of(pages)
    found = []
    for number, task in enumerate(tasks, 1):
        answer = _answer(task)
        if answer is None:
            continue
        annotation, is_content = answer
        address = address_of(task.data.url)
        page = rows.get(address)
        if page is None or task.data.row >= len(pages[page].blocks) or pages[page].blocks[task.data.row].text != task.data.text:
            raise BadRecord(f"{name}: task {number} is about a text that is not on {task.data.url}: import it into the crawl it came from")
        anchor = block_anchor(anchors[page], task.data.row, names)
        if matching.labels[page][task.data.row] == (CONTENT if is_content else BOILERPLATE):
            continue
        by = str(annotation.completed_by or "Label Studio")
        found.append(Correction(is_content, "block", anchor, CorrectionScope("page", address), task.data.url, by, annotation.updated_at))
    return tuple(found)


def _answer(task: _Task) -> tuple[_Annotation, bool] | None:
    """Return the last annotation of a task that was not cancelled, and its choice."""
    for annotation in reversed(task.annotations):
        for result in annotation.result:
            chosen = result.value.get("choices")
            if not annotation.was_cancelled and isinstance(chosen, list) and chosen and chosen[0] in CHOICES.values():
                return annotation, chosen[0] == CHOICES[True]
    return None


def to_gold(pages: Sequence[Page], matching: Matching, labels: Sequence[Any]) -> bytes:
    """Return JSON lines, one per page: its URL, one label per block with the corrections applied, and which of them a person gave."""
    lines = []
    for page, corrected, own in zip(pages, matching.labels, labels, strict=True):
        whole = np.where(corrected == UNKNOWN, own, corrected)
        lines.append(
            msgspec.json.encode(
                {
                    "url": page.final_url or page.url,
                    "text": "\n".join(block.text for block, label in zip(page.blocks, whole, strict=True) if label == CONTENT),
                    "labels": whole.tolist(),
                    "by_hand": np.flatnonzero(corrected != UNKNOWN).tolist(),
                }
            )
        )
    return b"\n".join(lines) + b"\n"
