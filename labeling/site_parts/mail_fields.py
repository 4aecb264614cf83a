"""Header fields of messages, by their looks on all pages of a site."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np

from sightread.labeling.evidence.site_table import SiteTable
from sightread.render.page.array_types import Bools, Rows

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
