"""The wheel and the source distribution: everything that the packages need at run time, and nothing else."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"classify", "crawler", "data", "labeling", "render", "sightread"}
BUILD = "from setuptools import build_meta; import sys; getattr(build_meta, sys.argv[1])(sys.argv[2])"
NOT_DISTRIBUTED = {".gitignore", ".ci/run"}


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
    for step in ("build_sdist", "build_wheel"):
        subprocess.run([sys.executable, "-c", BUILD, step, str(out)], cwd=copy, capture_output=True, check=True)
    (sdist,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    return sdist, wheel


def test_the_wheel_holds_the_packages_with_their_data(files, distributions):
    held = {name for name in zipfile.ZipFile(distributions[1]).namelist() if ".dist-info/" not in name}
    assert held == {name for name in files if name.partition("/")[0] in PACKAGES}


def test_the_source_distribution_holds_the_whole_repository(files, distributions):
    with tarfile.open(distributions[0]) as archive:
        held = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    assert files - NOT_DISTRIBUTED <= held
    made = {name for name in held - files if not name.startswith("sightread.egg-info/")}
    assert made == {"PKG-INFO", "setup.cfg"}
