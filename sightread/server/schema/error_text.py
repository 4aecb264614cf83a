"""The message of an error as callers get it: without paths, hosts and databases of the server, which its log has."""

from __future__ import annotations

import logging

from render.errors import BadRecord, SightreadError, StorageFailed

LOG = logging.getLogger(__name__)


def error_text(error: BaseException | None) -> str:
    """Return the message of an error in one line; for faults of the server's own files who can mend them, and the log has the rest."""
    if isinstance(error, StorageFailed | BadRecord):
        LOG.warning("%s", " ".join(str(error).split()))
        what = "its storage failed" if isinstance(error, StorageFailed) else "one of its files is damaged, or of another version"
        return f"the service cannot do this: {what}; the operator finds the reason in the log"
    return " ".join(str(error).split()) if isinstance(error, SightreadError) else ""
