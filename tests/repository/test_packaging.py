"""The wheel and the source distribution: everything that the packages need at run time, and nothing else."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

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
