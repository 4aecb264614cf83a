"""Label constants of blocks, shared by training data, labelers and predictions."""

from __future__ import annotations

CONTENT, BOILERPLATE, UNKNOWN = 1, 0, -1
"""The blocks of a page that no content cluster reaches are unknown, never boilerplate. Unknown blocks are not scored."""
THRESHOLD = 0.5
"""Least probability of a block that is content."""
