"""What `setup` installs on each system, and what `doctor` finds missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sightread.machine import install as module
from sightread.machine.doctor import GIB, BrowserCheck, check_data_folder, check_disk, check_memory, check_proxy, check_sandbox
from sightread.machine.install import InstallStep, Missing, install, planned_steps, run_step
from sightread.machine.system import System, distribution_browser
from sightread.render.browser.find_browser import SHARED_BROWSERS
from sightread.render.errors import NoBrowser

ROOT = Path(__file__).parents[3]
DEBIAN = System("linux", "debian", "Debian", root=True, apt=True)
UBUNTU = System("linux", "ubuntu", "Ubuntu", root=True, apt=True)
DEBIAN_USER = System("linux", "debian", "Debian", root=False, apt=True)
FEDORA = System("linux", "fedora", "Fedora", root=True, apt=False)
MACOS = System("darwin", "", "macOS", root=False, apt=False)
NOTHING = Missing(browser=True, scripts=("Thai", "Chinese"))
POLICY = {
    "debian": "chromium-headless-shell:\n  Installed: (none)\n  Candidate: 156.0-1\nchromium:\n  Installed: (none)\n  Candidate: 156.0-1\n",
    "ubuntu": "chromium:\n  Installed: (none)\n  Candidate: (none)\n",
    "snap": "chromium:\n  Installed: (none)\n  Candidate: 2:1snap1-0ubuntu2\n",
}


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Return a function that makes shell scripts in the only folder of PATH; none is there at first, and no browser."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("SIGHTREAD_BROWSER", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setattr("sightread.render.browser.find_browser.SYSTEM_BROWSERS", ("chromium-headless-shell", "chromium-browser"))

    def make(name: str, script: str) -> Path:
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    return make


@pytest.mark.parametrize(("policy", "package"), [("debian", "chromium-headless-shell"), ("ubuntu", ""), ("snap", "")])
def test_a_distributions_browser_that_needs_snap_is_none(programs, policy, package):
    programs("apt-cache", f"printf '%s' '{POLICY[policy]}'")
    assert distribution_browser() == package


@pytest.mark.parametrize(
    ("system", "policy", "commands"),
    [
        (DEBIAN, "debian", ["apt-get -qq update", "chromium-headless-shell fontconfig fonts-noto-core fonts-noto-cjk"]),
        (
            UBUNTU,
            "ubuntu",
            ["apt-get -qq update", "fonts-noto-cjk", f"{SHARED_BROWSERS} {sys.executable} -m playwright install --with-deps"],
        ),
        (DEBIAN_USER, "debian", [f"{sys.executable} -m playwright install chromium-headless-shell"]),
        (FEDORA, "ubuntu", [f"PLAYWRIGHT_BROWSERS_PATH={SHARED_BROWSERS} {sys.executable} -m playwright install chromium"]),
        (MACOS, "ubuntu", [f"{sys.executable} -m playwright install chromium-headless-shell"]),
    ],
    ids=["debian", "ubuntu", "debian, not root", "fedora", "macos"],
)
def test_each_system_has_its_commands(programs, monkeypatch, system, policy, commands):
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH")
    programs("apt-cache", f"printf '%s' '{POLICY[policy]}'")
    steps = [str(step) for step in planned_steps(system, NOTHING)]
    assert len(steps) == len(commands)
    for step, expected in zip(steps, commands, strict=True):
        assert expected in step


def test_a_failed_installation_and_a_failed_download_are_one_error_with_a_remedy(programs, monkeypatch):
    programs("apt-get", "echo 'E: Unable to fetch' >&2; exit 100")
    monkeypatch.setattr(module, "missing_scripts", lambda: ())
    monkeypatch.setattr(
        module, "playwrights_browser", lambda _: InstallStep("downloading a browser", ("/bin/sh", "-c", "echo no network; exit 1"))
    )
    with pytest.raises(NoBrowser) as failed:
        install(DEBIAN, run_step, pytest.fail)
    assert str(failed.value) == (
        "reading the lists of packages failed: E: Unable to fetch; downloading a browser failed: no network: "
        "apt-get install chromium-headless-shell, or name a Chromium in SIGHTREAD_BROWSER"
    )


def test_the_stub_that_ubuntu_has_for_its_snap_is_no_browser(programs, monkeypatch):
    monkeypatch.setattr(module, "missing_scripts", lambda: ())
    programs("chromium-browser", 'exec /snap/bin/chromium "$@"')
    assert module.find_missing().browser
    programs("chromium-browser", "exit 1")
    assert not module.find_missing()


def test_a_browser_that_root_downloaded_is_found_by_all(programs, monkeypatch, tmp_path):
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("sightread.render.browser.find_browser.SHARED_BROWSERS", str(tmp_path / "shared"))
    monkeypatch.setattr(module, "missing_scripts", lambda: ())
    assert module.find_missing().browser
    program = tmp_path / "shared/chromium_headless_shell-1300/chrome-headless-shell-linux64/chrome-headless-shell"
    program.parent.mkdir(parents=True)
    program.write_text("")
    program.chmod(0o755)
    assert not module.find_missing()


def test_set_up_needs_no_packages():
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SIGHTREAD_BROWSER": "/bin/true"}
    ran = subprocess.run(
        [sys.executable, "-S", "-m", "sightread.machine.install", "check"], env=environment, cwd="/", capture_output=True, text=True
    )
    assert (ran.stdout, ran.stderr) == ("", "") and ran.returncode in (0, 1)


def test_the_library_of_the_driver_is_installed_and_its_lack_has_a_remedy(programs, monkeypatch):
    programs("chromium-headless-shell", "exit 1")
    monkeypatch.setattr(module, "missing_scripts", lambda: ())
    monkeypatch.setattr(module, "lacks_driver_library", lambda: True)
    programs("apt-cache", "exit 0")
    assert [step.command[-1] for step in planned_steps(DEBIAN, module.find_missing())] == ["update", "libatomic1"]
    with pytest.raises(NoBrowser, match=r"libatomic\.so\.1 is missing, .*: as root, apt-get install libatomic1"):
        install(DEBIAN_USER, pytest.fail, pytest.fail)


LINUX = System("linux", "debian", "Debian", root=False, apt=True)
UNSANDBOXED = BrowserCheck(Path("/usr/bin/chromium"), "156.0", unsandboxed="No usable sandbox!", seconds=1.0)


@pytest.mark.parametrize(
    ("setting", "value", "remedy"),
    [
        ("sys/kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"),
        ("sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        ("sys/user/max_user_namespaces", "0", "user.max_user_namespaces=15000"),
        ("sys/kernel/none", "0", "in a container"),
    ],
)
def test_what_denies_the_sandbox_is_named(tmp_path, setting, value, remedy):
    path = tmp_path / setting
    path.parent.mkdir(parents=True)
    path.write_text(f"{value}\n")
    finding = check_sandbox(LINUX, UNSANDBOXED, tmp_path)
    assert (finding.level, finding.value) == ("warning", "off: No usable sandbox!")
    assert remedy in finding.remedy


def test_little_memory_and_a_full_disk_are_warnings(monkeypatch, tmp_path):
    assert check_memory(8 * GIB).level == check_memory(None).level == "ok"
    assert check_memory(GIB // 2).remedy.endswith("--tabs 1")
    assert check_disk("disk", tmp_path / "later").level == "ok"
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    assert check_disk("disk", tmp_path).level == "warning"


def test_a_data_folder_that_cannot_be_made_is_a_problem(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    assert check_data_folder(file / "home").level == "problem"
    (tmp_path / "sites" / "x.test").mkdir(parents=True)
    assert check_data_folder(tmp_path).value == f"{tmp_path}, 1 learned site"


def test_a_proxy_in_the_environment_is_no_proxy_of_pages():
    finding = check_proxy({"HTTPS_PROXY": "http://user:secret@proxy.test:3128"})
    assert (finding.level, finding.remedy) == ("warning", "--proxy env:HTTPS_PROXY")
    assert "secret" not in finding.value
    assert check_proxy({}).level == "ok"
