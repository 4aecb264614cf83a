"""Wikis: MediaWiki and DokuWiki, as Debian packages them, started with PHP's own server; zim's export."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import convert, find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument
from sightread.render.errors import Rejected

MEDIAWIKI = Path("/usr/share/mediawiki")
DOKUWIKI = Path("/usr/share/dokuwiki")
_MEDIAWIKI_SETTINGS = """
$wgRestrictDisplayTitle = false;
$wgJobRunRate = 0;
$wgDefaultSkin = "vector-2022";
wfLoadSkin( "Vector" );
"""
_DOKUWIKI_SETTINGS = "<?php $conf['title'] = %r; $conf['useacl'] = 0; $conf['lang'] = %r; $conf['savedir'] = %r; $conf['updatecheck'] = 0;"


def write_mediawiki(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the text of the pages, which show the documents' titles instead of their own names."""
    del theme
    write_text(project / "language", documents[0].language)
    for document in documents:
        tags = "".join(f"[[Category:{tag.title()}]]\n" for tag in document.tags)
        text = re.sub("<(/?)syntaxhighlight[^>]*>", r"<\1pre>", convert(document, "mediawiki"))  # that is an extension's
        write_text(project / f"pages/{document.slug}.txt", f"{{{{DISPLAYTITLE:{document.title}}}}}\n{text}\n{tags}")


def build_mediawiki(project: Path) -> None:
    """Set the wiki up with a database in a file, put the pages in, and read them."""
    php = find_program("php")
    if not MEDIAWIKI.is_dir():
        raise Rejected("needs MediaWiki: apt-get install mediawiki php-cli php-sqlite3")
    port, names = free_port(), sorted((project / "pages").glob("*.txt"))
    script = [php, str(MEDIAWIKI / "maintenance/install.php"), "--dbtype=sqlite", f"--dbpath={project}/data", f"--confpath={project}"]
    script += ["--scriptpath=", f"--server=http://127.0.0.1:{port}", f"--lang={(project / 'language').read_text()}"]
    (project / "data").mkdir()
    run_tool([*script, "--dbname=wiki", "--pass=quay-ada-1854", NAME, "Ada"], project)
    settings = project / "LocalSettings.php"
    settings.write_text(settings.read_text("utf-8") + _MEDIAWIKI_SETTINGS, "utf-8")
    put = [php, str(MEDIAWIKI / "maintenance/importTextFiles.php"), "--conf", str(settings), "--overwrite"]
    run_tool([*put, *(str(path) for path in names)], project)
    pages = {f"{path.stem}.html": f"/index.php?title={path.stem.capitalize()}" for path in names}
    command = [php, "-S", f"127.0.0.1:{port}", "-t", str(MEDIAWIKI)]
    save_pages(project, command, port, pages, {"MW_CONFIG_FILE": str(settings)})


def write_dokuwiki(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages, and a side bar with some of them."""
    del theme
    for folder in ("pages", "attic", "cache", "index", "locks", "media", "media_attic", "media_meta", "meta", "tmp", "log"):
        (project / "data" / folder).mkdir(parents=True)
    for document in documents:
        text = f"====== {document.title} ======\n\n{convert(document, 'dokuwiki', '--shift-heading-level-by=0')}"
        write_text(project / f"data/pages/{document.slug}.txt", text)
    write_text(project / "data/pages/sidebar.txt", "\n".join(f"  * [[{document.slug}|{document.title}]]" for document in documents[:8]))
    write_text(project / "language", documents[0].language)


def build_dokuwiki(project: Path) -> None:
    """Copy the wiki beside its pages, and read them."""
    if not DOKUWIKI.is_dir():
        raise Rejected("needs DokuWiki: apt-get install dokuwiki php-cli php-xml")
    shutil.copytree(DOKUWIKI, project / "wiki", ignore=shutil.ignore_patterns(".htaccess"))
    shutil.copytree("/etc/dokuwiki", project / "conf", ignore=shutil.ignore_patterns("local.php", "plugins.local.php"))
    language = (project / "language").read_text()
    write_text(project / "conf/local.php", _DOKUWIKI_SETTINGS % (NAME, language, f"{project}/data"))
    folders = {"DOKU_CONF": "conf/", "DOKU_MAIN_CONF": "conf/"}
    lines = "".join(f"define('{name}', '{project}/{folder}');" for name, folder in folders.items())
    write_text(project / "wiki/inc/preload.php", f"<?php {lines}")
    port, names = free_port(), sorted((project / "data/pages").glob("*-*.txt"))
    pages = {f"{path.stem}.html": f"/doku.php?id={path.stem}" for path in names}
    save_pages(project, [find_program("php"), "-S", f"127.0.0.1:{port}", "-t", str(project / "wiki")], port, pages)


def write_zim(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a notebook."""
    del theme
    write_text(project / "notebook/notebook.zim", f"[Notebook]\nversion=0.4\nname={NAME}\nhome=Home\n")
    for document in documents:
        head = "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n"
        write_text(project / f"notebook/{document.slug}.txt", f"{head}\n====== {document.title} ======\n\n{convert(document, 'zimwiki')}")


def build_zim(project: Path) -> None:
    """Export the notebook with the template that has an index at the side."""
    options = ["--export", "--format=html", "--template=Default_with_index", f"--output={project}/html", "--index-page=index"]
    run_tool([find_program("zim"), *options, str(project / "notebook")], project)
