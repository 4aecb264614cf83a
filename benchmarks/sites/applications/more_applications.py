"""Redmine's issues, as Debian packages it, and An Otter Wiki from PyPI."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_markdown
from sightread.render.errors import Rejected

_OTTERWIKI_SETTINGS = """
REPOSITORY = %r
SQLALCHEMY_DATABASE_URI = "sqlite:///" + %r
SECRET_KEY = "known to all: this site is read once and thrown away"
SITE_NAME = %r
RETAIN_PAGE_NAME_CASE = True
"""
_COMMIT = ["-c", "user.name=Ada Quay", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "Pages", "--date", "2024-03-01T08:00:00"]
REDMINE = Path("/usr/share/redmine")
_REDMINE_DATABASE = "production:\n  adapter: sqlite3\n  database: %s/site.sqlite3\n  encoding: utf8\n"
_REDMINE_FILL = """
require 'json'
documents = JSON.parse(File.read('%(project)s/documents.json'))
language = documents[0]['language']
{app_title: %(name)s, text_formatting: 'markdown', default_language: language, force_default_language_for_anonymous: '1',
  ui_theme: '%(theme)s', notified_events: [], gravatar_enabled: '0', welcome_text: documents[0]['summary']}.each do |name, value|
  Setting[name] = value
end
Redmine::DefaultData::Loader.load(language)
members = %%w(ada bela chidi dora).map do |name|
  User.new(login: name, firstname: name.capitalize, lastname: 'Quay', mail: "#{name}@example.org", language: language).tap do |user|
    user.save!(validate: false)
  end
end
project = Project.new(name: 'Harbour', identifier: 'harbour', is_public: true)
project.enabled_module_names = %%w(issue_tracking calendar news wiki)
project.trackers = Tracker.all.to_a
project.save!
categories = documents.map { |document| document['tags'][0] }.uniq.to_h do |tag|
  [tag, IssueCategory.create!(project: project, name: tag.capitalize)]
end
addresses = {}
issues = documents.each_with_index.map do |document, number|
  time = Time.parse(document['published'] + ' 08:00:00 UTC')
  first, *notes = document['posts']
  issue = Issue.new(project: project, tracker: Tracker.all.to_a[number %% 3], author: members[number %% 4], subject: document['title'],
    description: first, status: IssueStatus.all.to_a[number %% 4], priority: IssuePriority.all.to_a[number %% 5],
    assigned_to: members[(number + 1) %% 4], category: categories[document['tags'][0]], start_date: time.to_date)
  issue.save!(validate: false)
  notes.each_with_index do |text, place|
    Journal.new(journalized: issue, user: members[(number + place + 1) %% 4], notes: text).tap do |journal|
      journal.save!(validate: false)
      journal.update_columns(created_on: time + (place + 1) * 3600)
    end
  end
  issue.update_columns(created_on: time, updated_on: time + notes.size * 3600)
  addresses[document['slug']] = "/issues/#{issue.id}"
  issue
end
issues.each_cons(4).each_with_index do |group, number|
  next unless (number %% 2).zero?
  IssueRelation.new(issue_from: group[0], issue_to: group[3], relation_type: 'relates').save!(validate: false)
end
File.write('%(project)s/addresses.json', JSON.generate(addresses))
"""


def write_redmine(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the issues of a tracker, each a document whose parts are the description and the notes."""
    write_text(project / "fill.rb", _REDMINE_FILL % {"project": project.resolve(), "name": json.dumps(NAME), "theme": theme})
    write_text(project / "documents.json", json.dumps([describe(document) for document in documents]))


def build_redmine(project: Path) -> None:
    """Copy Redmine with an instance of its own, put the issues in, and read them."""
    if not REDMINE.is_dir():
        raise Rejected("needs Redmine: apt-get install redmine redmine-sqlite")
    folder = project.resolve() / "redmine"
    shutil.copytree(REDMINE, folder, symlinks=True, ignore=shutil.ignore_patterns("instances", "Gemfile.lock", "database.yml"))
    shutil.copy(REDMINE / "Gemfile.lock", folder / "Gemfile.lock")
    write_text(folder / "Gemfile.local", "gem 'webrick'\n")
    for name in ("instances/default/config", "config"):
        write_text(folder / name / "database.yml", _REDMINE_DATABASE % project.resolve())
    for name in ("tmp", "log", "files", "public"):
        (folder / "instances/default" / name).mkdir()
    write_text(folder / "instances/default/config/secret_key.txt", "known to all: this site is read once and thrown away " * 3)
    paths = {"RAILS_ENV": "production", "REDMINE_INSTANCE": "default", "RAILS_SERVE_STATIC_FILES": "1", "HOME": str(project.resolve())}
    ruby = find_program("ruby")
    run_tool([ruby, "bin/rake", "db:migrate"], folder, paths)
    run_tool([ruby, "bin/rails", "runner", f"{project.resolve()}/fill.rb"], folder, paths)
    addresses = json.loads((project / "addresses.json").read_text("utf-8"))
    port = free_port()
    command = ["sh", "-c", f"cd '{folder}' && exec '{ruby}' bin/rails server -u webrick -b 127.0.0.1 -p {port}"]
    save_pages(project, command, port, {f"{slug}.html": address for slug, address in addresses.items()}, paths)


def write_otterwiki(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki, in Markdown."""
    del theme
    folder = project.resolve()
    write_text(project / "settings.cfg", _OTTERWIKI_SETTINGS % (str(folder / "pages"), str(folder / "site.db"), NAME))
    write_text(project / "pages/home.md", f"# {NAME}\n\n{documents[0].summary}\n")
    names: dict[str, str] = {}
    for document in documents:
        name = " ".join(re.sub(r"[^\w\s,'-]", " ", document.title).split())
        names[document.slug] = document.slug if not name or name in names.values() else name
        write_text(project / f"pages/{names[document.slug]}.md", f"# {document.title}\n\n{to_markdown(document)}")
    write_text(project / "names.json", json.dumps(names))


def build_otterwiki(project: Path) -> None:
    """Commit the pages, as the wiki keeps them in Git, and read them."""
    for options in (["init", "-q"], ["add", "."], _COMMIT):
        run_tool(["git", *options], project / "pages")
    names = json.loads((project / "names.json").read_text("utf-8"))
    port = free_port()
    command = [str(project.parents[1].resolve() / "bin/flask"), "--app", "otterwiki.server", "run", "--port", str(port)]
    pages = {f"{slug}.html": f"/{quote(name)}" for slug, name in names.items()}
    save_pages(project, command, port, pages, {"OTTERWIKI_SETTINGS": str(project.resolve() / "settings.cfg")})
