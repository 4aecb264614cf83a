"""The adapters with the frameworks that they are for, in an environment of their own: its packages would change those of the project.

The environment is a layer over this one, below `.venv`, made once per lock (`frameworks.lock`; `make lock` renews it). Each framework's
checks (`checks/`) run in a Python of their own. They are skipped only if the packages cannot be had.
"""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from zlib import crc32

import pytest

ROOT = Path(__file__).parents[3]
CHECKS = Path(__file__).parent / "checks"
LOCK = Path(__file__).parent / "frameworks.lock"
FRAMEWORKS = {"scrapy": 1, "langchain": 2, "llamaindex": 3, "datatrove": 1, "dask": 1}
"""The frameworks with their numbers of checks."""
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def pins(path: Path) -> dict[str, str]:
    return dict(PIN.findall(path.read_text()))


@pytest.fixture(scope="session")
def python(tmp_path_factory) -> Path:
    """The Python of an environment that holds the frameworks, with the packages of this one below them."""
    base = Path(sys.prefix) if sys.prefix != sys.base_prefix else tmp_path_factory.mktemp("environment")
    folder = base / "frameworks"
    stamp, made_from = folder / "stamp", str(crc32(LOCK.read_bytes() + sys.version.encode()))
    if not stamp.exists() or stamp.read_text() != made_from:
        base_pins = pins(ROOT / "requirements.lock")
        wanted = [line for line in LOCK.read_text().splitlines() if PIN.match(line) and PIN.match(line)[1] not in base_pins]
        requirements = tmp_path_factory.mktemp("requirements") / "requirements.txt"
        requirements.write_text("\n".join(wanted))
        subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)], check=True)
        packages = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        (packages / "base.pth").write_text(sysconfig.get_path("purelib") + "\n")
        install(folder / "bin" / "python", requirements)
        stamp.write_text(made_from)
    return folder / "bin" / "python"


def install(python: Path, requirements: Path) -> None:
    """Install the packages with uv, in seconds, or with pip, which knows this machine's indexes; skip the test if neither can."""
    options = ["--quiet", "--no-deps", "--requirement", str(requirements)]
    tools = (
        [sys.executable, "-m", "uv", "pip", "install", "--link-mode", "copy", "--python", str(python)],  # NLTK reads no linked files
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--disable-pip-version-check"],
    )
    errors = []
    for tool in tools:
        ran = subprocess.run([*tool, *options], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ran.returncode == 0:
            return
        errors.append(ran.stderr.strip().splitlines()[-1:])
    pytest.skip(f"the frameworks cannot be installed here: {errors}")


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_adapter_works_with_its_framework(framework, python):
    command = [str(python), "-m", "pytest", "--quiet", "-p", "no:cacheprovider", str(CHECKS / f"check_{framework}.py")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTEST_ADDOPTS": "", "PYTHONWARNINGS": ""})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(rf"^{FRAMEWORKS[framework]} passed in", ran.stdout, re.MULTILINE), ran.stdout


def test_the_lock_agrees_with_the_projects_and_names_no_host():
    base, own = pins(ROOT / "requirements.lock"), pins(LOCK)
    assert {name: version for name, version in own.items() if base.get(name, version) != version} == {}
    assert {"scrapy", "langchain-core", "llama-index-core", "datatrove", "distributed"} <= set(own)
    assert "://" not in LOCK.read_text() and "@" not in LOCK.read_text()
