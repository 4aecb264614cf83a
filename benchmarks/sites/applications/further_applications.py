"""Further applications: a mail archive, a wiki, code hosting and a tracker, as Debian packages them; a CMS and a knowledge base.

They are public-inbox, gitit, cgit and Request Tracker; Plone from PyPI and Raneto from npm.
"""

from __future__ import annotations

import json
import mailbox
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from pathlib import Path

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.applications.further_django import LONGEST_CAPTION
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.applications.trackers import message_texts
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import node_programs, run_program
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html, to_markdown
from sightread.render.errors import Rejected

CGIT = Path("/usr/lib/cgit")
_COMMITTER = ["-c", "user.name=Ada Quay", "-c", "user.email=ada@example.org"]
_COMMIT_DATE = "2024-03-01T08:00:00+0000"
_INBOX_ADDRESS = "tide@example.org"
_INBOX_SETTINGS = "[publicinboxmda]\n\tspamcheck = none\n"
_GITIT_SETTINGS = """address: 127.0.0.1
port: %d
wiki-title: %s
repository-type: Git
repository-path: pages
require-authentication: modify
authentication-method: form
default-page-type: Markdown
math: raw
table-of-contents: yes
front-page: Front Page
"""
_CGIT_SETTINGS = """virtual-root=/
css=/files/cgit.css
logo=/files/cgit.png
root-title=%s
root-desc=Programs of the harbour
readme=:README.md
about-filter=/usr/lib/cgit/filters/about-formatting.sh
enable-index-owner=1
"""
_CGIT_SERVER = """
import os, subprocess, sys
from pathlib import Path
from urllib.parse import unquote
from wsgiref.simple_server import make_server
def answer(request, start):
    path = request["PATH_INFO"].encode("latin-1").decode()
    if path.startswith("/files/"):
        start("200 OK", [("Content-Type", "text/css" if path.endswith(".css") else "image/png")])
        return [(Path("/usr/share/cgit") / Path(path).name).read_bytes()]
    kept = ("QUERY_STRING", "REQUEST_METHOD", "SERVER_NAME", "SERVER_PORT", "HTTP_HOST")
    names = {name: request[name] for name in kept if name in request}
    names |= {"PATH": "/usr/bin:/bin", "PATH_INFO": path, "SCRIPT_NAME": "", "CGIT_CONFIG": os.environ["CGIT_CONFIG"], "LANG": "C.UTF-8"}
    head, _, body = subprocess.run(["/usr/lib/cgit/cgit.cgi"], env=names, capture_output=True, check=True).stdout.partition(b"\\n\\n")
    start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return [body]
make_server("127.0.0.1", int(sys.argv[1]), answer).serve_forever()
"""
"""A server of one CGI program."""
_PLONE_FILL = """
import json
from datetime import datetime
import transaction
from AccessControl.SecurityManagement import newSecurityManager
from DateTime import DateTime
from plone import api
from plone.app.textfield.value import RichTextValue
from Products.CMFPlone.factory import addPloneSite
from Testing.makerequest import makerequest
from zope.component.hooks import setSite
from zope.globalrequest import setRequest
documents = json.load(open("documents.json"))
app = makerequest(app)
setRequest(app.REQUEST)
newSecurityManager(None, app.acl_users.getUserById("ada").__of__(app.acl_users))
site = addPloneSite(app, "tide", title="The Tide Tables", default_language=documents[0]["language"],
  extension_ids=("plone.app.contenttypes:default", "plone.app.layout:default", "plonetheme.barceloneta:default"))
setSite(site)
api.portal.set_registry_record("plone.app.theming.interfaces.IThemeSettings.hostnameBlacklist", [])  # else none at 127.0.0.1
def publish(item):
    api.content.transition(item, "publish")
    return item
folders = [publish(api.content.create(site, "Folder", name.lower(), title=name)) for name in ("Harbour", "Ferries", "Workshop")]
for number, document in enumerate(documents):
    page = api.content.create(folders[number % 3], "Document", document["slug"], title=document["title"],
      description=document["caption"], text=RichTextValue(document["html"], "text/html", "text/x-html-safe"),
      subject=tuple(document["tags"]))
    publish(page)
addresses = {document["slug"]: f"/tide/{folders[number % 3].id}/{document['slug']}" for number, document in enumerate(documents)}
json.dump(addresses, open("addresses.json", "w"))
transaction.commit()
"""


