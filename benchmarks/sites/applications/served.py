"""Sites of applications that answer requests: started on this machine, read page by page, and stopped.

A page is kept as the application writes it, with its style sheets and pictures beside it and without its scripts, which would ask the
application; links among the pages lead to the files.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from urllib.parse import urldefrag, urljoin, urlsplit
from urllib.request import urlopen

import lxml.html

from benchmarks.sites.layout import write_text
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

STARTING = 40.0
"""Seconds until the application must answer."""
ANSWER = 60.0
"""Seconds for one answer: the first may have to compile templates."""
_STYLE_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]+)['\"]?\s*\)")


def free_port() -> int:
    """Return a port of this machine that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def save_pages(
    project: Path, command: Sequence[str], port: int, pages: Mapping[str, str], paths: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Run the application and write its pages to `html`.

    `pages` gives the address of each file below the root; `paths` are further variables of the environment. Raises `Rejected` if it
    does not start or does not have a page.
    """
    root = f"http://127.0.0.1:{port}"
    with running(project, command, urljoin(root, next(iter(pages.values()), "/")), paths):
        saved = _Saved(root, project / "html", {urljoin(root, address): name for name, address in pages.items()})
        for name, address in pages.items():
            saved.page(name, urljoin(root, address))


@contextmanager
def running(project: Path, command: Sequence[str], first: str, paths: Mapping[str, str]) -> Iterator[None]:
    """Run the application for as long as the context lasts; entering waits until it answers at the address `first`.

    Raises `Rejected` if it does not start.
    """
    with (project / "application.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=project, env=os.environ | paths, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
        try:
            until = time.monotonic() + STARTING
            while not _answers(first):
                if process.poll() is not None or time.monotonic() > until:
                    raise Rejected(f"{Path(command[0]).name} does not serve pages")
                time.sleep(0.2)
            yield
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)  # a program may be started by a script, which alone would end
            process.wait()


def _answers(address: str) -> bool:
    """Return whether the application listens and has read its data: some listen before, and have no pages yet."""
    parts = urlsplit(address)
    with socket.socket() as probe:
        if probe.connect_ex((parts.hostname or "", parts.port or 0)):
            return False
    try:
        return bool(_read(address))
    except Rejected:
        return False


class _Saved:
    """Pages and resources written to a folder."""

    def __init__(self, root: str, folder: Path, pages: Mapping[str, str]) -> None:
        self._root, self._folder, self._pages = root, folder, pages
        self._files: dict[str, str] = {}

    def page(self, name: str, address: str) -> None:
        """Write a page, and what it shows."""
        text = _read(address).decode("utf-8")
        tree = lxml.html.document_fromstring(text[text.index("<html") :] if text.startswith("<?xml") else text, base_url=address)
        for element in tree.xpath("//script | //link[not(@rel='stylesheet')] | //base | //meta[@charset]"):
            element.drop_tree()
        head = tree.find("head")
        if head is None:
            tree.insert(0, head := lxml.html.Element("head"))
        head.insert(0, lxml.html.Element("meta", charset="utf-8"))  # the application names it in its answer, not always in the page
        for element in tree.xpath("//link[@href] | //img[@src]"):
            attribute = "src" if element.tag == "img" else "href"
            element.set(attribute, self._resource(urljoin(address, element.get(attribute))))
        for element in tree.xpath("//img[@srcset]"):
            del element.attrib["srcset"]
        for element in tree.xpath("//style"):
            element.text = self._style(element.text or "", address, "files/")
        for element in tree.xpath("//a[@href]"):
            if found := self._pages.get(urldefrag(urljoin(address, element.get("href"))).url):
                element.set("href", found)
        write_text(self._folder / name, f"<!DOCTYPE html>\n{lxml.html.tostring(tree, encoding='unicode')}")

    def _resource(self, address: str) -> str:
        """Return the address below the folder of what is written of a resource; its own if it is not there or elsewhere."""
        if not address.startswith(self._root):
            return address
        if address not in self._files:
            self._files[address] = address
            try:
                content = _read(address)
            except Rejected:
                return address
            kind = PurePosixPath(urlsplit(address).path).suffix
            if kind in (".css", ".php"):
                kind, content = ".css", self._style(content.decode("utf-8", "replace"), address, "").encode()
            name = f"files/{hashlib.sha256(content).hexdigest()[:16]}{kind}"
            write_atomically(self._place(name), content)
            self._files[address] = name
        return self._files[address]

    def _style(self, text: str, address: str, above: str) -> str:
        """Return a style sheet with the addresses of the files, and write these."""

        def written(found: re.Match[str]) -> str:
            if found[1].startswith(("data:", "#")):
                return found[0]
            name = self._resource(urljoin(address, found[1]))
            return f"url({above}{name.removeprefix('files/')})" if name.startswith("files/") else f"url({name})"

        return _STYLE_ADDRESS.sub(written, text)

    def _place(self, name: str) -> Path:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def _read(address: str) -> bytes:
    try:
        with urlopen(address, timeout=ANSWER) as answer:
            return bytes(answer.read())
    except OSError as error:
        raise Rejected(f"{address}: {error}") from error
