"""State of a crawl of whole sites: every known URL with what became of it, in one SQLite file, for a million of them.

Every commit is one transaction, so a kill leaves the state before it or after it. The file is written ahead (WAL): another process may
read it meanwhile. What a method needs does not depend on the number of known URLs.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple, Self

from sightread.crawler.journal import RobotsRead
from sightread.crawler.signatures import LEAST_SIMILARITY, bands_of, similarity
from sightread.render.errors import BadRecord, Rejected, StorageFailed
from sightread.render.network.http import PageHeaders

SCHEMA = 2
Kind = Literal["page", "probe", "sitemap", "feed"]
"""A probe is an address that does not exist: what its site answers is known by it."""
State = Literal["ready", "read", "skipped", "failed", "gone"]
STATES: tuple[State, ...] = ("ready", "read", "skipped", "failed", "gone")
"""Of a URL: to be read; read; left out for a reason; not readable; read once, and no longer there."""
SourceKind = Literal["start", "sitemap", "feed", "link", "next", "canonical", "alternate", "redirect"]
CHANGES = ("new", "changed", "moved", "gone")
NO_CONTENT = "it has no content"
"""The reason why a page is left out that is requested again nevertheless."""
_BASES: dict[Kind, int] = {"sitemap": 0, "feed": 1, "probe": 1, "page": 2}
_MOST_CANDIDATES = 16
"""Pages with a band in common, per band, that a page is compared with."""
AGAIN, LINKS_ALONE, PER_ATTEMPT = 1, 2, 8
"""Ranks: added for a page that is requested again, for one that serves for its links alone, and for each attempt that failed."""
_CACHE = 32_000
"""KiB of the database that are kept in memory."""

_TABLES = """
CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE site(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, start TEXT NOT NULL,
  kept INTEGER NOT NULL DEFAULT 0, missed INTEGER NOT NULL DEFAULT 0, announced INTEGER NOT NULL DEFAULT 0);
