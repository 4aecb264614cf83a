"""Posts of a thread, comments and reviews, each with author and time.

They are found by repetition: elements of one class (or of ids that differ only in numbers), each with a text of its own and a name or a
time beside it. Cards that link elsewhere look similar, but their headings are links. A post within a post, as in nested comments, is a
separate post. All is counted over ranges of blocks, so that the work grows only with the page and the names of its classes. Posts declared
in JSON-LD complete or replace them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from sightread.document.formats.markdown import to_markdown
from sightread.document.formats.text import to_text
from sightread.document.tree.builder import build_parts
from sightread.document.tree.nodes import Paragraph
from sightread.render.analysis.fallback_text import text_paragraphs
from sightread.render.analysis.jsonld import MAX_NODES, Node, identified, is_type, linked_nodes, linked_text, many
from sightread.render.labels import PART_KINDS
from sightread.render.page import Page, once
from sightread.render.page.parts import authors_of_blocks, find_parts, is_machine_readable, times_of_blocks
from sightread.render.page.view import block_ranges
from sightread.render.text.words import letters


@dataclass(frozen=True, slots=True)
class PostLimits:
    """Criteria of a post."""

    least_prose_characters: int = 25
    """Characters outside of links: a shorter block is a label or a button, unless the model kept it."""
    full_text_characters: int = 80
    """Characters of text from which on a post counts in full."""
    least_share_of_class: float = 0.6
    least_linked_share: float = 0.8
    """Share of a heading's text in links from which on the heading is a link."""
    most_byline_characters: int = 60
    """A longer block with a name or a time has other content too."""
    most_initials: int = 2
    """Characters shown in place of a picture of the author."""
    many_named_elements: int = 4
    """Number of elements with a sure class name that are posts even without times."""
    least_subject: float = 0.5
    """Text before comments, in units of their mean length: that which they comment on."""


LIMITS = PostLimits()

_POSTS = re.compile(r"comment|repl(?:y|ies)|answer|review|message|discussion", re.IGNORECASE)
_MAYBE = re.compile(r"post|topic|thread|entry", re.IGNORECASE)
"""Class names of posts, and names that are also used for the articles of a blog."""
_NEEDED = ((3, 0.5), (2, 0.5), (2, 0.0))
"""Least number of posts, and least share of them with both a name and a time: with any class name, a possible one, a sure one."""
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Post:
    """One post, comment or review."""

    author: str
    """As shown; empty if the page shows no name."""
    time: str
    """The machine-readable time of the page, such as `2024-05-01T12:00:00Z`, else the time as shown ("3 days ago"); empty if it shows
    none."""
    text: str
    markdown: str
    rows: tuple[int, ...]
    """Rows in `page.blocks` of its text."""
    is_kept: bool
    """Whether any of its text is in the document: comments below an article usually are not."""


@dataclass(frozen=True, slots=True)
class _Member:
    """An element that may be a post: its row, and the blocks from `first` to before `end`."""

    element: int
    first: int
    end: int


def find_posts(page: Page, kept: Iterable[int]) -> tuple[Post, ...]:
    """Return the page's posts in document order; if it shows no repeated posts, those declared in JSON-LD. `kept` are the document's
    rows.
    """
    held = frozenset(kept)
    declared = find_declared_posts(page)
    signs = _AuthorshipSigns(page, held) if len(page.blocks) > 1 else None
    found = tuple(_read(page, signs, members, held)) if signs and (members := signs.best()) else ()
    if not declared:
        return found
    if not found:
        return tuple(_declared_only(page, declared, held))
    likely = matched([post.text for post in found], declared)
    return tuple(_completed(post, match) if match else post for post, match in zip(found, likely, strict=True))