REQUEST_TRACKER = Path("/usr/share/request-tracker5")
_TRACKER_SETTINGS = """
Set($rtname, 'tide.example.org');
Set($Organization, 'tide.example.org');
Set($WebPath, '');
Set($WebDomain, '127.0.0.1');
Set($WebPort, %d);
Set($DatabaseType, 'SQLite');
Set($DatabaseName, '%s/site.sqlite3');
Set($LogToSyslog, undef);
Set($LogToSTDERR, 'error');
Set($LogToFile, undef);
Set($Timezone, 'UTC');
Set($ShowHistory, 'always');
Set($MailCommand, 'testfile');
1;
"""
_TRACKER_FILL = """
use strict; use warnings;
use lib '/usr/share/request-tracker5/lib';
use RT -init;
use Encode; use JSON; use MIME::Entity;
open(my $file, '<', 'documents.json') or die;
my $documents = decode_json(join '', <$file>);
my $root = RT::User->new(RT->SystemUser);
$root->Load('root');
$root->SetPassword('quay-ada-1854');
$root->SetRealName('Ada Quay');
$root->SetLang($documents->[0]{language});
my @people = map {
  my $person = RT::User->new(RT->SystemUser);
  $person->Create(Name => lc $_, RealName => "$_ Quay", EmailAddress => lc($_) . '@example.org', Privileged => 1);
  $person->PrincipalObj->GrantRight(Right => 'SuperUser', Object => RT->System);
  $person } qw(Bela Chidi Dora Emil);
sub entity { MIME::Entity->build(Type => 'text/plain', Charset => 'UTF-8', Encoding => '8bit', Data => [encode('UTF-8', $_[0])]) }
my (%addresses, $number);
for my $document (@$documents) {
  my ($first, @others) = @{$document->{messages}};
  my $person = $people[$number++ % 4];
  my $ticket = RT::Ticket->new(RT::CurrentUser->new($person));
  my ($id, undef, $reason) = $ticket->Create(Queue => 'General', Subject => $document->{title}, Requestor => $person->EmailAddress,
    MIMEObj => entity($first));
  die $reason unless $id;
  my $place = $number;
  for my $text (@others) {
    my $same = RT::Ticket->new(RT::CurrentUser->new($people[$place++ % 4]));
    $same->Load($id);
    my ($done, $reason) = $same->Correspond(MIMEObj => entity($text));
    die $reason unless $done;
  }
  $addresses{$document->{slug}} = "/Ticket/Display.html?id=$id";
}
open(my $out, '>', 'addresses.json') or die;
print $out encode_json({%addresses});
"""
_RANETO = "raneto@0.16.0"
_RANETO_SERVER = """
const path = require('path'), raneto = require('raneto');
const themes = path.join(__dirname, 'themes');
const app = raneto({site_title: %s, base_url: '', support_email: 'ada@example.org', copyright: 'The keepers of the harbour',
  excerpt_length: 400, page_sort_meta: 'sort', category_sort: true, show_on_home_default: true, theme_dir: themes,
  theme_name: 'default', content_dir: path.join(__dirname, 'content/'), public_dir: path.join(themes, 'default/public'),
  image_url: '/images', analytics: '', allow_editing: false, authentication: false, authentication_for_edit: true,
  authentication_for_read: false, googleoauth: false, secret: 'known to all', credentials: [], locale: %s,
  searchExtraLanguages: [], datetime_format: 'Do MMM YYYY', rtl_layout: false, home_meta: {}, table_of_contents: false});
app.listen(Number(process.argv[2]), '127.0.0.1');
"""
_CATEGORIES = ("harbour", "ferries", "workshop")


