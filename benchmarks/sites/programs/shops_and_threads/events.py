"""Events: meetings with a timetable (Indico), with its database (PostgreSQL) and its cache (Redis)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, part_gold, part_html
from sightread.render.errors import Rejected

STARTING = 30.0
"""Seconds until the database must answer."""
_LOCALES = {"en": "en_GB", "de": "de_DE", "fr": "fr_FR", "es": "es_ES", "zh": "zh_Hans_CN"}
"""Locales of Indico; in other languages its own words are English."""
_SETTINGS = """
SQLALCHEMY_DATABASE_URI = 'postgresql://postgres@/site?host=%(services)s'
REDIS_CACHE_URL = 'unix://%(services)s/redis.socket'
CELERY_BROKER = 'redis://127.0.0.1:1/0'
SECRET_KEY = 'known to all: this site is read once and thrown away'
BASE_URL = 'http://127.0.0.1:%(port)d'
DEFAULT_TIMEZONE, DEFAULT_LOCALE = 'UTC', '%(locale)s'
CACHE_DIR = TEMP_DIR = LOG_DIR = '%(project)s/files'
STORAGE_BACKENDS, ATTACHMENT_STORAGE = {'default': 'fs:%(project)s/files'}, 'default'
NO_REPLY_EMAIL = SUPPORT_EMAIL = PUBLIC_SUPPORT_EMAIL = 'ada@example.org'
"""
_FILL = """
import json
from datetime import datetime, timedelta, timezone
from indico.web.flask.app import make_app
documents = json.load(open("documents.json"))
with make_app().test_request_context():
    from indico.core.db import db
    from indico.core.db.sqlalchemy.descriptions import RenderMode
    from indico.modules.categories import Category
    from indico.modules.events.contributions.operations import create_contribution
    from indico.modules.events.models.events import EventType
    from indico.modules.events.operations import create_event
    from indico.modules.users import User
    user = User(first_name="Ada", last_name="Quay", email="ada@example.org")
    db.session.add(user)
    db.session.flush()
    category = Category.get_root()
    category.title = %r
    addresses = {}
    for number, document in enumerate(documents):
        start = datetime.fromisoformat(document["published"] + "T09:00:00+00:00")
        length, talks = timedelta(minutes=45), document["talks"]
        event = create_event(category, EventType.meeting, {"title": document["title"], "description": document["about"], "creator": user,
          "start_dt": start, "end_dt": start + length * max(2, len(talks)), "timezone": "UTC",},
          add_creator_as_manager=False)
        event.contact_emails = ["ada@example.org"]
        db.session.commit()  # the numbers of its talks are counted in another session
        for place, (title, text) in enumerate(talks):
            create_contribution(event, {"title": title, "description": text, "render_mode": RenderMode.html, "duration": length,
              "start_dt": start + place * length})
        addresses[document["slug"]] = "/event/%%d/" %% event.id
    db.session.commit()
json.dump(addresses, open("addresses.json", "w"))
"""
_SERVER = """
import sys
from indico.web.flask.app import make_app
from werkzeug.serving import run_simple
run_simple("127.0.0.1", int(sys.argv[1]), make_app(), threaded=True)
"""


def write_indico(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write meetings: a document's sections are talks, what is before them is the meeting's description."""
    del theme
    written = []
    for document in documents:
        talks: list[tuple[str, list[str]]] = [("", [])]
        for part in document.parts:
            if part.kind == "heading":
                talks.append((part_gold(part)[0], []))
            else:
                talks[-1][1].append(part_html(part))
        texts = [(title, "".join(parts)) for title, parts in talks]
        written.append(
            {"slug": document.slug, "title": document.title, "published": str(document.published), "about": texts[0][1], "talks": texts[1:]}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "locale.txt", _LOCALES.get(documents[0].language, "en_GB"))
    write_text(project / "fill.py", _FILL % NAME)
    write_text(project / "server.py", _SERVER)


def build_indico(project: Path) -> None:
    """Start the services, fill the database and read the pages."""
    programs, port, folder = project.parents[1].resolve() / "bin", free_port(), project.resolve()
    paths = {"INDICO_CONFIG": str(folder / "indico.conf")}
    (folder / "files").mkdir()
    cache = [find_program("redis-server"), "--port", "0", "--unixsocket", "redis.socket", "--save", ""]
    with database(folder, cache) as services:
        extensions = "CREATE EXTENSION unaccent; CREATE EXTENSION pg_trgm"
        run_tool(["psql", "-h", services, "-U", "postgres", "site", "-c", extensions], folder)
        locale = (folder / "locale.txt").read_text("utf-8")
        write_text(folder / "indico.conf", _SETTINGS % {"services": services, "port": port, "project": folder, "locale": locale})
        run_tool([str(programs / "indico"), "db", "prepare"], folder, paths)
        run_tool([str(programs / "python"), "fill.py"], folder, paths)
        pages = {f"{slug}.html": address for slug, address in json.loads((folder / "addresses.json").read_text("utf-8")).items()}
        save_pages(folder, [str(programs / "python"), "server.py", str(port)], port, pages, paths)


@contextmanager
def database(project: Path, *others: Sequence[str]) -> Iterator[str]:
    """Run PostgreSQL for one site, and other services in the folder of its socket, which entering gives."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not found:
        raise Rejected("needs PostgreSQL: apt-get install postgresql")
    other = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, (project / "services.log").open("wb") as log, ExitStack() as stack:
        if other:  # PostgreSQL refuses to run as root
            shutil.chown(folder, "postgres")
        data = [
            *other,
            str(found[-1] / "initdb"),
            "-D",
            f"{folder}/data",
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
        ]
        run_tool(data, Path(folder))
        server = [*other, str(found[-1] / "postgres"), "-D", f"{folder}/data", "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"]
        for command in (server, *others):
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        client = [str(found[-1] / "psql"), "-h", folder, "-U", "postgres"]
        until = time.monotonic() + STARTING
        while subprocess.run([*client, "-c", "CREATE DATABASE site"], capture_output=True, check=False).returncode:
            if time.monotonic() > until:
                raise Rejected("PostgreSQL does not start")
            time.sleep(0.2)
        yield folder
