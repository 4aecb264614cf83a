"""Which pages of a site are chosen next, and what a page, a redirect, a list or a failure changes in the state of its crawl."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin

from sightread.crawler.answers import LIMITS, Answer, Change, ListAnswer, PageAnswer, Redirected, Store, Unchanged, WholeSiteOptions
from sightread.crawler.discovery import TRAPS, HeadLinks, head_links, page_key, places_of, robots_directives, trap_sign, words_of
from sightread.crawler.fetch import FORBIDDEN, Robots
from sightread.crawler.journal import ELSEWHERE, OUTSIDE, RobotsRead
from sightread.crawler.rate_limit import LONGEST_WAIT, TRIES
from sightread.crawler.sections import place_of
from sightread.crawler.signatures import LEAST_SIMILARITY, key_of, signature_of, similarity
from sightread.crawler.site_state import (
    NO_CONTENT,
    PER_ATTEMPT,
    RULES,
    Found,
    Kind,
    KnownUrl,
    SiteRow,
    SiteState,
    SourceKind,
    digest_of,
)
from sightread.crawler.urls import is_asset, is_listing, is_template, normalize, site_of
from sightread.render.errors import PageFailed, Retryable, Unusable
from sightread.render.network.address import origin_of
from sightread.render.network.exchange import Received
from sightread.render.network.http import GONE_STATUSES
from sightread.render.page import Page

WINDOW = 16
"""Pages of a site that are chosen ahead; more are chosen when half of them are committed."""
MOST_REMEMBERED = 100_000
"""Links that are passed over because they were met before."""


class Bookkeeping:
    """The state of one site, as its answers change it; called in a thread, one call at a time."""

    def __init__(self, state: SiteState, store: Store, options: WholeSiteOptions, site: SiteRow) -> None:
        self.pending = state.chosen(site.id)
        """The pages under way, in the order in which they are committed."""
        self.robots: dict[str, Robots] = {}
        """By origin; those that are known."""
        self._state, self._store, self._options, self._site = state, store, options, site
        self._known = state.known(site.id)
        self._refused = state.counts(site.id)["skipped"]
        self._is_update = bool(state.fact("round_began"))
        self._met: set[str] = set()
        self._probe = f"sightread-{abs(key_of(site.name)):x}"

    def choose(self) -> str:
        """Choose pages until the window is full; return an origin whose robots.txt is needed before, or nothing."""
        with self._state.transaction():
            if not self._known:
                self._begin()
            while len(self.pending) < WINDOW:
                chosen = {row.id for row in self.pending}
                found = self._state.ready(self._site.id, time.time() + LONGEST_WAIT, 2 * WINDOW)
                found = [row for row in found if row.id not in chosen]
                if not found:
                    break
                for row in found[: WINDOW - len(self.pending)]:
                    origin = origin_of(row.url)
                    is_list = row.kind in ("sitemap", "feed")
                    if not is_list and origin not in self.robots:
                        return origin
                    if is_list or not self._is_left(row, self.robots[origin]):
                        self._state.choose(row)
                        self.pending.append(row)
        return ""

    def commit(self, answered: Sequence[tuple[KnownUrl, Answer]], received: Iterable[Received] = ()) -> list[Change]:
        """Record the answers of the first pages under way in one transaction, and return what became of pages by them."""
        changes: list[Change] = []
        with self._state.transaction():
            for each in received:
                self._archive(each)
            for chosen, answer in answered:
                row = self._state.by_id(chosen.id)
                if row.state == "ready":  # else another address led to it
                    changes += self._settle(row, answer, time.time())
                self._state.forget_choice(row)
            self._state.set_fact("store", self._store.end())
        del self.pending[: len(answered)]
        return changes

    def note_robots(self, origin: str, read: RobotsRead, received: Received) -> None:
        """Record a robots.txt that was requested."""
        with self._state.transaction():
            self._archive(received)
            self._state.set_fact("store", self._store.end())
            self._state.set_robots(origin, read, time.time())

    def _archive(self, received: Received) -> None:
        if received and self._options.archive:
            self._options.archive(received)

    def _begin(self) -> None:
        start, scope = self._site.start, self._options.scope
        if not scope.sitemap:
            self._add(Found(start, page_key(start), "start", serves_links=self._is_beyond(start)), 0, 0)
        probe = urljoin(start, self._probe)
        self._add(Found(probe, key_of(probe), "start", kind="probe"), 0, 0)
        for url in (scope.sitemap,) if scope.sitemap else self.robots[origin_of(start)].sitemaps():
            self._add_list(url, "sitemap", 1, 0)

    def _is_beyond(self, url: str) -> bool:
        """Return whether a page is outside the scope, and may serve for its links alone."""
        scope = self._options.scope
        return bool(scope.refusal(url, scope.within)) or not scope.includes(url)

    def _is_left(self, row: KnownUrl, robots: Robots) -> bool:
        if not robots.allows(row.url):
            self._skip(row, f"{FORBIDDEN} it")
            return True
        if row.document:
            site, is_sampled = self._site, (row.key + row.checks) % RULES.sampled == 0
            is_same = bool(row.lastmod) and row.lastmod == row.lastmod_read and site.announces_changes and not is_sampled
            if is_same:
                self._state.update(row.id, state="read")
            return is_same
        if row.source in VOUCHED or row.attempts or row.first_read:
            return False
        sign = trap_sign(row.url)
        if (
            not sign
            and self._is_linked_within(row)
            and any(self._state.barren(place) >= TRAPS.barren_visits for place in places_of(row.url))
        ):
            sign = f"a trap: {TRAPS.barren_visits} pages in a row at this place had neither text nor links that were new"
        if sign:
            self._skip(row, sign)
        return bool(sign)

    def _settle(self, row: KnownUrl, answer: Answer, now: float) -> Iterator[Change]:
        match answer:
            case PageAnswer() if row.kind == "probe":
                self._take_probe(row, normalize(answer.page.final_url) or row.url, answer.text)
            case Redirected(target) if row.kind == "probe":
                self._take_probe(row, target, "")
            case Unchanged():
                self._state.update(row.id, state="read", checks=row.checks + 1, last_read=now, lastmod_read=row.lastmod, due=0)
                self._note_lastmod(row, has_changed=False)
                if row.kind == "page":
                    yield Change(row.url, "read", document=row.document)
            case Redirected(target):
                yield from self._redirect(row, target, now)
            case ListAnswer():
                self._take_list(row, answer, now)
            case PageAnswer():
                yield from self._take(row, answer, now)
            case _:
                yield from self._fail(row, answer, now)

    def _skip(self, row: KnownUrl, reason: str, **columns: object) -> Change:
        self._state.update(row.id, state="skipped", reason=reason, **columns)
        return Change(row.url, "skipped", reason=reason)

    def _note_lastmod(self, row: KnownUrl, *, has_changed: bool) -> None:
        if row.document and row.lastmod and row.lastmod_read:
            self._state.note_lastmod(row.site, has_changed=has_changed, is_later=row.lastmod > row.lastmod_read)

    # Addresses that are found.

    def _add(self, found: Found, depth: int, parent: int) -> bool:
        if self._known >= self._options.most_known or (found.refusal and self._refused >= LIMITS.refused):
            return False
        is_new = self._state.add(self._site.id, found, depth, parent)
        self._known += is_new
        self._refused += is_new and bool(found.refusal)
        return is_new

    def _add_list(self, url: str, kind: Kind, depth: int, parent: int) -> None:
        if self._state.known(self._site.id, kind) < (LIMITS.feeds if kind == "feed" else LIMITS.sitemaps):
            self._add(Found(url, key_of(f"{kind} {url}"), "feed" if kind == "feed" else "sitemap", kind=kind), depth, parent)

    def _offer(self, row: KnownUrl, urls: Iterable[tuple[str, SourceKind, str]], depth: int) -> bool:
        """Add URLs, each with its source and the reason why it is left out, if they are pages of the site.

        Return whether one is new that is not at the place of the page that names them, or below, nor at one that looks like a trap.
        """
        scope, folders, reveals = self._options.scope, _folders(row.url), False
        if len(self._met) > MOST_REMEMBERED:
            self._met.clear()
        too_deep = f"{depth} links from the start page" if scope.depth is not None and depth > scope.depth else ""
        for url, source, given in urls:
            if site_of(url) != self._site.name or is_asset(url) or is_template(url):
                continue
            refusal = given or too_deep or scope.refusal(url, scope.within)
            is_new = self._add(Found(url, page_key(url), source, refusal=refusal, serves_links=not scope.includes(url)), depth, row.id)
            if is_new and not refusal and not reveals and _folders(url)[: len(folders)] != folders:
                reveals = all(self._state.barren(place) < TRAPS.suspicious_visits for place in places_of(url))
        return reveals

    def _links(self, answer: PageAnswer[Any], declared: HeadLinks, *, follows: bool) -> Iterator[tuple[str, SourceKind, str]]:
        """Yield the addresses that a page names: its canonical address, its versions in other languages, its next part, its links."""
        language = self._options.scope.language
        canonical = normalize(answer.page.canonical)
        if canonical:
            yield canonical, "canonical", ""
        for name, url in declared.alternates:
            is_other = language and name != "x-default" and name.partition("-")[0] != language
            yield url, "alternate", f"its language is {name}, not {language}" if is_other else ""
        yield from ((url, "next", "") for url in declared.next)
        for link in answer.page.links if follows else ():
            is_followed = self._options.follows_nofollow or "nofollow" not in link.rel.lower().split()
            target = normalize(link.url) if is_followed and link.url not in self._met else None
            if is_followed:
                self._met.add(link.url)
            if target:
                yield target, "link", ""

    # What becomes of a page.

    def _take_list(self, row: KnownUrl, answer: ListAnswer, now: float) -> None:
        for entry in answer.pages:
            refusal = self._options.scope.refusal(entry.url, self._options.scope.within)
            source: SourceKind = "feed" if row.kind == "feed" else "sitemap"
            if site_of(entry.url) == self._site.name and not is_asset(entry.url):
                serves_links = not self._options.scope.includes(entry.url)
                found = Found(entry.url, page_key(entry.url), source, entry.modified, refusal=refusal, serves_links=serves_links)
                self._add(found, 1, row.id)
        if row.depth < LIMITS.index_levels:
            for child in answer.sitemaps:
                self._add_list(child.url, "sitemap", row.depth + 1, row.id)
        headers = {"etag": answer.headers.etag, "modified": answer.headers.last_modified}
        self._state.update(row.id, state="read", last_read=now, first_read=row.first_read or now, reason="", **headers)

    def _take_probe(self, row: KnownUrl, final: str, text: str) -> None:
        """Keep what the site answers for an address that does not exist: a text, or a redirect to one for all."""
        if self._probe in final and final != row.url and row.attempts + 1 < TRIES:  # with another scheme or language
            self._state.update(row.id, url=final, attempts=row.attempts + 1)
            return
        self._state.set_signature(row, signature_of(text, final) if self._probe in final else None, is_found=False)
        self._state.update(row.id, state="read", canonical="" if self._probe in final else final)

    def _redirect(self, row: KnownUrl, target: str, now: float) -> Iterator[Change]:
        probe = self._state.probe(row.site)
        if probe and target == probe.canonical and row.source != "start":
            yield from self._fail(row, _lost(f"it leads to {target}, as addresses do that do not exist"), now)
            return
        if site_of(target) != self._site.name:
            yield self._skip(row, f"{ELSEWHERE}{target}")
            return
        key = page_key(target)
        if key == row.key:  # with another scheme, or with the id of a session
            if target == row.url or row.attempts + 1 >= TRIES:
                yield from self._fail(row, Unusable(f"{row.url}: it redirects in circles"), now)
                return
            self._state.update(row.id, url=target, attempts=row.attempts + 1)
            yield Change(row.url, "ready", reason=f"leads to {target}")
            return
        self._offer(row, [(target, "redirect", "")], row.depth)
        other = self._state.by_key(key)
        self._count(row, is_barren=_folders(row.url) == _folders(target))
        if row.document and other and not other.document:
            yield self._move(row, other, now)
            yield self._skip(row, f"moved to {target}", document="")
        else:
            yield self._skip(row, f"leads to {target}")

    def _move(self, row: KnownUrl, other: KnownUrl, now: float) -> Change:
        """Make a document that of another page, under the same name."""
        kept = {name: getattr(row, name) for name in ("document", "digest", "first_read", "checks", "changes")}
        self._state.update(other.id, **kept)
        self._state.update(row.id, document="")
        self._state.set_signature(other, self._state.set_signature(row, None))
        self._state.note_change(other.id, now, "moved", row.url)
        change = Change(row.url, "skipped", "moved", f"moved to {other.url}", row.document)
        self._store.add(change, None)
        return change

    def _take(self, row: KnownUrl, answer: PageAnswer[Any], now: float) -> Iterator[Change]:
        page = answer.page
        final = normalize(page.final_url) or row.url
        if page_key(final) != row.key or site_of(final) != self._site.name:  # a browser follows redirects
            robots = self.robots.get(origin_of(final))
            if robots and site_of(final) == self._site.name and not robots.allows(final):
                yield self._skip(row, f"leads to a page that {FORBIDDEN}: {final}")
                return
            yield from self._redirect(row, final, now)
            other = self._state.by_key(page_key(final))
            if other is None or other.site != row.site or other.state != "ready":
                return
            row = other
        directives = robots_directives(page, answer.headers.robots_tag)
        declared = head_links(answer.html, final) if answer.html else HeadLinks()
        follows = self._options.follows_nofollow or "nofollow" not in directives
        named = () if self._options.scope.is_listed else self._links(answer, declared, follows=follows)
        reveals = self._offer(row, named, row.depth + 1)
        if row.depth <= LIMITS.feed_depth:
            for url in declared.feeds:
                self._add_list(url, "feed", row.depth + 1, row.id)
        digest, words = digest_of(answer.text), digest_of(words_of(answer.text))
        is_barren = digest is None or (words is not None and self._state.has_words(row, words))
        self._count(row, is_barren=not reveals and (is_barren or ("?" in row.url and is_listing(page))))
        canonical = normalize(page.canonical) or ""
        columns = {
            "url": final,
            "etag": answer.headers.etag,
            "modified": answer.headers.last_modified,
            "lastmod_read": row.lastmod,
            "canonical": canonical if canonical and page_key(canonical) != row.key else "",
            "digest": digest,
            "words": words,
            "first_read": row.first_read or now,
            "last_read": now,
            "gone_at": 0,
            "checks": row.checks + bool(row.first_read),
            "due": 0,
        }
        yield from self._store_page(row, answer, self._left_out(row, page, directives, digest), columns, now)

    def _left_out(self, row: KnownUrl, page: Page, directives: frozenset[str], digest: bytes | None) -> str:
        """Return why a page that was read has no document; empty if it has."""
        scope = self._options.scope
        if self._options.skips_noindex and "noindex" in directives:
            return "it declares noindex"
        if self._is_beyond(row.url):
            return LINKS_READ
        language = scope.refuses_language(page)
        return f"{OUTSIDE}{language}" if language else NO_CONTENT if not digest and not row.document else ""

    def _store_page(self, row: KnownUrl, answer: PageAnswer[Any], left_out: str, columns: dict[str, Any], now: float) -> Iterator[Change]:
        if left_out:
            yield self._skip(row, left_out, **columns)
            if left_out == LINKS_READ:  # and again in the next round
                self._state.update(row.id, state="read")
            return
        digest = columns["digest"]
        if lost := self._loss(row, digest, answer.text):
            yield from self._fail(row, _lost(lost), now)
            return
        is_same = digest == row.digest
        twin = None if row.document else self._state.same_text(row, digest)
        near, share = (None, 0.0) if twin or is_same else self._nearest(row, answer.text)
        likeness = "nearly the same text as" if near else "the same text as"
        if near and not row.document and _are_versions(near, row.url, columns["canonical"]):
            twin, near = near, None
        if twin and not twin.gone_at and not _is_better(row.url, twin):
            yield self._skip(row, f"{likeness} {twin.url}", **columns | {"twin": twin.id})
            if len(answer.text) <= TRAPS.longest_look:
                yield from self._look(row, digest, twin, now)
            return
        if near and self._options.skips_near_duplicates and not row.document:
            yield self._skip(row, f"{likeness} {near.url}", **columns | {"twin": near.id})
            return
        if twin:  # which is gone, or a version of this page
            yield self._move(twin, row, now)
            if not twin.gone_at:
                is_declared = ", its canonical address" if twin.canonical == row.url else ""
                self._state.update(twin.id, state="skipped", reason=f"{likeness} {row.url}{is_declared}", twin=row.id)
            row = self._state.by_id(row.id)
        if not is_same:
            columns["twin"] = near.id if near else 0
        change = "new" if not row.document or row.gone_at else "" if digest == row.digest else "changed"
        self._note_lastmod(row, has_changed=change == "changed")
        stored = Change(row.url, "read", change, document=row.document)
        if near:
            stored = stored._replace(near=near.url, similarity=round(share, 2))
        if change or not row.last_read:  # a moved document is that of another address
            named = stored._replace(change=change or "moved")
            stored = stored._replace(document=self._store.add(named, answer.result))
        if change and self._is_update:
            self._state.note_change(row.id, now, change)
        self._state.update(
            row.id, state="read", reason="", document=stored.document, changes=row.changes + (change == "changed"), **columns
        )
        yield stored

    def _loss(self, row: KnownUrl, digest: bytes | None, text: str) -> str:
        """Return why a page is there no more, or never was, though its server sends one; empty if it is there."""
        if not digest:
            return NO_CONTENT
        if self._state.fact(f"look {row.site} {digest.hex()}"):
            return ONE_LOOK
        probe = None if digest == row.digest or row.source == "start" else self._state.probe(row.site)
        lost = self._state.signature(probe) if probe else None
        own = signature_of(text, row.url) if lost else None
        return NO_ADDRESS if lost and own and similarity(lost, own) >= LEAST_SIMILARITY else ""

    def _nearest(self, row: KnownUrl, text: str) -> tuple[KnownUrl | None, float]:
        """Return the page with nearly the text of another, and their similarity; that of a page with a text of its own is kept."""
        signature = signature_of(text)
        near, share = (self._state.nearest(row, signature) if signature else None) or (None, 0.0)
        near = None if near and near.gone_at else near
        self._state.set_signature(row, None if near else signature)
        return near, share

    def _look(self, row: KnownUrl, digest: bytes, first: KnownUrl, now: float) -> Iterator[Change]:
        """Make failures of the pages with a text that addresses without number have: an error page, or a wall."""
        names = {url.partition("?")[0].rstrip("/").rpartition("/")[2] for url in self._state.addresses_of(digest, row.site, MOST_ADDRESSES)}
        if len(names) < TRAPS.one_look or first.digest != digest:
            return
        self._state.set_fact(f"look {row.site} {digest.hex()}", first.url)
        self._state.fail_twins(digest, row.site, ONE_LOOK)
        self._state.set_signature(first, None)
        yield from self._fail(first, _lost(ONE_LOOK), now)

    def _count(self, row: KnownUrl, *, is_barren: bool) -> None:
        if row.source not in VOUCHED and not row.first_read and self._is_linked_within(row):
            self._state.count_barren(places_of(row.url), is_barren=is_barren)

    def _is_linked_within(self, row: KnownUrl) -> bool:
        """Return whether the page that named a URL is in the same first folder: a trap links to itself."""
        folders = _folders(row.url)[:1]
        return bool(folders and row.parent) and _folders(self._state.by_id(row.parent).url)[:1] == folders

    def _fail(self, row: KnownUrl, failure: PageFailed, now: float) -> Iterator[Change]:
        reason = str(failure).removeprefix(f"{row.url}: ")
        if isinstance(failure, Retryable) and row.attempts + 1 < TRIES:
            wait = max(failure.wait, LIMITS.backoff * 2**row.attempts)
            self._state.update(row.id, attempts=row.attempts + 1, rank=row.rank + PER_ATTEMPT, due=now + wait, reason=reason)
            yield Change(row.url, "ready", reason=reason)
            return
        is_gone = bool(row.document) and isinstance(failure, Unusable) and failure.status in GONE_STATUSES
        change = Change(row.url, "gone" if is_gone else "failed", "gone" if is_gone and not row.gone_at else "", reason, row.document)
        self._state.update(row.id, state=change.state, reason=reason, due=0)
        if row.kind != "page":
            return
        if is_gone and row.digest and (twin := self._state.left_twin(row)):
            self._state.update(twin.id, state="ready", rank=row.rank)
            yield self._move(row, twin, now)
            return
        if change.change:
            self._state.note_change(row.id, now, "gone")
            self._state.update(row.id, gone_at=now)
        self._store.add(change, failure)
        yield change


VOUCHED = ("start", "sitemap", "feed")
"""Sources of pages that the site itself names as such: they are never part of a trap."""
LINKS_READ = "read for its links alone"
NO_ADDRESS = "its text is that of an address that does not exist"
ONE_LOOK = "many addresses have its text: an error page, or a wall"
MOST_ADDRESSES = 64
"""Addresses of one text that are compared."""
_PRINT = re.compile(r"(?<=[/?&=])print(?:able|er|version)?(?=[/?&=.]|$)", re.IGNORECASE)


def _lost(reason: str) -> Unusable:
    """Return the failure of a page that is there no more, or never was, as its site does not declare by its status."""
    failure = Unusable(reason)
    failure.status = HTTPStatus.NOT_FOUND
    return failure


def _are_versions(one: KnownUrl, url: str, canonical: str) -> bool:
    """Return whether two pages with nearly the same text are one: as their canonical addresses declare, or since one is to be printed."""
    return url == one.canonical or canonical == one.url or bool(_PRINT.search(one.url)) != bool(_PRINT.search(url))


def _is_better(url: str, than: KnownUrl) -> bool:
    """Return whether the document of a page is kept under the address of its other version."""
    return than.canonical == url or (bool(_PRINT.search(than.url)) and not _PRINT.search(url))


def _folders(url: str) -> tuple[str, ...]:
    return place_of(url.partition("?")[0])
