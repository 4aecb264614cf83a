"""Findings about a machine: each that is not in order has a remedy."""

from pathlib import Path

import pytest

from sightread.machine.doctor import (
    GIB,
    BrowserCheck,
    check_data_folder,
    check_disk,
    check_fonts,
    check_memory,
    check_proxy,
    check_rendering,
    check_sandbox,
    examine,
)
from sightread.machine.system import System

LINUX = System("linux", "debian", "Debian", root=False, apt=True)
UNSANDBOXED = BrowserCheck(Path("/usr/bin/chromium"), "156.0", unsandboxed="No usable sandbox!", seconds=1.0)


async def test_a_machine_that_passes_the_tests_has_no_problem(tmp_path):
    findings = await examine(home=tmp_path)
    assert [finding for finding in findings if finding.level == "problem"] == []
    assert {finding.name for finding in findings} >= {"browser", "sandbox", "fonts", "memory", "data folder", "proxy"}
    assert all(finding.remedy for finding in findings if finding.level != "ok")


async def test_a_browser_that_does_not_start_is_a_problem_with_a_remedy():
    (finding,) = await check_rendering(LINUX, Path("/bin/false"))
    assert (finding.name, finding.level) == ("browser", "problem")
    assert "does not start" in finding.value
    assert finding.remedy == "install another, or name one in SIGHTREAD_BROWSER"


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


def test_root_without_setpriv_is_advised_to_install_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "setpriv" in check_sandbox(System("linux", root=True), UNSANDBOXED, tmp_path).remedy


def test_scripts_without_a_font_are_named(monkeypatch):
    monkeypatch.setattr("sightread.machine.doctor.missing_scripts", lambda _: ("Thai", "Korean"))
    finding = check_fonts(LINUX)
    assert finding.value.startswith("none for Thai, Korean")
    assert finding.remedy == "as root, apt-get install fontconfig fonts-noto-core fonts-noto-cjk"
    assert check_fonts(System("linux", "debian", root=True, apt=True)).remedy == "sightread setup"


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
