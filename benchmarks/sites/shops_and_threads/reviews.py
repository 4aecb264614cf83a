"""A tracker of changes to be reviewed: Review Board."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.shops_and_threads.layout import add_style
from benchmarks.sites.texts.documents import SourceDocument

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
