"""All errors that sightread raises on purpose, named after what the caller can do; each has an exit code.

    SightreadError
    ├── Rejected            what was given cannot be used: change it              (exit code 2)
    │   ├── BadRecord       a stored file is damaged or of another schema version
    │   ├── Private         an address of this machine or of a private network, which is not allowed
    │   ├── UnknownModel    no model goes by that name
    │   └── WrongCall       an option of `sightread.extract` does not exist; a TypeError too
    ├── PageFailed          one page gave nothing                                 (exit code 3)
    │   ├── Retryable       it may work later: a 5xx, a refused connection
    │   │   ├── TimedOut        not read within its deadline
    │   │   └── BrowserFailed   the browser's fault, not the page's; tried again already
    │   ├── ConditionNotMet its `wait_for` was not met in time                (exit code 6)
    │   └── Unusable        it will not: a 404, a PDF, a page without text
    │       └── Walled          something is in its place: a bot wall, a login, an error page with status 200
    ├── NotTrusted          the job is done and its files are written, but its result is not to be trusted (exit code 5)
    └── Unequipped          this machine lacks something: install it or free it   (exit code 4)
        ├── NoBrowser       no Chromium was found, or none starts
        └── StorageFailed   a full disk, an object store that fails
            └── Unwritable      another try ends the same way: no permission, a file where a folder is needed

The message is one line: what was wrong, where, and what to do, in the words of the Python API. `SightreadError.worded` has it in those of
another caller: the names of options or of a request's fields. Any other exception is a defect of sightread (exit code 70).
"""

from __future__ import annotations

from collections.abc import Callable

OPENS_LOCAL = "; a Reader with egress=Egress(local=True) opens it"
"""Remedy of an address that is not allowed, at the end of the message."""
LONGEST_VALUE = 60
"""Characters of a wrong value that a message repeats."""


def quoted(value: object, most: int = LONGEST_VALUE) -> str:
    """Return a value as messages repeat it: between quotation marks, in one line, shortened, without the escapes of Python.

    Characters that a terminal does not print, or obeys, are shown as `�`.
    """
    text = "".join(sign if sign.isprintable() else " " if sign.isspace() else "�" for sign in str(value))
    return f"'{text if len(text) <= most else text[: most - 1] + '…'}'"


class SightreadError(Exception):
    """Any error raised on purpose; catch it to catch them all."""

    exit_code = 70
    field = ""
    """The field or argument that the message names, such as "RenderOptions: deadline"; empty if it names none."""

    def worded(self, name_of: Callable[[str], str], opens_local: str) -> str:
        """Return the message with the caller's name of the field, and the caller's remedy in place of `OPENS_LOCAL`."""
        text = str(self).replace(OPENS_LOCAL, opens_local)
        return text.replace(self.field, name_of(self.field), 1) if self.field else text


class Rejected(SightreadError):
    """The input cannot be used; another try with the same input ends the same way."""

    exit_code = 2

    def __init__(self, message: str, field: str = "") -> None:
        """With a `field`, the message continues after its name: "is 0: give 1 or more"."""
        super().__init__(f"{field} {message}" if field else message)
        self.field = field


class BadRecord(Rejected):
    """A stored record is damaged, or written under another schema version."""


class Private(Rejected):
    """An address of this machine, of a private network or at an unusual port: only `Egress(local=True)` opens it."""


class UnknownModel(Rejected):
    """No model goes by that name."""


class WrongCall(Rejected, TypeError):
    """An option of `sightread.extract` and its like does not exist. Code that catches TypeError catches it."""


class PageFailed(SightreadError):
    """One page could not be read; others are not affected."""

    exit_code = 3


class Retryable(PageFailed):
    """The page failed this time and may work later."""

    wait: float = 0.0
    """Seconds after which its server allows another request (Retry-After); 0 if it named none."""


class TimedOut(Retryable):
    """The page was not read within its deadline; it may be with a longer one."""


class BrowserFailed(Retryable):
    """The browser failed, not the page: its renderer crashed, or it died or was killed meanwhile."""


class ConditionNotMet(PageFailed):
    """The condition of `RenderOptions.wait_for`, or of the action `WaitFor`, was not met in time."""

    exit_code = 6

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class Unusable(PageFailed):
    """The page is not one that can be read: gone, not HTML, or without text."""

    content_type: str = ""
    """The Content-Type of what came in place of HTML; empty if that was not the reason."""
    status: int = 0
    """The HTTP status that is the reason; 0 for another reason."""


class Walled(Unusable):
    """Something replaces the page; `kind` is "bot", "login", "error" or "scripts" (see `sightread.render.analysis.block_pages`)."""

    def __init__(self, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


class NotTrusted(SightreadError):
    """The job is done and its files are written, but its result is not to be trusted as it is."""

    exit_code = 5


class Unequipped(SightreadError):
    """The machine lacks something that the job needs."""

    exit_code = 4


class NoBrowser(Unequipped):
    """No Chromium was found, or the one found does not start."""


class StorageFailed(Unequipped):
    """Writing failed: the disk is full or the folder cannot be written."""


class Unwritable(StorageFailed):
    """The folder can never be written as it is: choose another, or change its permissions."""
