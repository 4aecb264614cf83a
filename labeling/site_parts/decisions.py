"""Decides once per site whether comments, related links, tables of contents, breadcrumbs and bylines are content.

Labels are decided look by look. Whether such a part belongs to the content is a question of the site, not of a look: if nearly all of the
text of its kind has one label on all pages, the rest gets that label too; but for comments that are content, as in a thread, whose dates,
names and buttons keep their own. Comments below a longer article are its readers' and no content, even if they look like it and read like
it, unless the pages declare themselves as discussions. What the user chose overrides any evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sightread.labeling.labels.labels import Choices, PartDecision
from sightread.labeling.site_parts.part_text import part_text
from sightread.render.analysis.jsonld import is_type, linked_nodes
from sightread.render.labels import BOILERPLATE, CONTENT, PART_KINDS, UNKNOWN, PartKind
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Labels
from sightread.render.page.parts import part_blocks

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
    (`sightread.labeling.site_parts.replies`), an array of one value per block for each page. `parts` are those of each page
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
    declare = sum(any(is_type(node, _DISCUSSION) for node in linked_nodes(page.json_ld)) for page in pages)
    return 2 * declare > len(pages)


def _apply(labels: Labels, blocks: Mapping[PartKind, Bools], decisions: Sequence[PartDecision]) -> Labels:
    found = labels.copy()
    for decision in decisions:
        if decision.keep is not None:
            found[blocks[decision.kind] & (labels != UNKNOWN)] = CONTENT if decision.keep else BOILERPLATE
    return found