def comment_rows(page: Page, kept: frozenset[int], *, is_forum: bool) -> frozenset[int]:
    """Return the rows of a page's comments: what is in elements named so, their headings too, and the posts on the page.

    A post counts with all of its element, and with the short blocks with a name or a time right before and after it. Posts are no comments
    if almost no text is before them, as in a thread. On the page of a forum, only what is named so beside the posts is comments. `kept`
    are rows that are likely content.
    """
    named = frozenset(np.flatnonzero(find_parts(page) == PART_KINDS.index("comments")).tolist())
    signs = _AuthorshipSigns(page, kept) if len(page.blocks) > 1 else None
    found = signs.post_rows(signs.best()) if signs else ()
    found = found or tuple(filter(None, shown_rows(page, find_declared_posts(page))))
    posts = frozenset(row for rows in found for row in rows)
    if is_forum:
        return named - posts
    before = sum(len(page.blocks[row].text) for row in kept if row < min(posts, default=0))
    length = sum(len(page.blocks[row].text) for row in posts)
    is_thread = before * len(found) < LIMITS.least_subject * length
    return named if is_thread else named | _with_bylines(page, posts)


def _with_bylines(page: Page, posts: frozenset[int]) -> frozenset[int]:
    """Return the rows of posts, and of the short blocks with a name or a time right before and after each."""
    rows = set(posts)
    authors, times = authors_of_blocks(page), times_of_blocks(page)
    is_byline = [
        bool(author or time) and len(block.text) <= LIMITS.most_byline_characters
        for block, author, time in zip(page.blocks, authors, times, strict=True)
    ]
    for edge, step in [*((row, -1) for row in posts), *((row, 1) for row in posts)]:
        at = edge + step
        while 0 <= at < len(page.blocks) and at not in rows and is_byline[at]:
            rows.add(at)
            at += step
    return frozenset(rows)


class _AuthorshipSigns:
    """Signs of authorship of the blocks, and the ranges of blocks of the elements."""

    def __init__(self, page: Page, kept: frozenset[int]) -> None:
        self.page = page
        self.authors, self.times = authors_of_blocks(page), times_of_blocks(page)
        self.prose = [
            bool(
                len(block.text) - block.link_chars >= LIMITS.least_prose_characters
                and len(block.text) > 2 * block.link_chars
                and not block.heading
            )
            for block in page.blocks
        ]
        self.first, self.end = block_ranges(page)
        lengths = (len(block.text) * is_prose for block, is_prose in zip(page.blocks, self.prose, strict=True))
        self.lengths = _sums(lengths)
        self.kept = _sums(row in kept for row in range(len(page.blocks)))
        self.named = _sums(map(bool, self.authors))
        self.timed = _sums(map(bool, self.times))
        self.leading = _sums(
            bool(block.heading and not author and block.link_chars >= LIMITS.least_linked_share * len(block.text))
            for block, author in zip(page.blocks, self.authors, strict=True)
        )

    def best(self) -> list[_Member]:
        """Return the members of the class that is most like posts, in document order; none if no class qualifies."""
        best: list[_Member] = []
        highest = (0.0, 0)
        for name, members in self.groups():
            score = self.score(members, 2 if _POSTS.search(name) else 1 if _MAYBE.search(name) else 0)
            if score > highest:
                best, highest = members, score
        return best

    def text(self, rows: Iterable[int]) -> list[int]:
        """Return the rows but for bylines: short blocks with a name or a time."""
        blocks, most = self.page.blocks, LIMITS.most_byline_characters
        return [row for row in rows if not (self.authors[row] or self.times[row]) or len(blocks[row].text) > most]

    def post_rows(self, members: list[_Member]) -> tuple[tuple[int, ...], ...]:
        """Return the rows of each member with a name or a time beside text."""
        found = []
        for ranges in _own(members):
            own = tuple(row for first, end in ranges for row in range(first, end))
            if any(self.prose[row] for row in self.text(own)) and any(self.authors[row] or self.times[row] for row in own):
                found.append(own)
        return tuple(found)

    def groups(self) -> Iterator[tuple[str, list[_Member]]]:
        """Yield the elements of each class, and those whose ids differ in numbers alone, two at least, in document order."""
        found: dict[tuple[str, str], list[int]] = {}
        for row, element in enumerate(self.page.elements):
            if self.first[row] < self.end[row]:
                for name in dict.fromkeys(f".{_DIGITS.sub('0', name)}" for name in element.classes):
                    found.setdefault((element.tag, name), []).append(row)
                if element.id and _DIGITS.search(element.id):
                    found.setdefault((element.tag, f"#{_DIGITS.sub('0', element.id)}"), []).append(row)
                if element.tag in ("article", "li") and not element.classes:
                    found.setdefault((element.tag, str(element.parent)), []).append(row)
        for (_, name), rows in found.items():
            if len(rows) > 1:
                yield (
                    name,
                    sorted((_Member(row, self.first[row], self.end[row]) for row in rows), key=lambda member: (member.first, -member.end)),
                )

    def score(self, members: list[_Member], certainty: int) -> tuple[float, int]:
        """Return a score of how much elements are like posts: signs of authorship beside text; of equals, their share of the page.

        `certainty` is the certainty of their class name. Elements of which nothing is in the document count half.
        """
        good = both = with_text = cards = 0
        score = 0.0
        for ranges in _own(members):
            counted = (self.lengths, self.named, self.timed, self.leading, self.kept)
            length, named, timed, leading, kept = (sum(int(sums[end] - sums[first]) for first, end in ranges) for sums in counted)
            if not length:
                continue
            with_text += 1
            cards += leading > 0
            good += bool(named or timed)
            both += bool(named and timed)
            score += (bool(named) + bool(timed)) * min(1.0, length / LIMITS.full_text_characters) * (1.0 if kept else 0.5)
        needed, of_both = _NEEDED[certainty]
        if (
            good < needed
            or good < LIMITS.least_share_of_class * with_text
            or 2 * cards > with_text
            or (both < of_both * good and not (certainty and good >= LIMITS.many_named_elements))
        ):
            return 0.0, 0
        return score, sum(member.end - member.first for member in members)


