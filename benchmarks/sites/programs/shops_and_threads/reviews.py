"""Changes of code: those to be reviewed (Review Board), commits of a repository (gitweb)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.cgi_programs import serve_program
from benchmarks.sites.programs.shops_and_threads.layout import add_style
from benchmarks.sites.texts.documents import SourceDocument, gold_text, part_gold
from sightread.render.errors import Rejected

_OPTIONS = (
    *("--noinput", "--domain-name=127.0.0.1", "--site-root=/", "--static-url=static/", "--media-url=media/", "--db-type=sqlite3"),
    *("--cache-type=file", "--admin-user=ada", "--admin-password=quay-ada-1854", "--admin-email=ada@example.org", "--company=Tide"),
    *("--allowed-host=127.0.0.1", "--opt-out-support-data", f"--secret-key={'known-to-all-' * 5}"),
)
_FILL = """
import json
from datetime import datetime, timedelta
import django
django.setup()
from django.contrib.auth.models import User
from django.contrib.sites.models import Site
from djblets.siteconfig.models import SiteConfiguration
from reviewboard.reviews.models import Group, Review, ReviewRequest
Site.objects.update(name=%r)
settings = SiteConfiguration.objects.get_current()
settings.set("avatars_enabled", False)
settings.save()
User.objects.update(first_name="Ada", last_name="Quay")
people = [User.objects.get(), *(User.objects.create_user(name.lower(), first_name=name, last_name="Quay") for name in ("Bela", "Chidi",
  "Dora", "Emil"))]
group, addresses = Group.objects.create(name="harbour", display_name="Harbour"), {}
for number, document in enumerate(json.load(open("documents.json"))):
    when = datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    first, *others = document["posts"]
    request = ReviewRequest.objects.create(user=people[number %% 5], repository=None)
    request.summary, request.description, request.description_rich_text = document["title"], first, True
    request.branch, request.public, request.time_added = "main", True, when
    request.save()
    request.target_groups.add(group)
    request.target_people.add(people[(number + 1) %% 5])
    for place, text in enumerate(others, 1):
        review = Review.objects.create(review_request=request, user=people[(number + place) %% 5], body_top=text, body_top_rich_text=True,
          public=True, ship_it=place == len(others))
        Review.objects.filter(pk=review.pk).update(timestamp=when + timedelta(hours=5 * place))
    ReviewRequest.objects.filter(pk=request.pk).update(last_updated=when + timedelta(days=2))
    addresses[document["slug"]] = request.get_absolute_url()
json.dump(addresses, open("addresses.json", "w"))
"""
_SERVER = """
import sys
from wsgiref.simple_server import make_server
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application
from django.views.static import serve
class Handler(StaticFilesHandler):
    def serve(self, request):
        return serve(request, self.file_path(request.path), document_root=settings.STATIC_ROOT)
make_server("127.0.0.1", int(sys.argv[1]), Handler(get_wsgi_application())).serve_forever()
"""
GITWEB = Path("/usr/share/gitweb")
COLUMNS = 76
"""Longest line of a message."""
_GITWEB_SETTINGS = """
our ($projectroot, $site_name, $projects_list_description_width) = ("%s", "%s", 60);
our @stylesheets = ("/static/gitweb.css");
our ($logo, $favicon, $javascript) = ("/static/git-logo.png", "", "");
1;
"""


def write_reviews(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write requests for review: a document's first parts are the description of a change, the others are reviews of it."""
    del theme
    write_text(project / "fill.py", _FILL % NAME)
    write_text(project / "server.py", _SERVER)
    write_text(project / "documents.json", json.dumps([describe(document) for document in documents]))


def build_reviews(project: Path) -> None:
    """Install a site, put the requests in, and read their pages as a guest."""
    programs, port, folder = project.parents[1].resolve() / "bin", free_port(), project.resolve()
    paths = {"DJANGO_SETTINGS_MODULE": "reviewboard.settings", "PYTHONPATH": str(folder / "site/conf"), "HOME": str(folder)}
    data = (f"--db-name={folder}/site.sqlite3", f"--cache-info={folder}/cache")
    run_tool([str(programs / "rb-site"), "install", str(folder / "site"), *_OPTIONS, *data], folder, {"HOME": str(folder)})
    run_tool([str(programs / "python"), "fill.py"], folder, paths)
    pages = {f"{slug}.html": address for slug, address in json.loads((folder / "addresses.json").read_text("utf-8")).items()}
    save_pages(folder, [str(programs / "python"), "server.py", str(port)], port, pages, paths)
    add_style(folder, "#page-container { visibility: visible }")
    shutil.rmtree(folder / "site")


def write_commits(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write what each commit changes, and its message: a document as plain text."""
    del theme
    written = []
    for number, document in enumerate(documents):
        texts = [
            "\n".join(part_gold(part) if part.kind == "code" else (fill(line, COLUMNS, break_long_words=False) for line in part_gold(part)))
            for part in document.parts
        ]
        files = {path: "\n".join(part_gold(part)[0] for part in document.parts[place:]) for place, path in enumerate(_paths(document))}
        who = ("Ada Quay", "Bela Quay", "Chidi Quay")[number % 3]
        written.append(
            {"slug": document.slug, "message": "\n\n".join((document.title, *texts)), "files": files, "who": who}
            | {"when": f"{document.published}T08:00:00+0000"}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "settings.pl", _GITWEB_SETTINGS % (project.resolve() / "repositories", NAME))


def _paths(document: SourceDocument) -> list[str]:
    """Return the files that a document's commit changes, in their order."""
    number = int(document.slug[-2:])
    return [f"charts/{document.slug}.txt", "harbour/routes.txt", "tables/winter.txt"][: 1 + number % 3]


def build_commits(project: Path) -> None:
    """Make the repository, and read the page of each commit."""
    if not (GITWEB / "gitweb.cgi").is_file():
        raise Rejected("needs gitweb: apt-get install gitweb")
    folder, pages = project / "work", {}
    (project / "repositories").mkdir()
    run_tool(["git", "init", "-q", "-b", "main", "--separate-git-dir", "repositories/tide.git", "work"], project)
    for one in json.loads((project / "documents.json").read_text("utf-8")):
        for path, text in one["files"].items():
            write_text(folder / path, f"{text}\n")
        mail = f"{one['who'].split()[0].lower()}@example.org"
        names = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in (("NAME", one["who"]), ("EMAIL", mail))}
        dates = {"GIT_AUTHOR_DATE": one["when"], "GIT_COMMITTER_DATE": one["when"]}
        run_tool(["git", "add", "."], folder)
        run_tool(["git", "commit", "-q", "--cleanup=verbatim", "-m", one["message"]], folder, names | dates)
        found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
        pages[f"{one['slug']}.html"] = f"/?p=tide.git;a=commit;h={found}"
    write_text(project / "repositories/tide.git/description", "Tables of the tides of Quay and what is written about them\n")
    program = ["env", f"GITWEB_CONFIG={project.resolve() / 'settings.pl'}", "perl", str(GITWEB / "gitweb.cgi")]
    serve_program(project, program, GITWEB, pages)


def commit_gold(document: SourceDocument) -> str:
    """Return the gold text of a commit: its message, and the files that it changes."""
    return "\n".join((gold_text(document), *_paths(document)))
