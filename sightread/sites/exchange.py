"""Exchange with files: a learned site as one ZIP file, and its corrections as Label Studio tasks or gold labels.

The ZIP file holds the pages, labels, model and evaluation of the version in use, and the corrections. Articles and report are not in it:
they are written again after an import, so that no HTML of another machine is opened here. Models are data with a checksum; nothing in the
file is executed.

A store, a folder or a prefix of an object store, has such a file per version: `example.org@20261128182210.zip`, by the time of its last
page.
"""

from __future__ import annotations

import os
import re
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import msgspec
import numpy as np

from sightread.batch.storage import Storage, open_storage
from sightread.crawler.corpus import Card, Corpus
from sightread.render.errors import BadRecord, Rejected, quoted
from sightread.render.files import storage_errors
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page import Page
from sightread.sites.corrections.anchors import Names, anchor_pages, block_anchor
from sightread.sites.corrections.matching import Matching
from sightread.sites.corrections.records import NAME, Correction, CorrectionScope, address_of
from sightread.sites.folders import SiteFolder, SiteHome, home_folder
from sightread.sites.history import adopt, locked, next_version
from sightread.sites.learn import Site
from sightread.sites.store import LearnedSite

_MEMBER = re.compile(
    r"(aside/)?(corpus\.json|pages\.jsonl\.gz|crawl\.jsonl)|(labels|model|evaluation|student|agreement|corrections)\.json|(aside/)?html/\d+\.html\.gz|pictures/[\w-][\w.-]*\.webp",
    re.ASCII,
)
"""Names of the files that are exchanged."""
_PUBLISHED = re.compile(r"([^/@]+)@(\d{14})\.zip")
NEEDED = ("corpus.json", "pages.jsonl.gz", "labels.json", "model.json", "evaluation.json")
MOST_BYTES = 4 << 30
"""Of all files of an import, unpacked: some hundred times those of 1,000 pages."""
MOST_JSON = 256 << 20
"""Bytes of one JSON file, which is in memory as a whole: labels of 1,000 pages have some megabytes."""
MOST_FILES = 20_000
"""Files of an import: 1,000 pages have as many pictures, or some times that if they are tall."""
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""Time of every member, so that the same site gives the same file."""


def export_site(site: SiteHome, path: Path) -> int:
    """Write the version in use to a ZIP file, and return the number of its files. Raises `Rejected` if it was not learned."""
    with locked(site):
        current = site.current
        missing = [name for name in NEEDED if current is None or not (current.path / name).is_file()]
        if current is None or missing:
            raise Rejected(f"{site.path.name}: there is no {missing[0]}: learn the site first (sightread learn)")
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with storage_errors(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                with zipfile.ZipFile(part, "w") as archive:
                    names = sorted(str(file.relative_to(current.path).as_posix()) for file in current.path.rglob("*") if file.is_file())
                    chosen = [name for name in names if _MEMBER.fullmatch(name)]
                    for name in chosen:
                        kind = zipfile.ZIP_STORED if name.endswith((".gz", ".webp")) else zipfile.ZIP_DEFLATED
                        archive.writestr(zipfile.ZipInfo(name, _MOMENT), (current.path / name).read_bytes(), kind)
                    if current.corrections.is_file():
                        chosen.append(NAME)
                        archive.writestr(zipfile.ZipInfo(NAME, _MOMENT), current.corrections.read_bytes(), zipfile.ZIP_DEFLATED)
                part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    return len(chosen)


def import_site(path: Path, home: Path | None, write: Callable[[Site], object], *, is_replacing: bool = False) -> SiteHome:
    """Put an exported site into use, and return it.

    All files are read, and `write` writes articles and report, before the site is in use: a damaged file, or a killed process, changes
    nothing. Raises `Rejected` for a file that is no export, and for a site that is known already unless `is_replacing`; `BadRecord` for
    damaged contents; `StorageFailed`.
    """
    with _zip_errors(path):
        archive = zipfile.ZipFile(path)
    with archive:
        with _zip_errors(path):
            names = _check_members(path, archive)
            site = SiteHome.of(_start_url(path, archive), home)
        with locked(site):
            if site.current is not None and any(site.current.path.iterdir()) and not is_replacing:
                raise Rejected(f"{site.name} is known already: add --replace to put the import into use, or forget the site first")
            for left in site.path.glob(".import.*"):  # of a process that was killed
                shutil.rmtree(left, ignore_errors=True)
            temporary = site.path / f".import.{os.getpid()}"
            unpacked = temporary / next_version(site).path.name  # articles name their version
            try:
                with _zip_errors(path):
                    _unpack(archive, names, unpacked)
                _check_contents(path, unpacked, write)
                version = adopt(site, unpacked)
                if (version.path / NAME).is_file():
                    (version.path / NAME).replace(version.corrections)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
    return site


KEPT_VERSIONS = 2
"""Newest versions of a site in a store: another machine may be reading the one before."""


def check_store(store: str) -> str:
    """Return the folder or URL of a store, before sites are crawled for it. Raises `StorageFailed` if it cannot be written to."""
    if store:
        open_storage(store).create("store", b"learned sites of sightread\n")
    return store


def publish_site(site: SiteHome, storage: Storage) -> None:
    """Put the version in use into a store, and remove old ones. Raises `Rejected` if it was not learned, and `StorageFailed`."""
    with storage.writing(f"{site.path.name}@{_stamp(site)}.zip") as path:
        export_site(site, path)
    for _, name in _published(storage)[site.path.name][:-KEPT_VERSIONS]:
        storage.remove(name)


def newer_sites(storage: Storage, home: Path | None) -> Iterator[Path]:
    """Yield a temporary file per site of a store whose newest version was crawled after the one in use here: an export to be imported.

    Raises `Rejected` for a store without any, and `StorageFailed`.
    """
    found = _published(storage)
    if not found:
        raise Rejected(f"{storage.path('')}: no learned site is there: name the folder or URL that was given with --store, or a file")
    for key, versions in found.items():
        stamp, name = versions[-1]
        if stamp > _stamp(SiteHome((home or home_folder()) / "sites" / key)) and (content := storage.read(name)) is not None:
            with TemporaryDirectory(prefix="sightread-") as folder:
                path = Path(folder) / name
                path.write_bytes(content)
                yield path


def _stamp(site: SiteHome) -> str:
    """Return when the last page of the version in use was rendered; empty if there is none."""
    if site.current is None or not site.current.model.is_file():
        return ""
    corpus = Corpus.open(site.current.path)
    return re.sub(r"\D", "", corpus.page(len(corpus) - 1).rendered_at[:19])


def _published(storage: Storage) -> dict[str, list[tuple[str, str]]]:
    """Return time and file of the versions of each site in a store, the oldest first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in storage.names(""):
        if member := _PUBLISHED.fullmatch(name.strip("/")):
            found.setdefault(member[1], []).append((member[2], member[0]))
    return found


