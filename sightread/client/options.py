"""Options of the client's methods: the fields of the request models, as keyword arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypedDict

from sightread.document.tree.nodes import Part
from sightread.render.argument_checks import unknown_option
from sightread.render.capture.records import ResourceKind
from sightread.render.errors import Rejected, WrongCall
from sightread.render.visit.settle import Scroll
from sightread.server.schema.requests import AccessRequest, ActionRequest, DeviceRequest, Output


class PageKeywords(TypedDict, total=False):
    """How a page is rendered and read (`sightread.server.schema.requests.PageOptions`)."""

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


def check_options(method: str, options: Mapping[str, object], *own: str) -> None:
    """Raise `WrongCall` for an option that does not exist, with the nearest; `own` are further parameters of the method."""
    known = (*own, *PageKeywords.__annotations__)
    for name in options:
        if name not in known:
            raise WrongCall(unknown_option(f"Client.{method}", name, known))


def urls_of(method: str, urls: Iterable[str]) -> tuple[str, ...]:
    """Return the URLs. Raises `Rejected` for a single string, whose characters would be taken for URLs."""
    if isinstance(urls, str | bytes) or not isinstance(urls, Iterable):
        raise Rejected(f"Client.{method}: urls is {urls!r:.100}: give a list of URLs; extract reads one")
    return tuple(urls)
