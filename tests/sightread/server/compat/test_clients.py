"""Other projects' clients, unchanged, against the service: `checks/` run in an environment of their own, whose lock is `clients.lock`."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from sightread.crawler import rate_limit
from sightread.server.compat.firecrawl import routes
from tests.processes.environments import ROOT, layered_python, pins
from tests.sightread.server.compat.conftest import TOKEN

CHECKS = Path(__file__).parent / "checks"
LOCK = Path(__file__).parent / "clients.lock"
NUMBER_OF_CHECKS = 16


@pytest.fixture(scope="session")
def python(tmp_path_factory) -> Path:
    """The Python of an environment that holds the clients."""
    return layered_python("clients", LOCK, tmp_path_factory)


async def test_the_clients_work_with_the_service(python, served, monkeypatch):
    monkeypatch.setattr(routes, "RESULTS_PER_ANSWER", 2)
    monkeypatch.setattr(rate_limit, "DEFAULT_DELAY", 0.0)  # the checks crawl and map the site eleven times
    command = [str(python), "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *map(str, sorted(CHECKS.glob("check_*.py")))]
    where = {"SERVICE": served.url, "SITE": served.site, "TOKEN": TOKEN, "PYTHON": sys.executable}
    environment = {**os.environ, **where, "PYTEST_ADDOPTS": "", "PYTHONWARNINGS": "", "PYTHONPATH": str(ROOT)}
    running = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output = (await running.communicate())[0].decode()
    assert running.returncode == 0, output
    assert re.search(rf"^{NUMBER_OF_CHECKS} passed in", output, re.MULTILINE), output


def test_the_lock_agrees_with_the_projects_and_names_no_host():
    base, own = pins(ROOT / "requirements.lock"), pins(LOCK)
    assert {name: version for name, version in own.items() if base.get(name, version) != version} == {}
    assert {"firecrawl-py", "langchain-firecrawl", "mcp"} <= set(own)
    assert "://" not in LOCK.read_text() and "@" not in LOCK.read_text()
