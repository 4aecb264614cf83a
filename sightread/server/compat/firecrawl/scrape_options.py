"""The options of a scrape in the Firecrawl API, and what becomes of them: formats, waiting, actions, selectors.

Path patterns of the Firecrawl API, which are regular expressions, as the crawler's patterns, in which `*` is any text.

Regular expressions of callers are not run, since a hostile one takes exponential time. Those that filter paths in practice have an
equivalent: literal text, `.*`, `.+`, classes with a quantifier, `|`, groups, `?`, and anchors. Others are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

import msgspec

from sightread.crawler.urls import LONGEST_PATTERN
from sightread.render.errors import Rejected, quoted
from sightread.render.visit.visit import READING_SHARE
from sightread.server.schema.requests import MOST_DEADLINE, ignored_options, known_options

MOST_PATTERNS = 100
"""Patterns that one list may become, with all its alternatives."""
_SPECIAL = frozenset("\\.*+?()[]{}|^$")
_CLASSES = frozenset("dwsDWS")
ANY = "*"


def path_patterns(option: str, expressions: Iterable[str], *, full_url: bool = False) -> tuple[str, ...]:
    """Return the patterns that fit where one of the regular expressions is found in a path, or in a whole URL. Raises `Rejected`."""
    found: dict[str, None] = {}
    for expression in expressions:
        if len(expression) > LONGEST_PATTERN:
            raise Rejected(f"{option}: {quoted(expression[:100])}…: give {LONGEST_PATTERN} characters at most")
        try:
            found |= dict.fromkeys(_Translation(expression).patterns(full_url))
        except ValueError as error:
            remedy = "use literal text, .*, | and groups"
            raise Rejected(f"{option}: {quoted(expression, 200)} has no equivalent here: {error}: {remedy}") from error
        if len(found) > MOST_PATTERNS:
            raise Rejected(f"{option}: more than {MOST_PATTERNS} alternatives: give fewer")
    return tuple(found)


class _Translation:
    """Recursive descent over one regular expression; every part is a list of alternatives."""

    def __init__(self, expression: str) -> None:
        self._text = expression
        self._place = 0

    def patterns(self, full_url: bool) -> list[str]:
        patterns = []
        for alternative in self._alternatives(depth=0):
            is_start, is_end = alternative.startswith("^"), alternative.endswith("$")
            body = alternative.removeprefix("^").removesuffix("$")
            if "^" in body or "$" in body:
                raise ValueError("^ and $ can only be at its ends")
            if full_url:
                if is_start and not body.startswith(("http://", "https://", ANY)):
                    raise ValueError("an address begins with http:// or https://")
                start = "" if is_start or body.startswith(("http://", "https://")) else "*://*"
            else:
                start = "/" if is_start and not body.startswith(("/", ANY)) else "" if is_start else ANY
            pattern = f"{start}{body}{'' if is_end else ANY}"
            while ANY * 2 in pattern:
                pattern = pattern.replace(ANY * 2, ANY)
            patterns.append(pattern)
        return patterns

    def _alternatives(self, depth: int) -> list[str]:
        if depth > 10:
            raise ValueError("its groups are nested too deeply")
        found: list[str] = []
        branch = [""]
        while self._place < len(self._text):
            sign = self._text[self._place]
            if sign == ")" and depth:
                break
            if sign == "|":
                self._place += 1
                found, branch = found + branch, [""]
                continue
            part = self._quantified(self._part(depth))
            branch = ["".join(pair) for pair in product(branch, part)]
            if len(branch) + len(found) > MOST_PATTERNS:
                raise ValueError(f"it has more than {MOST_PATTERNS} alternatives")
        return list(dict.fromkeys(found + branch))

    def _part(self, depth: int) -> list[str]:
        sign = self._text[self._place]
        self._place += 1
        match sign:
            case "(":
                return self._group(depth)
            case "[":
                return self._class()
            case ".":
                return [ANY]
            case "\\":
                return [self._escape()]
            case "^" | "$":
                return [sign]
            case "*" | "+" | "?" | "{" | ")":
                raise ValueError(f"{sign} has nothing before it")
            case _:
                return [sign]

    def _group(self, depth: int) -> list[str]:
        if self._text.startswith("?:", self._place):
            self._place += 2
        elif self._text.startswith("?", self._place):
            raise ValueError("look-around and named groups")
        inside = self._alternatives(depth + 1)
        if not self._text.startswith(")", self._place):
            raise ValueError("a group is not closed")
        self._place += 1
        return inside

    def _class(self) -> list[str]:
        end = self._text.find("]", self._place + 1)
        if end < 0:
            raise ValueError("[ is not closed")
        self._place = end + 1
        return [ANY]

    def _escape(self) -> str:
        if self._place == len(self._text):
            raise ValueError("it ends in a backslash")
        sign = self._text[self._place]
        self._place += 1
        if sign in _CLASSES:
            return ANY
        if sign in _SPECIAL or not sign.isalnum():
            if sign == ANY:
                raise ValueError("a literal *")
            return sign
        raise ValueError(f"\\{sign}")

    def _quantified(self, part: list[str]) -> list[str]:
        if self._place == len(self._text) or self._text[self._place] not in "*+?{":
            return part
        sign = self._text[self._place]
        self._place += 1
        if sign == "{":
            end = self._text.find("}", self._place)
            if end < 0:
                raise ValueError("{ is not closed")
            self._place = end + 1
        if sign in "*+{" and self._text.startswith("?", self._place):
            self._place += 1  # lazy: the same texts
        if sign == "?":
            return ["", *part]
        return [ANY]


DEFAULT_DEADLINE = 30.0
"""Seconds of a page without `timeout`, as with Firecrawl."""
LONGEST_WAIT = READING_SHARE * MOST_DEADLINE
"""Seconds of the longest deadline in which a page may be waited for."""
PHONE = (390, 844)
"""CSS px of the window for `mobile`: the commonest phone's."""
FORMATS = {
    "markdown": "",
    "html": "html",
    "rawHtml": "page_html",
    "links": "links",
    "images": "images",
    "screenshot": "screenshot",
    "screenshot@fullPage": "screenshot",
    "changeTracking": "change",
}
"""The formats, and what is requested of our own answer for each beside its usual content."""
LANGUAGE_MODEL_FORMATS = frozenset(("json", "extract", "summary", "query", "question", "highlights"))
SCRIPT = "scripts of callers are never run"
ACTION_REASONS = {
    "executeJavascript": SCRIPT,
    "pdf": "no PDF is made",
    "scrape": "the page is read once, after the last action",
}
"""Actions that are passed over, and why."""
SCRAPE_REASONS = {  # an empty reason: nothing is missed, or the official client sends the option with every request
    "origin": "",
    "integration": "",
    "auditMetadata": "",
    "removeBase64Images": "",
    "storeInCache": "",
    "skipTlsVerification": "",
    "blockAds": "",
    "proxy": "requests go out from this service's own address",
    "parsers": "a PDF is read by its text, whole and in no other way",
    "parsePDF": "",
    "fastMode": "every page is rendered",
    "minAge": "an answer is read anew unless maxAge allows one from the cache",
    "jsonOptions": "it needs a language model",
    "extract": "it needs a language model",
    "agent": "it needs a language model",
    "zeroDataRetention": "a scrape is not kept; results of jobs are kept for the time that the operator set",
}


