"""A browser's own folder on disk: profile, HOME and a file of process ids; removed however the run ended.

The folder is locked (flock) for as long as its maker lives, and the kernel drops the lock with the process. So the next start
distinguishes folders in use from those of killed runs, without comparing process ids, and deletes the latter.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sightread.render.errors import StorageFailed

PREFIX = "sightread-browser-"


@dataclass(frozen=True, slots=True)
class ProfileFolder:
    """One browser's folder. The maker's lock is `lock`, a file descriptor that is not inherited by the browser."""

    folder: Path
    lock: int

    @property
    def profile(self) -> Path:
        """The part that the browser may write: user data, HOME and TMPDIR in one."""
        return self.folder / "profile"

    @property
    def browser_id(self) -> Path:
        """Where `launcher.sh` notes the browser's process id."""
        return self.folder / "browser.pid"

    @property
    def driver_id(self) -> Path:
        """Where `launcher.sh` notes the process id of the browser's parent, the driver."""
        return self.folder / "driver.pid"

    @classmethod
    def make(cls, user: int | None = None) -> Self:
        """Make a folder, its profile owned by `user` (a numeric id) if one is given.

        Raises `StorageFailed` if the temporary folder cannot be written.
        """
        try:
            folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            while (lock := _lock(folder)) is None:  # swept by another start between the two calls
                folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            scratch = cls(folder, lock)
            scratch.profile.mkdir(mode=0o700)
            if user is not None:
                folder.chmod(0o711)  # the other user passes through, and lists nothing
                os.chown(scratch.profile, user, user)
        except OSError as error:
            raise StorageFailed(
                f"{tempfile.gettempdir()}: cannot make the browser's folder: {error.strerror}: free it, or set TMPDIR"
            ) from error
        return scratch

    def remove(self) -> None:
        """Delete the folder and drop the lock. The browser must be dead."""
        _remove(self.folder, self.lock)


def delete_stale_profiles() -> None:
    """Delete the folders of runs that were killed; those of living ones are locked and stay."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # another sweep was faster, or another user's
            if folder.lstat().st_uid == os.geteuid() and (lock := _lock(folder)) is not None:
                _remove(folder, lock)


def _lock(folder: Path) -> int | None:
    """Return a locked descriptor of the folder, or None if another holds the lock or has just deleted the folder."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    except OSError:  # a file system without locks
        os.close(lock)
        raise
    if folder.exists():
        return lock
    os.close(lock)
    return None


def _remove(folder: Path, lock: int) -> None:
    for _ in range(3):  # a file written while the browser died makes the first try fall short
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
    with suppress(OSError):
        os.close(lock)
