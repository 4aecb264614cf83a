"""Label constants of blocks and page types, shared by training data, labelers, models and documents."""

from __future__ import annotations

from typing import Literal, get_args

CONTENT, BOILERPLATE, UNKNOWN = 1, 0, -1
"""The blocks of a page that no content cluster reaches are unknown, never boilerplate. Unknown blocks are not scored."""
THRESHOLD = 0.5
"""Least probability of a block that is content."""

PageType = Literal["article", "collection", "documentation", "forum", "listing", "product", "service"]
"""The page types of WCXB: a collection shows what is for sale or to choose, a listing lists articles, a service is what is left."""
PAGE_TYPES: tuple[PageType, ...] = get_args(PageType)

PartKind = Literal["comments", "related", "contents", "breadcrumbs", "byline"]
"""Parts of a page besides its text (`sightread.render.page.parts`)."""
PART_KINDS: tuple[PartKind, ...] = get_args(PartKind)

Visible = Literal["reachable", "visible", "all"]
"""Which text of a page may be kept: what a person sees or can open, what a person sees without opening anything, or all."""