def _read(page: Page, signs: _AuthorshipSigns, members: list[_Member], kept: frozenset[int]) -> Iterator[Post]:
    found = []
    for member, ranges in zip(members, _own(members), strict=True):
        own = [row for first, end in ranges for row in range(first, end)]
        names = [name for row in own if (name := signs.authors[row])]
        times = [time for row in own if (time := signs.times[row])]
        text = signs.text(own)
        body = [row for row in text if row in kept] or [row for row in text if signs.prose[row]]
        if body and (names or times):
            author = next((name for name in names if len(name) > LIMITS.most_initials), next(iter(names), ""))
            found.append((member.element, body, author, next(filter(is_machine_readable, times), next(iter(times), ""))))
    parts = build_parts(page, [(element, body) for element, body, _, _ in found])
    for (_, body, author, time), nodes in zip(found, parts, strict=True):
        yield Post(author, time, to_text(nodes), to_markdown(nodes), tuple(body), any(row in kept for row in body))


def _declared_only(page: Page, declared: Sequence[DeclaredPost], kept: frozenset[int]) -> Iterator[Post]:
    for post, rows in zip(declared, shown_rows(page, declared), strict=True):
        nodes = [Paragraph((paragraph,)) for paragraph in post.paragraphs]
        yield Post(post.author, post.time, to_text(nodes), to_markdown(nodes), rows, any(row in kept for row in rows))


def _completed(post: Post, declared: DeclaredPost) -> Post:
    """Return a post completed from JSON-LD if the page shows nothing, or only "3 days ago".

    If the declared author is another person, the post only quotes the declared one.
    """
    names = [name.casefold() for name in (post.author, declared.author)]
    if not (names[0] in names[1] or names[1] in names[0]):
        return post
    time = post.time if is_machine_readable(post.time) or not declared.time else declared.time
    return replace(post, author=post.author or declared.author, time=time)


def _own(members: list[_Member]) -> Iterator[list[tuple[int, int]]]:
    """Yield the ranges of blocks of each member outside of members nested in it; the members are sorted, outermost first."""
    inner: list[list[_Member]] = [[] for _ in members]
    above: list[int] = []
    for place, member in enumerate(members):
        while above and members[above[-1]].end <= member.first:
            above.pop()
        if above:
            inner[above[-1]].append(member)
        above.append(place)
    for member, held in zip(members, inner, strict=True):
        edges = [member.first, *(edge for each in held for edge in (each.first, each.end)), member.end]
        yield [(first, end) for first, end in list(pairwise(edges))[::2] if first < end]


def _sums(values: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.fromiter(values, np.int64))])


# Posts declared in JSON-LD: threads, answers, comments, reviews. They are the page's posts if its HTML shows no repeated posts; else they
# add author and time to the posts found.


