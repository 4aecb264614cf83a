"""Where a command writes, refused before it begins: some work for half an hour until they have something to write."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from sightread.render.errors import StorageFailed
from sightread.render.files import storage_errors


def folder(name: str) -> Path:
    """Return the folder of that name, made if it is missing, for argparse. Raises `ArgumentTypeError` if nothing can be written."""
    path = Path(name)
    try:
        with storage_errors(path):
            path.mkdir(parents=True, exist_ok=True)
    except StorageFailed as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise argparse.ArgumentTypeError(f"cannot write {path}: no permission to write there: choose another folder")
    return path


def file(name: str) -> Path:
    """Return the path of a file in a folder where one can write, for argparse. Raises `ArgumentTypeError` otherwise."""
    path = Path(name)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"cannot write {path}: it is a folder: name a file in it")
    if not path.exists():
        folder(str(path.parent))
    return path
