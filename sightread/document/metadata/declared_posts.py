"""Posts declared in JSON-LD: threads, answers, comments, reviews.

They are the page's posts if its HTML shows no repeated posts; else they add author and time to the posts found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from sightread.render.analysis.fallback_text import text_paragraphs
from sightread.render.analysis.jsonld import MAX_NODES, Node, is_type, linked_nodes, linked_text, many
from sightread.render.page import Page
from sightread.render.text.words import letters

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


def find_declared_posts(scripts: Iterable[str]) -> tuple[DeclaredPost, ...]:
    """Return the posts that the scripts declare, each once, replies after the post that they answer; none without an author or a time.

    A question or a thread without replies is the subject of the page, not a post.
    """
    nodes = list(islice(linked_nodes(scripts), MAX_NODES))
    known = {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1}
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
    """Yield the first letters of the text from the beginning of each line on."""
    of_lines = [letters(line) for line in lines]
    whole = "".join(of_lines)
    place = 0
    for line in of_lines:
        start = whole[place : place + COMPARED_CHARACTERS]
        if line and len(start) >= LEAST_CHARACTERS:
            yield start
        place += len(line)
