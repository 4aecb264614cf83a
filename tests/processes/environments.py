"""Environments with packages whose versions would change those of this one: a layer over it, below `.venv`, per lock file."""

import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from zlib import crc32

import pytest

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def pins(path: Path) -> dict[str, str]:
    """Return the versions that a lock file pins."""
    return dict(PIN.findall(path.read_text()))


def layered_python(name: str, lock: Path, temporary: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with a lock's packages, and those of this one below them; made once per lock."""
    base = Path(sys.prefix) if sys.prefix != sys.base_prefix else temporary.mktemp("environment")
    folder = base / name
    stamp, made_from = folder / "stamp", str(crc32(lock.read_bytes() + sys.version.encode()))
    if not stamp.exists() or stamp.read_text() != made_from:
        base_pins = pins(ROOT / "requirements.lock")
        expected = [line for line in lock.read_text().splitlines() if PIN.match(line) and PIN.match(line)[1] not in base_pins]
        requirements = temporary.mktemp("requirements") / "requirements.txt"
        requirements.write_text("\n".join(expected))
        subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)], check=True)
        packages = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        (packages / "base.pth").write_text(sysconfig.get_path("purelib") + "\n")
        _install(folder / "bin" / "python", requirements)
        stamp.write_text(made_from)
    return folder / "bin" / "python"


def _install(python: Path, requirements: Path) -> None:
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
    pytest.skip(f"the packages cannot be installed here: {errors}")
