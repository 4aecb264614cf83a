"""All errors that sightread raises on purpose, named after what the caller can do; each has an exit code.

    SightreadError
    ├── Rejected            what was given cannot be used: change it              (exit code 2)
    │   ├── BadRecord       a stored file is damaged or of another schema version
    │   ├── Private         an address that only `--local` allows
    │   ├── UnknownModel    no model goes by that name
    │   └── WrongCall       an argument is missing, unknown or given twice; a TypeError too
    ├── PageFailed          one page gave nothing                                 (exit code 3)
    │   ├── Retryable       it may work later: a 5xx, a refused connection
    │   │   ├── TimedOut        not read within its deadline
    │   │   └── BrowserFailed   the browser's fault, not the page's; tried again already
    │   └── Unusable        it will not: a 404, a PDF, a page without text
    │       └── Walled          something is in its place: a bot wall, a login, an error page with status 200
    ├── NotTrusted          the job is done and its files are written, but its result is not to be trusted (exit code 5)
    └── Unequipped          this machine lacks something: install it or free it   (exit code 4)
        ├── NoBrowser       no Chromium was found, or none starts
        └── StorageFailed   a full disk, an object store that fails
            └── Unwritable      another try ends the same way: no permission, a file where a folder is needed

The message is one line: what was wrong, where, and what to do. Any other exception is a defect of sightread (exit code 70).
"""


class SightreadError(Exception):
    """Any error raised on purpose; catch it to catch them all."""

    exit_code = 70


class Rejected(SightreadError):
    """The input cannot be used; another try with the same input ends the same way."""

    exit_code = 2


class BadRecord(Rejected):
    """A stored record is damaged, or written under another schema version."""


class Private(Rejected):
    """An address of this machine, of a private network or at an unusual port: only `Egress(local=True)`, or --local, opens it."""


class UnknownModel(Rejected):
    """No model goes by that name."""


class WrongCall(Rejected, TypeError):
    """The arguments of a call do not fit its signature: one is missing, unknown or given twice. Code that catches TypeError catches it."""


class PageFailed(SightreadError):
    """One page could not be read; others are not affected."""

    exit_code = 3


class Retryable(PageFailed):
    """The page failed this time and may work later."""


class TimedOut(Retryable):
    """The page was not read within its deadline; it may be with a longer one."""


class BrowserFailed(Retryable):
    """The browser failed, not the page: its renderer crashed, or it died or was killed meanwhile."""


class Unusable(PageFailed):
    """The page is not one that can be read: gone, not HTML, or without text."""


class Walled(Unusable):
    """Something replaces the page; `kind` is "bot", "login", "error" or "scripts" (see `render.analysis.block_pages`)."""

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
