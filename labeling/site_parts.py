"""Parts of pages besides their text: headlines, datelines, header fields of messages, comments, and what is decided of them per site.

Bylines and datelines of a site.

A byline is in the container of the article without being about it, so relevance is no evidence for it. Those that no class names are
found by their look over all pages, in any language: short lines, each with a year, an age ("2 days ago") or a time, whose other words
recur on other pages.

Decides once per site whether comments, related links, tables of contents, breadcrumbs and bylines are content.

Labels are decided look by look. Whether such a part belongs to the content is a question of the site, not of a look: if nearly all of the
text of its kind has one label on all pages, the rest gets that label too; but for comments that are content, as in a thread, whose dates,
names and buttons keep their own. Comments below a longer article are its readers' and no content, even if they look like it and read like
it, unless the pages declare themselves as discussions. What the user chose overrides any evidence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice

import numpy as np

from sightread.labeling.evidence import SiteTable
from sightread.labeling.labels import Choices, PartDecision
from sightread.labeling.slots import SINGLE, find_single, font_scale, pages_and_blocks
from sightread.render.analysis.jsonld import is_type, linked_nodes
from sightread.render.labels import BOILERPLATE, CONTENT, PART_KINDS, UNKNOWN, PartKind
from sightread.render.page import Block, Page
from sightread.render.page.array_types import Bools, Labels, Rows
from sightread.render.page.parts import part_blocks
from sightread.render.page.view import enclosing
from sightread.render.text.words import both_parts, letters, words

LEAST_BEFORE_COMMENTS = 0.9
"""Share of the other content that is before the first comment of its page where comments are an article's: a thread's posts are among
them, or little text is outside of them."""


@dataclass(slots=True)
class PartText:
    """The text of one kind of part on the labelled pages that have it, and the content beside it; in characters."""

    pages: int = 0
    characters: int = 0
    content: int = 0
    """Of `characters`."""
    others: int = 0
    """Content outside of such parts."""
    others_before: int = 0
    """Of `others`, before the first such part of the page."""

    @property
    def share(self) -> float:
        """The share of content, 0 to 1."""
        return self.content / max(self.characters, 1)

    @property
    def is_behind(self) -> bool:
        """Whether nearly all of the other content is before the parts, if there is any."""
        return self.others > 0 and self.others_before >= LEAST_BEFORE_COMMENTS * self.others

    @property
    def is_below_article(self) -> bool:
        """Whether the parts are shorter than the other content, and behind nearly all of it."""
        return self.characters < self.others and self.is_behind


def part_text(pages: Sequence[Page], labels: Sequence[Labels], blocks: Sequence[Bools]) -> PartText:
    """Return how much text of a kind of part there is."""
    found = PartText()
    for page, of_page, is_part in zip(pages, labels, blocks, strict=True):
        rows = np.flatnonzero(is_part & (of_page != UNKNOWN))
        if not len(rows):
            continue
        length = np.array([len(block.text) for block in page.blocks])
        content = length * (of_page == CONTENT)
        others = content * ~is_part
        found.pages += 1
        found.characters += int(length[rows].sum())
        found.content += int(content[rows].sum())
        found.others += int(others.sum())
        found.others_before += int(others[: rows[0]].sum())
    return found


_MAIL_FIELD = re.compile(r"(from|to|cc|reply-to|sender|subject|date|message-id|in-reply-to|references)\s*:", re.IGNORECASE)
MESSAGE_FIELDS = frozenset({"from", "date", "subject"})
"""Header fields that a page of a message has."""
LEAST_FIELD_SHARE = 1 / 3
"""Share of a look's blocks that are such fields, from which on all are: archives list answers and neighbours beside them."""
LEAST_MESSAGES = 0.5
"""Share of the pages with these fields from which on the site is an archive of mail."""


