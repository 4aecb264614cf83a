"""What set-up installs: pinned, complete, and with no word of where it was downloaded from."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINS = re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE)


def test_the_lock_names_no_host():
    assert not re.search(r"://|^\s*-|\s@\s|/", re.sub(r"--hash=sha256:[0-9a-f]{64}", "", LOCK), re.MULTILINE)


def test_every_pin_has_hashes():
    packages = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(packages) == len(PINS)
    assert all("--hash=sha256:" in package for package in packages)


@pytest.mark.parametrize(
    "expected",
    [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"], *PROJECT["build-system"]["requires"]],
)
def test_the_lock_holds_what_the_project_asks_for(expected):
    requirement = Requirement(expected)
    pinned = [version for name, version in PINS if canonicalize_name(name) == canonicalize_name(requirement.name)]
    assert pinned, "run `make lock`"
    assert all(version in requirement.specifier for version in pinned)


def test_without_a_python_set_up_states_what_to_do(tmp_path):
    for name in ("dirname", "mktemp", "rm"):
        tmp_path.joinpath(name).symlink_to(f"/usr/bin/{name}")
    tmp_path.joinpath("id").write_text("#!/bin/sh\necho 1000\n")
    tmp_path.joinpath("id").chmod(0o755)
    result = subprocess.run(
        ["/bin/bash", str(ROOT / "setup.sh")], env={"PATH": str(tmp_path), "HOME": "/"}, capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "setup: no Python 3.11 or later with venv: install python3 and python3-venv, or name one in PYTHON\n"
