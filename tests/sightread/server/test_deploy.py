"""The container and compose files, as far as they can be checked without a container engine."""

import json
import re
from pathlib import Path

import yaml

from sightread.cli.parser import build_parser

DEPLOY = Path(__file__).parents[3] / "docs" / "deploy"
SANDBOX = {"clone", "clone3", "unshare", "chroot", "setuid", "setgid"}
"""System calls of Chromium's sandbox."""


def test_the_container_runs_as_a_user_without_rights_and_its_command_is_one():
    lines = re.sub(r"\\\n\s*", "", (DEPLOY / "Containerfile").read_text()).splitlines()
    found = {word: rest for word, _, rest in (line.partition(" ") for line in lines) if word.isupper()}
    assert found["USER"] == "10001:10001"
    assert "/healthz" in found["HEALTHCHECK"]
    build_parser().parse_args([*json.loads(found["CMD"])])


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