CREATE TABLE robots(origin TEXT PRIMARY KEY, status INTEGER NOT NULL, body TEXT NOT NULL, read_at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE page(
  id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, site INTEGER NOT NULL, url TEXT NOT NULL, kind TEXT NOT NULL,
  state TEXT NOT NULL, rank INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, due REAL NOT NULL DEFAULT 0,
  depth INTEGER NOT NULL, source TEXT NOT NULL, parent INTEGER NOT NULL, reason TEXT NOT NULL DEFAULT '',
  etag TEXT NOT NULL DEFAULT '', modified TEXT NOT NULL DEFAULT '',
  lastmod TEXT NOT NULL DEFAULT '', lastmod_read TEXT NOT NULL DEFAULT '', canonical TEXT NOT NULL DEFAULT '',
  digest BLOB, words BLOB, twin INTEGER NOT NULL DEFAULT 0, document TEXT NOT NULL DEFAULT '',
  first_read REAL NOT NULL DEFAULT 0, last_read REAL NOT NULL DEFAULT 0, gone_at REAL NOT NULL DEFAULT 0,
  checks INTEGER NOT NULL DEFAULT 0, changes INTEGER NOT NULL DEFAULT 0);
CREATE INDEX ready ON page(site, rank, id) WHERE state = 'ready';
CREATE INDEX digests ON page(digest, site) WHERE digest IS NOT NULL;
CREATE INDEX word_digests ON page(words, site) WHERE words IS NOT NULL;
CREATE INDEX probes ON page(site) WHERE kind = 'probe';
CREATE INDEX twins ON page(twin) WHERE twin <> 0;
CREATE TABLE signature(page INTEGER PRIMARY KEY, hashes BLOB NOT NULL);
CREATE TABLE band(key INTEGER NOT NULL, page INTEGER NOT NULL, PRIMARY KEY(key, page)) WITHOUT ROWID;
CREATE TABLE history(page INTEGER NOT NULL, at REAL NOT NULL, change TEXT NOT NULL, detail TEXT NOT NULL DEFAULT '');
CREATE INDEX history_at ON history(at);
CREATE TABLE barren(place INTEGER PRIMARY KEY, visits INTEGER NOT NULL);
CREATE TABLE chosen(position INTEGER PRIMARY KEY, site INTEGER NOT NULL, page INTEGER NOT NULL UNIQUE);
CREATE TABLE counts(site INTEGER, kind TEXT, state TEXT, pages INTEGER NOT NULL, PRIMARY KEY(site, kind, state)) WITHOUT ROWID;
CREATE TRIGGER added AFTER INSERT ON page BEGIN
  INSERT INTO counts VALUES(new.site, new.kind, new.state, 1) ON CONFLICT DO UPDATE SET pages = pages + 1;
END;
CREATE TRIGGER settled AFTER UPDATE OF state ON page WHEN old.state <> new.state BEGIN
  UPDATE counts SET pages = pages - 1 WHERE site = old.site AND kind = old.kind AND state = old.state;
  INSERT INTO counts VALUES(new.site, new.kind, new.state, 1) ON CONFLICT DO UPDATE SET pages = pages + 1;
END;
"""


class Found(NamedTuple):
    """A URL that a page, a sitemap or a feed named, in normal form."""

    url: str
    key: int
    source: SourceKind
    lastmod: str = ""
    kind: Kind = "page"
    refusal: str = ""
    """Why it is left out; empty if it is not."""
    serves_links: bool = False


class KnownUrl(NamedTuple):
    """A known URL, with the columns of the table `page` of these names."""

    id: int
    key: int
    site: int
    url: str
    kind: Kind
    state: State
    rank: int
    attempts: int
    due: float
    depth: int
    source: SourceKind
    parent: int
    """The URL that named it; 0 for none."""
    reason: str
    etag: str
    modified: str
    lastmod: str
    lastmod_read: str
    canonical: str
    digest: bytes | None
    twin: int
    """The page with the same text, or nearly so; 0 for none."""
    document: str
    first_read: float
    last_read: float
    gone_at: float
    """When it was there no more; 0 if it is."""
    checks: int
    changes: int

    @property
    def headers(self) -> PageHeaders:
        """The headers with which it was received."""
        return PageHeaders(self.etag, self.modified)


_COLUMNS = ", ".join(KnownUrl._fields)


class SiteRow(NamedTuple):
    """A site of the crawl, and how often its sitemaps announced a change: see `UpdateRules`."""

    id: int
    name: str
    start: str
    kept: int
    missed: int
    announced: int

    @property
    def announces_changes(self) -> bool:
        """Whether a page whose `lastmod` is the same has not changed."""
        return self.announced >= RULES.announced and self.kept >= RULES.kept and self.missed <= RULES.most_missed * self.kept


class UpdateRules(NamedTuple):
    """Which pages are requested again (docs/experiments/crawling.md)."""

    least_probability: float = 0.05
    """A page is requested again if the probability that it has changed since it was read is as high."""
    announced: int = 5
    """Changed pages whose `lastmod` was later too, from which on a `lastmod` is followed."""
    kept: int = 100
    """Pages without change whose `lastmod` was the same, likewise."""
    most_missed: float = 0.005
    """Changed pages with the same `lastmod`, for each of those that were kept."""
    sampled: int = 20
    """Pages with the same `lastmod` of which one is requested in any case."""
    retried: float = 30 * 86_400.0
    """Seconds for which a page that is gone is requested again."""


RULES = UpdateRules()


def change_probability(checks: int, changes: int, seconds: float, since: float) -> float:
    """Return the probability that a page has changed within `since` seconds after it was read, by earlier requests.

    `checks` requests in `seconds` found `changes` changes. The rate is the estimate of Cho and Garcia-Molina ("Estimating frequency of
    change", 2003, section 4.2), with half a change more, since a page without any would never be requested again.
    """
    if checks < 1 or seconds <= 0:
        return 1.0
    rate = -math.log((checks - min(changes, checks) + 0.5) / (checks + 1)) / (seconds / checks)
    return 1 - math.exp(-rate * max(since, 0.0))


def digest_of(text: str) -> bytes | None:
    """Return a digest of the words of a text; None if it has none."""
    words = " ".join(text.split())
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).digest() if words else None


class SiteState:
    """The state, open for one writer; a context manager. Not for several threads at once.

    Raises `BadRecord` for a file that is none or of another version, and `StorageFailed` if it cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        """Keep the state at `path`; in memory without one."""
        self._path = path
        self._database: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        try:
            self._database = sqlite3.connect(self._path or ":memory:", isolation_level=None, check_same_thread=False)
            for pragma in ("journal_mode = WAL", "synchronous = NORMAL", f"cache_size = -{_CACHE}", "temp_store = MEMORY"):
                self._database.execute(f"PRAGMA {pragma}")
            self._database.create_function("change_probability", 4, change_probability, deterministic=True)
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._database.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
            elif version != SCHEMA:
                raise BadRecord(f"{self._path}: version {version}, this sightread reads {SCHEMA}: choose another folder")
        except sqlite3.DatabaseError as error:
            raise self._failure(error) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _failure(self, error: sqlite3.DatabaseError) -> StorageFailed | BadRecord:
        if isinstance(error, sqlite3.OperationalError):
            advice = "free some space if the disk is full, and run the same command again: it continues where it stopped"
            return StorageFailed(f"{self._path}: {error}: {advice}")
        return BadRecord(f"{self._path}: {error}: choose another folder")

    def _run(self, statement: str, *values: object) -> sqlite3.Cursor:
        assert self._database is not None, "the state is not open"
        try:  # some twenty times per page
            return self._database.execute(statement, values)
        except sqlite3.DatabaseError as error:
            raise self._failure(error) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the changes of the block together; none of them if it raises."""
        self._run("BEGIN IMMEDIATE")
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            with suppress(StorageFailed, BadRecord):  # SQLite may have rolled back itself
                self._run("ROLLBACK")
            raise

    def fact(self, name: str, default: str = "") -> str:
        """Return a named value; the default if there is none."""
        found = self._run("SELECT value FROM fact WHERE name = ?", name).fetchone()
        return str(found[0]) if found else default

    def set_fact(self, name: str, value: object) -> None:
        """Keep a named value."""
        self._run("INSERT INTO fact VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", name, str(value))

    def check(self, name: str, value: str, remedy: str) -> None:
        """Keep the value of an option at the first run. Raises `Rejected` if a later one has another."""
        before = self.fact(name, value)
        if before != value:
            raise Rejected(f"{self._path}: its {name} is {before}, not {value}: {remedy}")
        self.set_fact(name, value)

    def add_site(self, name: str, start: str) -> None:
        """Add a site, if it is not there."""
        self._run("INSERT OR IGNORE INTO site(name, start) VALUES(?, ?)", name, start)

    def sites(self) -> list[SiteRow]:
        """Return all sites, in the order in which they were added."""
        return [SiteRow(*row) for row in self._run("SELECT id, name, start, kept, missed, announced FROM site ORDER BY id")]

    def robots(self, origin: str) -> tuple[RobotsRead, float] | None:
        """Return the robots.txt of an origin and the time of its request, if it was read."""
        found = self._run("SELECT status, body, read_at FROM robots WHERE origin = ?", origin).fetchone()
        return (RobotsRead(f"{origin}/", found[0], found[1]), found[2]) if found else None

    def set_robots(self, origin: str, read: RobotsRead, now: float) -> None:
        """Keep a robots.txt."""
        self._run("INSERT OR REPLACE INTO robots VALUES(?, ?, ?, ?)", origin, read.status, read.text, now)

    def add(self, site: int, found: Found, depth: int, parent: int) -> bool:
        """Add a URL, and return whether it was not known. A later `lastmod` of a known one is kept, and makes one that was read ready."""
        rank = _BASES[found.kind] + LINKS_ALONE * found.serves_links
        state = "skipped" if found.refusal else "ready"
        added = self._run(
            "INSERT OR IGNORE INTO page(key, site, url, kind, state, rank, depth, source, parent, reason, lastmod)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(found.key, site, found.url, found.kind, state, rank, depth, found.source, parent, found.refusal, found.lastmod),
        )
        if added.rowcount:
            return True
        if found.source in ("sitemap", "feed"):
            self._run(
                "UPDATE page SET source = ?1, lastmod = max(lastmod, ?2),"
                " rank = CASE WHEN state = 'ready' AND rank = ?4 AND ?2 > lastmod THEN ?5 ELSE rank END,"
                " state = CASE WHEN state IN ('read', 'gone') AND lastmod_read <> '' AND ?2 > lastmod_read THEN 'ready' ELSE state END"
                " WHERE key = ?3 AND (lastmod < ?2 OR source NOT IN ('sitemap', 'feed'))",
                *(found.source, found.lastmod, found.key, _BASES["page"] + AGAIN, _BASES["page"]),
            )
        return False

    def ready(self, site: int, due: float, most: int) -> list[KnownUrl]:
        """Return the URLs that are read next, in their order: attempts, then the order in which they were found."""
        query = f"SELECT {_COLUMNS} FROM page WHERE site = ? AND state = 'ready' AND due <= ? ORDER BY rank, id LIMIT ?"  # noqa: S608
        return [KnownUrl(*row) for row in self._run(query, site, due, most)]

    def choose(self, row: KnownUrl) -> None:
        """Keep that a URL was chosen to be read next, after those that were chosen before."""
        self._run("INSERT INTO chosen(site, page) VALUES(?, ?)", row.site, row.id)

    def chosen(self, site: int) -> list[KnownUrl]:
        """Return the URLs that were chosen and not yet read, in their order."""
        rows = self._run("SELECT page FROM chosen WHERE site = ? ORDER BY position", site).fetchall()
        return [self.by_id(row) for (row,) in rows]

    def forget_choice(self, row: KnownUrl) -> None:
        """Keep that a chosen URL was read."""
        self._run("DELETE FROM chosen WHERE page = ?", row.id)

    def by_id(self, row: int) -> KnownUrl:
        """Return a known URL."""
        return KnownUrl(*self._run(f"SELECT {_COLUMNS} FROM page WHERE id = ?", row).fetchone())  # noqa: S608

    def by_key(self, key: int) -> KnownUrl | None:
        """Return a known URL by its key; None if it is not known."""
        found = self._run(f"SELECT {_COLUMNS} FROM page WHERE key = ?", key).fetchone()  # noqa: S608
        return KnownUrl(*found) if found else None

    def probe(self, site: int) -> KnownUrl | None:
        """Return the address of a site that does not exist, once it was requested."""
        found = self._run(f"SELECT {_COLUMNS} FROM page WHERE kind = 'probe' AND state = 'read' AND site = ?", site).fetchone()  # noqa: S608
        return KnownUrl(*found) if found else None

    def same_text(self, of: KnownUrl, digest: bytes) -> KnownUrl | None:
        """Return the page of the same site that was read, or is gone, with this text."""
        query = f"SELECT {_COLUMNS} FROM page WHERE digest = ? AND site = ? AND id <> ? AND document <> '' LIMIT 1"  # noqa: S608
        found = self._run(query, digest, of.site, of.id).fetchone()
        return KnownUrl(*found) if found else None

    def left_twin(self, of: KnownUrl) -> KnownUrl | None:
        """Return the page of the same site that was left out because it has the same text, or nearly so."""
        query = f"SELECT {_COLUMNS} FROM page WHERE (digest = ? AND site = ? OR twin = ?) AND id <> ? AND state = 'skipped' LIMIT 1"  # noqa: S608
        found = self._run(query, of.digest, of.site, of.id, of.id).fetchone()
        return KnownUrl(*found) if found else None

    def addresses_of(self, digest: bytes, site: int, most: int) -> list[str]:
        """Return addresses of a site that have this text."""
        return [url for (url,) in self._run("SELECT url FROM page WHERE digest = ? AND site = ? LIMIT ?", digest, site, most)]

    def fail_twins(self, digest: bytes, site: int, reason: str) -> None:
        """Make failures of the pages of a site that were left out because of this text."""
        change = "UPDATE page SET state = 'failed', reason = ? WHERE digest = ? AND site = ? AND state = 'skipped'"
        self._run(change, reason, digest, site)

    def signature(self, of: KnownUrl) -> bytes | None:
        """Return the signature of a page; None if it has none of its own."""
        found = self._run("SELECT hashes FROM signature WHERE page = ?", of.id).fetchone()
        return found[0] if found else None

    def set_signature(self, of: KnownUrl, signature: bytes | None, *, is_found: bool = True) -> bytes | None:
        """Keep the signature of a page, or none, and return the one before. Unless `is_found` is False, `nearest` finds the page by it."""
        found = self._run("DELETE FROM signature WHERE page = ? RETURNING hashes", of.id).fetchall()
        before: bytes | None = found[0][0] if found else None
        for key in bands_of(before, of.site) if before else ():
            self._run("DELETE FROM band WHERE key = ? AND page = ?", key, of.id)
        if signature:
            self._run("INSERT INTO signature VALUES(?, ?)", of.id, signature)
            for key in bands_of(signature, of.site) if is_found else ():
                self._run("INSERT OR IGNORE INTO band VALUES(?, ?)", key, of.id)
        return before

    def nearest(self, to: KnownUrl, signature: bytes) -> tuple[KnownUrl, float] | None:
        """Return the page of the same site with nearly the same text, and the similarity of the two; None if there is none."""
        nearest, most = 0, LEAST_SIMILARITY
        for key in bands_of(signature, to.site):
            query = "SELECT page, hashes FROM band JOIN signature USING(page) WHERE key = ? AND page <> ? LIMIT ?"
            for page, hashes in self._run(query, key, to.id, _MOST_CANDIDATES):
                share = similarity(signature, hashes)
                if share > most or (share == most and not nearest):
                    nearest, most = page, share
        return (self.by_id(nearest), most) if nearest else None

    def has_words(self, of: KnownUrl, words: bytes) -> bool:
        """Return whether another page of the site has these words."""
        found = self._run("SELECT 1 FROM page WHERE words = ? AND site = ? AND id <> ? LIMIT 1", words, of.site, of.id)
        return found.fetchone() is not None

    def update(self, row: int, **columns: object) -> None:
        """Change columns of a known URL."""
        self._run(f"UPDATE page SET {', '.join(f'{name} = ?' for name in columns)} WHERE id = ?", *columns.values(), row)  # noqa: S608

    def note_change(self, row: int, now: float, change: str, detail: str = "") -> None:
        """Add to the history of a page."""
        self._run("INSERT INTO history VALUES(?, ?, ?, ?)", row, now, change, detail)

    def note_lastmod(self, site: int, *, has_changed: bool, is_later: bool) -> None:
        """Count a page that was requested again and has a `lastmod`."""
        if has_changed or not is_later:
            column = "kept" if not has_changed else "announced" if is_later else "missed"
            self._run(f"UPDATE site SET {column} = {column} + 1 WHERE id = ?", site)  # noqa: S608

    def count_barren(self, places: Iterable[int], *, is_barren: bool) -> None:
        """Count visits in a row, at each of these places, that brought nothing new."""
        for place in places:
            if is_barren:
                self._run("INSERT INTO barren VALUES(?, 1) ON CONFLICT DO UPDATE SET visits = visits + 1", place)
            else:
                self._run("UPDATE barren SET visits = 0 WHERE place = ?", place)

    def barren(self, place: int) -> int:
        """Return the number of visits in a row at a place that brought nothing new."""
        found = self._run("SELECT visits FROM barren WHERE place = ?", place).fetchone()
        return int(found[0]) if found else 0

    def begin_round(self, now: float) -> None:
        """Make ready what may have changed since it was read: pages by their learned rate of change, sitemaps and feeds in any case."""
        self._run(
            "UPDATE page SET state = 'ready', attempts = 0, due = 0,"
            " rank = CASE kind WHEN 'sitemap' THEN ?1 WHEN 'page' THEN ?3 ELSE ?2 END"
            " WHERE kind <> 'page' AND state IN ('read', 'failed') OR kind = 'page' AND ("
            " (state = 'read' OR state = 'skipped' AND reason = ?7)"
            " AND change_probability(checks, changes, last_read - first_read, ?4 - last_read) >= ?5"
            " OR state = 'failed' OR state = 'skipped' AND reason LIKE 'robots.txt%' OR state = 'gone' AND last_read >= ?4 - ?6)",
            *(_BASES["sitemap"], _BASES["feed"], _BASES["page"] + AGAIN, now, RULES.least_probability, RULES.retried, NO_CONTENT),
        )
        self._run("DELETE FROM robots")
        self.set_fact("round_began", now)

    def changes_since(self, began: float) -> dict[str, int]:
        """Return the number of changes of each kind since a time."""
        found = dict(self._run("SELECT change, count(*) FROM history WHERE at >= ? GROUP BY change", began).fetchall())
        return {change: found.get(change, 0) for change in CHANGES}

    def counts(self, site: int | None = None) -> dict[State, int]:
        """Return the number of pages in each state, of one site or of all."""
        query = "SELECT state, sum(pages) FROM counts WHERE kind = 'page' AND (?1 IS NULL OR site = ?1) GROUP BY state"
        found = dict(self._run(query, site).fetchall())
        return {state: found.get(state, 0) for state in STATES}

    def known(self, site: int, kind: Kind | None = None) -> int:
        """Return the number of known URLs of a site, of one kind or of all."""
        query = "SELECT coalesce(sum(pages), 0) FROM counts WHERE site = ?1 AND (?2 IS NULL OR kind = ?2)"
        return int(self._run(query, site, kind).fetchone()[0])

    def has_unread(self) -> bool:
        """Return whether a URL is ready that was not requested in this round."""
        return self._run("SELECT 1 FROM page WHERE state = 'ready' AND rank < ? LIMIT 1", PER_ATTEMPT).fetchone() is not None

    def listed(self, state: State) -> Iterator[tuple[str, str]]:
        """Yield the URLs in a state with their reasons, in the order in which they were found."""
        yield from self._run("SELECT url, reason FROM page WHERE kind = 'page' AND state = ? ORDER BY id", state)

    def near_duplicates(self) -> int:
        """Return the number of documents with nearly the text of an earlier one."""
        return int(self._run("SELECT count(*) FROM page WHERE twin <> 0 AND state = 'read'").fetchone()[0])

    def wrong_canonicals(self) -> list[tuple[str, int]]:
        """Return the URLs that several pages with other texts declare as their canonical address, with the number of these pages."""
        query = "SELECT canonical, count(*) FROM page WHERE state = 'read' AND canonical <> '' GROUP BY canonical HAVING count(*) > 2"
        return self._run(query).fetchall()
