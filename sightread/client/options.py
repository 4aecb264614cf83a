"""Options of the client's methods: the fields of the request models, as keyword arguments."""

from __future__ import annotations

from typing import TypedDict

from render.capture.records import ResourceKind
from render.visit.scrolling import Scroll
from sightread.document.pruning import Part
from sightread.server.requests import AccessRequest, ActionRequest, DeviceRequest, Output


class PageKeywords(TypedDict, total=False):
    """How a page is rendered and read (`sightread.server.requests.PageOptions`)."""

    model: str
    without: tuple[Part, ...]
    outputs: tuple[Output, ...]
    device: DeviceRequest
    javascript: bool
    deadline: float
    wait_for: str
    min_wait: float
    scroll: Scroll
    actions: tuple[ActionRequest, ...]
    block: tuple[ResourceKind, ...]
    access: AccessRequest | None
    whole_page: bool
    keep_selectors: tuple[str, ...]
    drop_selectors: tuple[str, ...]
    max_age: float