class LocationOption(msgspec.Struct):
    """Where the reader pretends to be."""

    country: str | None = None
    languages: list[str] | None = None


class ChangeTracking(msgspec.Struct):
    """How a page is compared with its last scrape."""

    modes: list[str] = []
    tag: str | None = None


class ScrapeOptions(msgspec.Struct, kw_only=True, rename="camel"):
    """The options of a scrape that have an effect. Times in milliseconds."""

    formats: list[str | dict[str, Any]] | None = None
    headers: dict[str, str] | None = None
    include_tags: list[str] | None = None
    exclude_tags: list[str] | None = None
    only_main_content: bool | None = None
    timeout: float | None = None
    wait_for: float | None = None
    mobile: bool | None = None
    actions: list[dict[str, Any]] | None = None
    location: LocationOption | None = None
    max_age: float | None = None
    change_tracking_options: ChangeTracking | None = None


class OutputRequest(msgspec.Struct, frozen=True):
    """Which parts of a page the caller's answer has."""

    formats: tuple[str, ...] = ("markdown",)
    action_screenshots: int = 0
    """Number of screenshots that the actions requested."""
    has_diff: bool = False
    """Whether what changed is given line by line."""


class _Actions(msgspec.Struct):
    requests: list[dict[str, Any]] = []
    screenshots: int = 0
    warnings: list[str] = []