@contextmanager
def _zip_errors(path: Path) -> Iterator[None]:
    """Raise `Rejected` for the errors of opening and reading a ZIP file; `RuntimeError` is that of an encrypted one."""
    try:
        yield
    except FileNotFoundError as error:
        raise Rejected(f"{path}: there is no such file: check its name") from error
    except OSError as error:
        raise Rejected(f"{path}: cannot be read: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise Rejected(f"{path}: not a ZIP file that sightread sites export wrote: {error}") from error


def _check_members(path: Path, archive: zipfile.ZipFile) -> list[str]:
    members = archive.infolist()
    names = [member.filename for member in members]
    strange = [name for name in names if not _MEMBER.fullmatch(name)]
    missing = [name for name in NEEDED if name not in names]
    if strange or missing or len(set(names)) < len(names):
        what = f"holds {quoted(strange[0], 80)}" if strange else f"has no {missing[0]}" if missing else "holds a file twice"
        raise Rejected(f"{path}: not a file that sightread sites export wrote: it {what}")
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        raise Rejected(f"{path}: not a file that sightread sites export wrote: it is compressed in another way")
    is_large = any(member.file_size > MOST_JSON and member.filename.endswith(".json") for member in members)
    if is_large or len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_BYTES:
        limits = f"{MOST_FILES:,} files of {MOST_BYTES >> 30} GiB, and {MOST_JSON >> 20} MiB of JSON in one"
        raise Rejected(f"{path}: larger than {limits}: learn the site here instead")
    return names


def _check_contents(path: Path, unpacked: Path, write: Callable[[Site], object]) -> None:
    """Read everything, and write articles and report. Raises `BadRecord`."""
    try:
        LearnedSite.load(SiteFolder(unpacked))  # its corrections too
        write(Site.open(unpacked))
    except Rejected as error:
        name = str(error).replace(f"{unpacked}/", "").partition(":")[0].partition(",")[0]
        raise BadRecord(f"{path}: its {name} is damaged: export the site again") from error


def _start_url(path: Path, archive: zipfile.ZipFile) -> str:
    try:
        return msgspec.json.decode(archive.read("corpus.json"), type=Card).start_url
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: its corpus.json is damaged: {error}: export the site again") from error


def _unpack(archive: zipfile.ZipFile, names: list[str], folder: Path) -> None:
    """Write the files; each is no longer than its declared size."""
    for name in names:
        target = folder / name
        with storage_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file)