POSTS = re.compile(r"DiscussionForumPosting|SocialMediaPosting|Question|Answer|Comment|UserComments|\w*Review")
"""Types that are posts; of other types (an article, a product) the comments and reviews are."""
_BELOW = ("acceptedAnswer", "suggestedAnswer", "comment", "review", "reviews")
_TIMES = ("dateCreated", "datePublished", "uploadDate", "dateModified")
COMPARED_CHARACTERS = 40
"""Letters and digits at the beginning of two texts that must agree."""
LEAST_CHARACTERS = 12
"""Least number of them: fewer occur in many posts."""


@dataclass(frozen=True, slots=True)
class DeclaredPost:
    """A declared post: author and time as written, either may be empty, and its paragraphs."""

    author: str
    time: str
    paragraphs: tuple[str, ...]


@once
def find_declared_posts(page: Page) -> tuple[DeclaredPost, ...]:
    """Return the posts that JSON-LD declares, each once, replies after the post that they answer; none without an author or a time.

    A question or a thread without replies is the subject of the page, not a post.
    """
    nodes = linked_nodes(page)
    known = identified(nodes)
    found: dict[tuple[str, ...], DeclaredPost] = {}
    answers = 0
    for node, depth in islice(_below(nodes), MAX_NODES):
        paragraphs = tuple(text_paragraphs(node)) if is_type(node, POSTS) else ()
        author = linked_text(node.get("author"), known) or linked_text(node.get("creator"), known)
        time = next((text for name in _TIMES if (text := linked_text(node.get(name), {}))), "")
        if paragraphs and (author or time) and paragraphs not in found:
            found[paragraphs] = DeclaredPost(author, time, paragraphs)
            answers += depth > 0
    return tuple(found.values()) if answers or len(found) > 1 else ()


def matched(texts: Sequence[str], declared: Iterable[DeclaredPost]) -> list[DeclaredPost | None]:
    """Return for each text the declared post of which a line begins as a line of the text does; None if there is none or several."""
    starts: dict[str, DeclaredPost | None] = {}
    for post in declared:
        for start in _starts(post.paragraphs):
            starts[start] = None if starts.get(start, post) is not post else post
    found = []
    for text in texts:
        likely = (starts.get(start) for start in _starts(text.split("\n")))
        found.append(next(filter(None, likely), None))
    return found


def shown_rows(page: Page, declared: Iterable[DeclaredPost]) -> list[tuple[int, ...]]:
    """Return for each declared post the rows of the blocks in which the page shows it; empty if it does not."""
    shown = [letters(block.text) for block in page.blocks]
    whole = "".join(shown)
    begins: dict[str, int] = {}
    for row, place in enumerate(accumulate(map(len, shown), initial=0)):
        begins.setdefault(whole[place : place + COMPARED_CHARACTERS], row)
    return [_rows(letters("".join(post.paragraphs)), shown, begins) for post in declared]


def _rows(text: str, shown: Sequence[str], begins: dict[str, int]) -> tuple[int, ...]:
    row = begins.get(text[:COMPARED_CHARACTERS], -1) if len(text) >= LEAST_CHARACTERS else -1
    rows: list[int] = []
    place = 0
    while 0 <= row < len(shown) and place < len(text) and text.startswith(shown[row], place):
        rows += [row] if shown[row] else []
        place += len(shown[row])
        row += 1
    return tuple(rows)


def _below(nodes: Iterable[Node]) -> Iterator[tuple[Node, int]]:
    """Yield the objects, each followed by its replies, with their depth."""
    pending = [(node, 0) for node in reversed(list(nodes))]
    while pending:
        node, depth = pending.pop()
        yield node, depth
        below = (value for name in _BELOW for value in many(node.get(name)) if isinstance(value, dict))
        pending += reversed([(value, depth + 1) for value in below])


def _starts(lines: Iterable[str]) -> Iterator[str]:
    of_lines = [letters(line) for line in lines]
    whole = "".join(of_lines)
    place = 0
    for line in of_lines:
        start = whole[place : place + COMPARED_CHARACTERS]
        if line and len(start) >= LEAST_CHARACTERS:
            yield start
        place += len(line)
