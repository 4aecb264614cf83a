"""Pages of packages in an index of devpi, each with a document as its description."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.request import Request, urlopen

from benchmarks.sites.applications.served import free_port, running, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_markdown

_BOUNDARY = "tide-boundary"
_INDEX = "root/tide"
"""The user `root` and the name of its index, as devpi's addresses have them."""


def write_devpi(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the metadata of the packages."""
    del theme
    found = [
        {
            ":action": "file_upload",
            "metadata_version": "2.1",
            "name": document.slug,
            "version": _version(document),
            "summary": document.summary,
            "description": f"# {document.title}\n\n{to_markdown(document)}",
            "description_content_type": "text/markdown",
            "author": "Ada Quay",
            "author_email": "ada@example.org",
            "home_page": "https://example.org/",
            "license": ("MIT", "BSD-3-Clause", "GPL-3.0")[number % 3],
            "keywords": ",".join(document.tags),
            "filetype": "sdist",
        }
        for number, document in enumerate(documents)
    ]
    write_text(project / "packages.json", json.dumps(found))


def package_gold(document: SourceDocument) -> str:
    """Return the gold text of a package's page: its heading, its summary and its description."""
    heading = f"{_INDEX}/: {document.slug}-{_version(document)} metadata and description"
    return "\n".join((heading, document.summary, gold_text(document)))


def build_devpi(project: Path) -> None:
    """Start the index, register the packages, and read the page of each."""
    programs, port, folder = project.parents[1].resolve() / "bin", free_port(), project.resolve()
    run_tool([str(programs / "devpi-init"), "--serverdir", "server", "--no-root-pypi"], folder)
    command = [str(programs / "devpi-server"), "--serverdir", "server", "--port", str(port), "--offline-mode"]
    packages = json.loads((folder / "packages.json").read_text("utf-8"))
    root = f"http://127.0.0.1:{port}"
    with running(folder, command, f"{root}/+api", {}):
        answer = _send(f"{root}/+login", "POST", json.dumps({"user": "root", "password": ""}).encode(), {})
        names = {"X-Devpi-Auth": base64.b64encode(f"root:{json.loads(answer)['result']['password']}".encode()).decode()}
        _send(f"{root}/{_INDEX}", "PUT", json.dumps({"type": "stage", "bases": []}).encode(), names)
        for package in packages:
            kind = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
            _send(f"{root}/{_INDEX}/", "POST", _form(package), names | kind)
    pages = {f"{one['name']}.html": f"/{_INDEX}/{one['name']}/{one['version']}" for one in packages}
    save_pages(folder, command, port, pages)


def _version(document: SourceDocument) -> str:
    return f"{document.published.month}.{document.published.day}"


def _form(fields: Mapping[str, str]) -> bytes:
    """Return the fields as a form, with a file of the package."""
    file = f"{fields['name'].replace('-', '_')}-{fields['version']}.tar.gz"
    head = f"--{_BOUNDARY}\r\nContent-Disposition: form-data; name="
    parts = "".join(f'{head}"{name}"\r\n\r\n{value}\r\n' for name, value in fields.items())
    content = gzip.compress(fields["description"].encode(), mtime=0)
    end = f'{head}"content"; filename="{file}"\r\nContent-Type: application/gzip\r\n\r\n'
    return parts.encode() + end.encode() + content + f"\r\n--{_BOUNDARY}--\r\n".encode()


def _send(address: str, method: str, content: bytes, names: Mapping[str, str]) -> bytes:
    """Send a request that only the server's users may send, and return the answer."""
    headers = {"Content-Type": "application/json", "Accept": "application/json", **names}
    with urlopen(Request(address, content, headers, method=method), timeout=60) as answer:
        return bytes(answer.read())
