"""Tasks of a desk (django-todo) in a frame of ours, since the program expects that of its site, and the archive of a list (Sympa)."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.applications.trackers import message_texts, write_mail
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import installed
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.filled_templates import fill_template, with_bootstrap
from benchmarks.sites.texts.documents import SourceDocument

_DESK = "django-todo==2.7.0"
_FRAME = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>{% block title %}{% endblock %}</title>
{% block extrahead %}{% endblock %}</head>
<body><nav class="navbar navbar-expand navbar-light bg-light border-bottom"><div class="container-fluid">
<a class="navbar-brand" href="/">{{ site }}</a><ul class="navbar-nav me-auto">
{% for name in menu %}<li class="nav-item"><a class="nav-link" href="/">{{ name }}</a></li>{% endfor %}</ul>
<form class="d-flex"><input class="form-control" placeholder="Search tasks"></form></div></nav>
<div class="container-fluid py-3"><div class="row">
<nav class="col-2 border-end"><h6>Task lists</h6><ul class="nav flex-column">{% for name in lists %}<li class="nav-item"><a class="nav-link"
href="/">{{ name }}</a></li>{% endfor %}</ul><h6>Recently changed</h6><ul class="list-unstyled small">{% for one in recent %}<li><a
href="{{ one.slug }}.html">{{ one.title }}</a></li>{% endfor %}</ul></nav>
<div class="col-10">{% block content %}{% endblock %}</div></div></div>
<footer class="border-top p-3 small text-muted">{{ site }}, signed in as Ada Quay. Log out</footer>
{% block extra_js %}{% endblock %}</body></html>"""
_SYMPA_FILL = r"""
use utf8; use strict; use warnings; use Template;
my ($folder, $name, $language) = @ARGV;
my $translation = sub { my ($context, @values) = @_; sub { my $text = shift; $text =~ s/%(\d)/$values[$1 - 1] \/\/ ''/ge; $text } };
my ($link, $same) = (sub { sub { '/' } }, sub { sub { shift } });
my %filters = (loc => [$translation, 1], locdt => [sub { my (undef, $day) = @_; sub { $day =~ s/\/$//r } }, 1], url_rel => [$link, 1],
  url_abs => [$link, 1], mailto => [sub { my (undef, $one) = @_; sub { $one } }, 1],
  map { $_ => [$same, 1] } qw(canonic_email escape_cstr obfuscate optdesc));
my $engine = Template->new({INCLUDE_PATH => "$folder/web_tt2", ENCODING => 'utf8', FILTERS => \%filters, RECURSION => 1});
my @colours = ('#ffffff', '#004b94', '#bcd8f2', '#3d6890', '#f3f3f3', '#ffffff', '#5b7f9f', '#d0d0d0');
my %page = (action => 'arc', list => 'tide', list_conf => {}, lang => $language, main_title => $name, list_title => 'Tables of the tides',
  version => '6.2.70', static_content_url => 'static_content', icons_url => 'static_content/icons', main_css => 'style.css',
  use_passwd => 1, arc_access => 'open', path_cgi => '', may_subscribe => 1, may_post => 1, is_archived => 1, subtitle => '',
  conf => {wwsympa_url => '/', map { ("color_$_" => $colours[$_ % 8]) } 0 .. 15});
sub written {
  my ($file, $template, %more) = @_;
  my $text = '';
  $engine->process($template, {%page, %more}, \$text) or die $engine->error;
  open my $out, '>:encoding(UTF-8)', "html/$file" or die $!;
  print $out $text;
  close $out;
}
written('style.css', 'css.tt2');
for my $file (glob 'arc/msg*.html') {
  open my $in, '<:encoding(UTF-8)', $file or die $!;
  local $/;
  written($file =~ s/.*\///r, 'main.tt2', html_content => <$in>);
}
"""
_LISTS = ("Harbour", "Ferries", "Workshop", "Office")


def task_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a task shows: the first message of a document is its note, the others are comments."""
    document = documents[place]
    note, *others = message_texts(document)
    people = [{"get_full_name": f"{name} Quay"} for name in READERS]
    task = {
        "id": place,
        "title": document.title,
        "note": note,
        "assigned_to": {"all": [people[place % 8], people[(place + 3) % 8]]},
        "created_by": people[(place + 5) % 8],
        "due_date": f"{document.published:%B %d, %Y}",
        "completed": place % 3 == 1,
        "completed_date": f"{document.published:%B %d, %Y}",
        "task_list": {"name": _LISTS[place % 4], "id": place % 4, "slug": _LISTS[place % 4].lower()},
    }
    comments = [{"author_text": f"{READERS[(place + number) % 8]} Quay", "body": text} for number, text in enumerate(others, 1)]
    recent = [{"slug": one.slug, "title": one.title} for one in (documents[(place + step) % len(documents)] for step in (1, 6, 10, 15))]
    return {
        "task": task,
        "comment_list": comments,
        "site": NAME,
        "menu": ("All lists", "My tasks", "Add a task"),
        "lists": _LISTS,
        "recent": recent,
    }


def build_tasks(project: Path) -> None:
    """Write the frame beside the package's templates, and fill that of a task."""
    write_text(installed(project, _DESK, "todo/templates") / "base.html", _FRAME)
    fill_template(project, _DESK, "todo/task_detail.html")
    with_bootstrap(project, ".collapse:not(.show) { display: none }", "bootstrap5")


def write_list(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the mailbox of a list, and what fills the templates of its archive."""
    write_mail(project, theme, documents)
    write_text(project / "fill.pl", _SYMPA_FILL)
    write_text(project / "language.txt", documents[0].language)


def build_list(project: Path) -> None:
    """Convert the mailbox by Sympa's rules for MHonArc, and fill its templates with the messages."""
    for folder in ("arc", "html"):
        (project / folder).mkdir()
    run_tool(["apt-get", "download", "-q", "sympa"], project)  # its files alone: the program would ask for a database and a mail server
    run_tool(["dpkg", "-x", next(project.glob("sympa_*.deb")).name, "files"], project)
    files = project / "files/usr/share/sympa"
    names = [option for value in ("yyyy=2024", "mois=01", "with_tslice=1", "with_powered_by=1") for option in ("-definevar", value)]
    rules = ["-rcfile", str(files.resolve() / "default/mhonarc_rc.tt2")]
    run_tool([find_program("mhonarc"), "-quiet", *rules, *names, "-outdir", "arc", "archive.mbox"], project)
    language = (project / "language.txt").read_text("utf-8")
    run_tool([find_program("perl"), "fill.pl", str(files.resolve() / "default"), NAME, language], project)
    shutil.copytree(files / "static_content", project / "html/static_content", ignore_dangling_symlinks=True)
    for path in (project / "html").glob("*.html"):
        path.write_text(re.sub(r"<script.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL), "utf-8")
