"""Pages of this machine and of private networks: refused in one line that names the switch, and opened with it."""

import pytest

from sightread.cli.parser import main
from sightread.reading.reader import Reader
from sightread.render.errors import Private
from tests.internet import victim
from tests.pages.stories import ARTICLE

HOSTS = ("localhost:{port}", "[::1]:{port}", "2130706433", "10.0.0.1", "example.com:8080")
COMMANDS = ("learn", "crawl", "inspect")


@pytest.mark.parametrize(("command", "host"), [*(("extract", host) for host in HOSTS), *((command, HOSTS[0]) for command in COMMANDS)])
def test_a_private_address_is_refused_in_one_line_that_names_the_switch(capsys, tmp_path, serve, command, host):
    site = serve({"/": ARTICLE})
    url = f"http://{host.format(port=site.root.rpartition(':')[2])}/"
    assert main([command, url, "--home", str(tmp_path)]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("sightread: ")]
    assert ("which is no public address" in line) or ("is not one of the web's" in line)
    assert line.endswith("; --local opens it")
    assert site.requests == []


@pytest.mark.parametrize("command", ["extract", "learn", "crawl", "inspect"])
def test_a_refusal_that_no_switch_would_lift_names_none(capsys, tmp_path, command):
    assert main([command, "http://user:secret@localhost/", "--home", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "--local" not in message and "secret" not in message


def test_the_switch_opens_this_machine_by_its_name(sightread, serve):
    site = serve({"/": ARTICLE})
    url = site.url().replace("127.0.0.1", "localhost")
    ran = sightread("extract", url, "--local", "--format", "text", "--model", "boilerpipe")
    assert (ran.code, "ninety years" in ran.out) == (0, True)


async def test_a_reader_opens_the_public_web_alone_unless_told(tmp_path):
    async with victim() as here, Reader(home=tmp_path) as reader:
        for url in (here.root, "http://localhost/", "http://169.254.169.254/latest/meta-data/"):
            with pytest.raises(Private):
                await reader.read(url)
    assert here.received == []