def build_public_inbox(project: Path) -> None:
    """Deliver the messages of the mailbox to an archive, and read a page per message."""
    find_program("public-inbox-init")
    port = free_port()
    paths = {"HOME": str(project.resolve()), "PI_CONFIG": str(project.resolve() / "config"), "ORIGINAL_RECIPIENT": _INBOX_ADDRESS}
    init = ["public-inbox-init", "-V2", "tide", str(project.resolve() / "inbox"), f"http://127.0.0.1:{port}/tide", _INBOX_ADDRESS]
    run_tool(init, project, paths)
    settings = project / "config"
    settings.write_text(settings.read_text("utf-8") + _INBOX_SETTINGS, "utf-8")
    pages: dict[str, str] = {}
    for number, message in enumerate(mailbox.mbox(project / "archive.mbox")):
        name = str(message["Message-ID"]).strip("<>")
        (project / f"{number}.eml").write_bytes(message.as_bytes())
        run_tool(["sh", "-c", f"public-inbox-mda --no-precheck < {number}.eml"], project, paths)
        pages[f"{name.partition('@')[0]}.html"] = f"/tide/{name}/"
    save_pages(project, ["public-inbox-httpd", "-l", f"127.0.0.1:{port}"], port, pages, paths)


def write_gitit(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki, in Markdown, each with its title in its metadata."""
    del theme
    for document in documents:
        head = f"---\ntitle: {json.dumps(document.title, ensure_ascii=False)}\ncategories: {document.tags[0]}\n...\n"
        write_text(project / f"pages/{document.slug}.page", f"{head}\n{to_markdown(document)}")


def build_gitit(project: Path) -> None:
    """Commit the pages, as the wiki keeps them in Git, and read them."""
    gitit, port = find_program("gitit"), free_port()
    commit_all(project / "pages")
    write_text(project / "gitit.conf", _GITIT_SETTINGS % (port, NAME))
    pages = {f"{path.stem}.html": f"/{path.stem}" for path in sorted((project / "pages").glob("*.page"))}
    save_pages(project, [gitit, "-f", "gitit.conf"], port, pages, {"LANG": "C.UTF-8", "HOME": str(project.resolve())})


def write_cgit(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a repository for each document, which is what its README holds, and the settings that list them."""
    del theme
    lines = [_CGIT_SETTINGS % NAME]
    for document in documents:
        folder = project / "repositories" / document.slug
        write_text(folder / "README.md", f"# {document.title}\n\n{to_markdown(document)}")
        write_text(folder / "Makefile", "all:\n\t@echo tide\n")
        description = " ".join(document.summary.split())
        lines += [f"repo.url={document.slug}", f"repo.path={folder.resolve()}/.git", f"repo.desc={description}", "repo.owner=Ada Quay", ""]
    write_text(project / "cgitrc", "\n".join(lines))


def build_cgit(project: Path) -> None:
    """Commit the files, and read the page about each repository."""
    if not (CGIT / "cgit.cgi").is_file():
        raise Rejected("needs cgit: apt-get install cgit python3-markdown python3-pygments")
    names = sorted(path.name for path in (project / "repositories").iterdir())
    for name in names:
        commit_all(project / "repositories" / name)
    port = free_port()
    command = [sys.executable, "-c", _CGIT_SERVER, str(port)]
    pages = {f"{name}.html": f"/{name}/about/" for name in names}
    save_pages(project, command, port, pages, {"CGIT_CONFIG": str(project.resolve() / "cgitrc")})


def write_plone(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a CMS, each with a description below its title."""
    del theme
    written = [describe(document) | {"html": to_html(document), "caption": document.summary[:LONGEST_CAPTION]} for document in documents]
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "fill.py", _PLONE_FILL)


def build_plone(project: Path) -> None:
    """Start an instance, put the pages in, and read them."""
    programs, port = project.parents[1].resolve() / "bin", free_port()
    run_tool([str(programs / "mkwsgiinstance"), "-d", "instance", "-u", "ada:quay-ada-1854"], project)
    run_tool([str(programs / "zconsole"), "run", "instance/etc/zope.conf", "fill.py"], project)
    settings = project / "instance/etc/zope.ini"
    settings.write_text(settings.read_text("utf-8").replace("port = 8080", f"port = {port}"), "utf-8")
    addresses = json.loads((project / "addresses.json").read_text("utf-8"))
    command = [str(programs / "runwsgi"), "instance/etc/zope.ini"]
    save_pages(project, command, port, {f"{slug}.html": address for slug, address in addresses.items()})


def write_raneto(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a knowledge base, in Markdown, in three categories."""
    del theme
    write_text(project / "server.js", _RANETO_SERVER % (json.dumps(NAME), json.dumps(documents[0].language)))
    for place, category in enumerate(_CATEGORIES):
        write_text(project / f"content/{category}/sort", str(place))
    for number, document in enumerate(documents):
        path = project / f"content/{_CATEGORIES[number % 3]}/{document.slug}.md"
        write_text(path, f"/*\nTitle: {_title_line(document)}\nSort: {number}\n*/\n\n{to_markdown(document)}")
        when = datetime.combine(document.published, time(8), UTC).timestamp()
        os.utime(path, (when, when))


def raneto_gold(document: SourceDocument) -> str:
    """Return the gold text of a page of the knowledge base, with the title that it can have."""
    return gold_text(replace(document, title=_title_line(document)))


def _title_line(document: SourceDocument) -> str:
    return document.title.replace(":", ",")  # the program cuts a title at a colon


def build_raneto(project: Path) -> None:
    """Install the program once, with the libraries of its theme beside it, and read the pages."""
    tools, port = project.parents[1].resolve(), free_port()
    if not (tools / "installed.txt").is_file():
        write_text(tools / "package.json", '{"private": true}')
        options = ["--no-audit", "--no-fund", "--legacy-peer-deps", "--ignore-scripts", "--omit=optional"]  # its own needs an old Node.js
        run_program(["npm", "install", *options, "--prefix", str(tools), _RANETO], tools, tools.parent)
        write_text(tools / "installed.txt", _RANETO)
    shutil.copytree(tools / "node_modules/raneto/themes", project / "themes")
    (project / "themes/default/public/lib").symlink_to(tools / "node_modules")
    names = sorted((project / "content").glob("*/*.md"))
    pages = {f"{path.stem}.html": f"/{path.parent.name}/{path.stem}" for path in names}
    save_pages(
        project, ["node", "server.js", str(port)], port, pages, {"PATH": f"{node_programs(tools.parent)}:{os.environ.get('PATH', '')}"}
    )


def write_tracker(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the tickets of a tracker, each a document whose parts are messages."""
    del theme
    write_text(project / "fill.pl", _TRACKER_FILL)
    written = [describe(document) | {"messages": message_texts(document)} for document in documents]
    write_text(project / "documents.json", json.dumps(written))


def build_tracker(project: Path) -> None:
    """Set Request Tracker up with a database in a file, put the tickets in, and read them as a member of staff."""
    if not REQUEST_TRACKER.is_dir():
        raise Rejected("needs Request Tracker: apt-get install request-tracker5 rt5-db-sqlite rt5-standalone")
    folder, port = project.resolve(), free_port()
    write_text(folder / "settings.pm", _TRACKER_SETTINGS % (port, folder))
    (folder / "no_more_settings").mkdir()
    paths = {"RT_SITE_CONFIG": str(folder / "settings.pm"), "RT_SITE_CONFIG_DIR": str(folder / "no_more_settings")}
    run_tool(["/usr/sbin/rt-setup-database-5", "--action", "init", "--skip-create"], folder, paths)
    run_tool([find_program("perl"), "fill.pl"], folder, paths)
    addresses = json.loads((folder / "addresses.json").read_text("utf-8"))
    command = [str(REQUEST_TRACKER / "libexec/rt-server"), "--host", "127.0.0.1", "--port", str(port)]
    pages = {f"{slug}.html": f"{address}&user=root&pass=quay-ada-1854" for slug, address in addresses.items()}
    save_pages(folder, command, port, pages, paths)


def commit_all(folder: Path) -> None:
    """Make a Git repository with one commit of all files of the folder."""
    dates = {"GIT_AUTHOR_DATE": _COMMIT_DATE, "GIT_COMMITTER_DATE": _COMMIT_DATE}
    for options in (["init", "-q", "-b", "main"], ["add", "."], [*_COMMITTER, "commit", "-q", "-m", "Pages"]):
        run_tool(["git", *options], folder, dates)