def page_fields(options: ScrapeOptions) -> tuple[dict[str, Any], OutputRequest, tuple[str, ...]]:
    """Return the fields of `PageOptions`, the parts of the answer, and warnings. Raises `Rejected` for formats of a language model."""
    warnings: list[str] = []
    formats, device = _formats(options.formats, warnings)
    tracking = _tracking(options, warnings)
    actions = _actions(options.actions or ())
    warnings += actions.warnings
    outputs = {FORMATS[name] for name in formats} | {"response"} | ({"screenshot"} if actions.screenshots else set())
    if options.mobile:
        device = {"viewport": PHONE, "mobile": True} | device
    if options.location is not None:
        if options.location.languages:
            device["language"] = options.location.languages[0]
        if options.location.country:
            warnings.append("option 'location.country' is ignored: requests go out from this service's own address")
    fields: dict[str, Any] = {"outputs": sorted(outputs - {""}), "actions": actions.requests}
    if device:
        fields["device"] = device
    fields |= _times(options, sum(action.get("seconds", 0) for action in actions.requests), warnings)
    if options.max_age:
        fields["max_age"] = options.max_age / 1000
    if options.only_main_content is False:
        fields["whole_page"] = True
    fields |= {"keep_selectors": options.include_tags or (), "drop_selectors": options.exclude_tags or ()}
    if options.headers:
        access, kept = _access(options.headers)
        fields["access"] = access
        warnings += kept
    fields |= {"change_tag": tracking.tag} if tracking.tag else {}
    return fields, OutputRequest(formats, actions.screenshots, "git-diff" in tracking.modes), tuple(warnings)


def _tracking(options: ScrapeOptions, warnings: list[str]) -> ChangeTracking:
    """Return how a page is compared: as the format itself declares in v2, and an option of its own in v1."""
    declared = [each for each in options.formats or () if isinstance(each, dict) and each.get("type") == "changeTracking"]
    found = msgspec.convert(declared[0], ChangeTracking) if declared else options.change_tracking_options or ChangeTracking()
    if "json" in found.modes:
        warnings.append("mode 'json' of changeTracking needs a language model: 'git-diff' gives the lines that changed")
    return found


def _times(options: ScrapeOptions, waits: float, warnings: list[str]) -> dict[str, float]:
    """Return deadline and waiting time in seconds; as with Firecrawl, the time that a caller lets the page wait is added to the timeout."""
    wait = (options.wait_for or 0) / 1000
    if wait > LONGEST_WAIT:
        raise Rejected(f"waitFor is {options.wait_for:g}: at most {1000 * LONGEST_WAIT:g} ms, since a page has at most {MOST_DEADLINE:g} s")
    fields = {"min_wait": wait} if wait else {}
    if options.timeout or waits + wait:
        timeout = options.timeout / 1000 if options.timeout else DEFAULT_DEADLINE
        fields["deadline"] = min(timeout + waits + wait, MOST_DEADLINE)
        if timeout > MOST_DEADLINE:
            warnings.append(f"option 'timeout' is taken as {MOST_DEADLINE:g} seconds, the most that one page may have")
    return fields