def find_mail_fields(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are of a look of header fields of messages, as archives of mail show them (RFC 5322, section 3.6).

    Shape (blocks,). Sender, date and subject, each in a block of its own, are on half of the pages: one memorandum among articles is text.
    """
    name = [_MAIL_FIELD.match(table.block(row).text) for row in range(len(table.page))]
    on_page: defaultdict[int, set[str]] = defaultdict(set)
    for page, found in zip(table.page.tolist(), name, strict=True):
        if found:
            on_page[page].add(found[1].lower())
    messages = [page for page, names in on_page.items() if names >= MESSAGE_FIELDS]
    is_archive = len(messages) >= LEAST_MESSAGES * len(table.pages)
    fields = np.array([is_archive and found is not None for found in name], np.bool_) & np.isin(table.page, messages)
    return np.asarray((np.bincount(look, fields) / np.maximum(np.bincount(look), 1))[look] >= LEAST_FIELD_SHARE)


@dataclass(frozen=True, slots=True)
class DatelineRules:
    """When a look is one of datelines: of an article, or of each post of a thread. Shares are 0 to 1."""

    longest: int = 200
    """Characters."""
    dated: float = 0.8
    """Share of its blocks with a year, an age or a time."""
    recurring: float = 0.5
    """Share of the other words that are on `fewest_pages` different pages in this look."""
    fewest_pages: int = 3
    years: tuple[int, int] = (1990, 2040)
    most_blocks_in_cell: int = 12
    """A cell of a table that holds more lays out the page."""
    lowest_heading: int = 5
    """Heading level from which on a heading may be a dateline: themes style bylines as h5 and h6."""


DATELINE = DatelineRules()
_NO_DATELINE = frozenset({"dd", "dt", "pre", "code", "figcaption", "caption", "blockquote"})
"""Tags whose text belongs to the content though it holds a year: definitions, code, captions, quotations."""
_CELLS = frozenset({"td", "th"})
"""Tags whose text is a dateline only if it holds the time of day too: forums lay their posts out as tables, other tables have years."""
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_TIME_OF_DAY = re.compile(r"(?<!\d)\d{1,2}:[0-5]\d(?!\d)")
_TIME_ALONE = re.compile(r"\W*\d{1,2}:[0-5]\d(?::[0-5]\d)?(?:\s*[ap]\.?m\.?)?\W*", re.IGNORECASE)
"""The time of a line in a chat."""
_AGE = re.compile(
    r"\d[\w\s,]{0,200}?(?:\b(?:ago|geleden|fa|temu|назад|тому|önce|पहले)\b|[前전])|\b(?:vor|il y a|hace|há|منذ|לפני)\s+\d", re.IGNORECASE
)
"""The age of an article in the commonest languages: "2 years, 10 months ago", "vor 3 Tagen", "3 天前"."""


def find_bylines(table: SiteTable, look: Rows, parts: Sequence[Mapping[PartKind, Bools]]) -> tuple[Bools, Bools]:
    """Return which blocks are bylines or breadcrumbs by the names of their elements, and which are datelines by their `look`.

    Shape (blocks,) each. `parts` are those of each page (`sightread.render.page.parts.part_blocks`). Breadcrumbs end with the page's title,
    so relevance is no evidence for them either.
    """
    named = np.concatenate([np.zeros(0, np.bool_), *(of_page["byline"] | of_page["breadcrumbs"] for of_page in parts)])
    dated = np.concatenate([np.zeros(0, np.bool_), *map(_dated_lines, table.pages)])
    share = np.bincount(look, dated) / np.maximum(np.bincount(look), 1)
    datelines = np.zeros(len(dated), np.bool_)
    for number in np.flatnonzero(share >= DATELINE.dated).tolist():
        rows = np.flatnonzero(look == number)
        datelines[rows] = _recurs(table, rows)
    return named, datelines


def _dated_lines(page: Page) -> Bools:
    """Return which blocks are short lines with a year, an age, a declared time, or the time of day alone; shape (blocks,)."""
    cell = enclosing(page, _CELLS)
    blocks = Counter(cell[block.element] for block in page.blocks)
    in_data = (cell[block.element] >= 0 and blocks[cell[block.element]] <= DATELINE.most_blocks_in_cell for block in page.blocks)
    content = enclosing(page, _NO_DATELINE)
    return np.array(
        [content[block.element] < 0 and _is_dated(block, is_data) for block, is_data in zip(page.blocks, in_data, strict=True)], np.bool_
    )


def _is_dated(block: Block, in_data: bool) -> bool:
    if block.hidden or 0 < block.heading < DATELINE.lowest_heading or len(block.text) > DATELINE.longest:
        return False
    low, high = DATELINE.years
    is_timed = any(mark.kind == "time" for mark in block.inlines) or _AGE.search(block.text) is not None
    is_timed = is_timed or _TIME_ALONE.fullmatch(block.text) is not None
    if not (is_timed or any(low <= int(year) <= high for year in _YEAR.findall(block.text))):
        return False
    return not in_data or _TIME_OF_DAY.search(block.text) is not None


def _recurs(table: SiteTable, rows: Rows) -> bool:
    """Return whether most words of the blocks, but for numbers, are on other pages too in the same look."""
    pages = table.original[table.page[rows]].tolist()
    of_block = [{word for word in words(table.block(row).text) if not word.isdigit()} for row in rows]
    on: defaultdict[str, set[int]] = defaultdict(set)
    for page, found in zip(pages, of_block, strict=True):
        for word in found:
            on[word].add(page)
    recurring = sum(len(on[word]) >= DATELINE.fewest_pages for found in of_block for word in found)
    return len(set(pages)) >= DATELINE.fewest_pages and recurring >= DATELINE.recurring * sum(map(len, of_block))


@dataclass(frozen=True, slots=True)
class HeadlineRules:
    """When a look is that of the headlines. Shares are 0 to 1."""

    share_of_blocks: float = 0.5
    """Share of its blocks that repeat their page's title."""
    share_of_pages: float = 0.5
    """Share of the pages that have it, each with another text."""
    different: float = 0.8
    """Texts of a look per page, from which on it may hold headlines that repeat no title: the name of the site is one text."""


HEADLINE = HeadlineRules()


def find_headlines(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are headlines, shape (blocks,): headings that repeat the titles, else those of one look without a heading's tag.

    Most blocks of the look repeat the title of their page, which is another on each page, and they are on most pages. Without the tag they
    are larger than the text of the body too, and no links. Where no title is repeated, headlines are headings of the first level of one
    look that is once on each page, each with another text.
    """
    repeats = np.concatenate([np.zeros(0, np.bool_), *map(_repeats_title, table.pages)])
    blocks = [block for page in table.pages for block in page.blocks]
    size = np.bincount(look)
    fewest_pages = HEADLINE.share_of_pages * len(set(table.original.tolist()))
    largest, found, headings = 1.0, np.zeros(len(blocks), np.bool_), np.zeros(len(blocks), np.bool_)
    for number in np.flatnonzero(np.bincount(look, repeats) >= HEADLINE.share_of_blocks * size).tolist():
        rows = np.flatnonzero(look == number)
        if min(len({int(table.original[table.page[row]]) for row in rows}), len(set(table.text[rows].tolist()))) < fewest_pages:
            continue
        if blocks[rows[0]].heading:
            headings |= look == number
            continue
        scale = font_scale(table.pages[table.page[rows[0]]], blocks[rows[0]])
        if scale > largest and table.outside_links[rows].sum() * 2 > table.length[rows].sum():
            largest, found = scale, look == number
    if headings.any() or found.any():
        return headings if headings.any() else found
    return _first_headings(table, look)


def _first_headings(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are headings of the first level of one look, that with most text, once on most pages and different on each."""
    level = np.array([block.heading for page in table.pages for block in page.blocks], np.int8)
    pages, _ = pages_and_blocks(table, look)
    is_candidate = (level == 1) & find_single(table, look) & (pages >= SINGLE.share_of_pages * len(set(table.original.tolist())))[look]
    texts = {number: len(set(table.text[look == number].tolist())) / pages[number] for number in np.unique(look[is_candidate]).tolist()}
    length = {number: int(table.length[look == number].sum()) for number, share in texts.items() if share >= HEADLINE.different}
    return look == max(length, key=lambda number: length[number]) if length else np.zeros(len(look), np.bool_)


def _repeats_title(page: Page) -> Bools:
    """Return which visible blocks equal the page's title, or a part of it, ignoring case and punctuation."""
    titles = {letters(part) for title in page.titles for part in both_parts(title)} - {""}
    longest = 2 * max(map(len, page.titles), default=0)
    return np.array([not block.hidden and len(block.text) <= longest and letters(block.text) in titles for block in page.blocks], np.bool_)


MOST_REPLIES = 0.5
"""Share of the other content's characters up to which comments without a name are an article's: the answers to a question are longer."""
LEAST_PAGES_BEHIND = 0.75
"""Share of the pages with such entries on which they are behind the other content."""


def find_replies(table: SiteTable, look: Rows, datelines: Bools, content: Bools) -> Bools:
    """Return which blocks are in comments without a name below an article, shape (blocks,).

    Entries with one dateline of a look each are comments if they are behind nearly all of the other content on most pages that have them,
    and much shorter than it. The posts of a thread are most of its text; a front may have whole articles with their comments.
    """
    found = np.zeros(len(look), np.bool_)
    labels = table.by_page(content.astype(np.int8))
    for number in np.unique(look[datelines]).tolist():
        lines: defaultdict[int, list[int]] = defaultdict(list)
        for row in np.flatnonzero(datelines & (look == number)):
            lines[int(table.page[row])].append(table.block(row).element)
        entries = {page: _entries(table.pages[page], of_page) for page, of_page in lines.items()}
        if sum(map(bool, entries.values())) < DATELINE.fewest_pages:
            continue
        kinds = {_kind(table.pages[page], entry) for page, of_page in entries.items() for entry in of_page}
        for page in (page for page, of_page in lines.items() if len(of_page) == 1):
            above = table.pages[page].ancestors(lines[page][0])
            alike = (element for element in above if _kind(table.pages[page], element) in kinds)
            entries[page] = set(islice(alike, 1))  # the nearest
        masks = [_inside(page, entries.get(row, set())) for row, page in enumerate(table.pages)]
        if _are_comments(table.pages, labels, masks):
            found |= np.concatenate(masks)
    return found


def _are_comments(pages: Sequence[Page], labels: Sequence[Labels], masks: Sequence[Bools]) -> bool:
    """Return whether entries are behind the other content on most pages that have them, and much shorter than it on these pages."""
    texts = [part_text([page], [of_page], [mask]) for page, of_page, mask in zip(pages, labels, masks, strict=True) if mask.any()]
    behind = [text for text in texts if text.is_behind]
    is_short = sum(text.characters for text in behind) <= MOST_REPLIES * sum(text.others for text in behind)
    return is_short and len(behind) >= LEAST_PAGES_BEHIND * len(texts)


def _entries(page: Page, datelines: Sequence[int]) -> set[int]:
    """Return the largest elements that hold one of the datelines each; none if there is one dateline."""
    if len(datelines) < 2:
        return set()
    above = [page.ancestors(element) for element in datelines]
    held = Counter(element for of_line in above for element in of_line)
    return {max((element for element in of_line if held[element] == 1), key=of_line.index) for of_line in above if held[of_line[0]] == 1}


def _kind(page: Page, element: int) -> tuple[str, tuple[str, ...], str]:
    """Return the tag and the classes of an element, and its parent's tag."""
    own = page.elements[element]
    return own.tag, own.classes, page.elements[own.parent].tag if own.parent >= 0 else ""


def _inside(page: Page, elements: Set[int]) -> Bools:
    """Return which blocks are in one of the elements."""
    if not elements:
        return np.zeros(len(page.blocks), np.bool_)
    return np.array([not elements.isdisjoint(page.ancestors(block.element)) for block in page.blocks], np.bool_)


MIXED_PARTS = frozenset({"comments"})
"""Kinds that are content look by look: the posts of a thread have dates, names and buttons beside their text."""
CLEAR_SHARE = 0.8
"""Share of the text of a kind with one label from which on the rest gets that label; between, each look keeps its own."""
_DISCUSSION = re.compile("DiscussionForumPosting")


def decide_parts(
    pages: Sequence[Page],
    labels: Sequence[Labels],
    choices: Choices,
    replies: Sequence[Bools] = (),
    parts: Sequence[Mapping[PartKind, Bools]] | None = None,
) -> tuple[tuple[PartDecision, ...], tuple[Labels, ...]]:
    """Return a decision for each kind that is on the pages or was chosen, and the labels that follow from them.

    Pages without labels count for nothing and stay as they are. `replies` are the comments of a site on which none has a name
    (`find_replies`), an array of one value per block for each page. `parts` are those of each page
    (`sightread.render.page.parts.part_blocks`), looked for here if they are not given.
    """
    parts = [part_blocks(page) for page in pages] if parts is None else parts
    is_unnamed = len(replies) > 0 and not any(of_page["comments"].any() for of_page in parts)
    if is_unnamed:
        parts = [{**of_page, "comments": mask} for of_page, mask in zip(parts, replies, strict=True)]
    decisions = []
    for kind in PART_KINDS:
        text = part_text(pages, labels, [of_page[kind] for of_page in parts])
        if kind in choices:
            decisions.append(PartDecision(kind, choices[kind], text.pages, text.share, is_chosen=True))
        elif text.pages:
            is_mixed = kind in MIXED_PARTS
            below_article = is_mixed and (is_unnamed or text.is_below_article) and not _are_discussions(pages)
            keep = True if text.share >= CLEAR_SHARE and not is_mixed else False if text.share <= 1 - CLEAR_SHARE or below_article else None
            decisions.append(PartDecision(kind, keep, text.pages, text.share, below_article=below_article))
    return tuple(decisions), tuple(_apply(of_page, blocks, decisions) for of_page, blocks in zip(labels, parts, strict=True))


def _are_discussions(pages: Sequence[Page]) -> bool:
    """Return whether most pages declare a discussion (schema.org): its first post may be longer than all comments."""
    declare = sum(any(is_type(node, _DISCUSSION) for node in linked_nodes(page)) for page in pages)
    return 2 * declare > len(pages)


def _apply(labels: Labels, blocks: Mapping[PartKind, Bools], decisions: Sequence[PartDecision]) -> Labels:
    found = labels.copy()
    for decision in decisions:
        if decision.keep is not None:
            found[blocks[decision.kind] & (labels != UNKNOWN)] = CONTENT if decision.keep else BOILERPLATE
    return found
