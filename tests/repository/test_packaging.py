"""What is distributed: wheel and source distribution, the lock of set-up, and the files for schedulers in docs/deploy."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sightread.cli.parser import build_parser

ROOT = Path(__file__).parents[2]
LINKED = {"classify", "crawler", "data", "labeling", "render"}
"""Folders of the checkout that are packages of `sightread`, by links in its folder."""
BUILD = "from setuptools import build_meta; import sys; getattr(build_meta, sys.argv[1])(sys.argv[2])"
NOT_DISTRIBUTED = {".gitignore", ".ci/run"}


def distributed_as(name: str) -> str:
    """Return the path in a distribution of a file of the checkout."""
    return f"sightread/{name}" if name.partition("/")[0] in LINKED else name


@pytest.fixture(scope="module")
def files() -> set[str]:
    """The files of this checkout that are, or are to be, under version control."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no checkout of the repository")
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def distributions(files, tmp_path_factory) -> tuple[Path, Path]:
    """The source distribution and the wheel, built from a copy of the checkout."""
    copy, out = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("dist")
    for name in files:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    for name in LINKED:
        (copy / "sightread" / name).symlink_to(f"../{name}")
    for step in ("build_sdist", "build_wheel"):
        subprocess.run([sys.executable, "-c", BUILD, step, str(out)], cwd=copy, capture_output=True, check=True)
    (sdist,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    return sdist, wheel


def test_the_wheel_holds_one_package_with_its_data(files, distributions):
    held = {name for name in zipfile.ZipFile(distributions[1]).namelist() if ".dist-info/" not in name}
    assert held == {name for name in map(distributed_as, files) if name.startswith("sightread/")}


def test_the_source_distribution_holds_the_whole_repository(files, distributions):
    with tarfile.open(distributions[0]) as archive:
        held = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    expected = set(map(distributed_as, files))
    assert expected - NOT_DISTRIBUTED <= held
    made = {name for name in held - expected if not name.startswith("sightread.egg-info/")}
    assert made == {"PKG-INFO", "setup.cfg"}


def test_files_and_folders_of_the_user_may_have_the_names_of_our_folders(distributions, tmp_path):
    installed, own = tmp_path / "installed", tmp_path / "own"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", "--target"]
    subprocess.run([*pip, installed, distributions[1]], check=True)
    program = "import sightread\nprint(sightread.__file__, sightread.extract('<article><p>' + 'Eels return in autumn. ' * 9).markdown)"
    for name in LINKED:
        (own / "folders" / name).mkdir(parents=True)
        (own / "folders" / name / "__init__.py").write_text("raise RuntimeError")
        (own / f"{name}.py").write_text(program)
    (own / "folders" / "program.py").write_text(program)
    for script in (own / "crawler.py", own / "folders" / "program.py"):
        environment = {"PYTHONPATH": str(installed)}
        ran = subprocess.run([sys.executable, script], env=environment, cwd=script.parent, capture_output=True, text=True)
        assert ran.stdout.startswith(f"{installed}/sightread/__init__.py Eels return in autumn."), (script, ran.stderr)


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


DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"
JOB = (DEPLOY / "batch-kubernetes.yaml").read_text()


@pytest.mark.parametrize(("code", "requeued"), [(0, False), (75, True), (2, False)])
def test_the_slurm_script_queues_again_what_is_to_be_tried_again(tmp_path, code, requeued):
    commands = {"srun": f'echo "$@" > {tmp_path}/started; exit {code}', "scontrol": f'echo "$@" > {tmp_path}/queued'}
    for name, body in commands.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    task = {"SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "8", "SLURM_CPUS_PER_TASK": "4"}
    environment = {**os.environ, **task, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ran = subprocess.run(["bash", DEPLOY / "batch-slurm.sh", "in.warc.gz", "out", "--static"], env=environment, cwd=tmp_path)
    assert ran.returncode == code
    assert "requeue 7_3" in (tmp_path / "queued").read_text() if requeued else not (tmp_path / "queued").exists()
    words = (tmp_path / "started").read_text().split()
    assert words[:2] == ["--ntasks=1", "sightread"]
    parsed = build_parser().parse_args(words[2:])
    assert (parsed.paths, parsed.processes, parsed.static) == (["in.warc.gz", "out"], 4, True)


def test_the_kubernetes_job_has_as_many_shards_as_completions():
    (completions,) = re.findall(r"^  completions: (\d+)", JOB, re.MULTILINE)
    (shards,) = re.findall(r'SIGHTREAD_SHARDS\n +value: "(\d+)"', JOB)
    assert completions == shards
    command = re.findall(r'[^,\s"]+', re.search(r"command: \[sightread, (.*)\]", JOB)[1])
    assert build_parser().parse_args(command).output_format == "parquet"


@pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed here")
def test_kubectl_reads_every_field_of_the_job():
    command = ["kubectl", "set", "env", "--local", "-f", str(DEPLOY / "batch-kubernetes.yaml"), "SOME=value", "-o", "json"]
    spec = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)["spec"]
    for name in re.findall(r"^  (\w+):", JOB.partition("\nspec:\n")[2], re.MULTILINE):
        assert name in spec
    assert [rule["action"] for rule in spec["podFailurePolicy"]["rules"]] == ["Ignore", "FailJob"]
