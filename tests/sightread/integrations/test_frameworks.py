"""The adapters with the frameworks that they are for, in an environment of their own: its packages would change those of the project.

The environment is a layer over this one, below `.venv`, made once per lock (`frameworks.lock`; `make lock` renews it). All checks
(`checks/`) run in one Python of their own. They are skipped only if the packages cannot be had.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.processes.environments import ROOT, layered_python, pins

CHECKS = Path(__file__).parent / "checks"
LOCK = Path(__file__).parent / "frameworks.lock"
FRAMEWORKS = {"scrapy": 2, "langchain": 2, "llamaindex": 3, "datatrove": 1, "dask": 1}
"""The frameworks with their numbers of checks."""


@pytest.fixture(scope="session")
def python(tmp_path_factory) -> Path:
    """The Python of an environment that holds the frameworks."""
    return layered_python("frameworks", LOCK, tmp_path_factory)


def test_each_adapter_works_with_its_framework(python):
    files = [str(CHECKS / f"check_{framework}.py") for framework in FRAMEWORKS]
    command = [str(python), "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *files]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTEST_ADDOPTS": "", "PYTHONWARNINGS": ""})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(rf"^{sum(FRAMEWORKS.values())} passed in", ran.stdout, re.MULTILINE), ran.stdout


def test_the_lock_agrees_with_the_projects_and_names_no_host():
    base, own = pins(ROOT / "requirements.lock"), pins(LOCK)
    assert {name: version for name, version in own.items() if base.get(name, version) != version} == {}
    assert {"scrapy", "langchain-core", "llama-index-core", "datatrove", "distributed"} <= set(own)
    assert "://" not in LOCK.read_text() and "@" not in LOCK.read_text()
