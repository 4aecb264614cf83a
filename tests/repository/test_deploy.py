"""The files for schedulers in docs/deploy, by a dry run."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sightread.cli.parser import build_parser

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