def unused_options(given: Mapping[str, Any], model: type[msgspec.Struct], more: Mapping[str, str] = {}) -> tuple[str, ...]:
    """Return the warnings for the options of a scrape that have no effect."""
    return ignored_options(given, known_options(model), {**more, **SCRAPE_REASONS})


def _formats(given: Iterable[str | dict[str, Any]] | None, warnings: list[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the names of the formats, each once, and the device options that they require."""
    if given is None:
        return ("markdown",), {}
    formats: dict[str, None] = {}
    device: dict[str, Any] = {}
    for each in given:
        name, options = (each, {}) if isinstance(each, str) else (str(each.get("type", "")), each)
        if name in LANGUAGE_MODEL_FORMATS:
            raise Rejected(
                f"format {quoted(name)} needs a language model, which this service does not have: request markdown and pass it to yours"
            )
        if name not in FORMATS:
            warnings.append(f"format {quoted(name)} is left out: those of this service are {', '.join(FORMATS)}")
            continue
        formats["screenshot" if name.startswith("screenshot") else name] = None
        if name == "screenshot" and not options.get("fullPage"):
            warnings.append("the screenshot shows the full page, not the first screen alone")
        if options.get("viewport"):
            device["viewport"] = (options["viewport"].get("width"), options["viewport"].get("height"))
        if options.get("quality"):
            warnings.append("option 'quality' of the screenshot is ignored")
    return tuple(formats) or ("markdown",), device


def _actions(given: Iterable[dict[str, Any]]) -> _Actions:
    """Return the actions in our terms. Whether the operator allows them is decided where they are done."""
    found = _Actions([], 0, [])
    clicked = ""
    for number, action in enumerate(given, 1):
        match action.get("type"):
            case "wait":
                until = action.get("selector")
                waiting = {"until": until} if until else {"seconds": _milliseconds(action, number) / 1000}
                found.requests.append({"type": "wait", **waiting})
            case "scroll":
                place = action.get("selector") or ("top" if action.get("direction") == "up" else "bottom")
                found.requests.append({"type": "scroll", "to": place})
            case "screenshot":
                found.screenshots += 1
            case "click":
                clicked = str(action.get("selector", ""))
                found.requests.append({"type": "click", "selector": clicked})
            case "write":
                if not clicked:
                    raise Rejected(f"action {number}: write needs a click on its field before it")
                found.requests.append({"type": "type", "selector": clicked, "text": action.get("text", "")})
            case "press":
                found.requests.append({"type": "press", "key": action.get("key", "")})
            case kind:
                reason = ACTION_REASONS.get(str(kind), "it is not known here")
                found.warnings.append(f"action {number} ({quoted(str(kind))}) is passed over: {reason}")
    if found.screenshots:
        found.warnings.append("the screenshots of actions show the page after the last action")
    return found


def _milliseconds(action: Mapping[str, Any], number: int) -> float:
    value = action.get("milliseconds")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise Rejected(f"action {number}: wait needs milliseconds, or a selector")


def _access(headers: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the headers as access to the page's site: cookies as cookies, and those that a device sends left out, with a warning."""
    access: dict[str, Any] = {"headers": {}, "cookies": {}}
    warnings = []
    for name, value in headers.items():
        match name.lower():
            case "cookie":
                pairs = (part.strip().partition("=") for part in value.split(";") if "=" in part)
                access["cookies"] |= {key.strip(): content for key, _, content in pairs}
            case "user-agent" | "accept-language":
                warnings.append(f"header {quoted(name)} is ignored: the browser sends its own")
            case _:
                access["headers"][name] = value
    return access, warnings
