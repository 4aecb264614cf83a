"""The container and compose files, as far as they can be checked without a container engine."""

import asyncio
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from sightread.cli.commands import SERVICE_PORT
from sightread.cli.parser import build_parser
from sightread.reading.reader import Reader
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from tests.processes.environments import ROOT, pins

DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"
SANDBOX = {"clone", "clone3", "unshare", "chroot", "setuid", "setgid"}
"""System calls of Chromium's sandbox."""


def instructions():
    """Return the instructions of the container file, each with what follows it, in their order."""
    lines = re.sub(r"\\\n\s*", "", (DEPLOY / "Containerfile").read_text()).splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines) if word.isupper()]


def test_the_container_runs_as_a_user_without_rights_and_its_command_is_one():
    found = dict(instructions())
    assert found["USER"] == "10001:10001" and "--uid 10001" in " ".join(rest for word, rest in instructions() if word == "RUN")
    assert [word for word, _ in instructions()].index("USER") < [word for word, _ in instructions()].index("CMD")
    assert found["EXPOSE"] == str(SERVICE_PORT)
    assert json.loads(found["ENTRYPOINT"]) == ["sightread"]
    build_parser().parse_args([*json.loads(found["CMD"])])


async def test_the_health_check_succeeds_as_long_as_the_service_is_well(tmp_path):
    service = Service(Reader(home=tmp_path))
    check = dict(instructions())["HEALTHCHECK"].partition(" CMD ")[2]
    async with serve_on_loopback(app_of(service)) as address:
        _, *arguments = json.loads(check.replace(str(SERVICE_PORT), address.rpartition(":")[2]))
        for is_well in (True, False):
            service.engine.draining = not is_well
            checking = await asyncio.create_subprocess_exec(sys.executable, *arguments, stderr=subprocess.DEVNULL)
            assert (await checking.wait() == 0) == is_well


def test_the_image_is_built_from_what_the_wheel_needs_and_nothing_else():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    packages = {"sightread", *(link.name for link in (ROOT / "sightread").iterdir() if link.is_symlink())}
    files = {project["project"]["readme"], *project["project"]["license-files"], "pyproject.toml", "requirements.lock"}
    assert let_in == packages | files and all((ROOT / name).exists() for name in let_in)
    commands = " ".join(rest for word, rest in instructions() if word == "RUN")
    extras = re.search(r"sightread\[([\w,]+)\]", commands)
    locked = pins(ROOT / "requirements.lock")
    for extra in extras[1].split(","):
        for requirement in project["project"]["optional-dependencies"][extra]:
            assert re.match(r"[\w-]+", requirement)[0] in locked
    assert "--require-hashes" in commands and "sightread setup" in commands


def test_the_services_are_confined_and_their_files_are_there():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    service = compose["services"]["sightread"]
    options = build_parser().parse_args(service["command"])
    assert (options.host, options.database) == ("0.0.0.0", "postgresql://sightread@postgres/sightread")
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert "no-new-privileges:true" in service["security_opt"] and "privileged" not in service
    assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    profile = json.loads((DEPLOY / "seccomp.json").read_text())
    denied = {name for rule in profile["syscalls"] for name in rule["names"]}
    assert {"mount", "bpf", "init_module", "kexec_load"} <= denied
    assert not denied & SANDBOX
