"""Listings: entries of a title and a teaser, several to a page; a collection of bookmarks (Shaarli) and albums of pictures (llgal)."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, part_gold, write_media
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

SHAARLI = Path("/usr/share/shaarli")
TOPICS = ("harbour", "ferries", "maps", "winter", "museum")
_SHAARLI_FILL = """<?php
chdir(__DIR__ . '/shaarli');
require 'autoload.php';
array_map(fn($path) => require_once $path, glob('application/{bookmark/LinkUtils,http/*Utils,Utils}.php', GLOB_BRACE));
$found = new Shaarli\\Bookmark\\BookmarkArray();
foreach (json_decode(file_get_contents('../bookmarks.json'), true) as $id => $one) {
  $bookmark = new Shaarli\\Bookmark\\Bookmark();
  $bookmark->setCreated(new DateTime($one['time']))->setUpdated(new DateTime($one['time']))->setShortUrl(sprintf('tide%02d', $id));
  $bookmark->setId($id)->setUrl($one['address'])->setTitle($one['title'])->setDescription($one['text'])->setTags($one['tags']);
  $bookmark->setPrivate(false);
  $found[] = $bookmark;
}
$found->reorder();
$mutex = new malkusch\\lock\\mutex\\NoMutex();
$settings = new Shaarli\\Config\\ConfigManager();
(new Shaarli\\Bookmark\\BookmarkIO($settings, $mutex))->write($found);
"""


def entries(document: SourceDocument) -> list[tuple[str, str]]:
    """Return the entries of a page: the document itself with its summary, and each of its sections with its first lines."""
    found = [(document.title, document.summary)]
    for part in document.parts:
        lines = [line for line in part_gold(part) if line.strip()]
        if part.kind == "heading":
            found.append((lines[0], ""))
        elif part.kind in ("paragraph", "bullets", "steps", "quote") and (not found[-1][1] or document.slug.startswith("short")):
            title = " ".join(lines[0].split()[:3]).rstrip(".,") if found[-1][1] else found.pop()[0]
            found.append((title, " ".join(lines[:3])))
    return [(title, text) for title, text in found if text]


def entries_gold(document: SourceDocument) -> str:
    """Return the gold text of a page of entries."""
    return "\n".join(line for entry in entries(document) for line in entry)


def write_shaarli(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the bookmarks, those of a document with a tag of their own, and the settings."""
    bookmarks = [
        {
            "address": f"https://{TOPICS[place % 5]}.example.org/{document.slug}/{place}",
            "title": title,
            "text": text,
            "tags": [document.slug, TOPICS[(number + place) % 5], TOPICS[(number + 2 * place + 1) % 5]],
            "time": f"{document.published}T{20 - place:02}:15:00+00:00",
        }
        for number, document in enumerate(documents)
        for place, (title, text) in enumerate(entries(document))
    ]
    write_text(project / "bookmarks.json", json.dumps(bookmarks))
    language = {"ja": "jp"}.get(documents[0].language, documents[0].language)
    settings = {
        "credentials": {"login": "ada", "hash": "none", "salt": "none"},
        "resource": {"theme": theme},
        "general": {"title": NAME, "timezone": "UTC", "enabled_plugins": []},
        "translation": {"language": language if (SHAARLI / f"inc/languages/{language}").is_dir() else "en", "mode": "php"},
        "updates": {"check_updates": False},
        "thumbnails": {"mode": "none"},
    }
    write_text(project / "data/config.json.php", f"<?php /*\n{json.dumps(settings)}\n*/ ?>")
    write_text(project / "fill.php", _SHAARLI_FILL)
    write_text(project / "slugs.json", json.dumps([document.slug for document in documents]))


def build_shaarli(project: Path) -> None:
    """Copy the program beside its data, put the bookmarks in, and read the list of each tag."""
    php = find_program("php")
    if not (SHAARLI / "index.php").is_file():
        raise Rejected("needs Shaarli: apt-get install shaarli php-cli php-gd php-intl php-mbstring")
    folder = project.resolve()
    places = {"/var/lib/shaarli": str(folder), "/var/cache/shaarli": f"{folder}/cache", str(SHAARLI): f"{folder}/shaarli"}
    shutil.copytree(SHAARLI, folder / "shaarli", ignore=shutil.ignore_patterns("cache", "doc", ".htaccess"))
    for path in [*folder.glob("shaarli/*.php"), *folder.glob("shaarli/application/**/*.php")]:
        text = path.read_text("utf-8")
        for old, new in places.items():
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
    for name in ("tmp", "cache", "pagecache"):
        (folder / "cache" / name).mkdir(parents=True)
    run_tool([php, "fill.php"], folder)
    port = free_port()
    pages = {f"{slug}.html": f"/?searchtags={slug}" for slug in json.loads((folder / "slugs.json").read_text("utf-8"))}
    save_pages(folder, ["env", "-C", "shaarli", php, "-S", f"127.0.0.1:{port}"], port, pages)


def write_albums(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an album of pictures per document, each picture with an entry as its caption, and what its page has above and below them."""
    del theme
    write_media(project / "media")
    for number, document in enumerate(documents):
        folder = project / "html" / document.slug
        before, after = documents[number - 1], documents[(number + 1) % len(documents)]
        menu = [
            ("", NAME),
            (f"{documents[0].slug}/", "Albums"),
            (f"{documents[3].slug}/", "Harbour"),
            (f"{documents[8].slug}/", "Guest book"),
        ]
        links = " | ".join(f'<a href="../{path}">{name}</a>' for path, name in menu)
        lines = [f"TITLE: {document.title}", f"INDEXHEAD: <p>{html.escape(document.summary)}</p>", f"INDEXFOOT: <p>{links}</p>"]
        lines += [f"INDEXFOOT: <p>Photographs: Ada Quay, {document.published:%d.%m.%Y}. Tags: {', '.join(document.tags)}.</p>"]
        lines += [f"PREV: {before.title} ---- ../{before.slug}/", f"NEXT: {after.title} ---- ../{after.slug}/"]
        for place, (title, text) in enumerate(entries(document)[1:]):
            picture = f"{document.slug}-{place:02}.png"
            write_atomically(folder / picture, (project / f"media/figure-{(number + place) % FIGURES}.png").read_bytes())
            lines.append(f"IMG: {picture} ---- <b>{html.escape(title)}</b><br />{html.escape(text)}")
        write_text(folder / ".llgal/captions", "\n".join(lines) + "\n")


def build_albums(project: Path) -> None:
    """Write the page of each album."""
    llgal = find_program("llgal")
    for folder in sorted((project / "html").iterdir()):
        options = ["--codeset", "utf-8", "-u", "-s", "--nc", "-L", "--wx", "1000", "--tx", "300", "--ty", "170"]
        run_tool([llgal, *options], folder, {"LANG": "C.UTF-8"})