CHOICES = {True: "content", False: "boilerplate"}
FIELD = "text"
"""Name of the data field, which a Label Studio template names as `$text`."""


class _TaskData(msgspec.Struct):
    text: str
    url: str
    row: Annotated[int, msgspec.Meta(ge=0)]


class _Result(msgspec.Struct):
    value: Mapping[str, Any]
    type: str = "choices"


class _Annotation(msgspec.Struct):
    result: tuple[_Result, ...] = ()
    was_cancelled: bool = False
    completed_by: Any = None
    updated_at: str = ""


class _Task(msgspec.Struct):
    data: _TaskData
    annotations: tuple[_Annotation, ...] = ()


def to_label_studio(pages: Sequence[Page], matching: Matching, labels: Sequence[Any]) -> bytes:
    """Return a Label Studio import: one task per block that has text on screen, those of corrections with an annotation.

    The other tasks have the site's label as a prediction. `labels` are the site's: one array per page. A project needs a `Choices` control
    named `label` with the choices `content` and `boilerplate`, on a `Text` named `text`.
    """
    tasks = []
    for page, corrected, own in zip(pages, matching.labels, labels, strict=True):
        for row, block in enumerate(page.blocks):
            if block.hidden == "display":
                continue
            task: dict[str, Any] = {"data": {FIELD: block.text, "url": page.final_url or page.url, "row": row}}
            if corrected[row] != UNKNOWN:
                task["annotations"] = [{"result": [_choice(bool(corrected[row] == CONTENT))]}]
            elif own[row] != UNKNOWN:
                task["predictions"] = [{"model_version": "sightread", "result": [_choice(bool(own[row] == CONTENT))]}]
            tasks.append(task)
    return msgspec.json.format(msgspec.json.encode(tasks), indent=1) + b"\n"


def _choice(is_content: bool) -> dict[str, Any]:
    return {"from_name": "label", "to_name": FIELD, "type": "choices", "value": {"choices": [CHOICES[is_content]]}}


def from_label_studio(data: bytes, pages: Sequence[Page], matching: Matching, name: str) -> tuple[Correction, ...]:
    """Return corrections of single blocks from a Label Studio export (JSON), each on the page that its task names.

    What the corrections of the site (`matching`) decide already is passed over: an export that comes back unchanged adds nothing.

    Raises `BadRecord` for another file, and for a task whose block is not on its page: the export belongs to another crawl.
    """
    try:
        tasks = msgspec.json.decode(data, type=tuple[_Task, ...])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{name}: not an export of Label Studio as JSON: {error}; export the project with the format JSON") from error
    rows = {address_of(page.final_url or page.url): row for row, page in enumerate(pages)}
    anchors = anchor_pages(pages)
    names = Names.of(pages)
    found = []
    for number, task in enumerate(tasks, 1):
        answer = _answer(task)
        if answer is None:
            continue
        annotation, is_content = answer
        address = address_of(task.data.url)
        page = rows.get(address)
        if page is None or task.data.row >= len(pages[page].blocks) or pages[page].blocks[task.data.row].text != task.data.text:
            raise BadRecord(f"{name}: task {number} is about a text that is not on {task.data.url}: import it into the crawl it came from")
        anchor = block_anchor(anchors[page], task.data.row, names)
        if matching.labels[page][task.data.row] == (CONTENT if is_content else BOILERPLATE):
            continue
        by = str(annotation.completed_by or "Label Studio")
        found.append(Correction(is_content, "block", anchor, CorrectionScope("page", address), task.data.url, by, annotation.updated_at))
    return tuple(found)


def _answer(task: _Task) -> tuple[_Annotation, bool] | None:
    """Return the last annotation of a task that was not cancelled, and its choice."""
    for annotation in reversed(task.annotations):
        for result in annotation.result:
            chosen = result.value.get("choices")
            if not annotation.was_cancelled and isinstance(chosen, list) and chosen and chosen[0] in CHOICES.values():
                return annotation, chosen[0] == CHOICES[True]
    return None


def to_gold(pages: Sequence[Page], matching: Matching, labels: Sequence[Any]) -> bytes:
    """Return JSON lines, one per page: its URL, one label per block with the corrections applied, and which of them a person gave."""
    lines = []
    for page, corrected, own in zip(pages, matching.labels, labels, strict=True):
        whole = np.where(corrected == UNKNOWN, own, corrected)
        lines.append(
            msgspec.json.encode(
                {
                    "url": page.final_url or page.url,
                    "text": "\n".join(block.text for block, label in zip(page.blocks, whole, strict=True) if label == CONTENT),
                    "labels": whole.tolist(),
                    "by_hand": np.flatnonzero(corrected != UNKNOWN).tolist(),
                }
            )
        )
    return b"\n".join(lines) + b"\n"
